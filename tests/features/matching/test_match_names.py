"""Matching names by the Reconciliation Service API: what matches and what does not, also in node,
the forms of the specification, and the bounds.

The schemas are written after those of the specification, which is not part of this repository:
https://reconciliation-api.github.io/specs/0.2/#json-schemas
"""

from __future__ import annotations

import functools
import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import crc32

import pytest
from jsonschema import Draft202012Validator

from generator.contract.artifact import encode_json
from generator.engine.table import MAX_READS
from generator.features.matching.index import MAX_LINES, NamedRecord, name_files
from generator.features.matching.names import RECONCILE
from generator.reader.deployment import Deployment
from generator.search.format import entry, with_seal
from generator.search.manifest import packed_checks
from generator.serve.answer import answer
from support import commands, index_files, registries, writings
from support.engines import need
from support.once import once
from support.talk import lines_of
from support.transcripts import Case, transcript

PROJECTS, ORIGIN = f"{RECONCILE}/projects", "http://registry.test"
_ASK = Path(__file__).with_name("matched.mjs")
Request = tuple[str, str, str | None]

#: manifest, results, suggested and extended: what the service answers.
SCHEMAS = json.loads((commands.ROOT / "tests/support/schemas/reconciliation.json").read_bytes())

#: A key of an answer -> its form.
FORMS = {"view": "manifest", "rows": "extended", "result": "suggested", "properties": "proposed"}

COMPANIES: dict[str, dict[str, Any]] = {
    "acme": {
        "name": "Acme",
        "website": "https://www.acme.example/en",
        "locations": [{"country": "KE", "city": "Nairobi"}],
        "team_size": 12,
    },
    "acme-2": {"name": "Acme", "website": "https://acme.test", "locations": [{"country": "DE"}]},
    "brightwave": {
        "name": "Brightwave Inc.",
        "former_names": ["Darkwave"],
        "website": "https://brightwave.test/",
    },
    "darkwave-labs": {"name": "Darkwave Labs"},
    "stack-ai": {"name": "Stack AI"},
    "stackai": {"name": "StackAI"},
    "shop-one": {"name": "Shop One", "website": "https://shops.test/one"},
    "shop-two": {"name": "Shop Two", "website": "https://shops.test/two"},
    "old-name": {"name": "Quite Another", "aliases": ["first-name"]},
    "cooperative": {"name": "Nairobi Solar Cooperative Union"},
}


@pytest.fixture(scope="module")
def companies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("companies")
    registries.write(folder / "content", registries.content(projects=COMPANIES))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of writings.py.  Do not change it."""
    build = functools.partial(writings.build, host="cloudflare")
    return once(tmp_path_factory, "built-writings", build)


def posted(name: str, value: Any) -> Request:
    return "POST", PROJECTS, f"{name}={quote(json.dumps(value))}"


def served(out: Path, requests: Sequence[Request]) -> list[tuple[int, str]]:
    site = Deployment.open(out)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    found = (
        answer(method, target, site, given=form, body=body and body.encode(), origin=ORIGIN)
        for method, target, body in requests
    )
    return [(each.status, each.body.decode()) for each in found]


def javascript(out: Path, requests: Sequence[Request]) -> list[dict[str, Any]]:
    need()
    run = subprocess.run(
        ["node", str(_ASK)],
        input=json.dumps({"site": str(out), "requests": requests}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def both(out: Path, requests: Sequence[Request]) -> list[tuple[int, str]]:
    """The answers of the server, which the function of a host gives too."""
    wanted, found = served(out, requests), javascript(out, requests)
    for request, one, other in zip(requests, wanted, found, strict=True):
        assert (other["status"], other["body"]) == one, request
        assert other["headers"]["access-control-allow-origin"] == "*"
        assert other["reads"] <= MAX_READS
    return wanted


#: Names of records by slug; `former` has former names.
NAMED = {
    "stripe": "Stripe",
    "rappi": "Rappi",
    "notes": "Motion",
    "acme": "Acme",
    "acme-inc": "Acme Inc.",
    "bolt-gmbh": "Bolt GmbH",
    "bolt-ag": "Bolt AG",
    "solar-ltd": "Solar Ltd",
    "float": "Float",
    "day-spa": "Day Spa",
    "browser": "The Browser Company",
    "ag": "AG",
    "yandex": "ООО «Яндекс»",
    "mercari": "株式会社メルカリ",
    "renamed": "Quite Another",
    "renamed-too": "Other Words",
    "was-stackai": "StackAI",
    "plan": "Plan B",
    "plan-b-labs": "Plan B Labs",
    "comfortaria": "Comfortaria",
}
FORMER = {"renamed": ["Zeta SAS"], "renamed-too": ["Acme GmbH"], "was-stackai": ["Stack AI Inc."]}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records: dict[str, Any] = {
        slug: {"name": name, "former_names": FORMER.get(slug, [])} for slug, name in NAMED.items()
    }
    folder = tmp_path_factory.mktemp("forms")
    registries.write(folder / "content", registries.content(projects=records))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


#: Names with brackets by slug.
BRACKETED = {
    "norvalt-member": "Norvalt (member)",
    "kestrel-gold": "Kestrel Systems [Gold Member]",
    "tessaly-end-user": "Tessaly（エンドユーザー）",
    "both-member": "Both (member)",
    "both-end-user": "Both (end user)",
    "plain": "Plain",
    "plain-member": "Plain (member)",
    "nested-old": "Nested (formerly Older (Labs))",
    "orbit-office": "Orbit (UK) [member].",
    "half-open": "Open (half",
    "half-closed": "Shut half)",
    "vireo-inc": "Vireo Inc. (member)",
    "day-spa-member": "Day Spa (member)",
    "only-brackets": "(Quill) [Pen]",
    "renamed": "Quite Another",
    "tarsa": "Marine Institute Tarsa (member)",
}


@pytest.fixture(scope="module")
def bracketed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records: dict[str, Any] = {slug: {"name": name} for slug, name in BRACKETED.items()}
    records["renamed"]["former_names"] = ["Zeta (member)"]
    folder = tmp_path_factory.mktemp("bracketed")
    registries.write(folder / "content", registries.content(projects=records))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


@pytest.fixture(scope="module")
def under(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build with a site, without pages of events, below a path of its host."""
    base = "https://registry.example.org/registry"
    records = registries.content(registry={"base_url": base, "leave_out": ["event_pages"]})
    folder = tmp_path_factory.mktemp("under")
    registries.write(folder / "content", records)
    options = "--host", "cloudflare"
    return commands.build(folder / "content", folder / "build", *options, site=True)


IDENTIFIED: dict[str, dict[str, Any]] = {
    "acme": {
        "name": "Acme",
        "identifiers": {"wikidata": "Q95", "ror": "05gq02987", "github": "shared"},
        "locations": [{"country": "KE"}],
    },
    "bravo": {
        "name": "Bravo",
        "identifiers": {"isni": "000000012146438X", "npm": ["shared", "Bravo.js"]},
    },
    "charlie": {"name": "Charlie", "identifiers": {"tickers": "AC"}},
    "q7": {"name": "Q7"},
    "delta": {"name": "Delta", "identifiers": {"wikidata": "Q7"}},
}
SCHEMES = {"tickers": {"label": "Tickers", "url": "https://t.example/{id}/about"}}


@pytest.fixture(scope="module")
def identified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("identified")
    settings = {"identifier_schemes": SCHEMES}
    registries.write(folder / "content", registries.content(registry=settings, projects=IDENTIFIED))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


def requested(step: str) -> Request:
    """A name with properties, a field of a form with its value, or method, target and body."""
    step = re.sub("<(.+?)[*]([0-9]+)>", lambda found: found[1] * int(found[2]), step)
    if step.startswith('"'):
        name, end = json.JSONDecoder().raw_decode(step)
        properties = [{"pid": pid, "v": v} for pid, v in json.loads(step[end:] or "{}").items()]
        return posted("queries", {"": {"query": name, "properties": properties}})
    if step.startswith(("queries ", "extend ")):
        name, _, value = step.partition(" ")
        return posted(name, json.loads(value))
    method, target, *body = step.split(" ", 2)
    return method, target, body[0] if body else None


def shown(status: int, body: str) -> list[str]:
    """An answer, which has a form of the specification, in lines: a line for each candidate."""
    document = json.loads(body)
    if status != 200:
        about = document.get("detail", ""), *(document.get("allowed") or ())
        return [f"| {status} {document.get('code', '')} {' '.join(about)[:200]}".rstrip()]
    forms = {
        "view": "manifest",
        "rows": "extended",
        "result": "suggested",
        "properties": "proposed",
    }
    form = next((form for key, form in forms.items() if key in document), "results")
    if form in SCHEMAS:
        Draft202012Validator(SCHEMAS[form]).validate(document)
    if form != "results":
        return [f"| {line}" for line in lines_of(document)]
    return [
        " ".join(
            ["|", key, each["id"], str(each["score"])]
            + ["match"] * each["match"]
            + [f"{feature['id']}={feature['value']}" for feature in each["features"]]
        )
        for key, part in document.items()
        for each in part["result"][:4]
    ]


@transcript(Path(__file__).with_name("matching.txt"))
def test_matching(case: Case, request: pytest.FixtureRequest, regenerate: bool) -> None:
    built = request.getfixturevalue(case.title.partition(":")[0])
    answers = both(built, [requested(step) for step in case.steps])
    case.check([shown(*each) for each in answers], regenerate)


def test_names_changed_at_random(written: Path) -> None:
    """Names of a registry in many scripts."""
    dice = random.Random(8)
    names = [each["name"] for each in writings.content()["projects"].values()]

    def changed() -> str:
        name = dice.choice(names)
        at = dice.randrange(len(name))
        return dice.choice(
            (name, name[:at] + name[at + 1 :], f"{name} Ltd", name.upper(), name[::-1])
        )

    batches = [
        {
            dice.choice(("q", "", "1")) + str(n): {"query": changed(), "limit": n + 1}
            for n in range(10)
        }
        for _ in range(20)
    ]
    for batch in batches[::2]:
        for query in batch.values():
            query["properties"] = [{"pid": "country", "v": [dice.choice(["DE", "Köln", "x"]), 1]}]
    answers = both(written, [posted("queries", batch) for batch in batches])
    assert {status for status, _ in answers} == {200}
    assert sum(each["match"] for _, body in answers for found in json.loads(body).values()
               for each in found["result"]) > 20  # fmt: skip


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of more names than a key may have that begin and end alike, with websites of one
    host.
    """
    records: dict[str, Any] = {
        f"solar-energy-{n:03}": {
            "name": f"Solar Energy {n:03} Systems",
            "website": f"https://code.example/solar/{n:03}",
        }
        for n in range(MAX_LINES + 20)
    }
    records["code"] = {"name": "Code", "website": "https://code.example/"}
    records["solar-member"] = {"name": "Solar (member)"}
    folder = tmp_path_factory.mktemp("alike")
    registries.write(folder / "content", registries.content(projects=records))
    return commands.build(folder / "content", folder / "build", "--host", "cloudflare")


def test_names_that_begin_alike_are_found_among_few(alike: Path) -> None:
    folder = alike / "api/index/projects/names"
    bodies = [
        body for file in folder.iterdir() for _, body in index_files.entries(file.read_bytes())
    ]
    assert max(body.count(b"\n") for body in bodies) <= MAX_LINES
    asked = {
        "Solar Energy 017 Systems": "solar-energy-017",
        "Solar Enregy 017 Systems": "solar-energy-017",
        "Solar Energy 219 Sytems": "solar-energy-219",
        "solar-energy-431": "solar-energy-431",
        "code.example/solar/044": "solar-energy-044",
        "https://code.example": "code",
        "Solar": "solar-member",
    }
    batch = {str(n): {"query": name} for n, name in enumerate(asked)}
    extend = {"ids": ["code", "solar-energy-431"], "properties": [{"id": "name"}]}
    (_, body), (_, extended) = both(alike, [posted("queries", batch), posted("extend", extend)])
    found = [each["result"][0] for each in json.loads(body).values()]
    assert [each["id"] for each in found] == [*asked.values()]
    assert [each["match"] for each in found] == [True, False, False, True, True, True, True]
    rows = json.loads(extended)["rows"].values()
    assert [row["name"][0]["str"] for row in rows] == ["Code", "Solar Energy 431 Systems"]


def test_a_name_of_many_records_has_few_lines_and_those_of_its_slug_come_first() -> None:
    phoenix, phone = (f"{name}\t\nname\t{name}\t{name}" for name in ("phoenix", "phone"))
    slugs = ["phone", *(f"a-phoenix-{n}" for n in range(2 * MAX_LINES)), "phoenix"]
    files, split = name_files(
        NamedRecord(n, slug, phoenix if n else phone) for n, slug in enumerate(slugs)
    )
    bodies = dict(entry for file in files for entry in index_files.entries(file))
    assert split == {"^ph", "^pho"}
    assert bodies[b"^phon"].count(b"\n") == 1
    for key in (b"^phoe", b"ix$"):
        lines = bodies[key].splitlines()
        assert len(lines) == MAX_LINES
        assert sum(line.split(b"\t")[2] == b"phoenix" for line in lines) == 1


def test_forms_are_read_alike(companies: Path) -> None:
    """Bytes that are not encoded, and long texts that are nearly a web address."""
    names = ["a" + " " * 60_000 + "b", "a.bb/" + "/" * 60_000 + "x", " a.b" + "." * 60_000]
    forms = ["é=1", "queries={}&é=1"]
    forms += ["queries=" + json.dumps({"a": {"query": name}}).replace(" ", "+") for name in names]
    found = both(companies, [("POST", PROJECTS, form) for form in forms])
    assert [status for status, _ in found] == [400, 400, 200, 200, 200]
    assert "%C3%A9" in found[0][1]


def test_a_damaged_file_of_names_is_refused(companies: Path, tmp_path: Path) -> None:
    """Lines of a wrong form, in a file whose check is right."""
    damaged = tmp_path / "damaged"
    shutil.copytree(companies, damaged)
    folder = damaged / "api/index/projects"
    manifest = json.loads((folder / "manifest.json").read_bytes())
    del manifest["check"]
    requests = [
        posted("queries", {"a": {"query": "Acme"}}),
        posted("extend", {"ids": ["acme"], "properties": []}),
    ]
    found = []
    for body in (b"name\tacme\n", b"\xff\t\t\t\t\t\n", b"website\t\tacme\tx\tA\t\n"):
        data = entry(b"^ac", body)
        manifest["files"]["names"] = packed_checks([crc32(data)])
        (folder / "names" / f"0-{crc32(data):08x}.txt").write_bytes(data)
        (folder / "manifest.json").write_bytes(with_seal(encode_json(manifest)))
        found += [status for status, _ in both(damaged, requests)]
    assert found == [503, 503, 503, 503, 200, 503]


def test_an_index_without_identifiers_has_no_files_for_them(
    identified: Path, tmp_path: Path
) -> None:
    plain = {s: {k: v for k, v in r.items() if k != "identifiers"} for s, r in IDENTIFIED.items()}
    registries.write(tmp_path / "content", registries.content(projects=plain))
    bare = commands.build(tmp_path / "content", tmp_path / "build")
    for folder, wanted in ((identified, True), (bare, False)):
        index = folder / "api" / "index" / "projects"
        assert (b'"ids":' in (index / "manifest.json").read_bytes()) is wanted
        assert (index / "ids").is_dir() is wanted
