// Opens the page of a report as soon as it is made. The server answers 503 until then.

import { pause } from "./api.js";

for (;;) {
  await pause(1000);
  const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  if (answer && answer.status !== 503) break;
}
location.reload();
