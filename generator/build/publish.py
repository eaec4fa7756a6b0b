"""Artifacts -> files, with an account of what each surface came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import generator.emit
import generator.hosts
from generator.artifact import Artifact, Output, modules, output
from generator.build.workers import start
from generator.build.write import PathTaken, Tree
from generator.emit.pages import pages, slices
from generator.emit.records import moved
from generator.query import Slice
from generator.registry import Registry

#: Pages that one worker writes before it says so.
_CHUNK = 64


class Sizes(dict[str, tuple[int, int]]):
    """surface -> (files, bytes).  Documents are surfaces of their own, named by their path."""

    def add(self, surface: str, size: int, files: int = 1) -> None:
        had = self.get(surface, (0, 0))
        self[surface] = had[0] + files, had[1] + size

    @property
    def files(self) -> int:
        return sum(files for files, _ in self.values())

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.values())


def surface(part: Slice) -> str:
    """What the pages of a slice are counted as."""
    if part.filter == "upcoming":
        return f"{part.collection.name}/upcoming"
    if part.filter is not None:
        return f"{part.collection.name}/by"
    return f"{part.collection.name}/sort/{part.sort}" if part.sort else f"{part.collection.name}/list"


def write_pages(registry: Registry, tree: Tree, jobs: int) -> Iterator[list[tuple[str, int, int]]]:
    """Write every page of every slice; yields what was written as (surface, files, bytes)."""
    every = list(slices(registry))
    size, grammar = registry.settings.page_size, registry.frame.grammar

    def work(chunk: list[int]) -> list[tuple[str, int, int]]:
        done = []
        for number in chunk:
            table, part, positions = every[number]
            summaries = table.summaries
            as_of = registry.as_of if table is registry.events else None
            written = [tree.write(page) for page in pages(part, [summaries[i] for i in positions], size, grammar, as_of)]
            done.append((surface(part), len(written), sum(written)))
        return done

    # The longest slices first, so that no worker is left alone with one at the end.
    longest_first = sorted(range(len(every)), key=lambda n: -len(every[n][2]))
    return start(jobs, longest_first, work, _CHUNK)


def write_moved(registry: Registry, tree: Tree, sizes: Sizes) -> None:
    for table in registry.tables:
        for row in table:
            for artifact in moved(table.collection, row.slug, row.aliases, registry.frame.grammar):
                sizes.add(f"{table.collection.name}/moved", tree.write(artifact))


def documents(hosts: Iterable[str]) -> tuple[list[Output], list[Output]]:
    """The outputs that are rendered whole: those that need no sizes, then those that do."""
    every = [output(generator.emit, name) for name in modules(generator.emit) if name not in generator.emit.LARGE]
    every += [output(generator.hosts, name) for name in dict.fromkeys(hosts)]
    return [o for o in every if "sizes" not in o.inputs], [o for o in every if "sizes" in o.inputs]


def write_documents(outputs: Iterable[Output], inputs: Mapping[str, Any], tree: Tree, sizes: Sizes) -> None:
    """Render and write.  Raises PathTaken, naming both, when two outputs have one path."""
    writer: dict[str, str] = {}
    for out in outputs:
        for artifact in out.render(**{name: inputs[name] for name in out.inputs}):
            write_one(artifact, out.name, writer, tree, sizes)


def write_one(artifact: Artifact, name: str, writer: dict[str, str], tree: Tree, sizes: Sizes) -> None:
    try:
        sizes.add(artifact.path, tree.write(artifact))
    except PathTaken:
        other = writer.get(artifact.path, "pages or records")
        raise PathTaken(f"{artifact.path} is written by {other} and by {name}") from None
    writer[artifact.path] = name
