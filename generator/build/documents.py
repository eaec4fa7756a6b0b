"""Writes documents: all published files that are neither records, pages of lists nor index.

A document is rendered again if the digest of one of its inputs changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import generator.hosts
import generator.outputs
import generator.site
from generator.build import lists
from generator.build.cache.store import Cache
from generator.build.output.files import Files
from generator.build.output.write import PathTaken
from generator.build.report import ChangedInputs, FromFile, Sizes
from generator.contract import templates
from generator.contract.artifact import (
    Artifact,
    BuildInfo,
    History,
    Output,
    load_module,
    load_output,
    module_names,
)
from generator.disk.digests import digest, digest_repr
from generator.model.settings.removed import Removed
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts, Registry, Table
from generator.outputs import context

if TYPE_CHECKING:
    from jinja2 import BytecodeCache


class TableInputs:
    """The inputs of documents that follow from the tables."""

    symbols: Symbols
    tables: Mapping[str, Table]

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
    def identified(self) -> list[tuple[str, str, str, str, str]]:
        """(scheme, id, collection, slug, name), sorted, for the schemes with documents."""
        schemes = self.symbols.grammar.by_id
        return sorted(
            (scheme, text, name, slug, table.rows.name(position))
            for name, table in (self.tables if schemes else {}).items()
            if table.identifiers
            for position, slug in enumerate(table.slugs)
            for scheme, _, text in (s.partition(":") for s in table.identifiers.get(slug, ()))
            if scheme in schemes
        )

    @cached_property
    def aliases(self) -> list[tuple[str, str, str]]:
        return sorted(
            (name, alias, slug)
            for name, table in self.tables.items()
            for slug, aliases in table.aliases.items()
            for alias in aliases
        )


class Inputs(TableInputs):
    """The inputs of documents; attributes are named like the parameters of `render` functions (see
    generator.contract.artifact).
    """

    def __init__(
        self,
        registry: Registry,
        info: BuildInfo,
        sizes: Sizes,
        history: History = History("none"),  # noqa: B008
        removed: Removed = MappingProxyType({}),
        functions: bool = False,
        change_pages: int = 0,
    ):
        self.settings, self.symbols = registry.settings, registry.symbols
        self.as_of, self.modified = registry.as_of, registry.modified
        self.info, self.sizes, self.history, self.removed = info, sizes, history, removed
        self.functions, self.change_pages = functions, change_pages
        self.projects, self.programs, self.organizations, self.events = registry.tables
        self.tables = {table.collection.name: table for table in registry.tables}


def _plain(value: object) -> object:
    """A value as data whose `repr` depends only on the data."""
    if isinstance(value, Counts):
        return value.total, _plain(value.values), _plain(value.labels)
    if isinstance(value, Mapping):
        return [(key, _plain(item)) for key, item in sorted(value.items())]
    return value


_PACKAGES = {"outputs": generator.outputs, "hosts": generator.hosts, "site": generator.site}


def documents(hosts: Iterable[str], *, site: bool = False) -> list[Output]:
    """The outputs that write documents, in the order of writing.

    Those that need sizes come last, and the index, which has the sizes of all others, at the end.
    With `site`, the site has the sitemap and the page for missing files instead of `outputs`.
    """
    left_out = {*generator.outputs.LARGE, *(("sitemap", "missing") if site else ())}
    names = [f"outputs.{name}" for name in module_names(generator.outputs) if name not in left_out]
    names += [f"hosts.{name}" for name in dict.fromkeys(hosts)]
    names += ["site.sitemap"] if site else []
    outputs = map(document, names)
    return sorted(outputs, key=lambda out: ("sizes" in out.inputs, out.name == "outputs.index"))


def document(name: str) -> Output:
    """The output with a name such as `outputs.sitemap`: a package and a module."""
    package, _, module = name.partition(".")
    return load_output(_PACKAGES[package], module)._replace(name=name)


def render_output(out: Output, inputs: Any) -> Iterator[Artifact]:
    """The artifacts of an output; `inputs` has attributes with the names of its inputs."""
    return out.render(**{name: getattr(inputs, name) for name in out.inputs})


def any_has_functions(hosts: Iterable[str]) -> bool:
    """Whether one of these hosts runs functions, and so the MCP server."""
    return any(getattr(load_module(generator.hosts, name), "FUNCTIONS", False) for name in hosts)


def all_hosts_redirect(hosts: Iterable[str]) -> bool:
    """Whether all of these hosts redirect the former paths of lists."""
    return all(getattr(load_module(generator.hosts, name), "REDIRECTS", False) for name in hosts)


def _compiled(key: str) -> BytecodeCache:
    from generator.build.cache.compiled_templates import Compiled

    return Compiled("texts", key)


templates.make_bytecode_cache = _compiled


def write_contexts(
    files: Files, records: Mapping[str, Sequence[Artifact]], registry: Registry
) -> None:
    """Write the agent contexts of programs and organizations; `records` has their record files."""
    settings, symbols = registry.settings, registry.symbols
    for name in symbols.grammar.contexts:
        for record in records[name]:
            made = context.record_context(record, name, settings, symbols, registry.events)
            files.put(f"{name}/context", made, FromFile(record.path))


class Documents:
    """The documents of a build, written in three steps: those that need no sizes, those that have
    sizes of other files, and the index, which has the sizes of all others.
    """

    def __init__(
        self, files: Files, hosts: Sequence[str], site: bool, registry: Registry, inputs: Inputs,
        digests: Mapping[str, bytes], cache: Cache,
    ):  # fmt: skip
        self._files, self._hosts, self._registry = files, hosts, registry
        self._inputs, self._digests, self._cache = inputs, dict(digests), cache
        outputs = documents(hosts, site=site)
        self._early = [out for out in outputs if "sizes" not in out.inputs]
        self._late = [out for out in outputs if "sizes" in out.inputs]

    def write_early(self) -> None:
        if not all_hosts_redirect(self._hosts):
            lists.write_moved_pages(self._files, self._registry, self._inputs.aliases)
        self._write(self._early)

    def write_late(self) -> None:
        self._write(self._late[:-1])

    def write_index(self) -> None:
        self._write(self._late[-1:])

    def _write(self, outputs: Iterable[Output]) -> None:
        """Write the outputs with changed inputs.  Raises PathTaken if two write the same path."""
        files, owners = self._files, dict[str, str]()
        for out in outputs:
            current = {name: self._digest(name, out) for name in out.inputs}
            last: dict[str, bytes] | None
            last, paths = self._cache.get(f"document/{out.name}") or (None, list[str]())
            if last == current and files.has(paths):
                for path in paths:
                    files.keep(out.surface or path, [path])
            else:
                names = tuple(name for name in current if last and last.get(name) != current[name])
                cause = ChangedInputs(names) if names else files.other
                for path in paths:
                    files.note_removal(path, cause)
                paths = []
                for artifact in render_output(out, self._inputs):
                    paths.append(artifact.path)
                    try:
                        files.put(out.surface or artifact.path, artifact, cause)
                    except PathTaken:
                        owner = owners.get(artifact.path, "pages or records")
                        message = f"{artifact.path} is written by {owner} and by {out.name}"
                        raise PathTaken(message) from None
            owners |= dict.fromkeys(paths, out.name)
            self._cache.put(f"document/{out.name}", (current, paths))

    def _digest(self, name: str, out: Output) -> bytes:
        """The digest of an input of an output."""
        if name == "sizes":
            sizes = self._inputs.sizes
            return digest_repr(out.told(sizes) if out.told is not None else sorted(sizes.items()))
        if name not in self._digests:
            value = getattr(self._inputs, name)
            is_table = isinstance(value, Table)
            self._digests[name] = digest(*value.digests) if is_table else digest_repr(_plain(value))
        return self._digests[name]
