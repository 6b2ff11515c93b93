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

// The order and the words that a reader chose for a table, by its name: the place of a column with the order, and the
// words. A table gets both when it is made, and again when the address changes.
const orders = new Map();
const words = new Map();
const tables = new Map();

function sortable(table, name) {
  const heads = headsOf(table);
  const rows = rowsOf(table);
  const search = rows.length < 12 ? () => {} : searchable(table, rows, name);
  const sort = () => {
    const [column, chosenOrder] = orders.get(name) || [];
    const order = heads[column] && chosenOrder;
    heads.forEach((head, at) => { head.ariaSort = at === column ? order : null; });
    const numeric = heads[column]?.classList.contains("number");
    const sign = order === "descending" ? -1 : 1;
    const keyed = rows.map((row, index) => ({ row, index, key: order && keyOf(row.cells[column], numeric) }));
    if (order) {
      keyed.sort((a, b) => {
        if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.index - b.index;
        const way = numeric ? Math.sign(a.key - b.key) || 0 : WORDS.compare(a.key, b.key);
        return sign * way || a.index - b.index;
      });
    }
    table.tBodies[0].append(...keyed.map(({ row }) => row));
  };
  if (rows.length > 1) heads.forEach((head, column) => {
    const press = button("", "", () => {
      const next = { ascending: "descending", descending: null }[head.ariaSort];
      if (next === null) orders.delete(name);
      else orders.set(name, [column, next || "ascending"]);
      sort();
      remember();
    });
    press.append(...head.childNodes);
    head.append(press);
  });
  tables.set(name, () => {
    if (orders.has(name) || heads.some((head) => head.ariaSort)) sort();
    search();
  });
  tables.get(name)();
}

// A row is shown if no filter hides it: the words of its table, or the filter of the page.
function hideRow(row, by, is) {
  row.classList.toggle(by, is);
  row.hidden = !!row.className;
}

// Shows the rows that have all the words; the function does it again.
function searchable(table, rows, name) {
  const label = make("label", "filter", "Rows with ");
  const input = label.appendChild(make("input", "", "", { type: "search", placeholder: "any words" }));
  const found = label.appendChild(make("output"));
  let texts = null;
  const search = () => {
    const text = words.get(name) || "";
    input.value = text;
    if (!text && !texts) return;
    texts ||= rows.map((row) => row.textContent.toLowerCase());
    const all = text.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    rows.forEach((row, index) => {
      const is = all.every((word) => texts[index].includes(word));
      hideRow(row, "wordless", !is);
      number += is;
    });
    found.textContent = all.length ? `${number} of ${rows.length}` : "";
  };
  on(input, "input", () => {
    words.set(name, input.value);
    search();
    remember();
  });
  table.parentElement.before(label);
  return search;
}

// A cell as the page writes it.
function chip(look) {
  const use = draw("use", { href: `#marker-${look % all(".marks > path").length}` });
  return draw("svg", { class: `chip s${look}`, viewBox: "-1.5 -1.5 3 3", "aria-hidden": "true" }, use);
}

function named(text, look) {
  const cell = make("th", "", text, { scope: "row" });
  cell.prepend(chip(look));
  return cell;
}

all("table.data").forEach((table, at) => sortable(table, `t${at}`));
