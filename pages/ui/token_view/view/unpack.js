// Reads the block of bytes that pack.py writes. Typed arrays lie over the block itself.

const NO_ID = 0xffffffff;
const ESCAPE = 255;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function unpack(block) {
  // Streamlit may hand over a view at any offset; u32 arrays need one divisible by four.
  const bytes = block.byteOffset % 4 ? block.slice() : block;
  if (decoder.decode(bytes.subarray(0, 4)) !== "TKV1") throw new Error("not a token view block");
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  const header = JSON.parse(decoder.decode(bytes.subarray(8, 8 + headerLength)));
  const base = bytes.byteOffset + 8 + headerLength;
  const u8 = ([at, length]) => new Uint8Array(bytes.buffer, base + at, length);
  const u32 = ([at, length]) => new Uint32Array(bytes.buffer, base + at, length / 4);
  const texts = header.texts.map(({ place, digest }) => ({ bytes: u8(place), digest }));
  const columns = header.columns.map((column) => unpackColumn(column, texts, u8, u32));
  return { ...header, columns };
}

function unpackColumn(column, texts, u8, u32) {
  return {
    name: column.name,
    headline: column.headline,
    count: column.count,
    text: texts[column.text].bytes,
    digest: texts[column.text].digest,
    ids: u32(column.ids),
    ends: endsOf(u8(column.lengths), u32(column.escapes)),
    flags: u8(column.flags),
    ranks: mapOf(u32(column.rankIds), u32(column.ranks)),
    differs: u32(column.differs),
    rewritten: column.rewritten,
    own: piecesOf(u32(column.ownPlaces), u32(column.ownLengths), u8(column.ownBytes)),
  };
}

function endsOf(lengths, escapes) {
  const ends = new Uint32Array(lengths.length);
  let end = 0;
  let escape = 0;
  for (let i = 0; i < lengths.length; i++) {
    end += lengths[i] === ESCAPE ? escapes[escape++] : lengths[i];
    ends[i] = end;
  }
  return ends;
}

function piecesOf(places, lengths, bytes) {
  const map = new Map();
  let at = 0;
  places.forEach((place, i) => map.set(place, bytes.subarray(at, (at += lengths[i]))));
  return map;
}

function mapOf(keys, values) {
  const map = new Map();
  for (let i = 0; i < keys.length; i++) map.set(keys[i], values[i] === NO_ID ? null : values[i]);
  return map;
}

const startOf = (column, i) => (i ? column.ends[i - 1] : 0);
const closesAt = (column, i) => (column.flags[i] & 1) === 1 || i === column.count - 1;
const kindOf = (column, i) => (column.flags[i] >> 1) & 7;
const DROPPED = 4; // a stretch of the text that has no token
const isDropped = (column, i) => kindOf(column, i) === DROPPED;
// How many tokens there are before an entry: what was dropped is none.
function tokensBefore(column, i) {
  let tokens = 0;
  for (let k = 0; k < i; k++) tokens += isDropped(column, k) ? 0 : 1;
  return tokens;
}
const idOf = (column, i) => (column.ids[i] === NO_ID ? null : column.ids[i]);
// Not always those of the text: bytes that make no character are only spelled there.
const bytesOf = (column, i) => column.own.get(i) ?? column.text.subarray(startOf(column, i), column.ends[i]);
const textBetween = (column, from, to) => decoder.decode(column.text.subarray(from, to));

// The group of whole characters that a token belongs to, as token indices [from, to).
// `most` bounds the walk: a character can be stacked from a hundred thousand tokens.
function groupOf(column, i, most = 4096) {
  let from = i;
  while (from > 0 && !closesAt(column, from - 1) && i - from < most) from--;
  let to = i + 1;
  while (to < column.count && !closesAt(column, to - 1) && to - i < most) to++;
  return [from, to];
}

// The first token that ends after this byte.
function tokenAtByte(column, byte) {
  let low = 0;
  let high = column.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column.ends[middle] <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A walk over all ids takes under a millisecond for 300,000: no table is kept for it.
function occurrences(column, i) {
  const id = column.ids[i];
  let all = 0;
  let upToHere = 0;
  for (let k = 0; k < column.count; k++) {
    if (column.ids[k] !== id) continue;
    all++;
    if (k <= i) upToHere++;
  }
  return { all, upToHere };
}
