// The list of encodings: by the strength of propagation, with titles, and by the words of a search.

import { make } from "./draw.js";

const isComplete = ({ propagation }) => propagation === "complete";
const isArcConsistent = (one) => isComplete(one) && one.lines;

// The groups, the strongest first.
const GROUPS = [
  ["Arc-consistent on each constraint", isArcConsistent],
  ["A choice excludes all that conflict with it", (one) => isComplete(one) && !one.lines],
  ["Only the choice of two that conflict is refuted", ({ propagation }) => propagation === "refuting"],
  ["Some conflicts are missed", ({ propagation }) => propagation === "weak"],
];

const named = ({ id, title }) => (title === id ? id : `${title} (${id})`);

export function matching(encodings, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return encodings.filter((one) => {
    const name = named(one).toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

// Fills a list with these encodings. The chosen one is always there: a link may name one that is not listed.
export function fill(select, encodings, chosen) {
  const option = (one) => make("option", { value: one.id, selected: one.id === chosen }, named(one));
  const groups = GROUPS.map(([label, has]) => [label, encodings.filter(has)]).filter(([, members]) => members.length);
  const isListed = !chosen || encodings.some(({ id }) => id === chosen);
  select.replaceChildren(
    make("option", { value: "", selected: !chosen }, "none"),
    ...(isListed ? [] : [option({ id: chosen, title: chosen })]),
    ...groups.map(([label, members]) => make("optgroup", { label }, ...members.map(option))),
  );
}

// The reason for which two encodings of these ids derive the same on every instance, or nothing. A constraint alone
// implies the same values under both, and constraints share no other variables.
export function reason(encodings, ids) {
  const both = ids.map((id) => encodings.find((one) => one.id === id));
  return both.every((one) => one && isArcConsistent(one)) ? "both are arc-consistent on each constraint, so they never differ" : "";
}
