// Copies and downloads, made in the browser from what was sent.

function tokenRows(column) {
  const kinds = ["ordinary", "control", "added", "unknown", "dropped"];
  let end = 0;
  let tokens = 0;
  return Array.from({ length: column.count }, (_, i) => {
    const bytes = bytesOf(column, i);
    return {
      position: isDropped(column, i) ? null : tokens++,
      id: idOf(column, i),
      kind: kinds[kindOf(column, i)],
      rank: column.ranks.get(column.ids[i]) ?? null,
      start_byte: end,
      end_byte: (end += bytes.length),
      bytes: hexBytes(bytes),
      text: decoder.decode(bytes),
    };
  });
}

// A spreadsheet runs a cell that starts with one of these; a quote before it stops that.
function csvCell(value) {
  const text = value === null ? "" : String(value);
  const safe = /^\s*[=+\-@\t\r]|^[\t\r\n]/.test(text) && typeof value === "string" ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function csvOf(column) {
  const fields = ["position", "id", "kind", "rank", "start_byte", "end_byte", "bytes", "text"];
  const lines = tokenRows(column).map((cells) => fields.map((field) => csvCell(cells[field])).join(","));
  return `\ufeff${fields.join(",")}\r\n${lines.join("\r\n")}\r\n`;
}

function idsJson(column) {
  const written = Array.from(column.ids, (id) => (id === NO_ID ? "null" : id));
  return `[${written.filter((_, i) => !isDropped(column, i)).join(", ")}]`;
}

function jsonOf(column) {
  return JSON.stringify({ tokenizer: column.name, tokens: tokensBefore(column, column.count), rows: tokenRows(column) }, null, 1);
}

function download(name, type, content) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(text, root) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard over plain HTTP in a classroom: the old way still works there.
    const area = make("textarea", "offscreen");
    area.value = text;
    root.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function toolButtons(column, root, say) {
  const bar = make("div", "tools");
  const file = column.name.replace(/[^\w.-]+/g, "_") || "tokens";
  const add = (name, words, act) => {
    const button = make("button", "tool", words);
    button.type = "button";
    button.dataset.tool = name;
    button.addEventListener("click", async () => {
      await act();
      if (!name.startsWith("copy")) return;
      say(`${words}: done`);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = words), 1500);
    });
    bar.append(button);
  };
  add("copy-ids", "Copy ids", () => copy(idsJson(column), root));
  add("copy-text", "Copy text", () => copy(decoder.decode(column.text), root));
  add("ids", "Ids (JSON)", () => download(`${file}-ids.json`, "application/json", idsJson(column)));
  add("json", "Tokens (JSON)", () => download(`${file}-tokens.json`, "application/json", jsonOf(column)));
  add("csv", "Tokens (CSV)", () => download(`${file}-tokens.csv`, "text/csv", csvOf(column)));
  return bar;
}
