"""The pages of a build on disk: their links, and a small sample with every kind of element."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Set
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.grammar.paths import NOT_FOUND

#: References of a page, loaded or linked: element -> attribute.
_LEADS = {
    "a": "href", "area": "href", "link": "href", "script": "src", "img": "src", "iframe": "src",
    "source": "src", "form": "action", "object": "data", "use": "href", "image": "href",
}  # fmt: skip


#: A comment; a script or a style with its content, which is not HTML; or any other start tag.
_TAGS = re.compile(
    r"""<!--.*?-->|(?P<raw><(script|style)\b[^>]*>).*?</\2\s*>|<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>""",
    re.DOTALL | re.IGNORECASE,
)


class Tag(HTMLParser):
    """A start tag: its `links` (element, relation, address), its `id`, if any, and its features in
    `made_of` (element, class or attribute).
    """

    def __init__(self, text: str):
        super().__init__()
        self.links: list[tuple[str, str, str]] = []
        self.id: str | None = None
        self.made_of: set[tuple[str, str]] = set()
        self.redirects = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        self.id = named.get("id")
        where = _LEADS.get(tag, "href")
        for name in (where, "xlink:href"):
            if name in named:
                self.links.append((tag, named.get("rel", ""), named[name]))
        if tag == "meta" and named.get("http-equiv", "").lower() == "refresh":
            self.redirects = True
            self.links.append((tag, "", named["content"].partition("=")[2].strip("'\" ")))
        classes = named.get("class", "").split()
        self.made_of |= {(tag, f".{each}") for each in classes} | {(tag, name) for name in named}


#: Most tags occur on many pages.
_tag = functools.lru_cache(1 << 16)(Tag)


class Html:
    """A page: the `links` of its tags and their `ids`, in order, and the kinds of its elements."""

    def __init__(self, text: str):
        every = [found["raw"] or found[0] for found in _TAGS.finditer(text)]
        tags = [_tag(one) for one in every if not one.startswith("<!--")]
        self.links = [link for tag in tags for link in tag.links]
        self.ids = [tag.id for tag in tags if tag.id is not None]
        self.made_of = set[tuple[str, str]]().union(*(tag.made_of for tag in set(tags)))
        self.redirects = any(tag.redirects for tag in tags)


def path_of(file: Path, out: Path) -> str:
    """The address of a page's file; an index has the address of its folder."""
    return "/" + file.relative_to(out).as_posix().removesuffix("index.html")


def file_of(path: str) -> str:
    """The file of a page, below the output."""
    return f"{path}index.html"[1:] if path.endswith("/") else path[1:]


@functools.lru_cache(maxsize=3)
def read(out: Path) -> Mapping[str, Html]:
    """path -> page, for all pages of a build that no longer changes."""
    return {
        path_of(file, out): Html(file.read_text("utf-8")) for file in sorted(out.rglob("*.html"))
    }


def broken(out: Path, base: str, bare: Set[str]) -> list[str]:
    """Link targets of the pages of a build that do not exist.  `base` is its base URL, and `bare`
    has the addresses of queries.
    """
    prefix = urlsplit(base).path
    wrong: list[str] = []
    exists: dict[str, bool] = {}
    right: set[str] = set()  # links found on any page
    for path, page in read(out).items():
        for tag, rel, link in page.links:
            if link in right:
                continue
            address = link.removeprefix(base.removesuffix(prefix)) or "/"
            if re.match(r"(?!webcal)[a-z]+:", address):
                right.add(link)
                continue
            if address.startswith("webcal:"):
                address = address.removeprefix("webcal:").removeprefix(base.partition(":")[2])
                address = f"{prefix}{address}"
            if not address.startswith(("/", "#")):
                wrong.append(f"{path}: <{tag} {rel}> {link} is not from the root")
                continue
            target, _, anchor = address.partition("#")
            target = unquote(target.partition("?")[0])
            if target and prefix and not target.startswith(f"{prefix}/"):
                wrong.append(f"{path}: <{tag} {rel}> {link} is not below the base URL")
                continue
            inside = target.removeprefix(prefix) or path
            if inside not in exists:
                root, _, slug = inside.rpartition("/")
                # The bare address of a record is answered if its file exists.
                files = [inside, f"{root}/slug/{slug}.json"]
                found = any((out / file_of(file)).is_file() for file in files)
                exists[inside] = found or inside in bare
            if not exists[inside]:
                wrong.append(f"{path}: <{tag} {rel}> {link} is not there")
            # A fragment that begins with a slash is for the script of that page.
            elif (
                anchor
                and not anchor.startswith("/")
                and inside in read(out)
                and anchor not in read(out)[inside].ids
            ):
                wrong.append(f"{path}: <{tag} {rel}> {link} has no such anchor")
            elif target:
                right.add(link)
    return wrong


def telling(pages: Mapping[str, Html]) -> list[str]:
    """A few pages that together have every kind of element, class and attribute, and so cover each
    template and its parts.  Redirect pages are left out.
    """
    known = {path: page.made_of for path, page in pages.items() if not page.redirects}
    left = set[tuple[str, str]]().union(*known.values())
    # The first page of each kind is always included: collections, home.
    taken = [path for path in ("/", NOT_FOUND) if path in known]
    for path in taken:
        left -= known[path]
    while left:
        best = max(sorted(known), key=lambda path: len(known[path] & left))
        taken.append(best)
        left -= known[best]
    return taken
