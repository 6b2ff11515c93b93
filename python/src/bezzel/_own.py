"""Encoders in Python: a decorator makes a program of a function, which Bezzel checks and measures."""

from __future__ import annotations

import ast
import functools
import inspect
import shlex
import site
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterable
from operator import index
from pathlib import Path
from typing import Any, overload

from ._program import Encoding, Error, call, name_of, quoted, whole, with_functions

NewVariable = Callable[[], int]
Function = Callable[[list[int], int, NewVariable], Iterable[Iterable[int]]]
"""From literals, k and the maker of new variables to the clauses that at most k of the literals are true."""

KINDS = ("at-most-k", "at-most-one")

_HEAD = """\
# The function of this name from a notebook, written by bezzel.encoder.
from __future__ import annotations
"""


class OwnEncoder:
    """A function that encodes, with the command line by which Bezzel starts it.

    `name` stands wherever an id can stand, and `entry` wherever a config has an encoding. Calls of the object are calls
    of the function.
    """

    def __init__(self, function: Function, kind: str = KINDS[0]) -> None:
        if kind not in KINDS:
            raise ValueError(f"kind is at-most-k or at-most-one, not {kind!r}")
        if not inspect.isfunction(inspect.unwrap(function)):
            raise TypeError(f"`bezzel.encoder` decorates a function, not {function!r}")
        self.function = function
        self.kind = kind
        functools.update_wrapper(self, function)

    def __call__(self, lits: list[int], k: int, new_var: NewVariable) -> Iterable[Iterable[int]]:
        return self.function(lits, k, new_var)

    @property
    def command(self) -> str:
        """The command line, for the current folder.

        The text of a function from a notebook is written to `encoders/NAME.py`. Names of other cells are not in this
        file: the function imports its modules itself.
        """
        command = shlex.join([sys.executable, "-m", "bezzel.serve", self._place()])
        home = str(Path(__file__).resolve().parents[1])
        installed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
        return command if home in installed else f"PYTHONPATH={shlex.quote(home)} {command}"

    @property
    def entry(self) -> dict[str, str]:
        """The entry of `encodings` in a config. Figures and tables have the name of the function."""
        return {"command": self.command, "kind": self.kind, "name": self.function.__name__}

    @property
    def name(self) -> str:
        """The name for command lines."""
        return f"{{command: {quoted(self.command)}, kind: {self.kind}}}"

    def __repr__(self) -> str:
        return f"<encoder {self.function.__qualname__}, {self.kind}>"

    def _place(self) -> str:
        """The module or the file of the function, and its name."""
        name = self.function.__qualname__
        if "." in name:
            raise Error(f"`{name}` is not at the top of its module, so another process cannot import it: move it there")
        module = sys.modules.get(self.function.__module__)
        if module is not None and module.__name__ != "__main__" and getattr(module, "__package__", None):
            return f"{module.__name__}:{name}"
        file = Path(inspect.unwrap(self.function).__code__.co_filename)
        if not file.is_file():
            file = _launcher(self.function)
        file = file.resolve()
        here = Path.cwd()
        return f"{file.relative_to(here) if file.is_relative_to(here) else file}:{name}"


def _launcher(function: Function) -> Path:
    """A file with the text of a function that has no file, without its decorators."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except OSError:
        raise Error(f"the source of `{function.__qualname__}` is not known: write it into a file") from None
    first = ast.parse(source).body[0]
    text = "\n".join(source.splitlines()[first.lineno - 1 :])
    path = Path("encoders") / f"{function.__qualname__}.py"
    whole = f"{_HEAD}\n\n{text}\n"
    if not path.exists() or path.read_text(encoding="utf-8") != whole:
        path.parent.mkdir(exist_ok=True)
        path.write_text(whole, encoding="utf-8")
    return path


@overload
def encoder(function: Function) -> OwnEncoder: ...
@overload
def encoder(*, kind: str = ...) -> Callable[[Function], OwnEncoder]: ...
def encoder(function: Function | None = None, *, kind: str = KINDS[0]) -> Any:
    """Makes an encoder of a function `f(lits, k, new_var)`.

    The function returns the clauses that at most `k` of `lits` are true, for 1 ≤ k < len(lits). `new_var()` is a new
    variable. A function that encodes k = 1 alone has `@bezzel.encoder(kind="at-most-one")`. It gets the same three
    arguments, with `k` = 1.
    """
    if function is None:
        return functools.partial(OwnEncoder, kind=kind)
    return OwnEncoder(function, kind)


def encoded(function: Function, n: int, k: int) -> tuple[int, list[list[int]]]:
    """The number of variables and the clauses of the function for the literals 1 to n."""
    top = n

    def new_var() -> int:
        nonlocal top
        top += 1
        return top

    if k >= n:
        return n, []
    returned = function(list(range(1, n + 1)), k, new_var)
    if not isinstance(returned, Iterable):
        raise TypeError(f"the function returned {returned!r}, and no clauses")
    clauses: list[list[int]] = []
    for number, clause in enumerate(returned, 1):
        try:
            clauses.append([index(lit) for lit in clause])
        except TypeError:
            raise TypeError(f"clause {number} is {clause!r}, and no list of whole numbers") from None
    for number, clause in enumerate(clauses, 1):
        for lit in clause:
            if not 1 <= abs(lit) <= top:
                raise ValueError(
                    f"clause {number} has the literal {lit}: variables run from 1 to {top}, "
                    "and new_var() makes a new one"
                )
    return top, clauses


def check(encoding: Encoding, k: int | None = None) -> None:
    """Checks an encoder, and prints the outcome. A wrong encoder raises `Error` with its counterexample.

    With `k` at most, at least and exactly `k` are checked. Without it, at most one and exactly one are checked, and several
    k if the encoder takes any k.
    """
    name = name_of(encoding)
    arguments = [] if k is None else [f"--k={whole('k', k)}"]
    try:
        printed = call("check", *arguments, "--", name)
    except Error as error:
        raise Error(f"{error}\n{error.output}".rstrip(), error.code, error.output) from None
    print(with_functions(printed), end="")
