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

// `orders` and `words` have the order (column index and direction) and the words of each table, by its name. `tables`
// has the function that shows a table with both. It is called after every change of either.
const orders = new Map();
const words = new Map();
const tables = new Map();

// Puts a button into each heading of a table, which changes the order.
function orderable(heads, name, show) {
  heads.forEach((head, column) => {
    const press = button("", "", () => {
      const next = { ascending: "descending", descending: null }[head.ariaSort];
      if (next === null) orders.delete(name);
      else orders.set(name, [column, next || "ascending"]);
      show();
      remember();
    });
    press.append(...head.childNodes);
    head.append(press);
  });
  tables.set(name, show);
}

// The rows of a table in its order. A key is a number or a text, and null if it is missing.
function ordered(heads, name, rows, keyOf) {
  const [column, order] = orders.get(name) || [];
  heads.forEach((head, at) => { head.ariaSort = at === column ? order : null; });
  if (!heads[column]) return rows;
  const sign = order === "descending" ? -1 : 1;
  const keyed = rows.map((row, index) => ({ row, index, key: keyOf(row, column) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.index - b.index;
    const way = typeof a.key === "number" ? Math.sign(a.key - b.key) || 0 : WORDS.compare(a.key, b.key);
    return sign * way || a.index - b.index;
  });
  return keyed.map(({ row }) => row);
}

// Puts the field for words before the box of a table. Returns a function that returns the rows with all words, and
// shows their number beside the field.
function wordField(box, name, show) {
  const label = make("label", "filter", "Rows with ");
  const input = label.appendChild(make("input", "", "", { type: "search", placeholder: "any words" }));
  const found = label.appendChild(make("output"));
  on(input, "input", () => {
    words.set(name, input.value);
    show();
    remember();
  });
  box.before(label);
  return (rows, textOf, ending = "") => {
    const text = words.get(name) || "";
    input.value = text;
    const all = text.toLowerCase().split(/\s+/).filter(Boolean);
    const having = all.length ? rows.filter((row) => all.every((word) => textOf(row).includes(word))) : rows;
    found.textContent = all.length || ending ? `${grouped(having.length)} of ${grouped(rows.length)}${ending}` : "";
    return having;
  };
}

function sortable(table, name) {
  const heads = headsOf(table);
  const rows = rowsOf(table);
  const isNumber = heads.map((head) => head.classList.contains("number"));
  const texts = new Map();
  const textOf = (row) => texts.get(row) || texts.set(row, row.textContent.toLowerCase()).get(row);
  const show = () => {
    table.tBodies[0].append(...ordered(heads, name, rows, ({ cells }, column) => keyOf(cells[column], isNumber[column])));
    if (!choose) return;
    const having = new Set(choose(rows, textOf));
    rows.forEach((row) => hideRow(row, "wordless", !having.has(row)));
  };
  const choose = rows.length >= 12 && wordField(table.parentElement, name, show);
  if (rows.length > 1) orderable(heads, name, show);
  if (orders.has(name) || words.has(name)) show();
}

// A row is shown if no filter hides it: the words of its table, or the filter of the page.
function hideRow(row, by, is) {
  row.classList.toggle(by, is);
  row.hidden = !!row.className;
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

// A section has at most one table, which has its name.
all("table.data").forEach((table) => sortable(table, table.closest("[id]").id));
