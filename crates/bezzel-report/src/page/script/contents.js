// A wide screen has the contents beside the text, with the part that is being read.
const side = matchMedia("(min-width: 68rem)");
const contents = get(".contents details");
const beside = () => { if (contents && side.matches) contents.open = true; };
on(side, "change", beside);
beside();
const entries = new Map(all(".contents a").map((entry) => [entry.hash.slice(1), entry]));
const seen = new Set();
const watch = new IntersectionObserver((changes) => {
  changes.forEach(({ target, isIntersecting }) => (isIntersecting ? seen.add(target.id) : seen.delete(target.id)));
  const here = [...entries.keys()].find((id) => seen.has(id));
  entries.forEach((entry, id) => { entry.ariaCurrent = id === here || null; });
}, { rootMargin: "-12% 0px -60% 0px" });
entries.forEach((_, id) => { const part = document.getElementById(id); if (part) watch.observe(part); });
