"""The records of a collection before an import."""

from __future__ import annotations

from itertools import chain
from typing import Any

from generator.build.load import Linked
from generator.dialect.folder import COLLECTIONS, Content, Source
from generator.edit.exchange.cell_words import Places, Vocabulary
from generator.edit.exchange.cells import Reader, used_slugs
from generator.edit.exchange.columns import columns
from generator.edit.exchange.sheet import Row, Table
from generator.edit.exchange.targets import ImportSettings
from generator.edit.similar import DuplicateIndex, ExistingRecord, existing_records
from generator.grammar.text import MAX_SLUG, slugify


class CurrentRecords:
    """The records of a collection, by slug.

    `existing` has the readable records, `broken` the files of the others, `former` alias -> slug.
    `claimed_rows` gets the row of each record that the import creates or updates.
    """

    def __init__(self, content: Content, linked: Linked, collection: str):
        self.content, self.linked, self.collection = content, linked, collection
        self.existing: dict[str, ExistingRecord] = {}
        self.broken: dict[str, Source] = {}
        self.former: dict[str, str] = {}
        self.claimed_rows: dict[str, Row] = {}
        self.marks = DuplicateIndex(collection)
        for record in existing_records(content, collection):
            slug = record.source.slug
            if not record.raw:
                self.broken[slug] = record.source
                continue
            self.existing[slug] = record
            self.marks.add(slug, record.data)
            self.former |= dict.fromkeys(texts(record.data.get("aliases")), slug)

    def reader(self, table: Table, asked: ImportSettings) -> Reader:
        """A reader for the rows of a table, with the words of the registry."""
        data = [record.data for record in self.existing.values()]
        others = [name for name in COLLECTIONS if name != self.collection]
        records = chain.from_iterable(existing_records(self.content, name) for name in others)
        places = [*data, *(record.data for record in records)]
        words: dict[str, Vocabulary] = {}
        by_name = columns(self.collection, self.linked.settings)
        by_name |= {target.column.name: target.column for target in asked.targets}
        symbols = self.linked.symbols
        for column in by_name.values():
            if column.of:
                names = {slug: model.name for slug, model in symbols.targets(column.of).items()}
                if column.of == self.collection:
                    names = _names_in_table(table, asked) | names
                words[column.name] = Vocabulary.from_labels(names)
                words[column.name].spelled |= symbols.current_slugs.get(column.of, {})
            elif column.allowed_values is not None:
                words[column.name] = Vocabulary.from_labels(column.allowed_values)
            elif column.shape == "slug" and column.loc[0] in ("tags", "fields"):
                words[column.name] = used_slugs(data, column)
        return Reader(table, asked.targets, words, Places(places), asked.exact)

    def display_name(self, slug: str) -> str:
        """The file of a record, or the row of a new record, for messages."""
        source = self.broken.get(slug)
        if slug in self.existing:
            source = self.existing[slug].source
        if source is not None:
            return self.content.display_path(source.path)
        return f"row {self.claimed_rows[slug].number}" if slug in self.claimed_rows else f'"{slug}"'


def _names_in_table(table: Table, asked: ImportSettings) -> dict[str, str]:
    """Slug -> name of the rows of a table."""
    targets = [target for target in asked.targets if target.column.name in ("slug", "name")]
    reader = Reader(table, targets, {}, Places(()), asked.exact)
    names = {}
    for row in table.rows:
        fields = reader.read_row(row) or {}
        name = str(fields.get(("name",)) or "")
        names[str(fields.get(("slug",)) or slug_for(name))] = name
    return names


def slug_for(name: str) -> str:
    """The slug for a name; "" if the name has no Latin letters or digits."""
    return slugify(name)[:MAX_SLUG].strip("-")


def texts(value: Any) -> list[str]:
    """The texts in a list; empty if the value is not a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
