"""Turns rows of a table into new or changed records.

Each row is matched with a record by its key field, its values are merged into the record, and
conflicts with other records and rows are found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from generator.dialect import values
from generator.dialect.text_edits import Text
from generator.dialect.texts import without_invisible
from generator.dialect.tree import Tree, Unchangeable
from generator.edit.changes import Change
from generator.edit.exchange.cells import Fault, Reader
from generator.edit.exchange.columns import Loc
from generator.edit.exchange.existing import CurrentRecords, slug_for
from generator.edit.exchange.sheet import Row
from generator.edit.exchange.targets import ImportSettings
from generator.edit.new import path_rule
from generator.edit.places import filled, update_places
from generator.edit.similar import ExistingRecord, duplicate_keys
from generator.grammar.text import fold, is_slug
from generator.model.checks.duplicates import fold_website
from generator.problems.faults import describe_value, shorten

#: How an import treats rows in conflict: "refuse" writes nothing, "skip" leaves the rows out,
#: and "new" makes records of rows that have the name or the website of another record.
Conflicts = Literal["refuse", "skip", "new"]


@dataclass(slots=True)
class Outcome:
    """The outcome of a row: `new`, `changed`, `same`, `conflict` or `error`.

    `notes` has the changes or the reasons; `solution` says how to solve a conflict.
    """

    row: Row
    verdict: str = "new"
    slug: str = ""
    notes: list[str] = field(default_factory=list)
    solution: str = ""


class Draft(NamedTuple):
    """A new or changed record: its outcome, path, data and change."""

    outcome: Outcome
    path: str
    data: dict[str, Any]
    change: Change


class Drafts:
    """Turns rows into drafts, and remembers which records have been taken."""

    def __init__(
        self, held: CurrentRecords, asked: ImportSettings, reader: Reader, conflicts: Conflicts
    ):
        self.held, self.asked, self.reader, self.conflicts = held, asked, reader, conflicts
        self.fill = {
            ("locations",) if t.column.loc[0] == "locations" else t.column.loc
            for t in asked.targets
            if t.source.fill
        }
        self.path_of = path_rule(held.content, held.collection)
        self.by_key: dict[str, list[str]] = {}
        if asked.key != "slug":
            for slug, record in held.existing.items():
                for key in keys_of(held.collection, asked.key, record.data):
                    self.by_key.setdefault(key, []).append(slug)

    def draft(self, outcome: Outcome, fields: dict[Loc, Any]) -> Draft | None:
        """The record of a row with these fields; None if nothing is to be written.

        Sets the `outcome` of the row.
        """
        new_data = self._merged({}, fields)
        outcome.slug, record = self._find_record(outcome, fields, new_data)
        slug = outcome.slug
        if outcome.verdict != "new":
            return None
        if slug in self.held.claimed_rows:
            outcome.verdict = "conflict"
            outcome.notes.append(f"row {self.held.claimed_rows[slug].number} is the same record")
            outcome.solution = (
                "if they are the same, merge the two rows; if not, make them differ in the "
                "table, or choose another key in the map"
            )
            return None
        self.held.claimed_rows[slug] = outcome.row
        if record is None:
            self._find_conflicts(outcome, slug, new_data, new=True)
            if outcome.verdict != "new":
                return None
            path = self.path_of(slug, new_data)
            change = Change(path, None, values.record(new_data).encode("utf-8", "surrogatepass"))
            return Draft(outcome, path, new_data, change)
        data = self._merged(record.data, fields)
        if data == record.data:
            outcome.verdict = "same"
            return None
        outcome.verdict, outcome.notes = "changed", list(_differences(record.data, data))
        self._find_conflicts(outcome, slug, data, new=False)
        if outcome.verdict != "changed":
            return None
        try:
            text = Text(record.raw)
            text.change_to(data)
            raw = text.changed()
        except Unchangeable as error:
            message = f"{self.held.display_name(slug)} cannot be changed: {error}"
            self._error(outcome, "unchangeable", message, "change it by hand")
            return None
        lost = Counter(text.comments()) - Counter(Tree(raw).comments())
        outcome.notes += [f'the comment "{shorten(c)}" is removed with its value' for c in lost]
        return Draft(outcome, record.source.path, data, Change(record.source.path, record.raw, raw))

    def _find_record(
        self, outcome: Outcome, fields: Mapping[Loc, Any], new_data: Mapping[str, Any]
    ) -> tuple[str, ExistingRecord | None]:
        """The slug of a row, and its record, None for a new one.  Sets the `outcome` if it fails.

        `new_data` is the data of a new record with the fields of the row.
        """
        name = new_data.get("name")
        own = fields.get(("slug",)) or slug_for(name if isinstance(name, str) else "")
        key = str(own) if self.asked.key == "slug" else key_of(
            self.held.collection, self.asked.key, {**new_data, "slug": own}
        )  # fmt: skip
        key_field: Any = fields.get(tuple(self.asked.key.split(".")))
        key_text = key_field if isinstance(key_field, str) else str(new_data.get("name", ""))
        mapped = self.asked.slugs.get(key_text) or self.asked.slugs.get(key)
        slug = mapped or str(own)
        # without a column for slugs, the slug of the name counts as the slug of the row
        has_slug = fields.get(("slug",)) is not None or all(
            target.column.name != "slug" for target in self.asked.targets
        )
        known = mapped is not None or (self.asked.key == "slug" and has_slug)
        if not known and self.asked.key != "slug":
            same_key = self.by_key.get(key, [])
            if not key:
                message = f"{self.asked.key}: this is empty, but rows are matched by it"
                self._error(outcome, "missing-field", message, None)
            elif len(same_key) > 1:
                outcome.verdict = "conflict"
                files = ", ".join(map(self.held.display_name, same_key[:3]))
                outcome.notes.append(f"several records have this {self.asked.key}: {files}")
                outcome.solution = "say in the map, under slugs, which record it is"
            elif same_key:
                slug, known = same_key[0], True
        owner = slug if slug in self.held.existing else self.held.former.get(slug, slug)
        if known or owner not in self.held.existing:
            slug = owner
        elif outcome.verdict == "new":
            self._slug_conflict(outcome, slug, owner, key_text)
        if outcome.verdict == "new":
            self._check_slug(outcome, slug)
        return slug, self.held.existing.get(slug)

    def _check_slug(self, outcome: Outcome, slug: str) -> None:
        """Report a slug that is invalid, or whose record cannot be read."""
        if slug in self.held.broken:
            message = f"{self.held.display_name(slug)} has problems"
            hint = "fix what `registry check` reports about it"
            self._error(outcome, "unchangeable", message, hint)
        elif not is_slug(slug):
            better = slug_for(slug)
            hint = "give it a slug in Latin letters, with a column for slug"
            if better:
                hint = f'write it "{better}"'
            message = "no slug can be made from its name"
            if slug:
                message = f'"{shorten(slug)}" is not a valid slug'
            self._error(outcome, "invalid-slug", message, hint, "slug")

    def _slug_conflict(self, outcome: Outcome, slug: str, owner: str, key_text: str) -> None:
        """Report a row whose name gives it the slug of a record with another key."""
        key, file = self.asked.key, self.held.display_name(owner)
        relation = "the slug" if owner == slug else "a former slug"
        owner_key = key_of(self.held.collection, key, self.held.existing[owner].data)
        difference = f"which has {'a different' if owner_key else 'no'} {key}"
        if key == "slug":
            difference = "but the row has no slug"
        outcome.verdict = "conflict"
        outcome.notes.append(f"this is {relation} of {file}, {difference}")
        if self.asked.exact:
            outcome.solution = (
                f'if the row is that record, write {owner} in the column "slug"; if not, write '
                "another slug"
            )
        else:
            value = values.scalar(key_text)
            outcome.solution = (
                f"if the row is that record, write slugs: {{{value}: {owner}}} in the map; if "
                f"not, write another slug instead of {owner}"
            )

    def _merged(self, before: Mapping[str, Any], fields: Mapping[Loc, Any]) -> dict[str, Any]:
        """The data of a record with the fields of a row."""
        data = deepcopy(dict(before))
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
            if ((name, *rest) in self.fill and old not in (None, [], {})) or _says(old, value):
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

    def _find_conflicts(
        self, outcome: Outcome, slug: str, data: dict[str, Any], *, new: bool
    ) -> None:
        """Report that a row is a removed record, or looks like another record or row."""
        removal = self.held.linked.removed.get(self.held.collection, {}).get(slug) if new else None
        if removal is not None:
            outcome.verdict = "conflict"
            outcome.notes.append(f"this record was removed for good on {removal.date}")
            outcome.solution = "to add a new record, give it another slug in the map, under slugs"
        for name, other in self.held.marks.find_duplicates(slug, data):
            if self.conflicts != "new":
                outcome.verdict = "conflict"
                outcome.solution = outcome.solution or (
                    "if the row is that record, say so in the map, under slugs; if not, "
                    "--conflicts new makes a new record"
                )
            outcome.notes.append(f"{self.held.display_name(other)} has the same {name}")
        if outcome.verdict != "conflict":
            self.held.marks.add(slug, data)

    def _error(
        self, outcome: Outcome, code: str, message: str, hint: str | None, name: str = ""
    ) -> None:
        outcome.verdict = "error"
        column = column_of(self.asked, (name or self.asked.key,))
        self.reader.faults.append(Fault(outcome.row, column, code, message, hint))


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
                return target.source.column or ""
        elif target.column.loc == loc[: len(target.column.loc)]:
            return target.source.column or ""
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
