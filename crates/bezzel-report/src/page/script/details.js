// The lists of runs, and the details of those of a mark or a cell: for every run the command that repeats it.
const [runs, ends, verdicts, answers, commands] = ["run", "end", "verdict", "answer", "repeat"].map(column);
const dialog = within("dialog");
const every = get("#every");
let openRun = null;
// The page has the beginnings of keys, all with the same number of digits.
const KEY_DIGITS = data ? data.keys.length / data.rows : 0;
const keyOfRow = (row) => data.keys.slice(KEY_DIGITS * row, KEY_DIGITS * (row + 1));

// The columns of lists of runs: headings, functions from rows to words, and functions from rows to keys of the order. The
// value of a run without an answer is a bound.
const COLUMNS = [
  ["Key", keyOfRow], ["Instance", instanceOf(0)], ...OF_ARM.map((name) => [name, FACTORS[name]]),
  ["Run", runs.of], ["End", ends.of], ["Answer", answers.of], ["Verdict", verdicts.of],
  ...MEASURES.map((measure) => [measure.name, (row) => (measured(measure, row) !== null && valueOf(measure, row) === Infinity ? "≥ " : "") + worded(measured(measure, row)), (row) => valueOf(measure, row)]),
];
const lineOf = (columns, press) => (row, index) => columns.map(([, of], at) => {
  const value = of(row);
  if (at) return value;
  const key = button(value, "link", () => press(row));
  key.tabIndex = index ? -1 : 0;
  const cell = make("td");
  cell.append(key);
  return cell;
});
// A list of runs without columns of words that are the same for all of them, apart from the last three of words.
function listed(rows, press, label) {
  const last = COLUMNS.length - MEASURES.length - 3;
  const columns = COLUMNS.filter(([, of], at) => !at || at >= last || new Set(rows.map(of)).size > 1);
  const line = lineOf(columns, press);
  const number = [...columns.keys()].slice(0, columns.length - MEASURES.length);
  const box = boxed(columns.map(([head]) => head), number, [], label);
  const body = box.firstChild.tBodies[0];
  return [box, columns, (shown) => fill(body, number, shown.slice(0, MAX_ROWS).map(line))];
}

// The list of the runs that the filter leaves. It shows at most `MAX_ROWS` rows, since browsers lay out longer tables
// slowly.
const MAX_ROWS = 200;
const SHOWN = ` runs; at most ${MAX_ROWS} are shown`;
function makeEvery() {
  const [box, columns, list] = listed(ROWS, showRun, "Every run");
  const heads = headsOf(box.firstChild);
  const texts = ROWS.map((row) => columns.slice(1, -MEASURES.length).map(([, of]) => of(row)).join(" ").toLowerCase());
  const show = () => list(ordered(heads, "runs", choose(kept, (row) => texts[row], SHOWN), (row, column) => columns[column].at(-1)(row)));
  every.append(box);
  const choose = wordField(box, "runs", show);
  orderable(heads, "runs", show);
  show();
}

// The details of these runs, of which one is chosen.
function showRows(rows, first = rows[0]) {
  const own = [...new Set(rows.map(armOf))];
  const choose = (row) => {
    // An instance whose kind has a page has the fragment (the part after `#`) of its address there. The fragment is empty
    // if that page does not accept the instance.
    const [, id, , family, answer, fragment] = instances[ofInstance.at[row]];
    const key = keyOfRow(row);
    get(".about", dialog).textContent = `instance ${id}; family: ${family}; ${answer}`;
    const to = get(".to", dialog);
    to.firstChild.href = `../../#${fragment}`;
    to.className = `to ${fragment ? (isServed ? "here" : "unserved") : fragment === "" ? "large" : ""}`;
    all("code", dialog).forEach((code) => { code.textContent = key; });
    get("pre", dialog).textContent = `${commands.of(row)} ${key}`;
    all(".list .link", dialog).forEach((press) => { press.ariaCurrent = press.textContent === key || null; });
    openRun = key;
    remember();
  };
  get("h2", dialog).textContent = own.length > 2 || rows.length > MAX_ROWS ? grouped(rows.length) + SHOWN : own.map((arm) => armWords(arm).join(", ")).join("; ");
  const [box, , list] = listed(rows, choose, "Runs");
  list(rows);
  get(".list", dialog).replaceChildren(box);
  sortable(box.firstChild, "list");
  choose(first);
  hide();
  if (!dialog.open) dialog.showModal();
  get("[aria-current]", dialog).scrollIntoView({ block: "nearest" });
}
const showRun = (row) => showRows(arms.get(armOf(row)).get(ofInstance.at[row]), row);

// One run of a list is reached by Tab, the others by the arrow keys.
on(document, "keydown", (event) => {
  const fold = event.key === "Escape" && event.target.closest(".pick[open], .bar[open]");
  if (fold) {
    fold.open = false;
    get("summary", fold).focus();
  }
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step || !event.target.matches("td > .link")) return;
  const other = event.target.closest("tr")[step]?.cells[0].firstChild;
  if (!other) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  other.tabIndex = 0;
  other.focus();
});

if (data) {
  all(".reset").forEach((press) => on(press, "click", reset));
  on(get(".close", dialog), "click", () => dialog.close());
  on(dialog, "close", () => { openRun = null; remember(); });
  parts.push({
    write: (to) => { if (openRun) to.set("run", openRun); },
    read(from) {
      // A page with fewer runs may have had fewer digits when it wrote the address.
      if (orders.has("runs") || words.has("runs")) every.open = true;
      const run = from.get("run");
      const row = run ? ROWS.find((at) => keyOfRow(at).startsWith(run)) : undefined;
      if (row !== undefined) showRun(row);
      else dialog.close();
    },
  });
  on(every, "toggle", () => { if (!tables.has("runs")) makeEvery(); });
  apply();
}
