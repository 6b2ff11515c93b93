"""Encoders in Python: checked, refused where they are wrong, measured."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import bezzel
import pytest
from bezzel._own import encoded


@bezzel.encoder
def binomial(lits, k, new_var):
    print("a print is no clause")
    return [[-lit for lit in some] for some in itertools.combinations(lits, k + 1)]


@bezzel.encoder(kind="at-most-one")
def halves(lits, k, new_var):
    if len(lits) <= 4:
        return [[-a, -b] for a, b in itertools.combinations(lits, 2)]
    side, middle = new_var(), len(lits) // 2
    clauses = [[-lit, side] for lit in lits[:middle]] + [[-lit, -side] for lit in lits[middle:]]
    for half in (lits[:middle], lits[middle:]):
        clauses += halves(half, k, new_var)
    return clauses


@bezzel.encoder
def forgetful(lits, k, new_var):
    return [[-lit for lit in lits[: k + 1]]]


@bezzel.encoder
def careless(lits, k, new_var):
    return [[-lits[0], 99]]


def test_a_right_encoder_prints_its_profile(capsys):
    bezzel.check(binomial)
    bezzel.check(halves)
    printed = capsys.readouterr().out
    assert printed.count("satisfies every property") == 2
    assert "at most, at least and exactly k from 2 to 149 of 3 to 150 inputs" in printed


def test_a_wrong_encoder_raises_with_its_counterexample():
    with pytest.raises(bezzel.Error, match=r"(?s)VIOLATES A PROPERTY.*wrongly") as caught:
        bezzel.check(forgetful)
    assert caught.value.code == 1
    with pytest.raises(bezzel.Error, match="clause 1 has the literal 99") as caught:
        bezzel.check(careless)
    assert caught.value.code == 2


@bezzel.encoder
def slip(lits, k, new_var):
    every = [[-lit for lit in some] for some in itertools.combinations(lits, k + 1)]
    return every[:-1] if k >= 2 and len(lits) >= 9 else every


def test_an_encoder_that_is_wrong_for_larger_bounds_of_many_inputs_alone_is_found():
    wrongly = "at most 2 of 9 inputs: it wrongly allows that exactly these inputs hold: 7 to 9"
    for k in (None, 2):
        with pytest.raises(bezzel.Error, match=wrongly) as caught:
            bezzel.check(slip, k)
        assert caught.value.code == 1


def test_a_profile_is_the_same_as_that_of_the_encoder_in_the_program():
    own, ours = (bezzel.show(encoding, 2)["limits"] for encoding in (binomial, "pairwise"))
    assert own[0]["propagation"] == ours[0]["propagation"] == "complete"
    # A program is asked for few lengths.
    assert own[0]["sizes"] == [size for size in ours[0]["sizes"] if size[0] in (3, 6, 20)]


def test_a_config_names_it_beside_others(folder):
    experiment = bezzel.run(
        {
            "name": "own",
            "problems": [{"queens": {"size": 6}}],
            "encodings": [halves, "pairwise"],
            "task": "size",
            "calibration": "off",
        },
        progress=None,
    )
    rows = experiment.rows("list")
    theirs, ours = sorted(rows, key=lambda row: row["encoding"] == "pairwise")
    assert "halves" in theirs["encoding"] and ours["encoding"] == "pairwise"
    assert (theirs["encoding_name"], ours["encoding_name"]) == ("halves", "pairwise")
    assert theirs["variables"] > ours["variables"] == 36


@bezzel.encoder
def product(lits, k, new_var):
    return []


def test_a_function_is_named_by_its_name_and_not_by_its_command_line(capsys):
    bezzel.check(binomial, 2)
    assert capsys.readouterr().out.startswith("binomial: "), capsys
    for encoder in (forgetful, careless):
        with pytest.raises(bezzel.Error) as caught:
            bezzel.check(encoder, 2)
        assert encoder.__name__ in str(caught.value)
        assert "bezzel.serve" not in str(caught.value), caught.value


def test_a_name_that_is_an_id_is_refused_before_a_config_is_written(folder):
    config = {"name": "own", "problems": [{"queens": {"size": 6}}], "solvers": ["batsat"]}
    with pytest.raises(bezzel.Error, match="the function `product` has the id of an encoding"):
        bezzel.run(config | {"encodings": ["pairwise", product]})
    other = bezzel.encoder(kind="at-most-one")(binomial.function)
    with pytest.raises(bezzel.Error, match="two functions have the name `binomial`"):
        bezzel.plan(config | {"encodings": [binomial, {"short": other, "long": "pairwise", "at": 4}]})
    assert not (folder / "configs").exists()
    # The alias of an encoding is no id.
    assert "binomial" not in bezzel.encodings()
    bezzel.plan(config | {"encodings": [binomial]})


def test_a_script_is_not_run_again_by_the_import_of_its_function(folder):
    (folder / "s.py").write_text(
        "import bezzel\nprint('begun')\n@bezzel.encoder\ndef f(lits, k, new_var):\n"
        "    return [[-a, -b] for a in lits for b in lits if a < b] if SIZE else []\n"
        "bezzel.at_most([1, 2], 1)\nSIZE = 2\nlate = len(bezzel.encodings())\nbezzel.check(f, 1)\nprint('ended')\n"
    )
    done = subprocess.run([sys.executable, "s.py"], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert (done.stdout.count("begun"), done.stdout.count("ended")) == (1, 1), done.stdout


def test_errors_of_calls_name_the_argument():
    for call, name in [
        (lambda: bezzel.show("product", "two"), "k"),
        (lambda: bezzel.check("product", 1.5), "k"),
        (lambda: bezzel.run(["a.yaml"]), "config"),
        (lambda: bezzel.run("a.yaml", progress=3), "progress"),
        (lambda: bezzel.tune("a.opb", budget=None), "budget"),
    ]:
        with pytest.raises(TypeError, match=f"`{name}` is "):
            call()


def test_a_function_within_another_is_refused():
    @bezzel.encoder
    def inner(lits, k, new_var):
        return []

    with pytest.raises(bezzel.Error, match="is not at the top of its module"):
        bezzel.check(inner)


@pytest.mark.parametrize(
    "returned, message",
    [
        (None, "the function returned None, and no clauses"),
        ([-1, -2], "clause 1 is -1, and no list of whole numbers"),
        ([[-1, -2], [-1.0, -3]], r"clause 2 is \[-1.0, -3\], and no list"),
    ],
)
def test_a_result_that_is_no_clauses_is_named(returned, message):
    with pytest.raises(TypeError, match=message):
        encoded(lambda lits, k, new_var: returned, 4, 1)


def test_a_generator_of_tuples_is_clauses_and_its_errors_are_its_own():
    def pairs(lits, k, new_var):
        for a, b in itertools.combinations(lits, 2):
            yield -a, -b
        yield k.stop

    with pytest.raises(AttributeError, match="stop"):
        encoded(pairs, 4, 1)
    assert encoded(lambda *of: itertools.islice(pairs(*of), 3), 3, 1) == (3, [[-1, -2], [-1, -3], [-2, -3]])


def test_the_decorator_takes_functions_alone():
    for wrong in ("at-most-one", 3, print, itertools.combinations):
        with pytest.raises(TypeError, match="decorates a function, not "):
            bezzel.encoder(wrong)


def test_clauses_of_a_function_are_those_of_its_call():
    with pytest.raises(bezzel.Error, match=r"call `halves\(lits, k, new_var\)` itself"):
        bezzel.at_most([1, 2, 3], 1, encoding=halves)
    assert halves([1, 2, 3], 1, None) == [[-1, -2], [-1, -3], [-2, -3]]


def test_a_function_of_a_notebook_is_written_to_a_file(folder):
    import linecache

    text = "import bezzel as b\n\n@b.encoder\ndef none_of_all(lits, k, new_var):\n    return [[-lit] for lit in lits]\n"
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
    cell = {"__name__": "__main__"}
    exec(compile(text, "<cell>", "exec"), cell)
    with pytest.raises(bezzel.Error, match="VIOLATES A PROPERTY"):
        bezzel.check(cell["none_of_all"])
    written = (folder / "encoders" / "none_of_all.py").read_text()
    assert "@" not in written and "return [[-lit] for lit in lits]" in written


@pytest.mark.parametrize("place", ["it's here", 'a"b', "a\\b", "a b", "it's \"$(touch PWN)\" {x}, #*", "=1"])
def test_a_function_in_a_folder_of_any_name_is_an_encoder(folder, place):
    Path(place).mkdir()
    Path(place, "mine.py").write_text(
        "import bezzel, itertools\n"
        "@bezzel.encoder\n"
        "def mine(lits, k, new_var):\n"
        "    return [[-lit for lit in some] for some in itertools.combinations(lits, k + 1)]\n"
        "if __name__ == '__main__':\n"
        "    bezzel.check(mine, 2)\n"
        "    config = {'name': 'own', 'problems': [{'queens': {'size': 4}}], 'encodings': [mine, 'product'], 'task': 'size'}\n"
        "    print(bezzel.plan(config))\n"
    )
    done = subprocess.run(
        [sys.executable, f"{place}/mine.py"],
        env={**os.environ, "PYTHONPATH": str(Path(bezzel.__file__).parents[1])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "at most 2 of 3 to 8 literals: correct" in done.stdout and "mine" in done.stdout
    assert not list(Path(".").rglob("PWN"))
