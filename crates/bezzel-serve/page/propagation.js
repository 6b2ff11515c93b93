// A view of the unit propagation of an encoding: the squares that it rules out, and those that it does
// not; and the propagation itself, clause by clause.

import { address, ask, drop, superseded } from "./api.js";
import { Picture, button, make } from "./draw.js";
import { capital, digits, many, place, places } from "./words.js";

let made = 0;

// The squares that a step rules out: one bit of a code may rule out half a row.
const ruledOut = ({ square, rules_out: out }) => out ?? (square ? [square] : []);

// The square that a step forces to hold a piece: its own variable, x(row,column), comes to hold.
function forcedBy({ gives }) {
  const [, row, column] = /^x\((\d+),(\d+)\)$/.exec(gives ?? "") ?? [];
  return row ? [Number(row), Number(column)] : null;
}

function consequence(step) {
  const out = ruledOut(step);
  if (forcedBy(step)) return `: a piece on ${place(forcedBy(step))}`;
  return out.length ? `: none on ${places(out)}` : "";
}

// While something is waited for, what stands below its place does not move.
function keepHeight(part, keeps) {
  part.style.minHeight = keeps ? `${part.offsetHeight}px` : "";
}

export class PropagationView {
  // The answer that is shown, or null.
  answer = null;
  // Whether another answer is to come.
  waits = true;
  #board = null;
  // How many steps of the propagation are shown.
  #step = 0;

  // `changed` is told when there is another answer, or none.
  constructor(into, { session, title, encodings, first, changed }) {
    made += 1;
    Object.assign(this, { session, changed, lane: `propagation ${made}` });
    const options = encodings.map(({ id, title: words }) =>
      make("option", { value: id, title: words, selected: id === first }, id));
    this.select = make("select", {}, make("option", { value: "" }, "none"), ...options);
    this.select.addEventListener("change", () => this.look());
    this.told = make("p", { class: "soft" });
    this.list = make("p", { class: "unseen" });
    const frame = make("div", { class: "small" });
    this.picture = new Picture(frame);
    this.slider = make("input", { type: "range", min: 0, max: 0, "aria-label": `Steps of propagation, ${title.toLowerCase()}` });
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    const named = (way) => ({ "aria-label": `${way} step, ${title.toLowerCase()}` });
    this.back = button("Previous", () => this.#go(this.#step - 1), named("Previous"));
    this.next = button("Next", () => this.#go(this.#step + 1), named("Next"));
    this.clause = make("div", { class: "clause", "aria-live": "off" });
    this.body = make("div", { hidden: true }, frame, this.list, this.told,
      make("div", { class: "stepper" }, this.back, this.slider, this.next), this.clause);
    this.wait = make("p", { class: "soft" });
    this.view = make("div", { class: "view" }, make("label", {}, `${title} `, this.select), this.wait, this.body);
    into.append(this.view);
    session.addEventListener("board", ({ detail }) => {
      if (detail.failed) this.#forget("No answer.", false);
      else this.#forget("Waiting for the board.");
    });
    session.addEventListener("answer", ({ detail }) => {
      if (detail.final) this.look();
      else this.#forget("Waiting for the diagram.");
    });
  }

  #forget(why, waits = true) {
    drop(this.lane);
    this.answer = null;
    this.waits = waits && this.select.value !== "";
    // What was shown stays for a moment, so that a quick answer does not make the page jump.
    clearTimeout(this.blank);
    this.blank = setTimeout(() => {
      // What goes away does not take the focus with it.
      if (this.body.contains(document.activeElement)) this.select.focus();
      keepHeight(this.view, this.waits);
      this.body.hidden = true;
      this.wait.textContent = this.select.value ? why : "";
      this.changed();
    }, this.select.value ? 120 : 0);
  }

  async look() {
    const { session } = this;
    const encoding = this.select.value;
    this.#forget("Asking.");
    if (!encoding || !session.answer || session.compiling) return;
    const { board, query } = session;
    let answer;
    try {
      answer = await ask(this.lane, address("propagation", query, { encoding }));
    } catch (fault) {
      if (superseded(fault)) return;
      // Not every encoding can say every board: the reason stands here.
      this.#forget(fault.status === 400 ? capital(fault.message) : "No answer.", false);
      if (fault.status !== 400) session.fault(fault, `Unit propagation of ${encoding}`);
      return;
    }
    clearTimeout(this.blank);
    this.answer = answer;
    this.#board = board;
    this.wait.textContent = "";
    this.body.hidden = false;
    keepHeight(this.view, false);
    this.slider.max = answer.steps.length;
    this.#go(answer.steps.length, false);
    this.#tell();
    this.changed();
  }

  // What the square looks like when the steps so far have ruled out and forced these squares. What
  // takes no step is told when all are done.
  #look(row, column, { out, forced, all }) {
    const mark = this.answer.squares[row - 1][column - 1];
    if (mark === "queen" || mark === "blocked") return mark;
    const key = `${row},${column}`;
    if (forced.has(key)) return "ghost";
    if (!all && !out.has(key)) return "free";
    return mark === "attacked" && !this.answer.sees[row - 1][column - 1] ? "missed" : mark;
  }

  // `byHand` steps are read out; what comes with every change of the board is not.
  #go(step, byHand = true) {
    if (!this.answer) return;
    this.clause.setAttribute("aria-live", byHand ? "polite" : "off");
    const { steps, title } = this.answer;
    this.#step = Math.max(0, Math.min(step, steps.length));
    const now = steps[this.#step - 1];
    const all = this.#step === steps.length;
    const done = steps.slice(0, this.#step);
    const out = new Set(done.flatMap(ruledOut).map(String));
    const forced = new Set(done.map(forcedBy).filter(Boolean).map(String));
    const here = now ? [...ruledOut(now), forcedBy(now)].filter(Boolean) : [];
    this.picture.paint(this.#board, (row, column) => this.#look(row, column, { out, forced, all }), {
      label: `The board through ${title}, after ${many(this.#step, "step")} of propagation`,
      lit: byHand ? here : [],
    });
    this.slider.value = this.#step;
    this.slider.setAttribute("aria-valuetext", `step ${this.#step} of ${steps.length}`);
    this.back.setAttribute("aria-disabled", String(this.#step === 0));
    this.next.setAttribute("aria-disabled", String(all));
    this.#say(now);
  }

  // The clause of the step: what it gives, after the literals that are false.
  #say(now) {
    const { steps, conflict, steps_left_out: out } = this.answer;
    const all = this.#step === steps.length;
    const parts = [make("p", { class: "soft" }, `Step ${this.#step} of ${digits(steps.length)}${now ? `, ${now.section}` : ""}`)];
    if (now) {
      const literals = now.clause.flatMap((literal, index) => [
        index ? " ∨ " : "", make(literal === now.gives ? "b" : "s", {}, literal),
      ]);
      parts.push(make("p", { class: "literals" }, ...(literals.length ? literals : ["the empty clause"])));
      parts.push(make("p", {}, now.gives ? `gives ${now.gives}${consequence(now)}` : "has no literal left: a conflict"));
    } else {
      parts.push(make("p", {}, steps.length ? "Nothing is propagated yet." : "There is nothing to propagate."));
    }
    if (all && out) parts.push(make("p", { class: "soft" }, `${many(digits(out), "further step")} left out.`));
    if (all && conflict) parts.push(make("p", { class: "verdict" }, "Propagation ends in a conflict: this encoding sees that no solution is left."));
    this.clause.replaceChildren(...parts);
  }

  // The marks in words, for those who do not see the picture.
  #tell() {
    const { title, counts, squares, sees } = this.answer;
    const named = { attacked: [], propagated: [], diagram: [] };
    squares.forEach((marks, row) => marks.forEach((mark, column) => {
      const missed = mark === "attacked" && !sees[row][column] ? " (not seen)" : "";
      named[mark]?.push(`${row + 1},${column + 1}${missed}`);
    }));
    const { attacked, attacked_seen: seen, propagated } = counts;
    const more = propagated ? `and rules out ${propagated} more` : "and nothing more";
    const sight = attacked ? `sees ${seen} of ${many(attacked, "attacked square")}, ${more}` : "nothing is attacked";
    this.told.textContent = `${capital(title)}: ${sight}.`;
    const only = counts.diagram === null ? "an unknown number only by the diagram" : `${counts.diagram} only by the diagram`;
    this.list.textContent = [
      `${counts.attacked} squares are ruled out by attack, ${counts.propagated} by propagation, ${only}.`,
      named.propagated.length ? `Propagated: ${named.propagated.join("; ")}.` : "",
      named.diagram.length ? `Only the diagram: ${named.diagram.join("; ")}.` : "",
      named.attacked.length ? `Attacked: ${named.attacked.join("; ")}.` : "",
    ].filter(Boolean).join(" ");
  }
}

// The counts of all that are looked at, side by side.
export function compare(table, views) {
  const answers = views.map((view) => view.answer).filter(Boolean);
  keepHeight(table.parentElement, !answers.length && views.some((view) => view.waits));
  table.hidden = !answers.length;
  if (!answers.length) return;
  const rows = [
    ["Attacked", ({ counts }) => counts.attacked],
    ["of these seen by propagation", ({ counts }) => counts.attacked_seen, "part"],
    ["Propagated, though not attacked", ({ counts }) => counts.propagated],
    ["Only the diagram", ({ counts }) => counts.diagram],
    ["Variables", ({ variables }) => variables],
    ["of these auxiliary", ({ auxiliary }) => auxiliary, "part"],
    ["Clauses", ({ clauses }) => clauses],
  ];
  const shown = (number) => (number === null || number === undefined ? "not known" : digits(number));
  table.replaceChildren(
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Squares ruled out, and sizes"),
      ...answers.map(({ encoding }) => make("th", { scope: "col", class: "number" }, encoding)))),
    make("tbody", {}, ...rows.map(([name, of, part = null]) => make("tr", { class: part }, make("th", { scope: "row" }, name),
      ...answers.map((answer) => make("td", { class: "number" }, shown(of(answer))))))),
  );
}
