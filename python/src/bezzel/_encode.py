"""Constraints on the number or the weight of true literals, as clauses."""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import threading
from collections.abc import Iterable
from operator import index
from typing import IO, TYPE_CHECKING, Protocol

from ._clauses import Clauses
from ._own import OwnEncoder
from ._program import Encoding, Error, failure, name_of, program, whole

if TYPE_CHECKING:
    from types import TracebackType

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


class Pool(Protocol):
    """A pool of variables, such as `IDPool` of PySAT or of `bezzel.pysat`. `top` is the last one that it gave."""

    top: int

    def id(self) -> int:
        """A new variable, greater than those before."""
        ...


def _last_of(pool: Pool, count: int) -> int:
    """Takes variables from the pool until `count` of them follow each other, and returns the last one."""
    last, run = pool.top, 0
    while run < count:
        before, last = last, pool.id()
        run = run + 1 if last == before + 1 else 1
    return last


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
        vpool: Pool | None = None,
    ) -> Clauses:
        """At most `bound` of the literals are true, or their weights add up to at most `bound`.

        `weights` has a weight for each literal. With a literal as `condition`, the constraint holds if this literal does.
        New variables begin after `top_id` and after those of the literals. With `vpool` in the place of `top_id` they are
        taken from this pool.
        """
        return self._ask(b"at-most", lits, bound, top_id, weights, condition, vpool)

    def at_least(
        self,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        *,
        weights: Iterable[int] | None = None,
        condition: int | None = None,
        vpool: Pool | None = None,
    ) -> Clauses:
        """At least `bound`."""
        return self._ask(b"at-least", lits, bound, top_id, weights, condition, vpool)

    def exactly(
        self,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        *,
        weights: Iterable[int] | None = None,
        condition: int | None = None,
        vpool: Pool | None = None,
    ) -> Clauses:
        """Exactly `bound`."""
        return self._ask(b"exactly", lits, bound, top_id, weights, condition, vpool)

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
        vpool: Pool | None,
    ) -> Clauses:
        numbers = _whole_numbers("lits", lits)
        top = max(map(abs, numbers), default=0)
        if condition is not None:
            top = max(top, abs(whole("condition", condition)))
        if top_id is not None:
            top = max(top, whole("top_id", top_id))
        count = len(numbers)
        # One format is twice as fast as a join of strings.
        head = b"%b %d %d" % (word, whole("bound", bound), count)
        if weights is not None:
            of_lits = _whole_numbers("weights", weights)
            if len(of_lits) != count:
                raise ValueError(f"there are {count} literals and {len(of_lits)} weights: each literal has one")
            head = b"sum " + head + b" %d" * count % of_lits
        tail = b" %d" * count % numbers + (b"\n" if condition is None else b" if %d\n" % condition)
        if vpool is None:
            return self._answer(head + b" %d" % top + tail)
        if top_id is not None:
            raise TypeError("`top_id` and `vpool` exclude each other: the pool has the largest variable")
        vpool.top = top = max(top, vpool.top)
        made = self._answer(head + b" %d" % top + tail)
        count = made.nv - top
        # Variables that the pool keeps free are left out.
        top = _last_of(vpool, count) - count
        return made if made.nv == top + count else self._answer(head + b" %d" % top + tail)

    def _answer(self, request: bytes) -> Clauses:
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
    vpool: Pool | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at most `bound` of the literals are true.

    With `weights`, one for each literal, the weights of the true literals add up to at most `bound`. With a literal as
    `condition`, the constraint holds if this literal does; else it need not hold. New variables begin after `top_id` and
    after the variables of the literals; with `vpool` they are taken from this pool. `bezzel.encodings()`,
    `bezzel.bounds()` and `bezzel.sums()` list the encodings: those of at most one, of any number, and of weights.
    """
    encoder = _encoder(encoding, order)
    return encoder.at_most(lits, bound, top_id, weights=weights, condition=condition, vpool=vpool)


def at_least(
    lits: Iterable[int],
    bound: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    condition: int | None = None,
    vpool: Pool | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that at least `bound` of the literals are true, or that their weights add up to at least `bound`."""
    encoder = _encoder(encoding, order)
    return encoder.at_least(lits, bound, top_id, weights=weights, condition=condition, vpool=vpool)


def exactly(
    lits: Iterable[int],
    bound: int = 1,
    encoding: Encoding = DEFAULT,
    top_id: int | None = None,
    *,
    weights: Iterable[int] | None = None,
    condition: int | None = None,
    vpool: Pool | None = None,
    order: str = "as-stated",
) -> Clauses:
    """The clauses that exactly `bound` of the literals are true, or that their weights add up to `bound`."""
    encoder = _encoder(encoding, order)
    return encoder.exactly(lits, bound, top_id, weights=weights, condition=condition, vpool=vpool)
