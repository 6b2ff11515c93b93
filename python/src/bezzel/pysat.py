"""The calls of PySAT's `CardEnc`, `PBEnc`, `ITotalizer` and `IDPool`, with the encoders of Bezzel.

    >>> from bezzel.pysat import CardEnc, EncType, PBEnc
    >>> CardEnc.atmost(lits=[1, 2, 3], encoding=EncType.pairwise).clauses
    [[-1, -2], [-1, -3], [-2, -3]]

`encoding` is an id of Bezzel, or one of `EncType`, also of PySAT's. docs/python.md has the ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Union

from ._clauses import Clauses
from ._encode import DEFAULT, Pool, at_least, at_most, exactly
from ._program import Encoding, Error
from ._totalizer import Totalizer


class EncType(Enum):
    """The encodings of PySAT by name, those of counts and those of weighted sums."""

    pairwise = "pairwise"
    seqcounter = "seqcounter"
    sortnetwrk = "sortnetwrk"
    cardnetwrk = "cardnetwrk"
    bitwise = "bitwise"
    ladder = "ladder"
    totalizer = "totalizer"
    mtotalizer = "mtotalizer"
    kmtotalizer = "kmtotalizer"
    native = "native"
    best = "best"
    bdd = "bdd"
    adder = "adder"
    binmerge = "binmerge"
    watchdog = "watchdog"
    mixedradix = "mixedradix"


Named = Union[EncType, int, Encoding]
"""An encoding: one of `EncType`, the number of one of PySAT's `EncType`, or an id of Bezzel."""

# In the order of the numbers of `pysat.card.EncType`.
_COUNTS = {
    "pairwise": "pairwise",
    "seqcounter": "sequential-counter:knuth",
    "sortnetwrk": "sorting-network",
    "cardnetwrk": "cardinality-network",
    "bitwise": "bitwise",
    "ladder": "ladder:slack",
    "totalizer": "totalizer:full",
    "mtotalizer": "modulo-totalizer",
    "kmtotalizer": "k-modulo-totalizer",
    "native": None,
}
# In the order of the numbers of `pysat.pb.EncType`.
_SUMS = {
    "best": DEFAULT,
    "bdd": "robdd",
    "seqcounter": "weight-counter",
    "sortnetwrk": "mixed-radix-sorter",
    "adder": "adder-network",
    "binmerge": "binary-merge",
    "native": None,
    "watchdog": "global-watchdog",
    "totalizer": "generalised-totalizer",
    "mixedradix": "mixed-radix-sorter",
}


def _id(encoding: Named, ids: Mapping[str, str | None]) -> Encoding:
    """The id of Bezzel."""
    if isinstance(encoding, int):
        if not 0 <= encoding < len(ids):
            raise Error(f"`EncType` of PySAT has no number {encoding}")
        name = list(ids)[encoding]
    elif isinstance(encoding, EncType):
        name = encoding.value
    else:
        return encoding
    known = ids.get(name)
    if known is None:
        others = ", ".join(other for other, of in ids.items() if of)
        raise Error(f"`EncType.{name}` has no counterpart here: take one of {others}, or an id of Bezzel")
    return known


class CardEnc:
    """Counts: at most, at least or exactly `bound` of the literals are true."""

    @staticmethod
    def atmost(
        lits: Iterable[int], bound: int = 1, top_id: int | None = None, vpool: Pool | None = None,
        encoding: Named = EncType.seqcounter,
    ) -> Clauses:
        """At most `bound`."""
        return at_most(lits, bound, _id(encoding, _COUNTS), top_id, vpool=vpool)

    @staticmethod
    def atleast(
        lits: Iterable[int], bound: int = 1, top_id: int | None = None, vpool: Pool | None = None,
        encoding: Named = EncType.seqcounter,
    ) -> Clauses:
        """At least `bound`."""
        return at_least(lits, bound, _id(encoding, _COUNTS), top_id, vpool=vpool)

    @staticmethod
    def equals(
        lits: Iterable[int], bound: int = 1, top_id: int | None = None, vpool: Pool | None = None,
        encoding: Named = EncType.seqcounter,
    ) -> Clauses:
        """Exactly `bound`."""
        return exactly(lits, bound, _id(encoding, _COUNTS), top_id, vpool=vpool)


Weighted = Union[Iterable[int], Iterable[tuple[int, int]]]
"""Literals, or pairs of a literal and its weight."""


class PBEnc:
    """Sums: the weights of the true literals add up to at most, at least or exactly `bound`.

    `weights` has a weight for each literal, by default 1. The constraint holds if all literals of `conditionals` do.
    """

    @staticmethod
    def atmost(
        lits: Weighted, weights: Iterable[int] | None = None, bound: int = 1, top_id: int | None = None,
        vpool: Pool | None = None, encoding: Named = EncType.best, conditionals: Sequence[int] | None = None,
    ) -> Clauses:
        """At most `bound`."""
        return _sum(at_most, lits, weights, bound, top_id, vpool, encoding, conditionals)

    @staticmethod
    def atleast(
        lits: Weighted, weights: Iterable[int] | None = None, bound: int = 1, top_id: int | None = None,
        vpool: Pool | None = None, encoding: Named = EncType.best, conditionals: Sequence[int] | None = None,
    ) -> Clauses:
        """At least `bound`."""
        return _sum(at_least, lits, weights, bound, top_id, vpool, encoding, conditionals)

    @staticmethod
    def equals(
        lits: Weighted, weights: Iterable[int] | None = None, bound: int = 1, top_id: int | None = None,
        vpool: Pool | None = None, encoding: Named = EncType.best, conditionals: Sequence[int] | None = None,
    ) -> Clauses:
        """Exactly `bound`."""
        return _sum(exactly, lits, weights, bound, top_id, vpool, encoding, conditionals)

    leq, geq = atmost, atleast


def _sum(
    function: Callable[..., Clauses], weighted: Weighted, weights: Iterable[int] | None, bound: int, top_id: int | None,
    vpool: Pool | None, encoding: Named, conditionals: Sequence[int] | None,
) -> Clauses:
    pairs = [one if isinstance(one, (tuple, list)) else (one, 1) for one in weighted]
    lits = [lit for lit, _ in pairs]
    own = [weight for _, weight in pairs] if weights is None else weights
    conditions = list(conditionals or [])
    further: list[list[int]] = []
    if len(conditions) > 1:
        # A new variable is true if all of them are.
        condition = 1 + max(map(abs, [*lits, *conditions, top_id or 0]))
        if vpool is not None:
            vpool.top = max(condition - 1, vpool.top)
            condition = vpool.id()
        further.append([*(-lit for lit in conditions), condition])
        conditions = [condition]
    one = conditions[0] if conditions else None
    made = function(lits, bound, _id(encoding, _SUMS), top_id, weights=own, condition=one, vpool=vpool)
    return Clauses.of(further + made.clauses, made.nv) if further else made


class ITotalizer:
    """A totalizer whose bound grows, as PySAT's: `cnf` has all clauses, the last `nof_new` are those of the last call, and
    `rhs[k]` is true if more than `k` literals are. It does not take further literals (`extend`, `merge_with`).
    """

    def __init__(self, lits: Iterable[int] = (), ubound: int = 1, top_id: int | None = None) -> None:
        self.lits = list(lits)
        self._totalizer = Totalizer(self.lits, ubound, top_id)
        self.nof_new = len(self._totalizer.clauses)

    @property
    def cnf(self) -> Clauses:
        """All clauses."""
        return Clauses.of(self._totalizer.clauses, self._totalizer.nv)

    @property
    def rhs(self) -> list[int]:
        """The outputs."""
        return self._totalizer.rhs

    @property
    def ubound(self) -> int:
        """The bound."""
        return self._totalizer.bound

    @property
    def top_id(self) -> int:
        """The largest variable."""
        return self._totalizer.nv

    def increase(self, ubound: int = 1, top_id: int | None = None) -> None:
        """Adds the clauses for a larger bound."""
        self.nof_new = len(self._totalizer.increase(ubound, top_id).clauses)

    def delete(self) -> None:
        """Does nothing: there is nothing to free."""

    def __enter__(self) -> ITotalizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()


class IDPool:
    """Variables for objects, as PySAT's `IDPool` gives them: from `start_from` on, without the `occupied` ranges."""

    def __init__(self, start_from: int = 1, occupied: Iterable[Sequence[int]] = ()) -> None:
        self.restart(start_from, occupied)

    def restart(self, start_from: int = 1, occupied: Iterable[Sequence[int]] = ()) -> None:
        """Forgets all objects."""
        self.top = start_from - 1
        self._occupied = [(start, stop) for start, stop in occupied]
        self.obj2id: defaultdict[object, int] = defaultdict(self._next)
        self.id2obj: dict[int, object] = {}

    def id(self, obj: object = None) -> int:
        """The variable of the object; without an object a new one."""
        if obj is None:
            return self._next()
        variable = self.obj2id[obj]
        self.id2obj[variable] = obj
        return variable

    def obj(self, vid: int) -> object:
        """The object of a variable, or None."""
        return self.id2obj.get(vid)

    def occupy(self, start: int, stop: int) -> None:
        """Leaves out the variables from `start` to `stop`."""
        self._occupied.append((start, stop))

    def _next(self) -> int:
        self.top += 1
        while (found := next((stop for start, stop in self._occupied if start <= self.top <= stop), None)) is not None:
            self.top = found + 1
        return self.top
