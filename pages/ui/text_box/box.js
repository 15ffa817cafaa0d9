// A live text area: sends what is typed after a pause, what is pasted at once.

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const encoder = new TextEncoder();
// A text area lays out all of its text at every change: seconds for 1 MB. A text longer
// than LONG is kept whole here, and the area shows its beginning, for reading only.
const LONG = 100_000;
const HEAD = 8_000;

function codePoints(text) {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

const byteLength = (text) => encoder.encode(text).length;

// The beginning of a text, not cut inside a surrogate pair.
function headOf(text) {
  const end = (text.charCodeAt(HEAD) & 0xfc00) === 0xdc00 ? HEAD - 1 : HEAD;
  return text.slice(0, end);
}

function sizeWords(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}

// How long the server may take to begin with an edit, and how long a link waits for it.
const ON_ITS_WAY_MS = 1000;
const HEAD_START_MS = 200;

let boxes = 0;
// Edits are numbered, over all boxes and later visits too.
let edits = Date.now();

// What the boxes had when they were last seen. Who leaves a part of the page and is back before
// the server has drawn the other gets a new box with the data of the old one.
const left = new Map();

// The newest edit that may still be on its way, of whichever box.
let last = null;

// Who goes to another page takes no state along, but an event that has not been looked at yet.
// While the server looks at it, a message that comes at once would push it aside. No box listens
// for this itself: one in a popover is gone as soon as the link outside is pressed.
function holdLink(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!last || performance.now() - last.at > ON_ITS_WAY_MS) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  last.tell.event("event", last.edit);
  last = null;
  setTimeout(() => link.click(), HEAD_START_MS);
}
document.addEventListener("click", holdLink, true);

class TextBox {
  constructor(root) {
    const id = `text-box-${++boxes}`;
    this.label = make("label", "label");
    this.label.htmlFor = id;
    this.area = make("textarea");
    Object.assign(this.area, { id, spellcheck: false, autocomplete: "off", autocapitalize: "off", dir: "auto" });
    this.area.setAttribute("autocorrect", "off");
    this.area.setAttribute("aria-describedby", `${id}-help ${id}-notice`);
    this.help = make("p", "help");
    this.help.id = `${id}-help`;
    this.notice = make("p", "notice");
    this.notice.id = `${id}-notice`;
    this.notice.setAttribute("role", "status");
    this.count = make("span", "count");
    this.clear = make("button", "clear", "Clear");
    this.clear.type = "button";
    const foot = make("div", "foot");
    foot.append(this.help, this.clear, this.count);
    root.append(this.label, this.area, foot, this.notice);
    Object.assign(this, { root, hadCr: false, timer: 0, serial: null, lastSent: null, full: null, cleared: null });
    this.listen();
  }

  listen() {
    const { area } = this;
    area.addEventListener("input", (event) => this.onInput(event));
    area.addEventListener("paste", (event) => this.onPaste(event));
    area.addEventListener("drop", (event) => this.onPaste(event));
    area.addEventListener("blur", () => this.send());
    // Streamlit's one-letter keys would see the host element, not a text area.
    for (const name of ["keydown", "keypress", "keyup"]) {
      this.root.addEventListener(name, (event) => {
        // On the projector the page leaves it at Escape, also from here.
        if (event.key !== "Escape" || !this.data.projector) event.stopPropagation();
      });
    }
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.send(true);
      } else if (event.key === "Escape") area.blur();
      else this.onLongKey(event);
    });
    this.clear.addEventListener("click", () => this.empty());
    this.onShortcut = (event) => {
      const target = event.composedPath()[0];
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return;
      event.preventDefault();
      area.focus();
    };
    // Capturing, because the token view keeps its keys from going further up.
    document.addEventListener("keydown", this.onShortcut, true);
    // A finger leaves the area only as it is lifted; what it is put on may act at once then.
    this.onPress = () => this.send();
    document.addEventListener("pointerdown", this.onPress, true);
  }

  update(data, tell) {
    this.data = data;
    this.tell = tell;
    this.root.classList.toggle("projector", data.projector);
    this.label.textContent = data.label;
    this.area.placeholder = data.placeholder;
    this.help.textContent = data.help;
    this.area.style.height = `${data.height}px`;
    if (this.serial !== data.serial) this.setText(data);
  }

  setText({ text, serial, autofocus, box }) {
    const first = this.serial === null;
    const before = first ? left.get(box) : undefined;
    this.serial = serial;
    clearTimeout(this.timer);
    this.hadCr = false;
    this.put(before?.serial === serial ? before.text : text ?? "");
    this.sent();
    if (first && autofocus) this.area.focus({ preventScroll: true });
  }

  // All of the text, of which a long one is not in the area.
  value() {
    return this.full ?? this.area.value;
  }

  // Fills the box. Line ends become LF, as they do in the area itself.
  put(text) {
    const value = text.replace(/\r\n?/g, "\n");
    this.full = value.length > LONG ? value : null;
    this.area.value = this.full === null ? value : headOf(value);
    this.area.readOnly = this.full !== null;
    this.area.scrollTop = 0;
    this.cleared = null;
    this.showCount();
    this.sayLong();
  }

  sayLong() {
    this.notice.classList.remove("wrong");
    this.notice.textContent =
      this.full === null
        ? ""
        : `The box shows the first ${this.area.value.length.toLocaleString("en")} characters of this long text; ` +
          "all of it is used. To change it, clear the box or paste over everything.";
  }

  // The keys that still work on a long text: emptying it, and taking that back.
  onLongKey(event) {
    const all = this.area.selectionEnd - this.area.selectionStart === this.area.value.length;
    const undo = (event.ctrlKey || event.metaKey) && event.key === "z";
    if (undo && this.cleared !== null && !this.area.value) {
      event.preventDefault();
      this.put(this.cleared);
      this.send();
    } else if (this.full !== null && all && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      this.empty();
    }
  }

  onInput(event) {
    const pasted = /^insertFrom(Paste|Drop)/.test(event.inputType ?? "");
    if (!this.area.value) this.hadCr = false;
    this.cleared = null;
    this.showCount();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pasted ? 0 : this.data.pauseMs);
  }

  // Looks at pasted text before it enters the box: the browser changes line ends, and
  // far too long a text would freeze it.
  onPaste(event) {
    const text = (event.clipboardData ?? event.dataTransfer)?.getData("text/plain") ?? "";
    const { selectionStart, selectionEnd } = this.area;
    const { value } = this.area;
    if (this.full !== null) {
      event.preventDefault();
      if (!text || selectionEnd - selectionStart < value.length) {
        this.sayLong();
        return;
      }
    }
    const stays = value.length - (selectionEnd - selectionStart);
    // Three bytes at most for each UTF-16 unit: mostly this settles it without counting.
    if ((text.length + stays) * 3 > this.data.maxBytes) {
      const bytes = byteLength(text) + byteLength(value.slice(0, selectionStart)) + byteLength(value.slice(selectionEnd));
      if (bytes > this.data.maxBytes) {
        event.preventDefault();
        this.tooLong(bytes, "The pasted text was left out; the box is as it was.");
        return;
      }
    }
    this.hadCr = text.includes("\r") || (this.hadCr && stays > 0);
    const whole = value.slice(0, selectionStart) + text + value.slice(selectionEnd);
    if (this.full === null && whole.length <= LONG) return; // the area does it, with its undo
    event.preventDefault();
    this.put(whole);
    this.send();
  }

  send(again = false) {
    clearTimeout(this.timer);
    const value = this.value();
    if (value === this.lastSent && !again) return;
    const bytes = value.length * 3 > this.data.maxBytes ? byteLength(value) : 0;
    if (bytes > this.data.maxBytes) {
      this.tooLong(bytes, "It stays in the box, but was not sent.");
      return;
    }
    this.sayLong();
    this.sent();
    let lone = 0;
    const text = value.replace(LONE, () => (lone++, "\ufffd"));
    const { version, eventFrom } = this.data;
    const edit = { text, version, had_cr: this.hadCr, lone_surrogates: lone, number: ++edits };
    last = { edit, tell: this.tell, at: performance.now() };
    if (text.length < eventFrom) this.tell.state("edit", edit);
    else this.tell.event("event", edit);
  }

  // The server knows what is in the box.
  sent() {
    this.lastSent = this.value();
    left.set(this.data.box, { serial: this.serial, text: this.lastSent });
  }

  tooLong(bytes, words) {
    this.notice.classList.add("wrong");
    this.notice.textContent =
      `This text has ${sizeWords(bytes)}; the box takes up to ${sizeWords(this.data.maxBytes)}. ` +
      `${words} For a longer text, upload it as a file.`;
  }

  showCount() {
    const value = this.value();
    const count = codePoints(value);
    this.count.textContent = `${count.toLocaleString("en")} character${count === 1 ? "" : "s"}`;
    this.count.title = "Unicode code points";
    this.clear.hidden = !value;
  }

  // Through the editing commands, so that Ctrl+Z brings the text back.
  empty() {
    this.area.focus();
    if (this.full !== null) {
      const { full } = this;
      this.put("");
      this.cleared = full;
      this.send();
      return;
    }
    this.area.select();
    if (!document.execCommand("delete")) this.area.value = "";
    this.showCount();
    this.send();
  }

  stop() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onShortcut, true);
    document.removeEventListener("pointerdown", this.onPress, true);
  }
}

const instances = new WeakMap();

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  let box = instances.get(parentElement);
  if (!box) {
    const root = make("div", "text-box");
    parentElement.append(root);
    box = new TextBox(root);
    instances.set(parentElement, box);
  }
  box.update(data, { state: setStateValue, event: setTriggerValue });
  return () => {
    // Also called before the function runs again on the same element.
    setTimeout(() => {
      if (box.root.isConnected) return;
      box.stop();
      instances.delete(parentElement);
    });
  };
}
