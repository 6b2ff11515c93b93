"""Clauses, in the format of `marshal`, until their lists are used."""

from __future__ import annotations

import gc
import marshal
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    import numpy.typing


def _loaded(data: bytes | bytearray) -> list[list[int]]:
    """The clauses of an answer in the format of `marshal`.

    `marshal` trusts its input. It is safe here, because the bytes come from Bezzel's own program. They are of version 3,
    which every Python from 3.4 on reads.
    """
    # The collector of cycles would traverse the growing list again and again.
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        lists: list[list[int]] = marshal.loads(data)
    finally:
        if is_enabled:
            gc.enable()
    return lists


class Clauses:
    """The clauses of a constraint.

    `clauses` is a list of lists of integers, and `nv` is the largest variable in use, as in the formulas of PySAT. The
    lists are made when they are first used.
    """

    __slots__ = ("_count", "_data", "_lists", "nv")

    def __init__(self, data: bytes | bytearray, count: int, nv: int) -> None:
        self._data = data
        self._count = count
        self._lists: list[list[int]] | None = None
        self.nv = nv

    @classmethod
    def of(cls, clauses: list[list[int]], nv: int) -> Clauses:
        """The formula of these clauses."""
        # Version 2 has no references, and the form that `to_numpy` reads.
        return cls(marshal.dumps(clauses, 2), len(clauses), nv)

    @property
    def clauses(self) -> list[list[int]]:
        """The clauses, each a list of literals."""
        if self._lists is None:
            self._lists = _loaded(self._data)
        return self._lists

    def to_numpy(self) -> numpy.typing.NDArray[numpy.int32]:
        """All clauses in one array, each followed by a 0. The array is read-only."""
        import numpy

        # Each element of the list is a type and a number (docs/external-encoders.md). The first is the list itself.
        elements = numpy.frombuffer(self._data, dtype=[("type", "u1"), ("number", "<i4")])[1:]
        types, numbers = elements["type"], elements["number"].copy()
        is_reference = types == ord("r")
        numbers[is_reference] = numbers[types == 0xE9][numbers[is_reference]]
        numbers[types == ord("[")] = 0
        # The 0 at the beginning of each clause becomes the one at the end of the clause before.
        shifted = numpy.roll(numbers, -1)
        shifted.flags.writeable = False
        return shifted

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clauses):
            return NotImplemented
        return (self.nv, self._data) == (other.nv, other._data)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._count} clauses, nv={self.nv}>"
