// The card beside a token: what it is, in words and numbers.

const MOST_POINTS = 16;
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function row(list, term, ...values) {
  const line = make("div", "row");
  const value = make("dd");
  value.append(...values);
  line.append(make("dt", "", term), value);
  list.append(line);
}

function fillCard(card, column, i, look, { pinned, canOpen, onOpen, onClose }) {
  const bytes = bytesOf(column, i);
  const title = make("p", "card-text");
  const { text, notes } = describe(column, i);
  if (text) drawText(title, text.slice(0, 80), look.names);
  else title.append(make("code", "", hexBytes(bytes.subarray(0, 8)) || "empty"));
  const list = make("dl");
  const id = idOf(column, i);
  row(list, "id", id === null ? "none" : String(id));
  row(list, "rank", rankWords(column, i));
  const more = bytes.length > 24 ? ` … ${(bytes.length - 24).toLocaleString("en")} more` : "";
  const size = bytes.length === 1 ? "1 byte" : `${bytes.length.toLocaleString("en")} bytes`;
  row(list, size, make("code", "", hexBytes(bytes.subarray(0, 24)) + more));
  row(list, "stand-ins", make("code", "", standInsOf(bytes.subarray(0, 24)) + (more ? " …" : "")));
  row(list, "code points", ...pointRows(column, i, look.names));
  const given = givenAs(column, i);
  if (given) row(list, "given as", ...namedPoints([...given], look.names));
  const { all, upToHere } = occurrences(column, i);
  const times = all === 1 ? "once" : `${all.toLocaleString("en")} times, here the ${ordinal(upToHere)}`;
  row(list, "in this text", times);
  row(list, "position", positionWords(column, i));
  const said = notes.map((note) => make("p", "note", note));
  card.replaceChildren(title, ...said, list);
  if (pinned) card.append(cardButtons(canOpen, onOpen, onClose));
}

function cardButtons(canOpen, onOpen, onClose) {
  const bar = make("div", "card-buttons");
  if (canOpen) {
    const open = make("button", "open", "Why this cut?");
    open.type = "button";
    open.addEventListener("click", onOpen);
    bar.append(open);
  }
  const close = make("button", "close", "Close");
  close.type = "button";
  close.addEventListener("click", onClose);
  bar.append(close);
  return bar;
}

function ordinal(n) {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[n % 10] ?? "th";
  return `${n.toLocaleString("en")}${ending}`;
}

function rankWords(column, i) {
  const rank = column.ranks.get(column.ids[i]);
  if (Number.isInteger(rank)) return rank.toLocaleString("en");
  const kind = kindOf(column, i);
  return ["none: a base byte, or added", "none: a control token", "none: an added token", "none", "none"][kind];
}

function positionWords(column, i) {
  if (isDropped(column, i)) return "none";
  const [before, all] = [i, column.count].map((to) => tokensBefore(column, to));
  return `${(before + 1).toLocaleString("en")} of ${all.toLocaleString("en")}`;
}

// Whole code points of a token and what is to be said of it in words.
function describe(column, i) {
  const notes = [];
  const kind = kindOf(column, i);
  const words = ["", "control token", "added token", "unknown to this tokenizer", "dropped: it has no token"];
  if (kind) notes.push(words[kind]);
  const bytes = bytesOf(column, i);
  if (bytes[0] === 0x20) notes.push("starts with a space");
  const points = pointsOf(column, i, 4096);
  for (const { text, part, stray } of points) {
    if (part) notes.push(`part of a character: ${text}, ${part}`);
    if (stray) notes.push(`bytes that make no character: ${stray}`);
  }
  if (!notes.some((note) => note.startsWith("part"))) {
    const [from, to] = groupOf(column, i);
    if (to - from > 1) notes.push(`one of ${to - from} tokens that share a character`);
  }
  const whole = points.filter(({ part }) => !part).map(({ text }) => text);
  return { text: whole.join(""), notes };
}

// The code points a token touches: {text, code, part}, part being "bytes 2–3 of 4" or "".
function pointsOf(column, i, most) {
  if (column.own.has(i)) return ownPoints(column.own.get(i), most);
  const { text: source, ends } = column;
  const end = ends[i];
  let at = startOf(column, i);
  while (at > 0 && at < end && (source[at] & 0xc0) === 0x80) at--;
  const points = [];
  while (at < end && points.length < most) {
    let next = at + 1;
    while (next < source.length && (source[next] & 0xc0) === 0x80) next++;
    const from = Math.max(at, startOf(column, i)) - at + 1;
    const to = Math.min(next, end) - at;
    const size = next - at;
    const part = to - from + 1 === size ? "" : `${from === to ? `byte ${from}` : `bytes ${from}–${to}`} of ${size}`;
    const text = textBetween(column, at, next);
    points.push({ text, code: text.codePointAt(0), part });
    at = next;
  }
  return points;
}

// The same of bytes that not all make characters: runs of such bytes are {text: "", stray}.
function ownPoints(bytes, most) {
  const points = [];
  let loose = [];
  const flush = () => {
    if (loose.length) points.push({ text: "", stray: hexBytes(loose) });
    loose = [];
  };
  for (let at = 0; at < bytes.length && points.length < most; ) {
    const text = characterAt(bytes, at);
    if (text) {
      flush();
      points.push({ text, code: text.codePointAt(0), part: "" });
      at += encodedSize(bytes[at]);
    } else loose.push(bytes[at++]);
  }
  flush();
  return points;
}

const encodedSize = (lead) => (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);

// The character that begins at a byte; "" where none does.
function characterAt(bytes, at) {
  try {
    return strictDecoder.decode(bytes.subarray(at, at + encodedSize(bytes[at])));
  } catch {
    return "";
  }
}

function pointRows(column, i, names) {
  const points = pointsOf(column, i, MOST_POINTS + 1);
  const rows = points.slice(0, MOST_POINTS).map(({ code, part, stray }) => {
    if (stray) return make("span", "point", `none in ${stray}`);
    const line = pointLine(code, names);
    if (part) line.append(make("em", "", ` (${part})`));
    return line;
  });
  if (points.length > MOST_POINTS) rows.push(make("span", "point", "… and more"));
  return rows;
}

function pointLine(code, names) {
  const line = make("span", "point");
  line.append(make("code", "", `U+${hexOf(code)}`), ` ${nameOf(code, names)}`);
  return line;
}

function namedPoints(characters, names) {
  const rows = characters.slice(0, MOST_POINTS).map((c) => pointLine(c.codePointAt(0), names));
  if (characters.length > MOST_POINTS) rows.push(make("span", "point", "… and more"));
  return rows;
}

// What stood in the given text where normalization rewrote this token's bytes, "" elsewhere.
function givenAs(column, i) {
  const from = startOf(column, i);
  const to = column.ends[i];
  const touched = column.rewritten.filter(([start, end]) => start < to && end > from);
  return touched.map(([, , given]) => given).join("");
}

function sayToken(column, i) {
  const { text, notes } = describe(column, i);
  const id = idOf(column, i);
  const parts = [`token ${positionWords(column, i)}`, text.slice(0, 60), id === null ? "no id" : `id ${id}`];
  return [...parts, ...notes].filter(Boolean).join(", ");
}

// The card stays where its token is when something grows: a check that answers late above
// the tokens, a font that arrives in the card. Who scrolls decides for themselves from there.
function keepPlaced(card, element) {
  placeCard(card, element);
  const growing = new ResizeObserver(() => element.isConnected && placeCard(card, element));
  growing.observe(card);
  growing.observe(pageAround(element));
  const stop = new AbortController();
  const watch = { signal: stop.signal, passive: true, capture: true };
  stop.signal.addEventListener("abort", () => growing.disconnect());
  for (const scroll of ["wheel", "touchmove"]) addEventListener(scroll, () => stop.abort(), watch);
  return stop;
}

// What Streamlit puts all elements of the page in, through the roots of its components.
function pageAround(element) {
  for (let at = element; at; at = at.getRootNode().host) {
    const page = at.closest("[data-testid=stMainBlockContainer]");
    if (page) return page;
  }
  return document.body;
}

// Beside the token on a wide screen; on a narrow one the style sheet puts the card at
// the bottom edge.
function placeCard(card, element) {
  if (matchMedia("(max-width: 640px)").matches) {
    card.style.left = card.style.top = "";
    const hidden = element.getBoundingClientRect().bottom > card.getBoundingClientRect().top;
    if (hidden) element.scrollIntoView({ block: "start" }); // its scroll margin leaves room
    return;
  }
  const at = element.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 10 + height < innerHeight || at.top - 10 - height < 0;
  card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  card.style.top = `${below ? Math.min(at.bottom + 10, Math.max(8, innerHeight - height - 8)) : at.top - 10 - height}px`;
}
