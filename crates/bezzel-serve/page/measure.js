// Measures a position: the server's conflicts over scramblings, and a config for the times on the user's machine.

import { address, ask, drop, superseded } from "./api.js";
import { byId, make } from "./draw.js";
import { copied, fileOf } from "./share.js";
import { capital } from "./words.js";

const number = (value) => (value === null ? "no answer in time" : value.toLocaleString("en"));
const range = ({ least, most }) => (least === null ? "" : `${number(least)} to ${number(most)}`);

function answerOf({ is_solvable: is, answered, scramblings }) {
  const word = { true: "satisfiable", false: "unsatisfiable" }[is] ?? "none";
  return answered < scramblings ? `${word} (${answered} of ${scramblings} answered)` : word;
}

export function measure(session) {
  const dialog = byId("measure");
  const body = byId("measure-table").lastElementChild;

  // One encoding after the other, so that neither takes the other's time.
  async function fill(names) {
    const rows = names.map((id) => make("tr", {}, make("th", { scope: "row" }, id), make("td", { colspan: 3 }, "Measuring.")));
    body.replaceChildren(...rows);
    for (const [index, encoding] of names.entries()) {
      let cells;
      try {
        const answer = await ask("conflicts", address("conflicts", session.query, { encoding }));
        cells = [number(answer.median), range(answer), answerOf(answer)].map((text) => make("td", {}, text));
      } catch (fault) {
        if (superseded(fault)) return;
        if (fault.status === undefined) throw fault;
        cells = [make("td", { colspan: 3 }, `${capital(fault.message)}.`)];
      }
      rows[index].replaceChildren(rows[index].firstElementChild, ...cells);
    }
  }

  byId("measure-open").addEventListener("click", async () => {
    const { first, second } = session.view;
    try {
      const text = await ask("measure", fileOf(session, "config", "first"), (response) => response.text());
      byId("measure-config").textContent = text;
      byId("measure-command").textContent = `bezzel run ${/^name: (.+)$/m.exec(text)?.[1] ?? "board"}.yaml`;
    } catch (fault) {
      session.fault(fault, "The config");
      return;
    }
    byId("measure-copied").textContent = "";
    dialog.showModal();
    await fill([...new Set([first, second].filter(Boolean))]);
  });
  byId("measure-close").addEventListener("click", () => dialog.close());
  // The server stops what no one waits for.
  dialog.addEventListener("close", () => drop("conflicts"));
  for (const part of ["config", "command"]) {
    byId(`copy-${part}`).addEventListener("click", async () => {
      const done = await copied(byId(`measure-${part}`).textContent);
      byId("measure-copied").textContent = done ? "Copied." : "The browser allows no copying: select the text.";
    });
  }
}
