"""The blocks of Python in the documents, each document as one script."""

import csv
import io
import re
import shutil
import subprocess
import sys

import bezzel
from conftest import ROOT, is_installed

DOCUMENTS = ["exporting.md", "python-experiments.md", "python.md"]

SHELL = ("pip ", "cargo ", "cd ", "bezzel ", "export ")
"""The beginnings of blocks for a shell. The tests of the program run those with `bezzel`."""


def blocks(text):
    """The indented blocks of a document, each with the comment of HTML before it."""
    for found in re.finditer(r"(?:^<!-- (.*?) -->\n\n)?((?:^    .*\n|^\n(?=    ))+)", text, re.MULTILINE):
        yield found[1], re.sub(r"^    ", "", found[2].strip("\n"), flags=re.MULTILINE)


def script(name):
    """The blocks of Python in a document. Those that need modules which are not installed are left out."""
    parts = []
    for comment, block in blocks((ROOT / "docs" / name).read_text(encoding="utf-8")):
        if block.startswith(SHELL):
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
        found = [block for _, block in blocks(path.read_text(encoding="utf-8")) if re.match(r"(import|from) ", block)]
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
