// Elements, and small boards as pictures.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function drawn(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(text, act, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", act);
  return element;
}

// Pressed or not, for sighted users and others.
export const press = (toggle, on) => toggle.setAttribute("aria-pressed", String(on));
export const pressed = (toggle) => toggle.getAttribute("aria-pressed") === "true";

// Which symbol of the page shows what a square looks like; none for a free one.
const SYMBOLS = {
  attacked: "thin", missed: "missed", dead: "bold", diagram: "bold", propagated: "diamond",
  blocked: "block", unknown: "dot",
};
export const symbol = (look, piece) =>
  (look === "queen" || look === "outlined" || look === "ghost" ? piece : SYMBOLS[look]);

// Shows a look in a glyph, which is a `use` or has one.
export function wear(glyph, look, piece) {
  if (glyph.dataset.look === `${look}` && glyph.dataset.piece === piece) return;
  glyph.dataset.look = look;
  glyph.dataset.piece = piece;
  const use = glyph.localName === "use" ? glyph : glyph.firstElementChild;
  const name = symbol(look, piece);
  if (name) use.setAttribute("href", `#${name}`);
  else use.removeAttribute("href");
}

// A board as a picture: `paint` gives every square its look.
export class Picture {
  #glyphs = [];
  #size = 0;

  // `act` is called with the square of a click.
  constructor(into, act = () => {}) {
    this.svg = drawn("svg", { class: "picture", role: "img" });
    this.svg.addEventListener("click", ({ target }) => {
      if (target.matches(".light, .dark")) act(["y", "x"].map((side) => 1 + Number(target.getAttribute(side))));
    });
    into.append(this.svg);
  }

  // `look` gives the look of the square of a row and a column, from 1; `lit` squares are ringed, and others `framed`.
  paint({ size, piece }, look, { label, lit = [], framed = [] }) {
    if (size !== this.#size) this.#lay(size);
    this.svg.setAttribute("aria-label", label);
    this.#glyphs.forEach((glyph, index) => {
      wear(glyph, look(1 + Math.floor(index / size), 1 + (index % size)), piece);
    });
    this.svg.querySelectorAll(".ring, .differing").forEach((mark) => mark.remove());
    const box = (kind, [row, column], inset, rx) => drawn("rect", {
      class: kind, x: column - 1 + inset, y: row - 1 + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx,
    });
    this.svg.append(...framed.map((square) => box("differing", square, 0.05, 0)),
      ...lit.map((square) => box("ring", square, 0.16, 0.08)));
  }

  #lay(size) {
    this.#size = size;
    this.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
    this.svg.replaceChildren();
    this.#glyphs = [];
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        const glyph = drawn("use", { class: "glyph", x: column, y: row, width: 1, height: 1 });
        this.svg.append(drawn("rect", {
          class: (row + column) % 2 ? "dark" : "light", x: column, y: row, width: 1, height: 1,
        }), glyph);
        this.#glyphs.push(glyph);
      }
    }
  }
}
