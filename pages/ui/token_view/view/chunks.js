// Cuts a column into chunks of about 400 tokens and draws one chunk.

const CHUNK = 400;
const CELL_BYTES = 8;

const endsLine = (column, i) => column.text[column.ends[i] - 1] === 10;

// Chunk starts, and the count at the end. A chunk is a block, so it ends at a line end
// where there is one in reach, else between characters, else (a character of more than
// 800 tokens) between tokens.
function chunkStarts(column) {
  const starts = [0];
  let from = 0;
  let line = 0;
  let group = 0;
  for (let i = 0; i < column.count; i++) {
    if (closesAt(column, i)) {
      group = i + 1;
      if (endsLine(column, i)) line = i + 1;
    }
    const size = i + 1 - from;
    let cut = 0;
    if (size >= CHUNK && line === i + 1) cut = line;
    else if (size >= 2 * CHUNK) cut = line > from + CHUNK / 4 ? line : group > from ? group : i + 1;
    if (cut && cut < column.count) {
      starts.push(cut);
      from = cut;
    }
  }
  starts.push(column.count);
  return starts;
}

// Draws tokens [from, to) into `host`; returns their elements in order.
function drawChunk(column, from, to, look, host) {
  const elements = [];
  const span = textBetween(column, startOf(column, from), column.ends[to - 1]);
  const rtl = look.showAs === "text" && RTL.test(span);
  let items = [];
  const finishLine = () => {
    if (!items.length) return;
    const line = make("div", "line");
    if (rtl) arrange(line, items);
    else line.append(...items.map(({ node }) => node));
    host.append(line);
    items = [];
  };
  for (let i = from; i < to; ) {
    let end = i + 1;
    while (end < to && !closesAt(column, end - 1)) end++;
    for (const item of drawGroup(column, i, end, look, elements)) items.push(item);
    if (endsLine(column, end - 1)) finishLine();
    i = end;
  }
  finishLine();
  markDifferences(column, from, to, elements);
  return elements;
}

function drawGroup(column, from, to, look, elements) {
  const text = textBetween(column, startOf(column, from), column.ends[to - 1]);
  const groupText = () => text;
  const chip = (i, name) => {
    const element = make("span", `tok ${name} ${tintOf(column, i, look.colourBy, groupText)}`);
    element.dataset.token = i;
    element.setAttribute("role", "option");
    const kind = kindOf(column, i);
    if (kind) element.classList.add(`kind-${kind}`);
    elements.push(element);
    return element;
  };
  if (look.showAs !== "text") return drawForms(column, from, to, look, chip, text);
  const torn = to - from > 1 || isTorn(column, from);
  if (!torn) {
    const element = chip(from, "");
    if (text) drawText(element, text, look.names);
    else element.append(make("b", "unseen", "empty"));
    dropLastBreak(element);
    // Dots are drawn by the style sheet: a screen reader needs a word for them.
    if (/^ +$/.test(text)) element.setAttribute("aria-label", text.length === 1 ? "space" : `${text.length} spaces`);
    return [{ node: withBreak(element, text), text }];
  }
  return [{ node: drawTorn(column, from, to, look, chip, text), text }];
}

// A line may break before a token that starts with a space, never inside one's space.
function withBreak(node, text) {
  if (text[0] !== " ") return node;
  const pair = document.createDocumentFragment();
  pair.append(make("wbr"), node);
  return pair;
}

// Only a chunk's edge tears a group (see chunkStarts); then bytes may not be whole.
function isTorn(column, i) {
  return !closesAt(column, i) || (i > 0 && !closesAt(column, i - 1));
}

// One character in several tokens: drawn once, with a row of byte cells under it.
function drawTorn(column, from, to, look, chip, text) {
  const group = make("span", "group");
  const whole = make("span", "whole");
  const starts = from === 0 || closesAt(column, from - 1);
  if (starts) drawText(whole, closesAt(column, to - 1) ? text : wholePart(column, from), look.names);
  else whole.append(make("b", "unseen", "… the same character"));
  dropLastBreak(whole);
  if (Array.from(text).length > 12) whole.classList.add("long");
  const cells = make("span", "cells");
  cells.dir = "ltr";
  if (to - from > 8) cells.classList.add("many");
  for (let i = from; i < to; i++) {
    const cell = chip(i, "cell");
    const bytes = bytesOf(column, i);
    cell.textContent = cellText(bytes);
    cells.append(cell);
  }
  group.append(whole, cells);
  return withBreak(group, text);
}

function cellText(bytes) {
  if (!bytes.length) return "∅";
  if (bytes.length <= CELL_BYTES) return hexBytes(bytes);
  return `${hexBytes(bytes.subarray(0, 4))} … ${hexBytes(bytes.subarray(-2))}`;
}

// The text of a group so long that it fills chunks: its beginning, whole code points.
function wholePart(column, from) {
  const start = startOf(column, from);
  let end = Math.min(start + 240, column.text.length);
  while (end > start && (column.text[end] & 0xc0) === 0x80) end--;
  return textBetween(column, start, end);
}

function drawForms(column, from, to, look, chip, text) {
  const items = [];
  for (let i = from; i < to; i++) {
    const element = chip(i, "form");
    const bytes = bytesOf(column, i);
    const shown = bytes.subarray(0, 200);
    if (look.showAs === "ids") element.textContent = idOf(column, i) ?? "no id";
    else element.textContent = look.showAs === "bytes" ? hexBytes(shown) : standInsOf(shown);
    if (look.showAs !== "ids" && shown.length < bytes.length) {
      element.append(make("b", "unseen", `… ${(bytes.length - shown.length).toLocaleString("en")} bytes more`));
    }
    if (to - from > 1) element.classList.add("part");
    const pair = document.createDocumentFragment();
    pair.append(make("wbr"), element);
    items.push({ node: pair, text });
  }
  return items;
}

function markDifferences(column, from, to, elements) {
  const spans = column.differs;
  const first = startOf(column, from);
  let low = 0;
  let high = spans.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[2 * middle + 1] <= first) low = middle + 1;
    else high = middle;
  }
  for (let i = from; i < to; i++) {
    const start = startOf(column, i);
    while (2 * low < spans.length && spans[2 * low + 1] <= start) low++;
    if (2 * low >= spans.length) return;
    if (spans[2 * low] >= column.ends[i]) continue;
    elements[i - from].classList.add("differs");
    elements[i - from].closest(".group")?.classList.add("differs");
  }
}
