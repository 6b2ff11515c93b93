"""Clauses: right on all assignments, equal to those of the command line, and usable by PySAT."""

import gc
import itertools
import os
import subprocess

import bezzel
import pytest
from bezzel import _encode
from conftest import need


def satisfiable(clauses, known):
    """True if the clauses have a model with these literals."""
    known = set(known)
    changed = True
    while changed:
        changed = False
        rest = []
        for clause in clauses:
            if any(lit in known for lit in clause):
                continue
            open_lits = [lit for lit in clause if -lit not in known]
            if not open_lits:
                return False
            if len(open_lits) == 1:
                known.add(open_lits[0])
                changed = True
            else:
                rest.append(open_lits)
        clauses = rest
    if not clauses:
        return True
    lit = clauses[0][0]
    return satisfiable(clauses, known | {lit}) or satisfiable(clauses, known | {-lit})


def assert_right(formula, lits, allows):
    """All assignments of the literals are allowed or forbidden as they should be."""
    for values in itertools.product([False, True], repeat=len(lits)):
        known = [lit if value else -lit for lit, value in zip(lits, values)]
        assert satisfiable(formula.clauses, known) == allows(sum(values)), (lits, values)


def test_every_encoding_of_at_most_one_is_right():
    ids = bezzel.encodings()
    assert len(ids) > 50 and "product" in ids and "binary" not in ids
    for encoding in [*ids, "commander:7", {"short": "pairwise", "long": "product", "at": 4}]:
        with bezzel.Encoder(encoding) as encoder:
            for n in range(7):
                lits = [-lit if lit % 3 == 0 else lit for lit in range(4, 4 + n)]
                assert_right(encoder.at_most(lits, 1), lits, lambda true: true <= 1)


def test_every_encoder_of_bounds_is_right():
    ids = bezzel.bounds()
    assert len(ids) > 15 and "adder" in ids
    cases = [(n, k) for n in (0, 1, 4) for k in range(n + 2)] + [(6, 2), (6, 3)]
    for encoding in ids:
        with bezzel.Encoder(encoding) as encoder:
            for n, k in cases:
                lits = list(range(1, n + 1))
                assert_right(encoder.at_most(lits, k), lits, lambda true: true <= k)
                assert_right(encoder.at_least(lits, k), lits, lambda true: true >= k)
                assert_right(encoder.exactly(lits, k), lits, lambda true: true == k)


@pytest.mark.parametrize("encoding", ["pairwise", "product", "totalizer:cut", "sequential-counter"])
def test_clauses_are_those_of_the_command_line(encoding):
    words = {"at-most": bezzel.at_most, "at-least": bezzel.at_least, "exactly": bezzel.exactly}
    for (word, function), k in itertools.product(words.items(), (1, 8)):
        printed = subprocess.run(
            [os.environ["BEZZEL_PROGRAM"], "encoder", encoding],
            input=f"bezzel-encoder 1\n{word} {k} 9\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        head, *lines = printed.splitlines()
        formula = function(range(1, 10), k, encoding=encoding)
        assert formula.clauses == [[int(lit) for lit in line.split()[:-1]] for line in lines]
        assert head == f"p cnf {formula.nv} {len(formula)}"


def test_the_default_is_that_of_the_commands():
    lits = range(1, 21)
    for k, encoding in [(1, "product"), (3, "totalizer:cut")]:
        for function in (bezzel.at_most, bezzel.exactly):
            assert function(lits, k) == function(lits, k, encoding=encoding)
    weights = range(1, 21)
    assert bezzel.at_most(lits, 50, weights=weights) == bezzel.at_most(lits, 50, "robdd-or-watchdog", weights=weights)


def test_new_variables_begin_after_the_top_id_and_the_literals():
    assert bezzel.at_most([3, -9], 1, encoding="pairwise").nv == 9
    formula = bezzel.at_most([3, -9, 4, 5], 2, encoding="sequential-counter", top_id=50)
    variables = {abs(lit) for clause in formula for lit in clause}
    new = variables - {3, 4, 5, 9}
    assert new == set(range(51, formula.nv + 1))
    formula = bezzel.at_most([7, 8], 1, encoding="pairwise", top_id=2)
    assert (formula.clauses, formula.nv) == ([[-7, -8]], 8)


def test_the_order_of_the_literals_changes_groups_alone():
    lits = list(range(1, 11))
    stated, turned, drawn = (
        bezzel.at_most(lits, 1, encoding="commander:3", order=order)
        for order in ("as-stated", "reversed", "random:3")
    )
    assert stated.clauses != turned.clauses and stated.clauses != drawn.clauses
    assert turned == bezzel.at_most(lits[::-1], 1, encoding="commander:3")
    assert len(stated) == len(turned) == len(drawn)
    assert_right(drawn, lits[:6], lambda true: true <= 1)


def test_bounds_have_any_sign_and_repeated_literals_are_merged():
    assert bezzel.at_most([1, 1, 2], 1).clauses == [[-1]]
    assert bezzel.at_least([1, 2, 3], -1).clauses == []
    assert bezzel.at_most([1, 2, 3], -1).clauses == [[]]
    assert bezzel.exactly([1, -1], 1).clauses == []
    assert bezzel.exactly([1, -1, 2], 1).clauses == [[-2]]
    formula = bezzel.at_most([1, 2, 3, 4, 4], 2)
    for one, two, three, four in itertools.product([False, True], repeat=4):
        known = [lit if value else -lit for lit, value in zip([1, 2, 3, 4], [one, two, three, four])]
        assert satisfiable(formula.clauses, known) == (one + two + three + 2 * four <= 2), known


def test_an_encoder_goes_on_after_an_error_with_the_text_of_the_program():
    with bezzel.Encoder("commander:3") as encoder:
        for lits, k, message in [
            ([0, 1], 1, "`0` is not a literal"),
            ([1, 2, 3, 4], 2, "`commander:3` encodes at most one alone"),
        ]:
            with pytest.raises(bezzel.Error, match=message) as caught:
                encoder.at_most(lits, k)
            assert caught.value.code == 2
            assert not str(caught.value).startswith("error: ")
            assert encoder.at_most([1, 2, 3]).clauses
    with pytest.raises(bezzel.Error, match="did you mean `pairwise`"):
        bezzel.at_most([1, 2], 1, encoding="pairwize")
    with pytest.raises(bezzel.Error, match="encodes more than one constraint"):
        bezzel.exactly([1, 2], 1, encoding="binary")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"lits": [1, 1.5]}, "`lits` .*'float'"),
        ({"lits": None}, "`lits` .*not iterable"),
        ({"bound": 1.0}, "`bound` is a whole number, not 1.0"),
        ({"weights": [1, 2, 3.5]}, "`weights` .*'float'"),
        ({"condition": "4"}, "`condition` is a whole number, not '4'"),
        ({"top_id": "9"}, "`top_id` is a whole number, not '9'"),
        ({"order": None}, "`order` is as-stated, .*, not None"),
        ({"encoding": None}, "an encoding is .*, not None"),
        ({"encoding": 1}, "an encoding is .*, not 1: pass an id such as"),
        ({"encoding": {"short": "pairwise", "long": 1.5, "at": 3}}, "an encoding is .*, not 1.5"),
        ({"encoding": lambda lits, k, new_var: []}, "decorate it with `@bezzel.encoder`"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(arguments, message):
    with pytest.raises(TypeError, match=message):
        bezzel.at_most(**({"lits": [1, 2, 3], "encoding": "pairwise"} | arguments))


def test_the_message_about_an_unknown_encoding_has_the_functions_that_list_them():
    with pytest.raises(bezzel.Error, match=r"unknown encoding `wxyz`; `bezzel.encodings\(\)` and"):
        bezzel.at_most([1, 2, 3], encoding="wxyz")


def test_arrays_are_literals_and_arrays_of_floats_are_refused():
    need("numpy")
    import numpy

    lits = numpy.array([1, -2, 3], dtype="int8")
    assert bezzel.at_most(lits, 1, encoding="pairwise") == bezzel.at_most([1, -2, 3], 1, encoding="pairwise")
    for wrong in (lits.astype(float), lits.reshape(1, 3)):
        with pytest.raises(TypeError, match="`lits`"):
            bezzel.at_most(wrong, 1)


def test_a_closed_encoder_starts_again():
    with bezzel.Encoder("pairwise") as encoder:
        first = encoder.at_most([1, 2, 3])
    assert encoder.at_most([1, 2, 3]) == first
    encoder.close()
    encoder.close()


def test_a_missing_program_and_a_killed_one_are_named(monkeypatch, folder):
    with bezzel.Encoder("pairwise") as encoder:
        encoder.at_most([1, 2])
        encoder._process.kill()
        encoder._process.wait()
        with pytest.raises(bezzel.Error, match=r"the program was ended by signal 9 \(Killed\)") as caught:
            encoder.at_most([1, 2])
        assert caught.value.code == -9
        assert encoder.at_most([1, 2]).clauses == [[-1, -2]]
    for path in ("/nowhere/bezzel", "missing", str(folder)):
        monkeypatch.setenv("BEZZEL_PROGRAM", path)
        for call in (bezzel.bounds, lambda: bezzel.run("tiny"), lambda: bezzel.Encoder("pairwise").at_most([1, 2])):
            with pytest.raises(bezzel.Error, match=f"BEZZEL_PROGRAM is `{path}`, which is not a program"):
                call()


def test_messages_have_no_usage_of_the_command_line():
    with pytest.raises(bezzel.Error, match="unknown input order `sorted`") as caught:
        bezzel.at_most([1, 2], order="sorted")
    assert "--help" not in str(caught.value)


def test_many_clauses_come_in_one_piece():
    formula = bezzel.at_most(range(1, 801), 1, encoding="pairwise")
    assert len(formula) == 800 * 799 // 2
    assert formula.clauses[-1] == [-799, -800]
    assert formula.clauses == [[-a, -b] for a in range(1, 801) for b in range(a + 1, 801)]


def test_an_answer_in_parts_is_the_same(monkeypatch):
    need("numpy")
    with bezzel.Encoder("pairwise") as encoder:
        whole = encoder.at_most(range(1, 101))
        monkeypatch.setattr(_encode, "_PART", 1_000)
        parts = encoder.at_most(range(1, 101))
        assert parts == whole and parts.clauses == whole.clauses
        assert (parts.to_numpy() == whole.to_numpy()).all() and not parts.to_numpy().flags.writeable
        encoder._process.stdin.close()
        assert _encode._read(encoder._process.stdout, 1_001) == b""


@pytest.mark.parametrize("encoding, k", [("pairwise", 1), ("commander:3", 1), ("totalizer:cut", 3), ("adder", 3)])
def test_the_lists_and_the_array_have_the_same_clauses(encoding, k):
    need("numpy")
    with bezzel.Encoder(encoding) as encoder:
        for n, top_id in itertools.product((0, 1, 2, 9, 40), (None, 300, 5_000_000)):
            lits = [-lit if lit % 3 == 0 else lit for lit in range(2, 2 + n)]
            formula, other = encoder.exactly(lits, k, top_id), encoder.exactly(lits, k, top_id)
            assert formula == other and len(formula) == len(formula.clauses)
            flat = [number for clause in formula.clauses for number in [*clause, 0]]
            assert other.to_numpy().tolist() == flat
        assert formula != encoder.exactly(lits[::-1], k, top_id)


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_garbage_collector_stays_enabled_or_disabled(is_enabled):
    try:
        if not is_enabled:
            gc.disable()
        assert bezzel.at_most([1, 2, 3], 1, encoding="pairwise").clauses
        assert gc.isenabled() is is_enabled
    finally:
        gc.enable()


def test_the_array_has_all_clauses_with_their_ends():
    need("numpy")
    with bezzel.Encoder("pairwise") as encoder:
        assert encoder.at_most([1, 2, 3]).to_numpy().tolist() == [-1, -2, 0, -1, -3, 0, -2, -3, 0]
        assert encoder.at_most([1]).to_numpy().tolist() == []
        assert encoder.at_least([1, 2], 3).to_numpy().tolist() == [0]
        # Large variables are written in another way.
        array = encoder.at_most([5, -5_000_000, 7]).to_numpy()
        assert array.tolist() == [-5, 5_000_000, 0, -5, -7, 0, 5_000_000, -7, 0]
        assert not array.flags.writeable


def test_pysat_solves_with_the_clauses():
    need("pysat")
    from pysat.solvers import Solver

    formula = bezzel.exactly(range(1, 7), 2, encoding="totalizer:full+defined")
    with Solver(name="cadical153", bootstrap_with=formula.clauses) as solver:
        models = 0
        while solver.solve():
            models += 1
            solver.add_clause([-lit for lit in solver.get_model()[:6]])
    assert models == 15


def assert_sum(formula, lits, weights, condition, allows):
    """All assignments of the literals and the condition are allowed or forbidden as they should be."""
    variables = sorted({abs(lit) for lit in [*lits, *([condition] if condition else [])]})
    for values in itertools.product([False, True], repeat=len(variables)):
        known = {variable if value else -variable for variable, value in zip(variables, values)}
        total = sum(weight for lit, weight in zip(lits, weights) if lit in known)
        right = allows(total) or (condition is not None and condition not in known)
        assert satisfiable(formula.clauses, known) == right, (lits, weights, condition, known)


SUMS = [
    ([1, 2, 3], [3, 5, 7], 9, None),
    ([1, 2, 3], [3, 5, 7], 9, 4),
    ([1, -2, 3, 4], [3, 5, 7, 900], 15, -5),
    ([1, -2, 3, 4], [7, 5, -7, 9], 8, None),
    ([1, 2, 3, 1], [2, 0, -3, 4], 3, 4),
    ([1, 2, 3], [2, 3, 4], 5, 1),
    ([1, 2, 3, 4], [1, 1, 1, 1], 2, -6),
    ([1, 2], [2, 3], -1, 3),
    ([1, 2], [2, 3], 9, 3),
    ([], [], 0, 3),
]


@pytest.mark.parametrize("lits, weights, bound, condition", SUMS)
def test_sums_are_right_by_every_encoder_with_and_without_a_condition(lits, weights, bound, condition):
    assert "robdd" in bezzel.sums()
    for encoding in [bezzel.DEFAULT, *bezzel.sums()]:
        with bezzel.Encoder(encoding) as encoder:
            options = {"weights": weights, "condition": condition}
            at_most = encoder.at_most(lits, bound, **options)
            assert_sum(at_most, lits, weights, condition, lambda total: total <= bound)
            at_least = encoder.at_least(lits, bound, **options)
            assert_sum(at_least, lits, weights, condition, lambda total: total >= bound)
            exactly = encoder.exactly(lits, bound, **options)
            assert_sum(exactly, lits, weights, condition, lambda total: total == bound)


def test_a_condition_is_false_by_unit_propagation_when_the_bound_is_violated():
    for encoding in [bezzel.DEFAULT, "robdd", "generalised-totalizer", "weight-counter"]:
        for weights, bound in [(None, 2), ([3, 5, 7, 4], 9)]:
            of_lits = weights or [1] * 4
            formula = bezzel.at_most([1, 2, 3, 4], bound, encoding, weights=weights, condition=5)
            for values in itertools.product([False, True], repeat=4):
                known = [lit for lit, value in zip([1, 2, 3, 4], values) if value]
                is_violated = sum(of_lits[lit - 1] for lit in known) > bound
                assert (-5 in propagated(formula.clauses, known)) == is_violated, (encoding, known)
    # An encoder without sums adds the negation to each clause.
    formula = bezzel.at_most([1, 2, 3], 1, "pairwise", condition=-4)
    assert formula.clauses == [[4, -1, -2], [4, -1, -3], [4, -2, -3]]


def propagated(clauses, known):
    """The literals that unit propagation finds."""
    known = set(known)
    while True:
        units = set()
        for clause in clauses:
            open_lits = [lit for lit in clause if -lit not in known]
            if len(open_lits) == 1:
                units.update(open_lits)
        if units <= known:
            return known
        known |= units


def test_weights_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="there are 2 literals and 1 weights"):
        bezzel.at_most([1, 2], 1, weights=[3])
    with pytest.raises(bezzel.Error, match="is not a weight: it is a whole number"):
        bezzel.at_most([1, 2], 1, weights=[1 << 63, 1])
    with pytest.raises(bezzel.Error, match="the weights add up to .*; at most"):
        bezzel.at_most([1, 2], 1, weights=[(1 << 63) - 1, 1])
    with pytest.raises(bezzel.Error, match="take an encoder of docs/weighted-sums.md"):
        bezzel.at_most([1, 2, 3], 5_000, "totalizer:cut", weights=[3_000, 4_000, 2_500])
    assert bezzel.at_most([1, 2], 3, weights=[1 << 62, 3]).clauses == [[-1]]
