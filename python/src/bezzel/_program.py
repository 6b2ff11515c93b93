"""The program `bezzel`: its place, its errors and its names of encodings."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import warnings
from collections.abc import Collection, Mapping
from operator import index
from typing import Any, Protocol, Union


class Error(Exception):
    """The program refused a request or failed. The text is that of the program.

    `code` is its exit code: 1 if the work failed, 2 if the request is invalid, 3 if a limit was reached. A negative
    `code` is that of a signal: -9 if the program was killed. `output` is its output before the failure.
    """

    def __init__(self, message: str, code: int = 2, output: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.output = output


class Named(Protocol):
    """An encoding with a name in configs, such as one made by `bezzel.encoder`."""

    @property
    def name(self) -> str: ...


Encoding = Union[str, Mapping[str, Any], Named]
"""An id (`"product"`), a mixture or a cut-off (`{"short": "pairwise", "long": "product", "at": 7}`), or a decorated
function."""


_SERVED = r"-m bezzel\.serve (?:'[^'\n]*?:(\w+)'|[^\s'\"]*?:(\w+))"
_CALL = re.compile(r"(?:PYTHONPATH=(?:'[^'\n]*'|\S+) )?(?:'[^'\n]*'|[^\s'\"`]+) " + _SERVED)
_NAME = re.compile(r"\{command: [^\n{}]*?" + _SERVED + r"[^\n\w}]*(?:, kind: [a-z-]+)?\}")


def with_functions(text: str) -> str:
    """The text with the names of decorated functions in the place of the command lines that start them."""

    def name(found: re.Match[str]) -> str:
        return found[1] or found[2]

    return _CALL.sub(name, _NAME.sub(name, text))


def whole(name: str, value: Any) -> int:
    """The value of the argument `name`, which is a whole number."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"`{name}` is a whole number, not {value!r}") from None


SERVED = "BEZZEL_SERVED"
"""The variable of the environment that is set while the file of a decorated function is imported to serve it."""


class StartedByImport(Error):
    """The import of the file of a decorated function starts the program, which would import the file again."""


def program() -> str:
    """The path of the program: `BEZZEL_PROGRAM`, else beside this Python, else in `PATH`."""
    if SERVED in os.environ:
        raise StartedByImport("the file of a decorated function starts the program when it is imported")
    given = os.environ.get("BEZZEL_PROGRAM")
    if given:
        if shutil.which(given) is None:
            raise Error(f"BEZZEL_PROGRAM is `{given}`, which is not a program: build it, or correct the path")
        return given
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", user))
    for folder in folders:
        path = os.path.join(folder, "bezzel")
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("bezzel")
    if found is None:
        raise Error(
            "the program `bezzel` is not found: install the wheel, or set BEZZEL_PROGRAM to the path of the program"
        )
    return found


def failure(code: int, errors: str, output: str = "") -> Error:
    """The error of a program that ended with this exit code and this standard error."""
    _, found, message = errors.partition("error: ")
    text = message if found else errors
    # The usage of the command line is of no use here.
    for hint in ("\n\nUsage: ", "\n\nFor more information"):
        text = text.partition(hint)[0]
    end = f"was ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with exit code {code}"
    if "unknown encoding" in text:
        text = text.replace("`bezzel list` shows", "`bezzel.encodings()` and `bezzel.bounds()`, or `bezzel list`, show")
    # An argument of Python has the name of the option.
    text = re.sub(r"'--([a-z-]+)(?: <[^>]*>)?'", lambda found: f"`{found[1].replace('-', '_')}`", text)
    return Error(with_functions(text.strip()) or f"the program {end}", code, with_functions(output))


def command_line(*arguments: str) -> list[str]:
    """The program with these arguments, which must be texts that the system takes."""
    for argument in arguments:
        try:
            whole = "\0" not in argument and bool(os.fsencode(argument) or True)
        except UnicodeEncodeError:
            whole = False
        if not whole:
            raise Error(f"{argument!r} has a character that no file and no argument can have")
    return [program(), *arguments]


def call(*arguments: str, accepted: Collection[int] = (0,)) -> str:
    """The standard output of the program with these arguments. Its warnings become warnings of Python."""
    done = subprocess.run(
        command_line(*arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in accepted:
        raise failure(done.returncode, done.stderr, done.stdout)
    for line in done.stderr.splitlines():
        if line.startswith("WARNING: "):
            warnings.warn(line.removeprefix("WARNING: "), stacklevel=3)
    return done.stdout


def name_of(encoding: Encoding) -> str:
    """The name of an encoding as the command line and configs have it."""
    if isinstance(encoding, str):
        return encoding
    if isinstance(encoding, Mapping):
        entries = (f"{_word(str(key))}: {_part(value)}" for key, value in encoding.items())
        return "{" + ", ".join(entries) + "}"
    name = getattr(encoding, "name", None)
    if isinstance(name, str):
        return name
    hint = ": decorate it with `@bezzel.encoder`" if callable(encoding) else ""
    if isinstance(encoding, int):
        hint = ": pass an id such as \"sequential-counter\" (docs/python.md has the ids for PySAT's `EncType`)"
    raise TypeError(f"an encoding is an id, a dict or a decorated function, not {encoding!r}{hint}")


def _part(value: Any) -> str:
    """A value of a name that is a map."""
    if isinstance(value, int):
        return str(value)
    text = name_of(value)
    return text if text.startswith("{") else _word(text)


def _word(text: str) -> str:
    """A word of a name, quoted if it would end early."""
    return quoted(text) if not text or any(character in text for character in " ,:{}\"'") else text


def quoted(text: str) -> str:
    """A text in quotes, as the program and YAML read them: single quotes within single quotes stand twice."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'
