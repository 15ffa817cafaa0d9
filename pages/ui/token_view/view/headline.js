// The numbers beside a column and its self-checks.

function number(value) {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return "–";
  return value.toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 });
}

function headlineOf(column) {
  const { value = column.count, unit = "tokens", estimate, figures = [], checks = [] } = column.headline ?? {};
  const head = make("header", "headline");
  head.append(make("h3", "name", column.name));
  const big = make("p", "big");
  big.append(make("span", "value", (estimate ? "≈ " : "") + number(value)), " ", make("span", "unit", unit));
  head.append(big, checkList(checks));
  if (figures.length) head.append(figureList(figures));
  return head;
}

function figureList(figures) {
  const list = make("dl", "figures");
  for (const { label, value, estimate } of figures) {
    const line = make("div", "figure");
    line.append(make("dt", "", label), make("dd", "", (estimate ? "≈ " : "") + number(value)));
    list.append(line);
  }
  return list;
}

// A failed check comes first, large, and with its reason in the open.
function checkList(checks) {
  const list = make("ul", "checks");
  const order = (ok) => (ok === false ? 0 : ok ? 1 : 2);
  for (const { label, ok, detail } of [...checks].sort((a, b) => order(a.ok) - order(b.ok))) {
    const state = ok === false ? "failed" : ok ? "passed" : "unavailable";
    const item = make("li", `check ${state}`);
    item.dataset.check = state;
    const sign = make("span", "check-sign", { failed: "✗", passed: "✓", unavailable: "–" }[state]);
    sign.setAttribute("aria-hidden", "true");
    const words = { failed: "Check failed: ", passed: "", unavailable: "Not checked: " }[state];
    item.append(sign, make("span", "check-words", `${words}${label}`));
    if (detail && state === "passed") item.title = detail;
    else if (detail) item.append(make("span", "check-detail", detail));
    list.append(item);
  }
  if (!checks.length) list.hidden = true;
  return list;
}
