// The details of a cell: its instance, its runs, and for every run the command that repeats it.
const [runs, ends, verdicts, answers, commands] = ["run", "end", "verdict", "answer", "repeat"].map(column);
const dialog = within("dialog");
let openRun = null;
// The page has the beginnings of keys, all with the same number of digits.
const KEY_DIGITS = data ? data.keys.length / data.rows : 0;
const keyOfRow = (row) => data.keys.slice(KEY_DIGITS * row, KEY_DIGITS * (row + 1));
const split = (squares) => squares.split("_").filter(Boolean);

function boardOf([high, wide, , , placed, blocked]) {
  if (high * wide > 10000) return "";
  const at = (squares) => split(squares).map((text) => text.split(".").map((number) => number - 1));
  const dark = Array.from({ length: high * wide }, (_, at) => [Math.floor(at / wide), at % wide]).filter(([row, column]) => (row + column) % 2);
  const path = (squares, of) => draw("path", { d: squares.map(([row, column]) => `M${column} ${row}h1v1h-1z`).join(""), class: of });
  const queens = at(placed).map(([row, column]) => draw("circle", { cx: column + 0.5, cy: row + 0.5, r: 0.34 }));
  const words = (squares) => split(squares).map((text) => `(${text.replace(".", ", ")})`).join(", ") || "none";
  const label = `Given: ${words(placed)}. Blocked: ${words(blocked)}.`;
  return draw("svg", { viewBox: `0 0 ${wide} ${high}`, class: "instance", role: "img", "aria-label": label }, path(dark, "dark"), path(at(blocked), "blocked"), ...queens);
}

// The page of the board takes squares of sides up to `maxSide`. It is there if a server sends the report.
function link([high, wide, torus, rooks, placed, blocked]) {
  const words = [`size=${high}`, torus && "geometry=torus", rooks && "piece=rook", placed && `queens=${placed}`, blocked && `blocked=${blocked}`];
  get("a", dialog).href = `../../#${words.filter(Boolean).join("&")}`;
  return high === wide && high <= data.maxSide && isServed;
}

// The cells of one or two arms on an instance.
function showCell(cell) {
  const of = cell.split(" ");
  const at = of.pop();
  const own = [...new Set(of)];
  const rows = own.flatMap((arm) => arms.get(arm).get(Number(at)));
  const runOf = (row) => [...(own.length > 1 ? armWords(armOf(row)) : []), runs.of(row)].join(", ");
  const [, id, , family, answer, board] = instances[at];
  const repeat = (row) => {
    const command = commands.of(row);
    [".own", "pre"].forEach((part) => { get(part, dialog).hidden = !command; });
    get(".other", dialog).hidden = !!command;
    all("code", dialog).forEach((key) => { key.textContent = keyOfRow(row); });
    get("pre", dialog).textContent = command && `${command} ${keyOfRow(row)}`;
  };
  const lines = rows.map((row) => {
    const first = make("td");
    first.append(button(keyOfRow(row), "link", () => repeat(row)));
    return [first, runOf(row), ...[ends, answers, verdicts].map(({ of }) => of(row)), ...MEASURES.map((measure) => worded(measured(measure, row) ?? undefined))];
  });
  get("h2", dialog).textContent = own.map((arm) => armWords(arm).join(", ")).join("; ");
  get(".about", dialog).textContent = `${noun} ${id}; family: ${family}; ${answer}`;
  get(".drawn", dialog).replaceChildren(board ? boardOf(board) : "");
  get("a", dialog).hidden = !board || !link(board);
  get(".list", dialog).replaceChildren(boxed(["Key", "Run", "End", "Answer", "Verdict", ...MEASURES.map(({ name }) => name)], 5, lines, "Runs"));
  repeat(rows[0]);
  openRun = keyOfRow(rows[0]);
  hide();
  if (!dialog.open) dialog.showModal();
  remember();
}

// In a table with a row for each cell the name of the instance opens its details. One of them is reached by Tab, the
// others by the arrow keys.
function linkRows(table) {
  const heads = headsOf(table).map((head) => head.textContent);
  const own = heads.findIndex((head) => ruleOf(head)[0] === letsName);
  const others = ["Encoding", "Solver", "Numbering"].map((head) => heads.indexOf(head));
  if (own < 0 || others.includes(-1)) return;
  rowsOf(table).forEach(({ cells }, number) => {
    const cell = cells[own];
    const arm = others.map((place, at) => ARM[at].list.indexOf(cells[place].textContent)).join(".");
    const at = places.get(cell.textContent);
    if (!arms.get(arm)?.has(at)) return;
    const press = button(cell.textContent, "link", () => showCell(`${arm} ${at}`));
    press.tabIndex = number ? -1 : 0;
    cell.replaceChildren(press);
  });
}
on(document, "keydown", (event) => {
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
      if (row !== undefined) showCell(`${armOf(row)} ${ofInstance.at[row]}`);
      else dialog.close();
    },
  });
  all("main table.data").forEach(linkRows);
  on(document, "built", ({ target }) => { linkRows(target); filterTable(target); });
  apply();
}
