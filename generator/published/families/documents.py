"""Documents: all published files that are neither records, pages of lists, index nor site."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count, takewhile
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
    OutputModule,
    load_module,
    module_names,
    output_of,
)
from generator.feature import features, parts
from generator.grammar import paths
from generator.model.settings.removed import Removed
from generator.model.tables.table import Counts, Table
from generator.published.families import Family
from generator.published.listing import SurfaceSizes
from generator.published.made_once import made_once, made_once_each

if TYPE_CHECKING:
    from generator.published.published import Published
    from generator.site.page_context import Site


#: The name of the index.
INDEX = "outputs.index"
_PACKAGES = {"outputs": generator.outputs, "hosts": generator.hosts, "site": generator.site}


def documents(
    hosts: Iterable[str], without: Container[str] = (), *, site: bool = False
) -> list[OutputModule]:
    """The outputs that write documents, the index last, because it lists the others.

    `without` are features that the registry leaves out.  With `site`, the site has the sitemap and
    the page for missing files instead of `outputs`.
    """
    left_out = {*generator.outputs.LARGE, *(("sitemap", "missing") if site else ())}
    names = [f"outputs.{name}" for name in module_names(generator.outputs) if name not in left_out]
    added_ones = parts("outputs", without)
    names += [f"features.{of.name}" for of, module in added_ones if hasattr(module, "render")]
    names += [f"hosts.{name}" for name in dict.fromkeys(hosts)]
    names += ["site.sitemap"] if site else []
    return sorted(map(document, names), key=lambda out: out.name == INDEX)


def document(name: str) -> OutputModule:
    """The output with a name such as `outputs.sitemap`: a package and a module, or `features` and a
    feature.
    """
    package, _, module = name.partition(".")
    if package == "features":
        feature = next(feature for feature in features() if feature.name == module)
        return output_of(name, feature.load("outputs"))
    return output_of(name, load_module(_PACKAGES[package], module))


def render_output(out: OutputModule, inputs: Any) -> Iterator[Artifact]:
    """The artifacts of an output; `inputs` has attributes with the names of its inputs."""
    return out.render(**{name: getattr(inputs, name) for name in out.inputs})


class Documents(Family):
    """An item is the name of an output, such as `outputs.dashboard`."""

    def __init__(self, published: Published):
        outputs = documents(published.hosts, published.grammar.left_out, site=published.has_site)
        self._published = published
        self._outputs = {output.name: output for output in outputs if output.name != INDEX}
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


class IndexDocument(Family):
    """The index, which tells how many bytes all other files have."""

    def __init__(self, published: Published):
        self._published = published

    def items(self) -> Iterator[str]:
        yield paths.INDEX

    def find(self, address: str) -> str | None:
        return address if address == paths.INDEX else None

    def make(self, item: str) -> Iterator[Artifact]:
        yield from render_output(document(INDEX), self._published.inputs)

    def surface(self, address: str) -> str:
        return address


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

    projects = property(lambda self: self.tables["projects"])
    programs = property(lambda self: self.tables["programs"])
    organizations = property(lambda self: self.tables["organizations"])
    events = property(lambda self: self.tables["events"])

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
