// A text of one's own, cut by the tokenizer as it stands at the step that is shown.

class Trial {
  constructor(run, tiles) {
    Object.assign(this, { run, tiles, key: "" });
    this.element = make("section", "trial");
    this.element.setAttribute("aria-label", "Try it");
    this.row = make("div", "trial-row");
    this.count = make("span", "trial-count");
    const title = make("h3", "panel-title", "Try it");
    title.append(" ", this.count);
    this.element.append(title, this.row);
  }

  // Another text has come.
  renew() {
    this.key = "";
  }

  show(step) {
    const { trial, trialCut } = this.run;
    this.element.hidden = !trial.units.length;
    if (this.element.hidden) return;
    if (!this.key) this.reserve();
    const { pieces, ids } = trial.at(step, trialCut);
    const count = pieces[trial.starts.length - 1];
    const key = ids.subarray(0, count).join();
    if (key === this.key) return;
    this.key = key;
    this.count.textContent = `${count.toLocaleString("en")} ${count === 1 ? "token" : "tokens"}`;
    this.count.dataset.trialCount = count;
    this.row.replaceChildren(...this.drawn(pieces, ids));
  }

  // Merging only makes the text shorter: with the height that it has at first, what stands
  // below does not move while it is played.
  reserve() {
    const { pieces, ids } = this.run.trial.at(0, this.run.trialCut);
    this.row.style.minHeight = "";
    this.row.replaceChildren(...this.drawn(pieces, ids));
    const em = parseFloat(getComputedStyle(this.row).fontSize);
    this.row.style.minHeight = `${this.row.offsetHeight / em}em`;
  }

  drawn(pieces, ids) {
    const drawn = [];
    for (let piece = 0; piece + 1 < pieces.length; piece++) {
      const box = make("span", "trial-piece");
      for (let t = pieces[piece]; t < pieces[piece + 1]; t++) {
        const tile = this.tiles.tile(ids[t]);
        tile.dataset.trialTile = t;
        tile.title ||= `id ${ids[t]}`;
        box.append(tile);
      }
      drawn.push(box);
    }
    return drawn;
  }
}
