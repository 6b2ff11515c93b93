// Values of figures. A spot is a mark with its text; one listener of a kind finds the nearest.
const tip = document.body.appendChild(make("div", "tip", "", { role: "status" }));
const plots = new WeakMap();
let shown = null;

// The spots are read once and then taken away, so that thousands weigh nothing and no browser
// shows their titles beside ours.
function plot(card) {
  if (!plots.has(card)) {
    const svg = get("svg", card);
    const marks = get(".spots", svg);
    const spots = [...(marks ? marks.children : [])].map((mark) => ({
      x: +mark.getAttribute("cx"), y: +mark.getAttribute("cy"), text: mark.textContent, look: mark.dataset.s, panel: mark.dataset.p, rows: numbersBelow(data?.rows, mark.dataset.rows || ""),
    }));
    marks?.remove();
    get(":scope > title", svg)?.remove();
    // From left to right, and down where marks stand above each other: the order of the arrows.
    const way = spots.slice().sort((a, b) => a.x - b.x || a.y - b.y);
    const ring = svg.appendChild(draw("circle", { class: "ring", visibility: "hidden" }));
    plots.set(card, { card, svg, spots, way, ring, at: null });
  }
  return plots.get(card);
}

const visible = (of, spots = of.spots) => spots.filter((spot) => !isOff(of.card, spot.look) && !spot.isGone);
// The place of a drawing in the window: that of its origin, and the pixels for each of its units.
function placeOf({ svg }) {
  const { left, top, width } = svg.getBoundingClientRect();
  const box = svg.viewBox.baseVal;
  const scale = width / box.width;
  return [left - box.x * scale, top - box.y * scale, scale];
}

function nearest(of, x, y, reach) {
  const [ox, oy, scale] = placeOf(of);
  const [px, py] = [(x - ox) / scale, (y - oy) / scale];
  let best = null;
  let least = (reach / scale) ** 2;
  for (const spot of visible(of)) {
    const way = (spot.x - px) ** 2 + (spot.y - py) ** 2;
    if (way <= least) [best, least] = [spot, way];
  }
  return best;
}

function hide() {
  if (!shown) return;
  set(shown.ring, { visibility: "hidden" });
  tip.textContent = "";
  shown = null;
}

// Marks that cover each other have their texts and their runs together.
function together(of, spot) {
  const [, , scale] = placeOf(of);
  return visible(of).filter((other) => (other.x - spot.x) ** 2 + (other.y - spot.y) ** 2 < (1.5 / scale) ** 2);
}

function open(of, spot) {
  const rows = new Set(together(of, spot).flatMap(({ rows }) => rows));
  if (rows.size) showRows([...rows]);
}

const MAX_TEXTS = 6;
function show(of, spot) {
  if (shown && shown !== of) hide();
  const [ox, oy, scale] = placeOf(of);
  const same = together(of, spot);
  tip.classList.toggle("leads", same.some(({ rows }) => rows.length));
  const texts = [...new Set(same.map(({ text }) => text))];
  const more = texts.length > MAX_TEXTS ? [`and ${texts.length - MAX_TEXTS} more`] : [];
  const text = texts.slice(0, MAX_TEXTS).concat(more).join("\n");
  set(of.ring, { cx: spot.x, cy: spot.y, r: 8 / scale, visibility: "visible" });
  if (tip.textContent !== text) tip.textContent = text;
  shown = of;
  of.at = spot;
  const [x, y] = [ox + spot.x * scale, oy + spot.y * scale];
  const { clientWidth: width, clientHeight: height } = root;
  const edge = (place, size, space) => Math.max(8, Math.min(place, space - size - 8));
  const above = y - tip.offsetHeight - 14;
  tip.style.left = `${edge(x - tip.offsetWidth / 2, tip.offsetWidth, width)}px`;
  tip.style.top = `${edge(above < 8 ? y + 16 : above, tip.offsetHeight, height)}px`;
}

function point(event, reach) {
  const card = event.target.closest?.(".card");
  const of = card && plot(card);
  const spot = of && nearest(of, event.clientX, event.clientY, reach);
  if (spot) show(of, spot);
  else hide();
  return spot;
}

on(document, "pointermove", (event) => {
  if (event.pointerType !== "touch") point(event, 30);
}, { passive: true });
// A tap is a click, and scrolling is none. A click on a mark that does not show its values shows them. A click on one
// that shows them lists its runs.
on(document, "click", (event) => {
  const before = shown?.at;
  const spot = point(event, 40);
  if (spot && spot === before) open(shown, spot);
});
on(root, "pointerleave", ({ pointerType }) => { if (pointerType !== "touch") hide(); });
on(document, "scroll", hide, { capture: true, passive: true });
on(window, "resize", hide);

// The next mark that way: near, and rather straight ahead than aside.
function ahead(of, from, across, down) {
  let [best, least] = [null, Infinity];
  for (const spot of visible(of)) {
    const [x, y] = [spot.x - from.x, spot.y - from.y];
    const way = x * across + y * down;
    if (way <= 0) continue;
    const cost = way + 4 * Math.abs(across ? y : x);
    if (cost < least) [best, least] = [spot, cost];
  }
  return best;
}

on(document, "keydown", (event) => {
  if (event.key === "Escape") hide();
  if (event.key === "Enter" && shown?.card === event.target) {
    // The same key would press the button of the dialog.
    event.preventDefault();
    open(shown, shown.at);
  }
  const card = event.target.matches?.(".card") && event.target;
  const of = card && plot(card);
  const way = of ? visible(of, of.way) : [];
  if (!way.length || event.altKey || event.ctrlKey || event.metaKey) return;
  const last = way.length - 1;
  const at = way.indexOf(of.at);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  let spot;
  if (step) spot = way[Math.max(0, Math.min(at + step, last))];
  else if (event.key === "Home") spot = way[0];
  else if (event.key === "End") spot = way[last];
  else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    spot = at < 0 ? way[0] : ahead(of, of.at, 0, event.key === "ArrowUp" ? -1 : 1) || of.at;
  }
  if (!spot) return;
  event.preventDefault();
  const [ox, oy, scale] = placeOf(of);
  const box = card.getBoundingClientRect();
  // Scrolling hides the words, so bring the mark into sight first.
  const [x, y] = [ox + spot.x * scale, oy + spot.y * scale];
  if (x < box.left + 30 || x > box.right - 30) card.scrollLeft += x - box.left - box.width / 2;
  if (y < 60 || y > root.clientHeight - 60) scrollBy(0, y - root.clientHeight / 2);
  show(of, spot);
  requestAnimationFrame(() => requestAnimationFrame(() => show(of, spot)));
});
on(document, "focusout", ({ target }) => { if (shown?.card === target) hide(); });
