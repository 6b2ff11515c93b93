// Why a square is ruled out: the server's sentence, the pieces behind it, the line of an attack, and the chain of
// lines that run out of squares, to go through step by step.

import { address, ask, drop, superseded } from "./api.js";
import { byId, button, make } from "./draw.js";
import { drawLine } from "./lines.js";
import { capital, many, place, sentence } from "./words.js";

// The squares of a line that is named like `row 3`; of others the pieces alone are shown.
function squaresOn(line, size) {
  const [, family, number] = /^(row|column) (\d+)$/.exec(line) ?? [];
  if (!family) return [];
  return Array.from({ length: size }, (_, index) =>
    (family === "row" ? [Number(number), index + 1] : [index + 1, Number(number)]));
}

export class Why {
  #step = 0;
  #parts = null;

  constructor(into, { session, grid, say }) {
    Object.assign(this, { into, session, grid, say });
    this.nothing = [...into.childNodes];
    session.addEventListener("board", () => this.away());
  }

  // Nothing is asked, nothing is pointed out.
  away() {
    drop("why");
    this.#parts = null;
    // An element that disappears passes the focus to the board.
    if (this.into.contains(document.activeElement)) this.grid.focus();
    this.into.replaceChildren(...this.nothing);
    this.grid.light([]);
    drawLine(byId("lines"), this.session.board.size, []);
  }

  // `refused` after an attempt to place a piece. Returns true if the square is ruled out; null if there is no answer,
  // or it is no longer wanted.
  async ask(square, refused) {
    const { board, query } = this.session;
    this.away();
    this.grid.light([{ square, how: "target" }]);
    let answer;
    try {
      answer = await ask("why", address("why", query, { square: square.join(".") }));
    } catch (fault) {
      if (superseded(fault)) return null;
      this.away();
      // Of a board that the server took, it refuses to reason about what is not ruled out.
      if (fault.status === 400 && this.session.answer) return false;
      const what = refused ? `If a ${board.piece} can stand on ${place(square)}` : `Why is ${place(square)} ruled out`;
      this.session.fault(fault, what);
      return null;
    }
    // The lane was dropped with any change of the board, so this answers what is shown.
    const start = refused ? `No ${board.piece} on ${place(square)}: ` : "";
    this.say(`${start}${answer.text}`);
    this.#show(answer, board, refused);
    return true;
  }

  #show(answer, board, refused) {
    const { square, queens, chain } = answer;
    const parts = [
      make("p", { class: "verdict" }, `${place(square)}${refused ? ": not possible" : ""}`),
    ];
    const causes = queens.map((queen) => `${capital(board.piece)} on ${place(queen)}`);
    if (causes.length) {
      parts.push(make("p", { class: "soft" }, "A smallest set of pieces that rules it out:"),
        make("ul", { class: "causes" }, ...causes.map((cause) => make("li", {}, cause))));
    } else {
      parts.push(make("p", { class: "soft" }, "The board alone rules it out: no placed piece is needed."));
    }
    if (answer.attack) parts.push(make("p", { class: "soft" }, `In line: ${answer.attack.line}.`));
    if (chain?.length) parts.push(...this.#chain(answer, board));
    // For those without a key Esc.
    parts.push(make("p", {}, button("Close", () => this.away())));
    this.into.replaceChildren(...parts);
    drawLine(byId("lines"), board.size, answer.attack?.squares ?? []);
    this.#light(answer, board);
  }

  #chain(answer, board) {
    const { square, chain } = answer;
    const go = (step) => {
      this.#step = Math.max(0, Math.min(step, chain.length));
      this.#light(answer, board);
    };
    const items = [`Suppose a ${board.piece} stood on ${place(square)}.`, ...chain.map(({ text }) => sentence(text))]
      .map((text, step) => make("li", {}, button(text, () => go(step), { class: "plain" })));
    const back = button("Previous", () => go(this.#step - 1), { "aria-label": "Previous step of the chain" });
    const next = button("Next", () => go(this.#step + 1), { "aria-label": "Next step of the chain" });
    const progress = make("span", { role: "status", class: "soft" });
    this.#step = 0;
    this.#parts = { items, back, next, progress };
    return [
      make("h3", {}, "The chain"),
      make("div", { class: "stepper" }, back, next, progress),
      make("ol", { class: "chain", start: 0 }, ...items),
    ];
  }

  #light({ square, queens, chain }, board) {
    const marks = queens.map((queen) => ({ square: queen, how: "cause" }));
    marks.push({ square, how: "target" });
    if (this.#parts) {
      const { items, back, next, progress } = this.#parts;
      const step = this.#step;
      const now = chain[step - 1];
      if (now) {
        const how = now.square ? "line" : "line empty";
        marks.push(...squaresOn(now.line, board.size).map((one) => ({ square: one, how })));
      }
      chain.slice(0, step).forEach((one, index) => {
        if (one.square) marks.push({ square: one.square, how: "step", step: String(index + 1) });
      });
      items.forEach((item, index) => {
        if (index === step) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
      });
      // A button that is disabled would lose the focus.
      back.setAttribute("aria-disabled", String(step === 0));
      next.setAttribute("aria-disabled", String(step === chain.length));
      const text = now ? `Step ${step} of ${chain.length}: ${now.text}.` : many(chain.length, "step");
      if (progress.textContent !== text) progress.textContent = text;
    }
    this.grid.light(marks);
  }
}
