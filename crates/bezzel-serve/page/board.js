// The board in the browser. This file joins the parts: the session has the board and the server's
// answers, the grid draws it, the hand changes it, and the panels ask about it.
//
// There are no rules of the game here. The server decides which squares are attacked, impossible or left.

import { address, ask } from "./api.js";
import { Comparison } from "./compare.js";
import { byId, make, press, pressed } from "./draw.js";
import { Grid } from "./grid.js";
import { Hand } from "./hand.js";
import { measure } from "./measure.js";
import { Session } from "./session.js";
import { share } from "./share.js";
import { Solutions } from "./solutions.js";
import { squaresOf } from "./squares.js";
import { theme } from "./theme.js";
import { Why } from "./why.js";
import { TORUS, added, hint, left, place, sentence } from "./words.js";

// A board is drawn without answer only when the answer takes longer than this: no flicker.
const PATIENCE = 80;

const session = new Session();
let limits = null;
let comparison = null;
let squares = [];
let pointed = null;
let waiting = null;
// True if a reply is newer than the last change of the board. The message of the change comes too late then.
let replied = false;

// Shows a reply below the board. Screen readers announce `unseen`, which others see elsewhere, and announce a text
// again only if it differs from the one before.
function say(text, unseen = "") {
  const message = byId("message");
  const same = message.textContent === [text, unseen].filter(Boolean).join(" ");
  const rest = unseen && make("span", { class: "unseen" }, `${text && " "}${unseen}`);
  message.replaceChildren(...[text, rest, same && "\u00a0"].filter(Boolean));
  replied = true;
}

const hand = new Hand(session, { say, why: (square, refused) => why.ask(square, refused) });
const grid = new Grid(
  { grid: byId("grid"), frame: byId("frame"), across: byId("across"), down: byId("down") },
  {
    press: (square) => hand.press(square),
    remove: (square) => hand.remove(square),
    why: (square) => hand.ask(square),
    encodings: (square) => comparison?.describe(square),
    block: (square) => hand.block(square),
    help: () => byId("keys").showModal(),
    away: () => why.away(),
    looked: (square) => { pointed = square; readOut(); },
  },
);
const why = new Why(byId("why"), { session, grid, say });
new Solutions({
  board: byId("solution-board"), text: byId("solution-text"), number: byId("solution-number"),
  of: byId("solution-of"), next: byId("solution-next"), previous: byId("solution-previous"),
  put: byId("solution-put"),
}, { session, say });

// The square that is pointed at, in words; or a hint.
function readOut() {
  const { board, answer } = session;
  const one = pointed && squares[pointed[0] - 1]?.[pointed[1] - 1];
  const can = hand.blocking ? "Click or tap a square to block it, or to free it again." : hint(board, answer);
  byId("here").textContent = one ? `${place(pointed)}: ${one.words}.` : can;
}

function heading({ board, answer, asking, refused }) {
  if (answer) return left(board, answer);
  if (asking) return "Asking the server";
  return refused ? "Not a board" : "No answer";
}

function draw() {
  clearTimeout(waiting);
  const { board, answer } = session;
  squares = squaresOf(board, answer);
  grid.draw(squares, board.piece);
  byId("grid").setAttribute("aria-busy", String(!answer));
  byId("count").textContent = heading(session);
  const torus = board.geometry === "torus" && TORUS;
  const how = answer ? [sentence(answer.note), torus, "Squares are written (row, column)."] : [];
  byId("how").textContent = how.filter(Boolean).join(" ");
  readOut();
  drawShown();
}

// Heat and numbers where there are counts to show, and a legend of the marks that are on the board.
function drawShown() {
  const { view } = session;
  const all = squares.flat();
  const isCounted = all.some(({ count }) => Number(count ?? 0) > 0);
  for (const id of ["heat", "numbers"]) {
    press(byId(id), view[id]);
    byId(id).setAttribute("aria-disabled", String(!isCounted));
    byId("frame").classList.toggle(`with-${id}`, view[id] && isCounted);
  }
  const looks = new Set(all.map(({ look }) => look));
  for (const item of byId("legend").children) {
    item.hidden = item.dataset.for === "heat" ? !view.heat || !isCounted : !looks.has(item.dataset.for);
  }
}

// An element that disappears passes the focus to the board.
function hide(id, hidden) {
  const part = byId(id);
  if (hidden && part.contains(document.activeElement)) grid.focus();
  part.hidden = hidden;
}

session.addEventListener("board", ({ detail }) => {
  clearTimeout(waiting);
  // The reply to another board is no reply to this one.
  if (detail.failed) say("");
  replied = false;
  waiting = setTimeout(draw, detail.failed ? 0 : PATIENCE);
  for (const [id, can] of [["undo", session.canUndo], ["redo", session.canRedo]]) {
    byId(id).setAttribute("aria-disabled", String(!can));
  }
  drawSettings();
});

session.addEventListener("answer", ({ detail }) => {
  const { board, answer } = session;
  draw();
  if (replied) return;
  // The heading shows what is left, but no screen reader announces it.
  say([detail.message, added(board, answer)].filter(Boolean).join(" "), `${left(board, answer)}.`);
});

session.addEventListener("view", () => drawShown());

session.addEventListener("wrong", ({ detail: { text, again } }) => {
  hide("wrong", !text);
  byId("wrong-text").textContent = text;
  byId("wrong-again").hidden = !again;
  byId("wrong-without").hidden = !session.refused;
});

// Settings show the board as it is, however it came about.
function drawSettings() {
  const { size, geometry, piece } = session.board;
  const [least, max] = limits?.sizes ?? [size, size];
  const compiled = limits?.compiled?.[`${geometry} ${piece}`];
  const sizes = [];
  for (let side = least; side <= max; side += 1) sizes.push(side);
  if (!sizes.includes(size)) sizes.push(size);
  const options = (those) => those.map((side) => make("option", { value: side, selected: side === size }, String(side)));
  const searched = sizes.filter((side) => side > compiled);
  byId("size").replaceChildren(...options(sizes.filter((side) => !searched.includes(side))),
    ...(searched.length ? [make("optgroup", { label: "searched, not counted" }, ...options(searched))] : []));
  byId("geometry").value = geometry;
  byId("piece").value = piece;
  drawUnblock();
}

// A button that goes away must not take the focus with it.
function drawUnblock() {
  const button = byId("unblock");
  const idle = !session.board.blocked.length;
  if (idle && document.activeElement === button) byId("edit-blocked").focus();
  button.hidden = idle;
}

const onClick = (id, act) => byId(id).addEventListener("click", act);
const undo = () => (session.canUndo ? session.undo() : say("Nothing to undo."));
const redo = () => (session.canRedo ? session.redo() : say("Nothing to redo."));
onClick("undo", undo);
onClick("redo", redo);
onClick("mirror", () => hand.mirror());
onClick("turn", () => hand.turn());
onClick("clear", () => hand.clear());
onClick("unblock", () => hand.unblock());
onClick("complete", () => hand.complete());
onClick("random", () => hand.random());
// The first file is scrolled into view.
onClick("files-open", () => byId("export-board").focus());
onClick("keys-open", () => byId("keys").showModal());
onClick("keys-close", () => byId("keys").close());
onClick("wrong-again", () => session.again());
onClick("wrong-without", () => hand.empty());
onClick("wrong-close", () => session.wrong(""));
byId("size").addEventListener("change", ({ target }) => hand.size(Number(target.value)));
for (const name of ["geometry", "piece"]) {
  byId(name).addEventListener("change", ({ target }) => hand.rules({ [name]: target.value }));
}

for (const id of ["heat", "numbers"]) {
  onClick(id, () => {
    if (byId(id).getAttribute("aria-disabled") === "true") say("No square has a number of solutions to show.");
    else session.look({ [id]: !session.view[id] });
  });
}
onClick("edit-blocked", () => {
  press(byId("edit-blocked"), !pressed(byId("edit-blocked")));
  hand.blocking = pressed(byId("edit-blocked"));
  byId("frame").classList.toggle("blocking", hand.blocking);
  readOut();
});

// Where the window is wide, all tools are shown.
const wide = matchMedia("(min-width: 42rem)");
const unfold = () => { byId("more").open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();

// The steps for a first visit go for good. Storage may be forbidden; they then come back with the page.
const VISITED = "bezzel-visited";
try { byId("tour").hidden = localStorage.getItem(VISITED) === "yes"; } catch { /* They stay. */ }
onClick("tour-close", () => {
  hide("tour", true);
  try { localStorage.setItem(VISITED, "yes"); } catch { /* As above. */ }
});

// Undo and redo wherever one is, but where text is written.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || byId("keys").open) return;
  if (event.target instanceof Element && event.target.closest("input:not([type=range], [type=radio])")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || key === "z") redo();
  else return;
  event.preventDefault();
});

// Encodings are known when the server's limits are; the board need not wait for them.
async function look() {
  let encodings = [];
  try {
    limits = await ask("limits", address("limits", ""));
    encodings = limits.encodings;
    byId("reports").hidden = limits.reports === false;
  } catch (fault) {
    session.fault(fault, "The limits of this server");
  }
  drawSettings();
  comparison = new Comparison({ session, encodings, say });
}

theme();
share(session, say);
measure(session);
session.start();
look();
