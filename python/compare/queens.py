"""Queens: the first solution, and all solutions."""

import json
import os
import time

from measure import run_program, time_table

MEMORY = 8 << 30
KNOWN = {8: 92, 9: 352, 10: 724, 11: 2_680, 12: 14_200}
"""Numbers of solutions, OEIS A000170."""


def lines(n):
    """Rows and columns, then diagonals of two or more squares. The squares are numbered from 1, row by row."""
    exactly = [[row * n + column + 1 for column in range(n)] for row in range(n)]
    exactly += [list(column) for column in zip(*exactly)]
    diagonals = {}
    for row in range(n):
        for column in range(n):
            diagonals.setdefault((0, row - column), []).append(row * n + column + 1)
            diagonals.setdefault((1, row + column), []).append(row * n + column + 1)
    return exactly, [line for line in diagonals.values() if len(line) > 1]


def is_solution(n, columns):
    """True if queens in these columns, row by row, do not attack each other."""
    diagonals = [[column + sign * row for row, column in enumerate(columns)] for sign in (1, -1)]
    return sorted(columns) == list(range(n)) and all(len(set(diagonal)) == n for diagonal in diagonals)


def checked(seconds, n, found):
    """The result of a program that found one solution (its columns) or all (their number)."""
    is_right = found == KNOWN[n] if isinstance(found, int) else is_solution(n, found)
    return {"seconds": seconds} if is_right else {"refused": f"WRONG: {found}"}


# The options that `bezzel solve N` picks for BatSat, with a seed in the place of renaming.
PICKED = ["upol=1", "decide_auxiliary=false", "rnd_init_act=true"]


def bezzel_first(solver):
    def measured(n, seed):
        options = ["--json", "--encoding", "product", "--solver", solver]
        if solver == "batsat":
            options += [f"--option={option}" for option in [*PICKED, f"random_seed={seed}"]]
        else:
            options += ["--shuffle", str(seed)]
        seconds, printed = run_program([os.environ["BEZZEL_PROGRAM"], "solve", str(n), *options], codes=[10])
        return checked(seconds, n, [column - 1 for _, column in sorted(json.loads(printed)["places"])])

    return measured


def bezzel_all(*options):
    def measured(n, _):
        seconds, printed = run_program([os.environ["BEZZEL_PROGRAM"], "solve", str(n), *options], codes=[0, 10])
        found = printed.splitlines()
        return checked(seconds, n, int(found[-1]) if "--count" in options else len(found))

    return measured


def cp_sat(is_all, is_different):
    """CP-SAT with its default number of workers. Enumeration permits one."""

    def measured(n, seed):
        from ortools.sat.python import cp_model

        class Counter(cp_model.CpSolverSolutionCallback):
            count = 0

            def on_solution_callback(self):
                self.count += 1

        start = time.perf_counter()
        model = cp_model.CpModel()
        if is_different:
            queens = [model.new_int_var(0, n - 1, f"q{row}") for row in range(n)]
            for sign in (0, 1, -1):
                model.add_all_different(queens[row] + sign * row for row in range(n))
        else:
            exactly, at_most = lines(n)
            squares = [model.new_bool_var("") for _ in range(n * n)]
            for line in exactly:
                model.add_exactly_one(squares[square - 1] for square in line)
            for line in at_most:
                model.add_at_most_one(squares[square - 1] for square in line)
        solver, counter = cp_model.CpSolver(), Counter()
        solver.parameters.random_seed = seed
        if is_all:
            solver.parameters.num_workers = 1
            solver.parameters.enumerate_all_solutions = True
        solver.solve(model, counter)
        seconds = time.perf_counter() - start
        if is_all:
            return checked(seconds, n, counter.count)
        if is_different:
            return checked(seconds, n, [solver.value(queen) for queen in queens])
        return checked(seconds, n, [square % n for square in range(n * n) if solver.value(squares[square])])

    return measured


# The program of Potassco's examples. The domain of C is stated in the diagonals, too, which are then grounded faster.
ASP = """
{ q(R,1..n) } = 1 :- R = 1..n.
{ q(1..n,C) } = 1 :- C = 1..n.
:- { q(D-C,C) : C = 1..n } >= 2, D = 2..2*n.
:- { q(D+C,C) : C = 1..n } >= 2, D = 1-n..n-1.
"""


def clingo(is_all, configuration):
    def measured(n, seed):
        import clingo

        columns = {}

        def keep(model):
            columns.update((of.arguments[0].number, of.arguments[1].number - 1) for of in model.symbols(atoms=True))

        start = time.perf_counter()
        options = [f"--configuration={configuration}", f"--seed={seed}", f"--models={0 if is_all else 1}"]
        control = clingo.Control([f"--const=n={n}", *options])
        control.add("base", [], ASP)
        control.ground([("base", [])])
        control.solve(on_model=None if is_all else keep)
        seconds = time.perf_counter() - start
        count = int(control.statistics["summary"]["models"]["enumerated"])
        return checked(seconds, n, count if is_all else [column for _, column in sorted(columns.items())])

    return measured


def pysat(is_all, name, encoding):
    """A solver of PySAT. It has no seed. `native` constraints are not encoded."""

    def measured(n, _):
        from pysat.card import CardEnc, EncType
        from pysat.solvers import Solver

        start = time.perf_counter()
        exactly, at_most = lines(n)
        with Solver(name=name, bootstrap_with=exactly) as solver:
            top = n * n
            for line in exactly + at_most:
                if encoding == "native":
                    solver.add_atmost(line, 1)
                    continue
                made = CardEnc.atmost(line, 1, top_id=top, encoding=getattr(EncType, encoding))
                top = max(top, made.nv)
                solver.append_formula(made.clauses)
            count = 0
            while solver.solve():
                queens = [lit for lit in solver.get_model()[: n * n] if lit > 0]
                if not is_all:
                    return checked(time.perf_counter() - start, n, [(lit - 1) % n for lit in queens])
                count += 1
                solver.add_clause([-lit for lit in queens])
            return checked(time.perf_counter() - start, n, count)

    return measured


LIST = ("--all", "--format", "json")
# The first program is the base of the ratios.
FIRST = {
    "`bezzel solve N` (`product`, BatSat)": bezzel_first("batsat"),
    "`bezzel solve N --solver cadical`": bezzel_first("cadical"),
    "CP-SAT, `add_all_different`": cp_sat(False, True),
    "CP-SAT, `add_exactly_one`, `add_at_most_one`": cp_sat(False, False),
    "clingo, `--configuration=auto`": clingo(False, "auto"),
    "clingo, `--configuration=jumpy`": clingo(False, "jumpy"),
    "PySAT, CaDiCaL 1.9.5, `bitwise`": pysat(False, "cadical195", "bitwise"),
    "PySAT, Glucose 4.2, `bitwise`": pysat(False, "glucose42", "bitwise"),
    "PySAT, MiniCard, `add_atmost`": pysat(False, "minicard", "native"),
    "PySAT, Gluecard 4, `add_atmost`": pysat(False, "gluecard4", "native"),
}
ALL = {
    "`bezzel solve N --all` (`backtrack`)": bezzel_all(*LIST),
    "`bezzel solve N --all --engine blocking` (`pairwise`, CaDiCaL)": bezzel_all(
        *LIST, "--engine", "blocking", "--encoding", "pairwise"
    ),
    "`bezzel solve N --all --engine propagator` (`pairwise`)": bezzel_all(
        *LIST, "--engine", "propagator", "--encoding", "pairwise"
    ),
    "`bezzel solve N --count` (`backtrack`)": bezzel_all("--count"),
    "all: CP-SAT, `add_all_different`": cp_sat(True, True),
    "all: CP-SAT, `add_exactly_one`, `add_at_most_one`": cp_sat(True, False),
    "all: clingo, `--configuration=auto`": clingo(True, "auto"),
    "all: clingo, `--configuration=frumpy`": clingo(True, "frumpy"),
    "all: PySAT, CaDiCaL 1.9.5, `pairwise`": pysat(True, "cadical195", "pairwise"),
    "all: PySAT, Glucose 4.2, `pairwise`": pysat(True, "glucose42", "pairwise"),
    "all: PySAT, MiniCard, `add_atmost`": pysat(True, "minicard", "native"),
}
PROGRAMS = FIRST | ALL


def tables(setup):
    yield "## Queens"
    sizes = ([50, 100], [8, 9]) if setup.is_quick else ([100, 200, 400], [8, 9, 10, 11, 12])
    for title, programs, boards in (("First solution", FIRST, sizes[0]), ("All solutions", ALL, sizes[1])):
        descriptions = {name: name.removeprefix("all: ") for name in programs}
        labels = [f"N = {n}" for n in boards]
        made = time_table("queens", descriptions, boards, labels, setup, is_growing=True)
        yield f"### {title}\n\n{made}"
