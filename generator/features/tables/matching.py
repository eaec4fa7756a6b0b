"""Matches rows of a table with records by their key, and gives new records a free slug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generator.dialect import values
from generator.dialect.folder import Content
from generator.edit.changes import FileChange
from generator.edit.similar import ExistingRecord
from generator.edit.tables.columns import Loc
from generator.edit.tables.sheet import Sheet, SheetRow, value_of
from generator.edit.words import texts
from generator.features.tables.compose import fill
from generator.features.tables.keys import (
    column_of,
    first_value,
    free_slugs,
    key_of,
    keys_of,
    loose,
    name_in,
    slug_for,
)
from generator.features.tables.map_model import NUMBER, placeholders
from generator.features.tables.mapping import ImportSettings
from generator.features.tables.problems import InvalidRow, RowProblems
from generator.problems.faults import shorten
from generator.published.content.load import Linked
from generator.text.words import is_slug


@dataclass(slots=True)
class Outcome:
    """The outcome of a row: "new", "changed", "same", "conflict" or "error".

    `notes` has the changes or the reasons; `solution` says how to solve a conflict.  A new or
    changed record has `data` and the `change` of its file.
    """

    row: SheetRow
    verdict: str = "error"
    slug: str = ""
    notes: list[str] = field(default_factory=list)
    solution: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    change: FileChange | None = None


def conflict(outcome: Outcome, solution: str, *notes: str) -> InvalidRow:
    """Make a row one in conflict."""
    outcome.verdict, outcome.solution = "conflict", solution
    outcome.notes += notes
    return InvalidRow()


class Matching:
    """Gives rows their slugs, and remembers the row and the data of each slug in `claimed`.

    `existing` has the readable records of the collection by slug, `broken` the files of the others,
    `former` the slugs of aliases.
    """

    def __init__(
        self,
        content: Content,
        linked: Linked,
        records: Sequence[ExistingRecord],
        table: Sheet,
        asked: ImportSettings,
        problems: RowProblems,
    ):
        self.content, self.table, self.asked, self.problems = content, table, asked, problems
        self.removed = linked.removed.get(asked.collection, {})
        self.german = linked.settings.slugs == "german"
        self.existing = {record.source.slug: record for record in records if record.raw}
        self.broken = {record.source.slug: record.source for record in records if not record.raw}
        self.former = {
            alias: slug
            for slug, record in self.existing.items()
            for alias in texts(record.data.get("aliases"))
        }
        self.claimed: dict[str, tuple[SheetRow, Mapping[str, Any]]] = {}
        self.claimed_keys: dict[str, str] = {}
        #: The fields by which rows that have no slug are compared.
        self.key = ("name",) if asked.key == ("slug",) else asked.key
        self.declared = linked.settings.kinds[asked.collection]
        self.owner_field = linked.settings.kinds.owner_field(asked.collection)
        self._key_of = partial(key_of, self.declared, self.key)
        self._keys_of = partial(keys_of, self.declared, self.key)
        self.by_key: dict[str, list[str]] = {}
        for slug, record in self.existing.items() if asked.key != ("slug",) else ():
            for key in self._keys_of({**record.data, "slug": slug}):
                self.by_key.setdefault(key, []).append(slug)

    def display_name(self, slug: str) -> str:
        """The file of a record, or the row of a new record, for messages."""
        source = self.broken.get(slug)
        if slug in self.existing:
            source = self.existing[slug].source
        if source is not None:
            return self.content.display_path(source.path)
        return f"row {self.claimed[slug][0].number}" if slug in self.claimed else f'"{slug}"'

    def match(self, outcome: Outcome, fields: Mapping[Loc, Any], data: Mapping[str, Any]) -> None:
        """Set the slug of a row, of an existing or of a new record.  Raises InvalidRow.

        `data` is the data of a new record with the fields of the row.
        """
        asked, existing, by_slug = self.asked, self.existing, self.asked.key == ("slug",)
        own = fields.get(("slug",)) or self._made_slug(outcome.row, data)
        first = first_value({"slug": fields.get(("slug",)), **data}, asked.key[0])
        key_text = first if isinstance(first, str) else name_in(data)
        data = {**data, "slug": own}
        key = self._key_of(data)
        mapped = asked.slugs.get(key_text) or asked.slugs.get(key)
        outcome.slug = mapped or str(own)
        known = mapped is not None or (by_slug and self._has_slug(fields))
        if not known and not by_slug:
            same = self._same_key(outcome, data) or self.claimed_keys.get(key)
            if self.asked.conflicts == "new" and same in self.claimed:
                self._check_slug(outcome)
                self._find_free_slug(outcome, same, data)
            else:
                outcome.slug, known = same or outcome.slug, same is not None
        owner = outcome.slug
        if owner not in existing:
            owner = self.former.get(owner, owner)
        outcome.slug = owner if known else outcome.slug
        self._check_slug(outcome)
        if known and owner in self.claimed:
            raise self._same_row(outcome, owner)
        if not known and (owner in existing or owner in self.claimed):
            other = existing[owner].data if owner in existing else self.claimed[owner][1]
            if not self._may_be_same(outcome, owner, data, other):
                self._find_free_slug(outcome, owner, data)
            elif owner in existing:
                raise self._slug_conflict(outcome, owner, key_text)
            else:
                raise self._same_row(outcome, owner)
        self.claimed[outcome.slug] = outcome.row, data
        self.claimed_keys[key] = outcome.slug

    def _has_slug(self, fields: Mapping[Loc, Any]) -> bool:
        """Whether a row has a slug; without a column for slugs, that of its name is the slug."""
        columns = (target.column.name for target in self.asked.targets)
        return fields.get(("slug",)) is not None or "slug" not in columns

    def _made_slug(self, row: SheetRow, data: Mapping[str, Any]) -> str:
        """The slug of a row, made of the fields and columns that the map says, or of its name."""
        mapped = {target.column.name for target in self.asked.targets} | {"name"}

        def value(name: str) -> Any:
            found = first_value(data, name) if name in mapped else value_of(row, name)
            return row.number if found is None and name == NUMBER else found

        parts = [
            fill(part, value) if placeholders(part) else value(part)
            for part in self.asked.slug or ("name",)
        ]
        name = " ".join(str(part) for part in parts if part not in (None, [], {}, ""))
        return slug_for(name, german=self.german)

    def _same_key(self, outcome: Outcome, data: Mapping[str, Any]) -> str | None:
        """The record with the key of a row.  Raises InvalidRow for several."""
        key, named = self._key_of(data), " and ".join(self.key)
        same = self.by_key.get(key, [])
        if not key.strip("\n"):
            message = f"{named}: this is empty, but rows are matched by it"
            raise self.error(outcome, "missing-field", message, None)
        if len(same) > 1 and self.asked.conflicts == "new":
            return min(same, key=lambda slug: self._difference(slug, data))
        if len(same) > 1:
            files = ", ".join(map(self.display_name, same[:3]))
            note = f"several records have this {named}: {files}"
            raise conflict(outcome, "say in the map, under slugs, which record it is", note)
        return same[0] if same else None

    def _difference(self, slug: str, data: Mapping[str, Any]) -> tuple[bool, int, int, str]:
        """A rank that is less if a record has more of a row, and is not that of another row."""
        record = self.existing[slug].data
        equal = sum(record.get(name) == value for name, value in data.items())
        return slug in self.claimed, -equal, len(slug), slug

    def _check_slug(self, outcome: Outcome) -> None:
        """Raise InvalidRow for a slug that is invalid, or whose record cannot be read."""
        slug = outcome.slug
        if slug in self.broken:
            message = f"{self.display_name(slug)} has problems"
            hint = "fix what `registry check` reports about it"
            raise self.error(outcome, "unchangeable", message, hint)
        if not is_slug(slug):
            better = slug_for(slug, german=self.german)
            hint = (
                "give it a slug in Latin letters, with a column for slug, or number such records "
                f'in the map: slug: "{self.declared.noun}-{{{NUMBER}}}"'
            )
            if better:
                hint = f'write it "{better}"'
            message = "no slug can be made from its name"
            if slug:
                message = f'"{shorten(slug)}" is not a valid slug'
            raise self.error(outcome, "invalid-slug", message, hint, "slug")

    def _may_be_same(
        self, outcome: Outcome, owner: str, data: Mapping[str, Any], other: Mapping[str, Any]
    ) -> bool:
        """Whether a row may be the owner of its slug, a record or a row with the data `other`.

        That is so if their keys are nearly the same, if the owner has no key, or if the slug is not
        that of the owner's name: it had another name before.
        """
        if self.asked.conflicts == "new":
            return False
        key, other_key = self._key_of(data), self._key_of(other)
        lacks_part = key in self._keys_of(other) or other_key in self._keys_of(data)
        if lacks_part or loose(key) == loose(other_key) or not self._keys_of(other):
            return True
        is_renamed = slug_for(name_in(other), german=self.german) != owner
        return owner != outcome.slug or (owner in self.existing and is_renamed)

    def _find_free_slug(self, outcome: Outcome, owner: str, data: Mapping[str, Any]) -> None:
        """Give a row the first free slug: with the year, the owner or a number."""
        base = outcome.slug
        owners = (
            self.existing, self.broken, self.former, self.removed, self.claimed,
            self.asked.slugs.values(),
        )  # fmt: skip
        slugs = free_slugs(base, self._year(data), data.get(self.owner_field))
        outcome.slug = next(s for s in slugs if not any(s in used for used in owners))
        outcome.notes.append(f"{base} is the slug of {self.display_name(owner)}, another record")

    def _year(self, data: Mapping[str, Any]) -> str:
        years = (name for name, f in self.declared.written.items() if f.type == "year")
        times = (data[name] for name in ("closes", "due", "starts", *years) if data.get(name))
        return str(next(times, ""))[:4]

    def _same_row(self, outcome: Outcome, slug: str) -> InvalidRow:
        solution = (
            "if they are the same, merge the two rows; if not, make them differ in the "
            "table, or choose another key in the map, like key: [name, website]"
        )
        if self.asked.conflicts != "new" and self.asked.key != ("slug",):
            solution += "; --conflicts new makes two records"
        note = f"row {self.claimed[slug][0].number} is the same record"
        return conflict(outcome, solution, note)

    def _slug_conflict(self, outcome: Outcome, owner: str, key_text: str) -> InvalidRow:
        """A row whose name gives it the slug of a record with another key."""
        key, file = " and ".join(self.asked.key), self.display_name(owner)
        relation = "the slug" if owner == outcome.slug else "a former slug"
        owner_data = self.existing[owner].data
        owner_key = key_of(self.declared, self.asked.key, owner_data)
        difference = f"which has {'a different' if owner_key.strip() else 'no'} {key}"
        if self.asked.key == ("slug",):
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
        return conflict(outcome, solution, f"this is {relation} of {file}, {difference}")

    def error(
        self, outcome: Outcome, code: str, message: str, hint: str | None, name: str = ""
    ) -> InvalidRow:
        """Report a problem of a row, in its key field or in the field `name`."""
        name = name or self.asked.key[0]
        column = column_of(self.asked, (name,))
        self.problems.add(outcome.row, name, column, code, message, hint)
        return InvalidRow()
