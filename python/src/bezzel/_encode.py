"""Constraints on the number of true literals, as clauses."""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import sys
import threading
from array import array
from collections.abc import Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, Any

from ._program import Encoding, Error, failure, name_of, program

if TYPE_CHECKING:
    from types import TracebackType

    import numpy
    import numpy.typing

DEFAULT = "totalizer:cut"
"""The encoding of calls that name none."""

_GREETING = b"bezzel-encoder 1\n"
_HEADER = struct.Struct("<3Q")


class Clauses:
    """The clauses of a constraint.

    `clauses` is a list of lists of integers, and `nv` is the largest variable in use, as in the formulas of PySAT.
    """

    __slots__ = ("_count", "_data", "_lists", "nv")

    def __init__(self, data: bytes, count: int, nv: int) -> None:
        self._data = data
        self._count = count
        self._lists: list[list[int]] | None = None
        self.nv = nv

    @property
    def clauses(self) -> list[list[int]]:
        """The clauses, each a list of literals."""
        if self._lists is None:
            numbers = array("i", self._data)
            if sys.byteorder == "big":
                numbers.byteswap()
            flat = numbers.tolist()
            lists, start, find = [], 0, flat.index
            for _ in range(self._count):
                end = find(0, start)
                lists.append(flat[start:end])
                start = end + 1
            self._lists = lists
        return self._lists

    def to_numpy(self) -> numpy.typing.NDArray[numpy.int32]:
        """All clauses in one array, each followed by a 0."""
        import numpy

        return numpy.frombuffer(self._data, dtype="<i4")

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


class Encoder:
    """An encoder for many constraints.

    All constraints are encoded by one process. It is started at the first call, and ended by `close` or at the end of a
    `with` block. `order` is the order in which the encoder takes the literals: `as-stated`, `reversed` or `random:SEED`.
    """

    def __init__(self, encoding: Encoding = DEFAULT, *, order: str = "as-stated") -> None:
        self.encoding = name_of(encoding)
        self.order = order
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def at_most(self, lits: Iterable[int], k: int = 1, top_id: int | None = None) -> Clauses:
        """At most `k` of the literals are true. New variables begin after `top_id` and after those of the literals."""
        return self._ask("at-most", lits, k, top_id)

    def at_least(self, lits: Iterable[int], k: int = 1, top_id: int | None = None) -> Clauses:
        """At least `k` of the literals are true."""
        return self._ask("at-least", lits, k, top_id)

    def exactly(self, lits: Iterable[int], k: int = 1, top_id: int | None = None) -> Clauses:
        """Exactly `k` of the literals are true."""
        return self._ask("exactly", lits, k, top_id)

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end(kill=False)

    def __enter__(self) -> Encoder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self._end(kill=False)

    def __repr__(self) -> str:
        return f"<encoder {self.encoding}, order {self.order}>"

    def _ask(self, word: str, lits: Iterable[int], k: int, top_id: int | None) -> Clauses:
        numbers = [index(lit) for lit in lits]
        top = max(map(abs, numbers), default=0)
        if top_id is not None:
            top = max(top, index(top_id))
        literals = " ".join(map(str, numbers))
        request = f"{word} {index(k)} {len(numbers)} {top} {literals}\n"
        with self._lock:
            try:
                answer = self._exchange(request.encode())
            except BaseException:
                # An answer that is read in part would be taken for the next one.
                self._end(kill=True)
                raise
            if isinstance(answer, Error):
                raise answer
            return answer

    def _exchange(self, request: bytes) -> Clauses | Error:
        """The answer to a request, or the error with which the process ended."""
        process = self._running()
        assert process.stdin and process.stdout and process.stderr
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except BrokenPipeError:
            pass
        head = process.stdout.read(_HEADER.size)
        if len(head) == _HEADER.size:
            variables, clauses, literals = _HEADER.unpack(head)
            size = 4 * (clauses + literals)
            data = process.stdout.read(size)
            if len(data) == size:
                return Clauses(data, clauses, variables)
        errors = process.stderr.read().decode("utf-8", "replace")
        code = process.wait()
        self._end(kill=False)
        return failure(code, errors)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():
            self._end(kill=False)
        if self._process is None:
            command = [program(), "encoder", self.encoding, "--binary", "--input-order", self.order]
            pipe = subprocess.PIPE
            # Ctrl-C in a terminal does not reach another session: an idle encoder lives on.
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
            self._owner = os.getpid()
            assert self._process.stdin
            self._process.stdin.write(_GREETING)
        return self._process

    def _end(self, kill: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        is_owner = self._owner == os.getpid()
        if kill and is_owner:
            process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass
        if is_owner:
            process.wait()
        else:
            # After a fork the process is a child of the parent, which waits for it.
            process.returncode = 0


_MOST_SHARED = 8
_shared: dict[tuple[str, str], Encoder] = {}


def _encoder(encoding: Encoding, order: str) -> Encoder:
    """The encoder of calls without one of their own. The last few stay open."""
    key = (name_of(encoding), order)
    encoder = _shared.pop(key, None) or Encoder(key[0], order=order)
    _shared[key] = encoder
    while len(_shared) > _MOST_SHARED:
        _shared.pop(next(iter(_shared))).close()
    return encoder


@atexit.register
def _close_shared() -> None:
    while _shared:
        _shared.popitem()[1].close()


def at_most(
    lits: Iterable[int],
    k: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at most `k` of the literals are true.

    New variables begin after `top_id` and after the variables of the literals. `bezzel.encodings()` and
    `bezzel.bounds()` list the encodings: those of at most one, and those of any `k`.
    """
    return _encoder(encoding, order).at_most(lits, k, top_id)


def at_least(
    lits: Iterable[int],
    k: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at least `k` of the literals are true."""
    return _encoder(encoding, order).at_least(lits, k, top_id)


def exactly(
    lits: Iterable[int],
    k: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that exactly `k` of the literals are true."""
    return _encoder(encoding, order).exactly(lits, k, top_id)
