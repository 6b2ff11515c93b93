// The lists of runs, and the details of those of a mark or a row: the instance, and for every run the command that
// repeats it.
const [runs, ends, verdicts, answers, commands] = ["run", "end", "verdict", "answer", "repeat"].map(column);
const dialog = within("dialog");
let openRun = null;
// The page has the beginnings of keys, all with the same number of digits.
const KEY_DIGITS = data ? data.keys.length / data.rows : 0;
const keyOfRow = (row) => data.keys.slice(KEY_DIGITS * row, KEY_DIGITS * (row + 1));

// A table of runs. It leaves out what all have in common, unless it is of every run.
const PLACE = [["Instance", instanceOf(0)], ...OF_ARM.map((name) => [name, FACTORS[name]])];
const OF_RUN = [["Run", runs.of], ["End", ends.of], ["Answer", answers.of], ["Verdict", verdicts.of]];
function listed(rows, press, label, isEvery) {
  const columns = [...PLACE.filter(([, of]) => isEvery || new Set(rows.map(of)).size > 1), ...OF_RUN];
  const lines = rows.map((row, at) => {
    const key = button(keyOfRow(row), "link", () => press(row));
    key.tabIndex = at && isEvery ? -1 : 0;
    const first = make("td");
    first.append(key);
    return [first, ...columns.map(([, of]) => of(row)), ...MEASURES.map((measure) => worded(measured(measure, row) ?? undefined))];
  });
  return boxed(["Key", ...columns.map(([head]) => head), ...MEASURES.map(({ name }) => name)], columns.length + 1, lines, label);
}

// Cells in rows, with lines after every box; or vertices on a circle.
function gridOf({ cells, boxes }, look) {
  const table = make("table", `cells ${look}`);
  const [high, wide] = boxes || [];
  cells.split("\n").forEach((line, row) => {
    const to = table.insertRow();
    line.split("\t").forEach((text, column) => to.append(make("td", `${row && row % high === 0 ? "below" : ""} ${column && column % wide === 0 ? "after" : ""}`, text)));
  });
  return table;
}

function graphOf({ vertices, edges }) {
  const place = (vertex) => [Math.sin, Math.cos].map((of) => (100 * of((2 * Math.PI * vertex) / vertices)).toFixed(1));
  const ends = numbersBelow(vertices, edges).map(place);
  const lines = draw("path", { d: ends.map((end, at) => (at % 2 ? "L" : "M") + end).join("") });
  const discs = Array.from({ length: vertices }, (_, vertex) => place(vertex)).map(([cx, cy]) => draw("circle", { cx, cy, r: 3 }));
  const label = `${vertices} vertices, ${ends.length / 2} edges`;
  return draw("svg", { viewBox: "-104 -104 208 208", class: "instance", role: "img", "aria-label": label }, lines, ...discs);
}

// The details of these runs, of which one is chosen.
function showRows(rows, first = rows[0]) {
  const own = [...new Set(rows.map(armOf))];
  const choose = (row) => {
    // A board has a query for the page of the board; it is empty for a board that the page does not take.
    const [, id, , family, answer, query, drawing] = instances[ofInstance.at[row]];
    const key = keyOfRow(row);
    const command = commands.of(row);
    get(".about", dialog).textContent = `${noun} ${id}; family: ${family}; ${answer}`;
    get(".drawn", dialog).replaceChildren(drawing ? ("cells" in drawing ? gridOf : graphOf)(drawing, query === null ? "" : "board") : "");
    const to = get(".to", dialog);
    to.firstChild.href = `../../#${query}`;
    to.className = `to ${query ? (isServed ? "here" : "unserved") : query === "" ? "large" : drawing ? "" : "undrawn"}`;
    [".own", "pre"].forEach((part) => { get(part, dialog).hidden = !command; });
    get(".other", dialog).hidden = !!command;
    all("code", dialog).forEach((code) => { code.textContent = key; });
    get("pre", dialog).textContent = command && `${command} ${key}`;
    all(".list .link", dialog).forEach((press) => { press.ariaCurrent = press.textContent === key || null; });
    openRun = key;
    remember();
  };
  get("h2", dialog).textContent = own.length > 2 ? `${grouped(rows.length)} runs` : own.map((arm) => armWords(arm).join(", ")).join("; ");
  get(".list", dialog).replaceChildren(listed(rows, choose, "Runs"));
  choose(first);
  hide();
  if (!dialog.open) dialog.showModal();
}
const rowsOfCell = (arm, at) => arms.get(arm)?.get(at);

// In a table with a row for each cell the name of the instance opens its details. One of them is reached by Tab, the
// others by the arrow keys.
function linkRows(table) {
  const heads = headsOf(table).map((head) => head.textContent);
  const own = heads.findIndex((head) => ruleOf(head)[0] === letsName);
  const others = OF_ARM.map((head) => heads.indexOf(head));
  if (own < 0 || others.includes(-1)) return;
  rowsOf(table).forEach(({ cells }, number) => {
    const cell = cells[own];
    const arm = others.map((place, at) => ARM[at].list.indexOf(cells[place].textContent)).join(".");
    const those = rowsOfCell(arm, places.get(cell.textContent));
    if (!those) return;
    const press = button(cell.textContent, "link", () => showRows(those));
    press.tabIndex = number ? -1 : 0;
    cell.replaceChildren(press);
  });
}
on(document, "keydown", (event) => {
  const fold = event.key === "Escape" && event.target.closest(".pick[open], .bar[open]");
  if (fold) {
    fold.open = false;
    get("summary", fold).focus();
  }
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  if (!step || !event.target.matches("main td > .link") || dialog.open) return;
  let row = event.target.closest("tr")[step];
  while (row?.hidden) row = row[step];
  const other = row?.cells[event.target.parentElement.cellIndex].querySelector(".link");
  if (!other) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  other.tabIndex = 0;
  other.focus();
});

if (data) {
  on(within(".reset"), "click", reset);
  on(get(".close", dialog), "click", () => dialog.close());
  on(dialog, "close", () => { openRun = null; remember(); });
  parts.push({
    write: (to) => { if (openRun) to.set("run", openRun); },
    read(from) {
      // A page with fewer runs may have had fewer digits when it wrote the address.
      const run = from.get("run");
      const row = run ? ROWS.find((number) => keyOfRow(number).startsWith(run)) : undefined;
      if (row !== undefined) showRows(rowsOfCell(armOf(row), ofInstance.at[row]), row);
      else dialog.close();
    },
  });
  all("main table.data").forEach(linkRows);
  // The list of every run is made when it is unfolded.
  const list = get("#every");
  on(list, "toggle", () => {
    if (!list.open || get("table", list)) return;
    const box = listed(ROWS, (row) => showRows([row]), "Every run", true);
    list.append(box);
    sortable(box.firstChild, "runs");
    filterTable(box.firstChild);
  });
  apply();
}
