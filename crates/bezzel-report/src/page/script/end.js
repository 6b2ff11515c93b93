restore();
// A server that sends the report has the board, too.
if (isServed) all(".served").forEach((link) => { link.hidden = false; });
