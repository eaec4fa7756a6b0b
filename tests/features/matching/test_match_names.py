"""Matching names by the Reconciliation Service API: what matches and what does not, also in node,
the forms of the specification, and the bounds.

The schemas are written after those of the specification, which is not part of this repository:
https://reconciliation-api.github.io/specs/0.2/#json-schemas
"""

from __future__ import annotations

import functools
import json
import random
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import crc32

import pytest
from jsonschema import Draft202012Validator

from generator.contract.artifact import encode_json
from generator.engine.table import MAX_READS
from generator.features.matching.name_files import MAX_LINES, NamedRecord, name_files
from generator.features.matching.questions import RECONCILE
from generator.reader.deployment import Deployment
from generator.search.format import entry, with_seal
from generator.search.manifest import packed_checks
from generator.serve.answer import answer
from support import commands, index_files, registries, writings
from support.engines import need
from support.once import once

PROJECTS, ORIGIN = f"{RECONCILE}/projects", "http://registry.test"
_ASK = Path(__file__).with_name("matched.mjs")
Request = tuple[str, str, str | None]

#: manifest, results, suggested and extended: what the service answers.
SCHEMAS = json.loads((commands.ROOT / "tests/support/schemas/reconciliation.json").read_bytes())

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
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


def candidates(out: Path, name: str, limit: int | None = None, **more: Any) -> list[dict[str, Any]]:
    properties = [{"pid": pid, "v": value} for pid, value in more.items()]
    query: dict[str, Any] = {"query": name}
    query |= {"properties": properties} if properties else {}
    query |= {} if limit is None else {"limit": limit}
    ((status, body),) = served(out, [posted("queries", {"q0": query})])
    assert status == 200, body
    found: list[dict[str, Any]] = json.loads(body)["q0"]["result"]
    return found


def matched(out: Path, name: str, **more: Any) -> str | None:
    """The slug of the match; only the first candidate may be one."""
    sure = [each["id"] for each in candidates(out, name, **more) if each["match"]]
    assert len(sure) < 2
    return sure[0] if sure else None


@pytest.mark.parametrize(
    ("name", "more", "slug"),
    [
        ("brightwave inc", {}, "brightwave"),
        ("Brightwave GmbH", {}, "brightwave"),
        ("DARKWAVE", {}, "brightwave"),
        ("Darkwave Labs", {}, "darkwave-labs"),
        ("Stack AI", {}, "stack-ai"),
        ("StackAI", {}, "stackai"),
        ("brightwave.test", {}, "brightwave"),
        ("", {"website": "http://www.brightwave.test"}, "brightwave"),
        ("old-name", {}, "old-name"),
        ("first-name", {}, "old-name"),
        ("https://shops.test/two", {}, "shop-two"),
        ("Acme", {}, None),
        ("Acme", {"country": "Kenya"}, "acme"),
        ("Acme", {"country": "DE"}, "acme-2"),
        ("Acme", {"location": {"id": "ke-nairobi", "name": "Nairobi"}}, "acme"),
        ("Acme", {"country": "France"}, None),
        ("Acme", {"website": "acme.test"}, "acme-2"),
        ("https://shops.test/three", {}, None),
        ("https://shops.test", {}, None),
        ("Brightwvae", {}, None),
        ("Brightwave Surgical", {}, None),
    ],
)
def test_only_a_single_exact_candidate_matches(
    out: Path, name: str, more: Mapping[str, Any], slug: str | None
) -> None:
    assert matched(out, name, **more) == slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Brigthwave", "brightwave"),
        ("Brightwav", "brightwave"),
        ("rBightwave", "brightwave"),
        ("Drkwave", "brightwave"),
        ("Nairobi Solar Coop Union", "cooperative"),
        ("Union Nairobi Solar Cooperative", "cooperative"),
        ("NSCU", "cooperative"),
        ("Cooperative Nairobi", "cooperative"),
    ],
)
def test_a_changed_name_finds_its_record_first(out: Path, name: str, slug: str) -> None:
    assert candidates(out, name, 1)[0]["id"] == slug


def test_a_name_that_nothing_is_like_finds_nothing(out: Path) -> None:
    assert candidates(out, "Xylophone Quartet", 10) == []


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


BY_LEGAL_FORM = {
    "Stripe, Inc.": "stripe",
    "STRIPE INCORPORATED": "stripe",
    "Stripe Co., Ltd.": "stripe",
    "Rappi SAS": "rappi",
    "Rappi S.A.S.": "rappi",
    "Rappi S. de R.L. de C.V.": "rappi",
    "PT Rappi Tbk": "rappi",
    "Rappi Ltd. Şti.": "rappi",
    "Solar": "solar-ltd",
    "Solar GmbH & Co. KG": "solar-ltd",
    "Float S.p.A.": "float",
    "Float Spa": None,  # a word
    "Day": None,
    "The Browser Company, Inc.": "browser",
    "Яндекс": "yandex",
    "ПАО Яндекс": "yandex",
    "メルカリ": "mercari",
    "メルカリ株式会社": "mercari",
    "㈱メルカリ": "mercari",
    "Zeta": "renamed",
    "Zeta, Inc.": "renamed",
    "Stack AI": "was-stackai",
    "Acme Ltd": None,  # two records, and a former name
    "Bolt": None,
    "Bolt Inc.": None,
    "AG Inc.": None,
    "Inc.": None,
    "Notes Inc.": None,  # a slug is no name
    "Stripe Labs Inc.": None,
}


def test_a_name_that_differs_in_its_legal_form_only_is_a_match(named: Path) -> None:
    answers = both(named, [posted("queries", {"a": {"query": name}}) for name in BY_LEGAL_FORM])
    for (name, slug), (_, body) in zip(BY_LEGAL_FORM.items(), answers, strict=True):
        found = json.loads(body)["a"]["result"]
        assert [each["id"] for each in found if each["match"]] == [slug] * bool(slug), name
        if slug:
            assert [each["id"] for each in found[0]["features"]] == ["legal_form"], name


def test_less_likely_candidates_only_with_a_limit(named: Path) -> None:
    """The limit is that of the query, not of its batch; one likely candidate brings others."""
    batch = {
        "none": {"query": "Notion"},
        "more": {"query": "Notion", "limit": 5},
        "likely": {"query": "Plan B Inc."},
        "fewer": {"query": "Plan B Inc.", "limit": 1},
    }
    ((_, body),) = both(named, [posted("queries", batch)])
    found = {key: [each["id"] for each in of["result"]] for key, of in json.loads(body).items()}
    assert found == {
        "none": [],
        "more": ["notes"],
        "likely": ["plan", "plan-b-labs"],
        "fewer": ["plan"],
    }


def test_places_raise_and_lower_scores(out: Path) -> None:
    scores = {each["id"]: each for each in candidates(out, "Acme Ltd", country="Kenya")}
    assert scores["acme"]["score"] == 99
    assert scores["acme-2"]["score"] == 77
    assert {"id": "place", "value": False} in scores["acme-2"]["features"]
    scores = {each["id"]: each["score"] for each in candidates(out, "Acme Ltd", country="Africa")}
    assert (scores["acme"], scores["acme-2"]) == (99, 77)
    unknown = {each["score"] for each in candidates(out, "Acme Ltd", country="Atlantis")}
    assert unknown == {97}


def test_changed_names_and_wrong_requests(out: Path, written: Path) -> None:
    """Names of a registry in many scripts, changed at random, besides wrong requests."""
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
    for request, (status, body) in zip(_WRONG, both(out, _WRONG), strict=True):
        assert status == 400, request
        assert json.loads(body)["code"] in (
            "invalid-parameter", "unknown-parameter", "repeated-parameter"
        )  # fmt: skip


_PROPERTY = '{"a":{"query":"x","properties":%s}}'
_WRONG: list[Request] = [
    ("GET", PROJECTS + target, None)
    for target in (
        "?queries=x",
        "?queries=%FF",
        "?queries=[]",
        "?queries=",
        "?foo=1",
        "?queries={}&queries={}",
        "?queries={}&extend={}",
        "?queries=" + quote('{"a":1}'),
        "?queries=" + quote('{"a":{"query":1}}'),
        "?queries=" + quote('{"a":{"query":"x","limit":0}}'),
        "?queries=" + quote('{"a":{"query":"\\ud800"}}'),
        "?queries=" + quote('{"a":{"query":"x","limit":1e400}}'),
        "?queries=" + quote('{"a":{"query":"x","limit":1.}}'),
        "?queries=" + quote('{"a":{"query":"x","type":' + "[" * 1023 + "]" * 1023 + "}}"),
        "?queries=" + quote(_PROPERTY % "{}"),
        "?queries=" + quote(_PROPERTY % '[{"pid":"country"}]'),
        "?extend=1",
        "?extend=" + quote('{"ids":["Acme"],"properties":[]}'),
        "?extend=" + quote('{"ids":["acme"],"properties":[{"id":"size"}]}'),
        "?extend=" + quote('{"ids":["acme"],"properties":["name"]}'),
        "/suggest",
        "/suggest?prefix=",
        "/suggest?prefix=a&cursor=x",
    )
]


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
    }
    batch = {str(n): {"query": name} for n, name in enumerate(asked)}
    extend = {"ids": ["code", "solar-energy-431"], "properties": [{"id": "name"}]}
    (_, body), (_, extended) = both(alike, [posted("queries", batch), posted("extend", extend)])
    found = [each["result"][0] for each in json.loads(body).values()]
    assert [each["id"] for each in found] == [*asked.values()]
    assert [each["match"] for each in found] == [True, False, False, True, True, True]
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


def test_a_property_that_says_nothing_here_is_ignored(out: Path) -> None:
    query = {"query": "Acme", "properties": [{"pid": "country", "v": "DE"}]}
    more = {"query": "Acme", "properties": [*query["properties"], {"pid": "size", "v": 1}]}
    found = both(out, [posted("queries", {"a": one, "b": {"query": "x"}}) for one in (query, more)])
    assert found[0] == found[1] and found[0][0] == 200


def test_forms_are_read_alike(out: Path) -> None:
    """Bytes that are not encoded, and long texts that are nearly a web address."""
    names = ["a" + " " * 60_000 + "b", "a.bb/" + "/" * 60_000 + "x", " a.b" + "." * 60_000]
    forms = ["é=1", "queries={}&é=1"]
    forms += ["queries=" + json.dumps({"a": {"query": name}}).replace(" ", "+") for name in names]
    found = both(out, [("POST", PROJECTS, form) for form in forms])
    assert [status for status, _ in found] == [400, 400, 200, 200, 200]
    assert "%C3%A9" in found[0][1]


def test_too_much_at_once_is_refused_with_413(out: Path) -> None:
    eleven = {str(n): {"query": "x"} for n in range(11)}
    slugs = {"ids": [f"a{n}" for n in range(11)], "properties": []}
    requests = [
        posted("queries", eleven),
        posted("extend", slugs),
        ("POST", PROJECTS, "x" * 65_537),
    ]
    found = both(out, requests)
    assert [status for status, _ in found] == [413, 413, 413]
    assert "at most 10 queries" in found[0][1]
    assert "64 KiB" in found[2][1]


@pytest.mark.parametrize("collection", ["projects", "programs", "organizations", "events"])
def test_the_manifest_is_that_of_the_specification(out: Path, collection: str) -> None:
    ((status, body),) = both(out, [("GET", f"{RECONCILE}/{collection}", None)])
    manifest = json.loads(body)
    Draft202012Validator(SCHEMAS["manifest"]).validate(manifest)
    assert status == 200
    assert manifest["suggest"]["entity"]["service_url"] == f"{ORIGIN}{RECONCILE}/{collection}"


def test_urls_have_the_base_url(tmp_path: Path) -> None:
    base = "https://registry.example.org/registry"
    records = registries.content(projects=COMPANIES, registry={"base_url": base})
    registries.write(tmp_path / "content", records)
    out = commands.build(tmp_path / "content", tmp_path / "build", "--host", "cloudflare")
    found = both(out, [("GET", prefix + PROJECTS, None) for prefix in ("", "/registry")])
    for _, body in found:
        assert json.loads(body)["identifierSpace"] == f"{base}/api/projects/"
        view = f"{base}/api/projects/slug/{{{{id}}}}.json"
        assert json.loads(body)["view"]["url"] == view  # there is no site


def test_people_view_the_pages_of_records(tmp_path: Path) -> None:
    base = "https://registry.example.org/registry"
    records = registries.content(registry={"base_url": base, "leave_out": ["event_pages"]})
    registries.write(tmp_path / "content", records)
    options = "--host", "cloudflare"
    out = commands.build(tmp_path / "content", tmp_path / "build", *options, site=True)
    found = both(out, [("GET", f"{RECONCILE}/{name}", None) for name in ("projects", "events")])
    views = [json.loads(body)["view"]["url"] for _, body in found]
    assert views == [
        f"{base}/projects/{{{{id}}}}/",
        f"{base}/api/calendar/events/slug/{{{{id}}}}.json",
    ]


def test_results_are_those_of_the_specification(out: Path) -> None:
    batch = {
        "a": {"query": "Acme", "type": "project", "type_strict": "any"},
        "b": {"properties": []},
    }
    (status, body), (_, got) = both(
        out,
        [posted("queries", batch), ("GET", f"{PROJECTS}?queries={quote(json.dumps(batch))}", None)],
    )
    results = json.loads(body)
    Draft202012Validator(SCHEMAS["results"]).validate(results)
    assert (status, body, results["b"]) == (200, got, {"result": []})
    assert [each["id"] for each in results["a"]["result"]] == ["acme", "acme-2"]


def test_suggestions_begin_as_asked_and_go_on(out: Path) -> None:
    targets = [f"{PROJECTS}/suggest?{query}" for query in
               ("prefix=stack", "prefix=darkwave&type=project", "prefix=a&cursor=1", "prefix=zzz",
                "prefix=stack&cursor=9999")]  # fmt: skip
    bodies = [json.loads(body) for _, body in both(out, [("GET", t, None) for t in targets])]
    for body in bodies:
        Draft202012Validator(SCHEMAS["suggested"]).validate(body)
    slugs = [[each["id"] for each in body["result"]] for body in bodies]
    assert sorted(slugs[0]) == ["stack-ai", "stackai"]
    assert slugs[1][0] == "darkwave-labs"
    assert slugs[3:] == [[], []]


def test_data_extension_gives_fields_of_rows(out: Path) -> None:
    names = ["name", "website", "location", "team_size", "year", "status", "program"]
    asked = {"ids": ["acme", "brightwave", "nobody"], "properties": [{"id": n} for n in names]}
    ((status, body),) = both(out, [posted("extend", asked)])
    found = json.loads(body)
    Draft202012Validator(SCHEMAS["extended"]).validate(found)
    assert status == 200
    assert [each["id"] for each in found["meta"]] == names
    assert found["rows"]["acme"] == {
        "name": [{"str": "Acme"}],
        "website": [{"str": "https://www.acme.example/en"}],
        "location": [{"str": "africa"}, {"str": "ke"}, {"str": "ke-nairobi"}],
        "team_size": [{"int": 12}],
        "year": [],
        "status": [{"str": "active"}],
        "program": [],
    }
    assert found["rows"]["brightwave"]["name"] == [{"str": "Brightwave Inc."}]
    assert set(map(len, found["rows"]["nobody"].values())) == {0}
    ((_, proposed),) = both(out, [("GET", f"{PROJECTS}/properties?type=project&limit=2", None)])
    assert json.loads(proposed) == {
        "type": "project",
        "properties": [{"id": "name", "name": "Name"}, {"id": "summary", "name": "Summary"}],
    }


def test_only_the_service_itself_takes_a_form(out: Path) -> None:
    requests: list[Request] = [
        ("POST", "/api/projects", "x=1"),
        ("POST", f"{PROJECTS}/suggest", "x=1"),
        ("PUT", PROJECTS, "x=1"),
    ]
    assert [status for status, _ in served(out, requests)] == [405, 405, 405]
    assert [each["status"] for each in javascript(out, requests)] == [405, 405, 405]


def test_a_damaged_file_of_names_is_refused(out: Path, tmp_path: Path) -> None:
    """Lines of a wrong form, in a file whose check is right."""
    damaged = tmp_path / "damaged"
    shutil.copytree(out, damaged)
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
