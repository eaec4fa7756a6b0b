"""What a registry's own templates reach: files of the generator, of features and of the registry,
and the values of pages; no other file of the machine, and nothing that prints an address of memory.
Errors in them name the file and the line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound, TemplateRuntimeError, UndefinedError
from jinja2.exceptions import SecurityError

from generator.build import build
from generator.build.options import BuildOptions
from generator.disk.output_state import OutputError
from generator.grammar.query import Slice
from generator.kinds import built_in
from generator.published.history.provenance import Moment
from generator.site import rendering
from generator.site.meta import About
from generator.site.page_context import Fit, Site
from generator.site.theme import Theme
from support import registries
from support.commands import ROOT
from support.drawings import site

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)
BESIDE = os.path.relpath(ROOT / "pyproject.toml", ROOT / "templates" / "site")
#: How a template may name a file.
NAMED = ["{{% include {0!r} %}}", "{{% import {0!r} as x %}}", "{{% from {0!r} import x %}}",
         "{{% extends {0!r} %}}", "{{% include [{0!r}, {0!r}] %}}"]  # fmt: skip
#: Names of files that exist, and are none of the site's.
FILES = ["/proc/self/environ", "/etc/hostname", BESIDE, f"original/{BESIDE}",
         "original//etc/passwd",
         str(ROOT / "pyproject.toml"), "record/../../robots.txt.j2", "./base.html.j2",
         "original/original/base.html.j2"]  # fmt: skip
#: Expressions that lead from a value of a page to more than the page needs.
REFUSED = [
    'site.theme.file("/etc/hostname")', 'site.theme.names("/etc")', "site.theme.own",
    "site.theme.environment", "site.theme.folder", 'site.read("/api/index.json")',
    'site.document("/api/index.json")', "site.memo", "site.symbols", "site.source", "site.tables",
    "site|attr('read')", "site['read']", "([site]|map(attribute='read')|first).x",
    "settings.model_dump()",
    "settings.model_fields_set", "settings.model_config", "settings.copy()", "settings.json()",
    "settings.grammar", "settings.site.model_extra", "settings.__class__", "settings.__dict__",
    "settings['__dict__']", "links.func", "links.args", "panels.args[0]", "shared.keywords",
    "grammar.arguments", "grammar.asked", "charts.rows.__globals__", "finder.asset_path",
    "labels.re", "worlds.PACKAGE", "paths.os", "charts.VISIBLE", "url.__func__", "url.__self__",
    "t.number.__self__", "lipsum", "cycler.__init__", "joiner.__init__.__globals__",
    "self.__class__", "self._TemplateReference__context", "dict.mro()", "''.__class__.__mro__",
    "'{0.__class__}'.format(site)", "'{0.read}'.format(site)",
    "'{a.read}'.format_map({'a': site})", "about.__class__",
    "about._replace(title='x')", "part.collection.declared.type", "part.collection.declared.cls",
    "site.fit.__wrapped__", "site.fit.cache_clear()", "namespace.__init__", "_FUNCTIONS",
]  # fmt: skip
#: Expressions whose text has an address of memory.
PRINTED = [
    "url", "asset", "links", "site", "site.theme", "t", "n", "grammar", "site.once", "charts",
    "charts.rows", "'a'.upper", "[url]", "{'a': url}", "url|string", "url ~ ''", "'%s' % url",
    "'{}'.format(url)", "'%s'|format(url)", "[1]|map('string')", "[url]|join", "url|upper",
    "cycler('a')", "joiner()", "panels", "shared", "url|pprint", "url|escape", "site.fit",
]  # fmt: skip


class _Rendering:
    """A site with own templates."""

    def __init__(self, own: Mapping[str, str]):
        files = {path: text.encode() for path, text in own.items()}
        self.site: Site = replace(site(), theme=Theme("en", files), fit=lambda: Fit(built_in()))

    def __call__(self) -> str:
        part = Slice(self.site.grammar["projects"])
        page = rendering.render_page(
            self.site, "/x/", "own", about=About("Title"), part=part, rows=[1, 2]
        )
        return page.data.decode()


def rendered(source: str) -> str:
    return _Rendering({"own.html.j2": source})()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("written", NAMED)
def test_a_template_has_no_path_to_a_file(written: str, name: str) -> None:
    with pytest.raises(TemplateNotFound):
        rendered(written.format(name))
    assert rendered(f"{{% include {name!r} ignore missing %}}none") == "none"


@pytest.mark.parametrize("expression", REFUSED)
def test_a_template_reads_nothing_that_pages_do_not_need(expression: str) -> None:
    with pytest.raises((SecurityError, UndefinedError, TemplateRuntimeError, SyntaxError)):
        rendered(f"{{{{ ({expression})|string|length }}}}")


@pytest.mark.parametrize("expression", PRINTED)
def test_an_address_of_memory_is_never_printed(expression: str) -> None:
    with pytest.raises(TemplateRuntimeError, match="is no text"):
        rendered(f"{{{{ {expression} }}}}")


@pytest.mark.parametrize(
    ("source", "gives"),
    [
        ("{{ site.absolute('/a/') }} {{ url('/a/') }} {{ settings.name }}", "/a/ /a/ Registry"),
        ("{{ settings.origin }}{{ settings.prefix }}{{ settings.accent }}", "#26682b"),
        ("{{ paths.HOME }} {{ grammar.projects.many }} {{ part.collection.name }}",
         "/ projects projects"),
        ("{{ t('site.menu') }} {{ t.percent(0.5) }} {{ n(1234) }}", "Menu 50% 1,234"),
        ("{{ about.title }}{{ about.script(site, path) }}{{ rows|sum }}", "TitleNone3"),
        ("{{ 'own.css' in site.theme.assets }} {{ site.theme.bar_colours|length }}", "False 2"),
        ("{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}", "ab"),
        ("{% set n = namespace(v=1) %}{% set n.v = 2 %}{{ n.v }}", "2"),
        ("{{ 'sold at 0x52908400098527886E0F7030069857D2E4169EE7' }}",
         "sold at 0x52908400098527886E0F7030069857D2E4169EE7"),
    ],
)  # fmt: skip
def test_a_template_reads_what_pages_need(source: str, gives: str) -> None:
    assert rendered(source) == gives


def test_a_template_finds_its_own_files_and_those_of_the_generator() -> None:
    own = {
        "own.html.j2": "{% import 'original/ui.html.j2' as ui %}{{ ui.name is callable }}"
        "{% include 'a/part.j2' %}{% include ['gone.j2', 'a/part.j2'] %}",
        "a/part.j2": "<p>mine</p>",
    }
    assert _Rendering(own)() == "True<p>mine</p><p>mine</p>"


def test_what_a_template_names_is_not_published(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content")
    (tmp_path / "secret").write_text("hunter2")
    own = tmp_path / "templates" / "site"
    own.mkdir(parents=True)
    lines = "{% extends 'original/404.html.j2' %}\n{% block main %}\n{% include '../../secret' %}"
    (own / "404.html.j2").write_text(f"{lines}{{% endblock %}}")
    said = r"404\.html\.j2:3: there is no template \.\./\.\./secret"
    with pytest.raises(OutputError, match=said):
        build(str(content), tmp_path / "out", MOMENT, BuildOptions(jobs=1))


@pytest.mark.parametrize("link", ["templates", "templates/site", "templates/site/assets",
                                  "templates/site/home.md"])  # fmt: skip
def test_a_link_in_the_theme_publishes_nothing(tmp_path: Path, link: str) -> None:
    content = registries.write(tmp_path / "registry" / "content")
    outside = tmp_path / "outside"
    for folder in ("assets", "site/assets"):
        (outside / folder).mkdir(parents=True)
        (outside / folder / "key.txt").write_text("hunter2")
    target = outside / "assets" / "key.txt" if link.endswith(".md") else outside
    place = content.parent / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    with pytest.raises(OutputError, match="links"):
        build(str(content), tmp_path / "out", MOMENT, BuildOptions(jobs=1))
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


def test_a_template_of_lists_is_used_for_each_list(tmp_path: Path) -> None:
    tagged = {"name": "P", "tags": {"topic": ["climate", "health"]}}
    block = "{% block main %}<b>{{ shown.heading }}</b>{{ super() }}{% endblock %}"
    theme = {"list.html.j2": f'{{% extends "original/list.html.j2" %}}{block}'.encode()}
    published = registries.published(
        tmp_path, registries.content(projects={"p": tagged}), theme=theme
    )
    for tag in ("Climate", "Health"):
        html = published[f"/projects/tag-topic/{tag.lower()}/index.html"].decode()
        assert f"<b>{tag} projects</b>" in html and 'href="/projects/p/"' in html
