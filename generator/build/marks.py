"""What checks across records look at, as the log keeps it: packed, and found there by what it says,
so that a change of a few records reads no other's.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from generator.build.buildlog import Log, Writer
from generator.build.plain import LogDamaged
from generator.records.checks import Mark
from generator.records.folder import COLLECTIONS
from generator.records.near import SHORTEST

#: Between the slug and the parts of a mark, and after the last; no text of a record has one.
_PARTS, _END = "\1\2\3\4", "\0"
#: More texts than this are sooner found by reading all marks.
_FEW = 32
_CHUNK = 10_000


class Noted:
    """The marks of one collection.  Raises LogDamaged where they are not what was written."""

    def __init__(self, raw: bytes):
        self.raw = raw
        if raw[:1] + raw[-1:] != b"\0\0":
            raise LogDamaged

    @classmethod
    def of(cls, marks: Mapping[str, Mark]) -> Noted:
        lines = map(_line, marks.items())
        return cls(b"\0" + b"".join(iter(lambda: b"".join(islice(lines, _CHUNK)), b"")))

    def all(self) -> dict[str, Mark]:
        return dict(map(_read, self.raw[1:-1].split(b"\0"))) if len(self.raw) > 1 else {}

    def some(self, slugs: Collection[str]) -> dict[str, Mark]:
        """The marks of some records, as far as they have any."""
        if len(slugs) > _FEW:
            return {slug: mark for slug, mark in self.all().items() if slug in slugs}
        return dict(_read(self.raw[slice(*at)]) for at in self._places(slugs))

    def like(self, marks: Collection[Mark]) -> dict[str, Mark]:
        """All records that have a name or a website of one of these marks, or nearly its name, and
        maybe others.
        """
        texts = {(number, mark[number]) for mark in marks for number in (0, 1) if mark[number]}
        if len(texts) > _FEW:
            return self.all()
        lines = {
            line
            for number, text in texts
            for before, within, after in _asked(number, text)
            for line in self._lines((before + within + after).encode("utf-8", "surrogateescape"))
        }
        return dict(map(_read, lines))

    def patched(self, marks: Mapping[str, Mark], gone: Collection[str]) -> Noted:
        """The same with marks put in the place of those that records had, or taken out."""
        slugs = {*marks, *gone}
        if self.some(slugs) == marks:
            return self
        if len(slugs) > _FEW:
            every = {slug: mark for slug, mark in self.all().items() if slug not in slugs}
            return Noted.of(every | {**marks})
        parts, end = [], 0
        for start, stop in sorted(self._places(slugs)):
            parts.append(self.raw[end:start])
            end = stop + 1
        return Noted(b"".join([*parts, self.raw[end:], *map(_line, marks.items())]))

    def days(self) -> Iterator[str]:
        """The days from which another is said of a record."""
        return (day for mark in self.all().values() for day in mark[3].split())

    def _places(self, slugs: Iterable[str]) -> Iterator[tuple[int, int]]:
        """Where the lines of records begin and end."""
        for slug in slugs:
            at = self.raw.find(f"{_END}{slug}{_PARTS[0]}".encode("utf-8", "surrogateescape"))
            if at >= 0:
                yield at + 1, self.raw.index(b"\0", at + 1)

    def _lines(self, what: bytes) -> Iterator[bytes]:
        """The lines in which these bytes are."""
        at = self.raw.find(what)
        while at >= 0:
            end = self.raw.index(b"\0", at)
            yield self.raw[self.raw.rindex(b"\0", 0, at) + 1 : end]
            at = self.raw.find(what, end)


def _asked(number: int, text: str) -> Iterator[tuple[str, str, str]]:
    """What is looked for of a name or a website: the whole of it, and of a name its beginning and
    its end, one of which an edit leaves as it is (see generator.records.near.pairs).
    """
    before, after = _PARTS[number], _PARTS[number + 1]
    yield before, text, after
    if number == 0 and len(text) >= SHORTEST:
        half = len(text) // 2 - 1
        yield before, text[:half], ""
        yield "", text[len(text) - half :], after


def _line(item: tuple[str, Mark]) -> bytes:
    slug, (name, website, countries, turns) = item
    return f"{slug}\1{name}\2{website}\3{countries}\4{turns}\0".encode("utf-8", "surrogateescape")


def _read(line: bytes) -> tuple[str, Mark]:
    try:
        slug, _, rest = line.decode("utf-8", "surrogateescape").partition(_PARTS[0])
        name, _, rest = rest.partition(_PARTS[1])
        website, _, rest = rest.partition(_PARTS[2])
        countries, told, turns = rest.partition(_PARTS[3])
    except UnicodeDecodeError:
        raise LogDamaged from None
    if not told:
        raise LogDamaged
    return slug, (name, website, countries, turns)


def remember_marks(writer: Writer, marks: Mapping[str, Noted], last: Mapping[str, Noted]) -> None:
    """Write the marks, unless they are just those of the last log."""
    if all(noted is last.get(name) for name, noted in marks.items()):
        writer.keep("marks")
        return
    writer.part("marks", None, [marks[name].raw for name in COLLECTIONS])


def recall_marks(log: Log) -> dict[str, Noted]:
    """The marks as the log has them.  Raises LogDamaged."""
    _, packed = log.part("marks", types.NoneType)
    if len(packed) != len(COLLECTIONS):
        raise LogDamaged
    return dict(zip(COLLECTIONS, map(Noted, packed), strict=True))
