"""Documents: all published files that are neither records, pages of lists, index nor site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from generator.build.documents import TableInputs, documents, render_output
from generator.build.report import Sizes
from generator.contract.artifact import Artifact, BuildInfo, History
from generator.model.settings.removed import Removed
from generator.model.tables.table import Table

if TYPE_CHECKING:
    from generator.published.families import Family
    from generator.published.published import Published


class Documents:
    """An item is the name of an output, such as `outputs.dashboard`."""

    def __init__(self, published: Published):
        outputs = documents(published.hosts, site=bool(published.site))
        self._published = published
        self._outputs = {output.name: output for output in outputs}
        self._made: dict[str, Mapping[str, bytes]] = {}
        self.sizes = Sizes()
        self._counted = set[str]()

    def items(self) -> Iterator[str]:
        yield from self._outputs

    def find(self, address: str) -> str | None:
        known = (name for name, files in self._made.items() if address in files)
        likely = (name for name in self._likely(address) if address in self._files(name))
        return next(known, None) or next(likely, None)

    def _likely(self, address: str) -> Iterator[str]:
        """The outputs that may have an address: those that say so, else those that say nothing."""
        outputs = self._outputs.values()
        yield from (out.name for out in outputs if address.startswith(out.addresses))
        yield from (out.name for out in outputs if not out.addresses)

    def _files(self, name: str) -> Mapping[str, bytes]:
        if name not in self._made and "sizes" in self._outputs[name].inputs:
            self._count_until(name)
        if name not in self._made:
            self._made[name] = dict(render_output(self._outputs[name], self._published.inputs))
        return self._made[name]

    def _count_until(self, last: str) -> None:
        """Count the sizes of all files that an output with `sizes` tells: of all that come before
        it, and for the index of the site.
        """
        late = [name for name, output in self._outputs.items() if "sizes" in output.inputs]
        if not self.sizes:
            self._count(*self._published.api)
            for name in self._outputs.keys() - set(late):
                self._add(name)
        for name in late[: late.index(last)]:
            if name not in self._counted:
                self._add(name)
        if last == late[-1]:
            self._count(*self._published.site)

    def _count(self, *families: Family) -> None:
        for family in families:
            for item in family.items():
                for path, data in family.make(item):
                    self.sizes.add(family.surface(path), len(data), 1)

    def _add(self, name: str) -> None:
        self._counted.add(name)
        for path, data in self._files(name).items():
            self.sizes.add(self._outputs[name].surface or path, len(data), 1)

    def make(self, item: str) -> Iterator[Artifact]:
        yield from map(Artifact._make, self._files(item).items())

    def surface(self, address: str) -> str:
        name = self.find(address)
        return (self._outputs[name].surface if name is not None else "") or address


class Inputs(TableInputs):
    """The inputs of documents, made at their first use; attributes are named like the parameters of
    `render` functions (see generator.contract.artifact).
    """

    def __init__(self, published: Published):
        self._published = published
        self.settings, self.symbols = published.settings, published.symbols
        self.as_of, self.functions = published.records.moment.as_of, published.functions
        self.removed: Removed = published.records.linked.removed

    @cached_property
    def tables(self) -> Mapping[str, Table]:  # type: ignore[override]
        return self._published.tables

    projects = property(lambda self: self.tables["projects"])
    programs = property(lambda self: self.tables["programs"])
    organizations = property(lambda self: self.tables["organizations"])
    events = property(lambda self: self.tables["events"])

    @property
    def modified(self) -> Mapping[str, str]:
        return self._published.registry.modified

    @cached_property
    def info(self) -> BuildInfo:
        return self._published.records.info()

    @property
    def history(self) -> History:
        return self._published.history[0]

    @property
    def sizes(self) -> Sizes:
        return self._published.documents.sizes

    @property
    def change_pages(self) -> int:
        past = self._published.records.past
        return past.full + bool(past.rest) if past is not None else 0
