"""Artifacts -> files, with an account of what each surface came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import generator.hosts
import generator.outputs
from generator.api.artifact import Artifact, BuildInfo, Output, module, modules, output
from generator.api.grammar import Slice
from generator.build.executors import Executor
from generator.build.report import Sizes
from generator.build.write import Tree, Written
from generator.outputs.pages import pages, slices
from generator.search.index import Index, Part, Seal
from generator.tables.table import Counts, Registry, Table

#: Pages that one worker writes before it says so.
_CHUNK = 64


def surface(part: Slice) -> str:
    """What the pages of a slice are counted as."""
    if part.filter in part.collection.virtual:
        return f"{part.collection.name}/{part.filter}"
    if part.filter is not None:
        return f"{part.collection.name}/by"
    return (
        f"{part.collection.name}/sort/{part.sort}" if part.sort else f"{part.collection.name}/list"
    )


class Lists(NamedTuple):
    """Some of the lists and of the indexes: what was written, by surface; the seal of each part, by
    collection.
    """

    written: list[tuple[str, list[Written]]]
    seals: list[tuple[str, Part, Seal]]


class _Parts(NamedTuple):
    """What lists and indexes consist of: slices with the positions of their rows, and parts of
    indexes.
    """

    registry: Registry
    slices: list[tuple[Table, Slice, Sequence[int]]]
    indexed: list[tuple[Index, Part]]
    tree: Tree


def write_lists(
    registry: Registry, indexes: Mapping[str, Index], tree: Tree, executor: Executor
) -> Iterator[Lists]:
    """Write every page of every slice, and every part of every index; yields what was done."""
    every = [
        (table, *part)
        for table in registry.tables
        for part in slices(table, registry.symbols, registry.as_of)
    ]
    # The longest slices first, so that no worker is left alone with one at the end.
    every.sort(key=lambda one: -len(one[2]))
    parts = [(index, part) for index in indexes.values() for part in index.parts()]
    numbers = range(len(every) + len(parts))
    return (
        Lists(*done)
        for done in executor.run(
            _write_parts, numbers, _Parts(registry, every, parts, tree), _CHUNK
        )
    )


def _write_parts(numbers: list[int], parts: _Parts) -> tuple[Any, ...]:
    """Write the parts of these numbers, those of the slices first; the fields of `Lists`."""
    registry, tree, done = parts.registry, parts.tree, Lists([], [])
    for number in numbers:
        if number < len(parts.slices):
            table, part, positions = parts.slices[number]
            as_of = registry.as_of if table is registry.events else None
            cut = pages(
                part,
                positions,
                table.summaries,
                registry.settings.page_size,
                registry.symbols.grammar,
                as_of,
            )
            done.written.append((surface(part), [tree.write(page) for page in cut]))
        else:
            index, which = parts.indexed[number - len(parts.slices)]
            artifact, seal = index.render(which)
            done.seals.append((index.collection.name, which, seal))
            if artifact is not None:
                done.written.append(("index", [tree.write(artifact)]))
    return tuple(done)


class Inputs:
    """What documents are rendered from, by the name that a `render` calls it (see
    generator.api.artifact).

    Each is worked out when it is first asked for.
    """

    def __init__(self, registry: Registry, info: BuildInfo, sizes: Sizes):
        self.settings, self.symbols, self.as_of, self.info, self.sizes = (
            registry.settings,
            registry.symbols,
            registry.as_of,
            info,
            sizes,
        )
        self.projects, self.programs, self.organizations, self.events = registry.tables
        self.tables = {table.collection.name: table for table in registry.tables}

    @cached_property
    def counts(self) -> dict[str, Counts]:
        return {name: table.counts() for name, table in self.tables.items()}

    @cached_property
    def slugs(self) -> dict[str, list[str]]:
        return {
            name: sorted(map(table.slugs.__getitem__, table.orders[table.collection.sorts[0]]))
            for name, table in self.tables.items()
        }

    @cached_property
    def aliases(self) -> list[tuple[str, str, str]]:
        return sorted(
            (name, alias, slug)
            for name, table in self.tables.items()
            for slug, had in table.aliases.items()
            for alias in had
        )


def documents(hosts: Iterable[str]) -> list[Output]:
    """The outputs that are rendered whole, those that need sizes last."""
    names = [
        f"outputs.{name}"
        for name in modules(generator.outputs)
        if name not in generator.outputs.LARGE
    ]
    every = [
        document(name) for name in (*names, *(f"hosts.{name}" for name in dict.fromkeys(hosts)))
    ]
    return sorted(every, key=lambda out: "sizes" in out.inputs)


def document(name: str) -> Output:
    """The output of that name: `outputs.` or `hosts.` and its module."""
    package, _, module = name.partition(".")
    return output(generator.outputs if package == "outputs" else generator.hosts, module)._replace(
        name=name
    )


def rendered(out: Output, given: Inputs) -> Iterator[Artifact]:
    """The artifacts of an output, from just what it names."""
    return out.render(**{name: getattr(given, name) for name in out.inputs})


def redirect(hosts: Iterable[str]) -> bool:
    """Whether all of these hosts lead from the lists of a former slug to those of the present one."""
    return all(getattr(module(generator.hosts, name), "REDIRECTS", False) for name in hosts)


def rules(*trees: Path) -> bytes:
    """The `_redirects` of the first of some trees that has one; nothing where none has."""
    return next(
        (path.read_bytes() for tree in trees if (path := tree / "_redirects").is_file()), b""
    )
