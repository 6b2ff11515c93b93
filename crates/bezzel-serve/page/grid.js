// The board as an ARIA grid: one square is in the way of Tab, arrow keys go on from there.

import { make, drawn, wear } from "./draw.js";
import { many, short, spelt } from "./words.js";

// The second click of a double click within this time is ignored.
const DOUBLE = 300;
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Grid {
  #size = 0;
  #cells = [];
  #at = [1, 1];
  #lit = [];
  #pressed = { key: "", time: -DOUBLE };

  // `acts`: press, remove, why, encodings, block, help, away, each of a square; `looked` of the square that is
  // pointed at or focused, or null.
  constructor({ grid, frame, across, down }, acts) {
    Object.assign(this, { grid, frame, across, down, acts });
    const squareOf = (event) => {
      const cell = event.target instanceof Element && event.target.closest("[role=gridcell]");
      return cell ? [Number(cell.dataset.row), Number(cell.dataset.column)] : null;
    };
    grid.addEventListener("click", (event) => {
      const square = squareOf(event);
      if (!square) return;
      this.#goTo(square);
      const key = square.join(".");
      const { key: last, time } = this.#pressed;
      this.#pressed = { key, time: event.timeStamp };
      const isDouble = event.detail > 1 && key === last && event.timeStamp - time < DOUBLE;
      if (!isDouble) acts.press(square);
    });
    grid.addEventListener("keydown", (event) => {
      const square = squareOf(event);
      if (square && this.#key(event, square)) event.preventDefault();
    });
    grid.addEventListener("focusin", (event) => acts.looked(squareOf(event)));
    grid.addEventListener("focusout", () => acts.looked(null));
    grid.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") acts.looked(squareOf(event));
    });
    grid.addEventListener("pointerleave", () => acts.looked(null));
  }

  #key(event, square) {
    const [row, column] = square;
    const step = STEPS[event.key];
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey) return false;
    if (step && !control) this.#goTo([row + step[0], column + step[1]]);
    else if (event.key === "Home") this.#goTo([control ? 1 : row, 1]);
    else if (event.key === "End") this.#goTo([control ? this.#size : row, this.#size]);
    else if (control) return false;
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.acts.press(square);
    } else if (event.key === "Delete" || event.key === "Backspace") this.acts.remove(square);
    else if (event.key === "Escape") this.acts.away();
    else if (event.key === "?") this.acts.help();
    else if (event.key === "w" || event.key === "W") this.acts.why(square);
    else if (event.key === "e" || event.key === "E") this.acts.encodings(square);
    else if (event.key === "b" || event.key === "B") this.acts.block(square);
    else return false;
    return true;
  }

  #cell([row, column]) { return this.#cells[(row - 1) * this.#size + column - 1]; }

  #goTo([row, column]) {
    const inside = (number) => Math.max(1, Math.min(number, this.#size));
    this.#cell(this.#at)?.box.setAttribute("tabindex", "-1");
    this.#at = [inside(row), inside(column)];
    const { box } = this.#cell(this.#at);
    box.setAttribute("tabindex", "0");
    box.focus();
  }

  // Puts the keyboard on the board, where it was; before the first drawing there is none.
  focus() { if (this.#size) this.#goTo(this.#at); }

  // Draws rows of squares as `squaresOf` gives them.
  draw(rows, piece) {
    if (rows.length !== this.#size) this.#lay(rows.length);
    for (const { square, look, words, count, heat } of rows.flat()) {
      const { box, glyph, number } = this.#cell(square);
      wear(glyph, look, piece);
      box.dataset.look = look;
      const label = `${spelt(square)}: ${words}`;
      if (box.getAttribute("aria-label") !== label) box.setAttribute("aria-label", label);
      const text = count === null ? "" : short(count);
      if (number.textContent !== text) number.textContent = text;
      box.style.setProperty("--heat", heat.toFixed(3));
    }
  }

  // Points out squares: each `how` is a word for the style; `step` is written into the corner.
  light(marks) {
    for (const { box } of this.#lit) {
      delete box.dataset.lit;
      delete box.dataset.step;
    }
    this.#lit = [];
    for (const { square, how, step } of marks) {
      const cell = this.#cell(square);
      if (!cell) continue;
      // A square may be part of a line, and be more than that.
      cell.box.dataset.lit = [cell.box.dataset.lit, how].filter(Boolean).join(" ");
      if (step) cell.box.dataset.step = step;
      this.#lit.push(cell);
    }
  }

  #lay(size) {
    const focused = this.grid.contains(document.activeElement);
    this.light([]);
    this.#size = size;
    this.#cells = [];
    this.frame.style.setProperty("--n", size);
    this.grid.setAttribute("aria-label", `Board of ${many(size, "row")} and ${many(size, "column")}`);
    this.grid.setAttribute("aria-rowcount", size);
    this.grid.setAttribute("aria-colcount", size);
    const sides = Array.from({ length: size }, (_, index) => index + 1);
    const coordinates = () => sides.map((number) => make("span", {}, String(number)));
    this.across.replaceChildren(...coordinates());
    this.down.replaceChildren(...coordinates());
    this.grid.replaceChildren(...sides.map((row) => make("div", { role: "row", "aria-rowindex": row },
      ...sides.map((column) => this.#square(row, column)))));
    const inside = this.#at.every((number) => number <= size);
    if (!inside) this.#at = [1, 1];
    this.#cell(this.#at).box.setAttribute("tabindex", "0");
    if (focused) this.#goTo(this.#at);
  }

  #square(row, column) {
    const glyph = drawn("svg", { class: "glyph", "aria-hidden": "true", focusable: "false" }, drawn("use"));
    const number = make("span", { class: "tally", "aria-hidden": "true" });
    const box = make("div", {
      role: "gridcell", class: (row + column) % 2 ? "dark" : "light", tabindex: -1,
      "aria-colindex": column, "data-row": row, "data-column": column,
    }, glyph, number);
    this.#cells.push({ box, glyph, number });
    return box;
  }
}
