"""What a query costs at an edge: reads, bytes, and the processor time of a first and a later query.

    python benchmarks/edge.py [--projects 10000] [--content DIR] [--queries 100] [--out
    benchmarks/queries.md]

Each question is answered by the script that Cloudflare runs, from the files of a build.

workerd   Cloudflare's engine, with the folder as a disk service.  A first query is asked of an
          isolate that has answered nothing; later ones of an isolate that has answered them all
          before.  The time is that of the whole process (its CPU clock, all threads), so it has
          what the engine needs for HTTP and files too.  "reads alone" is the same for a script that
          only reads the same files.
node      A process for each question, which has used fetch before: its CPU time from the import of
          the script to the body, and that of the same question once more.

Needs node and the modules of tests/hosts.  Writes tables into --out, between two comments; those of
other registries, from earlier runs, stay.
"""

from __future__ import annotations

import gzip
import http.client
import json
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode

import corpus
import counts
import report
from corpus import spread
from reading import ENVIRONMENT, Answer, Cost, Published, published, spreads

from generator.hosts import cloudflare
from generator.text.words import split_words

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "edge.json"
WORKERD = HERE.parent / "tests/hosts/node_modules/@cloudflare/workerd-linux-64/bin/workerd"
#: The columns of times, in milliseconds.
TIMES = ("first", "later", "reads alone", "Node: import", "Node: first", "Node: later")
#: What is asked -> how many words of a record's name and summary, how many of its values, the sort.
KINDS = {
    "a word": (1, 0, ""),
    "two words": (2, 0, ""),
    "a word and a filter": (1, 1, ""),
    "two filters": (0, 2, ""),
    "a filter, newest first": (0, 1, "-year"),
}
WARM_UP = 5  # questions to isolates that are not measured, for what a process does once
#: A script that reads the files of its body, which has a path in each line, and nothing else.
READS_ALONE = b"""\
export default {
  async fetch(request, env) {
    const read = async (path) => (await env.ASSETS.fetch(`http://site${path}`)).arrayBuffer()
    const files = await Promise.all((await request.text()).split('\\n').map(read))
    return new Response(`${files.reduce((sum, { byteLength }) => sum + byteLength, 0)}`)
  },
}
"""
CONFIGURATION = """\
using Workerd = import "/workerd/workerd.capnp";
const site :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2025-10-01",
  bindings = [(name = "ASSETS", service = "files")],
);
const config :Workerd.Config = (
  services = [(name = "files", disk = (path = %(files)s, writable = false)), %(services)s],
  sockets = [%(sockets)s],
);
"""


class Question(NamedTuple):
    kind: str
    target: str
    answer: Answer


def questions(site: Published, number: int) -> Iterator[Question]:
    """So many questions, as many of each kind, that a record answers and no prepared page."""
    chance, rows, kinds = random.Random(corpus.SEED), list(site.rows()), list(KINDS)
    while number:
        kind = kinds[number % len(kinds)]
        words, values, sort = KINDS[kind]
        row = chance.choice(rows)
        having = counts.values(row)
        texts = split_words(f"{row['name']} {row['summary']}")
        known = sorted({word for word in texts if len(word) > 2})
        if len(having) < values or len(known) < words:
            continue
        names = chance.sample(sorted(having), values)
        asked = {"mode": "page"} | {name: chance.choice(having[name]) for name in names}
        asked |= {"q": " ".join(chance.sample(known, words))} if words else {}
        asked |= {"sort": sort} if sort else {}
        target = f"{site.grammar.projects.root}?{urlencode(asked)}"
        answer = site.ask(target)
        if answer.document:
            number -= 1
            yield Question(kind, target, answer)


class Connection(http.client.HTTPConnection):
    """To a socket of this machine."""

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


class Isolates:
    """A process of workerd with so many isolates of a script."""

    def __init__(self, script: bytes, out: Path, number: int, folder: Path):
        self.folder = folder
        (folder / "worker.js").write_bytes(script)
        services = [f'(name = "w{n}", worker = .site)' for n in range(number)]
        sockets = [
            f'(name = "s{n}", address = "unix:{folder}/{n}", http = (), service = "w{n}")'
            for n in range(number)
        ]
        values = {"services": ", ".join(services), "sockets": ", ".join(sockets)}
        (folder / "config.capnp").write_text(
            CONFIGURATION % {"files": json.dumps(str(out.resolve())), **values}
        )
        self.process = subprocess.Popen([WORKERD, "serve", folder / "config.capnp"])
        while not (folder / str(number - 1)).exists():
            if self.process.poll() is not None:
                raise SystemExit("workerd ended")
            time.sleep(0.05)
        self.start = self.settle() * 1000 / number

    def seconds(self) -> float:
        """CPU time of the process: clock_getcpuclockid of Linux."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def settle(self) -> float:
        """Wait until the process does nothing; returns its CPU time."""
        before = -1.0
        while (now := self.seconds()) > before:
            before = now
            time.sleep(0.01)
        return now

    def ask(self, number: int, target: str, body: str = "") -> float:
        """Milliseconds of CPU that an answer of an isolate takes."""
        before = self.settle()
        connection = Connection(str(self.folder / str(number)))
        connection.request("POST" if body else "GET", target, body or None, {"Host": "site"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{target}: {answer.status}")
        return (self.settle() - before) * 1000


@contextmanager
def isolates(script: bytes, out: Path, number: int) -> Iterator[Isolates]:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        found = Isolates(script, out, number, Path(folder))
        try:
            yield found
        finally:
            found.process.kill()
            found.process.wait()


def script_of(site: Published) -> bytes:
    """The script for Cloudflare."""
    symbols: Any = SimpleNamespace(grammar=site.grammar)
    return bytes(next(cloudflare.render(symbols)).data)


def first_and_later(
    script: bytes, out: Path, asked: Sequence[tuple[str, str]]
) -> tuple[float, list[float], list[float]]:
    """The milliseconds of a start, with a share of that of workerd; and of each question to an
    isolate of its own, and to one that knows them.
    """
    with isolates(script, out, WARM_UP + len(asked)) as engines:
        for n in range(WARM_UP):
            engines.ask(n, *asked[n % len(asked)])
        first = [engines.ask(WARM_UP + n, *question) for n, question in enumerate(asked)]
        for question in asked:
            engines.ask(0, *question)
        return engines.start, first, [engines.ask(0, *question) for question in asked]


def in_node(script: bytes, out: Path, asked: Sequence[str]) -> list[list[float]]:
    """The milliseconds of importing the script, of a first and of a second answer."""
    with tempfile.TemporaryDirectory() as folder:
        worker = Path(folder, "worker.mjs")
        worker.write_bytes(script)
        command = ["node", HERE / "edge.mjs", worker, out]
        return [
            json.loads(subprocess.check_output([*command, target], env=ENVIRONMENT))
            for target in asked
        ]


def measured(registry: int | Path, number: int) -> dict[str, Any]:
    with published(registry) as site:
        return costs(site, number)


def costs(site: Published, number: int) -> dict[str, Any]:
    """The size of the script, and reads, bytes and milliseconds of each question."""
    script, asked = script_of(site), list(questions(site, number))
    targets = [question.target for question in asked]
    start, first, later = first_and_later(script, site.out, [(target, "") for target in targets])
    reads = [("/", "\n".join(question.answer.paths)) for question in asked]
    least, alone, _ = first_and_later(READS_ALONE, site.out, reads)
    times = [first, later, alone, *zip(*in_node(script, site.out, targets), strict=True)]
    return {
        "records": sum(1 for _ in site.rows()),
        "script": [len(script), len(gzip.compress(script, 6))],
        "start": start - least,
        "kinds": [question.kind for question in asked],
        "costs": [question.answer.cost for question in asked],
        "times": dict(zip(TIMES, times, strict=True)),
    }


def rendered(results: dict[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        raw, sent = (size / 1000 for size in result["script"])
        start = f"its start takes {result['start']:.1f} ms more than that of an empty one."
        size = f"The script has {raw:.0f} KB, {sent:.0f} KB sent;"
        lines += [f"### {title}", "", f"{size} {start}", ""]
        places: dict[str, list[int]] = {"all": list(range(len(result["kinds"])))}
        for place, kind in enumerate(result["kinds"]):
            places.setdefault(kind, []).append(place)
        rows = []
        for kind, these in places.items():
            answers = [Cost(*result["costs"][n]) for n in these]
            times = [spread([result["times"][name][n] for n in these], ",.1f") for name in TIMES]
            rows.append([kind, *spreads(answers), *times])
        head = ["asked for", "reads", "rounds", "KB", "KB sent", *TIMES]
        lines += report.table(head, rows)
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "edge", measured, rendered, RESULTS)
