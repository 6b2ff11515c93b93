"""Compares Bezzel with PySAT, pindakaas, RustSAT, OR-tools, clingo and BenchExec, as tables in Markdown.

    cargo build --release
    python3 python/compare/run.py > comparison.md

The first call makes a virtual environment with the other programs. docs/comparisons.md describes the tables.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import shlex
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
SECTIONS = ["generation", "sums", "queens", "files", "jobs"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="print these tables alone; may be repeated")
    parser.add_argument("--quick", action="store_true", help="small sizes and three repetitions, as a trial")
    parser.add_argument("--repetitions", type=int, help="repetitions of each measurement; 7 if not given")
    parser.add_argument("--limit", type=float, default=60, help="seconds of one measurement; 60 if not given")
    parser.add_argument("--bezzel", type=Path, default=TARGET / "release" / "bezzel", help="the program")
    parser.add_argument("--venv", type=Path, default=TARGET / "compare" / "venv", help="the virtual environment")
    given = parser.parse_args()
    if not given.bezzel.is_file():
        parser.error(f"{given.bezzel} is missing: run `cargo build --release`, or name the program by --bezzel")
    if given.repetitions is not None and given.repetitions < 1:
        parser.error("--repetitions is at least 1")
    # `nan` is refused, too.
    if not 0 < given.limit <= 86_400:
        parser.error("--limit is above 0, and at most 86,400 seconds")
    return given


def enter(environment: Path) -> None:
    """Goes on in the virtual environment, which is made if it is missing or has other versions."""
    environment = environment.resolve()
    if Path(sys.prefix).resolve() == environment:
        return
    python = environment / "bin" / "python3"
    wanted = (HERE / "requirements.txt").read_text()
    installed = environment / "requirements.txt"
    if not installed.is_file() or installed.read_text() != wanted:
        print(f"making {environment}", file=sys.stderr)
        if not python.is_file():
            venv.create(environment, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", str(HERE / "requirements.txt")], check=True, stdout=sys.stderr)
        installed.write_text(wanted)
    os.execv(python, [str(python), str(Path(__file__).resolve()), *sys.argv[1:]])


def conditions(bezzel: str, repetitions: int) -> str:
    """The command, the machine and the versions."""
    cpu = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    load = ", ".join(f"{of:.1f}" for of in os.getloadavg())
    packages = [line.partition("==")[0] for line in (HERE / "requirements.txt").read_text().split()]
    found = [subprocess.run([bezzel, "--version"], capture_output=True, text=True, check=True).stdout.strip()]
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True
    ).stdout.strip()
    found[0] += f" (sources {commit})" if commit else ""
    found += [f"{package} {version(package)}" for package in packages]
    command = shlex.join(["python3", "python/compare/run.py", *sys.argv[1:]])
    return "\n".join([
        "# Bezzel beside other programs",
        "",
        f"    {command}",
        "",
        f"- Machine: {cpu}, {os.cpu_count()} processors, {platform.system()} {platform.release()}; load before: {load}.",
        f"- Versions: {', '.join(found)}; Python {platform.python_version()}.",
        f"- Times are by the clock. Cells have the median of {repetitions} repetitions (least to largest). A ratio is that of",
        "  two times in the same repetition; above 1, Bezzel is faster.",
    ])  # fmt: skip


def main() -> None:
    given = arguments()
    enter(given.venv)
    sys.path[:0] = [str(HERE), str(ROOT / "python" / "src")]
    bezzel = str(given.bezzel.absolute())
    os.environ["BEZZEL_PROGRAM"] = bezzel
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    from measure import Setup

    repetitions = given.repetitions or (3 if given.quick else 7)
    folder = TARGET / "compare" / "files"
    folder.mkdir(parents=True, exist_ok=True)
    setup = Setup(repetitions, given.limit, given.quick, folder.absolute())
    print(conditions(bezzel, repetitions), flush=True)
    for section in given.only or SECTIONS:
        for part in importlib.import_module(section).tables(setup):
            print(f"\n{part}", flush=True)


if __name__ == "__main__":
    main()
