"""Generation of weighted sums: clauses of a bound on random weights, seen from Python, and their propagation."""

import random
import re
import shlex
import subprocess
import sys
from functools import cache

from generation import EXAMPLES, HEAD, kept_encoder, new_encoder, row
from measure import interleaved, table, timed

MEMORY = 8 << 30
SIZES = [(n, heaviest) for n in (20, 100, 1_000) for heaviest in (10, 1_000, 1_000_000)]

# The kind, Bezzel's encoder, the library, and its encoder.
PAIRS = [
    ("decision diagram", "robdd", "pindakaas", "decision_diagram"),
    ("generalised totalizer", "generalised-totalizer", "pindakaas", "totalizer"),
    ("sequential weight counter", "weight-counter", "pindakaas", "sequential_counter"),
    ("global watchdog", "global-watchdog", "pindakaas", "watchdog"),
    ("modulo totalizer", "n-level-modulo-totalizer", "pindakaas", "mixed_radix"),
    ("adder", "adder-network", "pindakaas", "adder"),
    ("generalised totalizer", "generalised-totalizer", "RustSAT", "generalized_totalizer"),
    ("dynamic watchdog", "dynamic-watchdog", "RustSAT", "dynamic_poly_watchdog"),
    ("adder", "adder-network", "RustSAT", "binary_adder"),
]

# Clauses are lists of Python, or `compact`: the bytes of the answer in Bezzel, a formula of the library in the others.
FORMS = {"pindakaas": ["compact", "lists"], "RustSAT": ["compact"]}


@cache
def weights_of(n, heaviest):
    draw = random.Random(f"{n} {heaviest}")
    return [draw.randint(1, heaviest) for _ in range(n)]


def sum_of(case):
    """The literals, their weights and the bound: half of the sum of the weights."""
    weights = weights_of(case["n"], case["heaviest"])
    return list(range(1, case["n"] + 1)), weights, sum(weights) // 2


def bezzel_program(is_object, is_compact):
    make = kept_encoder if is_object else new_encoder

    def measured(case, _):
        lits, weights, bound = sum_of(case)

        def call(_):
            encoder = make(case["ours"])
            formula = encoder.at_most(lits, bound, weights=weights)
            clauses = formula if is_compact else formula.clauses
            if not is_object:
                encoder.close()
            return clauses

        seconds, clauses = timed(call)
        return {"seconds": seconds, "clauses": len(clauses)}

    return measured


def pindakaas(is_compact):
    """The variables and the sum are made outside the measured time."""

    def measured(case, _):
        from pindakaas import CNF, Encoder

        encoder = getattr(Encoder, case["theirs"].upper())
        _, weights, bound = sum_of(case)

        def prepare():
            formula = CNF()
            terms = zip(weights, formula.new_vars(case["n"]))
            return formula, sum(weight * lit for weight, lit in terms) <= bound

        def call(made):
            formula, constraint = made
            formula.add_encoding(constraint, encoder=encoder)
            return formula if is_compact else formula.clauses()

        seconds, clauses = timed(call, prepare)
        count = int(clauses.to_dimacs().split(None, 4)[3]) if is_compact else len(clauses)
        return {"seconds": seconds, "clauses": count}

    return measured


def rustsat(case, _):
    """The literals are made outside the measured time. The formula is an object of the library."""
    from rustsat import Lit, VarManager
    from rustsat.encodings import pb

    make = {
        "generalized_totalizer": pb.GeneralizedTotalizer,
        "dynamic_poly_watchdog": pb.DynamicPolyWatchdog,
        "binary_adder": pb.BinaryAdder,
    }[case["theirs"]]
    lits, weights, bound = sum_of(case)
    terms = [(Lit(lit), weight) for lit, weight in zip(lits, weights)]

    def call(_):
        encoder = make(terms)
        clauses = encoder.encode_ub(bound, bound, VarManager(len(lits)))
        return clauses, encoder.enforce_ub(bound)

    seconds, (clauses, enforced) = timed(call)
    return {"seconds": seconds, "clauses": sum(1 for _ in clauses) + len(enforced)}


PROGRAMS = {
    "object, lists": bezzel_program(True, False),
    "object, compact": bezzel_program(True, True),
    "call, lists": bezzel_program(False, False),
    "call, compact": bezzel_program(False, True),
    "pindakaas, lists": pindakaas(False),
    "pindakaas, compact": pindakaas(True),
    "RustSAT, compact": rustsat,
}


def brief(found):
    """The results of a program, or the reason for their absence without the weights."""
    return re.sub(r"request \d+, `sum [^`]*`", "the request", found) if isinstance(found, str) else found


def rates(setup):
    """A table for each size."""
    rows = {size: [] for size in (SIZES[:2] if setup.is_quick else SIZES)}
    for pair in PAIRS:
        _, encoding, library, name = pair
        cases = [{"n": n, "heaviest": heaviest, "ours": encoding, "theirs": name} for n, heaviest in rows]
        names = {form: [f"{who}, {form}" for who in ("object", "call", library)] for form in FORMS[library]}
        found = interleaved("sums", sum(names.values(), []), cases, setup)
        for form, programs in names.items():
            for index, size in enumerate(rows):
                rows[size].append(row((*pair, 0), form, *(brief(found[program, index]) for program in programs)))
    for (n, heaviest), made in rows.items():
        yield f"### {n:,} literals with weights from 1 to {heaviest:,}\n\n{table(HEAD, made, 4)}"


@cache
def strength(encoder):
    """The cells of an encoder from `bezzel check --sums`: at most, equations, and clauses."""
    import bezzel

    done = subprocess.run([bezzel.program(), "check", encoder, "--sums"], capture_output=True, text=True)
    text = (done.stdout + done.stderr).strip().splitlines()
    if done.returncode not in (0, 1) or not text:
        return f"exit code {done.returncode}: {text[-1] if text else ''}", "", ""
    wrong = next((line.rpartition("WRONG: ")[2] for line in text if "WRONG: " in line), None)
    line = next((line for line in text if " of 5 inputs: " in line), None)
    if line is None:
        return f"WRONG: {wrong}", "", ""
    at_most, equations, clauses = line.rpartition(" of 5 inputs: ")[2].split("; ")
    at_most = at_most.removeprefix("at most: ") + (f"; WRONG on another sum: {wrong}" if wrong else "")
    return at_most, equations.removeprefix("equations: "), clauses.removesuffix(" clauses")


def strengths():
    """The findings of `bezzel check --sums` on the 75 functions of five inputs, of all encoders in the same way."""
    rows = []
    for kind, encoding, library, name in PAIRS:
        script = [sys.executable, str(EXAMPLES / f"{library.lower()}_encoder.py"), name]
        theirs = f'{{command: "{shlex.join(script)}", kind: sum}}'
        for label, encoder in ((f"Bezzel `{encoding}`", encoding), (f"{library} `{name}`", theirs)):
            rows.append([kind, label, *strength(encoder)])
    rows = [list(made) for made in sorted({tuple(made) for made in rows})]
    head = ["kind", "encoder", "at most", "equations", "clauses"]
    return "### Propagation on the 75 functions of five inputs\n\n" + table(head, rows, 4)


def tables(setup):
    yield "## Weighted sums"
    yield from rates(setup)
    yield strengths()
