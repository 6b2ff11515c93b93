// The look of each square of the board, in marks and in words, from the server's answer.

import { has } from "./link.js";
import { digits, many } from "./words.js";

const WORDS = {
  outlined: "in the only solution left",
  attacked: "attacked",
  dead: "in no solution",
  blocked: "blocked",
  unknown: "not known",
};

// The mark of a square: the page put it there, or the server found it.
export function markOf(board, answer, square) {
  if (has(board.queens, square)) return "queen";
  if (has(board.blocked, square)) return "blocked";
  if (answer?.completion && has(answer.completion, square)) return "outlined";
  return answer?.squares?.[square[0] - 1]?.[square[1] - 1]?.mark ?? "unknown";
}

function countOf(answer, [row, column]) {
  return answer?.squares?.[row - 1]?.[column - 1]?.count ?? null;
}

// Rows of squares: look, words, count where a queen could stand, and heat from 0 to 1.
export function squaresOf(board, answer) {
  const sides = Array.from({ length: board.size }, (_, index) => index + 1);
  const rows = sides.map((row) => sides.map((column) => {
    const square = [row, column];
    const look = markOf(board, answer, square);
    const count = look === "free" || look === "outlined" ? countOf(answer, square) : null;
    return { square, look, count, heat: 0, words: wordsOf(look, count, board.piece, answer) };
  }));
  const most = Math.max(1, ...rows.flat().map(({ count }) => Number(count ?? 0)));
  for (const one of rows.flat()) one.heat = Number(one.count ?? 0) / most;
  return rows;
}

function wordsOf(look, count, piece, answer) {
  if (look === "queen") return piece;
  if (look === "unknown" && !answer) return "not known yet";
  if (look !== "free") return WORDS[look] ?? look;
  return count === null ? "free" : `free, ${many(digits(count), "completion")}`;
}
