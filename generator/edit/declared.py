"""Renames of what registry.yaml declares: a kind with its folder, and a field with its values in
all files.  All references in registry.yaml follow.  And the schema.lock.json that notes it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from generator.contract.lock import schema_text
from generator.dialect.folder import (
    LOCK_FILE,
    REGISTRY_FILE,
    REMOVED_FILE,
    Content,
    Source,
    open_content,
    scan,
    walk,
)
from generator.dialect.text_edits import Text
from generator.dialect.tree import Unchangeable
from generator.edit.changes import FileChange, Plan, Refused, Skipped, read
from generator.edit.naming import keys_of, names_of_field, references_to, rename_filters
from generator.edit.rename import changed_bytes, read_list, read_text
from generator.edit.workspace import check_planned
from generator.kinds import Kinds
from generator.kinds.own import kind_name
from generator.kinds.promised import broken_promises, promised
from generator.model.settings.registry import Settings
from generator.problems.diagnostic import Diagnostic, Faulty, is_error, suggest_word
from generator.problems.faults import Loc
from generator.published.content.read import read_header


class Renamed(NamedTuple):
    """A rename: its plan, and what readers of the published registry lose by it."""

    plan: Plan
    lost: list[str]


def rename_kind(folder: str, old: str, new: str, one: str = "") -> Renamed:
    """Give a kind that registry.yaml declares another name, and its records another folder; with
    `one` a single record is called otherwise, too.  Raises Refused or Faulty.
    """
    content, settings = _open(folder)
    kinds = settings.kinds
    if old not in kinds.own_kinds:
        hint = suggest_word(old, kinds.own_kinds) if kinds.own_kinds else "it declares none"
        why = "is one of the first four" if old in kinds else "is not in registry.yaml"
        raise Refused(f'"{old}" {why}: only kinds that it declares can be renamed; {hint}')
    if new == old and not one:
        raise Refused(f'the kind is already called "{old}": choose another name')
    if new != old and os.path.lexists(os.path.join(folder, new)):
        raise Refused(f"{content.display_path(new)} is there already: choose another name")
    text = read_text(content, Source("", REGISTRY_FILE))
    before = kinds.own_kinds[old]["one"]
    if one and one != before:
        text.replace(("kinds", old, "one"), one)
        named = {
            name: {kinds[old].kind: kind_name(one)}
            for name in kinds
            if any(f.refers == old and f.filter == kinds[old].kind for f in kinds[name].own)
        }
        rename_filters(text, kinds, named)
    if new != old:
        for loc in references_to(text.data, settings, old):
            text.replace(loc, new)
        for loc in keys_of(text.data, old):
            text.rename_field(loc, new)
    changes = [FileChange(REGISTRY_FILE, text.raw, changed_bytes(content, _REGISTRY, text))]
    changes += _with_kind(content, kinds[old].kind, kind_name(one or before))
    changes += _moved(content, old, new) if new != old else ()
    plan, lost = _renamed(content, kinds, changes, [])
    addresses = [f"what is below /api/{old} and /{old}/"] if new != old else []
    return Renamed(plan, [*addresses, *lost])


def rename_field(folder: str, collection: str, old: str, new: str) -> Renamed:
    """Give an own field another name in registry.yaml and in all records.  Raises Refused or
    Faulty.
    """
    content, settings = _open(folder)
    kinds = settings.kinds
    known = kinds.settings_of(collection)
    if old not in known:
        hint = suggest_word(old, known) if known else f"it declares none of {collection}"
        raise Refused(f'registry.yaml declares no field "{old}" of {collection}; {hint}')
    if new in known:
        raise Refused(f'{collection} already have a field "{new}": choose another name')
    field = next(f for f in kinds[collection].own if f.path[-1] == old)
    text = read_text(content, _REGISTRY)
    if field.filter and not field.refers:
        prefix = field.filter.removesuffix(old)
        rename_filters(text, kinds, {collection: {field.filter: f"{prefix}{new}"}})
    for loc in names_of_field(text.data, settings, collection, old):
        text.replace(loc, new)
    own = kinds[collection].is_own
    where = ("kinds", collection, "fields") if own else ("fields", collection)
    text.rename_field((*where, old), new)
    changes = [FileChange(REGISTRY_FILE, text.raw, changed_bytes(content, _REGISTRY, text))]
    left: list[Skipped] = []
    for source in content.sources[collection]:
        if change := _with_field(content, source, field.place, new, left):
            changes.append(change)
    return _renamed(content, kinds, changes, left)


_REGISTRY = Source("", REGISTRY_FILE)


def _open(folder: str) -> tuple[Content, Settings]:
    """The files and the settings of a registry.  Raises Faulty."""
    content = scan(folder)
    header, problems = read_header(content)
    if errors := list(filter(is_error, problems)):
        raise Faulty(errors)
    return content, header.settings


def _renamed(
    content: Content, before: Kinds, changes: list[FileChange], left: list[Skipped]
) -> Renamed:
    """The rename with these changes.  Raises Faulty if registry.yaml would have errors, apart from
    what readers lose.
    """
    whole = [*changes, FileChange(LOCK_FILE, None, None)]
    report = check_planned(content.folder, whole, [REGISTRY_FILE])
    if errors := list(filter(is_error, report.problems)):
        raise Faulty(errors)
    planned = {change.path: change.after for change in changes}
    now = read_header(scan(content.folder, planned))[0].settings.kinds
    month = f"{datetime.now(UTC):%Y-%m}"
    lost = [broken.message for broken in broken_promises(promised(before), now, month)]
    return Renamed(Plan(changes, left), lost)


def plan_lock(folder: str) -> Plan:
    """The change that notes what readers rely on in the kinds of a registry.  Raises Refused if it
    declares none, and has no lock.
    """
    content = open_content(folder)
    kinds = read_header(content)[0].settings.kinds
    before = read(folder, LOCK_FILE)
    if before is None and kinds is kinds.having({}, {}, ()):
        raise Refused("registry.yaml declares no kinds and fields of its own: nothing to note")
    after = schema_text({"kinds": promised(kinds)}).encode()
    return Plan([FileChange(LOCK_FILE, before, after)] if after != before else [], [])


# --- other files ----------------------------------------------------------------------------------


def _with_kind(content: Content, old: str, new: str) -> Iterator[FileChange]:
    """The change of removed.yaml, whose entries name the kind."""
    entries = read_list(content, REMOVED_FILE, "removed") if old != new else []
    of_kind = [i for i, of in enumerate(entries) if isinstance(of, dict) and of.get("kind") == old]
    if of_kind:
        source = Source("", REMOVED_FILE)
        text = read_text(content, source)
        for i in of_kind:
            text.replace(("removed", i, "kind"), new)
        yield FileChange(REMOVED_FILE, text.raw, changed_bytes(content, source, text))


def _moved(content: Content, old: str, new: str) -> Iterator[FileChange]:
    """The changes that move all files of a collection into another folder."""
    for path, entries in walk(content.folder, content.kinds):
        if isinstance(entries, OSError):
            raise Refused(f"{content.display_path(path)} cannot be read: {entries.strerror}")
        if path.partition("/")[0] != old:
            continue
        for name, _ in entries:
            at = f"{path}/{name}"
            if name.endswith("//"):
                raise Refused(f"{content.display_path(at[:-2])} is a link or hidden: move it first")
            if not name.endswith("/"):
                raw = read(content.folder, at)
                if raw is None:
                    raise Refused(f"{content.display_path(at)} is no file that can be moved")
                yield from (FileChange(new + at.removeprefix(old), None, raw),
                            FileChange(at, raw, None))  # fmt: skip


def remove_empty(folder: str, collection: str) -> None:
    """Remove the folder of a collection that was renamed, and its folders, if they are empty."""
    for path, _, _ in os.walk(os.path.join(folder, collection), topdown=False):
        with contextlib.suppress(OSError):
            os.rmdir(path)


def _with_field(
    content: Content, source: Source, place: Loc, new: str, left: list[Skipped]
) -> FileChange | None:
    """The change of a record that has a field at a place; a file that cannot be changed is added to
    `left`.
    """
    raw = content.read_content(source.path)
    if isinstance(raw, Diagnostic):
        left.append(Skipped(source.path, raw.message))
        return None
    if str(place[-1]).encode() not in raw:
        return None
    try:
        text = Text(raw)
        data: Any = text.data
        for key in place[:-1]:
            data = data.get(key) or {}
        if place[-1] not in data:
            return None
        text.rename_field(place, new)
        return FileChange(source.path, raw, text.changed())
    except Unchangeable as error:
        left.append(Skipped(source.path, f"it may have this field, but {error}"))
        return None
