"""At most k by an encoder of PySAT (package `python-sat`), such as `seqcounter` or `kmtotalizer`.

    bezzel check '{command: "python3 examples/pysat_encoder.py mtotalizer", kind: at-most-k}' --k 3
    bezzel show '{command: "python3 examples/pysat_encoder.py seqcounter", kind: at-most-k}' --k 3

docs/external-encoders.md states the protocol.
"""

import sys

from pysat.card import CardEnc, EncType


def main():
    names = [name for name in vars(EncType) if not name.startswith("_") and name != "native"]
    if len(sys.argv) != 2 or sys.argv[1] not in names:
        sys.exit(f"name one encoder of PySAT: {', '.join(names)}")
    encoding = getattr(EncType, sys.argv[1])
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("this encoder reads version 1 of the protocol")
    for request in sys.stdin:
        word, *numbers = request.split()
        if word != "at-most":
            sys.exit(f"this encoder takes at-most alone, not {word}: add `kind: at-most-k`")
        k, n = map(int, numbers)
        formula = CardEnc.atmost(lits=list(range(1, n + 1)), bound=k, encoding=encoding)
        print("p cnf", max(n, formula.nv), len(formula.clauses))
        for clause in formula.clauses:
            print(*clause, 0)


main()
