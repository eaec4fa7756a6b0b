"""The files of the names in an index, by which `generator.search.names` finds what a name means.

A file has entries (generator.search.format) of the keys that fall into it.  The body of a key has a
line for each name: its kind, its words or the path of a website, the record's slug, id, name and
places, separated by tabs.  Everything needed for a score is in the line, so no other file is
read.  The number of files, a power of two, says how many letters of a name the keys have.

Identifiers have files of the same form, if there are any.  A key is an identifier in lower case;
the words of a line are the scheme, and the host and path of the web address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import orjson

from generator.model.identifiers import IdScheme
from generator.model.tables.table import Table
from generator.search.format import entry
from generator.search.names import address_of, keys_of, name_of, site_key, site_of, words_of

#: Maximum average bytes of a file.
_FILE = 32_768
#: With more files, keys have three letters instead of two.
MANY_FILES = 256


def name_files(table: Table, ids: Sequence[int]) -> list[bytes]:
    """The files of a table; `ids` has the id of each of its records."""
    known = [*_names(table, ids)]
    number = 1
    while number * _FILE < sum(len(line) * (2 - path) for _, line, path in known):
        number *= 2
    letters = letters_for(number)
    bodies: dict[str, list[bytes]] = {}
    for key, line, path in known:
        for each in [key] if path else keys_of(name_of(key.split(" ")), letters):
            bodies.setdefault(each, []).append(line)
    return _files(bodies, number)


def id_files(table: Table, ids: Sequence[int], schemes: Mapping[str, IdScheme]) -> list[bytes]:
    """The files of the identifiers of a table; none if no record has one."""
    bodies: dict[str, list[bytes]] = {}
    for slug, summary, number in zip(table.slugs, table.summaries, ids, strict=True):
        known = table.identifiers.get(slug, ()) if table.identifiers else ()
        if known:
            end = _end(orjson.loads(summary), number)
        for scheme, _, text in (each.partition(":") for each in known):
            line = f"id\t{scheme} {address_of(schemes[scheme].address(text))}{end}"
            bodies.setdefault(text.lower(), []).append(line.encode())
    number, size = 1, sum(len(line) for lines in bodies.values() for line in lines)
    while number * _FILE < size:
        number *= 2
    return _files(bodies, number) if bodies else []


def _files(bodies: Mapping[str, list[bytes]], number: int) -> list[bytes]:
    """So many files with these keys and lines."""
    files: list[list[bytes]] = [[] for _ in range(number)]
    for encoded, key in sorted((key.encode(), key) for key in bodies):
        body = b"".join(sorted(set(bodies[key])))
        files[file_with_key(key, number)].append(entry(encoded, body))
    return [b"".join(entries) for entries in files]


def _end(record: Mapping[str, Any], number: int) -> str:
    """The end of a line: the record's slug, id, name and places."""
    places = sorted({place["slug"] for place in record.get("locations") or ()})
    if record.get("remote"):
        places.append("remote")
    return f"\t{record['slug']}\t{number}\t{record['name']}\t{' '.join(places)}\n"


def letters_for(files: int) -> int:
    return 2 if files <= MANY_FILES else 3


def file_with_key(key: str, files: int) -> int:
    return crc32(key.encode()) & (files - 1)


def _names(table: Table, ids: Sequence[int]) -> Iterator[tuple[str, bytes, bool]]:
    """(words, line, False) for each name of each record; (key, line, True) for its website."""
    for summary, number in zip(table.summaries, ids, strict=True):
        record: dict[str, Any] = orjson.loads(summary)
        end = _end(record, number)
        for kind, words in _kinds(record, table.aliases.get(record["slug"], ())):
            yield words, f"{kind}\t{words}{end}".encode(), False
        site = site_of(record.get("website") or "")
        if site is not None:
            yield site_key(site[0]), f"website\t{site[1]}{end}".encode(), True


def _kinds(record: Mapping[str, Any], aliases: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What a record is found by, as kind and words; nothing twice."""
    current = words_of(record["name"])
    named = [("name", current)]
    named += (("former_name", words_of(former)) for former in record.get("former_names") or ())
    named += (("identifier", words_of(slug)) for slug in (record["slug"], *aliases))
    named.append(("initials", words_of(name_of(current).initials)))
    seen = {""}
    for kind, words in named:
        text = " ".join(words)
        if text not in seen:
            seen.add(text)
            yield kind, text
