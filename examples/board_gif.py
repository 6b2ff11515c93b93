"""Makes the moving picture of the board in README.md: headless Chromium opens the page of `bezzel serve`.

    python3 examples/board_gif.py docs/board.gif

It needs Chromium and Pillow (in Debian: chromium, python3-pil), and `bezzel` in PATH or in BEZZEL_PROGRAM.
"""

import base64
import io
import json
import os
import re
import subprocess
import sys
import tempfile

from PIL import Image

# The click before each frame, the number of queens in it, and the time for which it is shown, in milliseconds.
SQUARE = "#grid [data-row='{}'][data-column='{}']"
FRAMES = [
    (None, 0, 1200),
    (SQUARE.format(1, 3), 1, 2000),
    (SQUARE.format(5, 4), 2, 3500),
    (SQUARE.format(2, 6), 3, 2000),
    ("#complete", 8, 2500),
]
WIDTH, HEIGHT, SCALE = 1366, 1000, 0.7
MAX_BYTES = 500_000

# The box of the board and of the two encodings.
BOX = """(() => {
  const boxes = ["#frame", "#propagation"].map((it) => document.querySelector(it).getBoundingClientRect());
  const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])) - 4);
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...boxes.map((box) => box[side])) + 4);
  return { x: left + scrollX, y: top + scrollY, width: right - left, height: bottom - top };
})()"""
IS_READY = """document.querySelectorAll('#propagation .view').length === 2 && grid.children.length
  && grid.ariaBusy === 'false' && !count.textContent.startsWith('Asking')"""


class Browser:
    """Chromium, by its protocol on descriptors 3 and 4, which only a shell can set."""

    def __init__(self, home):
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={home}"]
        start = 'exec chromium "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'
        command = ["sh", "-c", start, "sh", *options, "about:blank"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number, self.rest, self.session = 0, b"", None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            while b"\0" not in self.rest:
                self.rest += self.process.stdout.read1(1 << 20)
            answer, _, self.rest = self.rest.partition(b"\0")
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                return answer["result"]

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")


def frames(browser, address):
    """The pictures of the page, one after each click."""
    browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
    browser.call("Page.navigate", url=f"{address}#size=8&queens=")
    for selector, number, _ in FRAMES:
        shown = f"document.querySelectorAll('#grid [role=gridcell][data-look=queen]').length === {number}"
        click = f'document.querySelector("{selector}").click();' if selector else ""
        wait = f"const look = () => ({IS_READY} && {shown} ? setTimeout(done, 1000) : setTimeout(look, 50)); look();"
        browser.value(f"new Promise((done) => {{ {click} {wait} }})")
        clip = browser.value(BOX) | {"scale": SCALE}
        picture = browser.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        yield Image.open(io.BytesIO(base64.b64decode(picture["data"]))).convert("RGB")


def main():
    program = os.environ.get("BEZZEL_PROGRAM", "bezzel")
    server = subprocess.Popen([program, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))[0]
        browser = Browser(home)
        pictures = list(frames(browser, address))
        browser.session = None
        browser.call("Browser.close")
        browser.process.wait()
        server.terminate()
    size = [min(picture.size[side] for picture in pictures) for side in (0, 1)]
    pictures = [picture.crop((0, 0, *size)) for picture in pictures]
    # One palette for all: unchanged parts of a frame are not stored again.
    strip = Image.new("RGB", (size[0], size[1] * len(pictures)))
    for at, picture in enumerate(pictures):
        strip.paste(picture, (0, at * size[1]))
    palette = strip.quantize(64, dither=Image.Dither.NONE)
    first, *rest = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    output = io.BytesIO()
    times = [time for _, _, time in FRAMES]
    first.save(output, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    if len(output.getvalue()) > MAX_BYTES:
        sys.exit(f"the picture has {len(output.getvalue())} bytes, and at most {MAX_BYTES} are allowed")
    with open(sys.argv[1], "wb") as file:
        file.write(output.getvalue())
    print(f"{sys.argv[1]}: {len(output.getvalue())} bytes, {size[0]} x {size[1]}")


if __name__ == "__main__":
    main()
