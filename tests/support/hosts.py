"""A host in this process: a folder that readers of a registry read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from generator.reader.location import FolderReader


class Host:
    """Read a folder like a host, and record the requested paths; `wrong` gives other bytes."""

    def __init__(self, folder: Path):
        self.folder, self.asked = folder, list[str]()
        self.wrong: Callable[[str, bytes | None], bytes | None] = lambda path, data: data

    def __call__(self, paths: Sequence[str]) -> list[bytes | None]:
        self.asked += paths
        contents = FolderReader(self.folder, stay=True)(paths)
        return [self.wrong(path, data) for path, data in zip(paths, contents, strict=True)]
