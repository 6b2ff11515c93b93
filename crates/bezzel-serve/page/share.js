// Ways to hand the board on: its link, and files of it.

import { address, ask } from "./api.js";
import { byId } from "./draw.js";

const FILES = { board: "board.txt", dimacs: "board.cnf", instance: "board.yaml" };

// The name that the server gives a file.
const nameIn = (header, otherwise) => /filename="?([^";]+)"?/i.exec(header ?? "")?.[1] ?? otherwise;

export function share(session, encodings, first) {
  const select = byId("export-encoding");
  select.replaceChildren(...encodings.map(({ id, title }) => {
    const option = new Option(id, id, id === first, id === first);
    option.title = title;
    return option;
  }));
  const links = Object.keys(FILES).map((format) => [format, byId(`export-${format}`)]);
  const update = () => {
    byId("copied").textContent = "";
    byId("link").value = `${location.origin}/#${session.query}`;
    for (const [format, link] of links) {
      const more = format === "dimacs" && select.value ? { format, encoding: select.value } : { format };
      link.href = address("export", session.query, more);
    }
  };
  session.addEventListener("board", update);
  select.addEventListener("change", update);
  update();

  for (const [format, link] of links) {
    // Fetched here, so that a refusal is told in words instead of saved as a file.
    link.addEventListener("click", async (event) => {
      event.preventDefault();
      const otherwise = FILES[format];
      try {
        const file = await ask("export", link.getAttribute("href"), async (response) => ({
          blob: await response.blob(), name: nameIn(response.headers.get("Content-Disposition"), otherwise),
        }));
        save(file);
      } catch (fault) {
        session.fault(fault, `Export of ${otherwise}`);
      }
    });
  }
  byId("copy").addEventListener("click", copy);
}

function save({ blob, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy() {
  const field = byId("link");
  try {
    await navigator.clipboard.writeText(field.value);
    byId("copied").textContent = "Copied.";
  } catch {
    // No right to the clipboard: the link is shown and chosen instead.
    byId("link-label").hidden = false;
    field.select();
    byId("copied").textContent = "Copy it from here.";
  }
}
