"""The API reference is true: its commands run against a served build, and its examples are answers
of that build.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from generator.cli import commands as cli
from generator.site.paths import REFERENCE
from generator.site.reference.snippets import SITE
from support import commands, registries
from support.serving import SECONDS, serving

PAGES = ("projects", "programs", "organizations", "events", "registry", "agent-layer")


class Example(NamedTuple):
    """One address on a page: the stated status and size, the answer, and the commands."""

    address: str
    size: int
    answer: str
    lines: dict[str, str]


class Page(HTMLParser):
    """The ids and the examples of a page."""

    def __init__(self, html: str):
        super().__init__()
        self.ids: list[str] = []
        self.examples: list[Example] = []
        self._into: list[str] | None = None
        self._what = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        if tag == "p" and attributes.get("class") == "address":
            self.examples.append(Example("", 0, "", {}))
        if self.examples and tag == "a" and not self.examples[-1].address:
            self._set(address=str(attributes["href"]))
        if tag in ("pre", "summary"):
            self._into, self._what = [], attributes.get("aria-label") or tag

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._into is None or tag not in ("pre", "summary") or not self.examples:
            return
        text, self._into = "".join(self._into), None
        if found := re.fullmatch(r"The answer, ([\d,]+) bytes", self._what):
            self._set(size=int(found[1].replace(",", "")), answer=text)
        elif tag == "pre":
            self.examples[-1].lines[self._what] = text

    def _set(self, **fields: Any) -> None:
        self.examples[-1] = self.examples[-1]._replace(**fields)


class Served(NamedTuple):
    base: str
    pages: dict[str, Page]

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.base + path, timeout=SECONDS) as answer:
            body: bytes = answer.read()
            return body

    @property
    def examples(self) -> list[Example]:
        every = [example for page in self.pages.values() for example in page.examples]
        return list({example.address: example for example in every if example.lines}.values())

    def lines(self, name: str) -> dict[str, str]:
        """address -> its command in a language, for this server."""
        lines = {example.address: example.lines.get(name, "") for example in self.examples}
        return {at: text.replace(SITE, self.base) for at, text in lines.items() if text}


@pytest.fixture(scope="module", params=["content", "small"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("reference")
    if request.param == "content":
        shutil.copytree(commands.ROOT / "content", folder / "content")
    else:
        registries.write(folder / "content", registries.content())
    with serving(folder) as base:
        read = Served(base, {})
        for name in ("", *PAGES):
            path = f"{REFERENCE}{name}/" if name else REFERENCE
            read.pages[name] = Page(read.get(path).decode())
        yield read


def test_every_address_of_the_openapi_document_is_described_once(served: Served) -> None:
    operations = [
        item["get"]["operationId"]
        for item in json.loads(served.get("/api/openapi.json"))["paths"].values()
    ]
    described = [name for page in PAGES for name in served.pages[page].ids if name in operations]
    assert sorted(described) == sorted(operations)
    overview = served.get(REFERENCE).decode()
    assert [name for name in operations if f'#{name}"' not in overview] == []


def test_anchors_are_unique(served: Served) -> None:
    for page in served.pages.values():
        assert len(set(page.ids)) == len(page.ids)


def is_beginning_of(beginning: Any, real: Any) -> bool:
    """Whether a shortened value is the beginning of the real value."""
    if isinstance(beginning, dict):
        keys = [key for key in beginning if key != "…"]
        same = [*keys] == [*real][: len(keys)] and ("…" in beginning) == (len(keys) < len(real))
        return same and all(is_beginning_of(beginning[key], real[key]) for key in keys)
    if isinstance(beginning, list):
        rest = beginning[-1:] == ["…"]
        items = beginning[: len(beginning) - rest]
        same = rest == (len(items) < len(real))
        return same and all(map(is_beginning_of, items, real))
    if isinstance(beginning, str) and beginning.endswith("…"):
        return str(real).startswith(beginning[:-1])
    return bool(beginning == real)


def test_every_example_is_an_answer_of_this_build(served: Served) -> None:
    answered = [example for example in served.examples if example.size]
    assert len(answered) > 40
    for example in answered:
        body = served.get(example.address)
        assert len(body) == example.size, example.address
        if body.startswith(b"{"):
            assert is_beginning_of(json.loads(example.answer), json.loads(body)), example.address
        else:
            first = example.answer.splitlines()[0]
            assert body.decode().startswith(first), example.address


def test_the_refusal_in_the_reference_is_the_real_answer(served: Served) -> None:
    (refused,) = (example for example in served.pages[""].examples if not example.lines)
    with pytest.raises(urllib.request.HTTPError) as error:
        served.get(refused.address)
    with error.value as answer:
        assert json.loads(refused.answer) == json.loads(answer.read())


def printed(program: list[str], script: str, served: Served) -> list[str]:
    done = subprocess.run(
        program, input=script, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n--\n")


def test_the_curl_commands_work(served: Served) -> None:
    if not shutil.which("curl"):
        commands.lacking("There is no curl on this machine.")
    lines = served.lines("curl")
    assert len(lines) == len(served.examples)
    each = "".join(f"{line} -sSf\necho; echo --\n" for line in lines.values())
    bodies = printed(["sh", "-e"], each, served)
    for path, body in zip(lines, bodies, strict=False):
        assert body.strip() == served.get(path).decode().replace("\r\n", "\n").strip(), path


def test_the_python_and_javascript_examples_print_the_same(served: Served) -> None:
    python, script = served.lines("Python"), served.lines("JavaScript")
    assert set(python) == set(script) == {example.address for example in served.examples}
    each = "".join(f"{line}\nprint('\\n--')\n" for line in python.values())
    output = printed([sys.executable, "-"], each, served)
    assert len(output) > 40 and all(text.strip() for text in output[:-1])
    if not shutil.which("node"):
        commands.lacking("There is no Node on this machine.")
    each = "".join(f"{{\n{line}\nconsole.log('\\n--')\n}}\n" for line in script.values())
    assert printed(["node", "--input-type=module"], each, served) == output


def test_the_registry_commands_work(served: Served, tmp_path: Path) -> None:
    lines = served.lines("registry")
    assert {line.split()[1] for line in lines.values()} >= {
        "list", "search", "count", "get", "calendar", "dashboard"
    }  # fmt: skip
    for path, line in lines.items():
        program, *words = shlex.split(line)
        assert program == "registry"
        done = CliRunner(env={"XDG_CACHE_HOME": str(tmp_path)}).invoke(cli, words)
        assert done.exit_code == 0, (path, line, done.output)
        if "?" in path or path.endswith("/page/1.json"):
            assert json.loads(done.stdout)["query"] == json.loads(served.get(path))["query"], path
        elif path.endswith(".ics"):
            assert done.stdout_bytes == served.get(path)
