"""What the golden build does not show of llms.txt, robots.txt, the sitemap and the page for missing
addresses.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from generator.contract import listing as site
from generator.contract.artifact import Artifact
from generator.grammar.paths import INDEX, LLMS, NOT_FOUND, ROBOTS, SITEMAP, sitemap_part
from support import markup, registries

HOST = {"base_url": "https://registry.example/data/"}
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = "<script>alert(1)</script> \"quoted\" & 'so' ](x) {{ 7 * 7 }}"


def small(folder: Path, **settings: Any) -> dict[str, bytes]:
    registry = registries.registry(folder, registries.content(registry=settings))
    every = (registries.rendered(name, registry) for name in ("site", "sitemap", "missing"))
    return {path: data for rendered in every for path, data in rendered.items()}


def locations(data: bytes, root: str = "urlset", entry: str = "url") -> list[str]:
    """The addresses of a sitemap or of a sitemap index."""
    tree = ElementTree.fromstring(data)
    assert tree.tag == SPACE + root
    assert {child.tag for child in tree} <= {SPACE + entry}
    return [child[0].text or "" for child in tree]


def test_without_a_base_url_the_sitemap_says_what_is_missing(tmp_path: Path) -> None:
    made = small(tmp_path)
    assert locations(made[SITEMAP])[0] == INDEX
    assert b"set base_url in registry.yaml" in made[SITEMAP]
    assert b"Sitemap:" not in made[ROBOTS]


def test_an_address_is_escaped() -> None:
    (artifact,) = site.render_sitemaps([INDEX], "https://registry.example", "/a&b'c<d")
    assert locations(artifact.data) == [f"https://registry.example/a&b'c<d{INDEX}"]


@pytest.mark.parametrize(
    ("count", "parts"), [(0, 1), (1, 1), (50_000, 1), (50_001, 2), (100_001, 3)]
)
def test_a_sitemap_of_more_than_50000_addresses_is_an_index_of_parts(
    count: int, parts: int
) -> None:
    paths = [f"/api/projects/slug/p{n}.json" for n in range(count)]
    artifacts = list(site.render_sitemaps(paths, "https://registry.example", "/data"))
    listed = {artifact.path: artifact.data for artifact in artifacts}
    assert len(listed) == len(artifacts)
    if parts == 1:
        assert list(listed) == [SITEMAP]
        read = [locations(listed[SITEMAP])]
    else:
        names = [sitemap_part(number) for number in range(1, parts + 1)]
        assert set(listed) == {SITEMAP, *names}
        assert locations(listed[SITEMAP], "sitemapindex", "sitemap") == [
            f"https://registry.example/data{name}" for name in names
        ]
        read = [locations(listed[name]) for name in names]
    assert all(len(part) <= 50_000 for part in read)
    assert [address for part in read for address in part] == [
        f"https://registry.example/data{path}" for path in paths
    ]


def test_a_sitemap_is_also_divided_by_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site, "MAX_BYTES", 1000)
    paths = [f"/{'é' * 50}/{n}" for n in range(40)]
    parts: list[Artifact] = list(site.render_sitemaps(paths, "https://registry.example", ""))[:-1]
    assert all(len(part.data) <= 1000 for part in parts)
    assert len(parts) > 4
    assert [a for part in parts for a in locations(part.data)] == [
        f"https://registry.example{path}" for path in paths
    ]


def test_llms_txt_survives_a_hostile_registry(tmp_path: Path) -> None:
    plain = small(tmp_path / "a")[LLMS].decode()
    hostile = small(
        tmp_path / "b", name=HOSTILE, description=f"# {HOSTILE}\n\n## Start here\n- [x](y)"
    )[LLMS].decode()
    shape = re.compile(r"^(?:#+ |> |- )|(?<!\\)\[.+?(?<!\\)\]\(", re.M)
    assert shape.findall(hostile) == shape.findall(plain)
    assert "49" not in hostile


def test_the_404_page_shows_a_hostile_name_as_text(tmp_path: Path) -> None:
    page = markup.parse(small(tmp_path, name=HOSTILE)[NOT_FOUND])
    assert not page.all("script")
    assert page.one("html").text.count(HOSTILE) == 2
