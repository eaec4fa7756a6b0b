"""What the build log costs as it is, and what it would as a SQLite database: with a row for each
file, or for each folder.

    python benchmarks/buildlog.py [--records 100000] [--runs 5]

Both hold the same: an inventory of the inputs (name, three numbers and a digest a file), one of the
outputs (name and two numbers), and the rows with their summaries (about 1 KB a record).  Neither
waits for the disk: a log that is lost costs a whole build and nothing else.  Times are medians of
processor time in ms, in one process, with everything in memory.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.build.buildlog import Log, Packed, Writer
from generator.build.head import Head

from generator.api.artifact import History
from generator.build import inventory
from generator.build.report import Sizes
from generator.guard.state import State
from generator.records.folder import COLLECTIONS, REFERRED

#: Files of one folder, as content and output lie in folders.
FOLDER = 1_000


def places(fields: Sequence[bytes], summaries: Sequence[bytes], start: int) -> Iterator[int]:
    """The six numbers of each row, when all fields are written from `start`, and after them all
    summaries.
    """
    second = start + sum(map(len, fields))
    for own, summary in zip(fields, summaries, strict=True):
        yield from (start, len(own), crc32(own), second, len(summary), crc32(summary))
        start += len(own)
        second += len(summary)


class Corpus:
    """The same files and records for both."""

    def __init__(self, records: int):
        rng = random.Random(1)
        self.paths = [f"projects/{i // FOLDER:03}/project-{i:06}" for i in range(records)]
        self.inputs = {
            f"{path}.yaml": ((10**18 + i, 10**18 + i, 700), rng.randbytes(20))
            for i, path in enumerate(self.paths)
        }
        self.outputs = {
            f"api/{path}.json": ((10**18 + i, 2_000), b"") for i, path in enumerate(self.paths)
        }
        self.fields = [rng.randbytes(200).hex().encode() for _ in range(records)]
        self.summaries = [rng.randbytes(300).hex().encode() for _ in range(records)]


class Present:
    """The log as generator.build.buildlog has it."""

    def __init__(self, folder: Path):
        self.folder = folder / "log"

    def _finish(self, writer: Writer, corpus: Corpus) -> None:
        for name in set(COLLECTIONS) - {"projects"}:
            writer.rows(name, [], append=False)
            for what in ("table", "places"):
                writer.part(f"{what}-{name}")
        none = dict.fromkeys(COLLECTIONS, 0)
        head = Head(
            fingerprint="", folder="", moment=("", "", None), digest="", symbols=({}, {}),
            documents={}, sizes=Sizes(), records=none, state=State(none, {}, {}), kept=(),
            tripped=False, hosts=(), precompress=(), too_large=[], problems=[], packed=none,
            index={name: (0, {}) for name in COLLECTIONS},
            sources={name: {} for name in REFERRED}, largest=("", 0),
            aliases={name: {} for name in COLLECTIONS}, history=History("none"), issued=0,
        )  # fmt: skip
        writer.prepare(head)
        writer.finish()

    def write(self, corpus: Corpus) -> None:
        with Writer(self.folder, None) as writer:
            start = writer.rows("projects", [*corpus.fields, *corpus.summaries], append=False)
            writer.part(
                "places-projects",
                [],
                [array("q", places(corpus.fields, corpus.summaries, start)).tobytes()],
            )
            writer.part("table-projects")
            writer.part("marks")
            writer.part("settled")
            writer.inventory("inputs", inventory.patched({}, corpus.inputs, inventory.INPUT))
            writer.inventory("outputs", inventory.patched({}, corpus.outputs, inventory.OUTPUT))
            self._finish(writer, corpus)

    def look(self) -> int:
        """What a build without a change needs: names and numbers of all files."""
        log = self._opened()
        return sum(
            len(held.stats)
            for which in ("inputs", "outputs")
            for held in log.inventory(which).values()
        )

    def read(self, number: int) -> bytes:
        log = self._opened()
        places_ = memoryview(log.part("places-projects", list)[1][0]).cast("q")
        return bytes(Packed(log.rows("projects"), places_, {}, None, summaries=True)[number])

    def patch(self, number: int, corpus: Corpus) -> None:
        log = self._opened()
        with Writer(self.folder, log) as writer:
            start = writer.rows(
                "projects", [corpus.fields[number], corpus.summaries[number]], append=True
            )
            numbers = array("q", log.part("places-projects", list)[1][0])
            numbers[number * 6 : number * 6 + 6] = array(
                "q", places([corpus.fields[number]], [corpus.summaries[number]], start)
            )
            writer.part("places-projects", [], [numbers.tobytes()])
            writer.keep("table-projects", "marks", "settled")
            path = corpus.paths[number]
            inputs, outputs = log.inventory("inputs"), log.inventory("outputs")
            writer.inventory(
                "inputs",
                inventory.patched(
                    inputs, {f"{path}.yaml": ((1, 1, 1), bytes(20))}, inventory.INPUT
                ),
            )
            writer.inventory(
                "outputs",
                inventory.patched(outputs, {f"api/{path}.json": ((1, 1), b"")}, inventory.OUTPUT),
            )
            self._finish(writer, corpus)

    def _opened(self) -> Log:
        log = Log.find(self.folder)
        assert log is not None
        return log


class Database:
    """The same in tables, a row for each file; `WITHOUT ROWID` and one transaction, as is fastest
    here.
    """

    def __init__(self, folder: Path):
        self.path = folder / "log.sqlite"

    def _create(self, db: sqlite3.Connection, corpus: Corpus) -> None:
        db.execute(
            "CREATE TABLE inputs (path TEXT PRIMARY KEY, mtime INT, ctime INT, size INT, "
            "digest BLOB) WITHOUT ROWID"
        )
        db.execute(
            "CREATE TABLE outputs (path TEXT PRIMARY KEY, mtime INT, size INT) WITHOUT ROWID"
        )
        db.executemany(
            "INSERT INTO inputs VALUES (?,?,?,?,?)",
            ((p, *stat, digest) for p, (stat, digest) in corpus.inputs.items()),
        )
        db.executemany(
            "INSERT INTO outputs VALUES (?,?,?)",
            ((p, *stat) for p, (stat, _) in corpus.outputs.items()),
        )

    def _patch(self, db: sqlite3.Connection, path: str) -> None:
        db.execute(
            "UPDATE inputs SET mtime=1, ctime=1, size=1, digest=? WHERE path=?",
            (bytes(20), f"{path}.yaml"),
        )
        db.execute("UPDATE outputs SET mtime=1, size=1 WHERE path=?", (f"api/{path}.json",))

    def _open(self) -> sqlite3.Connection:
        found = sqlite3.connect(self.path, isolation_level=None)
        found.execute("PRAGMA synchronous=OFF")
        found.execute("PRAGMA mmap_size=2000000000")
        return found

    def write(self, corpus: Corpus) -> None:
        self.path.unlink(missing_ok=True)
        db = self._open()
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, fields BLOB, summary BLOB)")
        db.execute("BEGIN")
        self._create(db, corpus)
        db.executemany(
            "INSERT INTO rows VALUES (?,?,?)",
            zip(range(len(corpus.fields)), corpus.fields, corpus.summaries, strict=True),
        )
        db.execute("COMMIT")
        db.close()

    def check(self) -> None:
        """What finds a damaged page of it; the present log has a checksum a part and a row, and
        these are in its times.
        """
        db = self._open()
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
        db.close()

    def look(self) -> int:
        db = self._open()
        found = len(db.execute("SELECT path, mtime, ctime, size FROM inputs").fetchall())
        found += len(db.execute("SELECT path, mtime, size FROM outputs").fetchall())
        db.close()
        return found

    def read(self, number: int) -> bytes:
        db = self._open()
        (found,) = db.execute("SELECT summary FROM rows WHERE number=?", (number,)).fetchone()
        db.close()
        return bytes(found)

    def patch(self, number: int, corpus: Corpus) -> None:
        db = self._open()
        path = corpus.paths[number]
        db.execute("BEGIN")
        db.execute(
            "UPDATE rows SET fields=?, summary=? WHERE number=?",
            (corpus.fields[number], corpus.summaries[number], number),
        )
        self._patch(db, path)
        db.execute("COMMIT")
        db.close()


class Folders(Database):
    """With a row for each folder, packed as the present log has them."""

    def _create(self, db: sqlite3.Connection, corpus: Corpus) -> None:
        for table, files, width in (
            ("inputs", corpus.inputs, inventory.INPUT),
            ("outputs", corpus.outputs, inventory.OUTPUT),
        ):
            db.execute(
                f"CREATE TABLE {table} (path TEXT PRIMARY KEY, names BLOB, stats BLOB, "
                "digests BLOB) WITHOUT ROWID"
            )
            folders = inventory.patched({}, files, width).items()
            db.executemany(
                f"INSERT INTO {table} VALUES (?,?,?,?)",
                ((path, *folder) for path, folder in folders),
            )

    def look(self) -> int:
        db = self._open()
        found = sum(
            len(db.execute(f"SELECT * FROM {table}").fetchall()) for table in ("inputs", "outputs")
        )
        db.close()
        return found

    def _patch(self, db: sqlite3.Connection, path: str) -> None:
        for table, file, what, width in (
            ("inputs", f"{path}.yaml", ((1, 1, 1), bytes(20)), inventory.INPUT),
            ("outputs", f"api/{path}.json", ((1, 1), b""), inventory.OUTPUT),
        ):
            folder = file.rpartition("/")[0]
            held = inventory.Folder(
                *db.execute(
                    f"SELECT names, stats, digests FROM {table} WHERE path=?", (folder,)
                ).fetchone()
            )
            now = inventory.patched({folder: held}, {file: what}, width)[folder]
            db.execute(
                f"UPDATE {table} SET stats=?, digests=? WHERE path=?",
                (now.stats, now.digests, folder),
            )


def milliseconds(
    what: Callable[[], Any], runs: int, clock: Callable[[], float] = time.process_time
) -> float:
    found = []
    for _ in range(runs):
        began = clock()
        what()
        found.append((clock() - began) * 1000)
    return median(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    corpus = Corpus(options.records)
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    print(
        "| ms | write | look at all files | read one row | patch one | bytes |\n"
        "|---|--:|--:|--:|--:|--:|"
    )
    try:
        one = options.records // 2
        for name, log in (
            ("as it is", Present(folder)),
            ("SQLite, a row a file", Database(folder)),
            ("SQLite, a row a folder", Folders(folder)),
        ):
            write = milliseconds(lambda log=log: log.write(corpus), options.runs)
            assert log.read(one) == corpus.summaries[one]
            times = [
                write,
                milliseconds(log.look, options.runs),
                milliseconds(lambda log=log: log.read(one), options.runs),
            ]
            times.append(milliseconds(lambda log=log: log.patch(one, corpus), options.runs))
            assert log.read(one) == corpus.summaries[one]
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            print(f"| {name} | {' | '.join(f'{t:,.1f}' for t in times)} | {size / 1e6:,.0f} MB |")
            if isinstance(log, Database):
                print(
                    f"| {name}, checked | | {milliseconds(log.check, options.runs):,.1f} more | "
                    "| | |"
                )
            for path in folder.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    finally:
        shutil.rmtree(folder)
    code = "import time; t = time.process_time; began = t(); import sqlite3; print(t() - began)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        for _ in range(options.runs)
    ]
    print(f"\nimport sqlite3: {median(float(run.stdout) for run in runs) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
