"""Quick templates give the same output as jinja2: our own templates, and a registry's templates in
the sandbox.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from jinja2.runtime import Context
from markupsafe import Markup

from generator.build import build
from generator.build.options import BuildOptions
from generator.published.history.provenance import Moment
from generator.site.templating import Plain, Sandboxed
from support import registries
from support.commands import ROOT

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)

BASE = "<h1>{% block title %}{{ name }}{% endblock %}</h1>{% block main %}-{% endblock %}"
UI = (
    "{% macro chip(label, to='', count=none) %}<i title=\"{{ to }}\">{{ label }}{{ count }}</i>"
    "{% endmacro %}{% macro head(title) %}<b>{{ title }}{{ caller() }}</b>{% endmacro %}"
)
MIDDLE = "{% extends 'base' %}{% block main %}[{% block inner %}in{% endblock %}]{% endblock %}"
PART = "{% set more = name ~ '!' %}<p>{{ more }}{{ number }}</p>"
#: The syntax of our own templates, and syntax that only a registry's templates may use.
WRITTEN = [
    "{{ name }} {{ number }} {{ marked }} {{ none }} {{ texts|join(', ') }}",
    "{{ record.name }} {{ record.items is callable }} {{ record['name'] }}",
    "{{ record.tags.topic[0] }} {{ record.tags['topic'][0] }}",
    "{{ record.copy()['name'] }} {{ number.real }} {{ record.get('lost', name) }}",
    "{% for key, of in record.tags.items() %}{{ loop.index }}{{ key }}{{ of[0] }}{% endfor %}",
    "{% import 'ui' as ui %}{{ ui.chip(name) }}{{ ui.chip(name, to=name, count=2) }}",
    "{% import 'ui' as ui %}{{ ui.chip(*texts) }}{{ ui.chip(**{'label': name}) }}",
    "{% import 'ui' as ui %}{% call ui.head(name) %}{{ ui.chip(number) }}{% endcall %}",
    "{% if settings.origin %}{{ name }}{% else %}{{ number }}{% endif %}",
    "{% if settings.name %}{{ settings.name }}{% endif %}{% if not settings.name %}-{% endif %}",
    "{% for settings in [record] %}{{ settings.name }}{% endfor %}{{ settings.name }}",
    "{{ name if number > 9 }}<{{ ' ' ~ name if number }}>{{ (name if number > 9) is defined }}",
    "{{ policy }}{% if policy %}{{ settings.name }}{% endif %}",
    "{% set policy = name %}{{ policy }}{{ settings.name }}",
    "{% if number > 9 %}a{% elif settings.origin %}b{% elif settings.name %}c{% endif %}",
    "{% extends 'base' %}{% block title %}{{ super() }} – {{ name }}{% endblock %}",
    "{% extends 'base' %}{% block main %}{{ self.title() }}{% include 'base' %}{% endblock %}",
    "{% extends 'base' %}{% import 'ui' as ui %}{% set here = name %}lost"
    "{% block title %}{{ ui.chip(here) }}{% endblock %}"
    "{% block main %}{% set here = 'x' %}{{ here }}{% endblock %}",
    "{% extends 'middle' %}{% set name = 'n' %}{% block inner %}{{ name }}{% endblock %}",
    "{% extends 'middle' %}{% block main %}{% for name in texts %}{{ name }}{% endfor %}"
    "{{ name }}{% endblock %}",
    "{% for name in texts %}{% include 'part' %}{% endfor %}{% include 'part' %}{{ name }}",
    "{% macro m(a, b=name) %}{{ a }}{{ b }}{% endmacro %}{{ m('<') }}{{ m(b=1, a=marked) }}",
    "{% macro m(a) %}{{ a }}{{ varargs|length }}{{ kwargs|length }}{% endmacro %}"
    "{{ m(1, 2, 3) }}{{ m(1, z=4) }}",
    "{% macro m(a, caller='-') %}{{ a }}{{ caller is string or caller() }}{% endmacro %}"
    "{{ m(1) }}{% call m(2) %}<{% endcall %}",
]
VALUES: dict[str, Any] = {
    "name": "<a> & \"b\" 'c'",
    "number": 7,
    "marked": Markup("<b>"),
    "texts": ["<", "Zürich – …"],
    "record": {"name": "<n>", "items": "i", "tags": {"topic": ["&"]}},
}
SETTINGS = {"settings": {"name": "R & D", "origin": ""}, "policy": "default-src 'self'"}


def rendered(kind: Callable[..., Environment], source: str) -> str:
    loader = DictLoader({"base": BASE, "middle": MIDDLE, "part": PART, "ui": UI, "page": source})
    environment = kind(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals.update(SETTINGS)
    return environment.get_template("page").render(VALUES)


@pytest.mark.parametrize("source", WRITTEN)
def test_a_template_gives_the_output_of_jinja(source: str) -> None:
    expected = rendered(Environment, source)
    assert rendered(Plain, source) == rendered(Sandboxed, source) == expected


@pytest.mark.parametrize("source", ["{{ lost }}", "{{ record.lost }}", "{{ record.lost() }}"])
def test_a_missing_name_is_reported(source: str) -> None:
    for kind in (Environment, Plain, Sandboxed):
        with pytest.raises(UndefinedError, match="lost"):
            rendered(kind, source)


@pytest.mark.parametrize("call", ["1, 2, 3, 4", "1, nobody=2", "1, label=2"])
def test_a_macro_takes_only_its_arguments(call: str) -> None:
    for kind in (Environment, Plain, Sandboxed):
        with pytest.raises(TypeError, match="chip"):
            rendered(kind, f"{{% import 'ui' as ui %}}{{{{ ui.chip({call}) }}}}")


def test_a_registry_with_templates_of_its_own_has_the_same_pages(tmp_path: Path) -> None:
    """A registry's own templates run in the sandbox, and so do all others beside them."""
    folder = ROOT / "templates/site/record"
    theme = {f"record/{file.name}": file.read_bytes() for file in folder.iterdir()}
    plain = registries.published(tmp_path / "plain")
    own = registries.published(tmp_path / "own", theme=theme)
    pages = ["", "projects/", "projects/bloom/", "programs/launch/", "calendar/", "docs/data/",
             "organizations/north-college/", "calendar/launch-2026-day/"]  # fmt: skip
    for page in pages:
        assert plain[f"/{page}index.html"] == own[f"/{page}index.html"], page


def test_pages_leave_no_reference_cycles(tmp_path: Path) -> None:
    """A build runs without cyclic garbage collection, so a page in a reference cycle would stay in
    memory.
    """
    content = registries.write(tmp_path / "content")
    gc.collect()
    gc.disable()
    try:
        report = build(str(content), tmp_path / "out", MOMENT, BuildOptions(jobs=1))
        kept = Counter(context.name for context in gc.get_objects() if isinstance(context, Context))
    finally:
        gc.enable()
    assert not report.failed
    del kept["reference_ui.html.j2"]  # a handful of pages, of any registry
    assert kept["script.html.j2"] == max(kept.values()) == 1
