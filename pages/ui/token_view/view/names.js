// Names of code points, and short labels for those that draw nothing.

const CONTROL_NAMES = (
  "NULL|START OF HEADING|START OF TEXT|END OF TEXT|END OF TRANSMISSION|ENQUIRY|ACKNOWLEDGE|" +
  "BELL|BACKSPACE|CHARACTER TABULATION|LINE FEED|LINE TABULATION|FORM FEED|CARRIAGE RETURN|" +
  "SHIFT OUT|SHIFT IN|DATA LINK ESCAPE|DEVICE CONTROL ONE|DEVICE CONTROL TWO|" +
  "DEVICE CONTROL THREE|DEVICE CONTROL FOUR|NEGATIVE ACKNOWLEDGE|SYNCHRONOUS IDLE|" +
  "END OF TRANSMISSION BLOCK|CANCEL|END OF MEDIUM|SUBSTITUTE|ESCAPE|" +
  "INFORMATION SEPARATOR FOUR|INFORMATION SEPARATOR THREE|INFORMATION SEPARATOR TWO|" +
  "INFORMATION SEPARATOR ONE"
).split("|");

const LABELS = new Map([
  [0xa0, "NBSP"], [0xad, "SHY"], [0x34f, "CGJ"], [0x61c, "ALM"], [0x115f, "HCF"],
  [0x1160, "HJF"], [0x1680, "OGSP"], [0x180e, "MVS"], [0x2000, "NQSP"], [0x2001, "MQSP"],
  [0x2002, "ENSP"], [0x2003, "EMSP"], [0x2004, "3/MSP"], [0x2005, "4/MSP"], [0x2006, "6/MSP"],
  [0x2007, "FSP"], [0x2008, "PSP"], [0x2009, "THSP"], [0x200a, "HSP"], [0x200b, "ZWSP"],
  [0x200c, "ZWNJ"], [0x200d, "ZWJ"], [0x200e, "LRM"], [0x200f, "RLM"], [0x2028, "LS"],
  [0x2029, "PS"], [0x202a, "LRE"], [0x202b, "RLE"], [0x202c, "PDF"], [0x202d, "LRO"],
  [0x202e, "RLO"], [0x202f, "NNBSP"], [0x205f, "MMSP"], [0x2060, "WJ"], [0x2061, "FA"],
  [0x2062, "IT"], [0x2063, "IS"], [0x2064, "IP"], [0x2066, "LRI"], [0x2067, "RLI"],
  [0x2068, "FSI"], [0x2069, "PDI"], [0x3000, "IDSP"], [0x3164, "HF"], [0xfeff, "BOM"],
  [0xffa0, "HHF"], [0xfff9, "IAA"], [0xfffa, "IAS"], [0xfffb, "IAT"], [0xfffc, "OBJ"],
]);

// Everything that plain text would leave unseen, or draw as an empty frame.
const UNSEEN =
  /[\x00-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\u{e0000}-\u{e0fff}]|\p{Cn}|\p{Co}|\p{Cs}/u;

const hexOf = (code) => code.toString(16).toUpperCase().padStart(4, "0");
const hexByte = (byte) => byte.toString(16).padStart(2, "0");

function labelOf(code) {
  if (LABELS.has(code)) return LABELS.get(code);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  if (code >= 0xfe00 && code <= 0xfe0f) return `VS${code - 0xfe00 + 1}`;
  if (code >= 0xe0100 && code <= 0xe01ef) return `VS${code - 0xe0100 + 17}`;
  if (code > 0xe0020 && code < 0xe007f) return `TAG ${String.fromCodePoint(code - 0xe0000)}`;
  if (code === 0xe0020) return "TAG SP";
  if (code === 0xe007f) return "TAG END";
  return hexOf(code);
}

const LEADS = "G GG N D DD R M B BB S SS  J JJ C K T P H".split(" ");
const VOWELS = "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I".split(" ");
const TAILS = " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H".split(" ");

function hangulName(code) {
  const at = code - 0xac00;
  const lead = LEADS[Math.floor(at / 588)];
  return `HANGUL SYLLABLE ${lead}${VOWELS[Math.floor((at % 588) / 28)]}${TAILS[at % 28]}`;
}

function nameOf(code, names) {
  const given = names[code.toString(16)];
  if (given) return given;
  if (code < 0x20) return CONTROL_NAMES[code];
  if (code === 0x7f) return "DELETE";
  if (code === 0x85) return "NEXT LINE";
  if (code < 0xa0 && code > 0x7f) return "CONTROL CHARACTER";
  if (code >= 0xac00 && code <= 0xd7a3) return hangulName(code);
  const ideograph =
    (code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x20000 && code <= 0x323af);
  if (ideograph) return `CJK UNIFIED IDEOGRAPH-${hexOf(code)}`;
  if (/\p{Co}/u.test(String.fromCodePoint(code))) return "PRIVATE USE";
  return "NO NAME KNOWN HERE";
}

// GPT-2's alphabet: every byte has one visible character, so that bytes can be written
// as text. Printable bytes stand for themselves, the rest follow from U+0100 on.
const STAND_INS = (() => {
  const shown = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCodePoint(shown(b) ? b : next++));
})();

function standInsOf(bytes) {
  let text = "";
  for (const byte of bytes) text += STAND_INS[byte];
  return text;
}

const hexBytes = (bytes) => Array.from(bytes, hexByte).join(" ");
