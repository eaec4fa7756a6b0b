"""Reads the logos of the content, checks them, and writes those that records name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from generator.build.cache.compare import Differences, blob_id
from generator.build.cache.store import Cache
from generator.build.executors import choose_executor
from generator.build.output.files import Files
from generator.build.read import Seen
from generator.build.report import Cause, ContentChange
from generator.contract.artifact import Artifact
from generator.dialect.folder import Content
from generator.grammar.paths import logo_path
from generator.problems.diagnostic import Diagnostic, is_error, printable

#: The work on a logo, in records.
_SHARE = 8


@dataclass(slots=True)
class Logos:
    """The logos of a content folder.

    `paths` has the path of the published file of each logo, "" if the logo has a problem.  `data`
    has the bytes of published files that the output lacks; they stay in memory until they are
    written, at most 64 KiB each.
    """

    paths: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


class _Read(NamedTuple):
    """A logo that was read, as plain data: its path, the path and bytes of the published file or a
    problem, and the file read.
    """

    path: str
    published: str
    data: bytes
    problem: tuple[Any, ...] | None
    seen: Seen | None


def read_logos(
    content: Content, jobs: int | None = None, unchanged: Mapping[str, str] | None = None
) -> Logos:
    """Read and check all logos, except those that are `unchanged` (see `unchanged_logos`)."""
    logos = Logos(dict.fromkeys(content.logos, "") | dict(unchanged or {}))
    paths = [path for path in content.logos if not unchanged or path not in unchanged]
    workers = choose_executor(jobs, len(paths) * _SHARE)
    for chunk in workers.run(read_chunk, paths, content.folder, 64):
        for fields in chunk:
            read = _Read(*fields)
            logos.paths[read.path] = read.published
            logos.data[read.published] = read.data
            if read.problem is not None:
                logos.problems.append(Diagnostic.unpack(read.problem))
            if read.seen is not None:
                logos.seen.append(read.seen)
    return logos


def read_chunk(paths: Sequence[str], folder: str) -> list[tuple[Any, ...]]:
    """Read and check logos; the fields of a `_Read` for each."""
    content = Content(folder)
    return [tuple(_read(content, path)) for path in paths]


def _read(content: Content, path: str) -> _Read:
    from generator.model.images.logo import read_logo
    from generator.model.images.refused import RefusedImage

    taken = content.read_content(path)
    if isinstance(taken, Diagnostic):
        return _Read(path, "", b"", taken.pack(), None)
    seen = path, taken.stat, blob_id(taken.raw)
    try:
        published = read_logo(path.rpartition("/")[2], taken.raw)
    except RefusedImage as refused:
        where = content.display_path(path), refused.line, refused.column
        words = printable(refused.message), printable(refused.hint)
        problem = Diagnostic(*where, refused.code, *words)
        return _Read(path, "", b"", problem.pack(), seen)
    return _Read(path, logo_path(published.name), published.data, None, seen)


def unchanged_logos(content: Content, differences: Differences, cache: Cache) -> dict[str, str]:
    """The logos that did not change since the last build, and whose published files are in the
    output.
    """
    last: dict[str, str] = cache.get("logos") or {}
    return {
        path: published
        for path in content.logos
        if (published := last.get(path, ""))
        and path not in differences.changes
        and published in differences.before
    }


def write_logos(
    files: Files, logos: Logos, named: Iterable[str], differences: Differences, cache: Cache
) -> None:
    """Write the published files of the logos that records name, each once."""
    published = {path: logos.paths[path] for path in sorted(named)}
    causes: dict[str, Cause] = {}
    for path, change in sorted(differences.changes.items()):
        causes[published.get(path, "")] = ContentChange(path, change)
    for target in dict.fromkeys(published.values()):
        if target in logos.data:
            files.put("logos", Artifact(target, logos.data[target]), causes)
        else:
            files.keep("logos", [target])
    cache.put("logos", published)


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
