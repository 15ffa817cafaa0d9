// How a token is drawn and said. Parts of characters are bytes in hex, never a stand-in sign.

// Splits bytes into whole characters and stray bytes: [{text}, {bytes}].
function partsOf(bytes) {
  const parts = [];
  let text = "";
  let stray = [];
  const flush = () => {
    if (text) parts.push({ text });
    if (stray.length) parts.push({ bytes: stray });
    text = "";
    stray = [];
  };
  for (let at = 0; at < bytes.length; ) {
    const size = wholeAt(bytes, at);
    if (size ? stray.length : text) flush();
    if (size) text += plainDecoder.decode(bytes.subarray(at, at + size));
    else stray.push(bytes[at]);
    at += size || 1;
  }
  flush();
  return parts;
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// The length of the whole character that begins here, 0 if none does.
function wholeAt(bytes, at) {
  const lead = bytes[at];
  if (lead < 0x80) return 1;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (!size || at + size > bytes.length) return 0;
  try {
    strictDecoder.decode(bytes.subarray(at, at + size));
    return size;
  } catch {
    return 0;
  }
}

// A token in a sentence: ' ne', or bytes e1 ba.
function saidToken(bytes) {
  const said = partsOf(bytes).map((part) => (part.text === undefined ? `⟨${part.bytes.map(hexByte).join(" ")}⟩` : saidText(part.text)));
  return `'${shorten(said.join(""), 40)}'`;
}

function saidText(text) {
  return Array.from(text, (char) => (char !== " " && UNSEEN.test(char) ? `⟨${signOf(char)}⟩` : char)).join("");
}

function signOf(char) {
  return { "\n": "line end", "\t": "tab", "\r": "carriage return" }[char] ?? labelOf(char.codePointAt(0));
}

function shorten(text, most) {
  const chars = Array.from(text);
  return chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : text;
}

const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

// Draws tokens of one run. A drawing is made once for each token and copied.
class Tiles {
  constructor(tokens, baseSize, names) {
    Object.assign(this, { tokens, baseSize, names, made: new Map() });
  }

  drawing(id) {
    let drawing = this.made.get(id);
    if (!drawing) {
      drawing = this.draw(id);
      this.made.set(id, drawing);
    }
    return drawing;
  }

  // Base units are grey; a learned token has the same hue wherever it stands.
  draw(id) {
    const tile = make("span", id < this.baseSize ? "tile base" : `tile hue-${id % 6}`);
    tile.dataset.id = id;
    const bytes = this.tokens[id];
    if (!bytes) {
      tile.className = "tile unknown";
      tile.append("?");
      tile.title = "not in the base: this character was never met in training";
    } else {
      drawBytes(tile, bytes, this.names);
      if (RIGHT_TO_LEFT.test(plainDecoder.decode(bytes))) tile.dir = "rtl";
    }
    return tile;
  }

  tile(id) {
    return this.drawing(id).cloneNode(true);
  }

  said(id) {
    return saidToken(this.tokens[id]);
  }
}

const LONGEST_TILE = 28; // characters: a longer token shows its beginning

function drawBytes(host, bytes, names) {
  let room = LONGEST_TILE;
  for (const part of partsOf(bytes)) {
    if (room <= 0) break;
    if (part.text === undefined) {
      for (const byte of part.bytes.slice(0, room)) host.append(make("b", "byte", hexByte(byte)));
      room -= part.bytes.length;
    } else {
      const chars = Array.from(part.text);
      const isolate = make("bdi");
      drawText(isolate, chars.slice(0, room).join(""), names);
      host.append(isolate);
      room -= chars.length;
    }
  }
  if (room < 0) host.append("…");
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
