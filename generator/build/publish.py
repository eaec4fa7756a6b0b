"""Documents: what is published and is no page and no record, rendered from the registry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import generator.hosts
import generator.outputs
import generator.site
from generator.api import templates
from generator.api.artifact import Artifact, BuildInfo, History, Output, module, modules, output
from generator.build.files import Files
from generator.build.report import Cause, Sizes, Values
from generator.build.scope import Aliases, Last, Scope
from generator.build.write import PathTaken
from generator.outputs import context
from generator.records.removed import Removed
from generator.records.settings import Settings
from generator.records.symbols import Symbols
from generator.tables.patch import BY_SLUG, Patch
from generator.tables.table import Counts, Registry, Table, texts_of

if TYPE_CHECKING:
    from jinja2 import BytecodeCache

#: What a context is made of (see generator.outputs.context.of_record), and why it is.
Context = tuple[tuple[Artifact, str, Settings, Symbols, Table], Cause]


class Inputs:
    """What documents are rendered from, by the name that a `render` calls it (see
    generator.api.artifact).

    Each is worked out when it is first asked for.
    """

    def __init__(
        self,
        registry: Registry,
        info: BuildInfo,
        sizes: Sizes,
        history: History = History("none"),  # noqa: B008
        removed: Removed = MappingProxyType({}),
    ):
        self.settings, self.symbols, self.as_of = (
            registry.settings,
            registry.symbols,
            registry.as_of,
        )
        self.info, self.sizes, self.history, self.removed = info, sizes, history, removed
        self.projects, self.programs, self.organizations, self.events = registry.tables
        self.tables = {table.collection.name: table for table in registry.tables}

    @cached_property
    def counts(self) -> dict[str, Counts]:
        return {name: table.counts() for name, table in self.tables.items()}

    @property
    def coverage(self) -> dict[str, Mapping[int, int]]:
        return {name: table.coverage for name, table in self.tables.items()}

    @cached_property
    def slugs(self) -> dict[str, Sequence[str]]:
        return {name: _slugs(table) for name, table in self.tables.items()}

    @cached_property
    def aliases(self) -> list[tuple[str, str, str]]:
        return sorted(
            (name, alias, slug)
            for name, table in self.tables.items()
            for slug, aliases in table.aliases.items()
            for alias in aliases
        )


def _slugs(table: Table) -> Sequence[str]:
    """The slugs of a table in order, of one that the log has read as they are asked for."""
    order = table.orders.get(BY_SLUG)
    if order is not None:
        return _Ordered(table.slugs, order)
    return sorted(map(table.slugs.__getitem__, table.orders[table.collection.sorts[0]]))


#: Slugs that are read at once.
_CHUNK = 1000


class _Ordered(Sequence[str]):
    def __init__(self, slugs: Sequence[str], order: Sequence[int]):
        self.slugs, self.order = slugs, order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, index: Any) -> Any:
        return self.slugs[self.order[index]]

    def __iter__(self) -> Iterator[str]:
        some = range(0, len(self.order), _CHUNK)
        return chain.from_iterable(texts_of(self.slugs, self.order[n : n + _CHUNK]) for n in some)


_PACKAGES = {"outputs": generator.outputs, "hosts": generator.hosts, "site": generator.site}


def documents(hosts: Iterable[str], *, site: bool = False) -> list[Output]:
    """The outputs that are rendered whole, those that need sizes last, and of these the index,
    which tells the sizes of all others.  With `site`, pages for people are what the sitemap has,
    and one of them is the page for what is not there.
    """
    left = {*generator.outputs.LARGE, *(("sitemap", "missing") if site else ())}
    names = [f"outputs.{name}" for name in modules(generator.outputs) if name not in left]
    names += [f"hosts.{name}" for name in dict.fromkeys(hosts)]
    every = [document(name) for name in (*names, *(["site.sitemap"] if site else []))]
    return sorted(every, key=lambda out: ("sizes" in out.inputs, out.name == "outputs.index"))


def document(name: str) -> Output:
    """The output of that name: `outputs.`, `hosts.` or `site.` and its module."""
    package, _, module = name.partition(".")
    return output(_PACKAGES[package], module)._replace(name=name)


def rendered(out: Output, inputs: Inputs) -> Iterator[Artifact]:
    """The artifacts of an output, from just what it names."""
    return out.render(**{name: getattr(inputs, name) for name in out.inputs})


def redirect(hosts: Iterable[str]) -> bool:
    """Whether all of these hosts lead from the lists of former slugs to those of present ones."""
    return all(getattr(module(generator.hosts, name), "REDIRECTS", False) for name in hosts)


def _compiled(key: str) -> BytecodeCache:
    from generator.build.compiled import Compiled

    return Compiled(key)


templates.caching = _compiled


def write_contexts(files: Files, contexts: Iterable[Context]) -> None:
    for made_of, cause in contexts:
        files.put(f"{made_of[1]}/context", context.of_record(*made_of), cause)


def write_documents(
    files: Files, outputs: Iterable[Output], inputs: Inputs, stale: Set[str], before: Last
) -> dict[str, list[str]]:
    """Write the outputs that were not there, or that have a stale input; the paths of all of these
    outputs.  Raises PathTaken, naming both, when two of them have one path.
    """
    paths: dict[str, list[str]] = {}
    last, sizes = before.documents, before.head.sizes if before.head is not None else {}
    for out in outputs:
        names = {*stale}.intersection(out.inputs)
        if "sizes" in names and out.told is not None and out.told(sizes) == out.told(inputs.sizes):
            names.remove("sizes")
        cause = Values(tuple(sorted(names)))
        if out.name in last and not cause.names:
            paths[out.name] = last[out.name]
            continue
        written = paths[out.name] = []
        for artifact in rendered(out, inputs):
            try:
                files.put(artifact.path, artifact, cause)
            except PathTaken:
                others = (other for other, its in paths.items() if artifact.path in its)
                other = next(others, "pages or records")
                raise PathTaken(
                    f"{artifact.path} is written by {other} and by {out.name}"
                ) from None
            written.append(artifact.path)
        for path in set(last.get(out.name, ())).difference(written):
            files.drop(path, path, cause)
    return paths


def stale(
    scope: Scope, patches: Mapping[str, Patch], aliases: Aliases, info: BuildInfo, history: History
) -> set[str]:
    """The inputs of documents (see generator.api.artifact) that are not what they were; sizes are
    known later.
    """
    last, symbols = scope.last, scope.linked.symbols
    if last.head is None or last.symbols is None:
        return set()
    at, as_of, revision = last.head.moment
    tables = [(last.tables[name], patch) for name, patch in patches.items()]
    others = {
        "counts": any(
            None in patch.touched.values() or patch.table.labels != before.labels
            for before, patch in tables
        ),
        "slugs": any(patch.slugs_changed for patch in patches.values()),
        "aliases": aliases != last.head.aliases,
        "coverage": any(patch.table.coverage != before.coverage for before, patch in tables),
        "removed": scope.removed_changed,
        "history": history != last.head.history,
        "symbols": (symbols.programs, symbols.organizations)
        != (last.symbols.programs, last.symbols.organizations),
        "as_of": as_of != info.as_of.isoformat(),
        "info": (at, as_of, revision, last.head.digest)
        != (info.generated_at, info.as_of.isoformat(), info.revision, info.content_digest),
    }
    touched = {name for name, patch in patches.items() if patch.touched}
    return touched | {name for name, other in others.items() if other}
