// The board in the browser. This file joins the parts: the session knows the board and the server's
// answers, the grid draws it, the hand changes it, and the panels ask about it.
//
// There are no rules of the game here. What is attacked, impossible or left, the server says.

import { address, ask } from "./api.js";
import { byId, make, press, pressed } from "./draw.js";
import { PropagationView, compare } from "./propagation.js";
import { Grid } from "./grid.js";
import { Hand } from "./hand.js";
import { Session } from "./session.js";
import { share } from "./share.js";
import { Solutions } from "./solutions.js";
import { squaresOf } from "./squares.js";
import { theme } from "./theme.js";
import { Why } from "./why.js";
import { bytes, capital, digits, hint, left, place, seconds, sentence } from "./words.js";

// A board is drawn without answer only when the answer takes longer than this: no flicker.
const PATIENCE = 80;

const session = new Session();
let limits = null;
let squares = [];
let pointed = null;
let waiting = null;

// Says what happened. What is seen elsewhere, `unseen` tells those who listen. Words that repeat
// themselves are told again, so they must differ a little.
function say(text, unseen = "") {
  const said = byId("said");
  const same = said.textContent === [text, unseen].filter(Boolean).join(" ");
  const rest = unseen && make("span", { class: "unseen" }, `${text && " "}${unseen}`);
  said.replaceChildren(...[text, rest, same && "\u00a0"].filter(Boolean));
}

const hand = new Hand(session, { say, why: (square, refused) => why.ask(square, refused) });
const grid = new Grid(
  { grid: byId("grid"), frame: byId("frame"), across: byId("across"), down: byId("down") },
  {
    press: (square) => hand.press(square),
    remove: (square) => hand.remove(square),
    why: (square) => hand.ask(square),
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
  mirror: byId("solution-mirror"), turn: byId("solution-turn"), put: byId("solution-put"),
  play: byId("solution-play"), sources: [...document.getElementsByName("source")],
}, { session, say });

// The square that is pointed at, in words; or what one might do.
function readOut() {
  const { board, answer } = session;
  const one = pointed && squares[pointed[0] - 1]?.[pointed[1] - 1];
  const can = hand.blocking ? "Press a square to block it, or to free it again." : hint(board, answer);
  byId("here").textContent = one ? `${capital(place(pointed))}: ${one.words}.` : can;
}

function draw() {
  clearTimeout(waiting);
  const { board, answer } = session;
  squares = squaresOf(board, answer);
  grid.draw(squares, board.piece);
  byId("grid").setAttribute("aria-busy", String(!answer));
  byId("count").textContent = answer ? left(board, answer) : (session.asking ? "Asking the server" : "No answer");
  byId("how").textContent = answer ? [howOf(answer), sentence(answer.note)].filter(Boolean).join(" ") : "";
  byId("heat-legend").hidden = !pressed(byId("heat"));
  readOut();
  drawProgress(answer);
  drawCompletion(answer, board);
}

function howOf({ how, diagram }) {
  if (how !== "diagram" || !diagram) return "";
  return `From a diagram of ${digits(diagram.nodes)} nodes, ${bytes(diagram.bytes)}, compiled in ${seconds(diagram.seconds)}.`;
}

function drawProgress(answer) {
  const progress = answer?.how === "compiling" ? answer.progress : null;
  byId("progress").hidden = !progress;
  if (!progress) return;
  const bar = byId("progress-bar");
  if (limits?.seconds) {
    bar.max = limits.seconds;
    bar.value = Math.min(progress.seconds, limits.seconds);
  }
  byId("progress-text").textContent = `${progress.seconds.toFixed(1)} s, ${digits(progress.nodes)} nodes`;
}

// What goes away hands the keyboard to the board.
function hide(id, hidden) {
  const part = byId(id);
  if (hidden && part.contains(document.activeElement)) grid.focus();
  part.hidden = hidden;
}

function drawCompletion(answer, board) {
  const rest = answer?.completion ?? [];
  hide("completion", !rest.length);
  const pieces = rest.length === 1 ? `one ${board.piece}` : `${rest.length} ${board.piece}s`;
  byId("completion-text").textContent = `One solution is left. The rest is filled in: ${pieces}, outlined.`;
}

session.addEventListener("board", ({ detail }) => {
  clearTimeout(waiting);
  waiting = setTimeout(draw, detail.failed ? 0 : PATIENCE);
  for (const [id, can] of [["undo", session.canUndo], ["redo", session.canRedo]]) {
    byId(id).setAttribute("aria-disabled", String(!can));
  }
  drawSettings();
});

session.addEventListener("answer", ({ detail }) => {
  const { board, answer } = session;
  draw();
  if (!detail.first && !detail.final) return;
  // The heading shows what is left, but reads itself out to nobody.
  const known = [`${left(board, answer)}.`, answer.completion?.length && "The rest is filled in."];
  say(detail.first ? detail.said : "", known.filter(Boolean).join(" "));
});

session.addEventListener("wrong", ({ detail: { text, again } }) => {
  hide("wrong", !text);
  byId("wrong-text").textContent = text;
  byId("wrong-again").hidden = !again;
});

// Settings show the board as it is, however it came about.
function drawSettings() {
  const { size, geometry, piece } = session.board;
  const [least, most] = limits?.sizes ?? [size, size];
  const compiled = limits?.compiled?.[`${geometry} ${piece}`];
  const sizes = [];
  for (let side = least; side <= most; side += 1) sizes.push(side);
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
const redo = () => (session.canRedo ? session.redo() : say("Nothing to do again."));
onClick("undo", undo);
onClick("redo", redo);
onClick("mirror", () => hand.mirror());
onClick("turn", () => hand.turn());
onClick("clear", () => hand.clear());
onClick("unblock", () => hand.unblock());
onClick("accept", () => { hand.accept(); grid.focus(); });
onClick("keys-open", () => byId("keys").showModal());
onClick("keys-close", () => byId("keys").close());
onClick("wrong-again", () => session.again());
onClick("wrong-close", () => session.wrong(""));
byId("size").addEventListener("change", ({ target }) => hand.size(Number(target.value)));
for (const name of ["geometry", "piece"]) {
  byId(name).addEventListener("change", ({ target }) => hand.rules({ [name]: target.value }));
}

function toggle(id, act) {
  onClick(id, () => {
    press(byId(id), !pressed(byId(id)));
    act();
  });
  act();
}
const shows = (id) => () => {
  byId("frame").classList.toggle(`with-${id}`, pressed(byId(id)));
  byId("heat-legend").hidden = !pressed(byId("heat"));
};
toggle("heat", shows("heat"));
toggle("numbers", shows("numbers"));
toggle("edit-blocked", () => {
  hand.blocking = pressed(byId("edit-blocked"));
  byId("frame").classList.toggle("blocking", hand.blocking);
  readOut();
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
    session.fault(fault, "What this server can do");
  }
  drawSettings();
  const first = encodings.find(({ id }) => id === "pairwise")?.id ?? encodings[0]?.id ?? "";
  share(session, encodings, first);
  const views = [];
  const changed = () => compare(byId("propagation-table"), views);
  // The second one propagates more than most, so that there is something to compare.
  const second = encodings.find(({ id }) => id === "support")?.id ?? "";
  for (const [title, chosen] of [["First encoding", first], ["Second encoding", second]]) {
    views.push(new PropagationView(byId("propagation"), { session, title, encodings, first: chosen, changed }));
  }
  views.forEach((view) => view.look());
}

theme();
session.start();
look();
