// Solutions to look at: the completions of the board by number, which can be put on the board.

import { address, ask, drop } from "./api.js";
import { Picture } from "./draw.js";
import { empty, has, write } from "./link.js";
import { capital, digits } from "./words.js";

export class Solutions {
  // The queens that are shown, or null.
  #queens = null;
  #board = empty();

  constructor(parts, { session, say }) {
    Object.assign(this, { ...parts, session, say });
    this.picture = new Picture(parts.board);
    parts.next.addEventListener("click", () => this.#by(1n));
    parts.previous.addEventListener("click", () => this.#by(-1n));
    parts.number.addEventListener("change", () => this.#by(0n));
    parts.number.addEventListener("keydown", (event) => { if (event.key === "Enter") this.#by(0n); });
    parts.put.addEventListener("click", () => this.#put());
    session.addEventListener("board", () => this.#fit());
    session.addEventListener("answer", () => this.#of());
    this.#forget();
  }

  #rules() {
    const { size, geometry, piece } = this.session.board;
    return { ...empty(size), geometry, piece };
  }

  // A solution that the present board no longer leads to is put away.
  #fit() {
    const { board } = this.session;
    const rules = write(this.#rules());
    if (rules !== write(this.#board) || !this.#leadsFrom(board)) {
      this.#forget();
    } else {
      // Its number was one among the completions of the board that was.
      drop("solution");
      this.number.value = "";
      this.#say("One of the solutions left.");
    }
    this.#of();
  }

  // True if the queens that are shown have those of the board, and none on a blocked square.
  #leadsFrom({ queens, blocked }) {
    const shown = this.#queens;
    return shown && queens.every((queen) => has(shown, queen)) && !blocked.some((square) => has(shown, square));
  }

  #forget() {
    drop("solution");
    this.#queens = null;
    this.#board = this.#rules();
    this.number.value = "";
    this.#say("Choose a number, or the next one.");
    this.#paint();
    this.#of();
  }

  #say(text) { if (this.text.textContent !== text) this.text.textContent = text; }

  // How many there are to choose from, where that is known.
  #of() {
    const total = this.session.answer?.solutions;
    this.total = total === undefined || total === null ? null : BigInt(total);
    this.of.textContent = this.total === null ? "" : `of ${digits(total)}`;
  }

  async #by(step) {
    const text = this.number.value.replace(/[,\s]/g, "");
    if (!/^\d{0,30}$/.test(text)) {
      this.#say(`${this.number.value} is no number.`);
      return;
    }
    // From no number, the next is the first, and the previous one the last.
    const total = this.total;
    const from = text ? BigInt(text) : (step < 0n && total !== null ? total + 1n : step > 0n ? 0n : 1n);
    let number = from + step;
    if (number < 1n) number = step < 0n ? total ?? 1n : 1n;
    if (total !== null && number > total) number = step > 0n ? 1n : total;
    if (total === 0n) {
      this.#say("This board has no solution.");
      return;
    }
    if (this.session.answer?.how === "search") await this.#showAny();
    else await this.#showCompletion(number);
  }

  async #showCompletion(number) {
    const { query, board } = this.session;
    let answer;
    try {
      answer = await ask("solution", address("solution", query, { number }));
    } catch (fault) {
      this.session.fault(fault, `Solution ${number}`);
      return;
    }
    this.number.value = String(number);
    const rest = answer.queens.filter((queen) => !has(board.queens, queen));
    this.#show([...board.queens, ...rest], `Completion ${digits(number)} of ${digits(answer.of)}, in reading order`);
  }

  // Where solutions are not counted, and so have no numbers, a solver finds one.
  async #showAny() {
    const { query } = this.session;
    this.#say("Asking the solver.");
    try {
      const { queens } = await ask("solution", address("solution", query));
      this.number.value = "";
      this.#show(queens, "A solution of a SAT solver, since solutions are not counted here");
    } catch (fault) {
      if (fault.status === 400) this.#say(`${capital(fault.message)}.`);
      else {
        if (fault.status !== undefined) this.#say("No answer.");
        this.session.fault(fault, "A solution");
      }
    }
  }

  #show(queens, title) {
    this.#queens = queens;
    this.#board = this.#rules();
    this.#paint();
    this.#say(`${title}.`);
  }

  #paint() {
    const queens = this.#queens;
    this.board.hidden = !queens;
    // A button that becomes disabled passes the focus on.
    if (!queens && document.activeElement === this.put) this.next.focus();
    this.put.disabled = !queens;
    if (!queens) return;
    const sorted = [...queens].sort(([row], [other]) => row - other);
    this.picture.paint(this.#board, (row, column) => (has(queens, [row, column]) ? "queen" : "free"), {
      label: `A solution; columns of the rows: ${sorted.map(([, column]) => column).join(", ")}`,
    });
  }

  #put() {
    const queens = this.#queens;
    this.session.change({ ...this.session.board, queens }, { message: "The solution is on the board." });
  }
}
