// How squares, numbers and boards are said.

export const place = ([row, column]) => `row ${row}, column ${column}`;
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const sentence = (text) => (text ? `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}` : "");
export const many = (number, one, more = `${one}s`) => `${number} ${String(number) === "1" ? one : more}`;

// Counts are decimal strings, since they pass what a number holds exactly.
export const digits = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
export const short = (count) => (count.length < 4 ? count : COMPACT.format(Number(count)));
export const solutions = (count) =>
  (count === "0" ? "No solution" : many(digits(count), "solution"));

export function bytes(number) {
  if (number < 1000) return `${number} bytes`;
  return number < 1e6 ? `${(number / 1e3).toFixed(1)} kB` : `${(number / 1e6).toFixed(1)} MB`;
}
export function seconds(number) {
  if (number < 0.001) return `${(number * 1e6).toFixed(0)} µs`;
  return number < 1 ? `${(number * 1e3).toFixed(number < 0.01 ? 1 : 0)} ms` : `${number.toFixed(1)} s`;
}

// Many squares, row by row: `row 1, columns 2, 4; row 3, column 5`.
export function places(squares) {
  const rows = new Map();
  for (const [row, column] of squares) rows.set(row, [...(rows.get(row) ?? []), column]);
  return [...rows].map(([row, columns]) =>
    (columns.length === 1 ? place([row, columns[0]]) : `row ${row}, columns ${columns.join(", ")}`)).join("; ");
}

// What can be done with the board, for whoever points at nothing.
export function hint({ queens, piece }, answer) {
  const marks = new Set((answer?.squares ?? []).flat().map(({ mark }) => mark));
  const crossed = marks.has("attacked") || marks.has("dead");
  if (!queens.length && marks.has("free") && !crossed) {
    return `Press a square to place a ${piece}.`;
  }
  return crossed ? `Press a crossed square to ask why no ${piece} can stand there.` : "";
}

// What the heading says of the solutions left.
export function left({ size, queens, piece }, answer) {
  if (answer.how === "compiling") return "Compiling the diagram";
  if (answer.solutions === null) return "Number of solutions not known";
  if (answer.solutions === "1" && queens.length === size) return `Solved: ${many(size, piece)}`;
  return `${solutions(answer.solutions)} left`;
}
