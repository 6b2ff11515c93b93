"""How fast PySAT generates the lines of an n-queens board: a rival measured beside ours.

    pip install python-sat
    python3 crates/bezzel-encode/benches/pysat_generation.py [SIDE]

Of each of PySAT's at-most-one encodings it prints the clauses of all lines of the board (rows and
columns hold exactly one queen, diagonals at most one), the median time of five runs in seconds of
CPU, and clauses a second. The clauses are made and dropped, as our `tally` does.
"""

import statistics
import sys
import time

import pysat
from pysat.card import CardEnc, EncType

ENCODINGS = ["pairwise", "seqcounter", "ladder", "bitwise", "sortnetwrk", "cardnetwrk", "totalizer"]


def lines(side):
    """Rows and columns, then diagonals of two or more squares."""
    square = lambda row, column: row * side + column + 1
    exactly = [[square(row, column) for column in range(side)] for row in range(side)]
    exactly += [list(column) for column in zip(*exactly)]
    diagonals = {}
    for row in range(side):
        for column in range(side):
            diagonals.setdefault((0, row - column), []).append(square(row, column))
            diagonals.setdefault((1, row + column), []).append(square(row, column))
    return exactly, [line for line in diagonals.values() if len(line) > 1]


def generate(exactly, at_most, kind, side):
    """Makes every clause once; returns how many there are."""
    top = side * side
    clauses = len(exactly)
    for line in exactly + at_most:
        made = CardEnc.atmost(lits=line, bound=1, top_id=top, encoding=kind)
        top = max(top, made.nv)
        clauses += len(made.clauses)
    return clauses


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    exactly, at_most = lines(side)
    print(f"PySAT {pysat.__version__}, n = {side}")
    for name in ENCODINGS:
        kind = getattr(EncType, name)
        times = []
        for _ in range(5):
            start = time.process_time()
            clauses = generate(exactly, at_most, kind, side)
            times.append(time.process_time() - start)
        seconds = statistics.median(times)
        print(f"{name:12} {clauses:>10} clauses  {seconds:8.3f} s  {clauses / seconds / 1e6:6.2f} M clauses/s")


main()
