// The page of encodings: sizes at any number of literals and any bound that the page has, words, and orders.
// The address holds the state.
"use strict";
(() => {
  const get = (selector) => document.querySelector(selector);
  const table = get("table");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  // Texts on k = 1 and on larger k, of which one is shown, and the words that say so without the script.
  const byBound = [...document.querySelectorAll("[data-k]")];
  document.querySelectorAll(".at").forEach((words) => { words.hidden = true; });
  const { limits, sizes } = JSON.parse(get("#sizes").textContent);
  const fields = ["n", "k", "words"].map((id) => get(`#${id}`));
  const [n, k, words] = fields;
  // The columns of variables and clauses.
  const SIZES = [1, 2];
  const order = { column: -1, sign: 1 };

  // The number at a place of a list. It has the differences between numbers in base 36, with the times that each occurs;
  // a number that is unknown or too large is a question mark.
  function numberAt(list, place) {
    let [value, left] = [0, place + 1];
    for (const token of list.split(",")) {
      const [difference, times = "1"] = token.split("*");
      const here = Math.min(left, parseInt(times, 36));
      if (difference !== "?") value += here * parseInt(difference, 36);
      left -= here;
      if (!left) return difference === "?" ? null : value;
    }
    return null;
  }

  const known = rows.map(() => [null, null]);
  function show() {
    const [inputs, bound] = [n, k].map(({ value }) => Math.floor(Number(value)));
    const max = limits[Math.min(bound, 2) - 1];
    const isHere = bound >= 1 && bound < inputs && inputs <= max;
    get("#limit").hidden = isHere;
    byBound.forEach((part) => { part.hidden = (part.dataset.k > 1) !== (bound > 1); });
    rows.forEach((row) => { row.hidden = false; });
    const texts = rows.map((row) => row.innerText.toLowerCase());
    const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, at) => {
      const lists = isHere && sizes[at][bound - 1];
      known[at] = [0, 1].map((part) => (lists ? numberAt(lists[part], inputs - bound - 1) : null));
      known[at].forEach((number, part) => { row.cells[SIZES[part]].textContent = number === null ? "–" : number.toLocaleString("en"); });
      row.hidden = !asked.every((word) => texts[at].includes(word)) || (isHere && !lists);
    });
    const keyOf = (row) => (SIZES.includes(order.column) ? known[rows.indexOf(row)][order.column - SIZES[0]] ?? Infinity : row.cells[order.column].textContent);
    const byKey = (a, b) => order.sign * (typeof a === "number" ? Math.sign(a - b) || 0 : a.localeCompare(b, "en", { numeric: true }));
    const inOrder = order.column < 0 ? rows : rows.map((row) => [keyOf(row), row]).sort(([a], [b]) => byKey(a, b)).map(([, row]) => row);
    table.tBodies[0].append(...inOrder);
    heads.forEach((head, at) => { head.ariaSort = at === order.column ? (order.sign > 0 ? "ascending" : "descending") : null; });
    get("#found").textContent = `${rows.filter(({ hidden }) => !hidden).length} of ${rows.length} encodings`;
  }

  function change() {
    show();
    const state = new URLSearchParams(fields.map(({ id, value }) => [id, value]));
    if (order.column >= 0) state.set("sort", order.sign * (order.column + 1));
    history.replaceState(null, "", `#${state}`);
  }
  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    fields.forEach((field) => { field.value = state.get(field.id) ?? field.defaultValue; });
    const sort = Number(state.get("sort"));
    Object.assign(order, heads[Math.abs(sort) - 1] ? { column: Math.abs(sort) - 1, sign: Math.sign(sort) } : { column: -1, sign: 1 });
    show();
  }

  heads.forEach((head, column) => {
    const press = Object.assign(document.createElement("button"), { type: "button" });
    press.append(...head.childNodes);
    head.append(press);
    press.addEventListener("click", () => {
      if (order.column !== column) Object.assign(order, { column, sign: 1 });
      else if (order.sign > 0) order.sign = -1;
      else order.column = -1;
      change();
    });
  });
  fields.forEach((field) => field.addEventListener("input", change));
  addEventListener("hashchange", restore);
  get(".numbers").hidden = false;
  restore();
  if (location.protocol.startsWith("http")) document.querySelectorAll(".served").forEach((link) => { link.hidden = false; });
})();
