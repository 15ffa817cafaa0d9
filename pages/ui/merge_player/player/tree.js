// The tree of a learned token: which merges made it, down to the base units.

const MOST_NODES = 160; // of one picture; deeper parts stay closed

class TreeDialog {
  constructor(jump) {
    this.jump = jump;
    this.element = make("dialog", "tree-dialog");
    this.title = make("h3", "tree-title");
    this.picture = make("div", "tree");
    const close = make("button", "tool", "Close");
    close.type = "button";
    close.addEventListener("click", () => this.element.close());
    this.element.setAttribute("aria-label", "Tree of a token");
    this.element.append(this.title, this.picture, close);
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
    this.element.addEventListener("click", (event) => this.onClick(event));
  }

  open(run, tiles, rank) {
    const id = run.merges.newIds[rank];
    this.title.textContent = `Token ${id}, made by merge ${(rank + 1).toLocaleString("en")}`;
    this.picture.replaceChildren(treeOf(run, tiles, id));
    this.element.showModal();
  }

  onClick(event) {
    const node = event.target.closest("[data-merge]");
    if (!node) return;
    this.element.close();
    this.jump(Number(node.dataset.merge));
  }
}

// Breadth first, so that a very deep tree shows its upper part.
function treeOf(run, tiles, id) {
  const top = branchOf(run, tiles, id);
  const open = [top];
  let nodes = 1;
  while (open.length && nodes < MOST_NODES) {
    const { element, rank } = open.shift();
    if (rank === undefined) continue;
    const children = [run.merges.lefts[rank], run.merges.rights[rank]].map((child) => branchOf(run, tiles, child));
    const list = make("ul");
    list.append(...children.map((child) => child.element));
    element.append(list);
    open.push(...children);
    nodes += 2;
  }
  for (const { element, rank } of open) if (rank !== undefined) element.append(make("span", "closed", "⋮"));
  const root = make("ul", "tree-root");
  root.append(top.element);
  return root;
}

function branchOf(run, tiles, id) {
  const rank = run.rankOfId.get(id);
  const element = make("li");
  const node = make(rank === undefined ? "span" : "button", "node");
  node.append(tiles.tile(id), make("small", "", rank === undefined ? `id ${id}` : `id ${id} · merge ${rank + 1}`));
  if (rank !== undefined) {
    node.type = "button";
    node.dataset.merge = rank + 1;
  }
  element.append(node);
  return { element, rank };
}
