"""Clauses a second of the at-most-k encoders of PySAT and pindakaas, as a table.

    pip install python-sat pindakaas
    python3 examples/at_most_k_rates.py

Each encoder makes the clauses of at most k of n literals five times, in a process of its own. The table has the
clauses, and the clauses a second of the median run, with those of the slowest and the fastest run, by CPU time.
PySAT makes Python lists, and pindakaas makes a formula of its own; the clauses are counted outside the measured time.
`refused` is the error of an encoder that does not take the bound. docs/at-most-k.md has the same rates of Bezzel's
encoders.
"""

import json
import resource
import statistics
import subprocess
import sys
import time

BOUNDS = [(100, 10), (1_000, 10), (1_000, 500)]
RUNS = 5
# Limits of one encoder with one bound. An encoder with 10⁸ clauses exceeds them.
SECONDS = 600
BYTES = 8 << 30


def pysat_encoders():
    from pysat.card import CardEnc, EncType

    def encoder(encoding):
        def encode(n, k):
            start = time.process_time()
            formula = CardEnc.atmost(lits=list(range(1, n + 1)), bound=k, encoding=encoding)
            return time.process_time() - start, len(formula.clauses)

        return encode

    names = [name for name in vars(EncType) if not name.startswith("_") and name != "native"]
    return {name: encoder(getattr(EncType, name)) for name in names}


def pindakaas_encoders():
    from pindakaas import CNF, Encoder

    def encoder(kind):
        def encode(n, k):
            formula = CNF()
            constraint = sum(formula.new_vars(n)) <= k
            start = time.process_time()
            formula.add_encoding(constraint, encoder=kind)
            seconds = time.process_time() - start
            header = next(line for line in formula.to_dimacs().splitlines() if line.startswith("p cnf"))
            return seconds, int(header.split()[3])

        return encode

    names = [name for name in dir(Encoder) if name.isupper()]
    return {name.lower(): encoder(getattr(Encoder, name)) for name in names}


LIBRARIES = {"PySAT": pysat_encoders, "pindakaas": pindakaas_encoders}


def measure(library, name, n, k):
    """Runs one encoder with one bound, and prints its result as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    encode = LIBRARIES[library]()[name]
    try:
        runs = [encode(n, k) for _ in range(RUNS)]
    except Exception as error:
        print(json.dumps({"refused": f"{type(error).__name__}: {error}".replace("\n", " ")}))
        return
    print(json.dumps({"seconds": sorted(run[0] for run in runs), "clauses": runs[0][1]}))


def rates(library, name, n, k):
    """The cells of one encoder with one bound: clauses, and millions of clauses a second."""
    command = [sys.executable, __file__, library, name, str(n), str(k)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return ["", f"more than {SECONDS} s"]
    if done.returncode != 0:
        return ["", f"ended with {done.returncode}"]
    result = json.loads(done.stdout)
    if "refused" in result:
        return ["", f"refused ({result['refused']})"]
    clauses = result["clauses"]
    fastest, *_, slowest = result["seconds"]
    times = statistics.median(result["seconds"]), slowest, fastest
    median, least, most = (clauses / max(seconds, 1e-9) / 1e6 for seconds in times)
    return [f"{clauses:,}", f"{median:.3g} ({least:.3g} to {most:.3g})"]


def main():
    if len(sys.argv) == 5:
        library, name, n, k = sys.argv[1:]
        measure(library, name, int(n), int(k))
        return
    if len(sys.argv) != 1:
        sys.exit("this program takes no arguments")
    print("| library | encoder | n | k | clauses | million clauses/s, median (least to most) |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for library, encoders in LIBRARIES.items():
        for name in encoders():
            for n, k in BOUNDS:
                cells = [library, f"`{name}`", f"{n:,}", f"{k:,}", *rates(library, name, n, k)]
                print("|", " | ".join(cells), "|", flush=True)


main()
