// Two encodings of one board: in which squares they differ, step by step, and in numbers.

import { address, ask, drop, superseded } from "./api.js";
import { byId, make } from "./draw.js";
import { fill, matching, reason } from "./encodings.js";
import { PropagationView, keepHeight } from "./propagation.js";
import { read } from "./link.js";
import { digits, many, place } from "./words.js";

const BEAT = 900;

// The effects of propagation on a square: of one encoding, and of both.
const EFFECTS = {
  out: ["rules it out", "both encodings rule it out"],
  forced: ["forces a piece there", "both encodings force a piece there"],
  open: ["does not rule it out", "neither encoding rules it out"],
};

// Boards on which encodings differ in one way or another, the clearest ones first.
const BOARDS = [
  "size=8&queens=1.3_5.4", "size=6&queens=1.1_2.4", "size=8&queens=1.1_2.5_3.8", "size=6&queens=1.2",
  "size=8&queens=1.1", "size=5&queens=1.1", "size=7&geometry=torus&queens=1.1",
];

// Encodings that differ from most others.
const OTHERS = ["binary", "order", "support", "bdd:ite"];

// The squares that the first answer rules out and the second does not.
function beyond(first, second) {
  return first.sees.flatMap((row, r) => row.flatMap((sees, c) => (sees && !second.sees[r][c] ? [[r + 1, c + 1]] : [])));
}

export class Comparison {
  #playing = false;
  #byHand = false;
  // The squares that one of the encodings rules out and the other does not.
  #differing = [];

  // `say` shows a reply below the board.
  constructor({ session, encodings, say }) {
    Object.assign(this, { session, encodings, say });
    let named = this.#names.join();
    const changed = () => {
      drop("difference");
      byId("effect").textContent = "";
      this.#draw();
    };
    this.views = [["First encoding", "first"], ["Second encoding", "second"]].map(([title, side]) =>
      new PropagationView(byId("propagation"), { session, title, side, changed, pressed: (square) => this.describe(square) }));
    this.#fill();
    byId("find-encoding").addEventListener("input", () => this.#fill());
    byId("find-encoding").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.views[0].select.focus();
    });
    byId("find-difference").addEventListener("click", () => this.#find());
    byId("others").addEventListener("click", ({ target: { value } }) => {
      if (!value) return;
      this.views[1].select.focus();
      session.look({ second: value });
    });
    const onClick = (id, step) => byId(id).addEventListener("click", () => {
      this.#stop();
      this.#go(step());
    });
    onClick("step-start", () => 0);
    onClick("step-previous", () => this.#at - 1);
    // After the end the steps begin again.
    onClick("step-next", () => (this.#isEnd ? 1 : this.#at + 1));
    onClick("step-end", () => null);
    onClick("step-difference", () => this.#stepOfDifference());
    byId("step-play").addEventListener("click", () => (this.#playing ? this.#stop() : this.#play()));
    byId("step").addEventListener("input", ({ target }) => {
      this.#stop();
      this.#go(Number(target.value));
    });
    session.addEventListener("board", () => this.#stop());
    session.addEventListener("view", () => {
      // A reply about other encodings is no reply about these.
      if (named !== this.#names.join()) say("");
      named = this.#names.join();
      // A search leaves out encodings that a link may name.
      if (this.views.some(({ select, encoding }) => select.value !== encoding)) this.#fill();
      this.#draw();
    });
    this.views.forEach((view) => view.look());
  }

  // Says in the reply what propagation does on a square under each encoding.
  describe(square) {
    const known = this.views.filter(({ answer }) => answer);
    const effects = known.map((view) => view.effect(square));
    const [first, second] = effects;
    const where = place(square);
    let reply;
    if (!first) reply = "No encoding has an answer for this board.";
    else if (first === "queen") reply = `${where} holds a ${this.session.board.piece}.`;
    else if (first === "blocked") reply = `${where} is blocked.`;
    else {
      const parts = known.map(({ answer }, index) =>
        `${answer.encoding} ${second && effects[index] === "open" ? "does not" : EFFECTS[effects[index]][0]}`);
      if (first === "open") parts.reverse();
      const words = first === second ? EFFECTS[first][1] : parts.join(", ");
      reply = `${where}${this.#isEnd ? "" : ", at the end of propagation"}: ${words}.`;
    }
    byId("effect").textContent = reply;
    this.say(reply);
  }

  // One search serves both lists.
  #fill() {
    const text = byId("find-encoding").value;
    const found = matching(this.encodings, text);
    for (const view of this.views) fill(view.select, found, view.encoding);
    byId("found-encodings").textContent = text.trim() ? `${found.length} of ${this.encodings.length} encodings` : "";
  }

  get #names() { return ["first", "second"].map((side) => this.session.view[side]); }
  get #total() { return Math.max(0, ...this.views.map(({ groups }) => groups.length)); }
  get #at() { return Math.min(this.session.view.step ?? this.#total, this.#total); }
  get #isEnd() { return this.#at === this.#total; }

  // The end of propagation is no number, so that a link shows it for any board.
  #go(step) {
    this.#byHand = true;
    this.session.look({ step: step === null || step >= this.#total ? null : Math.max(0, step) });
    this.#byHand = false;
  }

  // The first step of either view that rules out a square in which the encodings differ.
  #stepOfDifference() {
    if (!this.#differing.length) return this.session.view.step;
    return Math.min(...this.views.map((view) => view.stepOf(this.#differing)));
  }

  #stop() {
    this.#playing = false;
    byId("step-play").textContent = "Play";
  }

  async #play() {
    this.#playing = true;
    byId("step-play").textContent = "Stop";
    if (this.#isEnd) this.#go(0);
    const { board } = this.session;
    while (!this.#isEnd) {
      await new Promise((done) => { setTimeout(done, BEAT); });
      if (!this.#playing || this.session.board !== board) return;
      this.#go(this.#at + 1);
    }
    this.#stop();
  }

  #draw() {
    const answers = this.views.map(({ answer }) => answer);
    const known = answers.filter(Boolean);
    keepHeight(byId("propagation").parentElement, !known.length && this.views.some((view) => view.waits));
    const [first, second] = answers;
    const only = first && second ? [beyond(first, second), beyond(second, first)] : null;
    this.#differing = only?.flat() ?? [];
    const { step } = this.session.view;
    for (const view of this.views) view.show(step, this.#differing, this.#byHand);
    this.#drawDifference(answers, only);
    this.#drawList(answers, only);
    this.#drawSteps(known.length > 0);
    this.#drawTable(known, only);
    const looks = new Set([...byId("propagation").querySelectorAll(".glyph")].map(({ dataset }) => dataset.look));
    for (const item of byId("propagation-legend").children) {
      item.hidden = item.dataset.for === "differing" ? !this.#differing.length : !known.length || !looks.has(item.dataset.for);
    }
  }

  #drawDifference([first, second], only) {
    const text = byId("difference");
    const isSame = only && !only.flat().length;
    const isOne = first?.encoding === second?.encoding;
    const never = isSame && reason(this.encodings, [first.encoding, second.encoding]);
    let words = "";
    if (isSame && isOne) words = "Both sides show the same encoding: choose another one to compare.";
    else if (never) words = `No difference: ${never}.`;
    else if (isSame && !first.sees.flat().some(Boolean)) words = "Neither encoding rules out a square.";
    else if (isSame) words = "No difference here: both encodings rule out the same squares.";
    else if (only) {
      const one = (squares, here, there) =>
        (squares.length ? `${here.encoding} rules out ${many(squares.length, "square")} that ${there.encoding} does not.` : "");
      words = [one(only[0], first, second), one(only[1], second, first)].filter(Boolean).join(" ");
    }
    if (text.textContent !== words) text.textContent = words;
    const ruled = ({ encoding, sees }) => `${encoding} ${sees.flat().filter(Boolean).length}`;
    byId("differs").textContent = only ? `Squares ruled out: ${ruled(first)}, ${ruled(second)}` : "";
    const button = byId("find-difference");
    const isOffered = isSame && !isOne && !never;
    if (!isOffered && document.activeElement === button) this.views[0].select.focus();
    button.hidden = !isOffered;
    const ids = OTHERS.filter((id) => isSame && ![first.encoding, second.encoding].includes(id) && this.encodings.some((one) => one.id === id));
    const list = byId("others");
    if (!ids.length && list.contains(document.activeElement)) this.views[1].select.focus();
    list.replaceChildren(...(ids.length ? ["Compare with "] : []), ...ids.flatMap((id) => [make("button", { type: "button", value: id }, id), " "]));
  }

  // The squares in which the encodings differ, in words.
  #drawList(answers, only) {
    const list = byId("differing");
    const number = this.#differing.length;
    if (!number && list.contains(document.activeElement)) this.views[0].select.focus();
    list.hidden = !number;
    list.firstElementChild.textContent = `${many(number, "square")} ruled out by one encoding only`;
    const parts = (only ?? []).map((squares, index) => squares.length && make("p", { class: "soft" },
      `${answers[index].encoding} alone rules out ${squares.map(place).join(", ")}.`));
    list.lastElementChild.replaceChildren(...parts.filter(Boolean));
  }

  // The first board of the list on which the two encodings differ.
  async #find() {
    const { session } = this;
    const names = this.#names;
    for (const fragment of BOARDS) {
      const answers = [];
      try {
        for (const encoding of names) answers.push(await ask("difference", address("propagation", fragment, { encoding })));
      } catch (fault) {
        if (superseded(fault)) return;
        // Not every encoding states every board.
        if (fault.status === 400) continue;
        session.fault(fault, "A position where the encodings differ");
        return;
      }
      const [first, second] = answers;
      if (beyond(first, second).length || beyond(second, first).length) {
        const { board } = read(fragment);
        const { size, geometry, piece } = board;
        const pieces = piece === session.board.piece ? "" : `, ${piece}s`;
        session.change(board, { message: `The board is now ${size} × ${size}, ${geometry}${pieces}. Undo returns to yours.` });
        return;
      }
    }
    byId("difference").textContent = `No difference on ${BOARDS.length} other boards either.`;
  }

  #drawSteps(isKnown) {
    const at = this.#at;
    const total = this.#total;
    const steps = byId("steps");
    if (!isKnown && steps.contains(document.activeElement)) this.views[0].select.focus();
    // While answers are awaited, the steps keep their place: the views below them do not move.
    steps.hidden = !isKnown && !this.views.some(({ waits }) => waits);
    steps.classList.toggle("unknown", !isKnown);
    const slider = byId("step");
    slider.max = total;
    slider.value = at;
    slider.setAttribute("aria-valuetext", this.#isEnd ? "the end" : `step ${at} of ${total}`);
    byId("step-next").textContent = this.#isEnd ? "First step" : "Next";
    const isOff = {
      start: !at, previous: !at, next: !total, difference: !this.#differing.length, end: this.#isEnd, play: !total,
    };
    for (const [name, off] of Object.entries(isOff)) {
      byId(`step-${name}`).setAttribute("aria-disabled", String(off));
    }
  }

  // The counts of both, the difference first.
  #drawTable(answers, only) {
    const table = byId("propagation-table");
    table.hidden = !answers.length;
    if (!answers.length) return;
    const rows = [
      ["Squares that this encoding alone rules out", (_, index) => only?.[index].length],
      ["Attacked squares", ({ counts }) => counts.attacked],
      ["of these ruled out", ({ counts }) => counts.attacked_seen, "part"],
      ["Not attacked, ruled out", ({ counts }) => counts.propagated],
      ["In no solution, not ruled out", ({ counts }) => counts.diagram],
      ["Variables", ({ variables }) => variables],
      ["of these auxiliary", ({ auxiliary }) => auxiliary, "part"],
      ["Clauses", ({ clauses }) => clauses],
    ].map(([name, of, part = null]) => [name, answers.map(of), part]);
    // A row without any number, as without a list of solutions, says nothing.
    const isKnown = ([, values]) => values.some((value) => value !== null && value !== undefined);
    table.replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Unit propagation, and sizes"),
        ...answers.map(({ encoding }) => make("th", { scope: "col", class: "number" }, encoding)))),
      make("tbody", {}, ...rows.filter(isKnown).map(([name, values, part]) => make("tr", { class: part }, make("th", { scope: "row" }, name),
        ...values.map((value) => make("td", { class: "number" }, digits(value ?? "not known")))))),
    );
  }
}
