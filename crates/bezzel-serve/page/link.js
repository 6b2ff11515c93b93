// The state of the page as a link has it. The board is the query of every question; the view is what the page
// shows of it: the two encodings, the step of propagation, and toggles.

export const empty = (size = 8) =>
  ({ size, geometry: "plane", piece: "queen", queens: [], blocked: [] });

// The board of a first visit: pairwise and binary differ on it.
export const START = "size=8&queens=1.3_5.4";

// `step` null is the end of propagation.
const VIEW = { first: "pairwise", second: "binary", step: null, heat: true, numbers: false };

// The server's largest size, which a test compares. A larger board of a link is not drawn.
const MAX_SIZE = 27;
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

// The board, the view, and in words the parts of the text that are left out.
export function read(text) {
  const board = empty();
  const view = { ...VIEW };
  const wrong = [];
  for (const [key, value] of new URLSearchParams(text || START)) {
    if (key === "size") {
      if (/^\d{1,3}$/.test(value) && value >= 1 && value <= MAX_SIZE) board.size = Number(value);
      else wrong.push(`size=${value} is not a size from 1 to ${MAX_SIZE}`);
    } else if (Object.hasOwn(WORDS, key)) {
      if (WORDS[key].includes(value)) board[key] = value;
      else wrong.push(`${key}=${value} is none of ${WORDS[key].join(", ")}`);
    } else if (key === "queens" || key === "blocked") {
      const given = squares(value);
      if (given) board[key] = given;
      else wrong.push(`${key}=${value} is not a list of squares: write row.column, joined by _`);
    } else if (key === "first" || key === "second") {
      view[key] = value === "none" ? "" : value;
    } else if (key === "step") {
      if (/^\d{1,4}$/.test(value)) view.step = Number(value);
      else wrong.push(`step=${value} is not a number of a step`);
    } else if (key === "heat" || key === "numbers") {
      if (value === "on" || value === "off") view[key] = value === "on";
      else wrong.push(`${key}=${value} is neither on nor off`);
    } else {
      wrong.push(`the key ${key} is unknown`);
    }
  }
  return { board, view, wrong: wrong.length ? `In the address, ${wrong.join("; ")}. The rest is shown.` : "" };
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

// The part of a link for the view: only values that are not the default ones.
export function writeView(view) {
  const text = (value) => {
    if (typeof value === "boolean") return value ? "on" : "off";
    return encodeURIComponent(value === "" ? "none" : value).replaceAll("%3A", ":");
  };
  const others = Object.keys(VIEW).filter((key) => view[key] !== VIEW[key]);
  return others.map((key) => `&${key}=${text(view[key])}`).join("");
}

// Images of coordinates, and nothing of the rules.
export const mirrored = (size, squares) => squares.map(([row, column]) => [row, size + 1 - column]);
export const turned = (size, squares) => squares.map(([row, column]) => [column, size + 1 - row]);
export const image = (map, board) => ({
  ...board, queens: map(board.size, board.queens), blocked: map(board.size, board.blocked),
});
