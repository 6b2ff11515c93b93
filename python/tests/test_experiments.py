"""Experiments: run, interrupted, read and drawn."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import bezzel
import pytest
from conftest import PYTHON, ROOT, need

CONFIG = {
    "name": "tiny",
    "problems": [{"queens": {"size": [5, 6]}}],
    "encodings": ["pairwise", {"short": "pairwise", "long": "product", "at": 6}],
    "solvers": ["batsat"],
    "calibration": "off",
    "warm_up": 0,
}


def test_a_dict_is_run_and_its_rows_and_figures_are_there(folder):
    lines = []
    experiment = bezzel.run(CONFIG, progress=lines.append)
    assert experiment.name == "tiny"
    assert any("4/4" in line and "4 verified" in line for line in lines), lines
    rows = experiment.rows("list")
    assert sorted(row["instance"] for row in rows) == ["5", "5", "6", "6"]
    assert {row["verdict"] for row in rows} == {"verified"}
    assert all(isinstance(row["conflicts"], int) and row["geometry"] == "plane" for row in rows)
    figures = experiment.figures()
    assert figures and all("<svg" in figure._repr_svg_() for figure in figures.values())
    # The same call finds all rows, by the dict and by the name of its config.
    for config in (CONFIG, "tiny", Path("configs/tiny.yaml")):
        assert "every job has its row" in bezzel.run(config, progress=None).output


def test_rows_are_a_frame_of_what_is_installed(folder):
    bezzel.run(CONFIG, progress=None)
    with pytest.raises(ValueError, match="pandas, polars or list"):
        bezzel.rows("tiny", "arrow")
    listed = bezzel.rows("tiny", "list")
    for library in ("pandas", "polars"):
        try:
            __import__(library)
        except ImportError:
            with pytest.raises(ImportError):
                bezzel.rows("tiny", library)
        else:
            frame = bezzel.rows("tiny", library)
            assert list(frame["key"]) == [row["key"] for row in listed]


def test_comparisons_are_the_pairs_of_the_report(folder):
    sizes = {"queens": {"size": list(range(5, 13))}}
    experiment = bezzel.run({**CONFIG, "problems": [sizes], "solvers": ["batsat", "cadical"]}, progress=None)
    pairs = experiment.comparisons("list")
    assert {(row["measure"], row["numbering"], row["answer"]) for row in pairs} == {
        ("time", "as-generated", "sat"),
        ("conflicts", "as-generated", "sat"),
    }
    assert len(pairs) == 4 and {row["solver"] for row in pairs} == {"batsat", "cadical", "cadical + LRAT"}
    page = Path("reports/tiny/table.md").read_text(encoding="utf-8")
    names = {"batsat": "BatSat", "cadical": "CaDiCaL", "cadical + LRAT": "CaDiCaL"}
    for row in pairs:
        of_row = [line for line in page.splitlines() if f"| {row['beside']} | {names[row['solver']]} | 8 |" in line]
        assert row["instances"] == 8 and any(f"| {row['verdict']} |" in line for line in of_row), row
    assert experiment.comparisons("list") == bezzel.comparisons("tiny", "list")
    single = bezzel.run({**CONFIG, "name": "single", "problems": [{"queens": {"size": 5}}]}, progress=None)
    assert single.comparisons("list") == []
    need("pandas")
    assert "verdict" in single.comparisons("pandas").columns


def test_a_record_of_compressed_sessions_is_read():
    rows = bezzel.rows("cao-figure-2-thirteen", "list", root=ROOT)
    assert {(row["instance"], row["verdict"]) for row in rows} == {("13", "verified")}


def test_faults_have_the_text_of_the_program_and_files_of_others_stay(folder):
    with pytest.raises(bezzel.Error, match=r"(?s)tiny\.yaml:.*did you mean `pairwise`") as caught:
        bezzel.run({**CONFIG, "encodings": ["pairwize"]})
    assert caught.value.code == 2
    with pytest.raises(bezzel.Error, match="unknown experiment `tinny`"):
        bezzel.rows("tinny")
    with pytest.raises(bezzel.Error, match="the config needs a `name`"):
        bezzel.run({**CONFIG, "name": "../tiny"})
    Path("configs").mkdir()
    Path("configs/theirs.yaml").write_text("name: theirs\n")
    with pytest.raises(bezzel.Error, match="bezzel.run did not write it"):
        bezzel.run({**CONFIG, "name": "theirs"})


@pytest.mark.parametrize("call", ["rows", "figures", "run", "tune", "show", "check"])
def test_a_name_that_begins_with_a_hyphen_is_no_option(folder, call):
    with pytest.raises(bezzel.Error, match="`--help`") as caught:
        getattr(bezzel, call)("--help")
    assert caught.value.code == 2


def test_values_that_begin_with_a_hyphen_are_no_options(folder):
    with pytest.raises(bezzel.Error, match="unknown encoding `--help`"):
        bezzel.at_most([1, 2], 1, encoding="--help")
    with pytest.raises(bezzel.Error, match="'-1' for `k`"):
        bezzel.show("product", -1)


def test_files_are_named_where_they_are_missing_or_no_encodings(folder):
    with pytest.raises(bezzel.Error, match="no file is given"):
        bezzel.tune([])
    file = ROOT / "configs" / "instances" / "roster.opb"
    with pytest.raises(bezzel.Error, match="roster.opb` is a file of constraints, and not an encoding"):
        bezzel.show(str(file))


def test_a_config_takes_ranges_paths_and_values_of_numpy(folder):
    need("numpy")
    import numpy

    sizes = [range(5, 7), numpy.arange(5, 7), [numpy.int64(5), 6]]
    for boards in ({"size": size} for size in sizes):
        bezzel.plan({**CONFIG, "problems": [{"queens": boards}]})
        written = json.loads(Path("configs/tiny.yaml").read_text().partition("\n")[2])
        assert written["problems"] == [{"queens": {"size": [5, 6]}}]
    with pytest.raises(bezzel.Error, match="none.opb: the file cannot be read"):
        bezzel.tune({"file": Path("none.opb")}, progress=None)
    for value, message in (({8}, r"the value \{8\}"), (print, "decorate it with `@bezzel.encoder`")):
        with pytest.raises(TypeError, match=message):
            bezzel.run({**CONFIG, "encodings": [value]})


LONG = """
import bezzel
bezzel.run({
    "name": "long", "problems": [{"queens": {"size": 8}}], "encodings": ["pairwise"], "solvers": ["batsat"],
    "numberings": [{"random": {"shuffles": 2000}}], "calibration": "off", "warm_up": 0,
})
"""


def test_ctrl_c_ends_the_program_and_keeps_the_rows(folder):
    # A shell without job control makes its background commands ignore Ctrl-C, and these tests may be one of them.
    process = subprocess.Popen(
        [sys.executable, "-c", LONG],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    sessions = folder / "experiments" / "long"
    start = time.monotonic()
    # The first line states the session.
    while sum(file.read_bytes().count(b"\n") for file in sessions.glob("*.jsonl")) < 4:
        assert process.poll() is None and time.monotonic() - start < 120
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (1, -signal.SIGINT)
    assert "KeyboardInterrupt: " in errors and "added and kept" in errors
    with pytest.warns(UserWarning, match="planned jobs have no row"):
        rows = bezzel.rows("long", "list")
    assert 3 <= len(rows) < 2000 and {row["verdict"] for row in rows} == {"verified"}


ROOKS = """\
* #variable= 4 #constraint= 4
+1 x1 +1 x2 = 1 ;
+1 x3 +1 x4 = 1 ;
+1 x1 +1 x3 <= 1 ;
+1 x2 +1 x4 <= 1 ;
"""

# `tune` continues a config that it wrote with the same budget: this one has few jobs.
FEW = """\
# bezzel tune --budget 1
name: few
problems:
  - {file: "few/rooks.opb"}
encodings: [pairwise, product]
solvers: [batsat]
numberings: {squares: row-major, shuffles: 8, literals: true, clauses: true}
calibration: off
"""


def test_a_file_is_tuned_and_the_choice_encodes_it(folder):
    Path("configs/few").mkdir(parents=True)
    Path("configs/few.yaml").write_text(FEW)
    for path in ("rooks.opb", "configs/few/rooks.opb"):
        Path(path).write_text(ROOKS)
    tuned = bezzel.tune("rooks.opb", 1, name="few", progress=None)
    assert tuned.name == "few" and len(tuned.rows("list")) == 16
    program, command, *words = tuned.command
    assert command == "encode" and words[:2] == ["rooks.opb", "--encoding"]
    assert os.path.samefile(shutil.which(program), os.environ["BEZZEL_PROGRAM"])
    subprocess.run(tuned.command, check=True, capture_output=True)
    assert "\np cnf 4 " in Path("formula.cnf").read_text()


def test_files_of_any_folder_are_copied_beside_the_config(folder):
    for place in ("mine", "other"):
        Path(place).mkdir()
        Path(place, "rooks.opb").write_text(ROOKS)
    file = Path("mine/rooks.opb")
    config = {key: value for key, value in CONFIG.items() if key != "problems"} | {"encodings": ["pairwise", "product"]}
    for problems in ([file], file, {"file": file}, [{"file": [file], "family": "rooks"}]):
        plan = bezzel.plan({**config, "problems": problems})
        assert plan.startswith("tiny: 2 jobs") and "rooks.opb" in plan and "too few instances" in plan
    assert Path("configs/tiny.files/rooks.opb").read_text() == ROOKS
    assert not Path("experiments").exists()
    with pytest.raises(bezzel.Error, match="have the same name"):
        bezzel.plan({**config, "problems": sorted(Path().glob("*/rooks.opb"))})
    with pytest.raises(bezzel.Error, match="`none.opb` is not a file"):
        bezzel.plan({**config, "problems": [Path("none.opb")]})
    experiment = bezzel.run({**config, "problems": [file]}, progress=None)
    assert [row["verdict"] for row in experiment.rows("list")] == ["verified"] * 2


def test_a_budget_of_tune_is_a_number_of_whole_minutes():
    with pytest.raises(TypeError, match="`budget` is a number of whole minutes, or a text such as \"1h\", not 0.2"):
        bezzel.tune("rooks.opb", 0.2)


def test_profiles_are_displayed_with_sizes_and_properties():
    profile = bezzel.show("product")
    assert profile.id == "product" and profile.is_right and profile["line"]["forms"]
    for text in (profile._repr_markdown_(), profile._repr_html_()):
        for part in ("product", "Chen", "complete", "at most one", "105,876"):
            assert part in text
    assert "at least 2" in bezzel.show("totalizer:cut", 2)._repr_html_()
    of_sum = bezzel.show("generalised-totalizer", weights=[3, 5, 7], bound=9)
    assert of_sum.is_right and of_sum["limits"][0]["propagation"] == "complete"
    assert "at most 9" in of_sum._repr_markdown_()
    with pytest.raises(bezzel.Error, match="belong together"):
        bezzel.show("generalised-totalizer", weights=[3, 5, 7])
    with pytest.raises(bezzel.Error, match="did you mean `pairwise`"):
        bezzel.show("pairwize")


def test_a_certificate_is_written(folder):
    files = bezzel.show("totalizer:cut", 2).certificate(5, "proofs")
    assert [file.name for file in files][0] == "proofs.constraint.opb"
    assert all(file.read_text() for file in files)


def test_the_version_is_that_of_the_crate():
    stated = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert bezzel.__version__ == stated[1]
    project = (PYTHON / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project and not re.search("^version", project, re.MULTILINE)


def test_the_notebook_answers_its_question(folder):
    need("nbclient")
    need("ipykernel")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(PYTHON / "examples" / "at_most_one.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not committed"
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute()
    last = notebook.cells[-1].outputs[0]["text"]
    assert "needs fewer clauses than pairwise from" in last, last


KNF = "p knf 3 1\nk {} 1 2 3 0\n"


@pytest.mark.parametrize("name", ["a*", "a?", "a[*]", "it's", 'a"b', "a\\b", "{a}: #b", "$(touch PWN)"])
def test_the_name_of_a_file_is_only_a_name(folder, name):
    Path(f"{name}.knf").write_text(KNF.format(1))
    Path("configs/named.files").mkdir(parents=True)
    Path("configs/named.files/ab.knf").write_text(KNF.format(2))
    config = {
        "name": "named",
        "problems": [Path(f"{name}.knf")],
        "encodings": ["totalizer:cut"],
        "task": "size",
    }
    plan = bezzel.plan(config)
    assert f"named.files/{name}.knf" in plan and "ab.knf" not in plan
    tuned = bezzel.tune(f"{name}.knf", 1, name="tuned", progress=None)
    assert "Chosen on" in tuned.output
    assert not list(Path(".").rglob("PWN"))


@pytest.mark.parametrize("name", ["a" * 300, "A", "a_b", "a/b", "..", "a\0", "\ud800", "a\n", "", "数", ".a", "a..b"])
def test_a_name_that_is_no_folder_is_refused(folder, name):
    with pytest.raises(bezzel.Error, match="the config needs a `name`"):
        bezzel.plan({**CONFIG, "name": name})


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_a_text_that_the_system_does_not_take_is_an_error_of_bezzel(folder, text):
    if "\0" not in text:
        with pytest.raises(bezzel.Error, match="which is no Unicode"):
            bezzel.plan({**CONFIG, "question": text})
    for call in (bezzel.show, bezzel.rows, bezzel.tune, bezzel.run):
        with pytest.raises(bezzel.Error, match="no file and no argument can have"):
            call(text)


def test_a_refused_config_leaves_all_files_as_they_were(folder):
    def files():
        return {path: path.is_file() and path.read_bytes() for path in Path().rglob("*")}

    Path("a.knf").write_text(KNF.format(1))
    problems = [Path("a.knf")]
    before = files()
    for refused in ({"name": "x"}, {**CONFIG, "solvers": ["batsad"], "problems": problems}, {**CONFIG, "encodings": [8.5]}):
        for call in (bezzel.plan, bezzel.run):
            with pytest.raises(bezzel.Error):
                call(refused)
            assert files() == before
    bezzel.run({**CONFIG, "problems": problems}, progress=None)
    before = files()
    Path("new").mkdir()
    Path("new/a.knf").write_text(KNF.format(2))
    before |= files()
    # The rows of the first file are those of another experiment.
    for refused, message in ((5, "problems"), ([Path("new/a.knf")], "rows of another experiment")):
        with pytest.raises(bezzel.Error, match=message):
            bezzel.run({**CONFIG, "problems": refused}, progress=None)
        assert files() == before
    with pytest.raises(bezzel.Error, match="none"):
        bezzel.plan(CONFIG, root="none")
    assert not Path("none").exists()


def test_nothing_is_written_through_a_link(folder):
    Path("a.knf").write_text(KNF.format(1))
    config = {**CONFIG, "name": "linked", "problems": [Path("a.knf")]}
    Path("configs").mkdir()
    for link in ("linked.yaml", "linked.files"):
        Path("configs", link).symlink_to(Path("victim").resolve())
        with pytest.raises(bezzel.Error, match="is a symbolic link"):
            bezzel.plan(config)
        Path("configs", link).unlink()
        assert not Path("victim").exists()
