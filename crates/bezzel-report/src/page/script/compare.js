// Comparisons that are computed from the runs: a summary of every arm, and two arms instance by instance.
// An arm is an encoding, a solver and a numbering; a cell is an arm on an instance.
const [states, sizes] = ["state", "size"].map(column);
const MEASURES = [
  ...(data?.measured || []).map(([name, unit, factor, offset, values]) => ({ name: name + (unit && ` (${unit})`), factor, offset, values: values.split(","), isLimited: true })),
  ...["Variables", "Clauses", "Literals"].map((name, at) => ({ name, factor: 1, offset: 0, values: ROWS.map((row) => sizes.of(row)?.[at] ?? "") })),
].filter(({ values }, at) => !at || values.some(Boolean));
const ARM = [encodings, solvers, numberings];
const armOf = (row) => ARM.map(({ at }) => at[row]).join(".");
const armWords = (arm) => arm.split(".").map((at, place) => ARM[place].list[at]);
const rest = (arm) => arm.slice(arm.indexOf("."));
// For every arm its rows by the index of their instance.
const arms = new Map();
ROWS.forEach((row) => {
  const arm = armOf(row);
  if (!arms.has(arm)) arms.set(arm, new Map());
  collect(arms.get(arm), ofInstance.at[row], row);
});
const armList = [...arms.keys()];

// The value of a row: infinite without an answer; null where it is missing or left out of statistics.
const measured = ({ values, factor }, row) => (values[row] === "" ? null : values[row] * factor);
function valueOf(measure, row) {
  const state = measure.isLimited && states.of(row);
  if (state === "over") return Infinity;
  return state === "left out" ? null : measured(measure, row);
}

// Linear between the two nearest values; infinite if an infinite value has a share.
function quantile(measure, rows, share) {
  const sorted = rows.map((row) => valueOf(measure, row)).filter((value) => value !== null).sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === high ? low : low + (high - low) * (place % 1);
}

// The median of a cell for ratios: a number, and true if it is a lower bound. None with an unchecked answer.
function observation(measure, rows) {
  if (measure.isLimited && rows.some((row) => states.of(row) === "unchecked")) return null;
  const seen = rows.map((row) => [measured(measure, row), valueOf(measure, row)]).filter((pair) => !pair.includes(null));
  const most = Math.max(0, ...seen.map(([, value]) => value).filter(Number.isFinite));
  const sorted = seen.map(([least, value]) => (value === Infinity ? [Math.max(least, most), true] : [value, false])).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return high && [(low[0] + high[0]) / 2 + measure.offset, high[1]];
}

// The ratio of two arms in words over the instances with an answer, and their number: the geometric mean over families of
// those over instances.
function ratioOf(measure, one, two, answer) {
  const families = new Map();
  arms.get(one).forEach((rows, at) => {
    const others = arms.get(two)?.get(at);
    const [a, b] = others && instances[at][4] === answer && letsInstance(instances[at]) ? [observation(measure, rows), observation(measure, others)] : [];
    if (!a || !b || (a[1] && b[1])) return;
    const log = Math.log(a[0] / b[0]);
    collect(families, instances[at][3], [b[1] ? -Infinity : log, a[1] ? Infinity : log]);
  });
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logs = [...families.values()];
  const [low, high] = [0, 1].map((end) => Math.exp(mean(logs.map((pairs) => mean(pairs.map((pair) => pair[end]))))));
  const ends = [low && significant(low), high < Infinity && significant(high)];
  const words = low === high ? ends[0] : ends[0] && ends[1] ? ends.join(" to ") : ends[0] ? `≥ ${ends[0]}` : ends[1] ? `≤ ${ends[1]}` : "unknown";
  return logs.length ? [words, grouped(logs.flat().length)] : ["–", "–"];
}

const worded = (value) => (value === Infinity ? "no answer" : value == null ? "–" : value < 1000 && Number.isInteger(value) ? `${value}` : significant(value));
const choice = (name) => within(`[name=${name}]`);
const chosenOf = (name) => Number(choice(name).value);

const cellOf = (name, isWords, text, more) => make(name, isWords ? "words" : text === "–" ? "number missing" : "number", text, more);
function fill(body, words, lines) {
  body.replaceChildren();
  lines.forEach((line) => body.insertRow().append(...line.map((item, at) => (item instanceof Element ? item : cellOf("td", words.includes(at), item)))));
}

// A table with these headings, those at the places `words` of words, in a box that scrolls.
function boxed(heads, words, lines, label) {
  const table = make("table", "data");
  table.createTHead().insertRow().append(...heads.map((head, at) => cellOf("th", words.includes(at), head, { scope: "col" })));
  fill(table.createTBody(), words, lines);
  const box = make("div", "scroll", "", { tabIndex: 0, role: "region", ariaLabel: label });
  box.append(table);
  return box;
}

// Ratios need instances with one answer: the rows are those of the largest group.
function compare(given) {
  const groups = new Map();
  given.forEach((row) => collect(groups, FACTORS.Answer(row), row));
  const [answer, rows] = [...groups].sort(([, a], [, b]) => b.length - a.length)[0] || [0, []];
  const measure = MEASURES[chosenOf("measure")];
  const base = chosenOf("base");
  const byArm = new Map();
  rows.forEach((row) => collect(byArm, armOf(row), row));
  const lines = [...byArm].map(([arm, own]) => {
    const [encoding, ...words] = armWords(arm);
    const answered = own.filter((row) => /answered|unchecked/.test(states.of(row))).length;
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => worded(quantile(measure, own, share)));
    const [ratio, compared] = ratioOf(measure, arm, base + rest(arm), answer);
    return [named(encoding, lookOf(encoding)), ratio, median, ...words, compared, grouped(own.length), grouped(answered), low, high];
  });
  const heads = ["Encoding", `Ratio to ${encodings.list[base]}`, "Median", "Solver", "Numbering", "Instances", "Runs", "Answered", "Lower quartile", "Upper quartile"];
  const box = boxed(heads, [0, 3, 4], lines, "Summary");
  // A column with one value is a sentence below.
  const same = heads.flatMap((head, at) => (at > 2 && lines.length > 1 && lines.every((line) => line[at] === lines[0][at]) ? [[head, at]] : []));
  all("tr", box).forEach(({ cells }) => same.forEach(([, at]) => { cells[at].hidden = true; }));
  const stated = same.map(([head, at]) => [head, lines[0][at]].join(" ")).join("; ");
  within(".numbers").replaceChildren(box, ...(stated ? [make("p", "notes", `In all rows: ${stated}.`)] : []));
  within(".several").textContent = groups.size > 1 ? `Ratios need one answer: the table has the ${answer} instances.` : "";
  sortable(box.firstChild, "arms");
  scatter(measure);
}

// The colours of answers, as in drawn figures, and the properties in which an arm differs from another one.
const sideOf = (answer) => ({ satisfiable: "sat", unsatisfiable: "unsat" }[answer] || "unknown");
function shortOf(arm, other) {
  const others = armWords(other);
  return armWords(arm).filter((words, at) => words !== others[at]).join(", ") || armWords(arm)[0];
}

// Both axes have one logarithmic scale. A value without an answer is at the far end, a zero at the near one.
function scatter(measure) {
  const [one, two] = ["x", "y"].map((axis) => armList[chosenOf(axis)]);
  const points = [...arms.get(one)].filter(([at]) => arms.get(two).has(at) && letsInstance(instances[at]))
    .map(([at, rows]) => ({ at, x: quantile(measure, rows, 0.5), y: quantile(measure, arms.get(two).get(at), 0.5) }))
    .filter(({ x, y }) => x !== undefined && y !== undefined);
  const known = points.flatMap(({ x, y }) => [x, y]).filter((value) => value > 0 && value < Infinity).map(Math.log10);
  const low = Math.floor(Math.min(...known));
  const high = Math.max(Math.ceil(Math.max(...known)), low + 1);
  const place = (value) => (value === Infinity ? 510 : value > 0 ? 50 + (440 * (Math.log10(value) - low)) / (high - low) : 30);
  const title = `${measure.name}; instances: ${points.length}`;
  const svg = draw("svg", { viewBox: "-50 -560 620 610", role: "img", "aria-label": title });
  const text = (x, y, words, more) => svg.append(draw("text", { x, y, "text-anchor": "middle", ...more }, words));
  const grid = (d, of) => svg.append(draw("path", { d, class: of }));
  for (let power = low; known.length && power <= high; power += Math.ceil((high - low) / 8)) {
    const at = place(10 ** power);
    grid(`M${at} -20V-530M20 ${-at}H530`, "grid");
    text(at, 0, 10 ** power);
    text(12, 5 - at, 10 ** power, { "text-anchor": "end" });
  }
  // Equal values, and the factors 2 and 10.
  known.length && [[0.30103, "2×"], [1, "10×"], [0, ""]].forEach(([power, words]) => {
    const by = (440 * power) / (high - low);
    const way = `l${510 - by} ${by - 510}`;
    grid(`M${20 + by} -20${way}M20 ${-20 - by}${way}`, power ? "guide" : "diagonal");
    text(526, by - 516, words, { "text-anchor": "end", class: "aside" });
    text(506 - by, -518, words, { "text-anchor": "end", class: "aside" });
  });
  // Below the diagonal the arm of the vertical axis is faster, or has the smaller value.
  const ofLess = / time/.test(measure.name) ? "faster" : "less";
  text(26, -510, `${shortOf(one, two)} ${ofLess}`, { "text-anchor": "start", class: "aside" });
  text(526, -26, `${shortOf(two, one)} ${ofLess}`, { "text-anchor": "end", class: "aside" });
  text(275, 30, armWords(one).join(", "));
  text(0, 0, armWords(two).join(", "), { transform: "translate(-36 -275) rotate(-90)" });
  text(275, -542, title);
  const families = [...new Set(points.map(({ at }) => instances[at][3]))];
  const spots = draw("g", { class: "spots" });
  points.forEach(({ at, x, y }) => {
    const [cx, cy] = [place(x), -place(y)];
    const use = chip(families.indexOf(instances[at][3])).firstChild;
    set(use, { transform: `translate(${cx} ${cy}) scale(5)`, class: sideOf(instances[at][4]) });
    svg.append(use);
    spots.append(draw("circle", { cx, cy, r: 6 }, `instance ${instances[at][0]}: ${worded(x)} to the right, ${worded(y)} upwards`));
  });
  svg.append(spots);
  const card = make("div", "card two", "", { tabIndex: 0, role: "group", ariaLabel: title });
  card.append(svg);
  off.set(card, new Set());
  plot(card).spots.forEach((spot, at) => { spot.rows = [one, two].flatMap((arm) => arms.get(arm).get(points[at].at)); });
  const shapes = make("p", "notes");
  const sign = (shape, of, words) => {
    shapes.append(chip(shape), `${words} `);
    set(shapes.lastElementChild, { class: `chip ${of}` });
  };
  [...new Set(points.map(({ at }) => instances[at][4]))].forEach((answer) => sign(0, sideOf(answer), answer));
  if (families.length > 1) families.forEach((family, at) => sign(at, "", family));
  off.delete(within(".plotted").firstChild);
  within(".plotted").replaceChildren(card, shapes);
}

// The choices of lists. The second arm is at first another encoding under the same solver and numbering.
const armTexts = armList.map((arm) => armWords(arm).join(", "));
const second = Math.max(0, armList.findIndex((arm) => arm !== armList[0] && rest(arm) === rest(armList[0])));
const CHOICES = [["mark", ["none", ...encodings.list], 0], ["measure", MEASURES.map(({ name }) => name), 0], ["base", encodings.list, 0], ["x", armTexts, 0], ["y", armTexts, second]];
function setMark() {
  marked = chosenOf("mark") ? data.looks[chosenOf("mark") - 1] : null;
}
if (data) {
  CHOICES.forEach(([name, texts, first]) => {
    choice(name).append(...texts.map((text, at) => new Option(text, at, false, at === first)));
    on(choice(name), "change", () => { setMark(); redraw(); });
  });
  parts.push({
    write: (to) => CHOICES.forEach(([name, texts, first]) => { if (chosenOf(name) !== first) to.set(name, texts[chosenOf(name)]); }),
    read(from) {
      CHOICES.forEach(([name, texts, first]) => {
        const at = texts.indexOf(from.get(name));
        choice(name).value = at < 0 ? first : at;
      });
      setMark();
      apply();
    },
  });
}
