"""Rows and words of records in runs: files that those wrote who read the records, and of which
others read parts, so that nobody holds all of them.

A chunk of records is one stretch of a run: the fields of its rows, their summaries, and its words
in as many segments as there are ranges of words.  Once the position of every record is known, the
segments of a range are merged, each range by a task of its own, and then a word is found by where
its postings lie.  Who does a chunk again writes it again, and what was written first is not used.
"""

from __future__ import annotations

import marshal
import os
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple
from zlib import crc32

from generator.build import read
from generator.build.executors import CHUNK, Executor
from generator.records.folder import Source
from generator.records.symbols import Symbols
from generator.search.format import WEIGHTS
from generator.search.terms import by_level
from generator.search.vocabulary import Vocabulary
from generator.tables.table import Batch

#: Ranges of words, each merged by one task.
_RANGES = 64
#: A posting within a chunk: a level above, below it the number of a record.
_BITS = 16
_NUMBER = (1 << _BITS) - 1
#: Runs that are held open, and bytes of one before the next is begun.
_OPEN, _LONG = 128, 1 << 30
assert CHUNK <= _NUMBER


class Run:
    """A stretch of a file, from where it starts."""

    __slots__ = ("file", "start")

    def __init__(self, file: str, start: int):
        self.file, self.start = file, start

    def __getitem__(self, part: slice) -> bytes:
        return self.read(part.start, part.stop)

    def read(self, start: int, stop: int) -> bytes:
        """The bytes from one place to before another, of the stretch.  Raises OSError."""
        data = os.pread(_opened(self.file).number, stop - start, self.start + start)
        if len(data) != stop - start:
            raise OSError(0, f"{self.file} is shorter than was written")
        return data

    def __reduce__(self) -> tuple[Any, ...]:
        return Run, (self.file, self.start)


class _Opened:
    def __init__(self, file: str):
        self.number = os.open(file, os.O_RDONLY | os.O_CLOEXEC)

    def __del__(self) -> None:
        os.close(self.number)


_opened = lru_cache(maxsize=_OPEN)(_Opened)
#: The run that this process writes, by its folder.
_writing: dict[str, str] = {}


def forget() -> None:
    """Let go of all runs: they are removed when a build has ended."""
    _opened.cache_clear()
    _writing.clear()


def _append(folder: str, parts: Sequence[bytes]) -> Run:
    """Write a stretch, so that it can be read elsewhere when this returns."""
    file = _writing.get(folder)
    if file is None or os.path.getsize(file) > _LONG:
        file = _writing[folder] = os.path.join(folder, os.urandom(8).hex())
    with open(file, "ab") as opened:
        start = opened.tell()
        opened.writelines(parts)
    return Run(file, start)


# --- what is read ---


class Stretch(NamedTuple):
    """Where a chunk lies: in which file and from where, the bytes of its fields, where its
    summaries end, and where each segment of its words does.
    """

    file: str
    start: int
    ends: Sequence[int]

    @property
    def fields(self) -> Run:
        return Run(self.file, self.start)

    @property
    def summaries(self) -> Run:
        return Run(self.file, self.start + self.ends[0])

    def words(self, number: int) -> bytes:
        """A segment."""
        return Run(self.file, self.start).read(*self.ends[number + 1 : number + 3])


def begin(
    workers: Executor,
    sources: Sequence[Source],
    folder: str,
    symbols: Symbols,
    write: read.Write | None,
) -> Iterator[list[tuple[Any, ...]]]:
    """Begin to read records (see generator.build.read), their rows and words into runs where the
    workers have a folder for that.
    """
    shared = folder, symbols, write
    if workers.scratch is None:
        return workers.run(read.read_some, sources, shared)
    return workers.run(read_some, sources, (*shared, workers.scratch))


def read_some(
    sources: list[Source], shared: tuple[str, Symbols, read.Write | None, str]
) -> list[tuple[Any, ...]]:
    """What generator.build.read.read_some does and returns, with rows and words in a run."""
    folder, symbols, write, scratch = shared
    return [
        tuple(_kept(read.Streamed(*fields), scratch))
        for fields in read.read_some(sources, (folder, symbols, write))
    ]


def _kept(done: read.Streamed, scratch: str) -> read.Streamed:
    rows = Batch(*done.rows)
    parts = [rows.fields, rows.summaries, *_segments(done.terms)]
    run = _append(scratch, parts)
    where = run.file, run.start, tuple(accumulate(map(len, parts)))
    left = tuple(rows._replace(fields=b"", summaries=b""))
    return done._replace(rows=left, terms=[""] * len(done.terms), run=where)


def _segments(terms: Iterable[str]) -> list[bytes]:
    """The words of a chunk by range, each with the levels and numbers of records that have it."""
    segments: list[dict[str, array[int]]] = [{} for _ in range(_RANGES)]
    having: dict[str, array[int]] = {}
    for number, packed in enumerate(terms):
        for level, words in by_level(packed):
            code = level << _BITS | number
            for word in words:
                try:
                    having[word].append(code)
                except KeyError:
                    having[word] = segments[crc32(word.encode()) % _RANGES][word] = array(
                        "I", (code,)
                    )
    return [marshal.dumps({w: codes.tobytes() for w, codes in of.items()}) for of in segments]


# --- words ---


class Postings(Vocabulary):
    """The words of a collection whose postings lie in runs (see generator.search.vocabulary); what
    is asked of it is known when they are merged.
    """

    def __init__(self) -> None:
        super().__init__()
        self.slugs: list[str] = []  # in the order of their numbers
        self.names: list[str] = []  # the words of names
        self.stretches: list[tuple[int, Stretch]] = []  # with the number of its first record
        self.numbers: dict[str, int] = {}  # of each word
        self.totals, self.sizes = array("I"), array("I")
        self.starts = array("Q")
        self.firsts, self.runs = list[int](), list[Run]()  # the first word of each run

    def add(self, slug: str, packed: str) -> None:
        """One record more, whose words lie in a stretch."""
        self.slugs.append(slug)

    def keep(self, stretch: Stretch) -> None:
        """Records that will be added next, in their order."""
        self.stretches.append((len(self.slugs), stretch))

    def merge(self, workers: Executor) -> None:
        """Merge the postings of all records, whose `ids` are known."""
        assert workers.scratch is not None
        if not self.stretches:
            return
        shared = Merging(self.stretches, array("I", self.ids or ()), workers.scratch)
        for several in workers.run(merge_some, range(_RANGES), shared, 1):
            for file, start, joined, totals, sizes, named in several:
                words = joined.split("\n") if joined else []
                first = len(self.numbers)
                self.firsts.append(first)
                self.runs.append(Run(file, start))
                self.numbers.update(zip(words, range(first, first + len(words)), strict=True))
                self.totals.frombytes(totals)
                self.sizes.frombytes(sizes)
                self.starts.extend(accumulate(array("I", sizes)[:-1], initial=0) if words else ())
                self.names += [words[n] for n in array("I", named)]
        self.stretches, self.slugs, self.ids = [], [], None

    def named(self) -> Iterable[str]:
        return self.names

    def counts(self) -> dict[str, int]:
        return {word: self.totals[number] for word, number in self.numbers.items()}

    def lists(self, word: str) -> Mapping[int, Sequence[int]]:
        number = self.numbers[word]
        run = self.runs[bisect_right(self.firsts, number) - 1]
        start = self.starts[number]
        held: list[tuple[int, bytes]] = marshal.loads(run.read(start, start + self.sizes[number]))
        return {level: array("I", packed).tolist() for level, packed in held}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"names": []}


class Merging(NamedTuple):
    """All stretches, each with the number of its first record; the id of each record by its number;
    and where runs are written.
    """

    stretches: Sequence[tuple[int, Stretch]]
    ids: array[int]
    scratch: str


def merge_some(ranges: list[int], shared: Merging) -> list[tuple[Any, ...]]:
    """Merge the postings of some ranges.  Of each: the file and where it begins there, its words,
    how many postings each has and in how many bytes, and which of them are of names.
    """
    return [_merged(number, shared) for number in ranges]


def _merged(number: int, shared: Merging) -> tuple[Any, ...]:
    having: dict[str, dict[int, array[int]]] = {}
    id_of = shared.ids.__getitem__
    for first, stretch in shared.stretches:
        segment: dict[str, bytes] = marshal.loads(stretch.words(number))
        for word, packed in segment.items():
            lists = having.get(word)
            if lists is None:
                lists = having[word] = {}
            for code in array("I", packed):
                one, level = id_of(first + (code & _NUMBER)), code >> _BITS
                try:
                    lists[level].append(one)
                except KeyError:
                    lists[level] = array("I", (one,))
    bodies, totals, named = list[bytes](), array("I"), array("I")
    words = sorted(having)
    for place, word in enumerate(words):
        lists = having.pop(word)
        totals.append(sum(map(len, lists.values())))
        if max(lists) >= WEIGHTS:
            named.append(place)
        levels = [(level, array("I", sorted(lists[level])).tobytes()) for level in sorted(lists)]
        bodies.append(marshal.dumps(levels))
    run = _append(shared.scratch, bodies)
    sizes = array("I", map(len, bodies))
    numbers = (some.tobytes() for some in (totals, sizes, named))
    return run.file, run.start, "\n".join(words), *numbers
