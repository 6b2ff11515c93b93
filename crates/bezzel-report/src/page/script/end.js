// A wide screen has the contents beside the text.
const side = matchMedia("(min-width: 68rem)");
const contents = get(".contents details");
const beside = () => { if (contents && side.matches) contents.open = true; };
on(side, "change", beside);
beside();

restore();
// A server that sends the report has the start page, too.
if (isServed) all(".served").forEach((link) => { link.hidden = false; });
