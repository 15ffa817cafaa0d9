// Order of tokens in lines with right-to-left text. Each token is isolated, so the
// browser sees it as one neutral thing; the runs that the Unicode algorithm would find
// are rebuilt here from whole tokens: numbers and Latin inside Arabic, and the reverse.

const RTL = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// R or L by the first strong letter, D for digits, S for one number separator, N else.
function directionOf(text) {
  const strong = /\p{L}/u.exec(text);
  if (strong) return RTL.test(strong[0]) ? "R" : "L";
  if (/\p{Nd}/u.test(text)) return "D";
  return /^[.,:/+\-\u066b\u066c]$/.test(text) ? "S" : "N";
}

// Puts the line's items into `line`; an item is {node, text}.
function arrange(line, items) {
  const kinds = items.map(({ text }) => directionOf(text));
  const base = kinds.find((kind) => kind === "R" || kind === "L") ?? "L";
  line.dir = base === "R" ? "rtl" : "ltr";
  let strong = base;
  kinds.forEach((kind, i) => {
    if (kind === "R" || kind === "L") strong = kind;
    else if (kind === "D" && strong === "L") kinds[i] = "L"; // digits after Latin are Latin
  });
  const nodes = items.map(({ node }) => node);
  if (base === "R") appendRuns(line, nodes, kinds, "L", "ltr");
  else appendRuns(line, nodes, kinds, "R", "rtl");
}

// Appends nodes, wrapping each run of `wanted` that has the other direction.
function appendRuns(host, nodes, kinds, wanted, dir) {
  let i = 0;
  while (i < nodes.length) {
    const starts = kinds[i] === wanted || kinds[i] === "D";
    const end = starts ? runEnd(kinds, i, wanted) : i + 1;
    if (!starts || (wanted === "R" && kinds[i] !== "R")) {
      host.append(nodes[i]);
      i += 1;
      continue;
    }
    const run = make("span", "run");
    run.dir = dir;
    if (wanted === "R") appendRuns(run, nodes.slice(i, end), kinds.slice(i, end), "D", "ltr");
    else run.append(...nodes.slice(i, end));
    host.append(run);
    i = end;
  }
}

// Where the run that starts at `from` ends: neutrals count only between its members.
function runEnd(kinds, from, wanted) {
  let end = from + 1;
  for (let i = from + 1; i < kinds.length; i++) {
    const kind = kinds[i];
    if (kind === "S" || (kind === "N" && (wanted === "R" || kinds[from] === wanted))) {
      if (wanted === "D" && kind === "N") break;
      continue;
    }
    const member = wanted === "R" ? kind !== "L" : kind === kinds[from] || kind === wanted;
    if (!member) break;
    // Two numbers with more than one separator between them are two runs.
    if (kinds[from] === "D" && wanted !== "R" && i - end > 1) break;
    end = i + 1;
  }
  return end;
}
