"""What makes the files of an output, by the folders that they are in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.contract.layout import made_by

#: Filters that are named, the rest are added up.
_SHOWN = 5
_WORDS = {
    "records": "records",
    "lists": "pages of whole lists",
    "sorts": "pages of lists in other orders",
    "by": "pages of lists by filter",
    "feeds": "calendar feeds",
    "contexts": "agent contexts",
    "index": "search index",
    "site": "site",
    "other": "other",
}


class Made(NamedTuple):
    """What a file is: one of `_WORDS`, and the filter, or on the site `sorts` or `events`."""

    group: str
    detail: str = ""


def breakdown(files: Mapping[str, int]) -> Counter[Made]:
    """How many files there are of each kind; `files` is folder -> files directly in it."""
    counted: Counter[Made] = Counter()
    for folder, count in files.items():
        counted[_made(folder)] += count
    return counted


def _made(folder: str) -> Made:
    made = made_by(folder)
    if made is None:
        # A file that a host reads, or of the registry's own templates.
        elsewhere = folder.partition("/")[0] in ("", "api", ".well-known", ".netlify")
        return Made("other" if elsewhere else "site")
    if made == "by":
        return Made("by", folder.partition("/by/")[2].partition("/")[0])
    group, _, detail = made.partition("_")
    return Made(group, detail)


def in_words(counted: Mapping[Made, int]) -> str:
    """A line, the most first: `Files: 1,041 pages of lists by filter (program 410, …), …`."""
    groups: Counter[str] = Counter()
    filters: Counter[str] = Counter()
    for made, count in counted.items():
        groups[made.group] += count
        if made.group == "by":
            filters[made.detail] += count
    shown = [f"{name} {count:,}" for name, count in _most(filters)[:_SHOWN]]
    rest = sum(count for _, count in _most(filters)[_SHOWN:])
    shown += [f"others {rest:,}"] if rest else []
    parts = [
        f"{count:,} {_WORDS[group]}" + (f" ({', '.join(shown)})" if group == "by" else "")
        for group, count in _most(groups)
    ]
    return f"Files: {', '.join(parts)}."


def _most(counted: Mapping[str, int]) -> list[tuple[str, int]]:
    """By count, then by name; without what there is none of."""
    return sorted(((n, c) for n, c in counted.items() if c), key=lambda one: (-one[1], one[0]))


def savings(counted: Mapping[Made, int]) -> Iterator[tuple[str, int]]:
    """Each setting of registry.yaml that saves files, and how many."""
    site = sum(count for made, count in counted.items() if made.group == "site")
    sorts = counted.get(Made("sorts"), 0) + counted.get(Made("site", "sorts"), 0)
    yield "site: false", site
    yield "leave_out: [sorts]", sorts
    yield "leave_out: [event_pages]", counted.get(Made("site", "events"), 0)
    yield "leave_out: [contexts]", max(0, counted.get(Made("contexts"), 0) - 1)
