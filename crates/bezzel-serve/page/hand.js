// Changes of the board by hand. The server decides which squares are ruled out, and why.

import { Refused, address, ask, superseded } from "./api.js";
import { has, image, mirrored, same, turned, without, write } from "./link.js";
import { markOf } from "./squares.js";
import { TORUS, capital, digits, many, place, removed, sentence } from "./words.js";

// A number from 0 below the limit, each with the same probability.
function below(limit) {
  const bits = limit.toString(2).length;
  for (;;) {
    let number = 0n;
    for (const byte of crypto.getRandomValues(new Uint8Array(Math.ceil(bits / 8)))) number = (number << 8n) | BigInt(byte);
    number &= (1n << BigInt(bits)) - 1n;
    if (number < limit) return number;
  }
}

export class Hand {
  // True if pressing a square blocks it.
  blocking = false;

  // `say` shows a reply without changing the board; `why` asks the server about a square, and is false where that
  // is not ruled out.
  constructor(session, { say, why }) {
    Object.assign(this, { session, say, why });
  }

  #piece(square) { return `${capital(this.session.board.piece)} on ${place(square)}`; }

  // The knowledge of the square, after the server has answered for the present board.
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
    else if (mark === "blocked") this.say(`${place(square)} is blocked.`);
    else if (mark === "attacked" || mark === "dead") this.why(square, true);
    else if (mark !== "unknown" || await this.#isOpen(square)) this.#place(square);
  }

  // A square that is not known yet, or that a search left open, is asked about before it is used. On
  // a board without answer nothing is: it may have to be mended by hand.
  async #isOpen(square) {
    const { session } = this;
    const { board, answer } = session;
    if (!answer) return true;
    this.say(`Asking the server if a ${board.piece} can stand on ${place(square)}.`);
    return await this.why(square, true) === false && session.board === board;
  }

  #place(square) {
    const { board } = this.session;
    this.session.change({ ...board, queens: [...board.queens, square] }, { message: `${this.#piece(square)}.` });
  }

  remove(square) {
    const { board } = this.session;
    if (!has(board.queens, square)) {
      this.say(`No ${board.piece} on ${place(square)}.`);
      return;
    }
    const queens = without(board.queens, square);
    this.session.change({ ...board, queens }, { message: `${this.#piece(square)} removed.` });
  }

  async ask(square) {
    const mark = await this.#mark(square);
    const known = { queen: "holds a piece", blocked: "is blocked", free: "is not ruled out", outlined: "is not ruled out" };
    if (known[mark]) this.say(`${place(square)} ${known[mark]}.`);
    else if (await this.why(square, false) === false) this.say(`${place(square)} ${known.free}.`);
  }

  block(square) {
    const { board } = this.session;
    if (has(board.queens, square)) {
      this.say(`${this.#piece(square)}: remove it first.`);
      return;
    }
    const was = has(board.blocked, square);
    const blocked = was ? without(board.blocked, square) : [...board.blocked, square];
    const message = `${place(square)} ${was ? "is no longer blocked" : "blocked"}.`;
    this.session.change({ ...board, blocked }, { message });
  }

  clear() { this.#with({ queens: [] }, "Board cleared."); }
  empty() { this.#with({ queens: [], blocked: [] }, "The board without its pieces and blocked squares."); }
  unblock() { this.#with({ blocked: [] }, "No square is blocked."); }

  // Adds the missing pieces of a solution: the only one, or the first that the server finds.
  async complete() {
    const { board, query, answer } = this.session;
    if (board.queens.length === board.size) {
      this.say("The board is complete.");
      return;
    }
    const known = answer?.completion ? { queens: answer.completion, of: "1" } : await this.#solution(query, "Complete");
    if (!known || this.session.board !== board) return;
    const rest = known.queens.filter((square) => !has(board.queens, square));
    const among = known.of === "1" ? "the only solution" : "one of the solutions";
    this.#with({ queens: [...board.queens, ...rest] }, `${many(rest.length, board.piece)} added, as in ${among}.`);
  }

  // Another solution of the board without its pieces: drawn where solutions are counted, else a solver's.
  async random() {
    const { session } = this;
    const { board } = session;
    const what = "Random solution";
    const query = (queens) => write({ ...board, queens });
    let found = null;
    let message = "A solution of a SAT solver; solutions do not all have the same probability.";
    if (session.answer?.how === "search") {
      // A solver finds the same solution each time, unless a piece is given.
      const column = 1 + Number(below(BigInt(board.size)));
      if (!has(board.blocked, [1, column])) found = await this.#solution(query([[1, column]]), what, true);
    }
    found ??= await this.#solution(query([]), what);
    if (found?.of) {
      const number = 1n + below(BigInt(found.of));
      found = await this.#solution(query([]), what, false, { number });
      message = `Solution ${digits(number)} of ${digits(found?.of ?? "")}; each has the same probability.`;
    }
    if (!found || session.board !== board) return;
    if (same({ ...board, queens: found.queens }, board)) this.say(`${message} It is on the board already.`);
    else this.#with({ queens: found.queens }, message);
  }

  // A solution of a board, or null after the reason is shown; `tries` leaves that out.
  async #solution(query, what, tries = false, more = {}) {
    this.say("Asking the server.");
    try {
      return await ask("complete", address("solution", query, more));
    } catch (fault) {
      if (superseded(fault)) return null;
      if (!(fault instanceof Refused)) throw fault;
      this.say("");
      if (fault.status !== 400) this.session.fault(fault, what);
      else if (!tries) this.say(sentence(capital(fault.message)));
      return null;
    }
  }

  mirror() { this.session.change(image(mirrored, this.session.board), { message: "Mirrored." }); }
  turn() { this.session.change(image(turned, this.session.board), { message: "Rotated by 90 degrees." }); }

  // Another side has other squares: it begins empty. Another geometry keeps the board if it can.
  size(size) {
    const message = `Board of ${many(size, "row")} and ${many(size, "column")}.`;
    const off = removed(this.session.board);
    this.#with({ size, queens: [], blocked: [] }, off ? `${message} ${off}` : message);
  }
  rules(rules) {
    const message = rules.geometry === "torus" ? TORUS : `${capital(Object.values(rules)[0])}.`;
    const instead = { ...this.session.board, ...rules, queens: [] };
    this.session.change({ ...this.session.board, ...rules }, { message, instead });
  }

  #with(parts, message) { this.session.change({ ...this.session.board, ...parts }, { message }); }
}
