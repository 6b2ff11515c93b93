// The list of encodings: by family, with titles, and by the words of a search.

import { make } from "./draw.js";

const SINGLE = "Without variants";

// Each family that has variants is a group; the others share the first one.
function grouped(encodings) {
  const families = new Map();
  for (const one of encodings) families.set(one.family, [...(families.get(one.family) ?? []), one]);
  const groups = new Map([[SINGLE, []]]);
  for (const [family, members] of families) {
    if (members.length > 1) groups.set(family, members);
    else groups.get(SINGLE).push(...members);
  }
  return groups;
}

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
  const groups = [...grouped(encodings)].filter(([, members]) => members.length);
  const isListed = !chosen || encodings.some(({ id }) => id === chosen);
  select.replaceChildren(
    make("option", { value: "", selected: !chosen }, "none"),
    ...(isListed ? [] : [option({ id: chosen, title: chosen })]),
    ...groups.map(([label, members]) => make("optgroup", { label }, ...members.map(option))),
  );
}
