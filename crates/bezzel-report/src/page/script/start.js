// The parts of a page that a reader can change: values of figures, series, tables, filters, comparisons of the runs.
// The page is readable without the script. It loads nothing and stores nothing; the address holds the state.
// The files of this folder are one script, and one scope, in the order in which `assets.rs` lists them.
const make = (name, of = "", text = "", more = {}) => Object.assign(document.createElement(name), { className: of, textContent: text }, more);
const get = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement;
const isServed = location.protocol.startsWith("http");

const on = (target, type, act, how) => target.addEventListener(type, act, how);

function button(text, of, act) {
  const made = make("button", of, text);
  made.type = "button";
  if (act) on(made, "click", act);
  return made;
}

// Adds a value to the list of a key.
const collect = (map, key, value) => (map.get(key) || map.set(key, []).get(key)).push(value);

const grouped = (whole) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

// Three significant digits and no exponent, as in the rest of the report.
function significant(number) {
  if (!number) return "0";
  const rounded = Number(number.toPrecision(3));
  const decimals = 2 - Math.floor(Math.log10(Math.abs(rounded)) + 1e-9);
  return decimals > 0 ? rounded.toFixed(decimals) : grouped(Math.round(rounded));
}

// The numbers of a column in base 36, all of one width; all are 0 if the column is empty.
function numbersOf(digits, rows) {
  const width = digits.length / rows;
  const number = (_, row) => (width ? parseInt(digits.slice(row * width, (row + 1) * width), 36) : 0);
  return Array.from({ length: rows }, number);
}

// Numbers below a limit, all with as many digits as the largest of them.
const numbersBelow = (limit, digits) => numbersOf(digits, digits.length / (limit - 1).toString(36).length);

const SVG = get(".marks").namespaceURI;
const set = (element, attributes) => Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  element.append(...children);
  return element;
}
