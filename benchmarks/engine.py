"""Our engine as a process of Python that is asked questions: `python benchmarks/engine.py OUT`.

stdin   a line for each question: {"target": query URL, "q", "filters", "sort", "cold"}, JSON
stdout  `ready`; then for each question a line {"seconds", "total", "slugs"}, of a cold one with
        {"paths"}

The seconds are those from the question to the bytes of the document.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from generator.engine.bundles import make_table
from generator.engine.context import Engine, Request
from generator.reader.deployment import Deployment

#: A question -> the document, and what more is told of how it was answered.
Answer = Callable[[dict[str, Any]], tuple[bytes, dict[str, Any]]]


def serve(answer: Answer) -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        began = time.perf_counter()
        document, more = answer(question)
        seconds = time.perf_counter() - began
        found = json.loads(document)
        slugs = [row["slug"] for row in found["data"]]
        print(
            json.dumps(
                {"seconds": seconds, "total": found["page"]["total_items"], "slugs": slugs, **more}
            ),
            flush=True,
        )


def main(out: Path) -> None:
    site = Deployment.open(out)
    table, paths = make_table(site.grammar), list[str]()

    def read(wanted: Sequence[str]) -> list[bytes | None]:
        paths.extend(wanted)
        return site.read_files(wanted)

    warm = Engine(lambda: table)

    def answer(question: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
        paths.clear()
        engine = Engine(lambda: table) if question["cold"] else warm
        document = engine.respond(Request(question["target"]), read).body
        return document, {"paths": list(paths)} if question["cold"] else {}

    serve(answer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
