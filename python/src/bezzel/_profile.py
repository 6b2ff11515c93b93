"""Profiles: the computed properties of encodings, as dicts that notebooks display."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ._program import Encoding, Error, call, name_of, whole

Table = tuple[str, list[list[str]]]
"""A title, and rows of which the first is the head."""


def _grouped(count: int | str) -> str:
    """A number of a size with commas. Large numbers are text: their digits, or a bound."""
    text = str(count)
    return f"{int(text):,}" if text.isdecimal() else text


class Profile(dict[str, Any]):
    """The profile of an encoding, as `bezzel show ID --json` prints it. Notebooks display a summary."""

    @property
    def id(self) -> str:
        """The id of the encoding."""
        return str(self._info["id"])

    @property
    def is_right(self) -> bool:
        """True if no assignment was found that is wrongly allowed or forbidden."""
        if "limits" in self:
            return all(limit["correct"] is not False for limit in self["limits"])
        parts = (self["line"], self["board"])
        return not any(part and part["correct"].get("wrong") for part in parts)

    def certificate(self, n: int, path: str | Path) -> list[Path]:
        """Writes proofs for VeriPB that the clauses for `n` inputs state the constraint. Returns the four files."""
        if "weights" in self:
            raise Error("certificates of sums: bezzel show ID --weights W,… --bound B --certificate -o FILE")
        bound = [f"--k={self['k']}"] if "k" in self else []
        call("show", *bound, f"--certificate={whole('n', n)}", f"--output={path}", "--", self.id)
        endings = ("constraint.opb", "clauses.opb", "to-clauses.pbp", "to-constraint.pbp")
        return [Path(path).with_suffix(f".{ending}") for ending in endings]

    @property
    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = self["about"] if "about" in self else self["card"]
        return info

    @property
    def _bound(self) -> int:
        """The bound of a count or of a sum."""
        return int(self["bound"] if "weights" in self else self["k"])

    def _verdicts(self) -> Iterable[tuple[str, str, str, str]]:
        """Constraint, correctness, propagation and auxiliary variables."""
        if "limits" in self:
            for limit in self["limits"]:
                correct = {True: "yes", False: "NO", None: "not computed"}[limit["correct"]]
                if limit.get("size", 0) is None:
                    correct = "refused"
                name = f"{limit['limit']} {self._bound}"
                yield name, correct, limit["propagation"] or "", limit["auxiliaries"] or ""
            return
        if line := self["line"]:
            correct = "NO: " + line["correct"]["wrong"]["what"] if line["correct"].get("wrong") else "yes"
            for form in line["forms"]:
                gap = form["gap"]
                propagation = f"incomplete: {gap['what']}" if gap else "complete"
                yield form["form"], correct, propagation, form["auxiliaries"]
        if board := self["board"]:
            correct = "NO: " + board["correct"]["wrong"]["what"] if board["correct"].get("wrong") else "yes"
            yield "one queen on a board", correct, board["one_queen"], board["auxiliaries"]

    def _tables(self) -> list[Table]:
        verdicts = [["constraint", "correct", "unit propagation", "auxiliary variables"]]
        verdicts += [list(verdict) for verdict in self._verdicts()]
        sizes = [["constraint", "n", "auxiliary variables", "clauses", "literals"]]
        models = [["constraint", "n", "solutions", "models"]]
        forms = [(f"{limit['limit']} {self._bound}", limit) for limit in self.get("limits", [])]
        forms += [(form["form"], form) for form in (self.get("line") or {}).get("forms", [])]
        for name, form in forms:
            # A sum has one size, and none if the encoder refuses it.
            one = [(len(self["weights"]), form["size"])] if form.get("size") else []
            for n, size in form.get("sizes", one):
                counts = (size["variables"], size["clauses"], size["literals"])
                sizes.append([f"{name} of n", f"{n:,}", *map(_grouped, counts)])
            for count in form.get("models", []):
                numbers = (count[key] for key in ("n", "solutions", "models"))
                models.append([f"{name} of n", *("not counted" if of is None else f"{of:,}" for of in numbers)])
        for side, size in self.get("sizes", []):
            counts = (size["variables"], size["clauses"], size["literals"])
            sizes.append(["board n × n", f"{side:,}", *map(_grouped, counts)])
        tables = [("Computed properties", verdicts), ("Sizes", sizes), ("Models", models)]
        return [(title, rows) for title, rows in tables if len(rows) > 1]

    def _repr_markdown_(self) -> str:
        info = self._info
        parts = [f"**{info['id']}**: {info['title']}", info.get("idea", ""), f"Source: {info['citation']}."]
        for title, (head, *rows) in self._tables():
            lines = [head, ["---"] * len(head), *rows]
            escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
            parts.append(f"*{title}*")
            parts.append("\n".join(f"| {' | '.join(line)} |" for line in escaped))
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        def row(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        info = self._info
        parts = [f"<p><b>{html.escape(info['id'])}</b>: {html.escape(info['title'])}</p>"]
        parts += [f"<p>{html.escape(text)}</p>" for text in [info.get("idea", "")] if text]
        parts.append(f"<p>Source: {html.escape(info['citation'])}.</p>")
        for title, (head, *rows) in self._tables():
            body = "".join(row(cells, "td") for cells in rows)
            head_row = row(head, "th")
            parts.append(
                f"<table><caption>{html.escape(title)}</caption>"
                f"<thead>{head_row}</thead><tbody>{body}</tbody></table>"
            )
        return "\n".join(parts)


def show(
    encoding: Encoding,
    k: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    bound: int | None = None,
    board: str | None = None,
) -> Profile:
    """The profile of an encoding; with `k` as an encoder of at most, at least and exactly `k`.

    With `weights` and `bound` it is that of one weighted sum. `board` is the board whose sections are counted, as in
    `"8"` or `"8x10"`.
    """
    name = name_of(encoding)
    if (weights is None) != (bound is None):
        raise Error("`weights` and `bound` belong together")
    limits = [] if k is None else [f"--k={whole('k', k)}"]
    if weights is not None and bound is not None:
        texts = ",".join(str(whole("weights", weight)) for weight in weights)
        limits += [f"--weights={texts}", f"--bound={whole('bound', bound)}"]
    size = [] if board is None else [f"--board={board}"]
    # The exit code is 1 for a wrong encoding, whose profile is printed all the same.
    printed = json.loads(call("show", "--json", *limits, *size, "--", name, accepted=(0, 1)))
    return Profile(printed[0])


def encodings() -> list[str]:
    """The ids of the encodings of at most one. Families have more members: `commander:7`."""
    listed = json.loads(call("list", "encodings", "--json"))["encodings"]
    return [entry["id"] for entry in listed if entry["lines"]]


def bounds() -> list[str]:
    """The ids of the encoders of at most, at least and exactly any `k`."""
    return [entry["id"] for entry in json.loads(call("list", "bounds", "--json"))["bounds"]]


def sums() -> list[str]:
    """The ids of the encoders of weighted sums."""
    return [entry["id"] for entry in json.loads(call("list", "sums", "--json"))["sums"]]
