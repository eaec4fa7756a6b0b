"""SQLite FTS5 as a process that is asked questions, as benchmarks/engine.py is.

    python benchmarks/peers/sqlite/engine.py OUT DATABASE [RECORDS]

OUT is our build, which is not read; the answers are list documents with the query, the page and
rows like ours.  With RECORDS, a file with a record a line in the default order, it makes the
database, and prints the CPU seconds it took.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import serve

from generator.text.words import split_words

# The texts are not kept beside their words, and words not by their places in a text: that makes the
# file a third smaller.
SCHEMA = """
PRAGMA journal_mode = off;
PRAGMA synchronous = off;
CREATE TABLE records (id INTEGER PRIMARY KEY, year INTEGER, row BLOB);
CREATE TABLE facets (facet INTEGER, id INTEGER, PRIMARY KEY (facet, id)) WITHOUT ROWID;
CREATE TABLE names (name TEXT PRIMARY KEY, facet INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE texts USING fts5 (names, summary, tags, description, content='', detail=column,
                                       prefix='3', tokenize='unicode61 remove_diacritics 2');
"""
FINISH = """
INSERT INTO texts (texts) VALUES ('optimize');
CREATE INDEX years ON records (id, year);
ANALYZE;
VACUUM;
"""
PAGE = 50


def make(records: Iterable[dict[str, Any]], database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.executescript(SCHEMA)
    facets: dict[str, int] = {}
    for number, record in enumerate(records):
        connection.execute(
            "INSERT INTO records VALUES (?, ?, ?)", (number, record["year"], record["row"].encode())
        )
        texts = (record["names"], record["summary"], record["tags"], record["description"])
        connection.execute(
            "INSERT INTO texts (rowid, names, summary, tags, description) VALUES (?, ?, ?, ?, ?)",
            (number, *texts),
        )
        held = [(facets.setdefault(facet, len(facets)), number) for facet in record["facets"]]
        connection.executemany("INSERT INTO facets VALUES (?, ?)", held)
    connection.executemany("INSERT INTO names VALUES (?, ?)", facets.items())
    connection.commit()
    connection.executescript(FINISH)
    connection.close()


def opened(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)
    connection.execute("PRAGMA cache_size = -262144")  # KiB: nothing is read twice
    return connection


def matching(connection: sqlite3.Connection, question: dict[str, Any]) -> list[int]:
    """Every record that matches, in order: counting them and then asking for a page took longer."""
    q, sort = question["q"], question["sort"]
    facets = [f"{name}/{value}" for name, value in question["filters"].items()]
    having = "SELECT id FROM facets WHERE facet = (SELECT facet FROM names WHERE name = ?)"
    if q is None:
        several = " INTERSECT ".join([having] * len(facets))
        asked = (
            f"SELECT id FROM records INDEXED BY years WHERE id IN ({several}) ORDER BY year "
            "DESC, id"
        )
        return [number for (number,) in connection.execute(asked, facets)]
    order = "bm25(texts, 10, 3, 3, 1), rowid" if sort == "relevance" else "rowid"
    # `+`: else it looks up the words of each record that the filter has, one by one.
    asked = (
        "SELECT rowid FROM texts WHERE texts MATCH "
        f"?{f' AND +rowid IN ({having})' * len(facets)} ORDER BY {order}"
    )
    text = " AND ".join(f'"{word}"{" *" * (len(word) > 2)}' for word in split_words(q))
    return [number for (number,) in connection.execute(asked, (text, *facets))]


def bytes_read() -> int:
    """What this process has read from files so far."""
    return int(Path("/proc/self/io").read_bytes().split()[1])


def main(out: Path, database: Path, source: Path | None = None) -> None:
    if source is not None:
        with source.open("rb") as file:
            records = list(map(json.loads, file))
        began = time.process_time()
        make(records, database)
        print(json.dumps({"seconds": time.process_time() - began}))
        return
    warm = opened(database)

    def answer(question: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
        before = bytes_read() if question["cold"] else 0
        connection = opened(database) if question["cold"] else warm
        found = matching(connection, question)
        numbers = found[:PAGE]
        asked = f"SELECT id, row FROM records WHERE id IN ({','.join(map(str, numbers))})"
        rows = dict(connection.execute(asked).fetchall())
        page = json.dumps({"number": 1, "size": PAGE, "total_items": len(found)}).encode()
        data = b",".join(rows[number] for number in numbers)
        document = b'{"query":%b,"page":%b,"data":[%b]}' % (
            json.dumps({**question["filters"], "q": question["q"]}).encode(),
            page,
            data,
        )
        return document, {"read": bytes_read() - before} if question["cold"] else {}

    serve(answer)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
