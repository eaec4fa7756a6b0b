"""Compares an output with the limits of hosts, and counts its files by what they are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import generator.hosts
from generator.contract.addresses import surface_of_folder
from generator.contract.artifact import load_module
from generator.dialect.folder import REGISTRY_FILE
from generator.feature import Hook
from generator.hosts import HostLimits
from generator.kinds import Kinds
from generator.problems.diagnostic import Diagnostic
from generator.published.content.load import count_records
from generator.published.outside import too_large_outside
from generator.published.published import Published
from generator.search.manifest import MAX_RECORDS

#: A build warns from this share of a limit on.
NEAR = 0.8


NOTES: Hook[Callable[[Published], Iterable[str]]] = Hook("checks", "notes", "published")


def check_output(
    published: Published, sizes: Mapping[str, int], redirects: bytes
) -> tuple[list[Diagnostic], tuple[str, ...]]:
    """The problems of all files together, and notes on them.  `sizes` has those of all files,
    `redirects` the bytes of `/_redirects`.
    """
    records, base_url = published.records, published.settings.base_url
    where = records.content.display_path(REGISTRY_FILE)
    warnings, notes = check_hosts(
        sizes, redirects, published.hosts, where, base_url, published.grammar.kinds
    )
    warnings += too_large_outside(published.hosts, published.grammar, where)
    notes += oversized_collections(count_records(records.content))
    notes += published.seal.notes
    notes += (note for tell in NOTES for note in tell(published))
    return records.linked.accepting(warnings), tuple(notes)


def check_hosts(
    files: Mapping[str, int],
    redirects: bytes,
    hosts: Iterable[str],
    where: str,
    base_url: str | None,
    kinds: Kinds,
) -> tuple[list[Diagnostic], list[str]]:
    """Compare an output with its hosts: warnings, and lines for the report.

    Warns of each exceeded limit, and of each host that needs a `base_url` if there is none.  The
    lines count the files by group and name limits that are near.  `files` has the sizes of files.
    """
    modules = {name: load_module(generator.hosts, name) for name in hosts}
    chosen = limits_of_hosts(modules)
    # Only these hosts read `_redirects`.
    writers = [name for name, module in modules.items() if hasattr(module, "RULES")]
    reached = measure(files, dict.fromkeys(writers, redirects))
    made = count_groups(folders_of(files), kinds)
    warnings = []
    for name, module in modules.items():
        if base_url is None and hasattr(module, "BASE_URL"):
            reason, hint = module.BASE_URL
            message = f"{name}: there is no base_url. {reason}"
            warnings.append(Diagnostic(where, 1, 1, "no-base-url", message, hint, "warning"))
    warnings += check_limits(reached, chosen, where, made)
    return warnings, [describe_groups(made), *near_limits(reached, chosen, made)]


#: The path of the largest file, and its bytes.
Largest = tuple[str, int]


class Extent(NamedTuple):
    """The numbers of an output that hosts limit.  Paths begin with a slash; those of folders also
    end with one.
    """

    files: int
    bytes: int
    largest: Largest
    fullest: tuple[str, int]  # the folder with the most files directly in it, and how many
    rules: Mapping[str, int] = {}  # host -> rules in its `_redirects`
    ruled: Mapping[str, str] = {}  # host -> the addresses with most of these, in words


def measure(files: Mapping[str, int], redirects: Mapping[str, bytes]) -> Extent:
    """The extent of an output, from the sizes of files; `redirects` has the text of `_redirects` by
    host.
    """
    folders = folders_of(files)
    most = max(files.values(), default=0)
    # If several files are the largest, take the first by folder and name.
    candidates = (path for path, size in files.items() if size == most)
    largest = min(candidates, default="/", key=os.path.split)
    fullest = min(folders, key=lambda folder: (-folders[folder], folder), default="")
    rules = {name: _rules_by_address(text) for name, text in redirects.items()}
    total = sum(files.values())
    count = folders.get(fullest, 0)
    return Extent(
        len(files),
        total,
        (largest, most),
        (f"/{fullest}/" if fullest else "/", count),
        {name: sum(found.values()) for name, found in rules.items()},
        {name: _most_rules(found) for name, found in rules.items()},
    )


def _rules_by_address(redirects: bytes) -> dict[str, int]:
    lines = (line.strip() for line in redirects.decode().splitlines())
    return Counter(line.split()[0] for line in lines if line and not line.startswith("#"))


def _most_rules(rules: Mapping[str, int]) -> str:
    most = _largest_first(rules)[:_SHOWN]
    return ", ".join(f"{address} has {count:,}" for address, count in most)


def folders_of(files: Iterable[str]) -> dict[str, int]:
    """Folder, without leading slash -> number of files directly in it."""
    return Counter(path.rpartition("/")[0][1:] for path in files)


def limits_of_hosts(hosts: Iterable[str]) -> dict[str, HostLimits]:
    return {name: load_module(generator.hosts, name).LIMITS for name in hosts}


def check_limits(
    reached: Extent, hosts: Mapping[str, HostLimits], where: str, made: Mapping[FileGroup, int]
) -> list[Diagnostic]:
    """A warning for each exceeded limit; `where` is the file that lists the hosts."""
    return [
        Diagnostic(where, 1, 1, "host-limit", f"{name}: {text}", _hint(name, made, ways), "warning")
        for name, host_limits in hosts.items()
        for used, limit, text, ways in _measures(reached, name, host_limits)
        if used > limit
    ]


def near_limits(
    reached: Extent, hosts: Mapping[str, HostLimits], made: Mapping[FileGroup, int]
) -> list[str]:
    """A line for each limit that is used up to four fifths or more, but not exceeded."""
    return [
        f"Near a limit of {name}, {100 * used // limit} % used: {text}. To stay below it: "
        f"{_hint(name, made, ways)}."
        for name, host_limits in hosts.items()
        for used, limit, text, ways in _measures(reached, name, host_limits)
        if NEAR * limit <= used <= limit
    ]


def oversized_collections(records: Mapping[str, int]) -> list[str]:
    """A line for each collection that has too many records for the search index."""
    return [
        f"Too large for the search index: there are {count:,} {name}, and the limit is "
        f"{MAX_RECORDS:,}. Their pages are complete, but other queries are answered with 503."
        for name, count in records.items()
        if count > MAX_RECORDS
    ]


def _hint(name: str, made: Mapping[FileGroup, int], way: str) -> str:
    """The hint for a limit: its own way to stay below it, or else settings that save files; the
    advice of the host, and a page.
    """
    saved = [f"{setting} saves {count:,} files" for setting, count in list_savings(made) if count]
    own = getattr(load_module(generator.hosts, name), "WAY_OUT", "")
    ways = [way] if way else [f"in registry.yaml {', '.join(saved)}"] if saved else []
    return "; ".join([*ways, *filter(None, [own]), "docs/hosts.md has the limits of all hosts"])


def _measures(
    reached: Extent, name: str, host_limits: HostLimits
) -> Iterator[tuple[int, int, str, str]]:
    """For each known limit of a host: what is used, the limit, both in words, and what uses most
    if that is no matter of files.
    """
    path, size = reached.largest
    folder, count = reached.fullest
    rules, ruled = reached.rules.get(name, 0), reached.ruled.get(name, "")
    fewer = f"in registry.yaml leave out filters, tag families or kinds: {ruled} of the rules"
    for used, limit, text, way in (
        (reached.files, host_limits.files, "the output has {:,} files; the limit is {:,}", ""),
        (reached.bytes, host_limits.bytes, "the output has {:,} bytes; the limit is {:,}", ""),
        (
            size,
            host_limits.file_bytes,
            f"{path} has {{:,}} bytes; the limit for a file is {{:,}}",
            "",
        ),
        (
            count,
            host_limits.directory_files,
            f"{folder} has {{:,}} files; the limit for a folder is {{:,}}",
            "",
        ),
        (rules, host_limits.rules, "there are {:,} rules; the limit is {:,}", fewer),
    ):
        if limit is not None:
            yield used, limit, text.format(used, limit), way


# --- how many files are lists, records, pages of the site and so on, by their folders ---

#: How many filters a line names; the rest are added up as "others".
_SHOWN = 5
_WORDS = {
    "records": "records",
    "lists": "pages of whole lists",
    "sorts": "pages of lists in other orders",
    "by": "pages of lists by filter",
    "feeds": "calendar feeds",
    "contexts": "agent contexts",
    "index": "search index",
    "logos": "logos",
    "data": "data files",
    "site": "site",
    "other": "other",
}


class FileGroup(NamedTuple):
    """A group of files: a key of `_WORDS`; and its filter, or on the site `sorts` or `timed`."""

    group: str
    detail: str = ""


def count_groups(files: Mapping[str, int], kinds: Kinds) -> Counter[FileGroup]:
    """How many files each group has; `files` is folder -> number of files directly in it."""
    counts: Counter[FileGroup] = Counter()
    for folder, count in files.items():
        counts[_made(folder, kinds)] += count
    return counts


def _made(folder: str, kinds: Kinds) -> FileGroup:
    made = surface_of_folder(folder, kinds)
    if made is None:
        # A file for the host, or one of the registry's own theme.
        is_other = folder.partition("/")[0] in ("", "api", ".well-known", ".netlify")
        return FileGroup("other" if is_other else "site")
    if made == "by":
        return FileGroup("by", folder.partition("/by/")[2].partition("/")[0])
    group, _, detail = made.partition("_")
    return FileGroup(group, detail)


def describe_groups(counts: Mapping[FileGroup, int]) -> str:
    """A line, largest group first: `Files: 1,041 pages of lists by filter (program 410, …), …`."""
    groups: Counter[str] = Counter()
    filters: Counter[str] = Counter()
    for made, count in counts.items():
        groups[made.group] += count
        if made.group == "by":
            filters[made.detail] += count
    largest = _largest_first(filters)
    shown = [f"{name} {count:,}" for name, count in largest[:_SHOWN]]
    rest = sum(count for _, count in largest[_SHOWN:])
    shown += [f"others {rest:,}"] if rest else []
    parts = [
        f"{count:,} {_WORDS[group]}" + (f" ({', '.join(shown)})" if group == "by" else "")
        for group, count in _largest_first(groups)
    ]
    return f"Files: {', '.join(parts)}."


def _largest_first(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Names with their counts, without zeros, by count and then by name."""
    return sorted(((n, c) for n, c in counts.items() if c), key=lambda item: (-item[1], item[0]))


def list_savings(counts: Mapping[FileGroup, int]) -> Iterator[tuple[str, int]]:
    """The settings of registry.yaml that leave out files, and how many files each saves."""
    site = sum(count for made, count in counts.items() if made.group == "site")
    sorts = counts.get(FileGroup("sorts"), 0) + counts.get(FileGroup("site", "sorts"), 0)
    yield "site: false", site
    yield "leave_out: [sorts]", sorts
    yield "leave_out: [event_pages]", counts.get(FileGroup("site", "timed"), 0)
    yield "leave_out: [contexts]", max(0, counts.get(FileGroup("contexts"), 0) - 1)
