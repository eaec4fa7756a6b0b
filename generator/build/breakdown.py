"""How many files of an output are lists, records, site pages and so on, told by their folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.contract.layout import surface_of_folder

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
    """A group of files: a key of `_WORDS`; and its filter, or on the site `sorts` or `events`."""

    group: str
    detail: str = ""


def count_groups(files: Mapping[str, int]) -> Counter[FileGroup]:
    """How many files each group has; `files` is folder -> number of files directly in it."""
    counts: Counter[FileGroup] = Counter()
    for folder, count in files.items():
        counts[_made(folder)] += count
    return counts


def _made(folder: str) -> FileGroup:
    made = surface_of_folder(folder)
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
    yield "leave_out: [event_pages]", counts.get(FileGroup("site", "events"), 0)
    yield "leave_out: [contexts]", max(0, counts.get(FileGroup("contexts"), 0) - 1)
