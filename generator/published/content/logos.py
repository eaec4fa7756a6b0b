"""Reads the logos of the content and checks them.

The feature logos has the field that names a logo, and what a logo may be.  That files lie beside
records is known here, in `dialect.folder`, `model.link` and `edit.logos`: they are read before the
records, linked with them, and renamed and removed with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.dialect.folder import Content, Planned
from generator.executors import Executor, InProcess
from generator.grammar.paths import logo_path
from generator.kinds.every import FILE_READERS
from generator.problems.diagnostic import Diagnostic, is_error, printable
from generator.problems.faults import RefusedFile
from generator.published.content.digest import blob_id
from generator.published.content.read import Blobs

#: The work on a logo, in records.
_SHARE = 8


@dataclass(slots=True)
class Logos:
    """The logos of a content folder.

    `paths` has the path of the published file of each logo, "" if the logo has a problem; `data`
    the bytes of the published files, at most 64 KiB each.
    """

    paths: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)
    blobs: Blobs = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    #: Path of a logo -> what was read, for `read_logos` after a save.
    read: dict[str, _Read] = field(default_factory=dict)


class _Read(NamedTuple):
    """A logo that was read, as plain data: its path, the path and bytes of the published file or
    the problems, and the id of the file.
    """

    path: str
    published: str
    data: bytes
    problems: list[tuple[Any, ...]]
    blob: bytes


def read_logos(
    content: Content,
    workers: Callable[[int], Executor] = lambda items: InProcess(),
    known: Mapping[str, _Read] = MappingProxyType({}),
) -> Logos:
    """Read and check all logos; those in `known` were read already.  `workers` chooses an executor
    for work on so many records.
    """
    found = {path: known[path] for path in content.logos if path in known}
    paths = [path for path in content.logos if path not in found]
    executor = workers(len(paths) * _SHARE)
    for chunk in executor.run(read_chunk, paths, (content.folder, content.planned), 64):
        found |= {fields[0]: _Read(*fields) for fields in chunk}
    logos = Logos(read=found)
    for path in content.logos:
        read = found[path]
        logos.paths[path] = read.published
        logos.data[read.published] = read.data
        logos.problems += map(Diagnostic.unpack, read.problems)
        if read.blob:
            logos.blobs[path] = read.blob
    return logos


def read_chunk(paths: Sequence[str], shared: tuple[str, Planned]) -> list[tuple[Any, ...]]:
    """Read and check logos; the fields of a `_Read` for each.  `shared` has the content folder and
    the planned files.
    """
    content = Content(shared[0], planned=shared[1])
    return [tuple(_read(content, path)) for path in paths]


def _read(content: Content, path: str) -> _Read:
    taken = content.read_content(path)
    if isinstance(taken, Diagnostic):
        return _Read(path, "", b"", [taken.pack()], b"")
    blob = blob_id(taken)
    try:
        read = FILE_READERS[path.partition("/")[0]]
        published, data = read(path.rpartition("/")[2], taken)
    except RefusedFile as refused:
        problems = []
        for fault in (refused, *refused.others):
            where = content.display_path(path), fault.line, fault.column
            words = printable(fault.message), printable(fault.hint)
            problems.append(Diagnostic(*where, fault.code, *words).pack())
        return _Read(path, "", b"", problems, blob)
    return _Read(path, logo_path(published), data, [], blob)


def unused_logos(
    content: Content, named: Collection[str], problems: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Warnings about logos that no record names; none if the content has errors, because then not
    every record is known.
    """
    if any(map(is_error, problems)):
        return []
    return [
        content.file_problem(
            path,
            "unused-logo",
            "no record beside this logo names it",
            f"write logo: {path.rpartition('/')[2]} in a record of the same folder, or remove it",
            warn=True,
        )
        for path in content.logos
        if path not in named
    ]
