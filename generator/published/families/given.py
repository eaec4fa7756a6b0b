"""Files that were made when the content was read: logos."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from generator.contract.artifact import Artifact
from generator.grammar.paths import MEDIA
from generator.published.families import Family
from generator.published.once import once

if TYPE_CHECKING:
    from generator.published.reading.records import Records


class KnownFiles(Family):
    """Files whose bytes are known when the content is read; an item is an address."""

    def __init__(self, start: str, surface: str, read: Callable[[], Mapping[str, bytes]]):
        """All addresses begin with `start`; `read` gives the files when one is asked for."""
        self._start, self._surface, self._read = start, surface, read

    @once
    def _files(self) -> Mapping[str, bytes]:
        return self._read()

    def items(self) -> Iterator[str]:
        yield from self._files

    def find(self, address: str) -> str | None:
        return address if address.startswith(self._start) else None

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._files:
            yield Artifact(item, self._files[item])

    def surface(self, address: str) -> str:
        return self._surface


def logo_files(records: Records) -> KnownFiles:
    """The logos that records name."""

    def read() -> dict[str, bytes]:
        named = records.named_logos()
        published = [records.logos.paths[path] for path in sorted(named)]
        return {address: records.logos.data[address] for address in published}

    return KnownFiles(f"{MEDIA}/", "logos", read)
