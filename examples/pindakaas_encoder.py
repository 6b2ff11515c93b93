"""At most k, and weighted sums, by an encoder of pindakaas, such as `totalizer` or `mixed_radix`.

    bezzel check '{command: "python3 examples/pindakaas_encoder.py mixed_radix", kind: at-most-k}' --k 3
    bezzel show '{command: "python3 examples/pindakaas_encoder.py totalizer", kind: at-most-k}' --k 3
    bezzel show '{command: "python3 examples/pindakaas_encoder.py watchdog", kind: sum}' --weights 3,5,7 --bound 9

docs/external-encoders.md states the protocol.
"""

import sys

from pindakaas import CNF, Encoder


def main():
    names = [name.lower() for name in dir(Encoder) if name.isupper()]
    if len(sys.argv) != 2 or sys.argv[1] not in names:
        sys.exit(f"name one encoder of pindakaas: {', '.join(names)}")
    encoder = getattr(Encoder, sys.argv[1].upper())
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("this encoder reads version 1 of the protocol")
    for request in sys.stdin:
        words = request.split()
        if words[:2] == ["sum", "at-most"]:
            bound, _, *weights = map(int, words[2:])
        elif words[0] == "at-most":
            bound, n = map(int, words[1:])
            weights = [1] * n
        else:
            sys.exit(f"this encoder takes at-most and sums, not {words[0]}: add `kind: at-most-k` or `kind: sum`")
        formula = CNF()
        terms = zip(weights, formula.new_vars(len(weights)))
        formula.add_encoding(sum(weight * lit for weight, lit in terms) <= bound, encoder=encoder)
        print(formula.to_dimacs().strip())


main()
