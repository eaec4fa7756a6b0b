"""A registry's own template ends in a bounded time with bounded texts, and errors name the template
and the line.
"""

from __future__ import annotations

import gc
import re
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.disk.output_state import OutputError
from generator.published.history.provenance import Moment
from generator.site.templating import sandbox
from generator.site.theme import Theme
from support import registries
from support.commands import ROOT

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)
#: Templates that would produce gigabytes or run for hours.
HOSTILE = [
    '{{ "x" * 10**9 }}',
    '{{ "x" * (10**9) }}',
    "{{ ([0] * 10**9)|length }}",
    "{{ 10 ** (10 ** 8) }}",
    "{% set n = namespace(v=9) %}{% for i in range(99) %}{% set n.v = n.v * n.v %}{% endfor %}",
    '{% set n = namespace(v="xx") %}{% for i in range(40) %}{% set n.v = n.v + n.v %}{% endfor %}',
    '{% set n = namespace(v="xx") %}{% for i in range(40) %}{% set n.v = n.v ~ n.v %}{% endfor %}',
    '{{ "x".ljust(10**9) }}',
    '{{ "x"|center(1000000000) }}',
    '{{ "x"|indent(1000000000, true) }}',
    '{{ "%1000000000d" % 1 }}',
    '{{ "%*d" % (1000000000, 1) }}',
    '{{ "%1000000000d"|format(1) }}',
    '{{ "{:>1000000000}".format(1) }}',
    '{{ "{:>{}}".format(1, 1000000000) }}',
    '{{ [1]|batch(1000000000, "x")|list|length }}',
    '{% set s = "x" * 100000 %}{{ s.replace("x", s) }}',
    '{% set s = "x" * 100000 %}{{ s|replace("x", s) }}',
    '{% set s = "x" * 100000 %}{{ s|wordwrap(1, true, s) }}',
    '{% set s = "x" * 100000 %}{{ s.join(range(100000)|list) }}',
    '{% set s = "x" * 100000 %}{{ range(100000)|join(s) }}',
    '{% set s = "x" * 100000 %}{% for i in range(100000) %}{{ s }}{% endfor %}',
    '{% set b %}{% for i in range(99999) %}{{ "x" * 10000 }}{% endfor %}{% endset %}',
    '{{ range(100000)|map("center", 1000000)|list|length }}',
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
]


def rendered(source: str) -> str:
    theme = Theme("en", {"own.html.j2": source.encode()})
    with sandbox.limit_page():
        return "".join(theme.template("own").parts({}))  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", HOSTILE)
def test_a_hostile_template_is_stopped(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 0.3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(sandbox.TooMuch):
        rendered(f"one\n{source}\n")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert grown < 6 * sandbox.MAX_PAGE


@pytest.fixture
def without_collector() -> Iterator[None]:
    """An exception in a callback of the garbage collector is lost, with a warning, and comes again;
    a tool of the tests has such a callback.
    """
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("source", [HOSTILE[-1], HOSTILE[0]])
def test_a_hostile_template_is_stopped_in_another_thread(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 0.3)
    with ThreadPoolExecutor(1) as thread:
        with pytest.raises(sandbox.TooMuch):
            thread.submit(rendered, source).result()
        monkeypatch.setattr(sandbox, "MAX_SECONDS", 60.0)
        assert thread.submit(rendered, "fine").result() == "fine"


@pytest.mark.parametrize(
    ("source", "gives"),
    [
        ('{{ "ab" * 3 }}{{ 2 * 3 }}{{ 7 % 4 }}{{ 2 ** 10 }}{{ "a" + "b" }}', "ababab631024ab"),
        ('{{ "%05.1f" % 2 }}{{ "{:>3}".format(1) }}{{ "%s %%"|format("a") }}', "002.0  1a %"),
        ('{{ "a"|center(3) }}|{{ "a\nb"|indent }}', " a |a\n    b"),
        ('{{ "aba"|replace("a", "cc") }}{{ [1, 2]|join("-") }}', "ccbcc1-2"),
        ('{{ "-".join(["a", "b"]) }}{{ range(3)|batch(2)|list }}', "a-b[[0, 1], [2]]"),
    ],
)  # fmt: skip
def test_ordinary_templates_are_unaffected(source: str, gives: str) -> None:
    assert rendered(source) == gives


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        ("base.html.j2", '{{ "x" * 10 ** 9 }}', "1,000,000,000 characters"),
        pytest.param("list.html.j2",
         "{% set r = [0] * 99999 %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}",
         "more than 1 s", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_build_names_the_template_and_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str, says: str
) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 1.0)
    content = registries.write(tmp_path / "content")
    own = tmp_path / "templates" / "site"
    own.mkdir(parents=True)
    rows = (ROOT / "templates" / "site" / name).read_text("utf-8").splitlines()
    rows[-1] = source + rows[-1]
    (own / name).write_text("\n".join(rows), "utf-8")
    options = BuildOptions(jobs=1)
    place = re.escape(f"{own / name}:{len(rows)}: ")
    with pytest.raises(OutputError, match=rf"^{place}.*{says}.*\nCorrect .* Nothing was written"):
        build(str(content), tmp_path / "out", MOMENT, options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "source", "says"),
    [
        ("list.html.j2", "\n{% if %}", ":2: Expected an expression"),
        ("list.html.j2", "\n\n{{ nothing }}", ":3: 'nothing' is undefined"),
        ("list.html.j2", '{% extends "gone.html.j2" %}', ":1: there is no template gone.html.j2"),
        ("texts/en.json", '{\n"list":', ":2: this is not JSON: "),
        ("texts/en.json", '{"list": 3}', ": list has to be like {…}"),
        ("world.json", "{}", " is no map: width"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_as_the_user_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str, says: str
) -> None:
    registries.write(tmp_path / "r" / "content")
    file = tmp_path / "r" / "templates" / "site" / name
    file.parent.mkdir(parents=True)
    file.write_text(source, "utf-8")
    monkeypatch.chdir(tmp_path)
    place = re.escape(f"r/templates/site/{name}{says}")
    with pytest.raises(OutputError, match=f"^{place}.*\nCorrect the file, or remove it: "):
        build("r/content", tmp_path / "out", MOMENT, BuildOptions(jobs=1))
