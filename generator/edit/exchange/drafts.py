"""Turns rows of a table into new or changed records.

Each row is matched with a record by its key field, its values are merged into the record, and
conflicts with other records and rows are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from generator.build.load import Linked
from generator.dialect import values
from generator.dialect.folder import COLLECTIONS, Content, Source
from generator.dialect.text_edits import Text
from generator.dialect.texts import without_invisible
from generator.dialect.tree import Tree, Unchangeable
from generator.edit.changes import Change
from generator.edit.exchange.cell_words import Vocabulary, place_words, used_slugs
from generator.edit.exchange.cells import InvalidRow, Reader
from generator.edit.exchange.columns import Loc, columns
from generator.edit.exchange.mapping import ImportSettings
from generator.edit.exchange.sheet import Row, Table
from generator.edit.new import path_rule
from generator.edit.places import filled, update_places
from generator.edit.similar import DuplicateIndex, ExistingRecord, duplicate_keys, existing_records
from generator.grammar.text import MAX_SLUG, fold, is_slug, slugify
from generator.model.fields import fold_website
from generator.problems.faults import describe_value, shorten

#: How an import treats rows in conflict: "refuse" writes nothing, "skip" leaves the rows out,
#: and "new" makes records of rows that have the name or the website of another record.
Conflicts = Literal["refuse", "skip", "new"]


@dataclass(slots=True)
class Outcome:
    """The outcome of a row: `new`, `changed`, `same`, `conflict` or `error`.

    `notes` has the changes or the reasons; `solution` says how to solve a conflict.  A new or
    changed record has `data` and the `change` of its file.
    """

    row: Row
    verdict: str = "error"
    slug: str = ""
    notes: list[str] = field(default_factory=list)
    solution: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    change: Change | None = None


class Drafts:
    """Turns rows into records of a collection, and remembers which records they create or update.

    `existing` has the readable records by slug, `broken` the files of the others, `former` the
    slugs of aliases, and `claimed_rows` the row of each record that the import writes.
    """

    def __init__(
        self,
        content: Content,
        linked: Linked,
        collection: str,
        table: Table,
        asked: ImportSettings,
        conflicts: Conflicts,
    ):
        self.content, self.linked, self.collection = content, linked, collection
        self.table, self.asked, self.conflicts = table, asked, conflicts
        self.existing: dict[str, ExistingRecord] = {}
        self.broken: dict[str, Source] = {}
        self.former: dict[str, str] = {}
        self.claimed_rows: dict[str, Row] = {}
        self.marks = DuplicateIndex(collection)
        self.by_key: dict[str, list[str]] = {}
        self.path_of = path_rule(content, collection)
        for record in existing_records(content, collection):
            slug = record.source.slug
            if not record.raw:
                self.broken[slug] = record.source
                continue
            self.existing[slug] = record
            self.marks.add(slug, record.data)
            self.former |= dict.fromkeys(texts(record.data.get("aliases")), slug)
            if asked.key != "slug":
                for key in keys_of(collection, asked.key, record.data):
                    self.by_key.setdefault(key, []).append(slug)
        self.reader = self._reader()

    def _reader(self) -> Reader:
        """A reader for the rows of the table, with the words of the registry."""
        data = [record.data for record in self.existing.values()]
        others = [name for name in COLLECTIONS if name != self.collection]
        records = chain.from_iterable(existing_records(self.content, name) for name in others)
        places = [*data, *(record.data for record in records)]
        words: dict[str, Vocabulary] = {}
        by_name = columns(self.collection, self.linked.settings)
        by_name |= {target.column.name: target.column for target in self.asked.targets}
        symbols = self.linked.symbols
        for column in by_name.values():
            if column.of:
                names = {slug: model.name for slug, model in symbols.targets(column.of).items()}
                if column.of == self.collection:
                    names = self._names_in_table() | names
                words[column.name] = Vocabulary.from_labels(names)
                words[column.name].spelled |= symbols.current_slugs.get(column.of, {})
            elif column.allowed_values is not None:
                words[column.name] = Vocabulary.from_labels(column.allowed_values)
            elif column.shape == "slug" and column.loc[0] in ("tags", "fields"):
                words[column.name] = used_slugs(data, *column.loc)
        return Reader(self.table, self.asked.targets, words, place_words(places), self.asked.exact)

    def _names_in_table(self) -> dict[str, str]:
        """Slug -> name of the rows of the table."""
        targets = [t for t in self.asked.targets if t.column.name in ("slug", "name")]
        reader = Reader(self.table, targets, {}, {}, self.asked.exact)
        names = {}
        for row in self.table.rows:
            fields: dict[Loc, Any] = {}
            with suppress(InvalidRow):
                fields = reader.read_row(row)
            name = str(fields.get(("name",)) or "")
            names[str(fields.get(("slug",)) or slug_for(name))] = name
        return names

    def display_name(self, slug: str) -> str:
        """The file of a record, or the row of a new record, for messages."""
        source = self.broken.get(slug)
        if slug in self.existing:
            source = self.existing[slug].source
        if source is not None:
            return self.content.display_path(source.path)
        return f"row {self.claimed_rows[slug].number}" if slug in self.claimed_rows else f'"{slug}"'

    def draft(self, row: Row) -> Outcome:
        """The outcome of a row.  Problems of its cells are in `reader.problems`."""
        outcome = Outcome(row)
        with suppress(InvalidRow):
            self._draft(outcome, self.reader.read_row(row))
        return outcome

    def _draft(self, outcome: Outcome, fields: Mapping[Loc, Any]) -> None:
        """Set the outcome of a row with these fields.  Raises InvalidRow."""
        new_data = self._merged({}, fields)
        self._find_slug(outcome, fields, new_data)
        slug = outcome.slug
        if slug in self.claimed_rows:
            solution = (
                "if they are the same, merge the two rows; if not, make them differ in the "
                "table, or choose another key in the map"
            )
            note = f"row {self.claimed_rows[slug].number} is the same record"
            raise _conflict(outcome, solution, note)
        self.claimed_rows[slug] = outcome.row
        record = self.existing.get(slug)
        if record is None:
            self._find_conflicts(outcome, new_data, new=True)
            outcome.verdict, outcome.data = "new", new_data
            after = values.record(new_data).encode("utf-8", "surrogatepass")
            outcome.change = Change(self.path_of(slug, new_data), None, after)
            return
        data = self._merged(record.data, fields)
        if data == record.data:
            outcome.verdict = "same"
            return
        outcome.notes += _differences(record.data, data)
        self._find_conflicts(outcome, data, new=False)
        try:
            text = Text(record.raw)
            text.change_to(data)
            raw = text.changed()
        except Unchangeable as error:
            message = f"{self.display_name(slug)} cannot be changed: {error}"
            raise self._error(outcome, "unchangeable", message, "change it by hand") from None
        lost = Counter(text.comments()) - Counter(Tree(raw).comments())
        outcome.notes += [f'the comment "{shorten(c)}" is removed with its value' for c in lost]
        outcome.verdict, outcome.data = "changed", data
        outcome.change = Change(record.source.path, record.raw, raw)

    def _find_slug(
        self, outcome: Outcome, fields: Mapping[Loc, Any], new_data: Mapping[str, Any]
    ) -> None:
        """Set the slug of a row, of an existing or of a new record.  Raises InvalidRow.

        `new_data` is the data of a new record with the fields of the row.
        """
        key_field = self.asked.key
        name = new_data.get("name")
        own = fields.get(("slug",)) or slug_for(name if isinstance(name, str) else "")
        key = str(own)
        if key_field != "slug":
            key = key_of(self.collection, key_field, {**new_data, "slug": own})
        key_text = fields.get(tuple(key_field.split(".")))
        if not isinstance(key_text, str):
            key_text = str(new_data.get("name", ""))
        mapped = self.asked.slugs.get(key_text) or self.asked.slugs.get(key)
        outcome.slug = mapped or str(own)
        # without a column for slugs, the slug of the name counts as the slug of the row
        has_slug = fields.get(("slug",)) is not None or all(
            target.column.name != "slug" for target in self.asked.targets
        )
        known = mapped is not None or (key_field == "slug" and has_slug)
        if not known and key_field != "slug":
            same_key = self.by_key.get(key, [])
            if not key:
                message = f"{key_field}: this is empty, but rows are matched by it"
                raise self._error(outcome, "missing-field", message, None)
            if len(same_key) > 1:
                files = ", ".join(map(self.display_name, same_key[:3]))
                note = f"several records have this {key_field}: {files}"
                solution = "say in the map, under slugs, which record it is"
                raise _conflict(outcome, solution, note)
            if same_key:
                outcome.slug, known = same_key[0], True
        slug = outcome.slug
        owner = slug if slug in self.existing else self.former.get(slug, slug)
        if known:
            outcome.slug = owner
        elif owner in self.existing:
            raise self._slug_conflict(outcome, owner, key_text)
        self._check_slug(outcome)

    def _check_slug(self, outcome: Outcome) -> None:
        """Raise InvalidRow for a slug that is invalid, or whose record cannot be read."""
        slug = outcome.slug
        if slug in self.broken:
            message = f"{self.display_name(slug)} has problems"
            hint = "fix what `registry check` reports about it"
            raise self._error(outcome, "unchangeable", message, hint)
        if not is_slug(slug):
            better = slug_for(slug)
            hint = "give it a slug in Latin letters, with a column for slug"
            if better:
                hint = f'write it "{better}"'
            message = "no slug can be made from its name"
            if slug:
                message = f'"{shorten(slug)}" is not a valid slug'
            raise self._error(outcome, "invalid-slug", message, hint, "slug")

    def _slug_conflict(self, outcome: Outcome, owner: str, key_text: str) -> InvalidRow:
        """A row whose name gives it the slug of a record with another key."""
        key, file = self.asked.key, self.display_name(owner)
        relation = "the slug" if owner == outcome.slug else "a former slug"
        owner_key = key_of(self.collection, key, self.existing[owner].data)
        difference = f"which has {'a different' if owner_key else 'no'} {key}"
        if key == "slug":
            difference = "but the row has no slug"
        solution = (
            f"if the row is that record, write slugs: {{{values.scalar(key_text)}: {owner}}} in "
            f"the map; if not, write another slug instead of {owner}"
        )
        if self.asked.exact:
            solution = (
                f'if the row is that record, write {owner} in the column "slug"; if not, write '
                "another slug"
            )
        return _conflict(outcome, solution, f"this is {relation} of {file}, {difference}")

    def _merged(self, before: Mapping[str, Any], fields: Mapping[Loc, Any]) -> dict[str, Any]:
        """The data of a record with the fields of a row."""
        data = deepcopy(dict(before))
        fill = {
            ("locations",) if t.column.loc[0] == "locations" else t.column.loc
            for t in self.asked.targets
            if t.source.fill
        }
        for (name, *rest), value in fields.items():
            if name == "slug" or (value is None and self.asked.empty == "keep"):
                continue
            current = data.get(name)
            if name == "locations" and value is not None:
                value = self._places(current, value)
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

    def _places(self, current: Any, given: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The places of a record with the places of a row."""
        if self.asked.empty == "remove":
            locs = [target.column.loc for target in self.asked.targets]
            parts = [loc[1] for loc in locs if loc[0] == "locations" and loc[1:]]
            given = [dict.fromkeys(parts) | place for place in given]
        return update_places(current if isinstance(current, list) else [], given)

    def _find_conflicts(self, outcome: Outcome, data: dict[str, Any], *, new: bool) -> None:
        """Raise InvalidRow if a row is a removed record, or looks like another record or row."""
        solution = ""
        removal = self.linked.removed.get(self.collection, {}).get(outcome.slug) if new else None
        if removal is not None:
            outcome.notes.append(f"this record was removed for good on {removal.date}")
            solution = "to add a new record, give it another slug in the map, under slugs"
        for name, other in self.marks.find_duplicates(outcome.slug, data):
            if self.conflicts != "new":
                solution = solution or (
                    "if the row is that record, say so in the map, under slugs; if not, "
                    "--conflicts new makes a new record"
                )
            outcome.notes.append(f"{self.display_name(other)} has the same {name}")
        if solution:
            raise _conflict(outcome, solution)
        self.marks.add(outcome.slug, data)

    def _error(
        self, outcome: Outcome, code: str, message: str, hint: str | None, name: str = ""
    ) -> InvalidRow:
        """Report a problem of a row, in its key field or in the field `name`."""
        column = column_of(self.asked, (name or self.asked.key,))
        problem = self.table.problem(outcome.row, column, code, message, hint)
        self.reader.problems.append(problem)
        return InvalidRow()


def _conflict(outcome: Outcome, solution: str, *notes: str) -> InvalidRow:
    outcome.verdict, outcome.solution = "conflict", solution
    outcome.notes += notes
    return InvalidRow()


def slug_for(name: str) -> str:
    """The slug for a name; "" if the name has no Latin letters or digits."""
    return slugify(name)[:MAX_SLUG].strip("-")


def texts(value: Any) -> list[str]:
    """The texts in a list; empty if the value is not a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def key_of(collection: str, key: str, data: Mapping[str, Any]) -> str:
    """The folded value of the key field in a record or a row; "" if it is empty."""
    if key == "name":
        return duplicate_keys(collection, data)[0]
    value: Any = data
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is None or isinstance(value, dict | list):
        return ""
    return fold_website(str(value)) if key == "website" else " ".join(fold(str(value)).split())


def keys_of(collection: str, key: str, data: Mapping[str, Any]) -> set[str]:
    """The keys by which rows find a record.

    A program or an event is also found by its name alone, if the row has no organization or day.
    """
    full_key = key_of(collection, key, data)
    name, newline, _ = full_key.partition("\n")
    return {full_key, name + newline} - {""}


def column_of(asked: ImportSettings, loc: Loc) -> str:
    """The column of the table that gives a field; "" if there is none."""
    for target in asked.targets:
        if target.column.loc[0] == "locations" == loc[0]:
            part = target.column.loc[1:]
            if not part or part[0] == loc[-1]:
                return target.table_column
        elif target.column.loc == loc[: len(target.column.loc)]:
            return target.table_column
    return ""


def _says(current: Any, value: Any) -> bool:
    """Whether a field has a value already; empty parts of places do not matter."""
    if value is None:
        return current in (None, [], {})
    if isinstance(current, list):
        current = [filled(item) if isinstance(item, dict) else item for item in current]
    if isinstance(current, str):
        current = without_invisible(current)  # as it is published
    if isinstance(current, list) and current == [value]:  # an identifier
        return True
    return bool(current == value) and type(current) is type(value)


def _put(data: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        data.pop(name, None)
    else:
        data[name] = value


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The changed fields of a record, each in words."""
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
    """A value in words, shortened."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_short(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return shorten(", ".join(map(_short, value)))
    return shorten(value, 40) if isinstance(value, str) else describe_value(value)
