// Why a square is ruled out: the server's sentence, the pieces behind it, the line of an attack, and the clauses from
// which unit propagation derives it.

import { address, ask, drop, superseded } from "./api.js";
import { byId, button, make } from "./draw.js";
import { drawLine } from "./lines.js";
import { has } from "./link.js";
import { clauseItem, forcedBy } from "./propagation.js";
import { capital, many, place } from "./words.js";

export class Why {
  constructor(into, { session, grid, say }) {
    Object.assign(this, { into, session, grid, say });
    this.nothing = [...into.childNodes];
    session.addEventListener("board", () => this.away());
  }

  // Nothing is asked, nothing is pointed out.
  away() {
    drop("why");
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

  #show({ square, queens, attack, clauses }, board, refused) {
    const parts = [
      make("p", { class: "verdict" }, `${place(square)}${refused ? ": not possible" : ""}`),
    ];
    const causes = queens.map((queen) => `${capital(board.piece)} on ${place(queen)}`);
    if (causes.length) {
      parts.push(make("p", { class: "soft" }, "Pieces that rule it out, none of which can be left out:"),
        make("ul", { class: "causes" }, ...causes.map((cause) => make("li", {}, cause))));
    } else {
      parts.push(make("p", { class: "soft" }, "The board alone rules it out: no placed piece is needed."));
    }
    if (attack) parts.push(make("p", { class: "soft" }, `In line: ${attack.line}.`));
    if (clauses) {
      const number = many(clauses.length, "clause");
      parts.push(
        make("p", { class: "soft" }, `With a ${board.piece} on ${place(square)}, unit propagation of ${number} ends in a conflict. No clause can be left out:`),
        make("ol", { class: "literals", tabindex: 0, "aria-label": "Clauses of the reason" }, ...clauses.map(clauseItem)),
      );
    }
    // For those without a key Esc.
    parts.push(make("p", {}, button("Close", () => this.away())));
    this.into.replaceChildren(...parts);
    drawLine(byId("lines"), board.size, attack?.squares ?? []);
    // The squares that the clauses force to hold a piece, in the order of propagation.
    const forced = (clauses ?? []).map(forcedBy).filter((one) => one && !has(queens, one));
    this.grid.light([
      ...queens.map((queen) => ({ square: queen, how: "cause" })),
      { square, how: "target" },
      ...forced.map((one, index) => ({ square: one, how: "step", step: String(index + 1) })),
    ]);
  }
}
