"""The records that match a query, as bitmaps of positions.

Everything that the conditions need, shards, columns and values, is read at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_

from generator.grammar.filters import Constraint, Filter
from generator.grammar.grammar import Count, Grammar, Query, unknown_values
from generator.search.columns import ReadColumn, Values, sort_key
from generator.search.format import WEIGHTS, bitmap, entries, filter_key, name_key, positions_in
from generator.search.level_bitmaps import LevelBitmaps
from generator.search.manifest import KEYS, Part, column_kind, values_kind
from generator.search.reading import Reading
from generator.search.score import Word
from generator.text.words import query_words, singulars

#: A column of at most so many parts is read together with the shards, before the matching records
#: are known.
EARLY_PARTS = 2


class Matching:
    """The conditions of a query, and the files read for them."""

    def __init__(self, reading: Reading, asked: Query | Count, grammar: Grammar):
        self.reading, self.index, self.grammar = reading, reading.index, grammar
        self.collection, self.constraints = asked.collection, asked.constraints
        self.q = asked.q
        self.query_words = list(dict.fromkeys(query_words(asked.q))) if asked.q is not None else []
        self.shards: dict[int, dict[bytes, bytes]] = {}
        self.columns: dict[str, ReadColumn] = {}
        self.values: dict[str, Values] = {}

    def read(
        self,
        columns: Iterable[str] = (),
        value_columns: Iterable[str] = (),
        keys: Iterable[str] = (),
    ) -> None:
        """Read at once the files for the conditions, and besides whole columns, the values of the
        columns in `value_columns`, and the shards of `keys`.

        Raises Damaged, and as `Reading.files` does.
        """
        shards = self._shards(keys)
        by_column = [
            known.name for known, constraint in self.constraints if not _has_keys(known, constraint)
        ]
        whole, valued = (dict.fromkeys((*by_column, *names)) for names in (columns, value_columns))
        wanted: dict[Part, None] = dict.fromkeys((KEYS, n) for n in sorted(shards))
        for name in whole:
            wanted |= dict.fromkeys(
                (column_kind(name), n) for n in range(self.reading.several(name))
            )
        wanted |= dict.fromkeys((values_kind(name), 0) for name in valued)
        files = self.reading.parts(wanted)
        self.shards = {n: dict(entries(files[KEYS, n])) for n in sorted(shards)}
        for name in whole:
            self.columns[name] = self._column(name, files)
        for name in valued:
            spec, data = self.index.columns[name], files[values_kind(name), 0]
            self.values[name] = Values.parse(data, spec, self.index.records)
        self.reading.check_time()

    def _shards(self, keys: Iterable[str] = ()) -> set[int]:
        """The shards with the keys of the conditions, and with other keys."""
        layout = self.index.layout
        shards = {layout.shard_of_key(key) for key in (*self._filter_keys(), *keys)}
        return shards | {shard for word in self.query_words for shard, _, _ in self._lookups(word)}

    @property
    def reads(self) -> int:
        """The number of files that `read` reads for words."""
        return len(self._shards())

    def read_columns(self, names: Iterable[str], positions: Sequence[int]) -> None:
        """Read columns that were not read, at least the parts that have these positions."""
        missing = [name for name in names if name not in self.columns]
        wanted = dict[Part, None]()
        for name in missing:
            chunk = self.index.columns[name].chunk
            wanted |= dict.fromkeys((column_kind(name), p // chunk) for p in positions)
        files = self.reading.parts(wanted)
        for name in missing:
            self.columns[name] = self._column(name, files)

    def _column(self, name: str, files: Mapping[Part, bytes]) -> ReadColumn:
        parts = {n: data for (kind, n), data in files.items() if kind == column_kind(name)}
        return ReadColumn(self.index.columns[name], parts, self.index.records)

    def _filter_keys(self) -> list[str]:
        return [
            filter_key(name, value)
            for known, constraint in self.constraints
            if _has_keys(known, constraint)
            for name in known.sources
            for value in constraint.values
        ]

    def _lookups(self, word: str) -> list[tuple[int, str, bool]]:
        """Where to find a word, as shard, key, and whether longer keys count: first words that
        begin with it, then the word itself, then its possible singulars.
        """
        layout = self.index.layout
        return [
            layout.find(word),
            *((layout.shard_of_key(key), key, False) for key in (word, *self.singulars(word))),
        ]

    def singulars(self, word: str) -> list[str]:
        """The possible singulars of a word of the query; none if the registry is not in English."""
        return singulars(word) if self.index.language.partition("-")[0] == "en" else []

    # --- bitmaps ---

    def body(self, key: str) -> bytes | None:
        """The body of a key whose shard was read; None if the index has no such key."""
        return self.shards[self.index.layout.shard_of_key(key)].get(key.encode())

    def matching(self, ignored_filter: str | None = None) -> int:
        """The records that meet all conditions except those on the filter `ignored_filter`."""
        records = (1 << self.index.records) - 1
        for name, bits in self.by_filter.items():
            if name != ignored_filter:
                records &= bits
        for word in self.words:
            records &= word.all_records
        return records

    @cached_property
    def by_filter(self) -> dict[str, int]:
        """By filter, the records that meet its constraint.  Raises QueryError for unknown
        values.
        """
        return {known.name: self._meeting(known, constraint)
                for known, constraint in self.constraints}  # fmt: skip

    @cached_property
    def words(self) -> list[Word]:
        """The records with each word of the query."""
        found = []
        for word in self.query_words:
            begun, itself, *others = (self._look_up(*lookup) for lookup in self._lookups(word))
            self.reading.check_time()
            unnamed = ({n: bits for n, bits in other.items() if n < WEIGHTS} for other in others)
            whole = _united([itself, *unnamed])
            found.append(Word(whole, _united([begun, whole])))
        return found

    @cached_property
    def as_written(self) -> int:
        """The records whose name is written as the query is; 0 if no other name has its words."""
        if self.q is None:
            return 0
        shard = self.index.layout.shard_of_key(self.query_words[0])
        return self._look_up(shard, name_key(self.q), False).get(0, 0)

    def with_value(self, name: str, value: str) -> int | None:
        """The records with a value of a filter; None if the filter has no such value."""
        body = self.body(filter_key(name, value))
        return None if body is None else self._marked([body]).get(0, 0)

    def positions(self, bits: int) -> list[int]:
        return positions_in(bits.to_bytes((self.index.records + 7) // 8, "little"))

    def _meeting(self, known: Filter, constraint: Constraint) -> int:
        """The records that meet a constraint."""
        if constraint.operator == "range":
            return self._between(known, constraint.low, constraint.high)
        bitmaps, unknown = [], []
        for value in constraint.values:
            if _has_keys(known, constraint):
                having = [self.with_value(name, value) for name in known.sources]
            else:
                having = [self._between(known, value, value)]
            found = [bits for bits in having if bits is not None]
            if found:
                bitmaps.append(reduce(or_, found))
            else:
                unknown.append(value)
        if unknown:
            raise unknown_values(self.collection, known.name, unknown, self.grammar)
        records = bitmaps[0]
        for bits in bitmaps[1:]:
            records = records & bits if constraint.operator == "all" else records | bits
        if constraint.operator == "not":
            return ((1 << self.index.records) - 1) & ~records
        return records

    def _between(self, known: Filter, low: str | None, high: str | None) -> int:
        column = self.columns[known.name]
        ends = (None if end is None else sort_key(column.spec, end) for end in (low, high))
        positions = column.positions_between(*self.values[known.name].span(*ends))
        return int.from_bytes(bitmap(positions, self.index.records), "little")

    def _look_up(self, shard: int, key: str, with_longer: bool) -> dict[int, int]:
        """By level, the records with a key or, `with_longer`, with any key that begins with it."""
        bodies, raw = self.shards[shard], key.encode()
        if with_longer:
            return self._marked([body for other, body in bodies.items() if other.startswith(raw)])
        return self._marked([bodies[raw]] if raw in bodies else [])

    def _marked(self, bodies: Iterable[bytes]) -> dict[int, int]:
        """By level, the records of these entries.  Raises Damaged."""
        marks = LevelBitmaps(self.index.blocks)
        for body in bodies:
            marks.add(body)
        return marks.levels()


def _has_keys(known: Filter, constraint: Constraint) -> bool:
    """Whether shards have the records of a constraint; otherwise the filter's column does."""
    return known.listed and constraint.operator != "range"


def _united(words: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """By level, the records with any of several words."""
    union: dict[int, int] = {}
    for levels in words:
        for level, bits in levels.items():
            union[level] = union.get(level, 0) | bits
    return union
