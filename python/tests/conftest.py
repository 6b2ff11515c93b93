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


def need(module: str) -> None:
    """Skips a test whose module is not installed. It fails instead where no test may be skipped."""
    if find_spec(module) is None:
        text = f"{module} is not installed"
        pytest.fail(text) if "BEZZEL_REQUIRE_OUTSIDE" in os.environ else pytest.skip(text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
