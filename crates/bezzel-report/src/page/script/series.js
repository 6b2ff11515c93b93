// Series. Each entry of a legend has two buttons: one shows or hides its series, the other shows it alone. A click on
// the entry in the drawing does the same, a double click shows it alone. One encoding can be marked in all figures that have it.
const cards = all(".card");
const off = new Map(cards.map((card) => [card, new Set()]));
const legends = new Map(cards.map((card) => [card, JSON.parse(card.dataset.legend || "[]")]));
// The look of the marked encoding, and the looks that the filter leaves; null for none and for all.
let marked = null;
let left = null;
const isOff = (card, look) => look !== undefined && (off.get(card).has(+look) || (left && !left.has(+look)));

function showSeries(card) {
  all("[data-s]", card).forEach((part) => {
    part.classList.toggle("off", isOff(card, part.dataset.s));
    part.classList.toggle("dim", marked !== null && +part.dataset.s !== marked);
  });
  all("[data-key]", card).forEach((part) => part.classList.toggle("dim", isOff(card, part.dataset.key)));
  all("[data-look]", card.parentElement).forEach((key) => { key.ariaPressed = !isOff(card, key.dataset.look); });
  hide();
}
const showAllSeries = () => cards.forEach(showSeries);

function toggle(card, look) {
  const hiddenLooks = off.get(card);
  if (!hiddenLooks.delete(look)) hiddenLooks.add(look);
  showSeries(card);
  remember();
}

// A series that is alone already gets the others back.
function isolate(card, look) {
  const others = legends.get(card).map(([other]) => other).filter((other) => other !== look);
  const hiddenLooks = off.get(card);
  const isAlone = !hiddenLooks.has(look) && hiddenLooks.size === others.length;
  off.set(card, new Set(isAlone ? [] : others));
  showSeries(card);
  remember();
}

legends.forEach((legend, card) => {
  if (legend.length < 2) return;
  const keys = make("div", "keys", "", { role: "group", ariaLabel: "Series of this figure" });
  legend.forEach(([look, label]) => {
    const key = button("", "key", () => toggle(card, look));
    key.dataset.look = look;
    key.append(chip(look), label);
    on(key, "dblclick", () => isolate(card, look));
    const only = Object.assign(button("only", "only", () => isolate(card, look)), { ariaLabel: `Only ${label}` });
    keys.appendChild(make("span")).append(key, only);
  });
  card.after(keys);
  // The drawn entry is pressed anywhere in its box.
  all("[data-key]", card).forEach((part) => {
    const { x, y, width, height } = part.getBBox();
    part.prepend(draw("rect", { x, y: y - 40, width, height: height + 80, fill: "none", "pointer-events": "all" }));
    on(part, "click", () => toggle(card, +part.dataset.key));
    on(part, "dblclick", () => isolate(card, +part.dataset.key));
  });
  showSeries(card);
});
