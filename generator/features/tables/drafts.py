"""Turns rows of a table into new or changed records.

Each row is matched with a record by its key field, its values are merged into the record, and
conflicts with other records and rows are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

from generator.dialect import values
from generator.dialect.folder import Content
from generator.dialect.text_edits import Text
from generator.dialect.tree import SyntaxTree, Unchangeable
from generator.edit.changes import FileChange
from generator.edit.new import path_rule
from generator.edit.places import filled, update_places
from generator.edit.similar import DuplicateIndex, existing_records
from generator.edit.tables.columns import Loc, columns
from generator.edit.tables.sheet import Sheet, SheetRow
from generator.edit.words import UsedWords, WordList, used_slugs
from generator.features.tables.mapping import ImportSettings
from generator.features.tables.matching import Matching, Outcome, conflict
from generator.features.tables.problems import InvalidRow
from generator.features.tables.rows import RowReader
from generator.kinds.types import fold_website
from generator.model.online import online_field
from generator.problems.faults import describe_value, shorten
from generator.published.content.load import Linked
from generator.text.characters import without_invisible


class Drafts:
    """Turns rows into new or changed records of a collection."""

    def __init__(self, content: Content, linked: Linked, table: Sheet, asked: ImportSettings):
        collection = asked.collection
        self.content, self.linked, self.collection = content, linked, collection
        self.table, self.asked = table, asked
        self.records = list(existing_records(content, collection))
        self.existing = {record.source.slug: record for record in self.records if record.raw}
        self.marks = DuplicateIndex(content.kinds[collection])
        for slug, record in self.existing.items():
            self.marks.add(slug, record.data)
        self.path_of = path_rule(content, collection)
        self._fields = values.fields_at(collection, linked.symbols.grammar.kinds)
        #: The tags that records of other collections have, by family.
        self.tags_elsewhere: dict[str, set[str]] = {}
        self.reader = self._reader()
        self.matching = self._matching(self.reader)
        self.display_name = self.matching.display_name

    def _matching(self, reader: RowReader) -> Matching:
        args = self.content, self.linked, self.records, self.table, self.asked
        return Matching(*args, reader.problems)

    def _reader(self) -> RowReader:
        data = [record.data for record in self.existing.values()]
        used = UsedWords()
        others = [name for name in self.content.kinds if name != self.collection]
        for record in (r for name in others for r in existing_records(self.content, name)):
            used.add(record.data)
        self.tags_elsewhere = {family: set(tags) for family, tags in used.tags.items()}
        for fields in data:
            used.add(fields)
        words: dict[str, WordList] = {}
        by_name = columns(self.collection, self.linked.settings)
        by_name |= {target.column.name: target.column for target in self.asked.targets}
        for column in by_name.values():
            of = None
            if column.of:
                of = self._names(column.of, {})
            elif column.allowed_values is not None:
                of = WordList.from_labels(column.allowed_values)
            elif column.shape == "slug" and column.loc[0] == "tags":
                labels = self.linked.settings.families[column.loc[1]].labels or {}
                of = WordList.from_labels({**used.tags.get(column.loc[1], {}), **labels}, "slug")
            elif column.free:
                of = WordList.from_labels(used_slugs(data, *column.loc), "slug")
            if of is not None:
                creates = column.name in self.asked.create or column.of in self.asked.create
                of.free = "slug" if creates else of.free
                words[column.name] = of
        language, online = (
            self.linked.settings.declared_language,
            online_field(self.content.kinds[self.collection]),
        )
        args = words, used.place_vocabularies(), language, online
        own = [column for column in by_name.values() if column.of == self.collection]
        if own:  # rows of the table may refer to each other
            targets = [t for t in self.asked.targets if t.column not in own]
            names = RowReader(self.table, self.asked._replace(targets=targets), *args)
            in_table = self._names_in_table(names)
            for column in own:
                words[column.name] = self._names(column.of, in_table)
                words[column.name].free = "slug" if column.of in self.asked.create else ""
        return RowReader(self.table, self.asked, *args)

    def _names(self, collection: str, others: Mapping[str, str]) -> WordList:
        """The records of a collection by slug and name, with `others`: slug -> name."""
        symbols = self.linked.symbols
        targets = symbols.targets(collection)
        names = WordList.from_labels({**others, **{s: t.name for s, t in targets.items()}})
        former = symbols.current_slugs.get(collection, {})
        names.spelled |= {old: [slug] for old, slug in former.items()}
        return names

    def _names_in_table(self, reader: RowReader) -> dict[str, str]:
        matching, names = self._matching(reader), dict[str, str]()
        for row in self.table.rows:
            with suppress(InvalidRow):
                data = self._merged({}, fields := reader.read_row(row))
                matching.match(outcome := Outcome(row), fields, data)
                names[outcome.slug] = str(data.get("name") or "")
        return names

    def draft(self, row: SheetRow) -> Outcome:
        """The outcome of a row.  Problems of its cells are in `reader.problems`."""
        outcome = Outcome(row)
        with suppress(InvalidRow):
            self._draft(outcome, self.reader.read_row(row))
        return outcome

    def _draft(self, outcome: Outcome, fields: Mapping[Loc, Any]) -> None:
        """Set the outcome of a row with these fields.  Raises InvalidRow."""
        new_data = self._merged({}, fields)
        self.matching.match(outcome, fields, new_data)
        slug = outcome.slug
        record = self.existing.get(slug)
        if record is None:
            self._find_conflicts(outcome, new_data, new=True)
            outcome.verdict, outcome.data = "new", new_data
            outcome.notes += self.reader.notes.get(outcome.row.number, ())
            after = values.record(new_data, self._fields).encode("utf-8", "surrogatepass")
            outcome.change = FileChange(self.path_of(slug, new_data), None, after)
            return
        data = self._merged(record.data, fields)
        if data == record.data:
            outcome.verdict = "same"
            return
        outcome.notes += _differences(record.data, data)
        self._find_conflicts(outcome, data, new=False)
        try:
            text = Text(record.raw, self._fields)
            text.change_to(data)
            raw = text.changed()
        except Unchangeable as error:
            message = f"{self.display_name(slug)} cannot be changed: {error}"
            raise self.matching.error(
                outcome, "unchangeable", message, "change it by hand"
            ) from None
        lost = Counter(text.comments()) - Counter(SyntaxTree(raw).comments())
        outcome.notes += [f'the comment "{shorten(c)}" is removed with its value' for c in lost]
        outcome.verdict, outcome.data = "changed", data
        outcome.change = FileChange(record.source.path, record.raw, raw)

    def _merged(self, before: Mapping[str, Any], fields: Mapping[Loc, Any]) -> dict[str, Any]:
        """The data of a record with the fields of a row."""
        data = deepcopy(dict(before))
        sources = [(target.column.loc, target.source) for target in self.asked.targets]
        fill = {loc[:1] if loc[0] == "locations" else loc for loc, of in sources if of.fill}
        parts = [loc[1] for loc, _ in sources if loc[0] == "locations" and loc[1:]]
        for (name, *rest), value in fields.items():
            if name == "slug" or (value is None and self.asked.empty == "keep"):
                continue
            current = data.get(name)
            if name == "locations" and value is not None:
                if self.asked.empty == "remove":
                    value = [dict.fromkeys(parts) | place for place in value]
                value = update_places(current if isinstance(current, list) else [], value)
            parent, key = data, name
            if rest:
                parent, key = (current if isinstance(current, dict) else {}), rest[0]
            old = parent.get(key)
            if ((name, *rest) in fill and old not in (None, [], {})) or _says(old, value):
                continue
            _put(parent, key, value)
            if rest:
                _put(data, name, parent or None)
        return data

    def _find_conflicts(self, outcome: Outcome, data: dict[str, Any], *, new: bool) -> None:
        """Raise InvalidRow if a row is a removed record, or looks like another record or row."""
        solution = ""
        removal = self.matching.removed.get(outcome.slug) if new else None
        if removal is not None:
            outcome.notes.append(f"this record was removed for good on {removal.date}")
            solution = "to add a new record, give it another slug in the map, under slugs"
        in_key = self.asked.key if len(self.asked.key) > 1 else ()
        for name, other in self.marks.find_duplicates(outcome.slug, data):
            if name in in_key:
                continue  # the other fields of the key differ
            if name == "website" and "." not in fold_website(data["website"]).partition("/")[0]:
                continue  # no address, as the check of the record reports
            if self.asked.conflicts != "new":
                solution = solution or (
                    "if the row is that record, say so in the map, under slugs; if not, "
                    "--conflicts new makes a new record"
                )
            outcome.notes.append(f"{self.display_name(other)} has the same {name}")
        if solution:
            raise conflict(outcome, solution)
        self.marks.add(outcome.slug, data)


def _says(current: Any, value: Any) -> bool:
    """Whether a field has a value already; empty parts of places do not matter."""
    if value is None:
        return current in (None, [], {})
    if isinstance(current, list):
        current = [filled(item) if isinstance(item, dict) else item for item in current]
    if isinstance(current, str):
        current = without_invisible(current)  # as it is published
    if isinstance(current, list) and current == [value]:  # a text by key
        return True
    return bool(current == value) and type(current) is type(value)


def _put(data: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        data.pop(name, None)
    else:
        data[name] = value


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            yield from (f"{name}.{difference}" for difference in _differences(old, new))
        elif isinstance(old, list) and isinstance(new, list):
            removed = [f"− {_short(item)}" for item in old if item not in new]
            added = [f"+ {_short(item)}" for item in new if item not in old]
            yield f"{name}: {' '.join([*removed, *added]) or 'new order'}"
        else:
            yield f"{name}: {_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_short(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return shorten(", ".join(map(_short, value)))
    return shorten(value, 40) if isinstance(value, str) else describe_value(value)
