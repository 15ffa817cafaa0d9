// Which tint a token has. Six hues (k0-k5), six steps of one hue (s0-s5), or plain (p).

const RANK_STEPS = [1000, 5000, 20000, 50000, 100000];
const LENGTH_STEPS = [1, 2, 4, 6, 9];
const SCRIPTS = [
  ["Latin", "k0", /\p{Script=Latin}/u],
  ["Cyrillic, Greek, Armenian, Georgian", "k1", /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u],
  ["Arabic, Hebrew and kin", "k2", RTL],
  ["Chinese characters", "k3", /\p{Script=Han}/u],
  ["Kana, Hangul", "k5", /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
  ["other scripts", "k4", /\p{L}/u],
];

function stepOf(value, steps) {
  let step = 0;
  while (step < steps.length && value > steps[step]) step++;
  return `s${step}`;
}

function scriptTint(text) {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return /\p{N}/u.test(text) ? "s3" : "p";
  return SCRIPTS.find(([, , pattern]) => pattern.test(letter))[1];
}

function tintOf(column, i, colourBy, groupText) {
  const id = column.ids[i];
  if (colourBy === "neighbour") return `k${i % 6}`;
  if (colourBy === "token") return `k${(Math.imul(id, 2654435761) >>> 8) % 6}`;
  if (colourBy === "length") return stepOf(column.ends[i] - startOf(column, i), LENGTH_STEPS);
  if (colourBy === "script") return scriptTint(groupText());
  if (kindOf(column, i) || id === NO_ID) return "p";
  return stepOf(column.ranks.get(id) ?? 0, RANK_STEPS);
}

// The legend's entries as [tint, words]; none where the colour means nothing by itself.
function legendOf(colourBy) {
  if (colourBy === "rank") {
    const shown = RANK_STEPS.map((most) => `to ${most.toLocaleString("en")}`);
    const words = ["bytes and first 1,000 merges", ...shown.slice(1), "later merges (rare)"];
    return [...words.map((word, i) => [`s${i}`, word]), ["p", "added or unknown"]];
  }
  if (colourBy === "length") {
    return ["1 byte", "2", "3–4", "5–6", "7–9", "10 or more"].map((word, i) => [`s${i}`, word]);
  }
  if (colourBy === "script") {
    const scripts = SCRIPTS.map(([words, tint]) => [tint, words]);
    return [...scripts, ["s3", "digits"], ["p", "signs, spaces"]];
  }
  return [];
}
