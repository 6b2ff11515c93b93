// Latin squares and colourings: cells are filled in, and the values that are left show what unit propagation derives
// under two encodings. A cell here is a group of candidates that follow each other. The server has the rules; the page
// names a rule that filled-in cells break.

import { Refused, address, ask, superseded } from "./api.js";
import { byId, drawn, make } from "./draw.js";
import { fill, matching, reason } from "./encodings.js";
import { theme } from "./theme.js";
import { capital, many } from "./words.js";

const START = "kind=latin-square&order=4&given=1.1.1_1.2.2_1.3.3";
const ORDERS = [2, 3, 4, 5, 6, 7, 8, 9];
const COLOURS = [1, 2, 3, 4, 5, 6];
const SIDES = ["first", "second"];
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

let state = read(location.hash.slice(1));
let encodings = [];
let value = 1;
const views = {};

// The instance of a link, with the default for each part that it lacks.
function read(text) {
  const part = new URLSearchParams(text || START);
  const number = (key, otherwise, among) => (among.includes(Number(part.get(key))) ? Number(part.get(key)) : otherwise);
  const kind = part.get("kind") === "graph-colouring" ? "graph-colouring" : "latin-square";
  const graph = `${part.get("graph")} ${part.get("number")}`;
  const isGraph = [...byId("graph").options].some((option) => option.value === graph);
  const given = (part.get("given") ?? "").split("_").filter((one) => /^[\d.]+$/.test(one)).map((one) => {
    const numbers = one.split(".");
    return [numbers.slice(0, -1).join("."), Number(numbers.at(-1))];
  });
  return {
    kind, order: number("order", 4, ORDERS), graph: isGraph ? graph : "mycielski 4", colours: number("colours", 3, COLOURS),
    given: new Map(given), first: part.get("first") ?? "pairwise", second: part.get("second") ?? "binary",
  };
}

const isLatin = () => state.kind === "latin-square";
const values = () => (isLatin() ? state.order : state.colours);

function query() {
  const [graph, number] = state.graph.split(" ");
  const instance = isLatin() ? `kind=latin-square&order=${state.order}`
    : `kind=graph-colouring&graph=${graph}&number=${number}&colours=${state.colours}`;
  const given = [...state.given].sort().map(([cell, symbol]) => `${cell}.${symbol}`);
  return given.length ? `${instance}&given=${given.join("_")}` : instance;
}

function change(parts) {
  state = { ...state, ...parts };
  const named = SIDES.map((side) => `&${side}=${encodeURIComponent(state[side])}`).join("");
  history.pushState(null, "", `#${query()}${named}`);
  refresh();
}

// The cell by its number: its key in links, and its name.
function cellAt(index) {
  if (!isLatin()) return { key: `${index + 1}`, name: `Vertex ${index + 1}` };
  const [row, column] = [1 + Math.floor(index / state.order), 1 + (index % state.order)];
  return { key: `${row}.${column}`, name: `Row ${row}, column ${column}` };
}

function put(index, symbol) {
  const { key } = cellAt(index);
  const given = new Map(state.given);
  if (symbol === null || given.get(key) === symbol) given.delete(key);
  else given.set(key, symbol);
  change({ given });
}

// The first rule that the filled-in cells break, in words; null if they break none.
function broken(edges) {
  const { given } = state;
  const colour = (vertex) => given.get(String(vertex + 1));
  const edge = edges.find(([one, other]) => colour(one) && colour(one) === colour(other));
  if (edge) return `Vertices ${edge[0] + 1} and ${edge[1] + 1} are joined, and both have colour ${colour(edge[0])}`;
  for (const [part, line] of isLatin() ? ["Row", "Column"].entries() : []) {
    const seen = new Set();
    for (const [cell, symbol] of given) {
      const one = `${line} ${cell.split(".")[part]} has ${symbol}`;
      if (seen.has(one)) return `${one} twice`;
      seen.add(one);
    }
  }
  return null;
}

// One encoding's cells, as buttons.
class View {
  answer = null;
  // True if another answer is awaited.
  waits = true;
  #cells = [];
  #shape = "";

  constructor(side, title) {
    this.side = side;
    this.select = make("select", {});
    this.select.addEventListener("change", () => change({ [side]: this.select.value }));
    this.summary = make("p", { class: "soft" });
    this.cells = make("div", { class: "cells", role: "group", "aria-label": `${title}: cells` });
    this.cells.addEventListener("keydown", (event) => this.#key(event));
    byId("views").append(make("div", { class: "view" }, make("label", {}, `${title} `, this.select), this.cells, this.summary));
  }

  async look() {
    const encoding = state[this.side];
    this.answer = null;
    this.waits = Boolean(encoding);
    if (!encoding) {
      this.cells.hidden = true;
      this.summary.textContent = "";
      drawAll();
      return;
    }
    try {
      this.answer = await ask(this.side, address("instance", query(), { encoding }));
      this.cells.hidden = false;
    } catch (fault) {
      if (superseded(fault)) return;
      if (!(fault instanceof Refused)) throw fault;
      this.cells.hidden = true;
      this.summary.textContent = `${capital(fault.message)}.`;
    }
    this.waits = false;
    drawAll();
  }

  // The states of each cell's candidates.
  groups() {
    const { candidates } = this.answer;
    const size = values();
    return Array.from({ length: candidates.length / size }, (_, index) => candidates.slice(index * size, (index + 1) * size));
  }

  draw(other) {
    if (!this.answer) return;
    const groups = this.groups();
    const others = other?.answer && other.answer.candidates.length === this.answer.candidates.length ? other.groups() : null;
    this.#lay(groups.length);
    let derived = 0;
    groups.forEach((states, index) => {
      const box = this.#cells[index];
      const at = (wanted) => states.flatMap((one, symbol) => (one === wanted ? [symbol + 1] : []));
      const [given, chosen, open] = [at("given"), at("chosen"), at("open")];
      const kind = given.length ? "given" : chosen.length ? "chosen" : "open";
      derived += Number(kind === "chosen");
      const shown = kind === "given" ? given : kind === "chosen" ? chosen : open;
      box.dataset.state = kind;
      box.textContent = shown.length ? shown.join(" ") : "–";
      const words = { given: `filled in with ${given}`, chosen: `derived: ${chosen}`, open: open.length ? `left: ${open.join(", ")}` : "no value left" };
      const differs = others && states.some((one, symbol) => one !== others[index][symbol]);
      box.classList.toggle("differing", Boolean(differs));
      box.setAttribute("aria-label", `${cellAt(index).name}: ${words[kind]}${differs ? "; the encodings differ" : ""}`);
    });
    const excluded = this.answer.candidates.filter((one) => one === "excluded").length;
    this.summary.textContent = this.answer.conflict
      ? `${capital(this.answer.title)}: propagation ends in a conflict, so there is no solution.`
      : `${capital(this.answer.title)} derives ${many(derived, "cell")} and excludes ${many(excluded, "value")}.`;
  }

  #lay(number) {
    const shape = `${state.kind} ${number} ${this.answer.edges.length}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#cells = Array.from({ length: number }, (_, index) => {
      const box = make("button", { type: "button", class: "cell", tabindex: index ? -1 : 0 });
      box.addEventListener("click", () => put(index, value));
      box.addEventListener("focus", () => this.#cells.forEach((one) => one.setAttribute("tabindex", one === box ? "0" : "-1")));
      return box;
    });
    this.cells.classList.toggle("graph", !isLatin());
    this.cells.style.setProperty("--n", isLatin() ? state.order : 1);
    this.cells.replaceChildren(...(isLatin() ? [] : [this.#edges(number)]), ...this.#cells);
  }

  // The vertices on a circle, and the edges between them.
  #edges(number) {
    const angle = (index) => 2 * Math.PI * (index / number - 0.25);
    const spot = (index) => [50 + 42 * Math.cos(angle(index)), 50 + 42 * Math.sin(angle(index))];
    this.#cells.forEach((box, index) => {
      const [x, y] = spot(index);
      box.style.setProperty("--x", x.toFixed(2));
      box.style.setProperty("--y", y.toFixed(2));
    });
    const lines = this.answer.edges.map(([one, other]) => {
      const [[x1, y1], [x2, y2]] = [spot(one), spot(other)];
      return drawn("line", { x1, y1, x2, y2 });
    });
    return drawn("svg", { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, ...lines);
  }

  #key(event) {
    const index = this.#cells.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const down = isLatin() ? state.order : 1;
    const step = STEPS[event.key] ?? { ArrowUp: -down, ArrowDown: down }[event.key];
    if (step) this.#cells[index + step]?.focus();
    else if (/^[1-9]$/.test(event.key) && Number(event.key) <= values()) put(index, Number(event.key));
    else if (event.key === "Delete" || event.key === "Backspace") put(index, null);
    else return;
    event.preventDefault();
  }
}

// The rule that is broken, and the encodings whose propagation finds the contradiction; empty without one.
function contradiction(answers) {
  const finds = answers.filter(({ conflict }) => conflict);
  const rule = answers.length ? broken(answers[0].edges) : null;
  if (!rule && !finds.length) return "";
  const [first, second] = answers.map(({ encoding }) => encoding);
  let words = `${first} ${finds.length ? "finds" : "does not find"} the contradiction`;
  if (second && finds.length === 1) {
    const [found] = finds;
    words = `${found.encoding} finds the contradiction, ${found === answers[0] ? second : first} does not`;
  } else if (second) words = finds.length ? "both encodings find the contradiction" : "neither encoding finds the contradiction";
  return `${rule ?? "No solution is left"}: ${words}.`;
}

// The problem, and the number of its cells that are not filled in.
function heading(view) {
  const groups = view.groups();
  const empty = groups.filter((states) => !states.includes("given")).length;
  const name = isLatin() ? `Latin square of order ${state.order}` : capital(view.answer.name);
  return `${name}: ${empty} of ${many(groups.length, isLatin() ? "cell" : "vertex", isLatin() ? "cells" : "vertices")} ${empty === 1 ? "is" : "are"} empty`;
}

function drawAll() {
  const [first, second] = SIDES.map((side) => views[side]);
  first.draw(second);
  second.draw(first);
  const known = [first, second].filter(({ answer }) => answer);
  if (known.length) byId("name").textContent = heading(known[0]);
  let words = first.waits || second.waits ? "" : contradiction(known.map(({ answer }) => answer));
  if (!words && first.answer && second.answer) {
    const number = first.answer.candidates.filter((one, index) => one !== second.answer.candidates[index]).length;
    const isOne = first.answer.encoding === second.answer.encoding;
    if (number) words = `${many(number, "value")} differ${number === 1 ? "s" : ""} between ${first.answer.encoding} and ${second.answer.encoding}.`;
    else if (isOne) words = "Both sides show the same encoding: choose another one to compare.";
    else words = `No difference here: ${reason(encodings, [first.answer.encoding, second.answer.encoding]) || "try an example below"}.`;
  }
  if (byId("difference").textContent !== words) byId("difference").textContent = words;
}

function options(select, those, chosen) {
  select.replaceChildren(...those.map((one) => make("option", { value: one, selected: one === chosen }, String(one))));
}

function fillLists() {
  const text = byId("find-encoding").value;
  const found = matching(encodings, text);
  for (const side of SIDES) fill(views[side].select, found, state[side]);
  byId("found-encodings").textContent = text.trim() ? `${found.length} of ${encodings.length} encodings` : "";
}

function refresh() {
  byId("kind").value = state.kind;
  byId("graph").value = state.graph;
  options(byId("order"), ORDERS, state.order);
  options(byId("colours"), COLOURS, state.colours);
  for (const label of document.querySelectorAll("[data-kind]")) label.hidden = label.dataset.kind !== state.kind;
  value = Math.min(value, values());
  const legend = byId("values").firstElementChild;
  if (byId("values").children.length !== values() + 1) {
    byId("values").replaceChildren(legend, ...Array.from({ length: values() }, (_, index) => {
      const radio = make("input", { type: "radio", name: "value", value: index + 1, checked: index + 1 === value });
      radio.addEventListener("change", () => { value = index + 1; });
      return make("label", {}, radio, String(index + 1));
    }));
  }
  fillLists();
  for (const side of SIDES) views[side].look();
}

async function start() {
  views.first = new View("first", "First encoding");
  views.second = new View("second", "Second encoding");
  const wrong = (text) => {
    byId("wrong").hidden = !text;
    byId("wrong-text").textContent = text;
  };
  byId("wrong-close").addEventListener("click", () => wrong(""));
  byId("clear").addEventListener("click", () => change({ given: new Map() }));
  byId("find-encoding").addEventListener("input", fillLists);
  byId("kind").addEventListener("change", ({ target }) => change({ kind: target.value, given: new Map() }));
  byId("graph").addEventListener("change", ({ target }) => change({ graph: target.value, given: new Map() }));
  for (const key of ["order", "colours"]) {
    byId(key).addEventListener("change", ({ target }) => change({ [key]: Number(target.value), given: new Map() }));
  }
  addEventListener("popstate", () => {
    state = read(location.hash.slice(1));
    refresh();
  });
  refresh();
  try {
    const limits = await ask("limits", address("limits", ""));
    encodings = limits.encodings;
    byId("reports").hidden = limits.reports === false;
    fillLists();
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    wrong(`The limits of this server: ${fault.message}`);
  }
}

theme();
start();
