"""Which postings of an index are others where a few records are: theirs, and those of the records
that have other ids for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from operator import ne

import orjson

from generator.records.symbols import Symbols
from generator.search.blocks import Blocks
from generator.search.format import WEIGHTS, Layout, filter_key
from generator.search.index import ranks_of
from generator.search.terms import of_document, unpack
from generator.tables.patch import key_of, position
from generator.tables.table import Row, Table

#: More rows than this are sooner looked up among all.
_FEW = 64
#: The levels that a record has of each key.
Keys = dict[str, set[int]]


class Changed:
    """The records and blocks of a table as they were and as they are; `in_place` says that its
    records stand where they stood.
    """

    def __init__(
        self, before: Table, table: Table, rows: Iterable[int], was: Blocks, layout: Layout
    ):
        """`rows` has the numbers of those that were made again."""
        self.before, self.table, self.was, self.layout = before, table, was, layout
        default = before.collection.sorts[0]
        had, has = self.orders = before.orders[default], table.orders[default]
        self.in_place = has is had or (len(had) == len(has) and not any(map(ne, had, has)))
        gone = set[int]() if self.in_place else set(had).difference(has)
        others = gone.union(rows)
        #: The positions that these had, and those that they have, ascending.
        self.out = _places(before, others)
        self.into = _places(table, others - gone)
        self.now = was if self.in_place else self._blocks(others, gone)
        #: Rows that were made again, by number.
        self.fresh: set[int] = set()
        #: Of those, and of records with other ids, the id that was and that is; None where none is.
        self.ids: dict[int, tuple[int | None, int | None]] = {}
        #: By key and level, the ids that were or are there, but not both; and keys that other
        #: records have than before.
        self.flips: dict[str, dict[int, set[int]]] = {}
        self.keys: set[str] = set()

    @cached_property
    def ranks(self) -> Sequence[int]:
        """The position of each row, by number."""
        return ranks_of(self.table)

    def _blocks(self, others: Set[int], gone: Set[int]) -> Blocks:
        """The blocks as they are: cut again where records are others."""
        (had, has), ranks, slugs = self.orders, self.ranks, self.table.slugs
        near = [(place, place + 1) for place in self.into]
        for place in self.out:
            follows = next((n for n in had[place:] if n not in others), None)
            now = len(has) if follows is None else ranks[follows]
            near.append((now, now))
        firsts = map(had.__getitem__, self.was.starts)
        kept = (ranks[number] for number in firsts if number not in gone)
        return Blocks.near(kept, near, lambda place: slugs[has[place]], len(has))

    def find(self, terms: Mapping[str, str], read: Callable[[str], bytes], old: Symbols) -> None:
        """`terms` has those of each record that was made again; `read` gives a file of the last
        build, whose symbols are `old`.
        """
        for slug in terms:
            number = position(self.table, slug)
            assert number is not None
            self.fresh.add(number)
        if self.in_place:
            order = self.orders[1]
            had = has = {order[n]: self.now.id_of(n) for n in _places(self.table, self.fresh)}
        else:
            had, has = (
                dict(zip(order, blocks.ids, strict=True))
                for order, blocks in zip(self.orders, (self.was, self.now), strict=True)
            )
        others = {number for number, _ in had.items() ^ has.items()}
        for number in sorted(others | self.fresh):
            ids = self.ids[number] = had.get(number), has.get(number)
            packed, keys = "", [Keys(), Keys()]
            if ids[0] is not None:
                row = self.before.rows[number]
                data = orjson.loads(read(self.before.collection.record_path(row.slug)))["data"]
                packed = of_document(data, old)
                keys[0] = self._keys(packed, row)
            if ids[1] is not None:
                row = self.table.rows[number]
                keys[1] = self._keys(terms.get(row.slug, packed), row)
            self._flip(ids, keys[0], keys[1])

    def _flip(self, ids: tuple[int | None, int | None], had: Keys, has: Keys) -> None:
        """A record that had keys under an id, and has others, or has them under another."""
        self.keys |= {key for key in had.keys() | has.keys() if had.get(key) != has.get(key)}
        same = ids[0] == ids[1]
        for one, keys, others in ((ids[0], had, has), (ids[1], has, had)):
            if one is None:
                continue
            for key, levels in keys.items():
                for level in levels - others.get(key, set()) if same else levels:
                    # Another record may have the id now, and the key as well.
                    self.flips.setdefault(key, {}).setdefault(level, set()).__ixor__({one})

    def _keys(self, packed: str, row: Row) -> Keys:
        """Every key of a record, with its levels."""
        keys: Keys = {}
        under: dict[str, int] = {}
        for word, level in unpack(packed):
            keys.setdefault(word, set()).add(level)
            if level < WEIGHTS:
                for prefix in self.layout.divided(word):
                    under[prefix] = min(level, under.get(prefix, WEIGHTS))
        keys |= {f"*{prefix}": {level} for prefix, level in under.items()}
        for facet in row.facets:
            name, _, value = facet.partition("/")
            if name in self.table.collection.prepared_filters:
                keys[filter_key(name, value)] = {0}
        return keys


def _places(table: Table, numbers: Iterable[int]) -> list[int]:
    """The positions of rows of these numbers, ascending, of those that the table has."""
    default, rows = table.collection.sorts[0], table.rows
    order, key = table.orders[default], key_of(table, default)
    known = [number for number in numbers if number < len(rows)]
    if len(known) > _FEW:
        places = [*map(ranks_of(table).__getitem__, known)]
    else:
        places = [bisect_left(order, key(rows[n]), key=lambda i: key(rows[i])) for n in known]
    return sorted(
        place
        for place, number in zip(places, known, strict=True)
        if place < len(order) and order[place] == number
    )
