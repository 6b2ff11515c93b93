// Tables. A value without an answer is larger than every number; a missing one is last in both orders. A bound and a
// number in parentheses are compared by their number.
const WORDS = new Intl.Collator("en", { numeric: true });
function keyOf(cell, numeric) {
  if (cell.classList.contains("missing")) return null;
  if (!numeric) return cell.textContent.trim();
  const number = Number(cell.dataset.v || cell.textContent.replace(/^\(?[≥≤] |[,+()]/g, "").replace("−", "-"));
  return Number.isNaN(number) ? null : number;
}

const rowsOf = (table) => [...table.tBodies[0].rows];
const headsOf = (table) => [...table.tHead.rows[0].cells];

function sortable(table) {
  const heads = headsOf(table);
  const rows = rowsOf(table);
  if (rows.length >= 12) searchable(table, rows);
  if (rows.length < 2) return;
  heads.forEach((head, column) => {
    const press = button("", "", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" };
      const order = next[head.ariaSort || "none"];
      heads.forEach((other) => { other.ariaSort = null; });
      if (order !== "none") head.ariaSort = order;
      const numeric = head.classList.contains("number");
      const sign = order === "descending" ? -1 : 1;
      const keyed = rows.map((row, index) => ({ row, index, key: keyOf(row.cells[column], numeric) }));
      if (order !== "none") {
        keyed.sort((a, b) => {
          if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.index - b.index;
          const way = numeric ? Math.sign(a.key - b.key) || 0 : WORDS.compare(a.key, b.key);
          return sign * way || a.index - b.index;
        });
      }
      table.tBodies[0].append(...keyed.map(({ row }) => row));
    });
    press.append(...head.childNodes);
    head.append(press);
  });
}

// A row is shown if no filter hides it: the words of its table, or the filter of the page.
const hidden = new WeakMap();
function hideRow(row, by, is) {
  if (!hidden.has(row)) hidden.set(row, new Set());
  const reasons = hidden.get(row);
  reasons[is ? "add" : "delete"](by);
  row.hidden = reasons.size > 0;
}

// Rows that hold all the words.
function searchable(table, rows) {
  const label = make("label", "filter", "Rows with ");
  const input = label.appendChild(make("input", "", "", { type: "search", placeholder: "any words" }));
  const found = label.appendChild(make("output"));
  let texts = null;
  on(input, "input", () => {
    texts ||= rows.map((row) => row.textContent.toLowerCase());
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    rows.forEach((row, index) => {
      const is = words.every((word) => texts[index].includes(word));
      hideRow(row, "words", !is);
      number += is;
    });
    found.textContent = words.length ? `${number} of ${rows.length}` : "";
  });
  table.parentElement.before(label);
}

// A cell as the page writes it.
function chip(look) {
  const use = draw("use", { href: `#marker-${look % all(".marks > path").length}` });
  return draw("svg", { class: `chip s${look}`, viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" }, use);
}

function named(text, look) {
  const cell = make("th", "", text, { scope: "row" });
  if (look !== null) cell.prepend(chip(look));
  return cell;
}

// The heading decides the side to which all cells of its column are aligned.
const classOf = (head, of) => [head.className, of].filter(Boolean).join(" ");

const SPECIAL = { "": ["–"], i: ["no answer", "Infinity"], o: ["open", "Infinity"] };
function numeric(kind, value, head) {
  const number = Number(value);
  const plain = { c: () => [grouped(value)], b: () => [significant(number / 1048576), value], n: () => [significant(number), value] };
  const [text, key] = SPECIAL[value] || plain[kind]();
  const cell = make("td", classOf(head, value === "" && "missing"), text);
  if (key) cell.dataset.v = key;
  return cell;
}

// The cells of a column, from the columns of a very long table.
function cellsOf([kind, values, digits], rows, head) {
  if (kind !== "w") return values.split(",").map((value) => numeric(kind, value, head));
  return numbersOf(digits, rows).map((number) => {
    const [text, look] = values[number];
    if (look !== null) return named(text, look);
    return make("td", classOf(head, text === "–" ? "missing" : text.length > 40 && "words"), text);
  });
}

// Builds a very long table when its part is unfolded first.
function build(part) {
  const source = get(":scope > script", part);
  if (!source) return;
  const { rows, columns } = JSON.parse(source.textContent);
  const table = get("table", part);
  const heads = headsOf(table);
  const cells = columns.map((column, at) => cellsOf(column, rows, heads[at]));
  const body = table.tBodies[0];
  body.replaceChildren();
  for (let row = 0; row < rows; row += 1) body.insertRow().append(...cells.map((column) => column[row]));
  get(".later", part).remove();
  source.remove();
  sortable(table);
  table.dispatchEvent(new Event("built", { bubbles: true }));
}
on(document, "toggle", ({ target }) => { if (target.open && !printing) build(target); }, true);
all("table.data").filter((table) => !get(":scope > script", table.closest("details") || table)).forEach(sortable);
