"""The records of a collection as they are, as far as an import asks of them."""

from __future__ import annotations

from itertools import chain
from typing import Any

from generator.build.load import Linked
from generator.dialect.folder import COLLECTIONS, Content, Source
from generator.edit.exchange.cell_words import Places, Words
from generator.edit.exchange.cells import Reader, in_use
from generator.edit.exchange.columns import columns
from generator.edit.exchange.sheet import Row, Table
from generator.edit.exchange.targets import Asked
from generator.edit.similar import Existing, Marks, existing
from generator.grammar.text import MAX_SLUG, slugify


class Held:
    """The records of a collection: those that can be read by slug, the files of the others, and the
    former slugs.  `claimed` has the rows that are records, by slug.
    """

    def __init__(self, content: Content, linked: Linked, collection: str):
        self.content, self.linked, self.collection = content, linked, collection
        self.existing: dict[str, Existing] = {}
        self.broken: dict[str, Source] = {}
        self.former: dict[str, str] = {}
        self.claimed: dict[str, Row] = {}
        self.marks = Marks(collection)
        for record in existing(content, collection):
            if not isinstance(record, Existing):
                self.broken[record.slug] = record
                continue
            slug = record.source.slug
            self.existing[slug] = record
            self.marks.add(slug, record.data)
            self.former |= dict.fromkeys(texts(record.data.get("aliases")), slug)

    def reader(self, table: Table, asked: Asked) -> Reader:
        """What reads the rows of a table with the words of the registry."""
        data = [one.data for one in self.existing.values()]
        others = [name for name in COLLECTIONS if name != self.collection]
        records = chain.from_iterable(existing(self.content, name) for name in others)
        places = [*data, *(one.data for one in records if isinstance(one, Existing))]
        words: dict[str, Words] = {}
        every = columns(self.collection, self.linked.settings)
        every |= {target.column.name: target.column for target in asked.targets}
        symbols = self.linked.symbols
        for column in every.values():
            if column.of:
                named = {slug: one.name for slug, one in symbols.targets(column.of).items()}
                if column.of == self.collection:
                    named = _named_in(table, asked) | named
                words[column.name] = Words.of(named)
                words[column.name].spelled |= symbols.renamed.get(column.of, {})
            elif column.known is not None:
                words[column.name] = Words.of(column.known)
            elif column.shape == "slug" and column.loc[0] in ("tags", "fields"):
                words[column.name] = in_use(data, column)
        return Reader(table, asked.targets, words, Places(places), asked.exact)

    def shown(self, slug: str) -> str:
        """The file of a record, or the row that is one."""
        source = self.broken.get(slug)
        if slug in self.existing:
            source = self.existing[slug].source
        if source is not None:
            return self.content.shown(source.path)
        return f"row {self.claimed[slug].number}" if slug in self.claimed else f'"{slug}"'


def _named_in(table: Table, asked: Asked) -> dict[str, str]:
    """The slugs and the names of the records that a table has."""
    some = [target for target in asked.targets if target.column.name in ("slug", "name")]
    reader = Reader(table, some, {}, Places(()), asked.exact)
    named = {}
    for row in table.rows:
        said = reader.fields(row) or {}
        name = str(said.get(("name",)) or "")
        named[str(said.get(("slug",)) or slug_for(name))] = name
    return named


def slug_for(name: str) -> str:
    """The slug for a name; "" where that has no Latin letters or digits."""
    return slugify(name)[:MAX_SLUG].strip("-")


def texts(value: Any) -> list[str]:
    """The texts in a list, nothing of anything else."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
