"""What renaming and merging records changes: their files, and every reference to them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from generator.dialect.folder import COLLECTIONS, REMOVED_FILE, Content, Source, scan
from generator.dialect.parse import is_bare
from generator.dialect.text_edits import Text, begun
from generator.dialect.tree import Tree, Unchangeable, data_of
from generator.dialect.values import record
from generator.edit.changes import Change, Plan, Refused
from generator.edit.merge import Difference, Path, join
from generator.grammar.names import KIND_OF
from generator.grammar.text import is_slug, slugify
from generator.model.fields import Input
from generator.model.kinds import REFERENCES
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic, suggestion
from generator.problems.faults import Loc, cut


def rename(folder: str, collection: str, old: str, new: str) -> Plan:
    """Give a record another slug; the old one becomes an alias.  Raises Refused."""
    content = scan(folder)
    source = source_of(content, collection, old)
    if not is_slug(new):
        better = slugify(new)
        hint = f'; write "{better}"' if better else ""
        raise Refused(f'"{new}" is not a valid slug{hint}')
    if taken := _live(content, collection).get(new):
        raise Refused(f'"{new}" is already used by {content.shown(taken.path)}')
    if _is_removed(content, collection, new):
        raise Refused(
            f'"{new}" belonged to a record that was removed for good: see '
            f"{content.shown(REMOVED_FILE)}"
        )
    owner = _owner_of_alias(content, collection, new)
    if owner is not None and owner != source:
        raise Refused(
            f'"{new}" is an alias in {content.shown(owner.path)}: its address leads to that record'
        )
    text = text_of(content, source)
    aliases = list(text.data.get("aliases") or ())
    if new in aliases:
        text.replace(("aliases", aliases.index(new)), old)  # it is what the record was called
    else:
        text.append("aliases", [old])
    stem, _, ending = source.path.rpartition(".")
    moved = f"{stem.rpartition('/')[0]}/{new}.{ending}"
    _refer(text, collection, collection, old, new)
    changes = [
        Change(source.path, text.raw, None),
        Change(moved, None, bytes_of(content, source, text)),
    ]
    return _with_references(content, collection, old, new, changes, {source.path})


class Merged(NamedTuple):
    """A merge: its plan, the values that the record that stays gets (`added`) and those of the
    other that are dropped, and the comments that are lost.
    """

    plan: Plan
    added: list[tuple[str, Any]]
    dropped: list[Difference]
    comments: list[str]


def merge(
    folder: str,
    collection: str,
    old: str,
    into: str,
    choose: Callable[[list[Difference]], Collection[Path]],
) -> Merged:
    """Remove a record that is another one too: its slugs become aliases of that one, what refers to
    it refers to that one, and what only it says is added there.

    `choose` is given the fields in which both differ, and returns the paths of those whose value is
    to be that of `old`.  Raises Refused.
    """
    content = scan(folder)
    source, target = source_of(content, collection, old), source_of(content, collection, into)
    if source == target:
        raise Refused(f'"{old}" is a single record: name two different records')
    gone, text = text_of(content, source), text_of(content, target)
    if text.data.get("parent") == old:
        raise Refused(f'"{old}" is the parent of "{into}": remove `parent` from that record first')
    other = {name: value for name, value in gone.data.items() if (name, value) != ("parent", into)}
    joined = join(text.data, other)
    taken = choose(joined.differing)
    data = joined.taking(taken)
    data["aliases"] = [*(data.get("aliases") or ()), old, *(gone.data.get("aliases") or ())]
    text.become(data)
    merged = bytes_of(content, target, text)
    dropped = [
        one._replace(kept=one.other, other=one.kept) if one.path in taken else one
        for one in joined.differing
    ]
    lost = Counter(gone.comments() + text.comments()) - Counter(Tree(merged).comments())
    changes = [Change(source.path, gone.raw, None), Change(target.path, text.raw, merged)]
    known = {source.path, target.path}
    plan = _with_references(content, collection, old, into, changes, known)
    checked = plan._replace(checked=(target.path,))
    return Merged(checked, joined.added, dropped, list(lost.elements()))


def references(collection: str, data: Mapping[str, Any], to: str, slug: str) -> Iterator[Loc]:
    """Where a record's data names the record `slug` of the collection `to`."""
    for field, where in REFERENCES[collection].items():
        if where != to:
            continue
        held = data.get(field)
        if held == slug:
            yield (field,)
        elif isinstance(held, list):
            yield from ((field, i) for i, one in enumerate(held) if one == slug)


def _with_references(
    content: Content,
    collection: str,
    old: str,
    new: str,
    changes: list[Change],
    known: Iterable[str],
) -> Plan:
    """The changes with those of every other file that refers to a record."""
    left: list[tuple[str, str]] = []
    for kind, source, text in naming(content, collection, old, known, left):
        if _refer(text, kind, collection, old, new):
            changes.append(Change(source.path, text.raw, bytes_of(content, source, text)))
    return Plan(changes, left)


def naming(
    content: Content, collection: str, slug: str, known: Iterable[str], left: list[tuple[str, str]]
) -> Iterator[tuple[str, Source, Text]]:
    """The records that may refer to one, by collection, but for the files that are `known`; `left`
    takes the files that cannot be changed, each with the reason.
    """
    name, done = slug.encode(), set(known)
    for kind in COLLECTIONS:
        if collection not in REFERENCES[kind].values():
            continue
        for source in content.sources[kind]:
            if source.path in done:
                continue
            taken = content.take(source.path)
            if isinstance(taken, Diagnostic):
                left.append((source.path, taken.message))
                continue
            if name not in taken.raw:
                continue
            try:
                yield kind, source, Text(taken.raw)
            except Unchangeable as error:
                left.append((source.path, f"it may refer to this record, but {error}"))


def _refer(text: Text, kind: str, collection: str, old: str, new: str) -> bool:
    """Let a text refer to another slug; whether it referred to the old one."""
    locs = list(references(kind, text.data, collection, old))
    again: dict[str, list[int]] = {}
    for loc in locs:
        field, *number = loc
        if number and new in text.data[str(field)]:
            again.setdefault(str(field), []).append(int(number[0]))
        else:
            text.replace(loc, new)
    for field, numbers in again.items():  # it names both
        text.remove_items((field,), numbers)
    return bool(locs)


def text_of(content: Content, source: Source) -> Text:
    """The text of a record's file.  Raises Refused where it has faults."""
    taken = content.take(source.path)
    if isinstance(taken, Diagnostic):
        raise Refused(f"{taken.path} {taken.message}")
    try:
        return Text(taken.raw)
    except Unchangeable as error:
        raise Refused(f"{content.shown(source.path)} cannot be changed: {error}") from None


def bytes_of(content: Content, source: Source, text: Text) -> bytes:
    """The bytes of a text with its changes.  Raises Refused where they cannot be made safely."""
    try:
        return text.changed()
    except Unchangeable as error:
        raise Refused(f"{content.shown(source.path)} cannot be changed: {error}") from None


def with_entries(
    content: Content,
    file: str,
    entries: Sequence[Mapping[str, str]],
    begin: str,
    edit: Callable[[Text], None] = lambda text: None,
) -> Change:
    """The change that puts entries at the end of a file of one list, which has the name of its
    list; `begin` are the comments of a new file, and `edit` what else is done to one that is there.
    Raises Refused.
    """
    field = file.removesuffix(".yaml")
    if not os.path.lexists(os.path.join(content.folder, file)):
        return Change(file, None, begun(begin.encode(), field, entries))
    taken = content.take(file)
    if not isinstance(taken, Diagnostic) and is_bare(taken.raw, field):
        return Change(file, taken.raw, begun(taken.raw, field, entries))
    source = Source("", file)
    text = text_of(content, source)
    if not isinstance(text.data.get(field, []), list):
        raise Refused(f"{content.shown(file)} must contain a list named {field}")
    edit(text)
    text.append(field, entries)
    return Change(file, text.raw, bytes_of(content, source, text))


def hold(entry: Mapping[str, str], model: type[Input]) -> None:
    """Raises Refused where an entry that is to be written has a fault that a check would tell."""
    for fault in read_model(record(entry).encode(), model)[1]:
        if fault.severity == "error":
            raise Refused(f"{cut(fault.message, 400)}" + (f"; {fault.hint}" if fault.hint else ""))


def _live(content: Content, collection: str) -> dict[str, Source]:
    return {source.slug: source for source in content.sources[collection]}


def source_of(content: Content, collection: str, slug: str) -> Source:
    """The file of a record.  Raises Refused, which says what is near, where there is none."""
    live = _live(content, collection)
    if slug not in live:
        kind = KIND_OF[collection]
        if owner := _owner_of_alias(content, collection, slug):
            raise Refused(f'the {kind} "{slug}" is now called "{owner.slug}"')
        hint = suggestion(slug, live)
        raise Refused(f'there is no {kind} "{slug}"' + (f"; {hint}" if hint else ""))
    return live[slug]


def _owner_of_alias(content: Content, collection: str, alias: str) -> Source | None:
    for source in content.sources[collection]:
        taken = content.take(source.path)
        if isinstance(taken, Diagnostic) or alias.encode() not in taken.raw:
            continue
        if alias in listed(taken.raw, "aliases"):
            return source
    return None


def _is_removed(content: Content, collection: str, slug: str) -> bool:
    taken = content.take(REMOVED_FILE) if REMOVED_FILE in content.names[""] else None
    if taken is None or isinstance(taken, Diagnostic):
        return False
    removals = (one for one in listed(taken.raw, "removed") if isinstance(one, dict))
    return any(
        (one.get("kind"), one.get("slug")) == (KIND_OF[collection], slug) for one in removals
    )


def listed(raw: bytes, field: str) -> list[Any]:
    """A list of a file that may have faults."""
    try:
        held = data_of(raw).get(field)
    except Unchangeable:
        return []
    return held if isinstance(held, list) else []
