// The rows of the report, and one filter for tables, figures and comparisons.
const source = get("#rows");
const data = source && JSON.parse(source.textContent);
const ROWS = Array.from({ length: data ? data.rows : 0 }, (_, row) => row);
const column = (name) => {
  const [list, digits] = data?.[name] || [[], ""];
  const at = numbersOf(digits, ROWS.length);
  return { list, at, of: (row) => list[at[row]] };
};
const [encodings, solvers, numberings, ofInstance] = ["encoding", "solver", "numbering", "instance"].map(column);
const instances = ofInstance.list;
const instanceOf = (place) => (row) => ofInstance.of(row)[place];
// The properties by which rows are filtered, with the value of a row. None chosen is all.
const FACTORS = {
  Kind: instanceOf(2), Family: instanceOf(3), Solver: solvers.of, Encoding: encodings.of, Numbering: numberings.of, Answer: instanceOf(4),
};
const NAMES = Object.keys(FACTORS);
const byName = (of) => Object.fromEntries(NAMES.map((name) => [name, of(name)]));
const lists = byName((name) => [...new Set(ROWS.map(FACTORS[name]))]);
const chosen = byName(() => new Set());
const active = () => NAMES.filter((name) => chosen[name].size);
const lets = (name, value) => !chosen[name].size || chosen[name].has(value);

// The instance with a name, and what the filter does with instances and families.
const places = new Map(instances.map(([name], at) => [name, at]));
const letsInstance = ([, , kind, family, answer]) => lets("Kind", kind) && lets("Family", family) && lets("Answer", answer);
const letsName = (name) => !places.has(name) || letsInstance(instances[places.get(name)]);
const letsFamily = (family) => {
  const of = instances.filter((instance) => instance[3] === family);
  return !of.length || of.some(letsInstance);
};
// The test of a text in the column of a table with this heading, and the properties that the test covers.
const OF_ARM = ["Encoding", "Solver", "Numbering"];
const OF_INSTANCES = ["Kind", "Family", "Answer"];
function ruleOf(head) {
  if (OF_ARM.includes(head)) return [(text) => lets(head, text), [head]];
  if (["Family", "Instances"].includes(head)) return [letsFamily, OF_INSTANCES];
  return head === "Instance" ? [letsName, OF_INSTANCES] : [];
}

// A note below numbers over runs that the filter leaves out.
function note(part, names) {
  get(":scope > .why", part)?.remove();
  if (names.length) part.append(make("p", "why notes", `Over all runs: not filtered by ${names.join(", ").toLowerCase()}.`));
}

function filterTable(table) {
  const ruled = headsOf(table).map((head, at) => [at, ...(head.className === "number" ? [] : ruleOf(head.textContent))]);
  const rules = ruled.filter(([, test]) => test);
  rowsOf(table).forEach((row) => hideRow(row, "outside", rules.some(([at, test]) => !test(row.cells[at].textContent))));
  const covered = rules.flatMap(([, , names]) => names);
  note(table.closest(".scroll").parentElement, active().filter((name) => !covered.includes(name)));
}

const template = get("#parts");
if (data) {
  get("main").prepend(get(".ribbon", template.content), get(".bar", template.content));
  get("#conditions").before(get("#runs", template.content));
  get(".contents a[href$=conditions]").parentElement.before(get(".entry", template.content));
}
const within = (name) => get(`.bar ${name}, #runs ${name}`);
const plural = (name) => `${name}s`.replace("ys", "ies").toLowerCase();
const shownOf = (name) => (name === "Answer" ? `${[...chosen.Answer]} instances` : `${chosen[name].size} of ${lists[name].length} ${plural(name)}`);

// The runs that the filter leaves.
let kept = ROWS;
// Empties the panels of a figure whose instances are all left out. Returns the properties by which the others are not filtered.
const letsRow = (row) => letsInstance(instances[ofInstance.at[row]]);
function filterPanels(figure, names) {
  const of = plot(get(".card", figure));
  const panels = new Map();
  of.spots.forEach((spot) => collect(panels, spot.panel, spot));
  panels.forEach((here, panel) => {
    const rows = here.flatMap((spot) => spot.rows);
    const isGone = panel !== undefined && rows.length > 0 && !rows.some(letsRow);
    here.forEach((spot) => { spot.isGone = isGone; });
    all(`[data-p="${panel}"]`, of.svg).forEach((part) => part.classList.toggle("off", isGone));
  });
  const isMixed = ({ isGone, rows }) => !isGone && !(rows.length && rows.every(letsRow));
  return names.filter((name) => !OF_INSTANCES.includes(name) || of.spots.some(isMixed));
}
function apply() {
  const names = active();
  kept = ROWS.filter((row) => names.every((name) => chosen[name].has(FACTORS[name](row))));
  left = chosen.Encoding.size ? new Set([...chosen.Encoding].map(lookOf)) : null;
  showAllSeries();
  all("main table.data").filter((table) => !table.closest("#answer, #runs")).forEach(filterTable);
  // A filter of encodings hides the series of others. A figure without such series mixes encodings.
  const others = names.filter((name) => name !== "Encoding");
  all("main figure").filter((figure) => !figure.closest("#instances"))
    .forEach((figure) => note(figure, filterPanels(figure, get("[data-s]", figure) ? others : names)));
  all(".answer, #computed, #hypothesis").forEach((part) => note(part, names));
  get(".ribbon output").textContent = names.length ? `Shown: ${names.map(shownOf).join(", ")}; ${grouped(kept.length)} of ${grouped(data.rows)} runs` : "";
  all(".switch button").forEach((press) => { press.ariaPressed = press.textContent === (`${[...chosen.Answer]}` || "all"); });
  all(".pick").forEach((pick) => {
    const set = chosen[pick.dataset.name];
    pick.firstChild.textContent = `${pick.dataset.name}: ${[...set].join("; ") || "all"}`;
    all("input", pick).forEach((box) => { box.checked = set.has(box.value); });
  });
  compare(kept);
  tables.get("runs")?.();
}
const redraw = () => { apply(); remember(); };
const lookOf = (label) => data.looks[encodings.list.indexOf(label)];

// A switch for the answer, and one fold of boxes for each other property with several values.
if (lists.Answer.length > 1) {
  all(".switch").forEach((box) => box.append("Instances: ", ...["all", ...lists.Answer].map((value) => button(value, "", () => {
    chosen.Answer = new Set(value === "all" ? [] : [value]);
    redraw();
  }))));
}
NAMES.filter((name) => name !== "Answer" && lists[name].length > 1).forEach((name) => {
  const pick = within(".picks").appendChild(make("details", "pick"));
  pick.dataset.name = name;
  pick.append(make("summary"), ...lists[name].map((value) => {
    const line = make("label");
    const box = make("input", "", "", { type: "checkbox", value });
    on(box, "change", () => {
      chosen[name][box.checked ? "add" : "delete"](value);
      redraw();
    });
    line.append(box, value);
    return line;
  }));
});

parts.push({
  write: (to) => NAMES.forEach((name) => chosen[name].forEach((value) => to.append(name, value))),
  read: (from) => Object.assign(chosen, byName((name) => new Set(from.getAll(name).filter((value) => lists[name].includes(value))))),
});
