"""Rows of a table -> records as they will be: which record a row is, what it says otherwise, and
with which others it is in conflict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from generator.dialect import values
from generator.dialect.text_edits import Text
from generator.dialect.texts import cleaned
from generator.dialect.tree import Tree, Unchangeable
from generator.edit.changes import Change
from generator.edit.exchange.cells import Fault, Reader
from generator.edit.exchange.columns import Loc
from generator.edit.exchange.existing import Held, slug_for
from generator.edit.exchange.sheet import Row
from generator.edit.exchange.targets import Asked
from generator.edit.new import placed
from generator.edit.places import updated
from generator.edit.similar import Existing, mark_of
from generator.grammar.text import fold, is_slug
from generator.model.checks.duplicates import website
from generator.problems.faults import cut, show

#: What is done with rows that are in conflict with records or with each other: nothing is written;
#: they are left out; where they only have the name or the website of another, they are new.
Conflicts = Literal["refuse", "skip", "new"]


@dataclass(slots=True)
class Outcome:
    """What becomes of a row: `new`, `changed`, `same`, `conflict` or `error`; and why, or how.  Of
    a conflict `mend` says what ends it, but for leaving the row out.
    """

    row: Row
    what: str = "new"
    slug: str = ""
    why: list[str] = field(default_factory=list)
    mend: str = ""


class Draft(NamedTuple):
    """A record as it will be."""

    outcome: Outcome
    path: str
    data: dict[str, Any]
    change: Change


class Drafts:
    """Makes of each row the record that it is."""

    def __init__(self, held: Held, asked: Asked, reader: Reader, conflicts: Conflicts):
        self.held, self.asked, self.reader, self.conflicts = held, asked, reader, conflicts
        self.fill = {
            ("locations",) if t.column.loc[0] == "locations" else t.column.loc
            for t in asked.targets
            if t.source.fill
        }
        self.path_of = placed(held.content, held.collection)
        self.by_key: dict[str, list[str]] = {}
        for slug, one in held.existing.items():
            for key in keys_of(held.collection, asked.key, one.data) if asked.key != "slug" else ():
                self.by_key.setdefault(key, []).append(slug)

    def draft(self, outcome: Outcome, said: dict[Loc, Any]) -> Draft | None:
        """The record that a row is, as it will be; None where nothing of it is to be written."""
        fresh = self._merged({}, said)
        slug, record = self._found(outcome, said, fresh)
        outcome.slug = slug
        if outcome.what != "new":
            return None
        if slug in self.held.claimed:
            outcome.what = "conflict"
            outcome.why.append(f"row {self.held.claimed[slug].number} is the same record")
            outcome.mend = (
                "if they are the same, merge the two rows; if not, make them differ in the "
                "table, or choose another key in the map"
            )
            return None
        self.held.claimed[slug] = outcome.row
        if record is None:
            self._clash(outcome, slug, fresh, new=True)
            if outcome.what != "new":
                return None
            path = self.path_of(slug, fresh)
            change = Change(path, None, values.record(fresh).encode("utf-8", "surrogatepass"))
            return Draft(outcome, path, fresh, change)
        data = self._merged(record.data, said)
        if data == record.data:
            outcome.what = "same"
            return None
        outcome.what, outcome.why = "changed", list(_differences(record.data, data))
        self._clash(outcome, slug, data, new=False)
        if outcome.what != "changed":
            return None
        try:
            text = Text(record.raw)
            text.become(data)
            raw = text.changed()
        except Unchangeable as error:
            what = f"{self.held.shown(slug)} cannot be changed: {error}"
            self._error(outcome, "unchangeable", what, "change it by hand")
            return None
        gone = Counter(text.comments()) - Counter(Tree(raw).comments())
        outcome.why += [f'the comment "{cut(one)}" is removed with its value' for one in gone]
        return Draft(outcome, record.source.path, data, Change(record.source.path, record.raw, raw))

    def _found(
        self, outcome: Outcome, said: Mapping[Loc, Any], fresh: Mapping[str, Any]
    ) -> tuple[str, Existing | None]:
        """The slug of the record that a row is, and that record where it is there."""
        name = fresh.get("name")
        own = said.get(("slug",)) or slug_for(name if isinstance(name, str) else "")
        key = str(own) if self.asked.key == "slug" else key_of(
            self.held.collection, self.asked.key, {**fresh, "slug": own}
        )  # fmt: skip
        told = self._told_slug(key, said, fresh)
        slug = told or str(own)
        known = told is not None or (self.asked.key == "slug" and self._has_slug(said))
        if not known and self.asked.key != "slug":
            same = self.by_key.get(key, [])
            if not key:
                what = f"{self.asked.key}: this is empty, but rows are matched by it"
                self._error(outcome, "missing-field", what, None)
            elif len(same) > 1:
                outcome.what = "conflict"
                some = ", ".join(map(self.held.shown, same[:3]))
                outcome.why.append(f"several records have this {self.asked.key}: {some}")
                outcome.mend = "say in the map, under slugs, which record it is"
            elif same:
                slug, known = same[0], True
        owner = slug if slug in self.held.existing else self.held.former.get(slug, slug)
        if known or owner not in self.held.existing:
            slug = owner
        elif outcome.what == "new":
            self._taken(outcome, slug, owner, said, fresh)
        if slug in self.held.broken and outcome.what == "new":
            self._error(outcome, "unchangeable", f"{self.held.shown(slug)} has problems",
                        "fix what `registry check` reports about it")  # fmt: skip
        elif not is_slug(slug) and outcome.what == "new":
            better = slug_for(slug)
            hint = (
                f'write it "{better}"'
                if better
                else "give it a slug in Latin letters, with a column for slug"
            )
            what = (
                f'"{cut(slug)}" is not a valid slug'
                if slug
                else "no slug can be made from its name"
            )
            self._error(outcome, "invalid-slug", what, hint, "slug")
        return slug, self.held.existing.get(slug)

    def _has_slug(self, said: Mapping[Loc, Any]) -> bool:
        """Whether a row names its slug, or the map takes the slug of its name for that."""
        mapped = any(target.column.name == "slug" for target in self.asked.targets)
        return said.get(("slug",)) is not None or not mapped

    def _taken(
        self,
        outcome: Outcome,
        slug: str,
        owner: str,
        said: Mapping[Loc, Any],
        fresh: Mapping[str, Any],
    ) -> None:
        """Report a row whose slug, made of its name, is that of a record with another key."""
        key, file = self.asked.key, self.held.shown(owner)
        what = "the slug" if owner == slug else "a former slug"
        has = key_of(self.held.collection, key, self.held.existing[owner].data)
        other = f"which has {'a different' if has else 'no'} {key}"
        if key == "slug":
            other = "but the row has no slug"
        outcome.what = "conflict"
        outcome.why.append(f"this is {what} of {file}, {other}")
        if self.asked.exact:
            outcome.mend = (
                f'if the row is that record, write {owner} in the column "slug"; if not, write '
                "another slug"
            )
        else:
            value = values.scalar(self._written(said, fresh))
            outcome.mend = (
                f"if the row is that record, write slugs: {{{value}: {owner}}} in the map; if "
                f"not, write another slug instead of {owner}"
            )

    def _written(self, said: Mapping[Loc, Any], fresh: Mapping[str, Any]) -> str:
        """What a row has in the field that rows are known by, as it is written."""
        value: Any = said.get(tuple(self.asked.key.split(".")))
        return value if isinstance(value, str) else str(fresh.get("name", ""))

    def _told_slug(self, key: str, said: Mapping[Loc, Any], fresh: Mapping[str, Any]) -> str | None:
        """The slug that the map gives to a row, by its key as it is written or folded."""
        if not self.asked.slugs:
            return None
        return self.asked.slugs.get(self._written(said, fresh)) or self.asked.slugs.get(key)

    def _merged(self, before: Mapping[str, Any], said: Mapping[Loc, Any]) -> dict[str, Any]:
        """A record with what a row says of it."""
        data = deepcopy(dict(before))
        for loc, value in said.items():
            head, *rest = loc
            if head == "slug" or (value is None and self.asked.empty == "keep"):
                continue
            held = data.get(head)
            if head == "locations" and value is not None:
                value = self._places(held, value)
            inner = rest[0] if rest else None
            now = held if inner is None else held.get(inner) if isinstance(held, dict) else None
            if (loc in self.fill and now not in (None, [], {})) or _alike(now, value):
                continue
            if inner is None:
                _put(data, head, value)
            else:
                within = held if isinstance(held, dict) else {}
                _put(within, inner, value)
                _put(data, head, within or None)
        return data

    def _places(self, held: Any, said: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The places of a record with those of a row."""
        if self.asked.empty == "remove":
            of = [target.column.loc for target in self.asked.targets]
            parts = [loc[1] for loc in of if loc[0] == "locations" and loc[1:]]
            said = [dict.fromkeys(parts) | place for place in said]
        return updated(held if isinstance(held, list) else [], said)

    def _clash(self, outcome: Outcome, slug: str, data: dict[str, Any], *, new: bool) -> None:
        """Tell of a row what other record or row it may be."""
        removal = self.held.linked.removed.get(self.held.collection, {}).get(slug) if new else None
        if removal is not None:
            outcome.what = "conflict"
            outcome.why.append(f"this record was removed for good on {removal.date}")
            outcome.mend = "to add a new record, give it another slug in the map, under slugs"
        for name, other in self.held.marks.clashes(slug, data):
            if self.conflicts != "new":
                outcome.what = "conflict"
                outcome.mend = outcome.mend or (
                    "if the row is that record, say so in the map, under slugs; if not, "
                    "--conflicts new makes a new record"
                )
            outcome.why.append(f"{self.held.shown(other)} has the same {name}")
        if outcome.what != "conflict":
            self.held.marks.add(slug, data)

    def _error(
        self, outcome: Outcome, code: str, message: str, hint: str | None, name: str = ""
    ) -> None:
        outcome.what = "error"
        column = column_of(self.asked, (name or self.asked.key,))
        self.reader.faults.append(Fault(outcome.row, column, code, message, hint))


def key_of(collection: str, key: str, data: Mapping[str, Any]) -> str:
    """What a record, or a row, has in the field that it is known by; "" where it has nothing."""
    if key == "name":
        return mark_of(collection, data)[0]
    value: Any = data
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is None or isinstance(value, dict | list):
        return ""
    return website(str(value)) if key == "website" else " ".join(fold(str(value)).split())


def keys_of(collection: str, key: str, data: Mapping[str, Any]) -> set[str]:
    """The keys by which rows find a record: a row that names no organization, or no day, finds a
    program or an event by its name alone.
    """
    whole = key_of(collection, key, data)
    name, line, _ = whole.partition("\n")
    return {whole, name + line} - {""}


def column_of(asked: Asked, loc: Loc) -> str:
    """The column of the table that a field comes from; "" where it comes from none."""
    for target in asked.targets:
        if target.column.loc[0] == "locations" == loc[0]:
            part = target.column.loc[1:]
            if not part or part[0] == loc[-1]:
                return target.source.column or ""
        elif target.column.loc == loc[: len(target.column.loc)]:
            return target.source.column or ""
    return ""


def _alike(now: Any, value: Any) -> bool:
    """Whether a field says this already; a place may name its parts with nothing after them."""
    if value is None:
        return now in (None, [], {})
    if isinstance(now, list) and any(isinstance(one, dict) for one in now):
        now = [_without_nothing(one) if isinstance(one, dict) else one for one in now]
    if isinstance(now, str):
        now = cleaned(now)  # as it is published
    return bool(now == value) and type(now) is type(value)


def _without_nothing(place: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in place.items() if value is not None}


def _put(data: dict[str, Any], name: str, value: Any) -> None:
    if value is None:
        data.pop(name, None)
    else:
        data[name] = value


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What a record says otherwise, in words."""
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if isinstance(was, dict) and isinstance(now, dict):
            yield from (f"{name}.{one}" for one in _differences(was, now))
        elif isinstance(was, list) and isinstance(now, list):
            gone = [f"− {_said(one)}" for one in was if one not in now]
            come = [f"+ {_said(one)}" for one in now if one not in was]
            yield f"{name}: {' '.join([*gone, *come]) or 'new order'}"
        else:
            yield f"{name}: {_said(was)} → {_said(now)}"


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_said(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return cut(", ".join(map(_said, value)))
    return cut(value, 40) if isinstance(value, str) else show(value)
