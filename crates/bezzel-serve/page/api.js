// Questions to the server. Each kind has a lane: a newer question of the lane ends the older one, so that no stale
// answer is shown.

const lanes = new Map();
const PORT = location.port && ` --port ${location.port}`;

// A refusal of the server, in its words.
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export const superseded = (fault) => fault?.name === "AbortError";
export const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// Ends what the lane is asking.
export function drop(lane) {
  lanes.get(lane)?.abort();
  lanes.delete(lane);
}

async function words(response) {
  try {
    const { error } = await response.json();
    if (error) return String(error);
  } catch { /* The answer is of another program: its status is shown. */ }
  return `The server answered ${response.status} ${response.statusText}`.trim();
}

// The answer of an address. A server that is busy for a moment is asked again, once.
export async function ask(lane, address, as = "json") {
  drop(lane);
  const control = new AbortController();
  const { signal } = control;
  lanes.set(lane, control);
  for (let left = 1; ; left -= 1) {
    let response;
    try {
      response = await fetch(address, { signal });
    } catch (fault) {
      if (signal.aborted) throw fault;
      throw new Refused(`The server does not answer: is \`bezzel serve${PORT}\` still running?`, 0);
    }
    if (response.ok) {
      let answer;
      try {
        answer = as === "json" ? await response.json() : await as(response);
      } catch (fault) {
        if (signal.aborted) throw fault;
        throw new Refused("The server’s answer is incomplete, or has a form that this page cannot read.", 0);
      }
      signal.throwIfAborted();
      return answer;
    }
    const message = await words(response);
    signal.throwIfAborted();
    const wait = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !left || !(wait > 0 && wait <= 2)) {
      throw new Refused(message, response.status);
    }
    await pause(1000 * wait);
    signal.throwIfAborted();
  }
}

export const address = (path, query, more = {}) =>
  [`/api/${path}?${query}`, ...Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)]
    .filter(Boolean).join("&");
