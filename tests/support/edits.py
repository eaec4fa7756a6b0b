"""Edits of a content folder: a state machine of Hypothesis over the declarations of kinds.

Each step makes some edits of files and calls `saved`, where a test compares: a field that a kind
declares gets another value of its type, records come, go, and get other slugs and places, settings
and templates change, the day does.  An edit may leave an error in the content, which `saved`
reports; the next step then brings back the last content without one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import yaml
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from generator.kinds.declare import Field
from support import commands
from support.kinds import KINDS
from support.registries import as_yaml

#: Hosts that can share an output: netlify cannot share with cloudflare and gitlab-pages.
HOSTS = (
    ["nginx", "apache", "caddy", "cloudflare", "vercel", "firebase", "aws", "r2", "github-pages",
     "gitlab-pages"],
    ["netlify", "nginx", "apache", "caddy", "vercel", "firebase", "aws", "r2", "github-pages"],
    ["netlify"],
    ["github-pages"],
)  # fmt: skip
DAYS = ("2026-11-21", "2026-06-01", "2026-11-22", "2027-02-14", "2036-01-01", "2019-07-01")
_TEXTS = (
    "Acme", "acme", "Ácme", "Élan", "ßtar", "ГОСТ", "北京", "O'Neil: x", "Über Öl & Gas",
    "<b>Fett</b>", "🚀 Rakete", "شركة", "x" * 120, "null", "012", "- a: [b] # c", "contra con",
)  # fmt: skip
_PLACES = (
    {"country": "BR", "city": "São Paulo"}, {"country": "BR", "city": "SAO PAULO"},
    {"country": "PE"}, {"country": "DE", "region": "Thüringen", "city": "Weißenfels"},
)  # fmt: skip
#: Type of a field -> values of it; of another, the example that its kind declares.
_VALUES: Mapping[str, st.SearchStrategy[Any]] = {
    "text": st.sampled_from(_TEXTS),
    "prose": st.lists(st.sampled_from(_TEXTS), min_size=1, max_size=3).map("\n\n".join),
    "url": st.integers(0, 9).map("https://{}.example/?a=1&b=2".format),
    "boolean": st.booleans(),
    "number": st.sampled_from((0, 1, 50, 100_000)),
    "year": st.sampled_from((1899, 1999, 2024, 2026)),
    "date": st.sampled_from(DAYS),
    "time": st.sampled_from([*DAYS, "2026-08-30 17:00"]),
    "zone": st.sampled_from(("Europe/Berlin", "America/New_York", "AoE")),
    "slug": st.integers(0, 99).map("former-{}".format),
    "choice": st.sampled_from(("rot", "blau")),
    "places": st.sampled_from(_PLACES),
    "codes": st.just("same-record"),
}
_SETTINGS: tuple[tuple[str, Any], ...] = (
    *(("page_size", size) for size in (10, 12, 5)),
    *(("language", language) for language in ("de", "fr", "pt_BR")),
    *(("hosts", hosts) for hosts in HOSTS),
    *(("site", site) for site in ({"accent": "#8a2a12"}, {"footer": "Von **uns**."}, False, None)),
    ("nouns", {"projects": {"one": "Firma", "many": "Firmen"}}), ("nouns", None),
    ("base_url", "https://example.github.io/a/b-c/"), ("base_url", None), ("license", "MIT"),
    ("name", "Über <b>uns</b>"), ("tag_families", {"Topic": 1}), ("unknown", 1),
)  # fmt: skip
_TEMPLATES = {
    "assets/own.css": ":root { --radius: 3px; }\n",
    "home.md": "## Neu\n\nAus den **Werkstätten**.\n",
    "texts/de.json": json.dumps({"site": {"compare": "Nebeneinander"}}),
    "list.html.j2": '{% extends "original/list.html.j2" %}{% block main %}<p>{{ super() }}'
    "{% endblock %}\n",
}  # fmt: skip


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


class Edits(RuleBasedStateMachine):
    """Edits `content` and the `templates` beside it in a new folder, which `write` fills."""

    def __init__(self, write: Callable[[Path], object]) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="edits-"))
        self.content, self.day = self.folder / "content", DAYS[0]
        self.templates = self.folder / "templates" / "site"
        write(self.folder)
        self.good, self.is_faulty, self._number = commands.files(self.folder), False, 0
        self.begin()

    def begin(self) -> None:
        """Called once, before the first step."""

    def saved(self) -> bool:
        """Called after each step.  Returns whether the content or a template has an error."""
        raise NotImplementedError

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @precondition(lambda self: not self.is_faulty)
    @rule(data=st.data())
    def edit(self, data: st.DataObject) -> None:
        names = st.sampled_from([name for name, weight in _EDITS.items() for _ in range(weight)])
        for name in data.draw(st.lists(names, min_size=1, max_size=3), "edits"):
            getattr(self, f"_{name}")(data)
        self._save()

    @precondition(lambda self: self.is_faulty)
    @rule()
    def repair(self) -> None:
        now = commands.files(self.folder)
        for path in now.keys() - self.good.keys():
            (self.folder / path).unlink()
        for path, raw in self.good.items():
            if now.get(path) != raw:
                self._write(self.folder / path, raw)
        self._save()
        assert not self.is_faulty

    def _save(self) -> None:
        self.is_faulty = self.saved()
        if not self.is_faulty:
            self.good = commands.files(self.folder)

    # --- files ---

    def _write(self, path: Path, data: bytes | str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def _paths(self, collection: str) -> list[Path]:
        return sorted((self.content / collection).rglob("*.y*ml"))

    def _settings(self) -> dict[str, Any]:
        return read((self.content / "registry.yaml").read_text("utf-8"))

    def _record(self, data: st.DataObject) -> tuple[str, Path]:
        """A record, of projects more often than of others."""
        known = [name for name in (*KINDS, "projects", "projects") if self._paths(name)]
        collection = data.draw(st.sampled_from(known))
        return collection, data.draw(st.sampled_from(self._paths(collection)))

    def _new_slug(self) -> str:
        self._number += 1
        return f"neu-{self._number}"

    # --- edits ---

    def _field(self, data: st.DataObject) -> None:
        """Another value of any field; None removes it."""
        collection, path = self._record(data)
        fields = {name: f for name, f in KINDS[collection].written.items() if not f.is_file}
        name = data.draw(st.sampled_from(sorted(fields)))
        record = read(path.read_text("utf-8"))
        record[name] = data.draw(self._values(collection, fields[name]))
        kept = {key: value for key, value in record.items() if value not in (None, [], {})}
        self._write(path, as_block(kept))

    def _values(self, collection: str, field: Field) -> st.SearchStrategy[Any]:
        settings = self._settings()
        optional: dict[str, st.SearchStrategy[Any]] = {}
        if field.type == "tags":
            for family, spec in (settings.get("tag_families") or {}).items():
                tags = sorted(spec.get("tags") or ("rust", "zz-neu", "wind-kraft"))
                optional[family] = st.lists(st.sampled_from(tags), min_size=1, unique=True)
        if field.type == "own":
            for key, own in settings.get("fields", {}).get(collection, {}).items():
                one = _VALUES[own["type"]]
                if "values" in own:
                    one = st.sampled_from(sorted(own["values"]))
                optional[key] = st.lists(one, min_size=1, max_size=3) if own.get("many") else one
        if field.type in ("tags", "own"):
            return st.fixed_dictionaries({}, optional=optional)
        known: list[str] = sorted(field.values)
        if field.vocabulary is not None:
            known = sorted(settings.get(field.vocabulary.setting) or ())
        if field.refers:
            known = [path.stem for path in self._paths(field.refers)]
        example = st.sampled_from((field.words.example, None))
        one = st.sampled_from(known) if known else _VALUES.get(field.type, example)
        value = st.lists(one, max_size=3, unique_by=repr) if field.many else one
        return value if field.required else st.none() | value

    def _new(self, data: st.DataObject) -> None:
        """A record that has all of another one but its name, aliases and website."""
        _, path = self._record(data)
        fields = read(path.read_text("utf-8"))
        fields["name"] = data.draw(_VALUES["text"])
        kept = {k: v for k, v in fields.items() if k not in ("aliases", "website")}
        self._write(path.with_name(f"{self._new_slug()}.yaml"), as_block(kept))

    def _remove(self, data: st.DataObject) -> None:
        self._record(data)[1].unlink()

    def _rename(self, data: st.DataObject) -> None:
        """A record gets another slug, with or without an alias; references follow."""
        _, path = self._record(data)
        old, new, record = path.stem, self._new_slug(), read(path.read_text("utf-8"))
        if data.draw(st.booleans(), "with an alias"):
            record["aliases"] = [*(record.get("aliases") or ()), old]
        for other in [p for name in KINDS for p in self._paths(name) if p != path]:
            text = other.read_bytes().decode()
            if old in text:
                self._write(other, re.sub(rf"(?<![\w/-]){re.escape(old)}(?![\w-])", new, text))
        path.unlink()
        self._write(path.with_name(f"{new}.yaml"), as_block(record))

    def _postpone(self, data: st.DataObject) -> None:
        """Another year of all dates of a record."""
        _, path = self._record(data)
        years = data.draw(st.sampled_from((1, 4)))
        dates = re.compile(r"\b(20[0-4]\d)(?=-\d\d-\d\d)")
        text = path.read_bytes().decode()
        self._write(path, dates.sub(lambda found: str(int(found[0]) + years), text))

    def _file(self, data: st.DataObject) -> None:
        """A file of a record changes, and its data perhaps not."""
        collection, path = self._record(data)
        raw, stat = path.read_bytes(), path.stat()
        what = data.draw(
            st.sampled_from(("time", "comment", "lines", "unseen", "folder", "ending"))
        )
        if what == "time":
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - 10**9))
        elif what == "comment":
            self._write(path, b"# one\n" + raw)
        elif what == "lines":
            self._write(path, raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        elif what == "unseen":  # other bytes of the same size and time
            name = re.compile(rb"^(name: .*?)([a-z])", re.M)
            path.write_bytes(name.sub(lambda found: found[1] + found[2].upper(), raw, count=1))
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        elif what == "folder":
            new = self.content / collection / data.draw(st.sampled_from(("archiv", "a", ".")))
            new.mkdir(exist_ok=True)
            path.rename(new / path.name)
        else:
            path.rename(path.with_suffix(".yml" if path.suffix == ".yaml" else ".yaml"))

    def _stray(self, data: st.DataObject) -> None:
        """A file that is not content comes or goes."""
        path = self.content / data.draw(st.sampled_from(("x.txt", "organizations/.x.yaml", "y/z")))
        path.unlink() if path.exists() else self._write(path, "x")

    def _broken(self, data: st.DataObject) -> None:
        """A file that cannot be read as a record, or a slug that is there twice."""
        collection, path = self._record(data)
        if data.draw(st.booleans()):
            self._write(self.content / collection / "twice" / path.name, path.read_bytes())
        else:
            self._write(path, data.draw(st.sampled_from(("name: [\n", "", "name: A\nwrong: 1\n"))))

    def _setting(self, data: st.DataObject) -> None:
        name, value = data.draw(st.sampled_from(_SETTINGS))
        self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        settings = {**self._settings(), name: value}
        kept = {key: value for key, value in settings.items() if value is not None}
        self._write(self.content / "registry.yaml", as_yaml(kept))

    def _declared(self, data: st.DataObject) -> None:
        """Another tag family, own field, or label or tag of one."""
        families = self._settings().get("tag_families") or {}
        fields = self._settings().get("fields") or {}
        what = data.draw(st.sampled_from(("family", "field", "label", "open")))
        if what == "family":
            families[f"family_{len(families)}"] = {"label": "Neu", "tags": {"eins": "Eins & zwei"}}
        elif what == "field":
            own = {"label": "Eigen", "type": data.draw(st.sampled_from(("number", "date", "text")))}
            fields.setdefault("projects", {})[f"own_{len(fields)}"] = {**own, "summary": True}
        for declared in [
            *families.values(),
            *(own for of in fields.values() for own in of.values()),
        ]:
            if what == "label":
                declared["label"] += " 2"
            elif what == "open":
                declared.pop("tags", None)
        self._set("tag_families", families or None)
        self._set("fields", fields or None)

    def _template(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(_TEMPLATES)))
        path = self.templates / name
        path.unlink() if path.exists() else self._write(path, _TEMPLATES[name])

    def _another_day(self, data: st.DataObject) -> None:
        self.day = data.draw(st.sampled_from(DAYS))


#: The edits, and how often each is drawn.
_EDITS = {
    "field": 10, "new": 2, "remove": 2, "rename": 3, "postpone": 1, "file": 4, "stray": 1,
    "broken": 1, "setting": 2, "declared": 2, "template": 1, "another_day": 2,
}  # fmt: skip


def play(machine: Callable[[], Edits], steps: int, runs: int) -> None:
    """Run a machine of edits some times, always with the same edits."""
    settings = hypothesis.settings(
        max_examples=runs, stateful_step_count=steps, derandomize=True, deadline=None,
        database=None, phases=(hypothesis.Phase.generate,),
    )  # fmt: skip
    run_state_machine_as_test(machine, settings=settings)  # type: ignore[arg-type]  # a function
