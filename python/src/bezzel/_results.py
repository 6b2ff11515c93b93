"""The results of an experiment: rows, verdicts and figures."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ._program import call

_TEXTS = frozenset(
    "key instance encoding encoding_name solver solver_name solver_version clause_digest solutions "
    "solutions_digest".split()
)
"""Columns that are text even if all their values look like numbers."""


class Svg:
    """A figure. Notebooks display it; `path` is its file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _repr_svg_(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def __repr__(self) -> str:
        return f"<figure {self.path}>"


def rows(experiment: str | Path, frame: str = "auto", *, root: str | Path = ".") -> Any:
    """The rows of an experiment, one for each job, with the columns of docs/exporting.md.

    `frame` is `pandas`, `polars` or `list` (of dicts, with None for values that were not measured); `auto` takes the
    first of these that is installed.
    """
    return _framed(frame, lambda: call("report", "--rows", f"--root={root}", "--", str(experiment)))


_PLACE = ("measure", "numbering", "answer")
_COMPARED = ("encoding", "beside", "solver", "instances", "ratio", "ratio_low", "ratio_high", "verdict")


def comparisons(experiment: str | Path, frame: str = "auto", *, root: str | Path = ".") -> Any:
    """The verdicts of an experiment's report: a row for each two encodings, solver, measure, numbering and answer.

    The report is rendered from the rows first. `frame` is that of `bezzel.rows`. docs/python-experiments.md defines
    the columns.
    """

    def text() -> str:
        pairs: list[dict[str, str]] = []
        for path in sorted(_rendered(experiment, root).glob("table-pairs-*.csv")):
            # The id of a numbering may have hyphens.
            measure, rest = path.stem.removeprefix("table-pairs-").split("-", 1)
            place = dict(zip(_PLACE, (measure, *rest.rsplit("-", 1))))
            with path.open(encoding="utf-8", newline="") as file:
                pairs += [place | row for row in csv.DictReader(file)]
        # A table may have further columns.
        head = list(dict.fromkeys(itertools.chain(_PLACE, _COMPARED, *pairs)))
        out = io.StringIO()
        table = csv.DictWriter(out, head)
        table.writeheader()
        table.writerows(pairs)
        return out.getvalue()

    return _framed(frame, text)


def _framed(frame: str, text_of: Callable[[], str]) -> Any:
    """A text of CSV as a frame of this kind."""
    kinds = ("pandas", "polars", "list")
    if frame not in ("auto", *kinds):
        raise ValueError(f"frame is auto, pandas, polars or list, not {frame!r}")
    if frame == "auto":
        frame = next(kind for kind in kinds if kind == "list" or find_spec(kind))
    text = text_of()
    if frame == "list":
        return _records(text)
    texts = _TEXTS.intersection(text.partition("\n")[0].split(","))
    library = import_module(frame)
    if frame == "pandas":
        types = dict.fromkeys(texts, str)
        return library.read_csv(io.StringIO(text), dtype=types, low_memory=False)
    types = dict.fromkeys(texts, library.String)
    return library.read_csv(io.StringIO(text), schema_overrides=types, infer_schema_length=None)


def figures(
    experiment: str | Path, *, root: str | Path = ".", pdf: bool = False
) -> dict[str, Svg]:
    """The figures of an experiment's report, by their ids. The report is rendered from the rows first.

    With `pdf`, each figure is also written as PDF and PNG, beside the SVG.
    """
    options = ["--pdf"] if pdf else []
    folder = _rendered(experiment, root, *options)
    return {path.stem: Svg(path) for path in sorted(folder.glob("*.svg"))}


def _rendered(experiment: str | Path, root: str | Path, *options: str) -> Path:
    """Renders the report of an experiment, and returns its folder."""
    printed = call("report", "--quiet", *options, f"--root={root}", "--", str(experiment))
    return Path(printed.rstrip().splitlines()[-1]).parent


def _records(text: str) -> list[dict[str, Any]]:
    """The lines of a CSV text, with a type for each column."""
    head, *lines = csv.reader(io.StringIO(text))
    columns = [_typed(name, values) for name, values in zip(head, zip(*lines))]
    return [dict(zip(head, values)) for values in zip(*columns)]


def _typed(name: str, values: Iterable[str]) -> list[Any]:
    values = list(values)
    truths = {"true": True, "false": False}
    reads: list[Callable[[str], Any]] = [] if name in _TEXTS else [truths.__getitem__, int, float]
    for read in reads:
        try:
            return [None if value == "" else read(value) for value in values]
        except (KeyError, ValueError):
            pass
    return [None if value == "" else value for value in values]
