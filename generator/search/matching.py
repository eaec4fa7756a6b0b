"""Which records match a query: the shards, columns and values that it takes, read at once, and the
sets that come of them, as bitmaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from generator.grammar.filters import Constraint, Filter
from generator.grammar.grammar import Count, Grammar, Query, unknown_value
from generator.grammar.text import singulars, words
from generator.search.blocks import Blocks
from generator.search.columns import Read, Values, order
from generator.search.format import WEIGHTS, bitmap, entries, filter_key, positions_in
from generator.search.level_bitmaps import Marks
from generator.search.manifest import BLOCKS, Part, column, values_of
from generator.search.reading import Reading
from generator.search.score import Word

#: A column of so many parts is read with the shards, before it is known which of them are needed.
EARLY_PARTS = 2


class Matching:
    """The conditions of a query, and what was read for them."""

    def __init__(self, reading: Reading, asked: Query | Count, grammar: Grammar):
        self.reading, self.index, self.grammar = reading, reading.index, grammar
        self.collection, self.constraints = asked.collection, asked.constraints
        self.asked = list(dict.fromkeys(words(asked.q))) if asked.q is not None else []
        self.blocks: Blocks
        self.shards: dict[int, dict[bytes, bytes]] = {}
        self.columns: dict[str, Read] = {}
        self.values: dict[str, Values] = {}

    def read(
        self,
        columns: Iterable[str] = (),
        listed: Iterable[str] = (),
        keys: Iterable[str] = (),
        *,
        rows: bool = False,
    ) -> None:
        """Read at once what the conditions need, and these columns, values of columns and keys;
        with `rows` what tells where those are, too.

        Raises Damaged, and what reading raises.
        """
        layout = self.index.layout
        shards = {layout.where(key) for key in (*self._filter_keys(), *keys)}
        shards |= {shard for word in self.asked for shard, _, _ in self._lookups(word)}
        ranged = [known.name for known, one in self.constraints if not _has_keys(known, one)]
        whole, valued = (dict.fromkeys((*ranged, *names)) for names in (columns, listed))
        wanted: dict[Part, None] = dict.fromkeys(("keys", n) for n in sorted(shards))
        if rows or shards:
            wanted[BLOCKS, 0] = None
        for name in whole:
            wanted |= dict.fromkeys((column(name), n) for n in range(self.reading.several(name)))
        wanted |= dict.fromkeys((values_of(name), 0) for name in valued)
        found = self.reading.parts(wanted)
        if (BLOCKS, 0) in found:
            self.blocks = self.index.blocks(found[BLOCKS, 0])
        self.shards = {n: dict(entries(found["keys", n])) for n in sorted(shards)}
        for name in whole:
            self.columns[name] = self._column(name, found)
        for name in valued:
            spec, data = self.index.columns[name], found[values_of(name), 0]
            self.values[name] = Values.parse(data, spec, self.index.records)
        self.reading.in_time()

    def column(self, name: str, positions: Sequence[int]) -> Read:
        """The column, at least the parts with these positions."""
        if name not in self.columns:
            chunk = self.index.columns[name].chunk
            wanted = dict.fromkeys(position // chunk for position in positions)
            found = self.reading.parts((column(name), n) for n in wanted)
            self.columns[name] = self._column(name, found)
        return self.columns[name]

    def _column(self, name: str, found: Mapping[Part, bytes]) -> Read:
        parts = {n: data for (what, n), data in found.items() if what == column(name)}
        return Read(self.index.columns[name], parts, self.index.records)

    def _filter_keys(self) -> list[str]:
        return [
            filter_key(known.name, value)
            for known, one in self.constraints
            if _has_keys(known, one)
            for value in one.values
        ]

    def _lookups(self, word: str) -> list[tuple[int, str, bool]]:
        """Where to look for a word: first for what begins so, then for it as a whole, then for what
        it may be the plural of.
        """
        layout = self.index.layout
        others = singulars(word) if self.index.language.partition("-")[0] == "en" else []
        return [layout.find(word), *((layout.where(key), key, False) for key in (word, *others))]

    # --- the sets ---

    def body(self, key: str) -> bytes | None:
        """The entry of a key whose shard was read."""
        return self.shards[self.index.layout.where(key)].get(key.encode())

    def matching(self, but: str | None = None) -> int:
        """The records that fulfil every condition, but for those of one filter."""
        found = (1 << self.index.records) - 1
        for name, held in self.filtered.items():
            if name != but:
                found &= held
        for word in self.words:
            found &= word.having
        return found

    @cached_property
    def filtered(self) -> dict[str, int]:
        """By filter, the records that fulfil its constraint.  Raises QueryError where it has a
        value that is none.
        """
        return {known.name: self._fulfilling(known, one) for known, one in self.constraints}

    @cached_property
    def words(self) -> list[Word]:
        """What the words of the query find."""
        found = []
        for word in self.asked:
            begun, itself, *others = (self._look_up(*where) for where in self._lookups(word))
            self.reading.in_time()
            unnamed = ({n: held for n, held in one.items() if n < WEIGHTS} for one in others)
            whole = _united([itself, *unnamed])
            found.append(Word(whole, _united([begun, whole])))
        return found

    def of_value(self, name: str, value: str) -> int | None:
        """The records that have a value of a filter; None where that is no value of it."""
        body = self.body(filter_key(name, value))
        return None if body is None else self._marked([body]).get(0, 0)

    def positions(self, bits: int) -> list[int]:
        return positions_in(bits.to_bytes((self.index.records + 7) // 8, "little"))

    def _fulfilling(self, known: Filter, one: Constraint) -> int:
        if one.how == "range":
            return self._between(known, one.low, one.high)
        sets = []
        for value in one.values:
            held = (
                self.of_value(known.name, value)
                if _has_keys(known, one)
                else self._between(known, value, value)
            )
            if held is None:
                raise unknown_value(self.collection, known.name, value, self.grammar)
            sets.append(held)
        found = sets[0]
        for held in sets[1:]:
            found = found & held if one.how == "all" else found | held
        return ((1 << self.index.records) - 1) & ~found if one.how == "not" else found

    def _between(self, known: Filter, low: str | None, high: str | None) -> int:
        column = self.columns[known.name]
        ends = (None if end is None else order(column.spec, end) for end in (low, high))
        positions = column.between(*self.values[known.name].span(*ends))
        return int.from_bytes(bitmap(positions, self.index.records), "little")

    def _look_up(self, shard: int, key: str, more: bool) -> dict[int, int]:
        """The records that have a key, or with `more` any that begins with it, at each level."""
        held, raw = self.shards[shard], key.encode()
        keys: Sequence[bytes] = [raw] if raw in held else []
        if more:
            keys = [one for one in held if one.startswith(raw)]
        return self._marked([held[one] for one in keys])

    def _marked(self, bodies: Iterable[bytes]) -> dict[int, int]:
        """The records of entries, as a bitmap for each level.  Raises Damaged."""
        marks = Marks(self.blocks)
        for body in bodies:
            marks.add(body)
        return marks.levels()


def _has_keys(known: Filter, one: Constraint) -> bool:
    """Whether the shards tell who fulfils a constraint; otherwise the filter's column does."""
    return known.prepared and one.how != "range"


def _united(several: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """The records that any of several words has, at each level."""
    found: dict[int, int] = {}
    for levels in several:
        for level, held in levels.items():
            found[level] = found.get(level, 0) | held
    return found
