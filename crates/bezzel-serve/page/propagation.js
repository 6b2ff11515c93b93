// One encoding's view of the board: the squares that its unit propagation rules out, up to a step.

import { address, ask, drop, superseded } from "./api.js";
import { Picture, make } from "./draw.js";
import { capital, digits, many, place, places, sentence } from "./words.js";

// The squares that a step rules out: one bit of a code may rule out half a row.
const ruledOut = ({ square, rules_out: out }) => out ?? (square ? [square] : []);

// The square that a step forces to hold a piece: its own variable, x(row,column), comes to hold.
export function forcedBy({ gives }) {
  const [, row, column] = /^x\((\d+),(\d+)\)$/.exec(gives ?? "") ?? [];
  return row ? [Number(row), Number(column)] : null;
}

function consequence(step) {
  const out = ruledOut(step);
  if (forcedBy(step)) return `: a piece on ${place(forcedBy(step))}`;
  return out.length ? `: none on ${places(out)}` : "";
}

// A clause with the literal that it gives after all its others are false.
export function clauseItem(step) {
  const literals = step.clause.flatMap((literal, index) => [
    index ? " ∨ " : "", make(literal === step.gives ? "b" : "s", {}, literal),
  ]);
  const result = step.gives ? ` gives ${step.gives}${consequence(step)}` : " has no literal left: a conflict";
  return make("li", {}, ...(literals.length ? literals : ["the empty clause"]), make("span", {}, result));
}

// Clauses of one constraint that follow each other are one step.
function groupsOf(steps) {
  const groups = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.section === step.section) last.steps.push(step);
    else groups.push({ section: step.section, steps: [step] });
  }
  return groups;
}

// While an answer is awaited, the parts below its place do not move.
export function keepHeight(part, keeps) {
  part.style.minHeight = keeps ? `${part.offsetHeight}px` : "";
}

// Numbers of rows or columns; of many, every fifth one fits.
const numbers = (size) => Array.from({ length: size }, (_, index) => index + 1)
  .map((number) => make("span", {}, size <= 10 || number === 1 || number % 5 === 0 ? String(number) : ""));

export class PropagationView {
  // The answer that is shown, or null, and its steps, grouped by constraint.
  answer = null;
  groups = [];
  // True if another answer is awaited.
  waits = true;
  #board = null;
  #encoding = "";

  // `side` is the key of the view that names the encoding; `changed` is called when there is another answer, or
  // none; `pressed` is called with the square of a click on the picture.
  constructor(into, { session, title, side, changed, pressed }) {
    Object.assign(this, { session, changed, side, lane: `propagation ${side}` });
    this.select = make("select", {});
    this.select.addEventListener("change", () => session.look({ [side]: this.select.value }));
    this.summary = make("p", { class: "soft" });
    this.list = make("p", { class: "unseen" });
    this.across = make("div", { class: "across", "aria-hidden": "true" });
    this.down = make("div", { class: "down", "aria-hidden": "true" });
    const frame = make("div", { class: "small numbered" }, this.across, this.down);
    this.picture = new Picture(frame, pressed);
    this.clauses = make("div", { class: "clauses", "aria-live": "off" });
    this.body = make("div", { hidden: true }, this.summary, frame, this.list, this.clauses);
    this.wait = make("p", { class: "soft" });
    this.view = make("div", { class: "view" }, make("label", {}, `${title} `, this.select), this.wait, this.body);
    into.append(this.view);
    session.addEventListener("board", ({ detail }) => {
      if (detail.failed) this.#forget("No answer.", false);
      else this.#forget("Waiting for the board.");
    });
    session.addEventListener("answer", () => this.look());
    session.addEventListener("view", () => {
      this.select.value = this.encoding;
      if (this.encoding !== this.#encoding) this.look();
    });
  }

  get encoding() { return this.session.view[this.side]; }

  #forget(why, waits = true) {
    drop(this.lane);
    this.answer = null;
    this.groups = [];
    this.waits = waits && this.encoding !== "";
    // The previous answer stays for a moment, so that a quick answer does not make the page jump.
    clearTimeout(this.blank);
    this.blank = setTimeout(() => {
      // An element that disappears passes the focus on.
      if (this.body.contains(document.activeElement)) this.select.focus();
      keepHeight(this.view, this.waits);
      this.body.hidden = true;
      this.wait.textContent = this.encoding ? why : "";
      this.changed();
    }, this.encoding ? 120 : 0);
  }

  async look() {
    const { session, encoding } = this;
    this.#encoding = encoding;
    this.#forget("Asking.");
    if (!encoding || !session.answer) return;
    const { board, query } = session;
    let answer;
    try {
      answer = await ask(this.lane, address("propagation", query, { encoding }));
    } catch (fault) {
      if (superseded(fault)) return;
      // Not every encoding states every board: the reason stands here.
      this.#forget(fault.status === 400 ? capital(fault.message) : "No answer.", false);
      if (/^unknown encoding/i.test(fault.message)) session.alsoWrong(sentence(capital(fault.message)));
      if (fault.status !== 400) session.fault(fault, `Propagation of ${encoding}`);
      return;
    }
    clearTimeout(this.blank);
    this.answer = answer;
    this.groups = groupsOf(answer.steps);
    this.#board = board;
    for (const side of [this.across, this.down]) side.replaceChildren(...numbers(board.size));
    this.wait.textContent = "";
    this.body.hidden = false;
    keepHeight(this.view, false);
    this.#summarise();
    this.changed();
  }

  // The look of the square when the steps so far have ruled out and forced these squares. A mark that needs no step
  // appears when all are done.
  #look(row, column, { out, forced, all }) {
    const mark = this.answer.squares[row - 1][column - 1];
    if (mark === "queen" || mark === "blocked") return mark;
    const key = `${row},${column}`;
    if (forced.has(key)) return "ghost";
    if (!all && !out.has(key)) return "free";
    return mark === "attacked" && !this.answer.sees[row - 1][column - 1] ? "missed" : mark;
  }

  // The effect of propagation on a square: it is `out`, `forced` or `open`. Of others it is the mark.
  effect([row, column]) {
    const { squares, sees, steps } = this.answer;
    const mark = squares[row - 1][column - 1];
    if (mark === "queen" || mark === "blocked") return mark;
    if (sees[row - 1][column - 1]) return "out";
    return steps.some((step) => String(forcedBy(step)) === `${row},${column}`) ? "forced" : "open";
  }

  // The number of the first step that rules out one of these squares; infinite if no step does.
  stepOf(squares) {
    const wanted = new Set(squares.map(String));
    const at = this.groups.findIndex(({ steps }) => steps.flatMap(ruledOut).some((square) => wanted.has(String(square))));
    return at < 0 ? Infinity : at + 1;
  }

  // Shows the groups of steps up to one of them; null shows the end. `differing` squares are framed. Steps `byHand`
  // are read out; those that come with a change of the board are not.
  show(step, differing, byHand) {
    if (!this.answer) return;
    this.clauses.setAttribute("aria-live", byHand ? "polite" : "off");
    const { groups } = this;
    const all = step === null || step >= groups.length;
    const done = (all ? groups : groups.slice(0, step)).flatMap(({ steps }) => steps);
    const now = step === null || step > groups.length ? null : groups[step - 1];
    const out = new Set(done.flatMap(ruledOut).map(String));
    const forced = new Set(done.map(forcedBy).filter(Boolean).map(String));
    const here = now ? now.steps.flatMap((one) => [...ruledOut(one), forcedBy(one)]).filter(Boolean) : [];
    const after = all ? "at the end of propagation" : `after ${many(step, "step")} of propagation`;
    this.picture.paint(this.#board, (row, column) => this.#look(row, column, { out, forced, all }), {
      label: `The board under ${this.answer.title}, ${after}`, lit: here, framed: differing,
    });
    this.#say(step, now, all);
  }

  #say(step, now, all) {
    const { conflict, steps_left_out: out } = this.answer;
    const { groups } = this;
    const parts = [];
    if (now) {
      const clauses = many(digits(now.steps.length), "clause");
      parts.push(make("p", { class: "soft" }, `Step ${step} of ${groups.length}: ${now.section}, ${clauses}`));
      // One list can be longer than its place: it scrolls, by keys too.
      parts.push(make("ol", { class: "literals", tabindex: 0, "aria-label": `Clauses of ${now.section}` },
        ...now.steps.map((one) => clauseItem(one))));
    } else if (!groups.length) {
      parts.push(make("p", { class: "soft" }, "Propagation derives nothing."));
    } else if (all) {
      parts.push(make("p", { class: "soft" }, `The end, after ${many(groups.length, "step")}.`));
    } else {
      parts.push(make("p", { class: "soft" }, "Before the first step."));
    }
    if (all && out) parts.push(make("p", { class: "soft" }, `${many(digits(out), "further clause")} left out.`));
    if (all && conflict) parts.push(make("p", { class: "verdict" }, "Propagation ends in a conflict: no solution is left."));
    this.clauses.replaceChildren(...parts);
  }

  // The marks in words, for those who do not see the picture.
  #summarise() {
    const { title, counts, squares, sees } = this.answer;
    const named = { propagated: [], diagram: [], missed: [] };
    squares.forEach((marks, row) => marks.forEach((mark, column) => {
      const look = mark === "attacked" && !sees[row][column] ? "missed" : mark;
      named[look]?.push([row + 1, column + 1]);
    }));
    const { attacked, attacked_seen: seen, propagated } = counts;
    const parts = [attacked ? `${seen} of ${many(attacked, "attacked square")}` : "no attacked square"];
    if (propagated) parts.push(`${many(propagated, "further square")}`);
    this.summary.textContent = `${capital(title)} rules out ${parts.join(" and ")}.`;
    const list = (words, those) => (those.length ? `${words}: ${those.map(place).join(", ")}.` : "");
    this.list.textContent = [
      list("Attacked and not ruled out", named.missed),
      list("Not attacked and ruled out", named.propagated),
      list("In no solution and not ruled out", named.diagram),
    ].filter(Boolean).join(" ");
  }
}
