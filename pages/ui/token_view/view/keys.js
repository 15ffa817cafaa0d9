// Moving among tokens with the keyboard, and the list of keys.

const KEYS = [
  ["← →", "token before, token after"],
  ["↑ ↓", "line above, line below"],
  ["Home End", "first token, last token"],
  ["Page Up, Page Down", "100 tokens back, forward"],
  ["Enter", "keep the card open, or let it go"],
  ["Esc", "close the card"],
  ["?", "this list"],
];

function keysDialog() {
  const dialog = make("dialog", "keys");
  const list = make("dl");
  for (const [key, words] of KEYS) {
    const line = make("div", "row");
    line.append(make("dt", "", key), make("dd", "", words));
    list.append(line);
  }
  const close = make("button", "tool", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  const title = make("h3", "", "Keys in the tokens");
  title.id = "keys-title";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title, list, close);
  return dialog;
}

// The token that a key leads to from token `at`, or null for other keys.
function tokenForKey(key, list, at, count) {
  const last = count - 1;
  const clamp = (i) => Math.max(0, Math.min(last, i));
  if (key === "ArrowRight") return clamp(at + 1);
  if (key === "ArrowLeft") return clamp(at - 1);
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "PageDown") return clamp(at + 100);
  if (key === "PageUp") return clamp(at - 100);
  if (key === "ArrowDown") return clamp(lineAway(list, at, 1));
  if (key === "ArrowUp") return clamp(lineAway(list, at, -1));
  return null;
}

// A byte cell counts as being in the line of its character, not below it.
function boxOf(element) {
  return (element?.closest(".group") ?? element)?.getBoundingClientRect();
}

// The token nearest in the next line that way; ten tokens on where none is drawn.
function lineAway(list, at, way) {
  const here = boxOf(list.element(at));
  if (!here) return at + 10 * way;
  let best = null;
  let nearest = Infinity;
  let lineTop = null;
  for (let i = at + way, steps = 0; steps < 400; i += way, steps++) {
    const box = boxOf(list.element(i));
    if (!box) break;
    if (Math.abs(box.top - here.top) < here.height * 0.6) continue;
    lineTop ??= box.top;
    if (Math.abs(box.top - lineTop) > here.height * 0.6) break;
    const away = Math.abs(box.left - here.left);
    if (away < nearest) [best, nearest] = [i, away];
  }
  return best ?? at + 10 * way;
}
