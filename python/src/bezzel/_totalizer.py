"""The totalizer whose bound can be increased: earlier clauses stay, and further ones are added.

The tree and its clauses are those of `totalizer:cut`, without the clauses for more literals than a node has outputs: unit
propagation does not need them. Source: Martins, Joshi, Manquinho, Lynce, CP 2014.
"""

from __future__ import annotations

from collections.abc import Iterable

from ._clauses import Clauses
from ._program import Error, whole


class _Node:
    """A node over literals. Output i, counted from 0, is true if more than i of its literals are."""

    def __init__(self, lits: list[int]) -> None:
        self.size = len(lits)
        self.outputs = lits if self.size < 2 else []
        half = (self.size + 1) // 2
        self.children = (_Node(lits[:half]), _Node(lits[half:])) if self.size > 1 else None

    def grow(self, count: int, top: int, clauses: list[list[int]]) -> int:
        """Adds outputs up to `count` and their clauses. New variables begin after `top`; the last one is returned."""
        if self.children is None:
            return top
        left, right = self.children
        before = [len(node.outputs) for node in (left, right, self)]
        top = right.grow(count, left.grow(count, top, clauses), clauses)
        new = max(0, min(count, self.size) - len(self.outputs))
        self.outputs += range(top + 1, top + new + 1)
        for i in range(len(left.outputs) + 1):
            for j in range(len(right.outputs) + 1):
                is_stated = i <= before[0] and j <= before[1] and i + j <= before[2]
                if 0 < i + j <= len(self.outputs) and not is_stated:
                    causes = [-lits[k - 1] for lits, k in ((left.outputs, i), (right.outputs, j)) if k]
                    clauses.append([*causes, self.outputs[i + j - 1]])
        return top + new


class Totalizer:
    """Counts literals up to a bound that can be increased.

    `clauses` has all clauses, `nv` is the largest variable, and `rhs[k]` is true if more than `k` literals are, as in
    `ITotalizer` of PySAT. The clauses alone forbid nothing: `at_most(k)` has the assumptions that at most `k` are true.
    """

    def __init__(self, lits: Iterable[int], bound: int = 1, top_id: int | None = None) -> None:
        numbers = [whole("lits", lit) for lit in lits]
        if 0 in numbers:
            raise Error("lits: 0 is no literal; literals are numbers from 1 on, or their negations")
        self._root = _Node(numbers)
        self.nv = max([abs(lit) for lit in numbers], default=0)
        self.bound = -1
        self.clauses: list[list[int]] = []
        self.increase(bound, top_id)

    @property
    def rhs(self) -> list[int]:
        """The outputs: number k is true if more than k literals are."""
        return list(self._root.outputs)

    def increase(self, bound: int, top_id: int | None = None) -> Clauses:
        """The further clauses for the bounds up to `bound`. New variables begin after `nv` and after `top_id`."""
        self.bound = max(self.bound, whole("bound", bound))
        top = self.nv if top_id is None else max(self.nv, whole("top_id", top_id))
        further: list[list[int]] = []
        self.nv = self._root.grow(self.bound + 1, top, further)
        self.clauses += further
        return Clauses.of(further, self.nv)

    def at_most(self, k: int) -> list[int]:
        """The assumptions that at most `k` of the literals are true; `k` is at most `bound`."""
        if not 0 <= whole("k", k) <= self.bound:
            raise ValueError(f"`k` is from 0 to the bound {self.bound}, not {k}: increase the bound")
        return [-lit for lit in self._root.outputs[k : k + 1]]
