// The texts for squares, numbers and boards.

// A square is (row, column) everywhere; its own name, which readers of screens announce, spells that out.
export const place = ([row, column]) => `(${row}, ${column})`;
export const spelt = ([row, column]) => `Row ${row}, column ${column}`;
// Explains the torus: as a message after the choice, and below the board.
export const TORUS = "On a torus, a line that leaves the board at one edge continues at the opposite edge.";
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const sentence = (text) => (text ? `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}` : "");
export const many = (number, one, more = `${one}s`) => `${number} ${String(number) === "1" ? one : more}`;

// Counts are decimal strings, since they pass what a number holds exactly.
export const digits = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
export const short = (count) => (count.length < 4 ? count : COMPACT.format(Number(count)));
export const solutions = (count) =>
  (count === "0" ? "No solution" : many(digits(count), "solution"));

// The first few of many squares: `(1, 2), (1, 4)`.
const LISTED = 12;
export function places(squares) {
  const rest = squares.length - LISTED;
  const listed = squares.slice(0, LISTED).map(place).join(", ");
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}

// A message about the pieces and blocked squares that a change removes; empty if it removes none.
export function removed({ queens, blocked, piece }) {
  const off = [[queens, piece], [blocked, "blocked square"]].filter(([squares]) => squares.length)
    .map(([squares, name]) => many(squares.length, name)).join(" and ");
  const [were, them] = queens.length + blocked.length === 1 ? ["was", "it"] : ["were", "them"];
  return off && `${off} ${were} removed. Undo restores ${them}.`;
}

// A hint at the next action, while no square is pointed at.
export function hint({ queens, piece }, answer) {
  const marks = new Set((answer?.squares ?? []).flat().map(({ mark }) => mark));
  const crossed = marks.has("attacked") || marks.has("dead");
  if (!queens.length && marks.has("free") && !crossed) {
    return `Click or tap a square to place a ${piece}.`;
  }
  return crossed ? `Click or tap a crossed square to see why no ${piece} can stand there.` : "";
}

// The heading: the solutions that are left.
export function left({ size, queens, piece }, { theorem, solutions: number, published }) {
  if (theorem) return "No solution exists";
  if (number === null && published) return `${solutions(published.count)} (${published.source})`;
  if (number === null) return "Solutions not counted";
  if (number === "1" && queens.length === size) return `Solved: ${many(size, piece)}`;
  return `${solutions(number)} left`;
}

// The addition to the reply about a new board: the theorem by which it has no solution, or the solution that is left.
export function added({ piece }, { theorem, completion }) {
  if (theorem) return sentence(theorem);
  const rest = completion?.length ?? 0;
  if (!rest) return "";
  const pieces = rest === 1 ? `the missing ${piece} is` : `the ${rest} missing ${piece}s are`;
  return `One solution is left: ${pieces} outlined, and Complete places ${rest === 1 ? "it" : "them"}.`;
}
