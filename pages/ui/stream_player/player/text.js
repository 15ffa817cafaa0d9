// Text as a reader of the stream sees it, with marks on U+FFFD and names for what is unseen.

// Joiners and selectors shape their neighbours, so they stay in the text.
const SHAPING = /[\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}]/u;

// `marks` says of each U+FFFD whether it is wrong.
function drawStreamed(host, text, marks, names) {
  let plain = "";
  let sign = 0;
  const flush = () => {
    if (plain) host.append(plain);
    plain = "";
  };
  for (const char of text) {
    if (char === "\ufffd") {
      flush();
      host.append(replacement(marks[sign++]));
    } else if (char === " " || SHAPING.test(char) || !UNSEEN.test(char)) {
      plain += char;
    } else {
      flush();
      drawUnseen(host, char, names);
    }
  }
  flush();
}

function replacement(wrong) {
  const sign = make("b", wrong ? "sign-wrong" : "sign-real", "\ufffd");
  sign.title = wrong ? "wrong: the text has no U+FFFD here" : "U+FFFD: decoding the whole has it here too";
  return sign;
}

// Held bytes, as pieces of the tokens they came with.
const MOST_HELD = 8;

function drawHeld(host, pieces, names) {
  const shown = pieces.slice(-MOST_HELD);
  if (shown.length < pieces.length) host.append(make("span", "rest", `${count(pieces.length - shown.length, "token")} and`));
  for (const { at, part } of shown) host.append(tokenTile(at, part, names));
}

function tokenTile(at, bytes, names) {
  const tile = make("span", `tile hue-${at % 6}`);
  drawBytes(tile, bytes, names);
  if (RIGHT_TO_LEFT.test(plainDecoder.decode(bytes))) tile.dir = "rtl";
  return tile;
}

const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// Seconds with as many digits as they are worth.
function seconds(tokens, speed) {
  const value = tokens / Number(speed);
  return `${value < 1 ? Number(value.toPrecision(1)) : value.toFixed(1)} s`;
}
