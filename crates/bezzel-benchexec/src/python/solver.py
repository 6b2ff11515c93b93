"""A tool-info module of BenchExec for SAT solvers, which Bezzel wrote beside the formulas.

The other modules of this package say what differs between solvers. The benchmark definitions have
one option: the solver's command line, for a shell, in which $bezzel_cnf stands for the file of the
formula and $bezzel_answer for one to which the solver writes its answer as MiniSat does.
"""

import hashlib
import re
import shlex
import subprocess

import benchexec.result as result
from benchexec.tools.template import BaseTool2

UNPACKERS = {".xz": "xz -dc", ".gz": "gzip -dc"}
FORMULA = '"$bezzel_cnf"'
# A word that means the same without a shell.
PLAIN = re.compile(re.escape(FORMULA) + r"|[A-Za-z0-9_./=+@%:,-]+")

# From MiniSat's file to the lines of solver competitions.
SHOW_ANSWER = (
    "sed -n -e 's/^SAT$/s SATISFIABLE/p' -e 's/^UNSAT$/s UNSATISFIABLE/p'"
    " -e 's/^INDET$/s UNKNOWN/p' -e 's/^-\\{0,1\\}[0-9].*/v &/p' \"$bezzel_answer\""
)


class Solver(BaseTool2):
    """A solver that answers as at the SAT competitions, or in a file as MiniSat does."""

    TITLE = None
    PROGRAM = None
    # The command line that makes it print its version, or None.
    VERSION = None
    # The endings of packed formulas that it reads by itself.
    READS = ()

    def name(self):
        return self.TITLE

    def executable(self, tool_locator):
        if "/" in self.PROGRAM:
            return self.PROGRAM
        return tool_locator.find_executable(self.PROGRAM)

    def version(self, executable):
        """The version that the program prints, or a digest of the program if it prints none."""
        if self.VERSION is not None:
            done = subprocess.run(
                ["/bin/sh", "-c", self.VERSION],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                errors="replace",
            )
            lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
            if done.returncode == 0 and lines:
                return "".join(c if c.isprintable() else " " for c in lines[0][:100])
        try:
            with open(executable, "rb") as program:
                return "sha256:" + hashlib.sha256(program.read()).hexdigest()[:16]
        except OSError:
            return ""

    def cmdline(self, executable, options, task, rlimits):
        formula = task.single_input_file
        line = " ".join(options)
        unpack = next((UNPACKERS[end] for end in UNPACKERS if formula.endswith(end)), None)
        if unpack is not None and formula.endswith(tuple(self.READS)):
            unpack = None
        shows = "$bezzel_answer" in line
        if unpack is None and not shows:
            words = line.split()
            if words[:1] == [self.PROGRAM] and all(map(PLAIN.fullmatch, words)):
                return [executable] + [formula if word == FORMULA else word for word in words[1:]]
            return ["/bin/sh", "-c", f"bezzel_cnf={shlex.quote(formula)}\n{line}"]
        # The shell's own time is a millisecond; that of unpacking is part of what is measured.
        steps = [
            "bezzel_dir=$(mktemp -d) || exit 1",
            "trap 'rm -rf \"$bezzel_dir\"' EXIT",
            f"bezzel_cnf={shlex.quote(formula)}",
            'bezzel_answer="$bezzel_dir/answer"',
        ]
        if unpack is not None:
            steps.append(f'{unpack} "$bezzel_cnf" >"$bezzel_dir/formula.cnf" || exit 1')
            steps.append('bezzel_cnf="$bezzel_dir/formula.cnf"')
        steps.append(f"({line}\n)")
        steps.append("bezzel_code=$?")
        if shows:
            steps.append(SHOW_ANSWER)
        steps.append("exit $bezzel_code")
        return ["/bin/sh", "-c", "\n".join(steps)]

    def determine_result(self, run):
        """The answer of the line `s`, if the exit code agrees with it."""
        verdicts = {line.strip() for line in run.output if line.startswith("s ")}
        code = run.exit_code.value
        if verdicts == {"s SATISFIABLE"} and code == 10:
            return result.RESULT_TRUE_PROP
        if verdicts == {"s UNSATISFIABLE"} and code == 20:
            return result.RESULT_FALSE_PROP
        if verdicts <= {"s UNKNOWN"} and code == 0:
            return result.RESULT_UNKNOWN
        if verdicts - {"s UNKNOWN"} and code is not None and not run.was_terminated:
            return "CONTRADICTORY ANSWER"
        return result.RESULT_ERROR
