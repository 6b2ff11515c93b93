"""Weighted sums by an encoder of RustSAT (package `rustsat`): `generalized_totalizer`, `binary_adder` or
`dynamic_poly_watchdog`.

    bezzel check '{command: "python3 examples/rustsat_encoder.py generalized_totalizer", kind: sum}' --sums
    bezzel show '{command: "python3 examples/rustsat_encoder.py binary_adder", kind: sum}' --weights 3,5,7 --bound 9

docs/external-encoders.md states the protocol.
"""

import sys

from rustsat import Lit, VarManager
from rustsat.encodings.pb import BinaryAdder, DynamicPolyWatchdog, GeneralizedTotalizer

ENCODERS = {
    "generalized_totalizer": GeneralizedTotalizer,
    "binary_adder": BinaryAdder,
    "dynamic_poly_watchdog": DynamicPolyWatchdog,
}


def at_most(make, bound, weights):
    """The number of variables, and the clauses: those of the encoder, and those that enforce the bound."""
    n = len(weights)
    encoder = make([(Lit(variable), weight) for variable, weight in enumerate(weights, 1)])
    numbers = VarManager(n)
    clauses = [[lit.to_ipasir() for lit in clause] for clause in encoder.encode_ub(bound, bound, numbers)]
    clauses += [[lit.to_ipasir()] for lit in encoder.enforce_ub(bound)]
    return max([n] + [abs(lit) for clause in clauses for lit in clause]), clauses


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ENCODERS:
        sys.exit(f"name one encoder of RustSAT: {', '.join(ENCODERS)}")
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
            sys.exit(f"this encoder takes at-most and sums, not {words[0]}: add `kind: sum`")
        variables, clauses = at_most(ENCODERS[sys.argv[1]], bound, weights)
        print("p cnf", variables, len(clauses))
        for clause in clauses:
            print(*clause, 0)


main()
