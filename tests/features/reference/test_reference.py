"""The API reference is true: its commands run, and its examples are answers of the build."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from generator.cli import commands as cli
from generator.features.reference.pieces import SITE
from generator.site.paths import REFERENCE
from support import commands, markup
from support.serving import Published, fetch

PAGES = ("projects", "programs", "organizations", "events", "registry", "agent-layer")


class Example(NamedTuple):
    """One address on a page: the size, the beginning of the answer, and its commands."""

    address: str
    size: int
    answer: str
    lines: dict[str, str]


def examples_of(page: markup.Page) -> Iterator[Example]:
    """A paragraph with an address, and what follows until the next one."""
    starts = [n for n, e in enumerate(page.elements) if e.attributes.get("class") == "address"]
    for start, end in pairwise([*starts, len(page.elements)]):
        part = page.elements[start:end]
        explored = next(e for e in part if e.attributes.get("class") == "try")
        address = explored.attributes["href"].partition("#")[2]
        size, answer, lines = 0, "", {}
        for element in part:
            label = element.attributes.get("aria-label", element.tag)
            if found := re.fullmatch(r"The answer, ([\d,]+) bytes", label):
                size, answer = int(found[1].replace(",", "")), element.text
            elif element.tag == "pre":
                lines[label] = element.text
        yield Example(address, size, answer, lines)


class Served(NamedTuple):
    """A registry, and its pages of the reference by name."""

    site: Published
    pages: dict[str, markup.Page]
    has_functions: bool

    @property
    def answered(self) -> set[str]:
        """The addresses that its hosts answer: without functions only files."""
        every = {example.address for example in self.examples}
        return every if self.has_functions else {at for at in every if "?" not in at}

    @property
    def examples(self) -> list[Example]:
        every = [example for page in self.pages.values() for example in examples_of(page)]
        return list({example.address: example for example in every if example.lines}.values())

    def lines(self, name: str) -> dict[str, str]:
        """address -> its command in a language, for this server."""
        lines = {example.address: example.lines.get(name, "") for example in self.examples}
        return {at: text.replace(SITE, self.site.base) for at, text in lines.items() if text}


@pytest.fixture(
    scope="module", params=["small_registry", pytest.param("content", marks=pytest.mark.slow)]
)
def served(request: pytest.FixtureRequest) -> Served:
    site: Published = request.getfixturevalue(request.param)
    paths = {name: f"{REFERENCE}{name}/" if name else REFERENCE for name in ("", *PAGES)}
    pages = {name: markup.parse(site.get(path)) for name, path in paths.items()}
    return Served(site, pages, has_functions=request.param == "content")


def test_every_address_of_the_openapi_document_is_described_once(served: Served) -> None:
    operations = [
        item["get"]["operationId"]
        for item in served.site.json("/api/openapi.json")["paths"].values()
    ]
    ids = [
        e.attributes["id"] for n in PAGES for e in served.pages[n].elements if "id" in e.attributes
    ]
    assert sorted(name for name in ids if name in operations) == sorted(operations)
    overview = served.site.get(REFERENCE).decode()
    assert [name for name in operations if f'#{name}"' not in overview] == []


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
        body = served.site.get(example.address)
        assert len(body) == example.size, example.address
        if body.startswith(b"{"):
            assert is_beginning_of(json.loads(example.answer), json.loads(body)), example.address
        else:
            first = example.answer.splitlines()[0]
            assert body.decode().startswith(first), example.address


def test_without_functions_every_example_leads_to_a_file(small_registry: Published) -> None:
    for name in ("", *PAGES):
        html = small_registry.get(f"{REFERENCE}{name}/" if name else REFERENCE).decode()
        examples = html.split('<p class="address">')[1:]
        assert examples
        for example in examples:
            part = example.partition("<details")[0]
            links = [link for link in re.findall(r'href="([^"]+)"', part) if "#" not in link]
            assert len(links) == ("years=2024" not in part)
            for link in links:
                assert "." in link.rpartition("/")[2] and "?" not in link
                small_registry.get(link)


def test_the_refusal_in_the_reference_is_the_real_answer(served: Served) -> None:
    (refused,) = (example for example in examples_of(served.pages[""]) if not example.lines)
    status, body = fetch(served.site.base + refused.address)
    assert status == 400 and json.loads(refused.answer) == json.loads(body)


def printed(program: list[str], script: str) -> list[str]:
    done = subprocess.run(
        program, input=script, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n--\n")


@pytest.mark.slow
def test_the_curl_commands_work(served: Served) -> None:
    if not shutil.which("curl"):
        commands.lacking("There is no curl on this machine.")
    lines = served.lines("curl")
    assert set(lines) == served.answered
    each = "".join(f"{line} -sSf\necho; echo --\n" for line in lines.values())
    bodies = printed(["sh", "-e"], each)
    for path, body in zip(lines, bodies, strict=False):
        assert body.strip() == served.site.get(path).decode().replace("\r\n", "\n").strip(), path


@pytest.mark.slow
def test_the_python_and_javascript_examples_print_the_same(served: Served) -> None:
    python, script = served.lines("Python"), served.lines("JavaScript")
    assert set(python) == set(script) == served.answered
    each = "".join(f"{line}\nprint('\\n--')\n" for line in python.values())
    output = printed([sys.executable, "-"], each)
    assert len(output) > 40 and all(text.strip() for text in output[:-1])
    if not shutil.which("node"):
        commands.lacking("There is no Node on this machine.")
    each = "".join(f"{{\n{line}\nconsole.log('\\n--')\n}}\n" for line in script.values())
    assert printed(["node", "--input-type=module"], each) == output


@pytest.mark.slow
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
            assert json.loads(done.stdout)["query"] == served.site.json(path)["query"], path
        elif path.endswith(".ics"):
            assert done.stdout_bytes == served.site.get(path)
