// What a hand does to the board. Which squares are ruled out, and why, is the server's to say.

import { has, image, mirrored, turned, without } from "./link.js";
import { markOf } from "./squares.js";
import { capital, place } from "./words.js";

export class Hand {
  // Whether pressing a square blocks it.
  blocking = false;

  // `say` tells what happened without changing the board; `why` asks the server about a square, and
  // is false where that is not ruled out.
  constructor(session, { say, why }) {
    Object.assign(this, { session, say, why });
  }

  #piece(square) { return `${capital(this.session.board.piece)} on ${place(square)}`; }

  // What is known of the square, once the present board is answered.
  async #mark(square) {
    const { session } = this;
    while (!session.answer && session.asking) await session.settled;
    return markOf(session.board, session.answer, square);
  }

  async press(square) {
    if (this.blocking) {
      this.block(square);
      return;
    }
    if (has(this.session.board.queens, square)) {
      this.remove(square);
      return;
    }
    const mark = await this.#mark(square);
    if (mark === "queen") this.remove(square);
    else if (mark === "blocked") this.say(`${capital(place(square))} is blocked.`);
    else if (mark === "attacked" || mark === "dead") this.why(square, true);
    else if (mark !== "unknown" || await this.#isOpen(square)) this.#place(square);
  }

  // A square that is not known yet, or that a search left open, is asked about before it is used. On
  // a board without answer nothing is: it may have to be mended by hand.
  async #isOpen(square) {
    const { session } = this;
    const { board, answer } = session;
    if (!answer) return true;
    this.say(`Asked first whether a ${board.piece} can stand on ${place(square)}.`);
    return await this.why(square, true) === false && session.board === board;
  }

  #place(square) {
    const { board } = this.session;
    this.session.change({ ...board, queens: [...board.queens, square] }, { said: `${this.#piece(square)}.` });
  }

  remove(square) {
    const { board } = this.session;
    if (!has(board.queens, square)) {
      this.say(`No ${board.piece} on ${place(square)}.`);
      return;
    }
    const queens = without(board.queens, square);
    this.session.change({ ...board, queens }, { said: `${this.#piece(square)} taken away.` });
  }

  async ask(square) {
    const mark = await this.#mark(square);
    const known = { queen: "holds a piece", blocked: "is blocked", free: "is not ruled out", outlined: "is not ruled out" };
    if (known[mark]) this.say(`${capital(place(square))} ${known[mark]}.`);
    else if (await this.why(square, false) === false) this.say(`${capital(place(square))} ${known.free}.`);
  }

  block(square) {
    const { board } = this.session;
    if (has(board.queens, square)) {
      this.say(`${this.#piece(square)}: take it away first.`);
      return;
    }
    const was = has(board.blocked, square);
    const blocked = was ? without(board.blocked, square) : [...board.blocked, square];
    const said = `${capital(place(square))} ${was ? "is no longer blocked" : "blocked"}.`;
    this.session.change({ ...board, blocked }, { said });
  }

  clear() { this.#with({ queens: [] }, "Board cleared."); }
  unblock() { this.#with({ blocked: [] }, "No square is blocked."); }

  // Accepts what is filled in.
  accept() {
    const { board, answer } = this.session;
    if (!answer?.completion) return;
    const rest = answer.completion.filter((square) => !has(board.queens, square));
    this.#with({ queens: [...board.queens, ...rest] }, "The rest is filled in.");
  }

  mirror() { this.session.change(image(mirrored, this.session.board), { said: "Mirrored." }); }
  turn() { this.session.change(image(turned, this.session.board), { said: "Turned by 90 degrees." }); }

  // Another side has other squares: it begins empty. Another geometry keeps the board if it can.
  size(size) { this.#with({ size, queens: [], blocked: [] }, `Board of ${size} rows and columns.`); }
  rules(rules) {
    const said = `${capital(Object.values(rules)[0])}.`;
    const instead = { ...this.session.board, ...rules, queens: [] };
    this.session.change({ ...this.session.board, ...rules }, { said, instead });
  }

  #with(parts, said) { this.session.change({ ...this.session.board, ...parts }, { said }); }
}
