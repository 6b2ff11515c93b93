#!/usr/bin/env python3
"""Counts lines of Rust: code and tests, without documentation, comments and blank lines.

`count_lines.py` prints a table by crate. `count_lines.py CODE TESTS` fails if there are more lines than these.
Tests are files in `tests/`, files named `tests.rs`, `test.rs` or `*_tests.rs`, and blocks below `#[cfg(test)]`.
Benchmarks, examples and support programs are counted apart and have no ceiling.
"""
import collections
import subprocess
import sys

KINDS = ["code", "tests", "other"]


def kind_of_file(path):
    folders, name = path.split("/")[:-1], path.split("/")[-1]
    if "tests" in folders or "test" in folders or name in ("tests.rs", "test.rs") or name.endswith("_tests.rs"):
        return "tests"
    if {"benches", "examples", "support"} & set(folders):
        return "other"
    return "code"


def count(path, lines):
    """The number of lines of each kind."""
    numbers = collections.Counter()
    own = kind_of_file(path)
    in_comment = False
    # A test block is announced by its attribute, opened by the next line of code, and closed by its last bracket.
    announced, depth = False, 0
    for line in map(str.strip, lines):
        if in_comment:
            in_comment = "*/" not in line
            continue
        if line.startswith("/*"):
            in_comment = "*/" not in line
            continue
        if not line or line.startswith("//"):
            continue
        if own == "tests" or depth > 0:
            numbers["tests"] += 1
            if own != "tests":
                depth += line.count("{") - line.count("}")
            continue
        announced = announced or line.startswith("#[cfg(test)]")
        if announced and not line.startswith("#["):
            announced = False
            if line.endswith("{"):
                depth = line.count("{") - line.count("}")
                numbers["tests"] += 1
                continue
        numbers[own] += 1
    return numbers


def main():
    listed = subprocess.run(["git", "ls-files", "*.rs"], capture_output=True, text=True, check=True)
    crates = collections.defaultdict(collections.Counter)
    for path in listed.stdout.splitlines():
        with open(path, encoding="utf-8") as file:
            crates["/".join(path.split("/")[:2])].update(count(path, file))
    total = sum(crates.values(), collections.Counter())
    for name, numbers in [*sorted(crates.items()), ("total", total)]:
        print(f"{name:28}", *(f"{numbers[kind]:8} {kind}" for kind in KINDS))
    for ceiling, kind in zip(map(int, sys.argv[1:]), KINDS):
        if total[kind] > ceiling:
            sys.exit(f"{total[kind]} lines of {kind}, and the ceiling is {ceiling}: delete before you add")


main()
