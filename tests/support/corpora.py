"""Registries with frozen published bytes: see ../frozen.py.

Each is written into its own folder: `content`, and for some `templates` beside it.
"""

from __future__ import annotations

import base64
import os
import random
import runpy
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from support.commands import ROOT
from support.edits import HOSTS, as_block
from support.kinds import KINDS
from support.registries import Content, as_yaml

#: The content of a large real registry.  This repository contains none of its text.
REAL = Path(
    os.environ.get("REGISTRY_REAL_CONTENT")
    or Path(os.environ.get("REGISTRY_SHARED") or ROOT.parent / "shared") / "data" / "yc"
)
T = TypeVar("T")


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


class Missing(Exception):
    """The content of a corpus is not on this machine."""


class Corpus(NamedTuple):
    """How to write the content, and the build options.

    If a corpus is not `fixed`, people edit its content, and its digests need to be renewed.
    """

    write: Callable[[Path], object]
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] = MappingProxyType({})
    fixed: bool = True


def _copied(source: Path) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        if not source.is_dir():
            raise Missing(f"{source} is not there")
        shutil.copytree(source, folder / "content", symlinks=True)

    return write


def _generated(projects: int) -> Callable[[Path], object]:
    def write(folder: Path) -> None:
        generate = runpy.run_path(str(ROOT / "benchmarks" / "generate.py"))["generate"]
        generate(str(folder / "content"), projects)

    return write


# --- a registry in German ---

#: The seed of a key, and its public key (RFC 8032, section 5.1.5).
SIGNING_KEY = "ed25519-private:" + base64.b64encode(bytes(range(32))).decode()
_PUBLIC = "ed25519:A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="

_OWN_FIELDS = {
    "projects": {
        "kapital": {"label": "Kapital", "type": "number", "unit": "€", "summary": True,
                    "filter": True, "sort": True},
        "phase": {"label": "Phase", "type": "choice", "summary": True, "filter": True,
                  "required": True,
                  "values": {"idee": "Idee", "saat": "Saat & Engel", "wachstum": "Wachstum"}},
        "rollen": {"label": "Offene Rollen", "type": "choice", "many": True, "filter": True},
        "gemeinnuetzig": {"label": "Gemeinnützig", "type": "boolean", "filter": True,
                          "summary": True},
        "eingetragen": {"label": "Eingetragen", "type": "date", "filter": True, "sort": True},
        "unterlagen": {"label": "Unterlagen", "type": "url"},
        "motto": {"label": "Motto", "type": "text", "summary": True},
        "preise": {"label": "Preise", "type": "text", "many": True},
    },
    "programs": {"anteil": {"label": "Anteil", "type": "number", "unit": "%", "sort": True}},
    "organizations": {"seit": {"label": "Mitglied seit", "type": "date", "filter": True}},
    "events": {"online": {"label": "Online", "type": "boolean", "filter": True, "summary": True}},
}  # fmt: skip

_REGISTRY = {
    "name": "Hafenfirmen",
    "description": "Firmen aus den Werkstätten der Hafenstadt.\n\nGepflegt vom Hafenamt.",
    "base_url": "https://hafen.example/verzeichnis",
    "language": "de",
    "license": "CC-BY-4.0",
    "contact": "amt@hafen.example",
    "page_size": 10,
    "nouns": {"projects": {"one": "Firma", "many": "Firmen"}},
    "tag_families": {
        "thema": {"label": "Thema", "tags": {"energie": "Energie", "gesundheit": "Gesundheit",
                                             "kueche": "Küche", "meer": "Meer & Küste"}},
        "technik": {"label": "Technik"},
    },
    "organization_categories": {"hochschule": "Hochschule", "fonds": "Fonds", "amt": "Amt"},
    "program_types": {"werkstatt": "Werkstatt", "preis": "Preis"},
    "fields": _OWN_FIELDS,
    "hosts": HOSTS[0],
    "repository": "https://github.example/hafen/verzeichnis",
    "cms": True,
    "site": {
        "accent": "#8a2a12",
        "navigation": [{"label": "Das Hafenamt", "href": "https://hafen.example/amt"}],
        "footer": "Gepflegt vom [Hafenamt](https://hafen.example/).",
    },
    "signing": {"keys": [_PUBLIC], "days": 60},
}  # fmt: skip

_THEME = {
    "home.md": "## Worum es geht\n\nWas aus den **Werkstätten** geworden ist.\n",
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>\n',
    "assets/own.css": ":root { --radius: 0; }\n",
    "texts/de.json": '{"site": {"compare": "Gegenüberstellung"}}\n',
    "404.html.j2": '{% extends "original/404.html.j2" %}\n{% block main %}\n'
    "<p>Hier liegt nichts vor Anker.</p>\n{{ super() }}\n{% endblock %}\n",
    "record/when.html.j2": (ROOT / "templates/site/record/when.html.j2").read_text("utf-8"),
}

_STEMS = """Gezeiten Straßen Wärme Küsten Öl Fähr Nebel Möwen Anker Kran Speicher Deich Wind Salz
Leuchtturm Fisch Werft Segel""".split()  # noqa: SIM905
_ENDS = ["mühle", "bau", "kraft", "netz", "labor", "küche", " & Söhne", "werke", " GmbH", ""]
_SENTENCES = [
    "Kleine Turbinen für alte Hafenmauern.", "Größere Öfen, weniger Abwärme.",
    "Wir zählen Möwen – und was sie fressen.", "Ein Netz für Fähren: pünktlich, leise, elektrisch.",
    "„Ohne Umwege“ vom Kutter in die Küche.",
]  # fmt: skip
_CITIES = [
    ("DE", "Hamburg", "Hamburg"), ("DE", "Bremen", "Bremerhaven"), ("AT", "Wien", "Wien"),
    ("CH", "Zürich", "Zürich"), ("DE", "Schleswig-Holstein", "Büsum"), ("NO", None, "Ålesund"),
]  # fmt: skip


def _german_records() -> Content:
    chance = Chance(24)

    def places() -> list[dict[str, str]]:
        return [
            {"country": country, **({"region": region} if region else {}), "city": city}
            for country, region, city in chance.some(_CITIES, chance.below(3))
        ]

    def own() -> dict[str, Any]:
        every = {
            "kapital": chance.one((0, 2500, 1e6, 99.5)), "rollen": ["koch", "lotse"],
            "gemeinnuetzig": chance.likely(0.3), "eingetragen": f"20{10 + chance.below(15)}-02-28",
            "unterlagen": "https://unterlagen.example/a?b=1&c=2", "motto": "Los!",
            "preise": ["Erster Preis", "Großer Preis"],
        }  # fmt: skip
        kept = {name: value for name, value in every.items() if chance.likely(0.5)}
        return {"phase": chance.one(("idee", "saat", "wachstum")), **kept}

    def project(number: int) -> dict[str, Any]:
        name = f"{chance.one(_STEMS)}{chance.one(_ENDS)}"
        rest = {
            "summary": chance.one(_SENTENCES), "year": 2012 + chance.below(15),
            "description": f"{chance.one(_SENTENCES)}\n\n{chance.one(_SENTENCES)}\n",
            "status": chance.one(("active", "acquired", "inactive", "public")),
            "team_size": chance.below(200), "remote": chance.likely(0.5), "locations": places(),
            "programs": chance.some([f"werkstatt-{year}" for year in range(2019, 2026)], 1),
            "organizations": chance.some(["hafen-fonds", "see-fonds", "hochschule"], 1),
            "tags": {"thema": chance.some(["energie", "gesundheit", "meer"], 2),
                     "technik": chance.some(["wind-kraft", "lisp", "sonar", "laser"], 1)},
            "website": f"https://firma-{number}.example/",
            "founders": ["Åse Öztürk", "Jürgen Groß"],
            "sources": [f"https://zeitung.example/{number}"],
        }  # fmt: skip
        kept = {key: value for key, value in rest.items() if chance.likely(0.7)}
        aliases = {"aliases": [f"frueher-{number}"]} if number % 9 == 0 else {}
        return {"name": name, **kept, **aliases, "fields": own()}

    def event(number: int) -> dict[str, Any]:
        year, month = 2025 + number % 4, 1 + number % 9
        times = (
            {"kind": "deadline", "due": f"{year}-0{month}-17 17:00", "timezone": "Europe/Berlin"},
            {"kind": "event", "starts": f"{year}-0{month}-03", "ends": f"{year}-0{month}-05"},
            {"kind": "application_window", "opens": f"{year}-0{month}-01",
             "closes": f"{year}-1{number % 3}-15"},
        )[number % 3]  # fmt: skip
        of = {"program": f"werkstatt-{2019 + number % 7}"} if number % 2 else {}
        return {"name": f"Frist {number}", **times, **of, "organization": "hafenamt",
                "fields": {"online": number % 5 == 0}}  # fmt: skip

    series = {"kind": "program", "type": "werkstatt", "organization": "hafenamt"}
    cohort = {"kind": "cohort", "type": "werkstatt", "organization": "hafenamt"}
    return {
        "registry": _REGISTRY,
        "organizations": {
            "hafenamt": {"name": "Das Hafenamt", "category": "amt", "year": 1871,
                         "fields": {"seit": "1990-10-03"}},
            "hafen-fonds": {"name": "Hafen-Fonds", "category": "fonds", "parent": "hafenamt"},
            "see-fonds": {"name": "See-Fonds", "category": "fonds", "aliases": ["meer-fonds"]},
            "hochschule": {"name": "Hochschule für Schiffbau", "category": "hochschule",
                           "locations": [{"country": "DE", "city": "Hamburg"}]},
        },
        "programs": {
            "werkstatt": {"name": "Werkstatt", **series, "summary": "Zwölf Wochen am Kai."},
            "hafen-preis": {"name": "Hafenpreis", **series, "type": "preis",
                            "aliases": ["kai-preis"]},
            **{
                f"werkstatt-{year}": {"name": f"Werkstatt {year}", **cohort, "parent": "werkstatt",
                                      "year": year, "fields": {"anteil": 5 + year % 3}}
                for year in range(2019, 2026)
            },
        },
        "projects": {f"firma-{number}": project(number) for number in range(45)},
        "events": {f"frist-{number}": event(number) for number in range(18)},
    }  # fmt: skip


def write_records(content: Path, records: Content) -> None:
    """A content folder with a line for each field, as edits write them."""
    for collection in KINDS:
        for slug, fields in records[collection].items():
            path = content / collection / f"{slug}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(as_block(fields), "utf-8")
    (content / "registry.yaml").write_text(as_yaml(records["registry"]), "utf-8")


def _german(folder: Path) -> None:
    """The records, with the theme beside them."""
    write_records(folder / "content", _german_records())
    for name, text in _THEME.items():
        path = folder / "templates" / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


CORPORA: dict[str, Corpus] = {
    "golden": Corpus(_copied(ROOT / "tests" / "golden" / "content")),
    "german": Corpus(
        _german,
        options=("--precompress", "gzip"),
        environment=MappingProxyType({"REGISTRY_SIGNING_KEY": SIGNING_KEY}),
    ),
    "generated-1000": Corpus(_generated(1_000)),
    "generated-10000": Corpus(_generated(10_000)),
    "content": Corpus(_copied(ROOT / "content"), fixed=False),
    "real": Corpus(_copied(REAL), fixed=False),
}
