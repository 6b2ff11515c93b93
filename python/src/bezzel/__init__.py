"""SAT encodings of constraints on numbers and weights of true literals, and experiments that compare them.

    >>> import bezzel
    >>> bezzel.at_most([1, 2, 3], 1, encoding="pairwise").clauses
    [[-1, -2], [-1, -3], [-2, -3]]

The package starts the program `bezzel`, which the wheel carries. docs/python.md describes all functions.
"""

from typing import Any

from ._clauses import Clauses
from ._encode import DEFAULT, Encoder, at_least, at_most, exactly
from ._experiment import Experiment, Tuned, plan, run, tune
from ._own import OwnEncoder, check, encoder
from ._profile import Profile, bounds, encodings, show, sums
from ._program import Error, program
from ._results import Svg, comparisons, figures, rows
from ._totalizer import Totalizer

__all__ = [
    "DEFAULT",
    "Clauses",
    "Encoder",
    "Error",
    "Experiment",
    "OwnEncoder",
    "Profile",
    "Svg",
    "Totalizer",
    "Tuned",
    "at_least",
    "at_most",
    "bounds",
    "check",
    "comparisons",
    "encoder",
    "encodings",
    "exactly",
    "figures",
    "plan",
    "program",
    "rows",
    "run",
    "show",
    "sums",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._program import call

        return call("--version").split()[1]
    raise AttributeError(f"module `bezzel` has no attribute `{name}`")
