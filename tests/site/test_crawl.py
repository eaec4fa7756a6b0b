"""Every page of a build, as files on disk: all links lead to files, and the HTML is valid."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest

from generator.grammar.paths import ASSETS, EMBEDS, NOT_FOUND, PAGES, SEARCH, SITEMAP
from generator.grammar.routes import routes
from generator.reader.site import Site
from support import awkward, commands, engines, pages

HERE = Path(__file__).parent


class Built(NamedTuple):
    """A build with its pages, and its future base URL."""

    out: Path
    pages: Mapping[str, pages.Html]
    base: str

    @property
    def prefix(self) -> str:
        return urlsplit(self.base).path


def read(out: Path) -> Built:
    grammar = Site.open(out).grammar
    origin = re.search(rb"<loc>(https?://[^/<]+)", (out / SITEMAP[1:]).read_bytes())
    return Built(out, pages.read(out), (origin[1].decode() if origin else "") + grammar.prefix)


@pytest.fixture(scope="module", params=["content", "awkward", "prefix"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    if request.param == "content":
        return read(request.getfixturevalue("built_content"))
    if request.param == "awkward":
        return read(request.getfixturevalue("built_awkward"))
    base = "https://registry.example.org/registry"
    return read(awkward.build(tmp_path_factory.mktemp("prefix"), base_url=base, site=True))


def broken(built: Built) -> list[str]:
    """Link targets that do not exist."""
    grammar = Site.open(built.out).grammar
    bare = {SEARCH, *(route.path for route in routes(grammar))}
    # The bare address of a record is answered if its file exists.
    roots = {c.root: c for c in grammar.collections.values()}
    wrong: list[str] = []
    exists: dict[str, bool] = {}
    right: set[str] = set()  # links found on any page
    for path, page in built.pages.items():
        for tag, rel, link in page.links:
            if link in right:
                continue
            address = link.removeprefix(built.base.removesuffix(built.prefix)) or "/"
            if re.match(r"(?!webcal)[a-z]+:", address):
                right.add(link)
                continue
            if address.startswith("webcal:"):
                address = address.removeprefix("webcal:").removeprefix(built.base.partition(":")[2])
                address = f"{built.prefix}{address}"
            if not address.startswith(("/", "#")):
                wrong.append(f"{path}: <{tag} {rel}> {link} is not from the root")
                continue
            target, _, anchor = address.partition("#")
            target = unquote(target.partition("?")[0])
            if target and built.prefix and not target.startswith(f"{built.prefix}/"):
                wrong.append(f"{path}: <{tag} {rel}> {link} is not below the base URL")
                continue
            inside = target.removeprefix(built.prefix) or path
            if inside not in exists:
                root, _, slug = inside.rpartition("/")
                files = [inside, *([roots[root].record_path(slug)] if root in roots else [])]
                found = any((built.out / pages.file_of(file)).is_file() for file in files)
                exists[inside] = found or inside in bare
            if not exists[inside]:
                wrong.append(f"{path}: <{tag} {rel}> {link} is not there")
            # A fragment that begins with a slash is for the script of that page.
            elif (
                anchor
                and not anchor.startswith("/")
                and inside in built.pages
                and anchor not in built.pages[inside].ids
            ):
                wrong.append(f"{path}: <{tag} {rel}> {link} has no such anchor")
            elif target:
                right.add(link)
    return wrong


def test_every_link_leads_to_a_file_and_every_anchor_to_a_part_of_a_page(built: Built) -> None:
    assert len(built.pages) > 100
    assert sum(len(page.links) for page in built.pages.values()) > 10 * len(built.pages)
    assert broken(built) == []


def test_no_page_has_an_id_twice(built: Built) -> None:
    twice = {
        path: [name for name, count in Counter(page.ids).items() if count > 1]
        for path, page in built.pages.items()
    }
    assert {path: names for path, names in twice.items() if names} == {}


def test_every_page_is_at_the_path_given_to_hosts(built: Built) -> None:
    places = tuple(f"{place}/" for place in (*PAGES, EMBEDS, ASSETS))
    assert {path for path in built.pages if not path.startswith(places)} == {"/", NOT_FOUND}


def test_a_page_names_its_own_address_and_is_in_the_sitemap(built: Built) -> None:
    if not built.base:
        pytest.skip("without a base URL no address can be told")
    maps = b"".join(file.read_bytes() for file in built.out.glob("sitemap*.xml")).decode()
    listed = set(re.findall(r"<loc>([^<]+)</loc>", maps))
    pages_of_map = {url.removeprefix(built.base) for url in listed if not url.endswith(".xml")}
    assert "/" in pages_of_map and "/projects/" in pages_of_map
    assert pages_of_map <= built.pages.keys()
    for path in pages_of_map:
        canonical = [url for tag, rel, url in built.pages[path].links if rel == "canonical"]
        assert canonical == [built.base + path], path


def test_every_page_is_valid_html(built: Built) -> None:
    engines.need("html-validate")
    # Every page of one registry, and one page of each sort of the others.
    paths = built.pages if len(built.pages) > 500 else pages.telling(built.pages)
    files = [built.out / pages.file_of(path) for path in paths]
    done = subprocess.run(
        ["node", str(HERE / "valid.mjs")],
        input="\n".join(map(str, files)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    errors = [
        f"{pages.path_of(Path(path), built.out)} line {line}: {rule}: {message}"
        for path, line, rule, message in json.loads(done.stdout)
    ]
    assert errors == [], "\n".join(errors[:50])


def test_a_large_real_registry_has_no_broken_links(real_content: Path, tmp_path: Path) -> None:
    out = commands.build(real_content, tmp_path / "out", "--as-of", commands.TODAY, site=True)
    assert broken(read(out)) == []


def test_broken_links_are_noticed(tmp_path: Path) -> None:
    out = awkward.build(tmp_path, site=True)
    home = out / "index.html"
    wrong = '<p id="main"><a href="/projects/nobody/"></a><a href="/projects/#no"></a></main>'
    home.write_text(home.read_text().replace("</main>", wrong))
    built = read(out)
    assert broken(built) == [
        "/: <a > /projects/nobody/ is not there",
        "/: <a > /projects/#no has no such anchor",
    ]
    assert built.pages["/"].ids.count("main") == 2
