"""Compare the answers in the documents with a build of the content.

A block of JSON after `<!-- answer: /api/dashboard.json data.counts -->` shows the file or the
answer to a query at that path, below the given keys.  Blocks may be shortened: "…" as the last
item of a list means further items, "…" as the last key of an object means other keys, and a text
that ends with … is cut.

`python tests/docs/answers.py` updates every block and keeps its shortenings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from generator.build import build
from generator.build.options import BuildOptions
from generator.published.history.provenance import Moment
from generator.reader.deployment import Deployment
from generator.serve.answer import answer

ROOT = Path(__file__).resolve().parent.parent.parent
REST = "…"
WIDTH = 112
_BLOCK = re.compile(r"(<!-- answer: (\S+)(?: (\S+))? -->\n+```json\n)(.*?)(\n```)", re.S)


class Answer(NamedTuple):
    """A block of a document: the path it shows, the keys of the part, and its text."""

    document: Path
    path: str
    keys: str
    text: str


def documents() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def answers() -> Iterator[Answer]:
    for document in documents():
        for _, path, keys, text, _ in _BLOCK.findall(document.read_text("utf-8")):
            yield Answer(document, path, keys, text)


def build_content(out: Path) -> Path:
    """Build the content on the day of the documents; the commit is a placeholder."""
    day = date(2026, 11, 21)
    report = build(
        str(ROOT / "content"),
        out,
        Moment(datetime(2026, 11, 21, tzinfo=UTC), day, "0" * 40),
        BuildOptions(jobs=1, site=False),
    )
    assert not report.failed, report.problems
    return out


def part(site: Path, path: str, keys: str) -> Any:
    """The value at `keys`, such as `data.values.0`, in a file or in the answer to a query."""
    is_query = "?" in path
    raw = (
        answer("GET", path, Deployment.open(site)).body
        if is_query
        else (site / path[1:]).read_bytes()
    )
    value = json.loads(raw)
    for key in filter(None, keys.split(".")):
        value = value[int(key) if isinstance(value, list) else key]
    return value


def shorten(real: Any, written: Any) -> Any:
    """Shorten `real` in the places where `shown` is shortened."""
    if isinstance(real, dict) and isinstance(written, dict) and REST in written:
        return {key: shorten(real[key], written[key]) for key in written if key in real} | {
            REST: REST
        }
    if isinstance(real, dict) and isinstance(written, dict):
        return {key: shorten(value, written.get(key)) for key, value in real.items()}
    if isinstance(real, list) and isinstance(written, list):
        cut = bool(written) and written[-1] == REST
        items = written[:-1] if cut else written + [None] * (len(real) - len(written))
        more = [REST] if cut and len(real) > len(items) else []
        return [shorten(value, item) for value, item in zip(real, items, strict=False)] + more
    if isinstance(real, str) and isinstance(written, str) and written.endswith(REST):
        return real[: len(written) - 1] + REST
    return real


def layout(value: Any, indent: str = "") -> str:
    """Format JSON: on one line if it fits, else a line for each item."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [
            f"{deeper}{json.dumps(key, ensure_ascii=False)}: {layout(item, deeper)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + layout(item, deeper) for item in value) + f"\n{indent}]"


def rewrite(site: Path) -> None:
    for document in documents():
        text = document.read_text("utf-8")
        new = _BLOCK.sub(
            lambda m: m[1] + layout(shorten(part(site, m[2], m[3] or ""), json.loads(m[4]))) + m[5],
            text,
        )
        if new != text:
            document.write_text(new, "utf-8")
            print(document.relative_to(ROOT))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        rewrite(build_content(Path(folder) / "site"))
