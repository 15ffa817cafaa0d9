// The keyboard. Keys work wherever the focus is, as long as no input or button has it.

const STEP_KEYS = [
  ["Space", "play, pause"],
  ["→", "one merge"],
  ["←", "one merge back"],
  ["Home", "before the first merge"],
  ["End", "after the last merge"],
  ["+ −", "faster, slower"],
  ["?", "this list"],
];
const TAKEN =
  "input, textarea, select, button, a, summary, [contenteditable], [role=slider], [role=radio], [role=combobox], [role=tab], [role=option], [role=checkbox], [role=switch], [role=dialog]";

function keysDialog(keys) {
  const dialog = make("dialog", "keys");
  const list = make("dl");
  for (const [key, words] of keys) {
    const line = make("div", "key-row");
    line.append(make("dt", "", key), make("dd", "", words));
    list.append(line);
  }
  const close = make("button", "tool", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  const title = make("h3", "", "Keys of the player");
  title.id = "player-keys";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title, list, close);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  return dialog;
}

class Keyboard {
  constructor(player) {
    this.player = player;
    this.outside = (event) => this.onOutside(event);
    document.addEventListener("keydown", this.outside);
    player.root.addEventListener("keydown", (event) => {
      this.onInside(event);
      event.stopPropagation(); // Streamlit has one-letter keys of its own
    });
  }

  stop() {
    document.removeEventListener("keydown", this.outside);
  }

  onOutside(event) {
    const target = event.composedPath()[0];
    if (event.defaultPrevented || target.closest?.(TAKEN)) return;
    const { top, bottom, height } = this.player.root.getBoundingClientRect();
    if (height && bottom > 0 && top < innerHeight) this.act(event);
  }

  onInside(event) {
    const target = event.composedPath()[0];
    const tag = target.localName;
    if (tag === "select" || (tag === "input" && event.key !== " " && event.key !== "?")) return;
    // A button that was reached by keyboard is pressed by space, as everywhere.
    if (tag === "button" && (event.key === " " || event.key === "Enter")) return;
    this.act(event);
  }

  act(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const player = this.player;
    const action = {
      " ": () => event.repeat || player.toggle(),
      ArrowRight: () => player.stepOn(),
      ArrowLeft: () => player.jump(player.step - 1),
      Home: () => player.jump(0),
      End: () => player.jump(player.count),
      "+": () => player.changeSpeed(1),
      "-": () => player.changeSpeed(-1),
      "?": () => player.keys.showModal(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
