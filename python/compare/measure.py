"""Interleaved repetitions in processes of their own, paired ratios, and tables in Markdown.

`python3 measure.py MODULE` is such a process. It measures the entries of `PROGRAMS` of the module: a line of its input is
a request, and a line of its output is the answer, both in JSON.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import math
import os
import random
import resource
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

MIN_SECONDS, MAX_CALLS = 0.02, 1_000
"""A short call is repeated until `MIN_SECONDS` have passed, at most `MAX_CALLS` times. Its time is the mean."""


@dataclass(frozen=True)
class Setup:
    """The arguments of the command. `limit` is the longest time of a measurement in seconds."""

    repetitions: int
    limit: float
    is_quick: bool
    folder: Path


def timed(call, prepare=lambda: None):
    """Seconds of a call, and its result. `prepare` makes the argument of each call, outside the measured time."""
    count = 1
    while True:
        arguments = [prepare() for _ in range(count)]
        start = time.perf_counter()
        for argument in arguments:
            result = call(argument)
        seconds = time.perf_counter() - start
        if seconds >= MIN_SECONDS or count == MAX_CALLS:
            return seconds / count, result
        wanted = math.ceil(1.2 * count * MIN_SECONDS / max(seconds, 1e-9))
        count = min(max(count + 1, wanted), MAX_CALLS)


def run_program(command, folder=None, codes=(0,)):
    """Seconds of a program from its start to its end, and its output."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in codes:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return seconds, done.stdout


class Worker:
    """A process that measures one program. After a failure it is started again."""

    def __init__(self, module, program):
        self.module, self.program, self.process = module, program, None

    def run(self, case, seed, limit):
        """The answer: `seconds` and further values, or `refused` with a reason."""
        if self.process is None:
            command, pipe = [sys.executable, __file__, self.module], subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        request = {"program": self.program, "case": case, "seed": seed}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        # An answer is short, and written at once.
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.end()
            return {"refused": f"> {limit:g} s", "is_late": True}
        if answer := self.process.stdout.readline():
            return json.loads(answer)
        code = self.process.wait()
        self.end()
        return {"refused": f"ended with {code}"}

    def end(self):
        """Kills the process and its descendants, those in containers included."""
        if self.process is None:
            return
        pids = [self.process.pid]
        for pid in pids:
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                try:
                    pids += map(int, children.read_text().split())
                except OSError:
                    pass
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.communicate()
        self.process = None


def interleaved(module, programs, cases, setup, is_growing=False):
    """The results of each (program, number of the case) in the order of the repetitions, or the reason for their absence.

    In each repetition every program runs once, in a random order that is the same each time. A first repetition is a
    warm-up and is discarded. The number of the repetition is the seed. If the cases are growing, a program that exceeds
    the limit is not run on the following cases.
    """
    workers = {program: Worker(module, program) for program in programs}
    found = {}
    try:
        for index, case in enumerate(cases):
            print(f"{module}: {case}", file=sys.stderr)
            for repetition in range(setup.repetitions + 1):
                order = list(programs)
                random.Random(f"{index} {repetition}").shuffle(order)
                for program in order:
                    if isinstance(found.get((program, index)), str):
                        continue
                    result = workers[program].run(case, repetition, setup.limit)
                    if "refused" in result:
                        found[program, index] = result["refused"]
                        if is_growing and result.get("is_late"):
                            found.update({(program, later): "not run" for later in range(index + 1, len(cases))})
                    elif repetition > 0:
                        found.setdefault((program, index), []).append(result)
    finally:
        for worker in workers.values():
            worker.end()
    return found


def seconds(results):
    """The times of a program on a case; none if it has no results."""
    return None if isinstance(results, str) else [result["seconds"] for result in results]


def ratios(above, below):
    """The ratio of each repetition; none if a program has no results."""
    return None if above is None or below is None else [a / b for a, b in zip(above, below, strict=True)]


def number(value):
    """A number with three significant digits; larger numbers as whole numbers."""
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(0, digits)}f}"


def spread(values):
    """The median, with the least and the largest value."""
    if values is None:
        return ""
    return f"{number(median(values))} ({number(min(values))} to {number(max(values))})"


def table(head, rows, left):
    """A table in Markdown. The first `left` columns have texts, the others have numbers."""
    lines = [head, ["---" if column < left else "---:" for column in range(len(head))], *rows]
    escaped = [[cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)


def time_table(module, descriptions, cases, labels, setup, is_growing=False):
    """Measures the programs with these descriptions on cases. The table has ratios of times to the first program."""
    found = interleaved(module, list(descriptions), cases, setup, is_growing)
    base = next(iter(descriptions))
    rows = []
    for index, label in enumerate(labels):
        for program, description in descriptions.items():
            results = found[program, index]
            times = seconds(results)
            ratio = "1" if program == base else spread(ratios(times, seconds(found[base, index])))
            clauses = "" if times is None or "clauses" not in results[0] else f"{results[0]['clauses']:,}"
            rows.append([label, description, clauses, results if times is None else spread(times), ratio])
    head = ["case", "program", "clauses", "seconds", f"ratio to {descriptions[base]}"]
    if not any(row[2] for row in rows):
        head, *rows = [line[:2] + line[3:] for line in [head, *rows]]
    return table(head, rows, 2)


def main():
    module = importlib.import_module(sys.argv[1])
    # Libraries may print: only answers go to the output.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Orphans of a measured program become children, and end with it (PR_SET_CHILD_SUBREAPER).
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    if module.MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (module.MEMORY, module.MEMORY))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            result = module.PROGRAMS[request["program"]](request["case"], request["seed"])
        except Exception as error:
            result = {"refused": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), file=answers, flush=True)


if __name__ == "__main__":
    main()
