"""The program under test: `BEZZEL_PROGRAM`, or else the debug build of this repository."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parent

target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
built = Path(os.environ.get("BEZZEL_PROGRAM", target / "debug" / "bezzel")).resolve()
if not built.is_file():
    pytest.exit(f"{built} is missing: run `cargo build`, or set BEZZEL_PROGRAM", 2)
os.environ["BEZZEL_PROGRAM"] = str(built)
# Other processes import the package too.
os.environ["PYTHONPATH"] = str(PYTHON / "src")


def is_installed(module: str) -> bool:
    """True if a module is installed. The test fails if it is not, where nothing may be skipped."""
    found = find_spec(module) is not None
    if not found and "BEZZEL_REQUIRE_OUTSIDE" in os.environ:
        pytest.fail(f"{module} is not installed")
    return found


def need(module: str) -> None:
    """Skips a test whose module is not installed. It fails instead where no test may be skipped."""
    if not is_installed(module):
        pytest.skip(f"{module} is not installed")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
