"""What a build changed in its output, for people: in numbers, or file by file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache

from generator.dialect.folder import scan, slug_of
from generator.grammar.grammar import Grammar
from generator.kinds import Kinds
from generator.problems.diagnostic import printable
from generator.published.report import OutputDifference


def count_difference(difference: OutputDifference, files: int, kinds: Kinds) -> str:
    """The beginning of a sentence, with a line for each collection before it if there are some:

    Projects: 1 added, 14 changed.
    Other files: 3 changed.
    18 files written and 0 removed,
    """
    written, removed = len(difference.added) + len(difference.changed), len(difference.removed)
    if not written and not removed:
        return "Nothing changed,"
    if len(difference.added) == files:
        return "All written,"
    counts: dict[str, Counter[str]] = {}
    for verb, addresses in difference._asdict().items():
        for address in addresses:
            name = _collection(address, kinds) or ""
            counts.setdefault(name, Counter())[verb] += 1
    lines = [
        f"{name or 'other files'}: " + ", ".join(f"{n:,} {verb}" for verb, n in of.items()) + "."
        for name, of in sorted(counts.items(), key=lambda item: (not item[0], item[0]))
    ]
    total = f"{written:,} file{'s' * (written != 1)} written and {removed:,} removed,"
    return "\n".join([*(f"{line[0].upper()}{line[1:]}" for line in lines), total])


def explain_difference(difference: OutputDifference, content: str) -> Iterator[str]:
    """A line for each file that was added, changed or removed, with the record that it belongs to
    if its address says so: the file of the record, or its slug if there is none any more.
    """
    found = scan(content)
    sources = {
        (name, slug_of(source.path)): source.path
        for name, of in found.sources.items()
        for source in of
    }
    for verb, addresses in difference._asdict().items():
        for address in addresses:
            record = record_of(address, found.kinds)
            shown = sources.get(record, f"{record[0]}/{record[1]}") if record else ""
            shown = printable(os.fsencode(shown).decode("utf-8", "backslashreplace"))
            address = printable(os.fsencode(address).decode("utf-8", "backslashreplace"))
            yield f"{verb} {address}" + (f"  ({shown})" if shown else "")


def record_of(address: str, kinds: Kinds) -> tuple[str, str] | None:
    """The collection and the slug of the record that a file belongs to: its own file and pages, and
    the lists of the records that refer to it.
    """
    name, rest = _collection(address, kinds), address.strip("/").split("/")
    targets = kinds.collection_of
    match rest:
        case [*_, "slug", file]:
            return (name, file.removesuffix(".json")) if name else None
        case [*_, "by", kind, slug, _, _] if kind in targets:
            return targets[kind], slug
        case [*_, "context", collection, file] if collection in kinds.contexts:
            return collection, file.partition(".")[0]
        case [_, kind, slug, *_, "index.html"] if kind in targets:
            return targets[kind], slug
        case [folder, slug, "index.html"] if name and folder != "api":
            return name, slug
    return None


def _collection(address: str, kinds: Kinds) -> str | None:
    """The collection that a file belongs to; None if it is none of one collection."""
    return next((name for start, name in _starts(kinds) if address.startswith(start)), None)


@cache
def _starts(kinds: Kinds) -> list[tuple[str, str]]:
    """The start of the addresses of a collection's files, and of its pages, with its name."""
    return [
        (f"{start}/", name)
        for name, collection in Grammar(kinds).collections.items()
        for start in (collection.root, collection.index_folder, collection.pages)
    ]
