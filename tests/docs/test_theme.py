"""Build the theme of docs/site.md: each of its files has the documented effect."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from support import commands
from support.commands import ROOT

pytestmark = pytest.mark.slow

SITE = (ROOT / "docs" / "site.md").read_text("utf-8")


@pytest.fixture(scope="module")
def themed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, built without a warning."""
    folder = tmp_path_factory.mktemp("theme")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", SITE, re.S):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    build(folder)
    return folder


def build(folder: Path) -> None:
    done = commands.run_forked("build", "--out", folder / "build", "--strict", cwd=folder)
    assert done.status == 0, done.err


def page(folder: Path, path: str = "/") -> str:
    return (folder / "build" / f"{path[1:]}index.html").read_text("utf-8")


def asset(folder: Path, name: str) -> str:
    stem, _, ending = name.rpartition(".")
    (file,) = (folder / "build" / "assets").glob(f"{stem}-*.{ending}")
    return file.read_text("utf-8")


def test_the_settings_are_on_every_page(themed: Path) -> None:
    for path in ("/", "/projects/", "/projects/gezeitenmuehle/", "/docs/api/", "/docs/agents/"):
        html = page(themed, path)
        assert '<html lang="de"' in html
        assert 'href="https://hafen.example/amt"' in html and "Das Hafenamt" in html
        assert 'Gepflegt vom <a href="https://hafen.example/"' in html
        assert "Firmen" in html
    assert "--accent:#8a2a12;" in asset(themed, "site.css")


def test_each_file_has_its_effect(themed: Path) -> None:
    html = page(themed)
    assert "<strong>Werkstätten</strong>" in html and 'href="mailto:amt@hafen.example"' in html
    assert re.search(r'<img src="/assets/logo-[0-9a-f]{8}\.svg"', html)
    assert "M2 20h28l-5 8H7z" in asset(themed, "logo.svg")
    assert re.search(r'<link rel="stylesheet" href="/assets/own-[0-9a-f]{8}\.css"', html)
    assert "--radius: 0" in asset(themed, "own.css")


def test_a_catalogue_needs_only_the_changed_texts(themed: Path) -> None:
    html = page(themed)
    assert ">Schnittstelle<" in html
    assert "Zum Inhalt springen" in html


def test_a_template_extends_the_generators_template(themed: Path) -> None:
    lost = (themed / "build" / "404.html").read_text("utf-8")
    own, _, original = lost.partition("Hier liegt nichts vor Anker.")
    assert "<main" in own and "404" in original and 'href="/projects/"' in original


@pytest.mark.parametrize(
    ("jobs", "name", "text", "message"),
    [
        (2, "404.html.j2", "\n{% if %}", "404.html.j2:2: "),
        (1, "404.html.j2", "\n\n{{ nothing }}", "404.html.j2:3: 'nothing' is undefined"),
        (1, "404.html.j2", "{% extends 'none.html.j2' %}", "no template none.html.j2"),
        (1, "404.html.j2", "{{ t('site.nothing') }}", "404.html.j2:1: there is no text or value"),
        (1, "404.html.j2", "{{ ().__class__ }}", "is unsafe"),
        (2, "record/page.html.j2", "{{ 1 / 0 }}", "division by zero"),
        (1, "texts/de.json", '{"site": ', "texts/de.json:1: this is not JSON"),
        (1, "texts/de.json", "[]", "texts/de.json is no object"),
        (1, "texts/de.json", '{"site": "x"}', "texts/de.json: site has to be like {"),
        (2, "texts/de.json", '{"times": {"weekdays": ["Mo"]}}', "texts/de.json: times.weekdays"),
        (2, "texts/de.json", '{"words": {"remote": 1}}', 'words.remote has to be like "'),
        (1, "texts/de.json", '{"list": {"page": "Seite {n}"}}', 'list.page has to be like "'),
    ],
)
def test_a_mistake_in_a_theme_is_reported_with_its_place(
    themed: Path, tmp_path: Path, jobs: int, name: str, text: str, message: str
) -> None:
    shutil.copytree(themed, tmp_path / "copy")
    file = tmp_path / "copy" / "templates" / "site" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    words = ("build", "--out", tmp_path / "copy" / "build", "--jobs", str(jobs))
    done = commands.run_forked(*words, cwd=tmp_path / "copy")
    assert done.status == 2
    assert message in done.err and "Traceback" not in done.err
    assert "Nothing was written" in done.err
    assert page(tmp_path / "copy") == page(themed)


def test_missing_texts_of_a_new_language_are_in_english(themed: Path, tmp_path: Path) -> None:
    shutil.copytree(themed, tmp_path / "copy", ignore=shutil.ignore_patterns("build"))
    settings = tmp_path / "copy" / "content" / "registry.yaml"
    settings.write_text(settings.read_text().replace("language: de", "language: fr"))
    texts = tmp_path / "copy" / "templates" / "site" / "texts"
    (texts / "fr.json").write_text('{"site": {"skip": "Aller au contenu"}}')
    build(tmp_path / "copy")
    html = page(tmp_path / "copy")
    assert '<html lang="fr"' in html
    assert "Aller au contenu" in html and "Search" in html
