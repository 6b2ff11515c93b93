"""A function as an encoder program: `python -m bezzel.serve MODULE:FUNCTION` or `FILE.py:FUNCTION`.

docs/external-encoders.md states the protocol.
"""

from __future__ import annotations

import ast
import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from ._own import Function, OwnEncoder, encoded
from ._program import SERVED, StartedByImport


def load(place: str) -> Function:
    """The function at this place."""
    where, _, name = place.rpartition(":")
    if where.endswith(".py"):
        path = Path(where).resolve()
        spec = spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None or not path.is_file():
            sys.exit(f"there is no file `{where}`")
        sys.path.insert(0, str(path.parent))
        module = module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        except StartedByImport:
            # The work of a script is not done again.
            _define(path, module.__dict__)
    else:
        module = import_module(where)
    found = getattr(module, name, None)
    if found is None:
        sys.exit(f"`{where}` has no function `{name}`")
    return found.function if isinstance(found, OwnEncoder) else found


def _define(path: Path, names: dict[str, Any]) -> None:
    """Reads the imports, functions and classes at the top of a file, and the names of its constants."""
    definitions = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    tree = ast.parse(path.read_bytes(), path)
    for node in tree.body:
        is_value = isinstance(node, (ast.Assign, ast.AnnAssign))
        if is_value and any(isinstance(part, ast.Call) for part in ast.walk(node)):
            continue
        if is_value or isinstance(node, definitions):
            code = compile(ast.Module([node], []), path, "exec")
            try:
                exec(code, names)
            except NameError:
                # The value is that of work which is not done again.
                if not is_value:
                    raise


def main() -> None:
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        sys.exit("usage: python -m bezzel.serve MODULE:FUNCTION, or FILE.py:FUNCTION")
    # A function may print: its prints are no clauses.
    out, sys.stdout = sys.stdout, sys.stderr
    os.environ[SERVED] = "1"
    function = load(sys.argv[1])
    # The function may use the encoders of the program.
    del os.environ[SERVED]
    if sys.stdin.readline().split() != ["bezzel-encoder", "1"]:
        sys.exit("a decorated function reads version 1 of the protocol")
    for request in sys.stdin:
        match request.split():
            case ["at-most-one", n]:
                variables, clauses = encoded(function, int(n), 1)
            case ["at-most", k, n]:
                variables, clauses = encoded(function, int(n), int(k))
            case _:
                sys.exit(f"a decorated function encodes at most k, and is asked `{request.strip()}`")
        lines = (" ".join(map(str, [*clause, 0])) for clause in clauses)
        print(f"p cnf {variables} {len(clauses)}", *lines, sep="\n", file=out)


if __name__ == "__main__":
    main()
