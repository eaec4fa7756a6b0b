"""Documents: what is published and is no page and no record, rendered from the registry; each again
where one of its inputs differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import generator.hosts
import generator.outputs
import generator.site
from generator.build import lists
from generator.build.cache.store import Cache
from generator.build.output.files import Files
from generator.build.output.write import PathTaken
from generator.build.report import Follows, Sizes, Values
from generator.contract import templates
from generator.contract.artifact import (
    Artifact,
    BuildInfo,
    History,
    Output,
    module,
    modules,
    output,
)
from generator.disk.digests import digest, digest_repr
from generator.grammar.names import KIND_OF
from generator.grammar.paths import agent_context
from generator.model.settings.removed import Removed
from generator.model.tables.table import Counts, Registry, Table
from generator.outputs import context

if TYPE_CHECKING:
    from jinja2 import BytecodeCache


class Inputs:
    """What documents are rendered from, by the name that a `render` calls it (see
    generator.contract.artifact).

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
        return {name: sorted(table.slugs) for name, table in self.tables.items()}

    @cached_property
    def aliases(self) -> list[tuple[str, str, str]]:
        return sorted(
            (name, alias, slug)
            for name, table in self.tables.items()
            for slug, aliases in table.aliases.items()
            for alias in aliases
        )


class Digests:
    """Digests of what documents are rendered from, by the names of `Inputs`."""

    def __init__(self, inputs: Inputs, settings: bytes, targets: bytes, removed: bytes):
        self._inputs = inputs
        self._known = {
            "settings": settings,
            "symbols": digest(settings, targets),
            "removed": removed,
        }

    def of(self, out: Output) -> dict[str, bytes]:
        """A digest of each input of an output."""
        return {name: self._of(name, out) for name in out.inputs}

    def _of(self, name: str, out: Output) -> bytes:
        if name == "sizes" and out.told is not None:
            return digest_repr(out.told(self._inputs.sizes))
        if name == "sizes":
            return digest_repr(sorted(self._inputs.sizes.items()))
        if name not in self._known:
            value = getattr(self._inputs, name)
            self._known[name] = (
                _of_table(value) if isinstance(value, Table) else digest_repr(_plain(value))
            )
        return self._known[name]


def _plain(value: object) -> object:
    """A value without objects that are shown by their place in memory."""
    if isinstance(value, Counts):
        return value.total, _plain(value.values), _plain(value.labels)
    if isinstance(value, Mapping):
        return [(key, _plain(some)) for key, some in sorted(value.items())]
    return value


def _of_table(table: Table) -> bytes:
    return digest(*table.digests)


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
    from generator.build.cache.compiled_templates import Compiled

    return Compiled("texts", key)


templates.caching = _compiled


def write_contexts(
    files: Files, records: Mapping[str, Sequence[Artifact]], registry: Registry, settings: bytes,
    cache: Cache,
) -> None:  # fmt: skip
    """Write the contexts of programs and organizations, of which `records` has the files."""
    known: dict[str, bytes] = cache.get("contexts") or {}
    noted: dict[str, bytes] = {}
    events = registry.events
    for name in registry.symbols.grammar.contexts:
        for record in records[name]:
            slug = record.path.rpartition("/")[2].removesuffix(".json")
            path, latest = agent_context(name, slug), context.latest(events, KIND_OF[name], slug)
            shown = [events.summaries[number] for number in latest]
            key = noted[path] = digest(settings, record.data, *shown)
            if known.get(path) == key and files.has([path]):
                files.keep(f"{name}/context", [path])
            else:
                made = context.of_record(record, name, registry.settings, registry.symbols, events)
                files.put(f"{name}/context", made, Follows(record.path))
    cache.put("contexts", noted)


def write_documents(
    files: Files, outputs: Iterable[Output], inputs: Inputs, digests: Digests, cache: Cache
) -> None:
    """Write the outputs of which an input differs from that of the last build.  Raises PathTaken,
    naming both, if two outputs have one path.
    """
    owners: dict[str, str] = {}
    for out in outputs:
        made_of = digests.of(out)
        was: dict[str, bytes] | None
        was, paths = cache.get(f"document/{out.name}") or (None, list[str]())
        if was == made_of and files.has(paths):
            for path in paths:
                files.keep(path, [path])
        else:
            names = tuple(name for name in made_of if was and was.get(name) != made_of[name])
            cause = Values(names) if names else files.other
            for path in paths:
                files.goes(path, cause)
            paths = []
            for artifact in rendered(out, inputs):
                paths.append(artifact.path)
                try:
                    files.put(artifact.path, artifact, cause)
                except PathTaken:
                    owner = owners.get(artifact.path, "pages or records")
                    what = f"{artifact.path} is written by {owner} and by {out.name}"
                    raise PathTaken(what) from None
        owners |= dict.fromkeys(paths, out.name)
        cache.put(f"document/{out.name}", (made_of, paths))


class Documents:
    """The documents of a build, in three steps: those that say nothing of the sizes of others,
    those that do, and the index, which says how large all others are.
    """

    def __init__(
        self, files: Files, hosts: Sequence[str], site: bool, registry: Registry, inputs: Inputs,
        digests: Digests, cache: Cache,
    ):  # fmt: skip
        self._files, self._hosts, self._registry = files, hosts, registry
        self._inputs, self._digests, self._cache = inputs, digests, cache
        every = documents(hosts, site=site)
        self._early = [out for out in every if "sizes" not in out.inputs]
        self._late = [out for out in every if "sizes" in out.inputs]

    def _write(self, outputs: Iterable[Output]) -> None:
        write_documents(self._files, outputs, self._inputs, self._digests, self._cache)

    def write_early(self) -> None:
        if not redirect(self._hosts):
            lists.write_moved_pages(self._files, self._registry, self._inputs.aliases)
        self._write(self._early)

    def write_late(self) -> None:
        self._write(self._late[:-1])

    def write_index(self) -> None:
        self._write(self._late[-1:])
