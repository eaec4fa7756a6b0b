"""The files of the names in an index, by which a name is matched (names.py), and of identifiers.

A file has entries (generator.search.format) of the keys that fall into it.  The body of a key has a
line for each name: its kind, its words or the path of a website, the record's slug, id, name and
places, separated by tabs.  Everything needed for a score is in the line, so no other file is
read.  The number of files, a power of two, says how many letters of a name the keys have; a key of
many names is divided among keys of one more letter, which the manifest says.

Identifiers have files of the same form, if there are any.  A key is an identifier in lower case;
the words of a line are the scheme, and the host and path of the web address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from typing import Any, NamedTuple
from zlib import crc32

from generator.feature import Hook
from generator.features.matching.names import (
    address_of,
    first_key,
    initials_of,
    joined,
    last_key,
    site_key,
    site_of,
)
from generator.kinds.continents import CONTINENT_OF
from generator.model.symbols import Symbols, encode_places
from generator.model.tables.table import Table
from generator.search.format import entry
from generator.search.manifest import IDS, NAMES
from generator.search.terms import Addition, IndexSource
from generator.text.legal_forms import before_brackets, words_of

#: Maximum average bytes of a file.
_FILE = 32_768
#: With more files, keys have three letters instead of two.
MANY_FILES = 256
#: Maximum lines of a key, so that few names are compared.
MAX_LINES = 500
#: What the keys of a line are made of, and the line.
_Line = tuple[str, bytes]
_Bodies = dict[str, list[bytes]]


class NamedRecord(NamedTuple):
    """A record: its number in the index, its slug, and its names from `terms`."""

    number: int
    slug: str
    names: str


def terms(slug: str, data: Mapping[str, Any]) -> str:
    """What a record with these fields of its model is found by, as text.

    The first line has its name and places.  Each other line has a kind, the words of a name or the
    path of the website, and what their keys are made of: the letters of the name, or the host.
    """
    finest = [place.named[-1].slug for place in encode_places(data.get("locations"))]
    places = sorted({*finest, *(CONTINENT_OF[place[:2]] for place in finest)})
    if data.get("remote"):
        places.append("remote")
    lines = [f"{data['name']}\t{' '.join(places)}"]
    for kind, words in _names(slug, data):
        lines.append(f"{kind}\t{' '.join(words)}\t{joined(words)}")
    site = site_of(data.get("website") or "")
    if site is not None:
        lines.append(f"website\t{site[1]}\t{site_key(site[0])}")
    return "\n".join(lines)


def _names(slug: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """The kind and the words of each name of a record; nothing twice, but a name without its
    brackets may also be the slug.
    """
    texts = data["name"], *(data.get("former_names") or ())
    names = [[words_of(part) for part in (text, *before_brackets(text))] for text in texts]
    current, *former = names
    named = [("name", current[0]), *(("former_name", words) for words, *_ in former)]
    named += (("identifier", words_of(known)) for known in (slug, *(data["aliases"] or ())))
    named.append(("initials", words_of(initials_of(current[-1] or current[0]))))
    yield from _different(named)
    bare = (("bracket", words) for _, *parts in names for words in parts)
    yield from _different(bare, [words for words, *_ in names])


def _different(
    named: Iterable[tuple[str, Sequence[str]]], known: Iterable[Sequence[str]] = ()
) -> Iterator[tuple[str, Sequence[str]]]:
    """Those with words that are not known, each once."""
    seen: list[Sequence[str]] = [[], *known]
    for kind, words in named:
        if words not in seen:
            seen.append(words)
            yield kind, words


def name_files(records: Iterable[NamedRecord]) -> tuple[list[bytes], set[str]]:
    """The files of the names of these records, and the keys that are divided."""
    named: list[_Line] = []
    sites: list[_Line] = []
    for record in records:
        first, *lines = record.names.split("\n")
        end = _end(record, first)
        for line in lines:
            name, _, key = line.rpartition("\t")
            known = sites if key.startswith("@") else named
            known.append((key, (name + end).encode()))
    size = sum(len(line) for _, line in chain(named, named, sites))
    number = _number_of_files(size)
    letters = letters_for(number)
    bodies, split = _divide_sites(sites)
    for key_of in (first_key, last_key):
        some, divided = _divide_names(named, key_of, letters)
        bodies |= some
        split |= divided
    return _files(bodies, number), split


def _divide_names(
    named: Sequence[_Line], key_of: Callable[[str, int], str], letters: int
) -> tuple[_Bodies, set[str]]:
    """The lines by key, and the divided keys: those of more than MAX_LINES names.  A divided key
    only has the names without a further letter; keys with one more letter have the others.
    """
    bodies: _Bodies = {}
    split: set[str] = set()
    parts = [(letters, named)]
    while parts:
        size, lines = parts.pop()
        groups: dict[str, list[_Line]] = {}
        for line in lines:
            groups.setdefault(key_of(line[0], size), []).append(line)
        for key, group in groups.items():
            if len(group) <= MAX_LINES or len({text for text, _ in group}) == 1:
                bodies[key] = _first_lines(group)
            else:
                split.add(key)
                parts.append((size + 1, group))
    return bodies, split


def _divide_sites(sites: Iterable[_Line]) -> tuple[_Bodies, set[str]]:
    """The same for websites, whose keys are divided by their paths."""
    by_host: dict[str, list[_Line]] = {}
    for line in sites:
        by_host.setdefault(line[0], []).append(line)
    bodies: dict[str, list[_Line]] = {}
    split = {key for key, group in by_host.items() if len(group) > MAX_LINES}
    for key, group in by_host.items():
        for line in group:
            path = line[1].split(b"\t")[1].decode() if key in split else ""
            bodies.setdefault(f"{key}/{path}" if path else key, []).append(line)
    return {key: _first_lines(group) for key, group in bodies.items()}, split


def _first_lines(lines: Sequence[_Line]) -> list[bytes]:
    """The lines of a key, at most MAX_LINES: first those of records whose slug has this key."""
    if len(lines) <= MAX_LINES:
        return [line for _, line in lines]

    def order(line: _Line) -> tuple[bool, bytes]:
        slug = line[1].split(b"\t")[2].decode()
        return joined(words_of(slug)) != line[0], line[1]

    return [line for _, line in sorted(lines, key=order)[:MAX_LINES]]


def id_files(
    records: Iterable[NamedRecord], identifiers: Iterable[tuple[str, str, str, str]]
) -> list[bytes]:
    """The files of the identifiers of these records; none if no record has one.  `identifiers` has
    (slug, scheme, id, URL).
    """
    of_record: dict[str, list[tuple[str, str, str]]] = {}
    for slug, scheme, text, url in identifiers:
        of_record.setdefault(slug, []).append((scheme, text, url))
    bodies: dict[str, list[bytes]] = {}
    for record in records if of_record else ():
        end = _end(record, record.names.partition("\n")[0])
        for scheme, text, url in of_record.get(record.slug, ()):
            line = f"id\t{scheme} {address_of(url)}{end}"
            bodies.setdefault(text.lower(), []).append(line.encode())
    size = sum(len(line) for lines in bodies.values() for line in lines)
    return _files(bodies, _number_of_files(size)) if bodies else []


def _end(record: NamedRecord, name_and_places: str) -> str:
    """The end of a line: the record's slug, id, name and places."""
    return f"\t{record.slug}\t{record.number}\t{name_and_places}\n"


def _number_of_files(size: int) -> int:
    """The number of files, a power of two, for lines of `size` bytes."""
    number = 1
    while number * _FILE < size:
        number *= 2
    return number


def _files(bodies: Mapping[str, list[bytes]], number: int) -> list[bytes]:
    """So many files with these keys and lines."""
    files: list[list[bytes]] = [[] for _ in range(number)]
    for encoded, key in sorted((key.encode(), key) for key in bodies):
        body = b"".join(sorted(set(bodies[key])))
        files[file_with_key(key, number)].append(entry(encoded, body))
    return [b"".join(entries) for entries in files]


def letters_for(files: int) -> int:
    return 2 if files <= MANY_FILES else 3


def file_with_key(key: str, files: int) -> int:
    return crc32(key.encode()) & (files - 1)


IDENTIFIERS: Hook[Callable[[Table, Symbols], Iterable[tuple[str, str, str, str]]]] = Hook(
    "collect", "identifiers", "table, symbols"
)


def add(source: IndexSource) -> Addition:
    named = [*starmap(NamedRecord, source.records)]
    names, split = name_files(named)
    files = {NAMES: names}
    asked = source.table, source.registry.symbols
    identifiers = chain(*(of(*asked) for of in IDENTIFIERS))
    if ids := id_files(named, identifiers):
        files[IDS] = ids
    counts = {kind: len(found) for kind, found in files.items()}
    return Addition(counts, lambda part: files[part[0]][part[1]], split)
