"""Generation of cardinality encodings: clauses of at most k of n literals, seen from Python."""

import shlex
import sys
from functools import cache
from pathlib import Path
from statistics import median

from measure import interleaved, number, ratios, seconds, spread, table, timed

MEMORY = 8 << 30
SIZES = [(50, 1), (100, 1), (1_000, 1), (50, 10), (100, 10), (1_000, 10), (1_000, 500)]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

# The kind, Bezzel's encoder, the library, its encoder, and the largest k that both take.
ONE, ANY = 1, 1_000
PAIRS = [
    ("pairwise", "pairwise", "PySAT", "pairwise", ONE),
    ("bitwise", "bitwise", "PySAT", "bitwise", ONE),
    ("ladder", "ladder:slack", "PySAT", "ladder", ONE),
    ("sequential counter", "sequential-counter:knuth", "PySAT", "seqcounter", ANY),
    ("totalizer", "totalizer:full", "PySAT", "totalizer", ANY),
    ("modulo totalizer", "modulo-totalizer", "PySAT", "mtotalizer", ANY),
    ("modulo totalizer, cut", "k-modulo-totalizer", "PySAT", "kmtotalizer", ANY),
    ("sorting network", "sorting-network", "PySAT", "sortnetwrk", ANY),
    ("cardinality network", "cardinality-network", "PySAT", "cardnetwrk", ANY),
    ("pairwise", "pairwise", "pindakaas", "pairwise", ONE),
    ("bitwise", "bitwise", "pindakaas", "bitwise", ONE),
    ("ladder", "ladder:slack", "pindakaas", "ladder", ONE),
    ("product", "product", "pindakaas", "product", ONE),
    ("sequential counter", "sequential-counter", "pindakaas", "sequential_counter", ANY),
    ("totalizer, cut", "totalizer:cut", "pindakaas", "totalizer", ANY),
    ("cardinality network", "cardinality-network", "pindakaas", "sorting_network", ANY),
    ("BDD", "bdd:monotone", "pindakaas", "decision_diagram", ANY),
    ("adder", "adder", "pindakaas", "adder", ANY),
]

# Clauses are lists of Python, or `compact`: the bytes of the answer in Bezzel, a formula of the library in pindakaas.
FORMS = {"PySAT": ["lists"], "pindakaas": ["compact", "lists"]}


def new_encoder(encoding):
    import bezzel

    return bezzel.Encoder(encoding)


kept_encoder = cache(new_encoder)


def bezzel_program(is_object, is_compact):
    """An encoder object, whose process is running, or one call with the start and the end of the process."""

    make = kept_encoder if is_object else new_encoder

    def measured(case, _):
        lits = list(range(1, case["n"] + 1))

        def call(_):
            encoder = make(case["ours"])
            formula = encoder.at_most(lits, case["k"])
            clauses = formula if is_compact else formula.clauses
            if not is_object:
                encoder.close()
            return clauses

        seconds, clauses = timed(call)
        return {"seconds": seconds, "clauses": len(clauses)}

    return measured


def pysat(case, _):
    from pysat.card import CardEnc, EncType

    lits, encoding = list(range(1, case["n"] + 1)), getattr(EncType, case["theirs"])
    seconds, clauses = timed(lambda _: CardEnc.atmost(lits=lits, bound=case["k"], encoding=encoding).clauses)
    return {"seconds": seconds, "clauses": len(clauses)}


def pindakaas(is_compact):
    """The variables and the sum are made outside the measured time."""

    def measured(case, _):
        from pindakaas import CNF, Encoder

        encoder = getattr(Encoder, case["theirs"].upper())

        def prepare():
            formula = CNF()
            return formula, sum(formula.new_vars(case["n"])) <= case["k"]

        def call(made):
            formula, constraint = made
            formula.add_encoding(constraint, encoder=encoder)
            return formula if is_compact else formula.clauses()

        seconds, clauses = timed(call, prepare)
        count = int(clauses.to_dimacs().split(None, 4)[3]) if is_compact else len(clauses)
        return {"seconds": seconds, "clauses": count}

    return measured


PROGRAMS = {
    "object, lists": bezzel_program(True, False),
    "object, compact": bezzel_program(True, True),
    "call, lists": bezzel_program(False, False),
    "call, compact": bezzel_program(False, True),
    "PySAT, lists": pysat,
    "pindakaas, lists": pindakaas(False),
    "pindakaas, compact": pindakaas(True),
}

HEAD = ["kind", "Bezzel", "other", "form", "clauses: Bezzel", "other", "million/s: Bezzel", "other"]
HEAD += ["ratio of rates", "ratio of times", "ratio of one call"]


def row(pair, form, ours, once, theirs):
    """The row of two encoders: sizes, rates, and ratios above 1 where Bezzel is faster."""
    kind, encoding, library, name, _ = pair
    cells = [kind, f"`{encoding}`", f"{library} `{name}`", form]
    if reasons := [found for found in (ours, once, theirs) if isinstance(found, str)]:
        return [*cells, "", "", "", "", reasons[0], "", ""]
    counts = [found[0]["clauses"] for found in (ours, theirs)]
    rates = [count / median(seconds(found)) / 1e6 for count, found in zip(counts, (ours, theirs))]
    times = ratios(seconds(theirs), seconds(ours))
    cells += [f"{count:,}" for count in counts] + [number(rate) for rate in rates]
    cells.append(spread([ratio * counts[0] / counts[1] for ratio in times]))
    return [*cells, spread(times), spread(ratios(seconds(theirs), seconds(once)))]


def rates(setup):
    """A table for each size."""
    rows = {size: [] for size in (SIZES[::3][:2] if setup.is_quick else SIZES)}
    for pair in PAIRS:
        _, encoding, library, name, most = pair
        sizes = [size for size in rows if size[1] <= most]
        cases = [{"n": n, "k": k, "ours": encoding, "theirs": name} for n, k in sizes]
        names = {form: [f"{who}, {form}" for who in ("object", "call", library)] for form in FORMS[library]}
        found = interleaved("generation", sum(names.values(), []), cases, setup)
        for form, programs in names.items():
            for index, size in enumerate(sizes):
                rows[size].append(row(pair, form, *(found[program, index] for program in programs)))
    for (n, k), made in rows.items():
        yield f"### At most {k:,} of {n:,} literals\n\n{table(HEAD, made, 4)}"


def strengths():
    """Propagation and auxiliary variables, computed from the clauses of all encoders in the same way."""
    import bezzel

    commands = {}
    for kind, encoding, library, name, most in PAIRS:
        script = [sys.executable, str(EXAMPLES / f"{library.lower()}_encoder.py"), name]
        commands[kind, f"Bezzel `{encoding}`"] = [bezzel.program(), "encoder", encoding], most
        commands[kind, f"{library} `{name}`"] = script, most
    rows = []
    for (kind, label), (command, most) in sorted(commands.items()):
        cells = []
        for k in (1, 3):
            if k <= most:
                found = bezzel.show({"command": shlex.join(command), "kind": "at-most-k"}, k)["limits"][0]
                cells.append(f"{'' if found['correct'] else 'WRONG, '}{found['propagation']}, {found['auxiliaries']}")
        rows.append([kind, label, *cells, *[""] * (2 - len(cells))])
    return "### Propagation and auxiliary variables\n\n" + table(["kind", "encoder", "k = 1", "k = 3"], rows, 4)


def tables(setup):
    yield "## Cardinality encodings"
    yield from rates(setup)
    yield strengths()
