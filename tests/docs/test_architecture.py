"""generator/ARCHITECTURE.md: the files that it names are there, and *Adding* is enough."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import registries
from support.commands import ROOT, environment

TEXT = (ROOT / "generator" / "ARCHITECTURE.md").read_text("utf-8")
#: What is written for each entry of *Adding* whose addition no other test makes.  Fields, filters
#: and kinds are added by tests/build/test_declared.py, a feature by tests/features/test_example.py,
#: rules of the contract by the pairs of tests/support/contract_pairs.py.
ADDED = {
    "generator/outputs/greeting.py": '''\
"""greeting.json: a greeting."""

from collections.abc import Iterator, Mapping

from generator.contract.artifact import Artifact
from generator.model.tables.table import Counts

ADDRESSES = ("/api/greeting.json",)


def render(counts: Mapping[str, Counts]) -> Iterator[Artifact]:
    yield Artifact(ADDRESSES[0], f'{{"hello": {counts["projects"].total}}}'.encode())
''',
    "generator/site/views/greeting.py": '''\
"""`/greeting/`: a greeting."""

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.site import meta, rendering
from generator.site.page_context import Site

ADDRESSES = ("/greeting/",)


def render(site: Site) -> Iterator[Artifact]:
    about = meta.below_home(site, "Greeting", "A greeting.")
    yield rendering.render_page(site, "/greeting/", "greeting", about=about)
''',
    "templates/site/greeting.html.j2": """\
{% extends "base.html.j2" %}
{% block style %}<link rel="stylesheet" href="{{ asset('greeting.css') }}">{% endblock %}
{% block scripts %}<script type="module" src="{{ asset('greeting.js') }}"></script>{% endblock %}
{% block main %}<h1>Hello</h1>{% endblock %}
""",
    "templates/site/assets/greeting.css": "h1 { color: var(--accent); }\n",
    "generator/site/scripts/greeting.js": "document.title = 'Hello'\n",
    "generator/hosts/moon.py": '''\
"""The moon."""

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.hosts import Limits

LIMITS = Limits()


def render() -> Iterator[Artifact]:
    yield Artifact("/_moon", b"full")


def outside() -> Iterator[Artifact]:
    yield Artifact("moon.conf", b"# Hang it up.\\n")
''',
    "generator/model/checks/moon.py": '''\
"""No record is called Moon."""

from collections.abc import Iterator
from typing import Any

from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.faults import Fault


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if record.name == "Moon":
        yield Fault("moon", "name: the moon is taken", ("name",))
''',
    "generator/cli/ask/greet.py": '''\
"""`registry greet`."""

import click


@click.command("greet")
def command() -> int:
    """Print a greeting."""
    click.echo("Hello")
    return 0
''',
}
#: A setting, in front of these words of its two files.
SETTING = {
    "generator/model/settings/registry.py": ("    language: ", "    motto: Line | None = None\n"),
    "generator/contract/field_descriptions.py": (
        '        "language": ',
        '        "motto": "What the registry strives for.",\n',
    ),
}
CODE = """
[codes.moon]
summary = "A record has the name of the moon."
cause = "There is one moon."
mend = "Give it another name."
"""


def test_every_file_that_the_document_names_is_there() -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|mjs))`", TEXT)
    inside = [ROOT / part for part in ("", "generator", "generator/search", "generator/features")]
    known = {path.name + "/" * path.is_dir() for path in inside[1].rglob("*")}
    missing = [
        name
        for name in named
        if name not in known and not any((folder / name).exists() for folder in inside)
    ]
    assert missing == [] and len(named) > 100


def test_every_entry_of_adding_says_where_and_which_test_adds_it() -> None:
    adding = TEXT.partition("## Adding")[2]
    tests = dict(re.findall(r"\((\d)\) `([\w/]+\.py)`", adding))
    assert all((ROOT / path).is_file() for path in tests.values())
    entries = re.findall(r"^- \*\*(.*?):\*\* (.*?)(?=^- |^$)", adding, re.M | re.S)
    untested = [name for name, text in entries if not re.search(r"\(\d\)$", text.strip())]
    assert untested == ["A rule of the contract"] and len(entries) == 12
    assert {number for _, text in entries for number in re.findall(r"\((\d)\)", text)} == {*tests}
    here = "".join(text for _, text in entries if "(2)" in text)
    places = [path.removeprefix("generator/").rpartition("/")[0] for path in ADDED]
    assert [place for place in places if f"`{place}/`" not in here] == []
    assert "`problems/codes/fields.toml`" in here


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the generator with one more of everything, and a registry with a bad record."""
    folder = tmp_path_factory.mktemp("house")
    for name in ("generator", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in ADDED.items():
        file = folder / path
        assert not file.exists() and file.parent.is_dir()
        file.write_text(text, "utf-8")
    with open(folder / "generator/problems/codes/fields.toml", "a", encoding="utf-8") as codes:
        codes.write(CODE)
    for path, (before, line) in SETTING.items():
        file = folder / path
        text = file.read_text("utf-8")
        assert text.count(before) == 1
        file.write_text(text.replace(before, line + before), "utf-8")
    registries.write(folder / "content")
    return folder


def run(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "generator", *arguments],
        cwd=house, env=environment(PYTHONPATH=str(house)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_an_output_a_page_a_host_and_a_command_are_found_where_they_are_written(
    house: Path,
) -> None:
    built = run(house, "build", "--host", "moon")
    assert built.returncode == 0, built.stderr
    out = house / "build"
    assert (out / "api/greeting.json").read_bytes() == b'{"hello": 3}'
    page = (out / "greeting/index.html").read_text("utf-8")
    for ending in ("css", "js"):
        (asset,) = re.findall(rf'"/(assets/greeting-[0-9a-f]{{8}}\.{ending})"', page)
        assert (out / asset).is_file()
    assert (out / "_moon").read_bytes() == b"full"
    assert "Hang it up" in run(house, "host", "moon").stdout
    assert run(house, "greet").stdout == "Hello\n"
    assert "greet" in run(house, "--help").stdout


@pytest.mark.slow
def test_a_check_is_found_where_it_is_written(house: Path) -> None:
    registries.write(house / "other", registries.content(projects={"moon": {"name": "Moon"}}))
    told = run(house, "check", "--content", "other")
    assert told.returncode == 1 and "moon.yaml:2:10: error[moon]" in told.stderr, told.stderr


@pytest.mark.slow
def test_a_setting_is_read_and_described_where_it_is_written(house: Path) -> None:
    for value, status in ((["a", "b"], 1), ("To the stars", 0)):
        registries.write(house / "third", registries.content(registry={"motto": value}))
        checked = run(house, "check", "--content", "third")
        assert checked.returncode == status, checked.stderr
        assert ("motto must be text, not a list" in checked.stderr) == bool(status)
    assert run(house, "schema", "--content", "third", "--editor", str(house)).returncode == 0
    schema = json.loads((house / ".vscode/schemas/registry.json").read_bytes())
    assert schema["properties"]["motto"]["description"] == "What the registry strives for."
