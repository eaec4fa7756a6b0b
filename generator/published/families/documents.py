"""Documents: all published files that are neither records, pages of lists, index nor site."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from types import ModuleType
from typing import TYPE_CHECKING, Any

import generator.hosts
import generator.outputs
import generator.site
from generator.contract.addresses import added
from generator.contract.artifact import (
    Alias,
    Artifact,
    BuildInfo,
    History,
    Output,
    beginnings,
    load_module,
    module_names,
    outputs_of,
)
from generator.feature import parts
from generator.grammar import paths
from generator.model.settings.list_files import Removed
from generator.model.tables.table import Counts, Table
from generator.published.families import Family, KnownFiles
from generator.published.made_once import made_once, made_once_each
from generator.published.report import SurfaceSizes

if TYPE_CHECKING:
    from generator.published.published import Published
    from generator.site.page_context import Site


#: The name of the index.
INDEX = "outputs.index"


def documents(
    hosts: Iterable[str], without: Container[str] = (), *, site: bool = False
) -> list[Output]:
    """The outputs that write documents, the index last, because it lists the others.

    `without` are features that the registry leaves out.  With `site`, the site has the sitemap and
    the page for missing files instead of `outputs`.
    """
    modules = (name.replace("-", "_") for name in module_names(generator.outputs))
    core = _in_package(generator.outputs, modules)
    if site:
        core = [out for out in core if out.name not in ("outputs.sitemap", "outputs.missing")]
    found = sorted(core, key=lambda out: (out.name == INDEX, out.name))
    index = found.pop()
    for feature, module in parts("outputs", without):
        found += outputs_of(f"features.{feature.name}", module)
    found += _in_package(generator.hosts, dict.fromkeys(hosts))
    found += _in_package(generator.site, ["links"] if site else ())
    return [*found, index]


def _in_package(package: ModuleType, names: Iterable[str]) -> list[Output]:
    of = package.__name__.rpartition(".")[2]
    return [out for n in names for out in outputs_of(f"{of}.{n}", load_module(package, n))]


def render_output(out: Output, inputs: Any) -> Iterator[Artifact]:
    """The artifacts of an output; `inputs` has attributes with the names of its inputs, apart from
    those that are the tables of collections.
    """
    kinds = inputs.symbols.grammar.kinds
    given = {n: inputs.tables[n] if n in kinds else getattr(inputs, n) for n in out.inputs}
    return out.render(**given)


class Documents(Family):
    """An item is the name of an output, such as `outputs.dashboard`."""

    def __init__(self, published: Published):
        outputs = documents(published.hosts, published.grammar.left_out, site=published.has_site)
        self._published = published
        self._outputs = {
            output.name: output._replace(addresses=beginnings(output.addresses, published.grammar))
            for output in outputs
            if output.name != INDEX
        }
        self._files = made_once_each(self._render)

    def items(self) -> Iterator[str]:
        yield from self._outputs

    def find(self, address: str) -> str | None:
        return next((n for n in self._likely(address) if address in self._files(n)), None)

    def _likely(self, address: str) -> Iterator[str]:
        """The outputs that may have an address: those that say so, else those that say nothing."""
        outputs = self._outputs.values()
        yield from (out.name for out in outputs if address.startswith(out.addresses))
        yield from (out.name for out in outputs if not out.addresses)

    def _render(self, name: str) -> Mapping[str, bytes]:
        return dict(render_output(self._outputs[name], self._published.inputs))

    def make(self, item: str) -> Iterator[Artifact]:
        yield from map(Artifact._make, self._files(item).items())

    def surface(self, address: str) -> str:
        name = self.find(address)
        return (self._outputs[name].surface if name is not None else "") or address

    def owners(self, address: str) -> list[str]:
        """The names of the outputs that have an address: several are a mistake."""
        return [name for name in self._outputs if address in self._files(name)]


def index_document(published: Published) -> KnownFiles:
    """The index, which tells how many bytes all other files have."""
    address, index = paths.INDEX, documents(())[-1]
    return KnownFiles(address, address, lambda: dict(render_output(index, published.inputs)))


class Inputs:
    """The inputs of documents, made at their first use; attributes are named like the inputs of
    outputs (see generator.contract.artifact).
    """

    def __init__(self, published: Published):
        self._published = published
        self.settings, self.symbols = published.settings, published.symbols
        self.as_of, self.functions = published.records.moment.as_of, published.functions
        self.removed: Removed = published.records.linked.removed

    @property
    def tables(self) -> Mapping[str, Table]:
        return self._published.tables

    @property
    def modified(self) -> Mapping[str, str]:
        return self._published.registry.modified

    @made_once
    def info(self) -> BuildInfo:
        return self._published.records.info()

    @property
    def history(self) -> History:
        return self._published.history[0]

    @property
    def sizes(self) -> SurfaceSizes:
        """Those of all files but the index and the manifest."""
        return self._published.listing.sizes

    def size_of(self, address: str) -> int | None:
        data = self._published.get(address)
        return len(data) if data is not None else None

    @property
    def site(self) -> Site:
        return self._published.site[0].site

    @made_once
    def last_changes(self) -> str | None:
        """The address of the last page of all changes, which a feature may publish."""
        find, api = self._published.find, self._published.api
        listed = added(self._published.grammar)
        page = next((each.address.template for each in listed if each.name == "change_pages"), "")
        addresses = (page.replace("{page}", str(n)) for n in (count(1) if page else ()))
        found = [*takewhile(lambda address: find(address, api) is not None, addresses)]
        return found[-1] if found else None

    # --- what follows from the tables ---

    @made_once
    def counts(self) -> dict[str, Counts]:
        return {name: table.counts() for name, table in self.tables.items()}

    @property
    def coverage(self) -> dict[str, Mapping[int, int]]:
        return {name: table.coverage for name, table in self.tables.items()}

    @made_once
    def slugs(self) -> dict[str, Sequence[str]]:
        return {name: sorted(table.slugs) for name, table in self.tables.items()}

    @made_once
    def aliases(self) -> list[Alias]:
        return sorted(
            Alias(name, alias, slug)
            for name, table in self.tables.items()
            for slug, aliases in table.aliases.items()
            for alias in aliases
        )
