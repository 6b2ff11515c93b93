// The state of the page in the fragment of its address: every part writes and reads its own names.
const idOf = (card) => card.closest("[id]").id;
const split = (from, key) => from.getAll(key).map((text) => text.split("."));
const parts = [{
  write(to) {
    off.forEach((looks, card) => { if (looks.size) to.append("off", [idOf(card), ...looks].join(".")); });
  },
  read(from) {
    const given = new Map(split(from, "off").map(([id, ...looks]) => [id, looks.map(Number)]));
    off.forEach((_, card) => off.set(card, new Set(given.get(idOf(card)))));
    showAllSeries();
  },
}, {
  write(to) {
    orders.forEach((order, name) => to.append("sort", [name, ...order].join(".")));
    words.forEach((text, name) => { if (text) to.append("words", [name, text].join(".")); });
  },
  read(from) {
    orders.clear();
    words.clear();
    split(from, "sort").forEach(([name, column, order]) => { if (/^(de|a)scending$/.test(order)) orders.set(name, [+column, order]); });
    split(from, "words").forEach(([name, ...text]) => words.set(name, text.join(".")));
    tables.forEach((show) => show());
  },
}];

// The part of the page that the address names.
let place = "";
function remember() {
  const to = new URLSearchParams();
  parts.forEach((part) => part.write(to));
  if (place && `${to}`) to.set("at", place);
  history.replaceState(null, "", "#" + (`${to}` || place));
}

// A fragment without a name is the address of a part of the page. A link to a part keeps the state.
function restore() {
  const text = location.hash.slice(1);
  if (text.includes("=")) {
    const from = new URLSearchParams(text);
    place = from.get("at") || "";
    parts.forEach((part) => part.read(from));
    document.getElementById(place)?.scrollIntoView();
  } else if (text) {
    place = text;
    remember();
  }
}

function reset() {
  place = "";
  parts.forEach((part) => part.read(new URLSearchParams()));
  remember();
}
on(window, "hashchange", restore);
