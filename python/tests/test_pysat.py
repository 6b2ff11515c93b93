"""PySAT's calls with the encoders of Bezzel: the models of PySAT's own clauses; and the totalizer that grows."""

import itertools
import random

import bezzel
import bezzel.pysat
import pytest
from bezzel.pysat import CardEnc, EncType, IDPool, ITotalizer, PBEnc
from conftest import need
from test_encoders import satisfiable


def models(formula, lits):
    """The values of the literals that some model of the clauses has."""
    signed = [[lit if value else -lit for lit, value in zip(lits, values)] for values in product(len(lits))]
    return [tuple(lit > 0 for lit in one) for one in signed if satisfiable(formula.clauses, one)]


def product(n):
    return itertools.product([False, True], repeat=n)


CALLS = ["atmost", "atleast", "equals"]


@pytest.mark.parametrize("name", [name for name, known in bezzel.pysat._COUNTS.items() if known])
def test_counts_have_the_models_of_pysat(name):
    need("pysat")
    from pysat import card

    number = getattr(card.EncType, name)
    for n, call in itertools.product(range(2, 6), CALLS):
        lits = list(range(1, n + 1))
        for bound in [1] if name in ("pairwise", "bitwise", "ladder") else range(n + 1):
            theirs = getattr(card.CardEnc, call)(lits=lits, bound=bound, top_id=7, encoding=number)
            for encoding in (EncType[name], number):
                ours = getattr(CardEnc, call)(lits=lits, bound=bound, top_id=7, encoding=encoding)
                assert models(ours, lits) == models(theirs, lits), (call, n, bound)
                assert ours.nv >= 7 and all(abs(lit) > 7 or abs(lit) <= n for clause in ours for lit in clause)


@pytest.mark.parametrize("name", [name for name, known in bezzel.pysat._SUMS.items() if known])
def test_sums_have_the_models_of_pysat(name):
    for module in ("pysat", "pindakaas"):
        need(module)
    from pysat import pb

    draw = random.Random(1)
    lits = [1, -2, 3, 4]
    for call, conditionals in itertools.product([*CALLS, "leq", "geq"], ([], [5], [-5, 6])):
        weights = [draw.randint(1, 6) for _ in lits]
        arguments = {"bound": draw.randint(1, sum(weights)), "conditionals": conditionals, "top_id": 9}
        theirs = getattr(pb.PBEnc, call)(lits, weights, encoding=getattr(pb.EncType, name), **arguments)
        ours = getattr(PBEnc, call)(lits, weights, encoding=EncType[name], **arguments)
        pairs = getattr(PBEnc, call)(list(zip(lits, weights)), encoding=EncType[name], **arguments)
        assert pairs == ours
        assert models(ours, [*lits, 5, 6]) == models(theirs, [*lits, 5, 6]), (call, weights, arguments)


def pools():
    """The pool of Bezzel, and that of PySAT."""
    need("pysat")
    from pysat import formula

    return IDPool, formula.IDPool


def test_pools_give_the_variables_of_pysat():
    for pool in pools():
        one = pool(occupied=[[12, 18], [3, 10]])
        assert [one.id(f"v{number}") for number in range(5)] == [1, 2, 11, 19, 20]
        assert (one.id("v4"), one.obj(19), one.obj(7), one.id()) == (20, "v3", None, 21)
        one.occupy(22, 30)
        assert (one.id(), one.top) == (31, 31)
        one.restart(start_from=5)
        assert one.id("v0") == 5


def test_new_variables_are_those_of_the_pool():
    for pool in pools():
        one = pool(occupied=[[9, 9], [14, 40]])
        lits = [one.id(number) for number in range(6)]
        assert lits == [1, 2, 3, 4, 5, 6]
        used = set(lits)
        for call in (bezzel.at_most, bezzel.at_least, CardEnc.equals, PBEnc.leq, bezzel.Encoder().exactly):
            formula = call(lits, bound=2, vpool=one)
            new = {abs(lit) for clause in formula for lit in clause} - set(lits)
            assert new and not new & used and not new & {9, *range(14, 41)}
            assert formula.nv == max(new) == one.top
            used |= new | {one.id()}
            assert len(models(formula, lits)) == sum(
                {"at_most": true <= 2, "leq": true <= 2, "atmost": true <= 2, "at_least": true >= 2}.get(
                    call.__name__, true == 2
                )
                for true in map(sum, product(6))
            )
        # Literals may be greater than all variables of the pool.
        assert bezzel.at_most([1, 2, 300], encoding="pairwise", vpool=one).nv == one.top == 300
        formula = PBEnc.leq(lits, [1, 2, 3, 1, 2, 3], bound=4, vpool=one, conditionals=[1, 2])
        assert min(abs(clause[-1]) for clause in formula.clauses[:1]) == 301
        with pytest.raises(TypeError, match="exclude each other"):
            bezzel.at_most(lits, top_id=9, vpool=one)


def test_an_encoding_without_counterpart_is_refused():
    for call, encoding, message in [
        (CardEnc.atmost, EncType.native, "`EncType.native` has no counterpart here: take one of pairwise, "),
        (CardEnc.atmost, EncType.binmerge, "`EncType.binmerge` has no counterpart"),
        (CardEnc.atmost, 10, "has no number 10"),
        (PBEnc.atmost, EncType.ladder, "`EncType.ladder` has no counterpart here: take one of best, "),
        (CardEnc.atmost, "paiwise", "did you mean `pairwise`"),
    ]:
        with pytest.raises(bezzel.Error, match=message):
            call([1, 2, 3], encoding=encoding)


def test_clauses_of_pysat_s_solvers_need_no_conversion():
    need("pysat")
    from pysat.formula import CNF
    from pysat.solvers import Solver

    formula = CardEnc.equals([1, 2, 3], bound=2, encoding="totalizer:cut")
    cnf = CNF(from_clauses=[[-1]])
    cnf.extend(formula.clauses)
    for clauses in (cnf, [[-1], *formula]):
        with Solver(bootstrap_with=clauses) as solver:
            assert solver.solve() and {2, 3} <= set(solver.get_model())
    with Solver(bootstrap_with=formula) as solver:
        assert not solver.solve(assumptions=[-1, -2])


@pytest.mark.parametrize("n", range(7))
def test_a_totalizer_grows_to_the_clauses_of_each_bound(n):
    lits = [-lit if lit == 3 else lit for lit in range(1, n + 1)]
    for bounds in itertools.chain.from_iterable(itertools.combinations(range(n + 2), size) for size in (1, 2, 3)):
        totalizer = bezzel.Totalizer(lits, bounds[0], top_id=9)
        for number, bound in enumerate(bounds):
            before = list(totalizer.clauses)
            if number:
                further = totalizer.increase(bound, top_id=20)
                assert totalizer.clauses == before + further.clauses
                assert further.nv == totalizer.nv
            assert len(totalizer.rhs) == min(bound + 1, n)
            for values in product(n):
                known = [lit if value else -lit for lit, value in zip(lits, values)]
                for k in range(bound + 1):
                    stated = totalizer.clauses + [[lit] for lit in totalizer.at_most(k)]
                    assert satisfiable(stated, known) == (sum(values) <= k)
            # The number of clauses does not depend on the way.
            direct = bezzel.Totalizer(lits, bound)
            assert (len(direct.clauses), len(direct.rhs)) == (len(totalizer.clauses), len(totalizer.rhs))
        assert not totalizer.increase(bounds[0]).clauses
        with pytest.raises(ValueError, match="increase the bound"):
            totalizer.at_most(bounds[-1] + 1)


def test_a_totalizer_is_incremental_in_a_solver():
    need("pysat")
    from pysat.solvers import Solver

    totalizer = bezzel.Totalizer(range(1, 13), 2)
    with Solver(bootstrap_with=[range(1, 13), [5, 6], [7, 8], [9, 10], [1]]) as solver:
        solver.append_formula(totalizer.clauses)
        while not solver.solve(assumptions=totalizer.at_most(totalizer.bound)):
            solver.append_formula(totalizer.increase(totalizer.bound + 1))
    assert totalizer.bound == 4


def test_a_growing_totalizer_has_the_models_of_pysat():
    need("pysat")
    from pysat import card

    lits = [1, -2, 3, 4, 5]
    ours, theirs = (made(lits=lits, ubound=1, top_id=9) for made in (ITotalizer, card.ITotalizer))
    for bound in (1, 2, 4):
        for one in (ours, theirs):
            one.increase(ubound=bound, top_id=one.top_id)
        assert ours.ubound == bound and ours.nof_new <= len(ours.cnf.clauses) and ours.cnf.nv == ours.top_id
        for k in range(min(bound + 1, len(ours.rhs), len(theirs.rhs))):
            forbidden = [
                bezzel.Clauses.of([*one.cnf.clauses, [-one.rhs[k]]], one.top_id) for one in (ours, theirs)
            ]
            assert models(forbidden[0], lits) == models(forbidden[1], lits)
