"""Renames and merges of records: their files, and all references to them.

Other commands use its functions for references and for files of one list.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from generator.dialect.folder import REMOVED_FILE, Content, Source
from generator.dialect.parse import has_no_items
from generator.dialect.text_edits import Text, add_first_items
from generator.dialect.tree import SyntaxTree, Unchangeable, parse_or_raise
from generator.dialect.values import fields_at, record
from generator.edit.changes import FileChange, Plan, Refused, Skipped
from generator.edit.logos import merge_logos, rename_logo
from generator.edit.merge import FieldDifference, Path, join_data
from generator.edit.workspace import scan_records
from generator.kinds.declare import Declared
from generator.kinds.models import Input
from generator.model.validate import read_model
from generator.problems.diagnostic import Diagnostic, suggest_word
from generator.problems.faults import Loc, describe_field, shorten
from generator.text.words import is_slug, word_slug


def rename(folder: str, collection: str, old: str, new: str) -> Plan:
    """Give a record another slug; the old one becomes an alias.  Raises Refused."""
    content = scan_records(folder)
    source = find_source(content, collection, old)
    if not is_slug(new):
        better = word_slug(new)
        hint = f'; write "{better}"' if better else ""
        raise Refused(f'"{new}" is not a valid slug{hint}')
    for other in content.sources[collection]:
        if other.slug == new:
            if new == old:
                raise Refused(f'the record is already called "{old}": choose another slug')
            raise Refused(
                f'"{new}" is already used by {content.display_path(other.path)}. Choose another '
                "slug. If both are the same, run "
                f"`registry merge {content.kinds[collection].kind} {old} {new}`."
            )
    if new in removed_slugs(content, collection):
        raise Refused(
            f'"{new}" belonged to a record that was removed for good: see '
            f"{content.display_path(REMOVED_FILE)}"
        )
    owner = owner_of_alias(content, collection, new)
    if owner is not None and owner != source:
        raise Refused(
            f'"{new}" is an alias in {content.display_path(owner.path)}: its address leads to '
            "that record"
        )
    text = read_text(content, source)
    aliases = list(text.data.get("aliases") or ())
    if new in aliases:
        text.replace(("aliases", aliases.index(new)), old)  # the record gets its former slug back
    else:
        text.append("aliases", [old])
    ending = source.path.rpartition(".")[2]
    new_path = f"{source.path.rpartition('/')[0]}/{new}.{ending}"
    change_references(text, content.kinds[collection], collection, old, new)
    logo = rename_logo(content, source, text.data.get("logo"), new)
    if logo is not None:
        text.replace(("logo",), logo[0])
    changes = [
        FileChange(source.path, text.raw, None),
        FileChange(new_path, None, changed_bytes(content, source, text)),
        *(logo[1] if logo is not None else ()),
    ]
    return _with_references(content, collection, old, new, changes, {source.path})


class Merged(NamedTuple):
    """A merge: its plan, the values that the record gets from the other one (`added`), the
    differences with the value that is `dropped` as `other`, and the comments that are lost.
    """

    plan: Plan
    added: list[tuple[str, Any]]
    dropped: list[FieldDifference]
    comments: list[str]


def merge(
    folder: str,
    collection: str,
    *,
    old: str,
    into: str,
    choose: Callable[[list[FieldDifference]], Collection[Path]],
) -> Merged:
    """Merge the record `old` into the record `into`, and remove `old`.

    The slug and the aliases of `old` become aliases of `into`, references to `old` are changed, and
    fields and list items that only `old` has are added.  `choose` gets the fields in which the two
    differ, and returns the paths of those whose value comes from `old`.  Raises Refused.
    """
    content = scan_records(folder)
    source, target = find_source(content, collection, old), find_source(content, collection, into)
    if source == target:
        raise Refused(f'"{old}" is named twice: name two different records')
    removed, text = read_text(content, source), read_text(content, target)
    kind = content.kinds[collection]
    for loc in references(kind, text.data, collection, old):
        if not isinstance(loc[-1], int):
            field = describe_field(loc)
            raise Refused(
                f'"{old}" is the {field} of "{into}": remove `{field}` from that record first'
            )
    kept = _without(text.data, kind, collection, old)
    other = _without(_without(removed.data, kind, collection, into), kind, collection, old)
    joined = join_data(kept, other, kind)
    chosen = choose(joined.differing)
    data = joined.taking(chosen)
    aliases = [*(data.get("aliases") or ()), old, *(removed.data.get("aliases") or ())]
    data["aliases"] = list(dict.fromkeys(aliases))  # a killed merge may have written some
    logos = (source, removed.data.get("logo")), (target, text.data.get("logo"))
    take = not text.data.get("logo") or ("logo",) in chosen
    text.change_to(data)
    merged = changed_bytes(content, target, text)
    dropped = [
        d._replace(kept=d.other, other=d.kept) if d.path in chosen else d for d in joined.differing
    ]
    lost = Counter(removed.comments() + text.comments()) - Counter(SyntaxTree(merged).comments())
    changes = [
        FileChange(source.path, removed.raw, None),
        FileChange(target.path, text.raw, merged),
    ]
    changes += merge_logos(content, *logos, take=take)
    plan = _with_references(content, collection, old, into, changes, {source.path, target.path})
    plan = plan._replace(checked=(target.path,))
    return Merged(plan, joined.added, dropped, list(lost.elements()))


def references(declared: Declared, data: Mapping[str, Any], to: str, slug: str) -> Iterator[Loc]:
    """The places of a record's data that refer to the record `slug` of the collection `to`."""
    fields = (declared.fields[name] for name, of in declared.references.items() if of == to)
    for place in (f.place for f in fields):
        value = value_at(data, place)
        if value == slug:
            yield place
        elif isinstance(value, list):
            items: Iterator[Loc] = ((*place, i) for i, item in enumerate(value) if item == slug)
            yield from items


def _without(data: Mapping[str, Any], kind: Declared, to: str, slug: str) -> dict[str, Any]:
    """A record's data without its references to a record, and without what they leave empty."""
    left = deepcopy(dict(data))
    for loc in reversed([*references(kind, left, to, slug)]):
        while loc:
            *above, last = loc
            within = value_at(left, above)
            del within[last]
            loc = () if within else tuple(above)
    return left


def value_at(data: Any, place: Sequence[str | int]) -> Any:
    """The value at a place of a record's data; None if there is none."""
    for key in place:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def _with_references(
    content: Content,
    collection: str,
    old: str,
    new: str,
    changes: list[FileChange],
    done: Iterable[str],
) -> Plan:
    left: list[Skipped] = []
    for referring, source, text in referring_records(content, collection, old, done, left):
        if change_references(text, content.kinds[referring], collection, old, new):
            changes.append(FileChange(source.path, text.raw, changed_bytes(content, source, text)))
    return Plan(changes, left)


def referring_records(
    content: Content, collection: str, slug: str, known: Iterable[str], left: list[Skipped]
) -> Iterator[tuple[str, Source, Text]]:
    """The records that may refer to a record, each with its collection and its text.

    Files in `known` are skipped.  Files that cannot be changed are added to `left` with the reason.
    """
    name, skipped = slug.encode(), set(known)
    for referring in content.sources:
        if collection not in content.kinds[referring].references.values():
            continue
        for source in content.sources[referring]:
            if source.path in skipped:
                continue
            taken = content.read_content(source.path)
            if isinstance(taken, Diagnostic):
                left.append(Skipped(source.path, taken.message))
                continue
            if name not in taken:
                continue
            try:
                yield referring, source, Text(taken, fields_at(source.path, content.kinds))
            except Unchangeable as error:
                left.append(Skipped(source.path, f"it may refer to this record, but {error}"))


def change_references(
    text: Text, referring: Declared, collection: str, old: str, new: str | None
) -> bool:
    """Change references to `old` into references to `new`, or remove them if `new` is None.

    `text` is a record of the kind `referring`.  Returns whether there was any reference.
    """
    locs = list(references(referring, text.data, collection, old))
    removed, fields = dict[Loc, list[int]](), dict[Loc, list[str]]()
    for loc in locs:
        *place, last = loc
        if isinstance(last, int) and (new is None or new in value_at(text.data, place)):
            removed.setdefault(tuple(place), []).append(last)
        elif new is None:
            fields.setdefault(tuple(place), []).append(str(last))
        else:
            text.replace(loc, new)
    for list_loc, numbers in removed.items():
        if len(numbers) < len(value_at(text.data, list_loc)):
            text.remove_items(list_loc, numbers)
        else:
            fields.setdefault(list_loc[:-1], []).append(str(list_loc[-1]))
    for within, names in fields.items():
        text.remove_fields(within, names)
    return bool(locs)


def read_text(content: Content, source: Source) -> Text:
    """The text of a record's file.  Raises Refused if it cannot be read."""
    taken = content.read_content(source.path)
    if isinstance(taken, Diagnostic):
        raise Refused(f"{taken.path} {taken.message}")
    try:
        return Text(taken, fields_at(source.path, content.kinds))
    except Unchangeable as error:
        raise Refused(f"{content.display_path(source.path)} cannot be changed: {error}") from None


def changed_bytes(content: Content, source: Source, text: Text) -> bytes:
    """The bytes of a text with its changes.  Raises Refused if they cannot be made safely."""
    try:
        return text.changed()
    except Unchangeable as error:
        raise Refused(f"{content.display_path(source.path)} cannot be changed: {error}") from None


def append_entries(
    content: Content,
    file: str,
    entries: Sequence[Mapping[str, str]],
    begin: str,
    edit: Callable[[Text], None] = lambda text: None,
) -> FileChange:
    """The change that appends entries to a file of one list, like removed.yaml.

    The list has the name of the file.  `begin` are the comments of a new file; `edit` makes further
    changes to an existing file.  Raises Refused.
    """
    field = file.removesuffix(".yaml")
    if not os.path.lexists(os.path.join(content.folder, file)):
        return FileChange(file, None, add_first_items(begin.encode(), field, entries))
    taken = content.read_content(file)
    if not isinstance(taken, Diagnostic) and has_no_items(taken, field):
        return FileChange(file, taken, add_first_items(taken, field, entries))
    source = Source("", file)
    text = read_text(content, source)
    if not isinstance(text.data.get(field, []), list):
        raise Refused(f"{content.display_path(file)} must contain a list named {field}")
    edit(text)
    text.append(field, entries)
    return FileChange(file, text.raw, changed_bytes(content, source, text))


def check_entry(entry: Mapping[str, str], model: type[Input]) -> None:
    """Check an entry that will be written.  Raises Refused if `registry check` would report it."""
    for fault in read_model(record(entry).encode(), model)[1]:
        if fault.severity == "error":
            raise Refused(
                f"{shorten(fault.message, 400)}" + (f"; {fault.hint}" if fault.hint else "")
            )


def find_source(content: Content, collection: str, slug: str) -> Source:
    """The file of a record.  Raises Refused, with a similar slug, if the record does not exist."""
    sources = {source.slug: source for source in content.sources[collection]}
    if slug not in sources:
        kind = content.kinds[collection].noun
        if owner := owner_of_alias(content, collection, slug):
            raise Refused(f'the {kind} "{slug}" is now called "{owner.slug}"')
        hint = suggest_word(slug, sources)
        other = next(
            (n for n, of in content.sources.items() if any(s.slug == slug for s in of)), ""
        )
        if other:
            hint = f'"{slug}" is {content.kinds[other].with_article}'
        raise Refused(f'there is no {kind} "{slug}"' + (f"; {hint}" if hint else ""))
    return sources[slug]


def owner_of_alias(content: Content, collection: str, alias: str) -> Source | None:
    """The record that has an alias."""
    sources = content.sources[collection]
    return next((s for s in sources if alias in read_list(content, s.path, "aliases", alias)), None)


def removed_slugs(content: Content, collection: str) -> list[Any]:
    """The slugs of a collection in removed.yaml."""
    return [
        entry.get("slug")
        for entry in read_list(content, REMOVED_FILE, "removed")
        if isinstance(entry, dict) and entry.get("kind") == content.kinds[collection].kind
    ]


def read_field(content: Content, path: str, field: str, word: str = "") -> Any:
    """A field in a file that may have errors; None if the file cannot be read, or lacks `word`."""
    taken = content.read_content(path)
    if isinstance(taken, Diagnostic) or word.encode() not in taken:
        return None
    try:
        return parse_or_raise(taken).get(field)
    except Unchangeable:
        return None


def read_list(content: Content, path: str, field: str, word: str = "") -> list[Any]:
    """Like `read_field`, for a list; empty if there is none."""
    items = read_field(content, path, field, word)
    return items if isinstance(items, list) else []
