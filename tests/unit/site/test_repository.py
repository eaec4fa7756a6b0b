"""The links to edit a record and to report an error in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from generator.site.fields import Edits, edits
from generator.site.page_context import Fit, Site
from generator.site.theme import Theme
from support import registries

RECORD = {
    "slug": "aurora-grid",
    "name": 'A "grid" & <b>more</b> #1',
    "href": "/data/api/projects/slug/aurora-grid.json",
}


def found(folder: Path, source: str | None, **settings: Any) -> Edits | None:
    base = {"base_url": "https://registry.example/data"}
    records = registries.content(registry={**base, **settings})
    known = registries.registry(folder, records)
    theme = Theme("en")
    site = Site(
        known.settings, known.symbols, known.as_of, theme, lambda _: b"",
        lambda: Fit(known.symbols.grammar.kinds), lambda *_: source,
    )  # fmt: skip
    return edits(site, site.grammar["projects"], RECORD)


@pytest.mark.parametrize(
    ("repository", "edit"),
    [
        ("https://github.com/acme/registry",
         "https://github.com/acme/registry/edit/main/content/projects/a/aurora-grid.yaml"),
        ({"url": "https://github.com/acme/registry/", "branch": "data/main", "folder": "/records/"},
         "https://github.com/acme/registry/edit/data/main/records/projects/a/aurora-grid.yaml"),
        ({"url": "https://gitlab.com/acme/registry", "folder": "."},
         "https://gitlab.com/acme/registry/-/edit/main/projects/a/aurora-grid.yaml"),
        ("https://gitlab.example.org/acme/registry",
         "https://gitlab.example.org/acme/registry/-/edit/main/content/projects/a/aurora-grid.yaml"),
    ],
)  # fmt: skip
def test_the_editor_opens_the_file_of_the_record(
    tmp_path: Path, repository: Any, edit: str
) -> None:
    links = found(tmp_path, "projects/a/aurora-grid.yaml", repository=repository)
    assert links is not None and links.edit == edit


@pytest.mark.parametrize(
    ("url", "path", "title", "body"),
    [
        ("https://github.com/acme/registry", "/acme/registry/issues/new", "title", "body"),
        ("https://gitlab.com/acme/registry", "/acme/registry/-/issues/new", "issue[title]",
         "issue[description]"),
    ],
)  # fmt: skip
def test_an_issue_names_the_record_whatever_its_name(
    tmp_path: Path, url: str, path: str, title: str, body: str
) -> None:
    links = found(tmp_path, None, repository=url)
    assert links is not None and links.edit is None
    parts = urlsplit(links.report)
    assert (f"{parts.scheme}://{parts.netloc}", parts.path, parts.fragment) == (
        url.rpartition("/acme")[0], path, "",
    )  # fmt: skip
    parameters = parse_qs(parts.query)
    assert parameters == {
        title: ['Error in “A "grid" & <b>more</b> #1”'],
        body: ["projects/aurora-grid\nhttps://registry.example/data/projects/aurora-grid/\n\n"],
    }
    assert not set(' "<>') & set(links.report)


@pytest.mark.parametrize(("url", "file"), [("github", "blob/main"), ("gitlab", "-/blob/main")])
def test_addresses_in_an_issue_are_absolute(tmp_path: Path, url: str, file: str) -> None:
    repository = f"https://{url}.com/acme/registry"
    links = found(tmp_path, "projects/a.yaml", repository=repository, base_url=None)
    assert links is not None
    parameters = parse_qs(urlsplit(links.report).query)
    (body,) = [value[0] for name, value in parameters.items() if "title" not in name]
    assert body == f"projects/aurora-grid\n{repository}/{file}/content/projects/a.yaml\n\n"


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("a@b.example", "mailto:a@b.example?subject=Error%20in%20%E2%80%9CA%20%22grid%22%20%26%20"
         "%3Cb%3Emore%3C%2Fb%3E%20%231%E2%80%9D"),
        ("https://b.example/write", "https://b.example/write"),
    ],
)  # fmt: skip
def test_without_a_repository_an_error_is_reported_to_the_contact(
    tmp_path: Path, contact: str, address: str
) -> None:
    assert found(tmp_path, "projects/a.yaml", contact=contact) == Edits(None, address)


def test_without_a_repository_and_a_contact_there_is_nothing_to_edit(tmp_path: Path) -> None:
    assert found(tmp_path, "projects/a/aurora-grid.yaml") is None
