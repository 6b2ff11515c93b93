"""At most k by an encoder of pindakaas, such as `totalizer` or `mixed_radix`.

    bezzel check '{command: "python3 examples/pindakaas_encoder.py mixed_radix", kind: at-most-k}' --k 3
    bezzel show '{command: "python3 examples/pindakaas_encoder.py totalizer", kind: at-most-k}' --k 3

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
        word, *numbers = request.split()
        if word != "at-most":
            sys.exit(f"this encoder takes at-most alone, not {word}: add `kind: at-most-k`")
        k, n = map(int, numbers)
        formula = CNF()
        formula.add_encoding(sum(formula.new_vars(n)) <= k, encoder=encoder)
        print(formula.to_dimacs().strip())


main()
