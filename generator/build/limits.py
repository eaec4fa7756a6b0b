"""What hosts are known to take, held against what a build came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import generator.hosts
from generator.api.artifact import module, modules
from generator.api.diagnostic import Diagnostic
from generator.hosts import Limits
from generator.search.manifest import MAX_RECORDS


def judge(
    files: Mapping[str, int],
    redirects: bytes,
    hosts: Iterable[str],
    where: str,
    base_url: str | None,
) -> tuple[list[Diagnostic], list[str]]:
    """A warning for each limit that the chosen hosts have and an output passes, and for each that
    has no `base_url` and needs one; and a line for each other host.  `files` has the size of each
    file.
    """
    known = limits(modules(generator.hosts))
    chosen = {name: known.pop(name) for name in hosts}
    # Other hosts have their rules elsewhere, if any, and see to their number themselves.
    writers = [name for name in chosen if hasattr(module(generator.hosts, name), "RULES")]
    reached = extent(files, dict.fromkeys(writers, redirects))
    warnings = [*_without_base(chosen, where, base_url), *check_limits(reached, chosen, where)]
    return warnings, beyond(reached, known)


def _without_base(hosts: Iterable[str], where: str, base_url: str | None) -> Iterator[Diagnostic]:
    for name in hosts:
        why = getattr(module(generator.hosts, name), "BASE_URL", None)
        if why and base_url is None:
            yield Diagnostic(
                where,
                1,
                1,
                "no-base-url",
                f"{name}: there is no base_url. {why[0]}",
                why[1],
                "warning",
            )


#: The path of the largest file, and its bytes.
Largest = tuple[str, int]


class Extent(NamedTuple):
    """How far an output reaches.  A file's path begins with a slash, and a folder's ends with one
    too.
    """

    files: int
    bytes: int
    largest: Largest
    fullest: tuple[str, int]  # the folder with the most files directly in it, and how many
    rules: Mapping[str, int] = {}  # host -> rules in its `_redirects`


def extent(files: Mapping[str, int], redirects: Mapping[str, bytes]) -> Extent:
    """The extent of an output, from the size of each file; `redirects` has the `_redirects` in it,
    by the host that wrote it.
    """
    folders: dict[str, int] = {}
    for path in files:
        folder = path.rpartition("/")[0]
        folders[folder] = folders.get(folder, 0) + 1
    most = max(files.values(), default=0)
    largest = min((path for path, size in files.items() if size == most), default="/", key=_ordered)
    fullest = min(folders, key=lambda folder: (-folders[folder], folder), default="")
    rules = {
        name: sum(1 for line in text.splitlines() if line.strip() and line[0] != 35)
        for name, text in redirects.items()
    }
    total = sum(files.values())
    count = folders.get(fullest, 0)
    return Extent(len(files), total, (largest, most), (f"{fullest}/", count), rules)


def _ordered(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name


def limits(hosts: Iterable[str]) -> dict[str, Limits]:
    """What each of the hosts takes."""
    return {name: module(generator.hosts, name).LIMITS for name in hosts}


def check_limits(reached: Extent, hosts: Mapping[str, Limits], where: str) -> list[Diagnostic]:
    """A warning for each limit of a host that an output passes; `where` is the file that names the
    hosts.
    """
    return [
        Diagnostic(where, 1, 1, "host-limit", f"{name}: {what}", _HINT, "warning")
        for name, known in hosts.items()
        for what in _passed(reached, name, known)
    ]


def beyond(reached: Extent, hosts: Mapping[str, Limits]) -> list[str]:
    """A line for each host that would not take the output on its free plan, with one reason."""
    lines = []
    for name, known in hosts.items():
        reason = next(_passed(reached, name, known), None)
        if reason is not None:
            lines.append(f"Too large for {name}: {reason}.")
    return lines


def beyond_index(records: Mapping[str, int]) -> list[str]:
    """A line for each collection that has more records than its index takes."""
    return [
        f"Too large for the index: there are {count:,} {name}, and it takes {MAX_RECORDS:,}. Their "
        "pages are whole; what no page answers is answered with 503."
        for name, count in records.items()
        if count > MAX_RECORDS
    ]


_HINT = (
    "docs/hosts.md has the limits of all hosts, and docs/operating.md says what makes the number "
    "of files; without the site (site: false) there are about half as many"
)


def _passed(reached: Extent, name: str, known: Limits) -> Iterator[str]:
    if known.files is not None and reached.files > known.files:
        yield f"the output has {reached.files:,} files, and it takes {known.files:,}"
    if known.bytes is not None and reached.bytes > known.bytes:
        yield f"the output has {reached.bytes:,} bytes, and it takes {known.bytes:,}"
    if known.file_bytes is not None and reached.largest[1] > known.file_bytes:
        path, size = reached.largest
        yield f"{path} has {size:,} bytes, and a file may have {known.file_bytes:,}"
    if known.directory_files is not None and reached.fullest[1] > known.directory_files:
        path, count = reached.fullest
        yield f"{path} has {count:,} files, and a folder may have {known.directory_files:,}"
    if known.rules is not None and reached.rules.get(name, 0) > known.rules:
        yield f"there are {reached.rules[name]:,} rules, and it takes {known.rules:,}"
