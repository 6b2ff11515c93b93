"""The comparison with other programs: its numbers, its files and its processes, without the other programs."""

import re
import subprocess
import sys
from math import comb

import pytest
from conftest import PYTHON, built, need

sys.path.insert(0, str(PYTHON / "compare"))

import files
import generation
import measure
import queens


def test_numbers_have_three_digits():
    values = [0, 0.000123456, 0.05, 1, 12.345, 999.9, 1_234.5, 2_500_000]
    texts = ["0", "0.000123", "0.0500", "1.00", "12.3", "1,000", "1,234", "2,500,000"]
    assert [measure.number(value) for value in values] == texts


def test_ratios_are_those_of_the_same_repetition():
    above, below = [2.0, 6.0, 12.0], [1.0, 2.0, 3.0]
    assert measure.ratios(above, below) == [2.0, 3.0, 4.0]
    assert measure.spread(measure.ratios(below, above)) == "0.333 (0.250 to 0.500)"
    assert measure.spread(measure.ratios(None, above)) == ""


def test_tables_have_one_line_for_each_row():
    made = measure.table(["a", "b"], [["x|y", "1"], ["two\nlines", "2"]], 1)
    assert made.splitlines() == ["| a | b |", "| --- | ---: |", "| x\\|y | 1 |", "| two lines | 2 |"]


def test_a_row_has_ratios_above_one_where_bezzel_is_faster():
    ours, once, theirs = (
        [{"seconds": seconds, "clauses": clauses}] for seconds, clauses in ((0.5, 1_000_000), (4, 1_000_000), (2, 500_000))
    )
    cells = generation.row(generation.PAIRS[0], "lists", ours, once, theirs)
    numbers = ["1,000,000", "500,000", "2.00", "0.250", "8.00 (8.00 to 8.00)", "4.00 (4.00 to 4.00)"]
    assert cells[4:] == [*numbers, "0.500 (0.500 to 0.500)"]
    refused = generation.row(generation.PAIRS[0], "lists", ours, once, "> 60 s")
    assert len(refused) == len(cells) == len(generation.HEAD) and "> 60 s" in refused


def test_the_three_files_state_the_same_constraints(folder):
    made = files.groups(7, 40)
    assert made == files.groups(7, 40)
    files.write_files(folder, made)
    formulas = []
    for ending in ("knf", "opb", "cnf+"):
        command = [built, "encode", f"groups.{ending}", "--encoding", "pairwise"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        formulas.append(sorted(sorted(line.split()) for line in printed.splitlines() if line.endswith(" 0")))
    assert formulas[0] == formulas[1] == formulas[2]
    # A clause for every k + 1 of the literals.
    assert len(formulas[0]) == sum(comb(len(lits), k + 1) for lits, k in made)


def test_solutions_of_queens_are_checked_by_the_rules():
    assert queens.is_solution(4, [1, 3, 0, 2])
    assert not any(queens.is_solution(4, columns) for columns in ([1, 3, 0], [1, 3, 0, 0], [0, 1, 2, 3], [1, 3, 0, 9]))
    exactly, at_most = queens.lines(3)
    assert exactly[0] == [1, 2, 3] and exactly[3] == [1, 4, 7]
    assert sorted(map(sorted, at_most)) == [[1, 5, 9], [2, 4], [2, 6], [3, 5, 7], [4, 8], [6, 8]]


def test_a_process_measures_refuses_and_is_ended_at_the_limit():
    worker = measure.Worker("queens", next(iter(queens.ALL)))
    try:
        assert worker.run(8, 1, 60)["seconds"] > 0
        assert worker.run(5, 1, 60) == {"refused": "KeyError: 5"}
        assert worker.run(8, 1, 0) == {"refused": "> 0 s", "is_late": True}
        assert worker.process is None
        assert worker.run(8, 1, 60)["seconds"] > 0
    finally:
        worker.end()


def test_repetitions_are_interleaved_and_a_refusal_stays():
    setup = measure.Setup(repetitions=2, limit=60, is_quick=True, folder=PYTHON)
    programs = [name for name in queens.ALL if name.startswith("`bezzel") and "CaDiCaL" not in name]
    found = measure.interleaved("queens", programs, [8, 5], setup)
    assert set(found) == {(program, index) for program in programs for index in (0, 1)}
    assert all(len(found[program, 0]) == 2 and found[program, 1] == "KeyError: 5" for program in programs)


@pytest.mark.parametrize("theirs, ours", [("seqcounter", "sequential-counter:knuth"), ("totalizer", "totalizer:full")])
def test_encoders_of_a_pair_have_the_same_size(theirs, ours):
    need("pysat")
    assert any(pair[1] == ours and pair[3] == theirs for pair in generation.PAIRS)
    case = {"n": 20, "k": 3, "ours": ours, "theirs": theirs}
    counts = {generation.PROGRAMS[name](case, 1)["clauses"] for name in ("object, lists", "call, compact", "PySAT, lists")}
    assert len(counts) == 1


def test_the_requirements_name_versions():
    lines = (PYTHON / "compare" / "requirements.txt").read_text().splitlines()
    assert lines == sorted(lines) and all(re.fullmatch(r"[a-z-]+==[0-9.a-z]+", line) for line in lines)
