"""The texts of records: what is published of each, made while its model is at hand.

A record has a row of texts: its summary, its published file, and what finds it in a search (see
`Table`).  They may be in a file, of which only what is read takes memory
(generator.published.content.text_file).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Any, overload


class TextRows:
    """Rows of texts; rows are added at the end, and never change.

    All rows have as many texts as the first, `width`.  Only one thread may add.
    """

    def __init__(self) -> None:
        self.width = 0
        #: Where each text begins, and the end of the last, in bytes.
        self.starts = array("Q", (0,))
        self._added: list[bytes] = []

    def add(self, rows: Iterable[Sequence[bytes]]) -> int:
        """Add rows; returns the number of the first.  Raises OSError."""
        rows = list(rows)
        if not rows:
            return 0
        self.width = len(rows[0])
        first, texts = (len(self.starts) - 1) // self.width, list(chain.from_iterable(rows))
        self._store(texts)
        self.starts.extend(islice(accumulate(map(len, texts), initial=self.starts[-1]), 1, None))
        return first

    def _store(self, texts: Sequence[bytes]) -> None:
        self._added += texts

    def read(self, text: int) -> bytes:
        """A text by its number."""
        return self._added[text]


class TextColumn(Sequence[bytes]):
    """One text of each of several rows of `TextRows`."""

    def __init__(self, texts: TextRows, rows: Sequence[int], column: int):
        """`rows` are numbers of rows, `column` is the place of the text in each."""
        self.texts, self._rows, self._column = texts, rows, column
        self._kept: list[bytes] | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, position: int) -> bytes: ...

    @overload
    def __getitem__(self, position: slice) -> TextColumn: ...

    def __getitem__(self, position: int | slice) -> bytes | TextColumn:
        if isinstance(position, slice):
            return TextColumn(self.texts, self._rows[position], self._column)
        if self._kept is not None:
            return self._kept[position]
        return self.texts.read(self._rows[position] * self.texts.width + self._column)

    def at(self, positions: Iterable[int]) -> list[bytes]:
        """The texts at these positions."""
        return list(map((self._kept or self).__getitem__, positions))

    def sizes(self) -> Iterator[int]:
        """The number of bytes of each text."""
        starts, width, column = self.texts.starts, self.texts.width, self._column
        places = (row * width + column for row in self._rows)
        return (starts[place + 1] - starts[place] for place in places)

    def keep(self) -> None:
        """Keep all texts in memory, for who reads each many times."""
        self._kept = list(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return TextColumn, (self.texts, self._rows, self._column)
