// The board that is shown: the server's answer to it, its past and future, the view of it, and its address.
//
// Events: `board` when it changed and nothing is known of it yet, `answer` when something is, `view` when the
// view changed, `wrong` with words that are to be shown.

import { Refused, address, ask, superseded } from "./api.js";
import { START, empty, read, same, write, writeView } from "./link.js";
import { capital, removed, sentence } from "./words.js";

// The state of this tab, for a return from another page. Storage may be forbidden; the board of a first visit is
// then shown.
const KEPT = "bezzel-board";
function kept() {
  try { return sessionStorage.getItem(KEPT); } catch { return null; }
}

export class Session extends EventTarget {
  board = empty();
  // The two encodings, the step of propagation, and toggles.
  view = read("").view;
  // The server's answer to this very board, or null.
  answer = null;
  // Resolves at the first answer to the board, or when there will be none.
  settled = Promise.resolve();
  asking = false;
  // True if the server refused the board.
  refused = false;
  #settle = () => {};
  // The words that are shown of what is wrong.
  #shown = "";
  // Which refreshing is the newest.
  #turn = 0;
  #trail = [this.board];
  #at = 0;
  // The last board that the server took.
  #good = null;

  get query() { return write(this.board); }
  get fragment() { return `${this.query}${writeView(this.view)}`; }
  get canUndo() { return this.#at > 0; }
  get canRedo() { return this.#at + 1 < this.#trail.length; }

  start() {
    addEventListener("popstate", () => this.#follow());
    const linked = location.hash.slice(1);
    const last = linked ? null : kept();
    const { board, view, wrong } = read(linked || last);
    this.#trail = [board];
    this.#view(view);
    this.#show(board, { message: last && last !== START ? "The last board of this tab is restored." : "" });
    if (last) this.#write("replaceState");
    if (wrong) this.wrong(wrong);
  }

  // Another view of the same board.
  look(changes) {
    this.#view({ ...this.view, ...changes });
    this.#write("replaceState");
  }

  #view(view) {
    this.view = view;
    this.#emit("view", {});
  }

  #keep() {
    try { sessionStorage.setItem(KEPT, this.fragment); } catch { /* As above. */ }
  }

  #write(way) {
    this.#keep();
    // Browsers refuse more than some hundred addresses in half a minute; the board matters more.
    try { history[way](null, "", `#${this.fragment}`); } catch { /* The next change writes it. */ }
  }

  // A change by hand: `message` comes with the answer; where the server refuses the board, `instead` is shown, or the
  // board before, if that was taken.
  change(board, { message = "", instead = null } = {}) {
    if (same(board, this.board)) return;
    this.wrong("");
    const from = { board: this.board, at: this.#at };
    this.#record(board, false);
    this.#show(board, { message, instead, from, to: "pushState" });
  }

  undo() { if (this.canUndo) this.#step(-1, "Undone."); }
  redo() { if (this.canRedo) this.#step(1, "Redone."); }

  again() {
    this.wrong("");
    this.#show(this.board, {});
  }

  wrong(text, again = false) {
    this.#shown = text;
    this.#emit("wrong", { text, again });
  }

  // Adds to the words that are shown.
  alsoWrong(text) {
    if (!this.#shown.includes(text)) this.wrong(`${this.#shown} ${text}`.trim());
  }

  // For panels: superseded questions change nothing.
  fault(fault, what) {
    if (superseded(fault)) return;
    if (!(fault instanceof Refused)) throw fault;
    this.wrong(`${what}: ${fault.message}`);
  }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  #record(board, merge) {
    if (merge) {
      this.#trail[this.#at] = board;
    } else {
      this.#at += 1;
      this.#trail[this.#at] = board;
    }
    this.#trail.length = this.#at + 1;
  }

  #step(way, message) {
    this.wrong("");
    this.#at += way;
    this.#show(this.#trail[this.#at], { message, to: "pushState" });
  }

  // Back, forward, or an address that was typed: a change like others, but the address stands.
  #follow() {
    const { board, view, wrong } = read(location.hash.slice(1));
    this.wrong(wrong);
    this.#view(view);
    if (same(board, this.board)) return;
    this.#record(board, false);
    this.#show(board, { message: "Loaded from the link." });
  }

  #show(board, how) {
    this.board = board;
    this.answer = null;
    this.asking = true;
    this.refused = false;
    this.#settle();
    this.settled = new Promise((done) => { this.#settle = done; });
    if (how.to) {
      // The step of a link belongs to the board of the link.
      this.view = { ...this.view, step: null };
      this.#write(how.to);
    }
    this.#turn += 1;
    const turn = this.#turn;
    this.#emit("board", {});
    this.#refresh(turn, how);
  }

  #rest() {
    this.asking = false;
    this.#settle();
  }

  async #refresh(turn, how) {
    try {
      const answer = await ask("board", address("board", this.query));
      if (turn !== this.#turn) return;
      this.answer = answer;
      this.#good = this.board;
      this.#keep();
      this.#emit("answer", { message: how.message || "" });
      this.#rest();
    } catch (fault) {
      if (turn !== this.#turn || superseded(fault)) return;
      this.#rest();
      if (!(fault instanceof Refused)) throw fault;
      if (fault.status === 400 && how.from) this.#takeBack(fault, how);
      else this.#failed(fault);
    }
  }

  // Nothing is known of the new board.
  #failed(fault) {
    this.answer = null;
    this.refused = fault.status === 400;
    this.#emit("board", { failed: true });
    this.wrong(sentence(fault.message), true);
  }

  #takeBack(fault, { instead, from }) {
    const reason = capital(fault.message);
    if (instead && !same(instead, this.board)) {
      this.#record(instead, true);
      const off = removed({ ...from.board, blocked: [] });
      this.#show(instead, { message: `${off} ${sentence(reason)}`, to: "replaceState" });
      return;
    }
    // A refused board is mended step by step: each step is kept, though one alone is not enough.
    if (!this.#good || !same(this.#good, from.board)) {
      this.#failed(fault);
      return;
    }
    this.#at = from.at;
    this.#trail.length = this.#at + 1;
    this.#trail[this.#at] = from.board;
    this.#show(from.board, { to: "replaceState" });
    this.wrong(sentence(reason));
  }
}
