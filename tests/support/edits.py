"""One seeded author of edits: the same seed and the same content give the same series of steps.

The author changes a content folder and the templates beside it, one step after the other.  Content
is valid after each step, except after a step that is `faulty`: then a build must fail and leave the
output alone, and the next step repairs the content.

The series depends on the seed and on the bytes of the content, and on nothing else: not on the
time, the order of files on disk, the version of Python or the generator.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml

from support.registries import as_yaml

T = TypeVar("T")

#: The first day of each series.
FIRST_DAY = date(2026, 11, 21)
COLLECTIONS = ("organizations", "programs", "events", "projects")
#: (collection, field) -> the collection that the field refers to.
REFERENCES = {
    ("projects", "programs"): "programs",
    ("projects", "organizations"): "organizations",
    ("events", "program"): "programs",
    ("events", "organization"): "organizations",
    ("programs", "organization"): "organizations",
    ("programs", "parent"): "programs",
    ("organizations", "parent"): "organizations",
}
#: A reference that the record must have.
REQUIRED = ("programs", "organization")
#: kind of an event -> its start and end fields; the last is required.
TIMES = {
    "application_window": ("opens", "closes"),
    "deadline": ("due",),
    "event": ("ends", "starts"),
}

#: Hosts that can share an output: netlify cannot share with cloudflare and gitlab-pages.
HOSTS = (
    ["nginx", "apache", "caddy", "cloudflare", "vercel", "firebase", "aws", "r2", "github-pages",
     "gitlab-pages"],
    ["netlify", "nginx", "apache", "caddy", "vercel", "firebase", "aws", "r2", "github-pages"],
    ["netlify"],
    ["github-pages"],
)  # fmt: skip

_NAMES = (
    "Acme", "acme", "Ácme", "Élan", "ßtar", "zeta", "ГОСТ", "北京", "O'Neil: x", "Ångström",
    "Über Öl & Gas", "<b>Fett</b>", "🚀 Rakete", "شركة", "x" * 120, "null", "012", "- a: [b] # c",
)  # fmt: skip
_WORDS = """contra content cont con é 東 robots companies e-commerce Straße Wärmepumpe quantum
boxes lattice Küste data machine learning the of and solar grids 東京タワー AirBnB <b> & "so"
100%""".split()  # noqa: SIM905
_PLACES = (
    {"country": "BR", "city": "São Paulo"}, {"country": "BR", "city": "SAO PAULO"},
    {"country": "PE"}, {"country": "NO", "city": "Tromsø"}, {"country": "FJ", "city": "Suva"},
    {"country": "DE", "region": "Thüringen", "city": "Weißenfels"},
    {"country": "US", "region": "CA", "city": "San Francisco"},
)  # fmt: skip
_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "AoE")
_DAYS = ("2026-06-01", "2026-08-30", "2026-11-21", "2026-11-22", "2027-02-14", "2026-12-31")
#: A day so far away that values change.
_FAR = ("2036-01-01", "2019-07-01")
_EXTENDED = '{% extends "original/NAME" %}{% block main %}<p>WORD</p>{{ super() }}{% endblock %}\n'


class Step(NamedTuple):
    """The author's action, the build day, and whether the content now has an error."""

    what: str
    day: str
    faulty: bool


class Chance:
    """Draws from a seed, by `random()` alone, which is the same in every version of Python."""

    def __init__(self, seed: int):
        self._random = random.Random(seed).random

    def below(self, number: int) -> int:
        return int(self._random() * number)

    def likely(self, share: float) -> bool:
        return self._random() < share

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], number: int) -> list[T]:
        """Up to `count` different items."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(number, len(left)))]


class _Loader(yaml.CSafeLoader):
    """YAML as the registry reads it: `NO` and `2026-01-01` are text."""


_Loader.yaml_implicit_resolvers = {
    first: [rule for rule in rules if not rule[0].endswith((":timestamp", ":bool"))]
    for first, rules in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("true|false"), list("tf"))


def read(text: str) -> dict[str, Any]:
    """The fields of a record or of registry.yaml."""
    fields: dict[str, Any] = yaml.load(text, _Loader)
    return fields


def as_block(fields: Mapping[str, Any]) -> str:
    """The text of a record: a line for each field."""
    return "".join(f"{k}: {json.dumps(v, ensure_ascii=False)}\n" for k, v in fields.items())


def with_field(text: str, name: str, value: Any) -> str:
    """The text of a record with one field replaced and put at the end; None removes it."""
    block = rf"^{name}:.*\n(?:(?:[ \t\-\]}}].*|\s*)\n)*"
    before = text if text.endswith("\n") else f"{text}\n"
    after = re.sub(block, "", before, count=1, flags=re.M)
    if value is not None:
        after = f"{after.rstrip()}\n{name}: {json.dumps(value, ensure_ascii=False)}\n"
    wanted = {key: held for key, held in read(text).items() if key != name}
    if value is not None:
        wanted[name] = value
    assert read(after) == wanted, f"{name} cannot be replaced in {text!r}"
    return after


class Author:
    """Changes the content folder `content` and `templates/site` beside it, `without` some of the
    actions in DECK.
    """

    def __init__(self, content: Path, seed: int, without: Container[str] = ()):
        self.content = content
        self.templates = content.parent / "templates" / "site"
        self.day = FIRST_DAY.isoformat()
        self._chance, self._without = Chance(seed), without
        self._deck: list[str] = []
        #: The action of the next step, and whether it leaves an error.
        self._next: Callable[[], str] | None = None
        self._faulty = False
        self._number = 0
        #: Removed records; opened tag families with their former tags.
        self._gone: list[tuple[str, str]] = []
        self._opened: dict[str, dict[str, str]] = {}
        self._invented: dict[str, set[str]] = {}
        self._litter: list[Path] = []
        self._files: dict[str, dict[str, Path]] = {}
        self._aliases: dict[str, dict[str, list[str]]] = {}
        for collection in COLLECTIONS:
            paths = sorted(
                path
                for path in (content / collection).rglob("*.y*ml")
                if not path.name.startswith(".")
            )
            self._files[collection] = {path.stem: path for path in paths}
            self._aliases[collection] = {
                path.stem: read(text)["aliases"] or []
                for path in paths
                if re.search("^aliases:", text := self._text(path), re.M)
            }

    def steps(self) -> Iterator[Step]:
        """The endless series."""
        while True:
            yield self.step()

    def step(self) -> Step:
        following, self._next, self._faulty = self._next, None, False
        what = self._drawn() if following is None else following()
        return Step(what, self.day, self._faulty)

    def _drawn(self) -> str:
        """Draw the next action of the deck that the content allows.  Each deck has every action
        once, so a long series covers all of them.
        """
        while True:
            if not self._deck:
                every = [
                    name
                    for name, weight in DECK
                    for _ in range(weight)
                    if name not in self._without
                ]
                self._deck = self._chance.some(every, len(every))
            name = self._deck.pop()
            action: Callable[[], str | None] = getattr(self, f"_{name}")
            what = action()
            if what is not None:
                return f"{name}: {what}"

    # --- records, read and written ---

    def _text(self, path: Path) -> str:
        return path.read_bytes().decode()

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def _fields(self, collection: str, slug: str) -> dict[str, Any]:
        return read(self._text(self._files[collection][slug]))

    def _set(self, collection: str, slug: str, name: str, value: Any) -> str:
        path = self._files[collection][slug]
        self._write(path, with_field(self._text(path), name, value))
        if name == "aliases":
            self._aliases[collection][slug] = value or []
        return f"{collection}/{slug} {name}"

    def _slug(self, collection: str, least: int = 1) -> str | None:
        """Any record, or None if there are fewer than `least`."""
        slugs = sorted(self._files[collection])
        return self._chance.one(slugs) if len(slugs) >= max(least, 1) else None

    def _any(self, *collections: str) -> tuple[str, str] | None:
        """Any record of one of the collections, of projects more often."""
        collection = self._chance.one(collections or (*COLLECTIONS, "projects", "projects"))
        slug = self._slug(collection)
        return None if slug is None else (collection, slug)

    def _new_slug(self) -> str:
        """A slug that no record has ever had."""
        while True:
            self._number += 1
            slug = f"{self._chance.one(('neu', 'a', 'zz'))}-{self._number}"
            if not any(slug in self._files[name] for name in COLLECTIONS):
                return slug

    def _add(self, collection: str, fields: dict[str, Any], slug: str | None = None) -> str:
        slug = slug or self._new_slug()
        own = self._required(collection)
        folder = self._chance.one(("", "", "neu/", f"{slug[0]}/"))
        path = self.content / collection / f"{folder}{slug}.yaml"
        self._write(path, as_block({**fields, **({"fields": own} if own else {})}))
        self._files[collection][slug] = path
        return f"{collection}/{slug}"

    def _forget(self, collection: str, slug: str) -> str:
        """Remove a record's file."""
        self._files[collection].pop(slug).unlink()
        self._aliases[collection].pop(slug, None)
        self._gone.append((collection, slug))
        return f"{collection}/{slug}"

    def _referring(self, collection: str, slug: str) -> list[tuple[str, str, str]]:
        """Collection, slug and field of each reference to a record."""
        found = []
        named = re.compile(rf"(?<![\w-]){re.escape(slug)}(?![\w-])").search
        for (of, field), to in REFERENCES.items():
            if to != collection:
                continue
            for other, path in sorted(self._files[of].items()):
                text = self._text(path)
                if named(text) and slug in _listed(read(text).get(field)):
                    found.append((of, other, field))
        return found

    def _redirect(self, collection: str, slug: str, to: str | None) -> bool:
        """Replace each reference to a record by a reference to another record, or remove it.
        Returns False, without a change, if a required reference would go.
        """
        found = self._referring(collection, slug)
        if to is None and any((of, field) == REQUIRED for of, _, field in found):
            return False
        for of, other, field in found:
            held = self._fields(of, other)[field]
            if isinstance(held, str):
                itself = (of, other) == (collection, to)
                self._set(of, other, field, None if itself else to)
            else:
                new = dict.fromkeys(to if item == slug else item for item in held)
                self._set(of, other, field, [item for item in new if item is not None] or None)
        return True

    # --- fields ---

    def _line(self, least: int = 2, most: int = 12) -> str:
        number = least + self._chance.below(most - least)
        return " ".join(self._chance.one(_WORDS) for _ in range(number))

    def _name(self) -> str | None:
        found = self._any()
        if found is None:
            return None
        old = self._fields(*found)["name"]
        new = self._chance.one([*_NAMES, f"{old[:80]} 2", old[::-1].strip()[:80] or "X"])
        return self._set(*found, "name", new)

    def _summary(self) -> str | None:
        found = self._any()
        return found and self._set(*found, "summary", self._line())

    def _description(self) -> str | None:
        found = self._any()
        text = f"{self._line()}.\n\n{self._line(9, 40)}.\n" if self._chance.likely(0.8) else None
        return found and self._set(*found, "description", text)

    def _year(self) -> str | None:
        found = self._any("projects", "projects", "programs", "organizations")
        return found and self._set(
            *found, "year", self._chance.one((1899, 1999, 2009, 2024, 2026, None))
        )

    def _team_size(self) -> str | None:
        found = self._any("projects")
        return found and self._set(
            *found, "team_size", self._chance.one((0, 1, 50, 77, 100_000, None))
        )

    def _status(self) -> str | None:
        found = self._any("projects", "projects", "events")
        if found is None:
            return None
        of = {
            "projects": ("active", "acquired", "public", "inactive", None),
            "events": ("confirmed", "tentative", "extended", "cancelled", None),
        }
        return self._set(*found, "status", self._chance.one(of[found[0]]))

    def _tags(self) -> str | None:
        found = self._any()
        tags = {}
        for family, spec in (self._settings().get("tag_families") or {}).items():
            if self._chance.likely(0.6):
                known = sorted(spec.get("tags") or ()) or ["rust", "zz-neu", "lisp", "wind-kraft"]
                tags[family] = self._chance.some(known, 1 + self._chance.below(3))
                if not spec.get("tags"):
                    self._invented.setdefault(family, set()).update(tags[family])
        return found and self._set(*found, "tags", tags or None)

    def _place(self) -> str | None:
        found = self._any()
        return found and self._set(
            *found, "locations", self._chance.some(_PLACES, self._chance.below(4)) or None
        )

    def _remote(self) -> str | None:
        found = self._any("projects")
        return found and self._set(*found, "remote", self._chance.one((True, False, None)))

    def _links(self) -> str | None:
        found = self._any()
        url = f"https://{self._chance.one(('a', 'b', 'c'))}.example/{self._chance.below(9)}"
        name, value = self._chance.one(
            [("website", url), ("website", None), ("links", {"blog": url}), ("links", None),
             ("sources", [url, f"{url}?a=1&b=2"])]
        )  # fmt: skip
        return found and self._set(*found, name, value)

    def _people(self) -> str | None:
        found = self._any("projects")
        name = self._chance.one(("founders", "former_names"))
        return found and self._set(
            *found, name, [self._chance.one(_NAMES), self._line(1, 3)][: self._chance.below(3)]
        )

    def _reference(self) -> str | None:
        slug = self._slug("projects")
        name = self._chance.one(("programs", "programs", "organizations"))
        to = self._chance.some(sorted(self._files[name]), self._chance.below(3))
        return slug and self._set("projects", slug, name, to or None)

    def _owner(self) -> str | None:
        found = self._any("programs", "events")
        to = self._slug("organizations")
        return found and to and self._set(*found, "organization", to)

    def _event_of(self) -> str | None:
        slug, to = self._slug("events"), self._slug("programs")
        return (
            slug
            and to
            and self._set("events", slug, "program", to if self._chance.likely(0.8) else None)
        )

    def _category(self) -> str | None:
        """The category of an organization, or the type or kind of a program."""
        found = self._any("programs", "organizations")
        if found is None:
            return None
        settings = self._settings()
        name, values = "category", sorted(settings["organization_categories"] or ())
        if found[0] == "programs":
            types = ("type", sorted(settings["program_types"] or ()))
            name, values = self._chance.one((types, ("kind", ["cohort", "program"])))
        return self._set(*found, name, self._chance.one(values))

    def _parent(self) -> str | None:
        found = self._any("programs", "organizations")
        if found is None:
            return None
        collection, slug = found
        parent = self._slug(collection)
        here: str | None = parent
        while here is not None and here != slug:
            here = self._fields(collection, here).get("parent")
        return self._set(*found, "parent", None if here == slug else parent)

    def _program_days(self) -> str | None:
        slug = self._slug("programs")
        if slug is None:
            return None
        self._set("programs", slug, "ends", None)
        year = 2005 + self._chance.below(25)
        self._set("programs", slug, "starts", f"{year}-02-28")
        return self._set("programs", slug, "ends", f"{year}-0{2 + self._chance.below(8)}-28")

    def _when(self) -> dict[str, str]:
        """The time fields of an event."""
        kind = self._chance.one(sorted(TIMES))
        year, month = 2025 + self._chance.below(4), 1 + self._chance.below(9)
        clock = self._chance.one(("", "", " 17:00", " 09:30"))
        start, end = (f"{year}-0{month}-{day}{clock}" for day in (11, 11 + self._chance.below(9)))
        first, last = (*TIMES[kind], *TIMES[kind])[:2]
        times = {last: end if kind != "event" else start}
        if kind != "deadline" and self._chance.likely(0.7):
            times[first] = start if kind != "event" else end
        zone = {"timezone": self._chance.one(_ZONES)} if clock or self._chance.likely(0.3) else {}
        return {"kind": kind, **times, **zone}

    def _time(self) -> str | None:
        slug = self._slug("events")
        if slug is None:
            return None
        path = self._files["events"][slug]
        times = self._when()
        text = self._text(path)
        for name in ("kind", "opens", "closes", "due", "starts", "ends", "timezone"):
            text = with_field(text, name, None) if name in read(text) else text
        for name, value in times.items():
            text = with_field(text, name, value)
        self._write(path, text)
        return f"events/{slug} {times}"

    def _postpone(self) -> str | None:
        """An event by some years, in place."""
        slug = self._slug("events")
        if slug is None:
            return None
        path, years = self._files["events"][slug], 4 * (1 + self._chance.below(2))
        text = re.sub(
            r"^((?:opens|closes|due|starts|ends): *[\"']?)(20[0-4]\d)",
            lambda found: f"{found[1]}{int(found[2]) + years}",
            self._text(path),
            flags=re.M,
        )
        self._write(path, text)
        return f"events/{slug} by {years} years"

    # --- own fields ---

    def _declared(self, collection: str) -> dict[str, dict[str, Any]]:
        declared: dict[str, dict[str, Any]] = self._settings().get("fields", {}).get(collection, {})
        return declared

    def _own_value(self, declared: dict[str, Any]) -> Any:
        chance = self._chance
        one: dict[str, Callable[[], Any]] = {
            "text": lambda: self._line(1, 5),
            "number": lambda: chance.one((0, 5, -2.5, 12345.5, 1e6, 0.125)),
            "boolean": lambda: chance.likely(0.5),
            "date": lambda: f"{1990 + chance.below(40)}-0{1 + chance.below(9)}-17",
            "url": lambda: f"https://own.example/{chance.below(99)}?a=1&b=2",
            "choice": lambda: chance.one(sorted(declared.get("values") or ("rot", "blau", "moon"))),
        }
        value = one[declared["type"]]
        if declared.get("many"):
            return [*dict.fromkeys(value() for _ in range(1 + chance.below(3)))]
        return value()

    def _required(self, collection: str) -> dict[str, Any]:
        return {
            key: self._own_value(declared)
            for key, declared in self._declared(collection).items()
            if declared.get("required")
        }

    def _own(self) -> str | None:
        found = self._any()
        if found is None or not self._declared(found[0]):
            return None
        declared = self._declared(found[0])
        own = {**(self._fields(*found).get("fields") or {})}
        for key in self._chance.some(sorted(declared), 1 + self._chance.below(3)):
            if self._chance.likely(0.2) and not declared[key].get("required"):
                own.pop(key, None)
            else:
                own[key] = self._own_value(declared[key])
        return self._set(*found, "fields", own or None)

    # --- files ---

    def _several(self) -> str:
        """Several edits before the next build, on another day or the same day."""
        done = []
        for _ in range(2 + self._chance.below(4)):
            what: str | None = getattr(self, f"_{self._chance.one(TOGETHER)}")()
            done.append(what or "nothing")
        return ", ".join(done)

    def _nothing(self) -> str:
        return "at all"

    def _touch(self) -> str | None:
        """Change the mtime of a file, or of all files as in a new checkout, but not the bytes."""
        found = self._any()
        if found is None:
            return None
        paths = [self._files[found[0]][found[1]]]
        if self._chance.likely(0.3):
            paths = [path for held in self._files.values() for path in held.values()]
        self._number += 1
        at = (1_700_000_000 + self._number) * 10**9 * self._chance.one((1, 1, -1))
        for path in paths:
            os.utime(path, ns=(at, at))
        return f"{len(paths)} files"

    def _comment(self) -> str | None:
        found = self._any()
        if found is None:
            return None
        path = self._files[found[0]][found[1]]
        self._write(path, f"# {self._line(1, 4)}\n{self._text(path)}")
        return "/".join(found)

    def _line_ends(self) -> str | None:
        """Change a file's line endings, which keeps its meaning."""
        found = self._any()
        if found is None:
            return None
        path = self._files[found[0]][found[1]]
        text = self._text(path)
        plain = text.replace("\r\n", "\n")
        self._write(path, plain if plain != text else plain.replace("\n", "\r\n"))
        return "/".join(found)

    def _unseen(self) -> str | None:
        """Change a file's bytes, but not its size and mtime."""
        found = self._any()
        if found is None:
            return None
        path = self._files[found[0]][found[1]]
        was, text = path.stat(), self._text(path)
        new = re.sub(
            r"^(name:.*?)([A-Za-z])", lambda m: m[1] + m[2].swapcase(), text, count=1, flags=re.M
        )
        path.write_bytes(new.encode())
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
        return "/".join(found)

    def _folder(self) -> str | None:
        found = self._any()
        if found is None:
            return None
        collection, slug = found
        path = self._files[collection][slug]
        new = self.content / collection / self._chance.one(("archiv", slug[0], ".")) / path.name
        return self._moved(collection, slug, new)

    def _ending(self) -> str | None:
        found = self._any()
        if found is None:
            return None
        path = self._files[found[0]][found[1]]
        return self._moved(*found, path.with_suffix(".yml" if path.suffix == ".yaml" else ".yaml"))

    def _moved(self, collection: str, slug: str, new: Path) -> str:
        new.parent.mkdir(parents=True, exist_ok=True)
        self._files[collection][slug].rename(new)
        self._files[collection][slug] = new
        return new.relative_to(self.content).as_posix()

    def _link(self) -> str | None:
        """Replace a record's file by a link to a file elsewhere, or a collection's folder by a link
        to a folder.
        """
        collection = self._chance.one(("projects", "events", "organizations"))
        slug = self._slug(collection)
        if slug is None:
            return None
        path = self.content / collection
        if path.is_symlink() or self._chance.likely(0.5):
            path = self._files[collection][slug]
        if path.is_symlink():
            return None
        self._number += 1
        real = self.content.parent / f"real-{self._number}-{path.name}"
        path.rename(real)
        path.symlink_to(real)
        return path.relative_to(self.content).as_posix()

    def _stray(self) -> str:
        """Add or remove a stray file that is not content."""
        if self._litter and self._chance.likely(0.5):
            path = self._litter.pop()
            path.rmdir() if path.is_dir() else path.unlink()
            return f"{path.name} is gone"
        self._number += 1
        name = f"stray-{self._number}"
        path, is_folder = self._chance.one([
            (self.content / f"{name}.txt", False),
            (self.content / name, True),
            (self.content / "organizations" / f".{name}.yaml", False),
            (self.content / "organizations" / f".{name}", True),
        ])  # fmt: skip
        path.mkdir() if is_folder else path.write_text("x")
        self._litter.append(path)
        return path.relative_to(self.content).as_posix()

    # --- records that come and go ---

    def _new_project(self) -> str:
        chance, settings = self._chance, self._settings()
        rest = {
            "summary": self._line(),
            "year": 2000 + chance.below(26),
            "status": chance.one(("active", "inactive")),
            "programs": chance.some(sorted(self._files["programs"]), 1),
            "organizations": chance.some(sorted(self._files["organizations"]), 1),
            "locations": chance.some(_PLACES, 1),
            "website": f"https://{chance.below(1000)}.example/",
            "tags": {
                family: [chance.one(sorted(spec["tags"]))]
                for family, spec in (settings.get("tag_families") or {}).items()
                if spec.get("tags")
            },
        }
        kept = {name: value for name, value in rest.items() if chance.likely(0.7)}
        return self._add("projects", {"name": chance.one(_NAMES), **kept})

    def _new_program(self) -> str | None:
        owner, types = self._slug("organizations"), sorted(self._settings()["program_types"] or ())
        if owner is None or not types:
            return None
        fields = {"name": self._chance.one(_NAMES), "type": self._chance.one(types)}
        parent = self._slug("programs")
        if parent is not None and self._chance.likely(0.5):
            of = {"kind": "cohort", "parent": parent, "year": 2010 + self._chance.below(17)}
        else:
            of = {"kind": "program"}
        return self._add("programs", {**fields, **of, "organization": owner})

    def _new_organization(self) -> str | None:
        categories = sorted(self._settings()["organization_categories"] or ())
        fields = {"name": self._chance.one(_NAMES), "category": self._chance.one(categories)}
        return self._add("organizations", fields)

    def _new_event(self) -> str:
        fields = {"name": self._chance.one(_NAMES), **self._when()}
        program, owner = self._slug("programs"), self._slug("organizations")
        if program is not None and self._chance.likely(0.7):
            fields["program"] = program
        if owner is not None and self._chance.likely(0.4):
            fields["organization"] = owner
        return self._add("events", fields)

    def _remove(self) -> str | None:
        collection = self._chance.one(("projects", "projects", "events"))
        slug = self._slug(collection, least=4)
        return slug and self._forget(collection, slug)

    def _remove_with_references(self) -> str | None:
        """Remove a program or organization, and redirect or remove the references to it."""
        collection = self._chance.one(("programs", "organizations"))
        slug = self._slug(collection, least=3)
        if slug is None or not self._redirect(collection, slug, None):
            return None
        return self._forget(collection, slug)

    def _renamed(self, alias: bool) -> str | None:
        found = self._any()
        if found is None:
            return None
        collection, slug = found
        new = self._new_slug()
        path = self._files[collection].pop(slug)
        self._files[collection][new] = path.rename(path.with_name(f"{new}{path.suffix}"))
        self._aliases[collection][new] = aliases = self._aliases[collection].pop(slug, [])
        if alias:
            self._set(collection, new, "aliases", [*aliases, slug])
        self._redirect(collection, slug, new)
        return f"{collection}/{slug} to {new}"

    def _rename(self) -> str | None:
        return self._renamed(alias=True)

    def _rename_without_alias(self) -> str | None:
        return self._renamed(alias=False)

    def _merge(self) -> str | None:
        """Merge two records: the first becomes a former slug of the second."""
        found = self._any()
        if found is None:
            return None
        collection, slug = found
        others = [other for other in sorted(self._files[collection]) if other != slug]
        into = self._chance.one(others) if len(others) > 2 else slug
        if into == slug or self._fields(collection, into).get("parent"):
            return None
        aliases = [*self._aliases[collection].get(into, ()), slug]
        aliases += self._aliases[collection].get(slug, ())
        self._redirect(collection, slug, into)
        self._files[collection].pop(slug).unlink()
        self._aliases[collection].pop(slug, None)
        self._set(collection, into, "aliases", aliases)
        return f"{collection}/{slug} into {into}"

    def _empty(self) -> str | None:
        """Empty a collection without references to it, and refill it later."""
        collection = self._chance.one(("projects", "events"))
        folder, aside = self.content / collection, self.content.parent / f"aside-{collection}"
        if not self._files[collection]:
            return None
        folder.rename(aside)

        def fill() -> str:
            aside.rename(folder)
            return f"fill: {collection}"

        self._next = fill
        return collection

    def _alias_becomes_record(self) -> str | None:
        """Take a former slug from a record and give it to a new record."""
        every = [
            (collection, slug)
            for collection in ("projects", "programs", "organizations")
            for slug, aliases in sorted(self._aliases[collection].items())
            if aliases
        ]
        if not every:
            return None
        collection, slug = self._chance.one(every)
        first, *rest = self._aliases[collection][slug]
        self._set(collection, slug, "aliases", rest or None)
        was = self._fields(collection, slug)
        needed = ("kind", "type", "organization", "category")
        fields = {name: was[name] for name in needed if name in was}
        return self._add(collection, {"name": "Once an alias", **fields}, first)

    def _removed(self) -> str | None:
        """removed.yaml lists removed records."""
        live = {
            (name, slug)
            for name in COLLECTIONS
            for slug in (
                *self._files[name],
                *(a for of in self._aliases[name].values() for a in of),
            )
        }
        gone = [one for one in dict.fromkeys(self._gone) if one not in live]
        if not gone:
            return None
        listed = [
            {"kind": collection[:-1], "slug": slug, "date": "2026-05-04", "reason": "Closed."}
            for collection, slug in gone[-3:]
        ]
        (self.content / "removed.yaml").write_text(as_yaml({"removed": listed}), "utf-8")
        self._gone = []
        return f"{len(listed)} records"

    # --- faults, which the next step repairs ---

    def _fault_of_reference(self) -> str | None:
        """Remove a record with references; the repair restores it or removes them."""
        for _ in range(5):
            found = self._any("programs", "organizations")
            if found is not None and (references := self._referring(*found)):
                break
        else:
            return None
        collection, slug = found
        path = self._files[collection][slug]
        raw, aliases = path.read_bytes(), self._aliases[collection].get(slug, [])
        self._forget(collection, slug)

        def repair() -> str:
            few = len(references) < 20 and self._chance.likely(0.5)
            if few and self._redirect(collection, slug, None):
                return f"repair: references to {collection}/{slug} are gone"
            path.write_bytes(raw)
            self._files[collection][slug], self._aliases[collection][slug] = path, aliases
            self._gone.remove((collection, slug))
            return f"repair: {collection}/{slug} is back"

        self._next, self._faulty = repair, True
        return f"{collection}/{slug} is gone"

    def _broken(self, path: Path, text: str) -> str:
        """Replace the text of a file until the next step."""
        there = path.exists()
        raw = path.read_bytes() if there else b""

        def repair() -> str:
            path.write_bytes(raw) if there else path.unlink()
            return f"repair: {path.name}"

        self._write(path, text)
        self._next, self._faulty = repair, True
        return path.name

    def _fault_of_value(self) -> str | None:
        found = self._any("projects")
        if found is None:
            return None
        path = self._files[found[0]][found[1]]
        text = self._text(path)
        return self._broken(path, self._chance.one([
            with_field(text, "status", "nonsense"), with_field(text, "wrong", 1), "name: [\n", "",
            with_field(text, "programs", ["no-such-program"]),
        ]))  # fmt: skip

    def _fault_of_slug(self) -> str | None:
        slug = self._slug("projects")
        if slug is None:
            return None
        path = self.content / "projects" / "twice" / f"{slug}.yaml"
        return self._broken(path, "name: The same slug\n")

    def _fault_of_settings(self) -> str:
        wrong = {"page_size": 5, "tag_families": {"Topic": 1}, "language": "pt_BR"}
        name = self._chance.one(sorted(wrong))
        text = as_yaml({**self._settings(), name: wrong[name]})
        return self._broken(self.content / "registry.yaml", text)

    def _fault_of_template(self) -> str | None:
        if self._settings().get("site") is False:
            return None
        return self._broken(self.templates / "list.html.j2", "{% if %}\n")

    # --- settings ---

    def _settings(self) -> dict[str, Any]:
        return read(self._text(self.content / "registry.yaml"))

    def _setting(self, name: str, value: Any) -> str:
        """Replace one setting; None removes it."""
        settings = {**self._settings(), name: value}
        kept = {key: held for key, held in settings.items() if held is not None}
        self._write(self.content / "registry.yaml", as_yaml(kept))
        return f"{name} is {json.dumps(value, ensure_ascii=False)[:60]}"

    def _page_size(self) -> str:
        return self._setting("page_size", self._chance.one((10, 12, 50)))

    def _language(self) -> str:
        was = self._settings().get("language")
        return self._setting(
            "language", self._chance.one([x for x in ("de", "en", "fr") if x != was])
        )

    def _hosts(self) -> str:
        was = self._settings().get("hosts")
        return self._setting("hosts", self._chance.one([x for x in HOSTS if x != was]))

    def _nouns(self) -> str:
        nouns = {"projects": {"one": "Firma", "many": "Firmen"}}
        return self._setting("nouns", None if self._settings().get("nouns") else nouns)

    def _base_url(self) -> str:
        urls = ("https://registry.example", "https://example.github.io/a/b-c/", None)
        was = self._settings().get("base_url")
        return self._setting("base_url", self._chance.one([url for url in urls if url != was]))

    def _texts(self) -> str:
        name, value = self._chance.one([
            ("name", self._chance.one(_NAMES)),
            ("description", f"{self._line()}\n\n{self._line()}"),
            ("license", "MIT"), ("contact", "hello@registry.example"),
            ("repository", "https://github.example/acme/registry"),
        ])  # fmt: skip
        return self._setting(name, value)

    def _looks(self) -> str:
        looks = (
            {"accent": "#8a2a12"},
            {"footer": "Gepflegt vom [Hafenamt](https://hafen.example/).", "accent": "#0b4f6e"},
            {"navigation": [{"label": "Über uns", "href": "https://acme.example/"}]},
            False,
            None,
        )
        was = self._settings().get("site")
        return self._setting("site", self._chance.one([x for x in looks if x != was]))

    def _family(self) -> str | None:
        """Change a tag family: relabel, add a tag, open or close it."""
        families = self._settings().get("tag_families") or {}
        closed = sorted(name for name, spec in families.items() if spec.get("tags"))
        if self._opened and self._chance.likely(0.6):
            name = min(self._opened)
            invented = {tag: tag.title() for tag in sorted(self._invented.pop(name, ()))}
            families[name]["tags"] = {**invented, **self._opened.pop(name)}
            what = "closed"
        elif closed:
            name = self._chance.one(closed)
            tags: dict[str, str] = families[name]["tags"]
            what = self._chance.one(("label", "tag label", "tag label", "new tag", "open"))
            if what == "label":
                families[name]["label"] += " 2"
            elif what == "tag label":
                tags[self._chance.one(sorted(tags))] = self._line(1, 3)
            elif what == "new tag":
                self._number += 1
                tags[f"tag-{self._number}"] = "Another tag"
            else:
                self._opened[name] = families[name].pop("tags")
        else:
            return None
        self._setting("tag_families", families)
        return f"{name} {what}"

    def _new_family(self) -> str:
        families = self._settings().get("tag_families") or {}
        self._number += 1
        spec: dict[str, Any] = {"label": f"Family {self._number}"}
        if self._chance.likely(0.5):
            spec["tags"] = {"eins": "Eins", "zwei": "Zwei & mehr"}
        families[f"family_{self._number}"] = spec
        self._setting("tag_families", families)
        return f"family_{self._number}"

    def _declare(self) -> str:
        """Declare an own field, or change how a declared field is shown."""
        settings = self._settings()
        fields = settings.get("fields") or {}
        collection = self._chance.one((*COLLECTIONS, "projects"))
        declared = fields.setdefault(collection, {})
        if declared and self._chance.likely(0.5):
            key = self._chance.one(sorted(declared))
            declared[key]["label"] += " 2"
            declared[key]["summary"] = not declared[key].get("summary")
            if declared[key]["type"] in ("number", "date", "choice", "boolean"):
                declared[key]["filter"] = not declared[key].get("filter")
        else:
            self._number += 1
            key = f"own_{self._number}"
            declared[key] = {"label": f"Own {self._number}", "summary": self._chance.likely(0.5)}
            declared[key] |= self._chance.one([
                {"type": "number", "unit": "€", "filter": True, "sort": True},
                {"type": "date", "sort": True}, {"type": "boolean", "filter": True},
                {"type": "choice", "many": True, "filter": True}, {"type": "text"},
                {"type": "choice", "values": {"rot": "Rot", "blau": "Blau"}, "filter": True},
                {"type": "url", "many": True},
            ])  # fmt: skip
        self._setting("fields", fields)
        return f"{collection} {key}"

    # --- templates ---

    def _template(self) -> str:
        """Write or remove a file of the registry's own theme."""
        word = f"{self._line(1, 3)} {self._number}"
        language = str(self._settings().get("language", "en")).partition("-")[0]
        files = {
            "assets/own.css": f":root {{ --radius: {1 + self._chance.below(9)}px; }}\n",
            "home.md": f"## {self._chance.below(99)}\n\nAus den **Werkstätten**.\n",
            f"texts/{language}.json": json.dumps({"site": {"compare": word}}),
            "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
            **{
                name: _EXTENDED.replace("NAME", name).replace("WORD", str(self._chance.below(99)))
                for name in ("404.html.j2", "home.html.j2", "list.html.j2")
            },
        }
        name = self._chance.one(sorted(files))
        path = self.templates / name
        if path.exists() and self._chance.likely(0.4):
            path.unlink()
            return f"{name} is gone"
        self._write(path, files[name])
        return name

    # --- the day ---

    def _another_day(self) -> str:
        self.day = self._chance.one([day for day in _DAYS if day != self.day])
        return self.day

    def _far_day(self) -> str:
        self.day = self._chance.one([day for day in _FAR if day != self.day])
        return self.day


def _listed(held: Any) -> list[str]:
    return [held] if isinstance(held, str) else held or []


#: Actions of the author, with their frequencies.
DECK = (
    ("name", 6), ("summary", 6), ("description", 2), ("year", 4), ("team_size", 2), ("status", 4),
    ("tags", 5), ("place", 4), ("remote", 1), ("links", 3), ("people", 1), ("own", 6),
    ("reference", 4), ("owner", 2), ("category", 2), ("event_of", 1), ("parent", 2),
    ("program_days", 1), ("time", 4), ("postpone", 1),
    ("several", 8), ("nothing", 1), ("touch", 2), ("comment", 1), ("line_ends", 1), ("unseen", 1),
    ("folder", 2), ("ending", 1), ("link", 1), ("stray", 2),
    ("new_project", 5), ("new_program", 2), ("new_organization", 1), ("new_event", 3),
    ("remove", 4), ("remove_with_references", 1), ("rename", 4), ("rename_without_alias", 2),
    ("merge", 3), ("empty", 1), ("alias_becomes_record", 1), ("removed", 1),
    ("fault_of_reference", 1), ("fault_of_value", 1), ("fault_of_slug", 1),
    ("fault_of_settings", 1), ("fault_of_template", 1),
    ("page_size", 1), ("language", 1), ("hosts", 1), ("nouns", 1), ("base_url", 1), ("texts", 1),
    ("looks", 1), ("family", 2), ("new_family", 1), ("declare", 2),
    ("template", 3), ("another_day", 4), ("far_day", 1),
)  # fmt: skip
#: Actions that may be combined before a build.
TOGETHER = (
    "name", "summary", "year", "status", "tags", "place", "own", "reference", "owner", "time",
    "folder", "new_project", "new_program", "new_event", "remove", "rename", "merge", "another_day",
)  # fmt: skip
