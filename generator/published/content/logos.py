"""Reads the logos of the content and checks them.

The feature logos has the field that names a logo, and what a logo may be.  That files lie beside
records is known here, in `dialect.folder`, `model.link` and `edit.logos`: they are read before the
records, linked with them, and renamed and removed with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.dialect.folder import Content, Planned, open_content
from generator.executors import Executor, InProcess
from generator.grammar.paths import logo_path
from generator.problems.diagnostic import Diagnostic, printable
from generator.problems.faults import RefusedFile
from generator.published.content.read import Blobs, blob_id

#: The work on a logo, in records.
_SHARE = 8


class _Read(NamedTuple):
    """A logo that was read, as plain data: its path, the path and bytes of the published file or
    the problems, and the id of the file.
    """

    path: str
    published: str
    data: bytes
    problems: list[tuple[Any, ...]]
    blob: bytes


class Logos:
    """The logos of a content folder, by path.

    `paths` has the path of the published file of each logo, "" if the logo has a problem; `data`
    the bytes of the published files, at most 64 KiB each.
    """

    def __init__(self, read: Mapping[str, _Read]):
        self.read = read
        self.paths = {path: logo.published for path, logo in read.items()}
        self.data = {logo.published: logo.data for logo in read.values()}
        self.blobs: Blobs = {path: logo.blob for path, logo in read.items() if logo.blob}
        packed = (problem for logo in read.values() for problem in logo.problems)
        self.problems = list(map(Diagnostic.unpack, packed))


def read_logos(
    content: Content,
    workers: Callable[[int], Executor] = lambda items: InProcess(),
    known: Mapping[str, _Read] = MappingProxyType({}),
) -> Logos:
    """Read and check all logos; those in `known` were read already.  `workers` chooses an executor
    for work on so many records.
    """
    paths, found = [path for path in content.logos if path not in known], dict(known)
    executor = workers(len(paths) * _SHARE)
    for chunk in executor.run(read_chunk, paths, (content.folder, content.planned), 64):
        found |= {fields[0]: _Read(*fields) for fields in chunk}
    return Logos({path: found[path] for path in content.logos})


def read_chunk(paths: Sequence[str], shared: tuple[str, Planned]) -> list[tuple[Any, ...]]:
    """Read and check logos; the fields of a `_Read` for each.  `shared` has the content folder and
    the planned files.
    """
    content = open_content(shared[0], planned=shared[1])
    return [tuple(_read(content, path)) for path in paths]


def _read(content: Content, path: str) -> _Read:
    taken = content.read_content(path)
    if isinstance(taken, Diagnostic):
        return _Read(path, "", b"", [taken.pack()], b"")
    blob = blob_id(taken)
    try:
        read = content.kinds.file_readers[path.partition("/")[0]]
        published, data = read(path.rpartition("/")[2], taken)
    except RefusedFile as refused:
        problems = []
        for fault in (refused, *refused.others):
            where = content.display_path(path), fault.line, fault.column
            words = printable(fault.message), printable(fault.hint)
            problems.append(Diagnostic(*where, fault.code, *words).pack())
        return _Read(path, "", b"", problems, blob)
    return _Read(path, logo_path(published), data, [], blob)
