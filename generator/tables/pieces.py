"""Byte strings that lie in a few large ones."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, overload


class Pieces(Sequence[bytes]):
    """Byte strings cut from a few large ones: none is an object of its own, and a forked process
    that reads some copies no page of memory.
    """

    def __init__(self) -> None:
        self.whole: list[Any] = []  # bytes, or what gives slices of them
        self.which, self.starts, self.sizes = array("I"), array("Q"), array("I")

    def add(self, whole: Any, sizes: Sequence[int]) -> None:
        """Pieces of these sizes, one after another."""
        self.which.extend([len(self.whole)] * len(sizes))
        self.starts.extend(accumulate(sizes[:-1], initial=0) if sizes else ())
        self.sizes.extend(sizes)
        self.whole.append(whole)

    def ordered(self, order: Sequence[int]) -> Pieces:
        pieces = Pieces()
        pieces.whole = self.whole
        for name in ("which", "starts", "sizes"):
            numbers = getattr(self, name)
            setattr(pieces, name, array(numbers.typecode, map(numbers.__getitem__, order)))
        return pieces

    def some(self, numbers: Sequence[int]) -> list[bytes]:
        """Pieces by their numbers."""
        whole, which, starts, sizes = self.whole, self.which, self.starts, self.sizes
        return [whole[which[n]][starts[n] : starts[n] + sizes[n]] for n in numbers]

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[bytes]:
        for which, start, size in zip(self.which, self.starts, self.sizes, strict=True):
            yield self.whole[which][start : start + size]

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: Any) -> Any:
        start = self.starts[index]
        return self.whole[self.which[index]][start : start + self.sizes[index]]
