"""Experiments: configs that are planned and run, and the choice of an encoding."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any

from ._own import OwnEncoder
from ._program import Error, call, command_line, failure, program, with_functions
from ._results import Svg, comparisons, figures, rows

_WRITTEN = "# Written by bezzel.run from a dict, and written again by its next call.\n"

_NAME = re.compile(r"(?=.{1,100}\Z)[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)*")
"""A name that is one plain folder on every system."""

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Experiment:
    """A run experiment: its folders, and the text that the program printed at the end."""

    name: str
    root: Path
    output: str

    def rows(self, frame: str = "auto") -> Any:
        """The rows: see `bezzel.rows`."""
        return rows(self.name, frame, root=self.root)

    def comparisons(self, frame: str = "auto") -> Any:
        """The verdicts of all pairs of encodings: see `bezzel.comparisons`."""
        return comparisons(self.name, frame, root=self.root)

    def figures(self, *, pdf: bool = False) -> dict[str, Svg]:
        """The figures of the report: see `bezzel.figures`."""
        return figures(self.name, root=self.root, pdf=pdf)

    def __str__(self) -> str:
        return self.output


@dataclass(frozen=True)
class Tuned(Experiment):
    """The result of `bezzel.tune`."""

    @property
    def command(self) -> list[str]:
        """The command that encodes with the choice, as a list of words. The first is `bezzel`, or the program's path."""
        last = self.output.rstrip().splitlines()[-1]
        _, *words = shlex.split(last, comments=True)
        given, found = program(), shutil.which("bezzel")
        path = os.path.abspath(shutil.which(given) or given)
        is_found = found is not None and os.path.samefile(path, found)
        return ["bezzel" if is_found else path, *words]


def run(
    config: Mapping[str, Any] | str | Path,
    *,
    root: str | Path = ".",
    progress: Progress | None = print,
) -> Experiment:
    """Runs what is missing of an experiment, and renders its report.

    A dict has the keys of a config (docs/configs.md), and is written to `configs/NAME.yaml` below `root`. Each `Path` in
    its `problems` is a file, which is copied to `configs/NAME.files`. Otherwise `config` is the path of a config, or the
    name of one in `configs`. `progress` is called with each line about the progress. Ctrl-C, or the interruption of a
    notebook's kernel, stops the run: finished rows are kept, and the same call continues it.
    """
    root = _root(root)
    with _path(config, root) as path:
        output = _watched(["run", f"--root={root}"], [path], progress)
    return Experiment(_name(output, "evidence:"), root, output)


def plan(config: Mapping[str, Any] | str | Path, *, root: str | Path = ".") -> str:
    """The plan of an experiment as a text: its jobs, their limits and an upper bound of the time. Nothing is run.

    `config` and `root` are those of `bezzel.run`. The text ends with warnings, such as that of too few instances.
    """
    root = _root(root)
    with _path(config, root) as path:
        return call("run", "--plan", f"--root={root}", "--", path)


def tune(
    problem: Mapping[str, Any] | str | Path | Iterable[str | Path],
    budget: int | str = 10,
    *,
    name: str | None = None,
    root: str | Path = ".",
    progress: Progress | None = print,
) -> Tuned:
    """Chooses the encoding, numbering and solver for given instances, in about the time `budget`.

    `budget` is a whole number of minutes, or a text with a unit, such as `"1h"`.
    `problem` is a file of constraints, a folder of them, a list of these, or an entry of `problems` of a config as a
    dict. docs/tuning.md describes the choice.
    """
    root = _root(root)
    if not isinstance(budget, str):
        try:
            budget = index(budget)
        except TypeError:
            message = f"`budget` is a number of whole minutes, or a text such as \"1h\", not {budget!r}"
            raise TypeError(message) from None
    options, paths = ["tune", f"--budget={budget}", f"--root={root}"], list[str]()
    if name is not None:
        options.append(f"--name={name}")
    if isinstance(problem, Mapping):
        # JSON is YAML too.
        options.append(f"--problem={json.dumps(dict(problem), default=_plain)}")
    else:
        paths = [str(path) for path in ([problem] if isinstance(problem, (str, Path)) else problem)]
        if not paths:
            raise Error("no file is given: `problem` is a file, a folder, a list of these, or a dict")
    output = _watched(options, paths, progress)
    return Tuned(_name(output, "evidence:"), root, output)


def _root(root: str | Path) -> Path:
    """The folder `root`, which must exist."""
    if not os.path.isdir(root):
        raise Error(f"`root` is {str(root)!r}, which is no folder: make it first, or correct the path")
    return Path(root)


Before = dict[Path, bytes | None]
"""The content of files before they were written. New files and new folders have none."""


@contextlib.contextmanager
def _path(config: Mapping[str, Any] | str | Path, root: Path) -> Iterator[str]:
    """The path or the name of a config. A dict is written first. A refusal before a job is run restores all files."""
    if not isinstance(config, Mapping):
        if not isinstance(config, (str, Path)):
            raise TypeError(f"`config` is a dict, a path or a name, not {config!r}")
        yield str(config)
        return
    name = config.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Error(
            f"the config needs a `name` of at most 100 lower-case letters, digits, hyphens and single dots, not {name!r}"
        )
    before: Before = {}
    sessions = set((root / "experiments" / name).glob("*.jsonl*"))
    try:
        yield str(_written(config, root / "configs" / f"{name}.yaml", before))
    except Exception as error:
        is_refused = getattr(error, "code", 2) == 2
        if is_refused and sessions == set((root / "experiments" / name).glob("*.jsonl*")):
            for path, content in reversed(before.items()):
                with contextlib.suppress(OSError):
                    if content is not None:
                        path.write_bytes(content)
                    elif path.is_dir():
                        path.rmdir()
                    else:
                        path.unlink()
        raise


_LONGEST = 60
"""The longest name of a program in reports."""


def _check_functions(config: Any) -> None:
    """Refuses decorated functions whose names cannot be their names in reports."""
    found: dict[str, OwnEncoder] = {}

    def visit(value: Any) -> None:
        if isinstance(value, Mapping):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for part in value:
                visit(part)
        elif isinstance(value, OwnEncoder):
            name = value.function.__name__
            if found.setdefault(name, value).entry != value.entry:
                places = [of.entry["command"].rpartition(" ")[2] for of in (found[name], value)]
                raise Error(f"two functions have the name `{name}`, {places[0]} and {places[1]}: rename one")

    visit(config)
    if not found:
        return
    listed = json.loads(call("list", "--json"))
    ids = {entry["id"] for kind in ("encodings", "bounds", "solvers", "engines") for entry in listed[kind]}
    for name in found:
        if name in ids:
            raise Error(
                f"the function `{name}` has the id of an encoding, a solver or an engine, and reports name an "
                "encoder by its function: rename the function"
            )
        if len(name) > _LONGEST:
            raise Error(f"the function `{name}` has a name of more than {_LONGEST} characters: rename it")


def _note(path: Path, before: Before) -> None:
    """Notes the content of a file before it is written, and makes a missing folder above it."""
    for new in [*reversed(path.parents), path]:
        if not new.exists():
            before.setdefault(new, None)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        before.setdefault(path, path.read_bytes())


def _written(config: Mapping[str, Any], path: Path, before: Before) -> Path:
    """Writes a config. JSON is YAML too."""
    _check_functions(config)
    _refuse_link(path)
    if path.exists() and not path.read_text(encoding="utf-8").startswith(_WRITTEN):
        raise Error(f"`{path}` exists, and bezzel.run did not write it: pass its path, or take another name")
    written = dict(config)
    if "problems" in written:
        written["problems"] = _with_copies(written["problems"], path.with_suffix(".files"), before)
    text = json.dumps(written, indent=2, ensure_ascii=False, default=_plain)
    try:
        encoded = f"{_WRITTEN}{text}\n".encode()
    except UnicodeEncodeError as error:
        raise Error(f"the config has the text {error.object[error.start : error.end]!r}, which is no Unicode") from None
    _note(path, before)
    path.write_bytes(encoded)
    return path


def _with_copies(entries: Any, folder: Path, before: Before) -> Any:
    """The entries of `problems`, with a copy in `folder` for each path."""
    copied: dict[str, Path] = {}

    def named(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: named(of) for key, of in value.items()}
        if isinstance(value, (list, tuple)):
            return [named(of) for of in value]
        if not isinstance(value, Path):
            return value
        if not value.is_file():
            raise Error(f"`{value}` is not a file: a `Path` is relative to the current folder, a text to `configs`")
        source = value.resolve()
        if copied.setdefault(source.name, source) != source:
            raise Error(f"`{copied[source.name]}` and `{source}` have the same name: rename one")
        _refuse_link(folder)
        copy = folder / source.name
        if source != copy.resolve():
            _refuse_link(copy)
            _note(copy, before)
            shutil.copyfile(source, copy)
        # In a config a name with `*` or `?` is a pattern.
        return f"{folder.name}/{glob.escape(source.name)}"

    if isinstance(entries, Path):
        entries = [entries]
    if isinstance(entries, (list, tuple)):
        entries = [{"file": entry} if isinstance(entry, Path) else entry for entry in entries]
    return named(entries)


def _refuse_link(path: Path) -> None:
    """Refuses to write through a link, which may lead to any file."""
    if path.is_symlink():
        raise Error(f"`{path}` is a symbolic link, and nothing is written through it: remove it")


def _plain(value: Any) -> Any:
    """A value of a config that JSON does not have: a decorated function, a path, a range, a value of numpy."""
    entry = getattr(value, "entry", None)
    if entry is not None:
        return entry
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, range):
        return list(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    hint = ": decorate it with `@bezzel.encoder`" if callable(value) else ""
    raise TypeError(f"a config cannot have the value {value!r}{hint}")


def _watched(options: list[str], names: list[str], progress: Progress | None) -> str:
    """Runs a command with these options and names, passes its progress on, and returns its output."""
    quiet = ["--quiet"] if progress is None else []
    errors: list[str] = []
    interrupted = False
    if progress is not None and not callable(progress):
        raise TypeError(f"`progress` is a function or None, not {progress!r}")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        # In a session of its own it gets Ctrl-C once, from here, also in a terminal.
        process = subprocess.Popen(
            command_line(*options, *quiet, "--", *names),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        with process:
            assert process.stderr
            while True:
                try:
                    for line in process.stderr:
                        errors.append(line)
                        is_error = any(earlier.startswith("error: ") for earlier in errors)
                        if progress is not None and not is_error:
                            progress(with_functions(line.rstrip("\n")))
                    process.wait()
                    break
                except KeyboardInterrupt:
                    # The first time the program keeps its results and stops, the second time it stops at once.
                    interrupted = True
                    process.send_signal(signal.SIGINT)
                except BaseException:
                    process.send_signal(signal.SIGINT)
                    raise
        out.seek(0)
        output = with_functions(out.read())
    if interrupted:
        raise KeyboardInterrupt(output.rstrip())
    if process.returncode != 0:
        raise failure(process.returncode, "".join(errors), output)
    return output


def _name(output: str, label: str) -> str:
    """The name of the experiment whose folder the output names."""
    lines = [line for line in output.splitlines() if line.startswith(label)]
    return Path(lines[-1].removeprefix(label).strip()).name
