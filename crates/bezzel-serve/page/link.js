// A board as a link has it: the fragment of the page's address, and the query of every question.

export const empty = (size = 8) =>
  ({ size, geometry: "plane", piece: "queen", queens: [], blocked: [] });

// Beyond this many rows the page would not even draw; what the server takes is for it to say.
const MOST = 40;
const WORDS = { geometry: ["plane", "torus"], piece: ["queen", "rook"] };

const inOrder = (squares) => [...squares].sort(([r, c], [s, d]) => r - s || c - d);
export const same = (one, other) => write(one) === write(other);
export const has = (squares, [row, column]) => squares.some(([r, c]) => r === row && c === column);
export const without = (squares, [row, column]) =>
  squares.filter(([r, c]) => r !== row || c !== column);

// The squares of a list; one that is written twice is one all the same.
function squares(text) {
  const read = text.split("_").filter(Boolean).map((one) => /^(\d{1,3})\.(\d{1,3})$/.exec(one));
  if (!read.every(Boolean)) return null;
  const given = read.map(([, row, column]) => [Number(row), Number(column)]);
  return [...new Map(given.map((square) => [square.join("."), square])).values()];
}

// The board, and in words what of the text was left out.
export function read(text) {
  const board = empty();
  const wrong = [];
  for (const [key, value] of new URLSearchParams(text)) {
    if (key === "size") {
      if (/^\d{1,3}$/.test(value) && value >= 1 && value <= MOST) board.size = Number(value);
      else wrong.push(`size=${value} is no size from 1 to ${MOST}`);
    } else if (Object.hasOwn(WORDS, key)) {
      if (WORDS[key].includes(value)) board[key] = value;
      else wrong.push(`${key}=${value} is none of ${WORDS[key].join(", ")}`);
    } else if (key === "queens" || key === "blocked") {
      const given = squares(value);
      if (given) board[key] = given;
      else wrong.push(`${key}=${value} is no list of squares: write row.column, joined by _`);
    } else {
      wrong.push(`${key} is nothing that a board has`);
    }
  }
  return { board, wrong: wrong.length ? `In the address, ${wrong.join("; ")}. The rest is shown.` : "" };
}

// The same board gives the same text, whatever the order in which it was made.
export function write({ size, geometry, piece, queens, blocked }) {
  const list = (squares) => inOrder(squares).map((square) => square.join(".")).join("_");
  const parts = [`size=${size}`];
  if (geometry !== "plane") parts.push(`geometry=${geometry}`);
  if (piece !== "queen") parts.push(`piece=${piece}`);
  if (queens.length) parts.push(`queens=${list(queens)}`);
  if (blocked.length) parts.push(`blocked=${list(blocked)}`);
  return parts.join("&");
}

// Images of coordinates, and nothing of the rules.
export const mirrored = (size, squares) => squares.map(([row, column]) => [row, size + 1 - column]);
export const turned = (size, squares) => squares.map(([row, column]) => [column, size + 1 - row]);
export const image = (map, board) => ({
  ...board, queens: map(board.size, board.queens), blocked: map(board.size, board.blocked),
});
