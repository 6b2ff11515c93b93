// Lines over the board: from a piece through the squares up to the one that it attacks, around the edges of a torus.

import { drawn } from "./draw.js";

// The way from one square to the next: one step, or a step out over an edge and one in over the opposite edge.
function way([row, column], [nextRow, nextColumn]) {
  const step = (from, to) => (Math.abs(to - from) > 1 ? -Math.sign(to - from) : to - from);
  const [down, right] = [step(row, nextRow), step(column, nextColumn)];
  const at = (r, c) => `${c - 0.5} ${r - 0.5}`;
  if (row + down === nextRow && column + right === nextColumn) return `M${at(row, column)}L${at(nextRow, nextColumn)}`;
  return `M${at(row, column)}L${at(row + down, column + right)}M${at(nextRow - down, nextColumn - right)}L${at(nextRow, nextColumn)}`;
}

// Draws a line through these squares of a board of this size; without squares, none.
export function drawLine(svg, size, squares) {
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  const path = squares.slice(1).map((square, index) => way(squares[index], square)).join("");
  // A light one under the dark one stands out from pieces and marks.
  svg.replaceChildren(...(path ? ["under", "over"].map((part) => drawn("path", { class: part, d: path })) : []));
}
