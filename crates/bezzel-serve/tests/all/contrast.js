// The parts of the page whose contrast with the ground behind them is too low, as WCAG 2.2 counts it.
(async () => {
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  // Any colour of CSS, as red, green and blue on top of others.
  const over = (colours) => {
    brush.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
    }
    return [...brush.getImageData(0, 0, 1, 1).data];
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.unshift(getComputedStyle(one).backgroundColor);
      if (over([layers[0]])[3] === 255) break;
    }
    return layers;
  };
  const luminance = (colours) => {
    const [red, green, blue] = over(colours).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (colour, layers) => {
    const [less, more] = [luminance([...layers, colour]), luminance(layers)].sort((one, other) => one - other);
    return (more + 0.05) / (less + 0.05);
  };
  const faults = [];
  let texts = 0;
  let marks = 0;
  const check = (what, colours, layers, least) => {
    const ratio = Math.max(...colours.map((colour) => contrast(colour, layers)));
    if (ratio < least) faults.push(`${what}: ${ratio.toFixed(2)}, ${colours} on ${layers.at(-1)}`);
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !shown(element) || element.closest(".unseen, noscript, option, svg")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = parseFloat(fontSize);
    const large = size >= 24 || (size >= 18.66 && fontWeight >= 700);
    texts += 1;
    check(`“${text.slice(0, 40)}”`, [color], behind(element), large ? 3 : 4.5);
  }
  for (const field of document.querySelectorAll("select, input:not([type=range], [type=radio])")) {
    if (shown(field)) check(field.outerHTML.slice(0, 60), [getComputedStyle(field).color], behind(field), 4.5);
  }
  for (const step of document.querySelectorAll("[data-step]")) {
    const { color, backgroundColor } = getComputedStyle(step, "::after");
    check(`step ${step.dataset.step}`, [color], [...behind(step), backgroundColor], 4.5);
  }

  // Marks differ by their shapes: one of fill and edge must stand out.
  for (const glyph of document.querySelectorAll(".glyph[data-look]")) {
    const { fill, stroke } = getComputedStyle(glyph);
    const colours = [fill, stroke].filter((colour) => colour !== "none");
    if (!colours.length || !shown(glyph)) continue;
    const wood = glyph.localName === "use" ? getComputedStyle(glyph.previousElementSibling).fill : null;
    marks += 1;
    check(`${glyph.dataset.look} in ${glyph.parentElement.outerHTML.slice(0, 60)}`, colours, wood ? [wood] : behind(glyph), 3);
  }
  // Controls are seen by their edge, or by their ground.
  for (const control of document.querySelectorAll("button:enabled:not(.plain, [aria-disabled=true]), select, input:not([type=range], [type=radio])")) {
    if (!shown(control)) continue;
    const { borderTopColor, backgroundColor } = getComputedStyle(control);
    check(`edge of ${control.outerHTML.slice(0, 60)}`, [borderTopColor, backgroundColor], behind(control.parentElement), 3);
  }
  return { faults, texts, marks };
})()
