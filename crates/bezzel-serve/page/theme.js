// Dark or light: as the system says, until the button says otherwise.

import { byId } from "./draw.js";

const KEY = "bezzel-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

// Storage may be forbidden; the choice then lasts as long as the page.
function kept() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}
function keep(theme) {
  try {
    if (theme) localStorage.setItem(KEY, theme);
    else localStorage.removeItem(KEY);
  } catch { /* As above. */ }
}

export function theme() {
  const button = byId("theme");
  const current = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const name = () => { button.textContent = current() === "dark" ? "Light" : "Dark"; };
  const stored = kept();
  if (stored === "dark" || stored === "light") root.dataset.theme = stored;
  button.addEventListener("click", () => {
    const wanted = current() === "dark" ? "light" : "dark";
    const asSystem = wanted === (system.matches ? "dark" : "light");
    if (asSystem) delete root.dataset.theme;
    else root.dataset.theme = wanted;
    keep(asSystem ? null : wanted);
    name();
  });
  system.addEventListener("change", name);
  name();
}
