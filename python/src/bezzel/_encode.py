"""Constraints on the number or the weight of true literals, as clauses."""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import struct
import subprocess
import threading
from collections.abc import Iterable, Iterator
from operator import index
from typing import IO, TYPE_CHECKING, Any

from ._own import OwnEncoder
from ._program import Encoding, Error, failure, name_of, program, whole

if TYPE_CHECKING:
    from types import TracebackType

    import numpy
    import numpy.typing

DEFAULT = "default"
"""The encoding of calls that name none: a choice by the shape of the constraint."""

_GREETING = b"bezzel-encoder 1\n"
_HEADER = struct.Struct("<3Q")
# The capacity of a pipe in Linux: a short answer is read at once.
_BUFFER = 1 << 16
# Ctrl-C is noticed between parts of a long answer, and not within a part.
_PART = 1 << 26


def _id(encoding: Encoding) -> str:
    """The name of an encoding that `bezzel encoder` serves."""
    if isinstance(encoding, OwnEncoder):
        name = encoding.function.__name__
        raise Error(f"`{name}` is a function of Python: call `{name}(lits, k, new_var)` itself, or pass an id")
    return name_of(encoding)


def _read(pipe: IO[bytes], size: int) -> bytes | bytearray:
    """The next `size` bytes, or fewer at the end of the output."""
    if size <= _PART:
        return pipe.read(size)
    data = bytearray(size)
    view, start = memoryview(data), 0
    while start < size:
        count = pipe.readinto(view[start : start + _PART])  # type: ignore[attr-defined]
        if not count:
            return data[:start]
        start += count
    return data


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


def _whole_numbers(name: str, numbers: Iterable[int]) -> tuple[int, ...]:
    try:
        return tuple(map(index, numbers))
    except TypeError as error:
        raise TypeError(f"`{name}` has whole numbers alone: {error}") from error


class Encoder:
    """An encoder for many constraints.

    All constraints are encoded by one process. It is started at the first call, and ended by `close` or at the end of a
    `with` block. A later call starts another one. `order` is the order in which the encoder takes the literals:
    `as-stated`, `reversed` or `random:SEED`.
    """

    def __init__(self, encoding: Encoding = DEFAULT, *, order: str = "as-stated") -> None:
        if not isinstance(order, str):
            raise TypeError(f"`order` is as-stated, reversed or random:SEED, not {order!r}")
        self.encoding = _id(encoding)
        self.order = order
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def at_most(
        self,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        *,
        weights: Iterable[int] | None = None,
        condition: int | None = None,
    ) -> Clauses:
        """At most `bound` of the literals are true, or their weights add up to at most `bound`.

        `weights` has a weight for each literal. With a literal as `condition`, the constraint holds if this literal does.
        New variables begin after `top_id` and after those of the literals.
        """
        return self._ask(b"at-most", lits, bound, top_id, weights, condition)

    def at_least(
        self,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        *,
        weights: Iterable[int] | None = None,
        condition: int | None = None,
    ) -> Clauses:
        """At least `bound`."""
        return self._ask(b"at-least", lits, bound, top_id, weights, condition)

    def exactly(
        self,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        *,
        weights: Iterable[int] | None = None,
        condition: int | None = None,
    ) -> Clauses:
        """Exactly `bound`."""
        return self._ask(b"exactly", lits, bound, top_id, weights, condition)

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

    def _ask(
        self,
        word: bytes,
        lits: Iterable[int],
        bound: int,
        top_id: int | None,
        weights: Iterable[int] | None,
        condition: int | None,
    ) -> Clauses:
        numbers = _whole_numbers("lits", lits)
        top = max(map(abs, numbers), default=0)
        if condition is not None:
            top = max(top, abs(whole("condition", condition)))
        if top_id is not None:
            top = max(top, whole("top_id", top_id))
        count = len(numbers)
        head = b"%b %d %d" % (word, whole("bound", bound), count)
        if weights is not None:
            of_lits = _whole_numbers("weights", weights)
            if len(of_lits) != count:
                raise ValueError(f"there are {count} literals and {len(of_lits)} weights: each literal has one")
            head = b"sum " + head + b" %d" * count % of_lits
        # One format is twice as fast as a join of strings.
        request = head + b" %d" % top + b" %d" * count % numbers
        request += b"\n" if condition is None else b" if %d\n" % condition
        with self._lock:
            try:
                answer = self._exchange(request)
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
            size = 5 * (1 + clauses + literals)
            data = _read(process.stdout, size)
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
            command = [program(), "encoder", "--format=marshal", f"--input-order={self.order}", "--", self.encoding]
            pipe = subprocess.PIPE
            # Ctrl-C in a terminal does not reach another session: an idle encoder lives on.
            self._process = subprocess.Popen(
                command,
                bufsize=_BUFFER,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
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


_MAX_SHARED = 8
_shared: dict[tuple[str, str], Encoder] = {}


def _encoder(encoding: Encoding, order: str) -> Encoder:
    """The encoder of calls without one of their own. The last few stay open."""
    key = (_id(encoding), order)
    encoder = _shared.pop(key, None) or Encoder(key[0], order=order)
    _shared[key] = encoder
    while len(_shared) > _MAX_SHARED:
        _shared.pop(next(iter(_shared))).close()
    return encoder


@atexit.register
def _close_shared() -> None:
    while _shared:
        _shared.popitem()[1].close()


def at_most(
    lits: Iterable[int],
    bound: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    condition: int | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at most `bound` of the literals are true.

    With `weights`, one for each literal, the weights of the true literals add up to at most `bound`. With a literal as
    `condition`, the constraint holds if this literal does; else it need not hold. New variables begin after `top_id` and
    after the variables of the literals. `bezzel.encodings()`, `bezzel.bounds()` and `bezzel.sums()` list the encodings:
    those of at most one, of any number, and of weights.
    """
    encoder = _encoder(encoding, order)
    return encoder.at_most(lits, bound, top_id, weights=weights, condition=condition)


def at_least(
    lits: Iterable[int],
    bound: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    condition: int | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at least `bound` of the literals are true, or that their weights add up to at least `bound`."""
    encoder = _encoder(encoding, order)
    return encoder.at_least(lits, bound, top_id, weights=weights, condition=condition)


def exactly(
    lits: Iterable[int],
    bound: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    condition: int | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that exactly `bound` of the literals are true, or that their weights add up to `bound`."""
    encoder = _encoder(encoding, order)
    return encoder.exactly(lits, bound, top_id, weights=weights, condition=condition)
