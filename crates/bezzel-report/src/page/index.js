// The search among the reports, and the link to the start page where a server sends the index. The page is readable without.
"use strict";
(() => {
  const reports = [...document.querySelectorAll(".reports > li")];
  const texts = reports.map((report) => report.textContent.toLowerCase());
  const label = Object.assign(document.createElement("label"), { className: "filter", textContent: "Reports with " });
  const input = Object.assign(document.createElement("input"), { type: "search", placeholder: "any words" });
  const found = document.createElement("output");
  label.append(input, found);

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    reports.forEach((report, at) => { report.hidden = !words.every((word) => texts[at].includes(word)); });
    const left = reports.filter((report) => !report.hidden).length;
    found.textContent = words.length ? `${left} of ${reports.length}` : "";
    document.querySelectorAll("main section").forEach((group) => { group.hidden = !group.querySelector("li:not([hidden])"); });
  }

  // The words are in the fragment of the address, unless that names a group.
  const restore = () => {
    input.value = new URLSearchParams(location.hash.slice(1)).get("words") || "";
    search();
  };
  input.addEventListener("input", () => {
    search();
    history.replaceState(null, "", `#${new URLSearchParams(input.value ? { words: input.value } : {})}`);
  });
  addEventListener("hashchange", restore);
  if (reports.length > 1) {
    document.querySelector("main").prepend(label);
    restore();
  }
  if (location.protocol.startsWith("http")) document.querySelectorAll(".served").forEach((link) => { link.hidden = false; });
})();
