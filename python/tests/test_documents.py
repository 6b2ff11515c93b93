"""The blocks of the documents work as printed. Each document is one script in a folder of its own: commands run in their
order, configs and parts of configs are planned, and the blocks of Python of a document are one script.

CONTRIBUTING.md states the comments of HTML that keep a block, or some of its lines, from being run, and that give a
config a file.
"""

import csv
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import textwrap

import bezzel
import pytest
from conftest import ROOT, is_installed

DOCUMENTS = ["exporting.md", "python-experiments.md", "python.md"]
"""The documents with Python."""

ALL = ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]

SHELL = """bezzel cargo cadical cd for minisat mkdir parallel pdflatex pip printf python3 scp seq tar echo export $
    BEZZEL_PROGRAM=target/debug/bezzel""".split()
"""The first words of the lines of a shell."""

KEYS = """name problems encodings solvers task exclude numberings input_order engines hypothesis answer limits""".split()
"""The keys with which a config or a part of one begins in the documents."""

COPIED = """at-most-one.yaml instances/choices.opb instances/knuth.txt instances/roster.opb boards/framed.txt""".split()


def blocks(text):
    """The blocks of code, fenced or indented after an empty line: the number of the first line, the comment of HTML before
    it, the text, and whether it is indented."""
    lines, at, comment, is_after_empty = text.splitlines(), 0, "", True
    while at < len(lines):
        line, at = lines[at], at + 1
        is_indented, is_after_empty = is_after_empty and line.startswith("    "), not line
        if found := re.fullmatch("<!-- (.*) -->", line):
            comment = found[1]
        elif line.startswith("```") or is_indented:
            start = at
            while at < len(lines) and (lines[at][:4] in ("", "    ") if is_indented else lines[at] != "```"):
                at += 1
            body = lines[start - 1 : at] if is_indented else lines[start:at]
            yield start, comment, textwrap.dedent("\n".join(body)).strip("\n"), is_indented
            comment, is_after_empty, at = "", is_indented, at + (not is_indented)
        elif line:
            comment = ""


def kind(block):
    """The meaning of a block: commands, a config, or something else."""
    first = next((line for line in block.splitlines() if not line.startswith("#")), "")
    # A manifest has names of programs, too.
    if " = " not in first and first.split(" ")[0] in SHELL:
        return "commands"
    return "config" if ":" in first and first.split(":")[0] in KEYS else "other"


def completed(config):
    """A part of a config, completed."""

    def has(*keys):
        return any(re.search(f"^{key}:", config, re.MULTILINE) for key in keys)

    rest = {
        "name: part": has("name"),
        "problems: [{queens: {size: [6, 40]}}]": has("problems", "extends"),
        "encodings: [pairwise, product, rustsat-pairwise]": has("encodings", "extends"),
        "solvers: [cadical, batsat]": has("solvers", "engines", "task", "extends"),
        "numberings: [as-generated, random]": has("numberings") or not has("exclude"),
    }
    return "\n".join([config, *(line for line, is_given in rest.items() if not is_given), ""])


def commands(block):
    """The lines of a shell in a block, without the descriptions behind them. Lines beside those with `$` are output."""
    lines = block.splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    lines = [line.rstrip().split("  ")[0] for line in lines]
    return [line for line in lines if line and not line.startswith("#")]


def fast_form(line):
    """The command as a test runs it: nothing is measured, and nothing is submitted."""
    word = [*line.split(" "), ""][1]
    if word == "run" and "--tasks" in line and "--dry-run" not in line:
        return f"{line} --dry-run"
    is_plain = word == "run" and not re.search("--(plan|shard|sample|only|tasks)", line)
    return f"{line} --plan" if is_plain or word == "tune" else line


def shell(folder, line):
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    # A command that waits is a fault, too.
    return subprocess.run(
        ["timeout", "300", "sh", "-c", line],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip


def prepare(folder, text):
    """Makes the files and the records that documents name."""
    for name in ("configs/boards", "configs/instances", "timetables", "bin", "experiments"):
        (folder / name).mkdir(parents=True)
    (folder / "bin/bezzel").symlink_to(os.environ["BEZZEL_PROGRAM"])
    (folder / "examples").symlink_to(ROOT / "examples")
    for name in COPIED:
        shutil.copy(ROOT / "configs" / name, folder / "configs" / name)
    sample = (ROOT / "configs/instances/roster.opb").read_bytes()
    for name in ("timetable.opb", "timetables/roster.opb"):
        (folder / name).write_bytes(sample)
    (folder / "timetable.opb.gz").write_bytes(gzip.compress(sample))
    for name, runs in (("first-look", ["first-look", "first-look-at-home"]), ("hard", ["hard"])):
        if name in text:
            config = f"name: {name}\nproblems: [{{queens: {{size: 6}}}}]\nencodings: [pairwise, product]\nsolvers: [cadical]\n"
            (folder / f"configs/{name}.yaml").write_text(config + "calibration: off\nwarm_up: 0\n")
            for run in runs:
                assert shell(folder, f"bezzel run configs/{name}.yaml --quiet --name {run}").returncode == 0


@pytest.mark.parametrize("name", ALL)
def test_the_commands_and_configs_of_a_document_work_as_printed(tmp_path, name):
    text, own, faults = (ROOT / name).read_text(encoding="utf-8"), [], []
    prepare(tmp_path, text)
    for number, comment, block, _ in blocks(text):
        marked, _, left_out = comment.removeprefix("not run: ").partition(": ")
        if comment.startswith("needs ") or (marked != comment and not left_out):
            continue
        left_out = tuple(left_out.split("; ")) if marked != comment and left_out else ()
        if comment.startswith("file: "):
            # A further block of the same file is added to it.
            with (tmp_path / comment.removeprefix("file: ")).open("a") as file:
                file.write(block + "\n")
            own.append(comment.removeprefix("file: "))
        elif kind(block) == "config":
            (tmp_path / "configs/part.yaml").write_text(completed(block))
            done = shell(tmp_path, "bezzel run configs/part.yaml --plan")
            faults += [] if done.returncode == 0 else [(number, completed(block), done)]
        elif kind(block) == "commands":
            for words in left_out:
                assert any(line.startswith(words) for line in commands(block)), (number, words)
            for line in commands(block):
                if not line.startswith(left_out or "\0"):
                    is_own = any(file in line for file in own)
                    done = shell(tmp_path, line if is_own else fast_form(line))
                    # A solution, or none.
                    finds = line.startswith("bezzel solve") or "bezzel decode" in line
                    faults += [] if done.returncode in ((0, 10, 20) if finds else (0,)) else [(number, line, done)]
    assert not faults, faults


def test_blocks_have_their_kinds_and_comments():
    text = "One:\n\n<!-- not run: needs a cluster: bezzel b -->\n\n    bezzel a     that is a\n    bezzel b\n\nTwo:\n\n"
    text += "```yaml\nproblems: []\n```\n\n- item\n      continued\n\n    triples: right\n"
    found = list(blocks(text))
    assert [kind(block) for _, _, block, _ in found] == ["commands", "config", "other"]
    assert found[0][:2] == (5, "not run: needs a cluster: bezzel b")
    assert commands(found[0][2]) == ["bezzel a", "bezzel b"]
    assert commands("$ bezzel c\n92") == ["bezzel c"]
    assert fast_form("bezzel run a.yaml") == "bezzel run a.yaml --plan"
    assert fast_form("bezzel run a --sample 10") == "bezzel run a --sample 10"


def script(name):
    """The blocks of Python in a document. Those that need modules which are not installed are left out."""
    parts = []
    for _, comment, block, is_indented in blocks((ROOT / "docs" / name).read_text(encoding="utf-8")):
        if not is_indented or kind(block) == "commands":
            continue
        modules = comment.removeprefix("needs ").split(", ") if comment else []
        if not all(is_installed(module) for module in modules):
            continue
        compile(block, name, "exec")
        parts.append(block)
    return "\n\n".join(parts) + "\n"


def run(folder, name):
    (folder / "script.py").write_text(script(name), encoding="utf-8")
    done = subprocess.run([sys.executable, "script.py"], cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_other_document_has_python():
    for path in sorted((ROOT / "docs").glob("*.md")):
        found = [it for _, _, it, _ in blocks(path.read_text(encoding="utf-8")) if re.match(r"(import|from) ", it)]
        assert (path.name in DOCUMENTS) == bool(found), path.name


def test_the_documents_on_python_are_scripts_that_work_as_printed(folder):
    run(folder, "python.md")
    shutil.copy(ROOT / "configs" / "instances" / "roster.opb", folder)
    printed = run(folder, "python-experiments.md")
    assert printed.count("satisfies every property") == 1, printed
    assert {row["verdict"] for row in bezzel.comparisons("mine", "list")} == {"too few instances"}
    own = bezzel.rows("own", "list")
    assert {row["encoding_name"] for row in own} == {"binomial", "totalizer:cut"}
    assert {row["verdict"] for row in own} == {"verified"}


def test_the_rows_are_read_as_the_document_on_exports_states(folder):
    config = {"name": "tiny", "problems": [{"queens": {"size": 6}}], "encodings": ["pairwise"], "solvers": ["batsat"]}
    rows = bezzel.run(config | {"calibration": "off", "warm_up": 0}, progress=None).rows("list")
    out = io.StringIO()
    table = csv.DictWriter(out, rows[0])
    table.writeheader()
    table.writerows(rows)
    (folder / "rows.csv").write_text(out.getvalue(), encoding="utf-8")
    run(folder, "exporting.md")
