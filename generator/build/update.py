"""The files of an output that a change touches: written where their bytes are other, removed where
they have no place.

Against a whole build's pages and documents, which are written anew, these are compared with what
lies there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.api.artifact import Artifact
from generator.api.grammar import Slice
from generator.api.listing import total_pages
from generator.build import inventory, publish
from generator.build.head import Head
from generator.build.plain import LogDamaged, is_below
from generator.build.report import Sizes
from generator.build.write import Tree
from generator.hosts._patterns import former
from generator.outputs.pages import length, page, slices
from generator.outputs.records import moved, moved_page
from generator.records.symbols import Symbols
from generator.tables.facets import declared
from generator.tables.patch import Patch
from generator.tables.table import Registry, upcoming

#: output -> the paths it wrote
Documents = dict[str, list[str]]
#: collection -> slug -> its aliases
Aliases = Mapping[str, Mapping[str, tuple[str, ...]]]
#: collection, alias, slug
Alias = tuple[str, str, str]


@dataclass(slots=True)
class Output:
    """The files to write and to remove, against what lies in the output."""

    out: Path
    tree: Tree
    had: inventory.Inventory
    sizes: Sizes
    written: dict[str, tuple[int, int]] = field(default_factory=dict)  # path -> mtime, size
    removed: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def put(self, surface: str, artifact: Artifact, why: str) -> None:
        """Write a file unless it is there with these bytes."""
        path, data = artifact
        _check_path(path)
        was = inventory.lookup(self.had, path[1:], inventory.OUTPUT)
        if was is not None and self.removed.pop(path, None) is None:
            if was[1] == len(data) and self._read(path) == data:
                return
            self.sizes.add(surface, -was[1], -1)
        _, mtime, size = self.tree.write(artifact)
        self.sizes.add(surface, size)
        self.written[path], self.why[path] = (mtime, size), why

    def _read(self, path: str) -> bytes:
        try:
            return (self.out / path[1:]).read_bytes()
        except OSError:
            raise LogDamaged from None

    def drop(self, surface: str, path: str, why: str) -> None:
        """Remove a file, unless it is written again."""
        _check_path(path)
        was = inventory.lookup(self.had, path[1:], inventory.OUTPUT)
        if was is not None and path not in self.written and path not in self.removed:
            self.sizes.add(surface, -was[1], -1)
            self.removed[path] = why

    def inventory(self) -> dict[str, inventory.Folder]:
        """The output as it is when all this is done."""
        changes: dict[str, tuple[inventory.Stat, bytes] | None] = {
            path[1:]: (stat, b"") for path, stat in self.written.items()
        }
        return inventory.patched(
            self.had, changes | {path[1:]: None for path in self.removed}, inventory.OUTPUT
        )


def _check_path(path: str) -> None:
    """What the build log says may make part of a path, and must not make one that leads elsewhere."""
    if path[0] != "/" or not is_below(path[1:]):
        raise LogDamaged


def moves(
    output: Output, symbols: Symbols, was: Aliases, now: Aliases
) -> list[tuple[str, Artifact]]:
    """Remove the files of aliases that are none any more; those to write, with their collection."""
    found = []
    for name, records in now.items():
        collection = symbols.grammar.collections[name]
        before = {alias: slug for slug, aliases in was[name].items() for alias in aliases}
        after = {alias: slug for slug, aliases in records.items() for alias in aliases}
        for alias in sorted(before.keys() - after.keys()):
            output.drop(f"{name}/moved", collection.record_path(alias), "the alias is gone")
            for part in symbols.grammar.lists_of(collection, alias):
                for number in _held(output, part):
                    output.drop(
                        f"{part.collection.name}/moved", part.path(number), "the alias is gone"
                    )
        for alias, slug in sorted(after.items()):
            if before.get(alias) != slug:
                found += [
                    (name, artifact)
                    for artifact in moved(collection, slug, [alias], symbols.grammar)
                ]
    return found


def write_moved_pages(
    output: Output, registry: Registry, was: Aliases, now: Sequence[Alias]
) -> None:
    """Write what stands at the lists of former slugs: as many pages as the present slug's list has."""
    grammar = registry.symbols.grammar
    records = (
        (grammar.collections[name], slug, had)
        for name, every in was.items()
        for slug, had in every.items()
    )
    known = {
        collection.record_path(alias): slug for collection, slug, had in records for alias in had
    }
    for record, before, after in former(grammar, now):
        surface, last, held = (
            f"{before.collection.name}/moved",
            length(registry, after),
            _held(output, before),
        )
        if known.get(record) == after.value and len(held) == last:
            continue
        for number in range(1, last + 1):
            output.put(
                surface,
                moved_page(before, after, number, grammar),
                "an alias, or the length of its list, changed",
            )
        for number in held:
            if number > last:
                output.drop(surface, before.path(number), "the list has fewer pages")


def _held(output: Output, part: Slice) -> list[int]:
    """The numbers of the pages of a list that are there."""
    held = output.had.get(f"{part.folder[1:]}/page")
    names = held.names.decode().split("\0") if held is not None else []
    return sorted({int(name.partition(".")[0]) for name in names})


def write_pages(
    output: Output, registry: Registry, result: Patch, old_symbols: Symbols, *, new_day: bool
) -> None:
    """Write the pages that a patch touches, and remove those of slices that are shorter or gone."""
    table, symbols = result.table, registry.symbols
    collection, grammar, size = table.collection, symbols.grammar, registry.settings.page_size
    parts: dict[Slice, set[int] | None] = {}
    for order, positions in result.touched.items():
        name, _, value = order.partition("/")
        sort = "" if name == collection.sorts[0] else name
        parts[Slice(collection, name, value) if value else Slice(collection, sort=sort)] = positions
    for f in collection.filters.values():
        if f.refers:
            for slug in old_symbols.targets(f.refers).keys() ^ symbols.targets(f.refers).keys():
                parts[Slice(collection, f.name, slug)] = None
    if new_day:
        # Besides those that the patch touches: one of them may be gone, and have files all the
        # same.
        parts |= {part: None for part, _ in slices(table, symbols, registry.as_of)}
    if collection is grammar.events and parts:
        parts[Slice(collection, "upcoming", "true")] = None
    known = declared(collection, symbols)
    as_of = registry.as_of if collection is grammar.events else None
    for part, positions in parts.items():
        rows = (
            upcoming(table, registry.as_of) if part.filter == "upcoming" else table.positions(part)
        )
        there = (
            part.filter in (None, "upcoming") or len(rows) or part.value in known[part.filter or ""]
        )
        last = total_pages(len(rows), size) if there else 0
        surface = publish.surface(part)
        numbers = (
            range(1, last + 1) if positions is None else sorted({p // size + 1 for p in positions})
        )
        for number in numbers:
            summaries = [table.summaries[i] for i in rows[(number - 1) * size : number * size]]
            artifact = page(part, number, summaries, len(rows), size, grammar, as_of)
            output.put(
                surface,
                artifact,
                "the list is another length"
                if positions is None
                else "a record on this page changed",
            )
        if positions is None:
            for number in _held(output, part):
                if number > last:
                    output.drop(surface, part.path(number), "the list has fewer pages")


def write_documents(
    output: Output, given: publish.Inputs, stale: set[str], head: Head
) -> Documents:
    """Render again what has a stale input; the paths of every output."""
    had: Documents = head.documents
    outputs = publish.documents(head.hosts)
    if sorted(had) != sorted(out.name for out in outputs):
        raise LogDamaged
    documents: Documents = {}
    for out in outputs:
        paths = documents[out.name] = had[out.name]
        if "sizes" in out.inputs and output.sizes != head.sizes:
            stale.add("sizes")
        why = ", ".join(sorted(stale.intersection(out.inputs))) + " changed"
        if not stale.intersection(out.inputs):
            continue
        artifacts = list(publish.rendered(out, given))
        for artifact in artifacts:
            output.put(artifact.path, artifact, why)
        documents[out.name] = [artifact.path for artifact in artifacts]
        for path in set(paths) - set(documents[out.name]):
            output.drop(path, path, why)
    return documents
