// Writes text into the page so that everything in it can be seen. Text from outside
// passes through textContent and text nodes only.

const LONGEST_SHOWN = 600; // characters of one token; the rest is counted, not drawn
const MOST_SPACES = 40; // of one run; an indentation is seen at its width up to here
const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

function drawText(host, text, names) {
  if (text.length > LONGEST_SHOWN) return drawLong(host, text, names);
  if (!UNSEEN.test(text)) {
    // A mark at the start of a token would sit on the neighbour: give it a carrier.
    host.append(/^\p{M}/u.test(text) ? `◌${text}` : text);
    return undefined;
  }
  let plain = "";
  let spaces = 0;
  const flush = () => {
    if (plain) host.append(plain);
    if (spaces) drawSpaces(host, spaces);
    plain = "";
    spaces = 0;
  };
  for (const { segment } of clusters.segment(text)) {
    const space = segment === " ";
    const unseen = !space && UNSEEN.test(segment);
    if (unseen || (space ? plain : spaces)) flush();
    if (unseen) drawCluster(host, segment, names);
    else if (space) spaces++;
    else plain += segment;
  }
  flush();
  return undefined;
}

// A run of spaces is one element, with a dot for each: a text may have a million. The
// space in the page is the one that does not break, so that the token stays whole.
function drawSpaces(host, count) {
  const shown = Math.min(count, MOST_SPACES);
  const run = make("i", "space", "\u00a0".repeat(shown));
  if (shown > 1) {
    run.classList.add("several");
    run.style.setProperty("--count", shown);
  }
  host.append(run);
  if (shown < count) host.append(make("b", "unseen", `${(count - shown).toLocaleString("en")} more spaces`));
}

function drawLong(host, text, names) {
  // Cut between code points; a cluster cut here loses nothing but its joining.
  const points = (part, from, to) => Array.from(part).slice(from, to).join("");
  const head = points(text.slice(0, 420), 0, 200);
  const tail = points(text.slice(-120), -50, undefined);
  drawText(host, head, names);
  const left = (text.length - head.length - tail.length).toLocaleString("en");
  host.append(make("b", "unseen", `… ${left} more …`));
  drawText(host, tail, names);
}

function drawCluster(host, cluster, names) {
  const first = cluster.codePointAt(0);
  if (UNSEEN.test(String.fromCodePoint(first))) {
    for (const char of cluster) drawUnseen(host, char, names);
    return;
  }
  host.append(cluster); // whole, with its joiners: taking them out would change its look
  for (const char of strangersIn(cluster)) drawUnseen(host, char, names);
}

// Joiners and selectors belong inside an emoji. In other clusters they are shown after
// it, as are tags on anything but a flag: hidden text is carried that way.
function strangersIn(cluster) {
  const chars = Array.from(cluster).filter((char) => UNSEEN.test(char));
  if (!/^[\p{Extended_Pictographic}\p{Regional_Indicator}#*0-9]/u.test(cluster)) return chars;
  const flag = cluster.startsWith("\u{1f3f4}");
  return chars.filter((char) => {
    const code = char.codePointAt(0);
    const usual = code === 0x200d || code === 0xfe0e || code === 0xfe0f;
    return !usual && !(flag && code >= 0xe0020 && code <= 0xe007f);
  });
}

function drawUnseen(host, char, names) {
  const code = char.codePointAt(0);
  if (code === 0x20) {
    drawSpaces(host, 1);
  } else if (code === 0x0a) {
    host.append(make("i", "sign", "↵"), make("br"));
  } else if (code === 0x09) {
    host.append(make("i", "sign tab", "⇥"));
  } else if (/\p{M}/u.test(char) && !LABELS.has(code) && !UNSEEN.test(char)) {
    host.append(`◌${char}`);
  } else {
    const label = labelOf(code);
    const box = make("b", label.length === 1 ? "unseen picture" : "unseen", label);
    box.title = `U+${hexOf(code)} ${nameOf(code, names)}`;
    host.append(box);
    if (code === 0x2028 || code === 0x2029) host.append(make("br"));
  }
}

// A line end that closes a token also closes the line, which is a block of its own.
function dropLastBreak(host) {
  if (host.lastChild?.nodeName === "BR") host.lastChild.remove();
}
