"""Reading a file of constraints, and writing it in DIMACS CNF with its constraints encoded."""

import os
import random
import shutil
import time
from pathlib import Path

from measure import run_program, time_table

MEMORY = 8 << 30


def groups(seed, count):
    """`count` random groups of `count` variables. A group is 4 to 12 literals, and the largest number of true ones."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        n = draw.randint(4, 12)
        lits = [draw.choice((1, -1)) * variable for variable in draw.sample(range(1, count + 1), n)]
        made.append((lits, draw.randint(1, n - 1)))
    return made


def write_files(folder, made):
    """The same groups as KNF, OPB and CNF+."""
    count = len(made)
    knf, opb = [f"p knf {count} {count}"], [f"* #variable= {count} #constraint= {count}"]
    plus = [f"p cnf+ {count} {count}"]
    for lits, k in made:
        knf.append(f"k {len(lits) - k} {' '.join(str(-lit) for lit in lits)} 0")
        # At least n - k literals are false. A false literal of a variable x counts 1 - x.
        terms = " ".join(f"{'-1' if lit > 0 else '+1'} x{abs(lit)}" for lit in lits)
        opb.append(f"{terms} >= {sum(lit < 0 for lit in lits) - k} ;")
        plus.append(f"{' '.join(map(str, lits))} <= {k}")
    for ending, text in (("knf", knf), ("opb", opb), ("cnf+", plus)):
        (folder / f"groups.{ending}").write_text("\n".join(text) + "\n")


def written(seconds, path):
    """The result of a program that wrote this file, which is removed."""
    with open(path) as file:
        clauses = next(int(line.split()[3]) for line in file if line.startswith("p cnf"))
    os.remove(path)
    return {"seconds": seconds, "clauses": clauses}


def bezzel(ending):
    def measured(case, _):
        path = f"{case['folder']}/bezzel.cnf"
        command = [os.environ["BEZZEL_PROGRAM"], "encode", f"{case['folder']}/groups.{ending}"]
        return written(run_program([*command, "--encoding", case["ours"], "-o", path])[0], path)

    return measured


def pysat(case, _):
    from pysat.card import CardEnc, EncType
    from pysat.formula import CNF, CNFPlus

    path, encoding = f"{case['folder']}/pysat.cnf", getattr(EncType, case["pysat"])
    start = time.perf_counter()
    read = CNFPlus(from_file=f"{case['folder']}/groups.cnf+")
    formula = CNF()
    formula.clauses, formula.nv = read.clauses, read.nv
    for lits, bound in read.atmosts:
        made = CardEnc.atmost(lits, bound, top_id=formula.nv, encoding=encoding)
        formula.clauses.extend(made.clauses)
        formula.nv = max(formula.nv, made.nv)
    formula.to_file(path)
    return written(time.perf_counter() - start, path)


def pindakaas(case, _):
    """PySAT reads, since pindakaas reads no files of constraints."""
    from pindakaas import CNF, Encoder
    from pysat.formula import CNFPlus

    path, encoder = f"{case['folder']}/pindakaas.cnf", getattr(Encoder, case["pindakaas"])
    start = time.perf_counter()
    read = CNFPlus(from_file=f"{case['folder']}/groups.cnf+")
    formula = CNF()
    variables = list(formula.new_vars(read.nv))
    for lits, bound in read.atmosts:
        literals = [variables[lit - 1] if lit > 0 else ~variables[-lit - 1] for lit in lits]
        formula.add_encoding(sum(literals) <= bound, encoder=encoder)
    Path(path).write_text(formula.to_dimacs())
    return written(time.perf_counter() - start, path)


def minisat_plus(case, _):
    """MiniSat+ chooses among BDDs, sorters and adders. It ends when the formula is written."""
    path = f"{case['folder']}/minisat-plus.cnf"
    return written(run_program(["minisat+", "-v0", f"-cnf={path}", f"{case['folder']}/groups.opb"])[0], path)


MINISAT_PLUS = "MiniSat+ `-cnf`, OPB"
PROGRAMS = {
    "`bezzel encode`, CNF+": bezzel("cnf+"),
    "`bezzel encode`, KNF": bezzel("knf"),
    "`bezzel encode`, OPB": bezzel("opb"),
    "PySAT, CNF+": pysat,
    "PySAT reads, pindakaas encodes, CNF+": pindakaas,
    MINISAT_PLUS: minisat_plus,
}
ENCODINGS = [
    {"ours": "sequential-counter:knuth", "pysat": "seqcounter", "pindakaas": "SEQUENTIAL_COUNTER"},
    {"ours": "totalizer:full", "pysat": "totalizer", "pindakaas": "TOTALIZER"},
]


def tables(setup):
    count = 2_000 if setup.is_quick else 100_000
    write_files(setup.folder, groups(1, count))
    descriptions = {name: name for name in PROGRAMS if name != MINISAT_PLUS or shutil.which("minisat+")}
    cases = [{"folder": str(setup.folder), **encoding} for encoding in ENCODINGS]
    yield f"## A file of {count:,} groups, read and encoded"
    yield time_table("files", descriptions, cases, [f"`{case['ours']}`" for case in cases], setup)
