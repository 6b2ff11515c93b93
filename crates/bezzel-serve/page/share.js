// Ways to pass the board on: its link, files of it, and a config that measures it.

import { address, ask } from "./api.js";
import { byId } from "./draw.js";

const FILES = { board: "board.txt", config: "board.yaml", dimacs: "board.cnf" };

// The files: a link, the format, and the encoding of the view that it has.
const LINKS = [
  ["export-board", "board", null], ["export-config", "config", "first"],
  ["export-dimacs", "dimacs", "first"], ["export-second", "dimacs", "second"],
];

// The name that the server gives a file.
const nameIn = (header, otherwise) => /filename="?([^";]+)"?/i.exec(header ?? "")?.[1] ?? otherwise;

// The address of a file, with the encoding of this side of the view.
export function fileOf(session, format, side) {
  const { first, second } = session.view;
  const more = { format };
  if (side && session.view[side]) more.encoding = session.view[side];
  if (format === "config" && first && second) more.second = second;
  if (format === "config" && !first && second) more.encoding = second;
  return address("export", session.query, more);
}

export function share(session, say) {
  const update = () => {
    byId("link").value = `${location.origin}/#${session.fragment}`;
    for (const [id, format, side] of LINKS) byId(id).href = fileOf(session, format, side);
    for (const [id, side] of [["export-dimacs", "first"], ["export-second", "second"]]) {
      byId(id).textContent = `Formula in DIMACS: ${session.view[side]}`;
      byId(id).parentElement.hidden = !session.view[side];
    }
  };
  session.addEventListener("board", update);
  session.addEventListener("view", update);

  for (const [id, format] of LINKS) {
    const link = byId(id);
    // The dialog of the config covers the reply below the board.
    const reply = format === "config" ? (text) => { byId("measure-copied").textContent = text; } : say;
    // Fetched here, so that a refusal is shown in words instead of saved as a file.
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      const otherwise = FILES[format];
      try {
        const answer = await ask("export", link.getAttribute("href"), async (response) => ({
          blob: await response.blob(), name: nameIn(response.headers.get("Content-Disposition"), otherwise),
        }));
        save(answer);
        reply(`The browser saves ${answer.name}.`);
      } catch (fault) {
        session.fault(fault, `Export of ${otherwise}`);
      }
    });
  }

  byId("copy").addEventListener("click", async () => {
    if (await copied(byId("link").value)) {
      say("Link copied.");
      return;
    }
    // No right to the clipboard: the link is shown and chosen instead.
    byId("link-label").hidden = false;
    byId("link").select();
    say("Copy the link from the field below.");
  });
}

function save({ blob, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
