"""Both engines, and every host that runs them, behave alike.

Python's engine runs in memory (generator.serve.answer); the JavaScript engine is the search.js of
the build, in node. brute.py computes the expected answers from the records.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
import pytest

from generator.grammar.headers import COMMON_HEADERS, PROBLEM, UNAVAILABLE
from generator.grammar.paths import FOLDING, SEARCH, SEARCH_SCRIPT
from generator.grammar.refusals import FAILED_IN_BROWSER, PROBLEMS
from generator.hosts import netlify
from generator.outputs import script
from generator.reader.site import Site
from generator.search import js, reading, rows
from generator.search.format import with_seal
from generator.serve.answer import failure_answer
from support import awkward, cases, commands, registries, writings
from support.answers import (
    Asked,
    developed,
    differing,
    function_module,
    javascript,
    over_http,
    python,
)
from support.asked import kinds, requests, tiered
from support.brute import Brute, brute_of
from support.engines import need, workerd

HERE = Path(__file__).parent
BASE_URL = "https://registry.example.org/registry"
EVERYWHERE = {
    "/api/projects": 6,
    "/api/programs": 2,
    "/api/organizations": 1,
    "/api/calendar/events": 2,
}


def assert_agree(out: Path, brute: Brute, targets: Sequence[str]) -> list[Asked]:
    """Assert that both engines give the same bytes, and the rows and metadata that brute force
    finds.
    """
    wanted, found = python(out, *targets), javascript(out, *targets)
    assert differing(targets, [(a.status, a.body) for a in found], wanted) == []
    for target, (status, body) in zip(targets, wanted, strict=True):
        document = json.loads(body)
        if status == 200:
            brute.assert_right(target.removeprefix(brute.prefix), document)
        else:
            assert status == PROBLEMS[document["code"]][0], target
    return found


@pytest.fixture(scope="session")
def targets(written: Path) -> list[str]:
    drawn = cases.drawn(brute_of(written), 800, 1, EVERYWHERE)
    return [*cases.written(), *cases.searches(), *drawn]


# --- answers ---


def test_every_script_and_every_refusal(written: Path, targets: list[str]) -> None:
    found = assert_agree(written, brute_of(written), targets)
    codes = {json.loads(a.body).get("code") for a in found}
    assert codes >= {
        "invalid-parameter",
        "unknown-parameter",
        "repeated-parameter",
        "not-found",
        None,
    }
    kinds = {
        path.split("/")[4]
        for a in found
        for path in a.reads
        if path.count("/") > 4 and "/index/" in path
    }
    assert kinds == {"keys", "rows", "columns", "spell"}


def test_a_base_url_with_a_path(written_below: Path, targets: list[str]) -> None:
    out = written_below
    sample = targets[::9]
    assert_agree(out, brute_of(out), [*sample, *(f"/registry{target}" for target in sample)])


def test_this_registrys_own_content(built_content: Path) -> None:
    brute = brute_of(built_content)
    assert_agree(built_content, brute, list(cases.drawn(brute, 800, 2, EVERYWHERE)))


@pytest.mark.slow
def test_a_large_real_registry(built_real: Path) -> None:
    brute = brute_of(built_real)
    roots = {"/api/projects": 8, "/api/programs": 1, "/api/organizations": 1}
    found = assert_agree(built_real, brute, list(cases.drawn(brute, 300, 3, roots)))
    assert max(len(a.reads) for a in found) <= reading.MAX_READS


#: A text = the records of writings.py in other scripts that the text finds.
FOUND = """
    cafe = cafe-noir cafe-parts | CAFE\u0301 = cafe-noir cafe-parts | crème = cafe-noir
    köln = strasse
    strasse = strasse
    STRAẞE = strasse | istanbul = istanbul | İSTANBUL = istanbul | isik = istanbul | ısı = istanbul
    ışık = istanbul | IŞIK = istanbul
    σίσυφος = sisyphus | ΣΙΣΥΦΟΣ = sisyphus | σισυφοσ = sisyphus | finance = ligature
    straight = ligature | dž = ligature
    東京ス = tokyo | スカイ = tokyo | 日本語 = tokyo | 𠮷野家 = tokyo | 𠮷野 = tokyo
    パソコン = half
    abc123 = half | شركة = arabic
    شَرِكَةٌ = arabic | שלום = hebrew | 한국 = hangul | елка = cyrillic | ᏣᎳᎩ = cherokee
    ꮳꮃꭹ = cherokee | ᏸᏹ = cherokee
    საქართველო = georgian | 𐐼𐐯𐑅 = deseret | robot 𞤢𞤣 = deseret | viii = numbers | 42 =
    ४२ = numbers | ٤٢ = numbers
    snake_case = signs | a-b_c = signs | fg = | f\u00adg = | 🤖 lab ❤️ = emoji | ü = short
    u 字 = short | xx =
"""


def test_texts_in_many_scripts(written: Path) -> None:
    pairs = [line.strip().partition(" =") for line in re.split(r"[|\n]", FOUND.strip())]
    answers = python(
        written, *(f"/api/projects?mode=page&q={cases.quote(text)}" for text, _, _ in pairs)
    )
    for (text, _, slugs), (_, body) in zip(pairs, answers, strict=True):
        document = json.loads(body)
        assert document["page"]["total_pages"] == 1, text
        found = {row["slug"] for row in document["data"]}
        assert sorted(found & writings.SCRIPTS.keys()) == slugs.split(), text


@pytest.mark.parametrize(
    ("raw", "slugs"),
    [
        ("q=ranked+amber", "rank-former rank-tag rank-both rank-summary rank-late rank-prefix"),
        (
            "q=amber+ranked&page=1",
            "rank-former rank-tag rank-both rank-summary rank-late rank-prefix",
        ),
        (
            "q=ranked+amber&sort=name",
            "rank-prefix rank-both rank-late rank-former rank-summary rank-tag",
        ),
        # The rarer of the two words decides.
        ("q=amber+cedar", "rank-two rank-other rank-third"),
    ],
)
def test_order_is_names_then_tags_then_summaries_and_descriptions_then_prefixes(
    raw: str, slugs: str, written: Path
) -> None:
    ((_, body),) = python(written, f"/api/projects?mode=page&{raw}")
    assert [row["slug"] for row in json.loads(body)["data"]] == slugs.split()


#: slug -> name: the slugs and descriptions put the names in another order.
_SAME_WORDS = {
    "a1": "C", "a2": "C++", "a3": "C#", "a4": "The C", "b1": "Muller", "b2": "Müller",
    "b3": "MÜLLER", "c1": "Tromso", "c2": "Tromsø", "d1": "AI Open", "d2": "Open AI",
    "d3": "OpenAI", "e1": "東京", "e2": "東京!",
}  # fmt: skip


@pytest.fixture(scope="module")
def same_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of a German registry with names that have the same words."""
    folder = tmp_path_factory.mktemp("same-words")
    records: dict[str, Any] = {
        slug: {"name": name, "category": "investor"} | ({"summary": name} if n % 2 else {})
        for n, (slug, name) in enumerate(_SAME_WORDS.items())
    }
    content = registries.content(organizations=records, registry={"language": "de"})
    content = {"registry": content["registry"], "organizations": records}
    made = registries.write(folder / "content", content)
    return commands.build(made, folder / "build", "--as-of", commands.TODAY)


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("C%23", "C#|C|C++|The C"),
        ("c", "C|C#|C++|The C"),
        ("c%2b%2b", "C++|C|C#|The C"),
        ("M%C3%9CLLER", "Müller|MÜLLER|Muller"),
        ("muller", "Muller|Müller|MÜLLER"),
        ("mu%CC%88ller", "Müller|MÜLLER|Muller"),
        ("TROMS%C3%98", "Tromsø|Tromso"),
        ("open+ai", "Open AI|AI Open|OpenAI"),
        ("+ai++open+", "AI Open|Open AI|OpenAI"),
        ("%E6%9D%B1%E4%BA%AC!", "東京!|東京"),
        ("%E6%9D%B1%E4%BA%AC", "東京|東京!"),
    ],
)
def test_names_written_as_the_query_come_before_names_with_the_same_words(
    q: str, names: str, same_words: Path
) -> None:
    root = "/api/organizations"
    targets = [f"{root}?mode=page&q={q}", f"{root}?mode=rows&q={q}", f"{SEARCH}?q={q}"]
    wanted = python(same_words, *targets)
    assert [(a.status, a.body) for a in javascript(same_words, *targets)] == wanted
    listed, rows, everything = (json.loads(body) for _, body in wanted)
    found = [row["name"] for row in listed["data"]]
    assert (found[: len(names.split("|"))], rows["rows"]) == (
        names.split("|"),
        [[row["slug"], row["name"]] for row in listed["data"]],
    )
    assert everything["data"]["organizations"]["data"] == listed["data"][:5]


@pytest.mark.parametrize(
    ("repeated", "once"),
    [
        ("active,active", "active"),
        ("public,active,public", "active,public"),
        ("all:active,active", "active"),
        ("not:public,public", "not:public"),
    ],
)
def test_a_repeated_value_counts_once(written: Path, repeated: str, once: str) -> None:
    targets = [f"/api/projects?mode=page&q=amber&status={text}" for text in (repeated, once)]
    wanted = python(written, *targets)
    assert [status for status, _ in wanted] == [200, 200] and wanted[0] == wanted[1]
    assert [(a.status, a.body) for a in javascript(written, *targets)] == wanted


# --- refusals ---


@pytest.mark.parametrize("base_url", [None, BASE_URL])
def test_refusals_have_the_same_bytes(base_url: str | None, tmp_path: Path) -> None:
    """All wrong requests of a list, a record and the dashboard, and a sample with a prefix, except
    those that a URL cannot contain unencoded.
    """
    out = awkward.build(tmp_path, base_url=base_url)
    grammar = awkward.grammar("/registry" if base_url else "")
    every = requests(grammar, out)
    wrong_targets = tiered(kinds(every)[::3] if base_url else every, grammar, out)
    roots = "|".join(re.escape(c.root) for c in grammar.collections.values())
    plain = re.compile(
        rf"(?:{grammar.prefix})?(?:(?:{roots})(?:/(?![a-z0-9-]{{101}})[a-z0-9]+(?:-[a-z0-9]+)*)?|/api/dashboard|/api/search)(?:\?[\w&=%+.~,;:@!$*()/-]*)?",
        re.ASCII,
    )
    targets = [
        r.target
        for r in wrong_targets
        if r.method == "GET" and r.problem and plain.fullmatch(r.target)
    ]
    wanted = python(out, *targets)
    assert {json.loads(body)["code"] for _, body in wanted} == {*PROBLEMS} - {
        "unsupported-combination"
    }
    assert differing(targets, [(a.status, a.body) for a in javascript(out, *targets)], wanted) == []
    assert len(targets) > (500 if base_url else 2000)


# --- bounds, mixed builds and caches ---


def bounded(out: Path, monkeypatch: pytest.MonkeyPatch, **bounds: float) -> bytes:
    """A search.js with other bounds; Python's engine has the same bounds until the test ends."""
    for name, value in bounds.items():
        for module in (reading, rows, js):
            monkeypatch.setattr(module, name, value, raising=module is not rows)

    class Symbols:
        grammar = Site.open(out).grammar

    artifact, _ = script.render(Symbols)  # type: ignore[arg-type]
    return artifact.data


@pytest.mark.parametrize("reads", [1, 2, 3, 4, 5, 6, 7])
def test_with_fewer_allowed_reads_larger_files_are_read_or_the_query_is_refused(
    reads: int, written: Path, targets: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A search reads four manifests.
    sample = [target for target in targets[:: 5 + reads] if reads > 3 or SEARCH not in target]
    module = bounded(written, monkeypatch, MAX_READS=reads)
    wanted = python(written, *sample)
    found = javascript(written, *sample, module=module)
    assert differing(sample, [(a.status, a.body) for a in found], wanted) == []
    assert max(len({*a.reads} - {FOLDING}) for a in found) <= reads
    refused = [
        json.loads(body)["detail"]
        for status, body in wanted
        if b"the limit is" in body and status == 400
    ]
    assert any(f"reads; the limit is {reads}" in detail for detail in refused)
    kinds = {"/".join(path.split("/")[4:6]) for a in found for path in a.reads if "/rows/" in path}
    assert {"rows/0"} < kinds <= {"rows/0", "rows/1", "rows/2"} or reads < 4


@pytest.mark.parametrize(
    ("bound", "status"), [({"MAX_BYTES": 20_000}, 400), ({"MAX_SECONDS": -1.0}, 503)]
)
def test_bytes_and_time_are_bounded(
    bound: dict[str, float],
    status: int,
    written: Path,
    targets: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = [target for target in targets[::7] if "q=" in target]
    module = bounded(written, monkeypatch, **bound)
    wanted = python(written, *sample)
    assert status in {found for found, _ in wanted}
    assert (
        differing(
            sample,
            [(a.status, a.body) for a in javascript(written, *sample, module=module)],
            wanted,
        )
        == []
    )


TARGET = "/api/projects?mode=page&q=amber&status=active&sort=-year"
MANIFEST = "/api/index/projects/manifest.json"


def test_files_of_two_builds_are_never_mixed(written: Path) -> None:
    (good,) = javascript(written, TARGET)
    assert good.status == 200
    kinds = {
        path.split("/")[4]: path for path in good.reads if path != MANIFEST and "/index/" in path
    }
    assert len(kinds) >= 3
    for path in kinds.values():
        for other in ("of another build", None):
            (always,) = javascript(written, TARGET, changed={path: [[other]]})
            how = (
                f"{path} is missing"
                if other is None
                else f"{path} is not the file that the manifest lists"
            )
            unless = "If it is not being published right now, build and publish it again."
            assert (always.status, json.loads(always.body)) == (503, {
                "type": "about:blank",
                "title": "Service Unavailable",
                "status": 503,
                "detail": f"The search index is damaged: {how}. {unless}",
            })  # fmt: skip
            assert {k.lower(): v for k, v in UNAVAILABLE.items()}.items() <= always.headers.items()
            (once,) = javascript(written, TARGET, changed={path: [other]})
            assert (once.status, once.body) == (200, good.body)
            # Everything is read again from the manifest on, and no valid file twice.
            assert once.reads.count(MANIFEST) == 2 == once.reads.count(path)
        # A manifest that differs on each read is not damaged.
        again = (written / MANIFEST[1:]).read_text()
        (always,) = javascript(
            written, TARGET, changed={path: ["x", "x"], MANIFEST: [resealed(again, more=1), again]}
        )
        assert (
            json.loads(always.body)["detail"] == "The registry is updating. Try again in a moment."
        )


def resealed(manifest: str, **other: Any) -> str:
    found = {**json.loads(manifest), **other}
    del found["check"]
    return with_seal(orjson.dumps(found)).decode()


@pytest.mark.parametrize(
    "manifest", [None, "<html>", "[]", "null", "{}", '{"kind": "search_index", "format": 99}']
)
def test_an_unreadable_index_is_reported_with_the_reason(
    manifest: str | None, written: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(written, out)
    if manifest is None:
        (out / MANIFEST[1:]).unlink()
    else:
        (out / MANIFEST[1:]).write_text(manifest)
    ((status, body),) = python(out, TARGET)
    assert status == 503
    (found,) = javascript(out, TARGET)
    assert (found.status, found.body) == (status, body)
    assert found.headers["cache-control"] == "no-store"


#: Vowel signs, letters of scripts with and without spaces, marks, and signs, to be mixed.
_MIXED = ["ािीुূ்ាី", "中文字東京かなไทยລາວខ្မမြန်", "abcde", "हिन्दीகதி", "éüßøÆ", "'’-",
          " ", "\u3099\u0301\u0338", "🤖²½٤", "c+#"]  # fmt: skip


def test_words_of_mixed_scripts_are_answered(written: Path) -> None:
    """A run of a query may have no letter: a vowel sign beside a letter of another script."""
    rng = random.Random(12)
    texts = ["\u093e中", "中\u093e", "x \u093e中", "\u093eา"] + [
        "".join(rng.choice(rng.choice(_MIXED)) for _ in range(rng.randint(1, 8)))
        for _ in range(200)
    ]
    roots = ("/api/projects?mode=page", "/api/projects?mode=rows&status=active", f"{SEARCH}?")
    targets = [f"{rng.choice(roots)}&q={quote(text)}".replace("?&", "?") for text in texts]
    wanted = python(written, *targets)
    found = [(a.status, a.body) for a in javascript(written, *targets)]
    assert differing(targets, found, wanted) == []
    assert [status for status, _ in wanted[:4]] == [200] * 4


def test_a_wrong_sort_has_the_same_proposals(built_own: Path) -> None:
    """By the names of the sorts, and by the labels of their filters."""
    near = {
        "-yaer": ["-year"],
        "total-funding": ["field_funding", "-field_funding"],
        "Founded": ["field_founded_on", "-field_founded_on"],
        "%C3%A9": ["name", "-year", "year"],
    }
    targets = [
        f"/api/projects?mode={mode}&sort={sort}" for sort in near for mode in ("page", "rows")
    ]
    wanted = python(built_own, *targets)
    assert [(a.status, a.body) for a in javascript(built_own, *targets)] == wanted
    for sort, (_, body) in zip(near, wanted[::2], strict=True):
        allowed = json.loads(body)["allowed"]
        assert set(near[sort]) <= set(allowed) and len(allowed) < 8 + 8 * (sort[0] == "%"), sort


def test_an_exception_is_a_problem_document_with_status_500(written: Path) -> None:
    """A page must tell a fault of the engine from a file that cannot be fetched."""
    need()
    search = (written / SEARCH_SCRIPT[1:]).read_text("utf-8")
    given = {
        "edge": function_module(written).decode(),
        "browser": search,
        "damaged": search.replace('manifest:"', 'lost:"'),
    }
    asked = json.dumps(given)
    command = ["node", str(HERE / "failing.mjs")]
    run = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    edge, error, damaged = json.loads(run.stdout)
    failure = failure_answer("GET")
    assert edge == [500, PROBLEM, failure.body.decode()]
    assert damaged[:2] == [500, PROBLEM]
    assert json.loads(damaged[2])["detail"] == FAILED_IN_BROWSER
    assert error == "fetch failed"


def test_each_file_is_read_once_even_by_concurrent_requests(
    written: Path, targets: list[str]
) -> None:
    first, again = javascript(written, TARGET, TARGET)
    assert len(first.reads) == len(set(first.reads)) > 3
    assert (again.reads, again.body) == ([MANIFEST], first.body)
    sample = targets[::11]
    assert [a.body for a in javascript(written, *sample, together=True)] == [
        body for _, body in python(written, *sample)
    ]


def test_the_folding_table_is_read_only_for_queries_beyond_ascii(written: Path) -> None:
    beyond = "/api/projects?mode=page&q=caf%C3%A9"
    plain, first, again = javascript(written, "/api/projects?mode=page&q=cafe", beyond, beyond)
    assert FOLDING not in plain.reads
    assert (first.reads.count(FOLDING), again.reads) == (1, [MANIFEST])
    assert json.loads(first.body)["data"] == json.loads(plain.body)["data"] != []
    refused, found = javascript(written, beyond, beyond, changed={FOLDING: ["{}"]})
    assert (refused.status, found.status, found.body) == (503, 200, first.body)


def test_a_cached_manifest_is_revalidated(written: Path) -> None:
    """If the manifest has changed, the new manifest answers the query."""
    real = (written / MANIFEST[1:]).read_text()
    other = resealed(real, as_of="2001-02-03")
    events = "/api/calendar/events?mode=page&q=call"
    of_events = MANIFEST.replace("projects", "events")
    former = resealed((written / of_events[1:]).read_text(), as_of="2001-02-03")
    first, second, third = javascript(
        written, events, events, events, changed={of_events: [former]}
    )
    assert json.loads(first.body)["as_of"] == "2001-02-03"
    assert json.loads(second.body)["as_of"] == commands.TODAY
    assert (third.status, third.body) == (200, second.body)
    assert second.reads == third.reads == [of_events]
    mixed, again = javascript(written, TARGET, TARGET, changed={MANIFEST: [other, "{}"]})
    assert (mixed.status, again.status) == (200, 503)


def test_the_cache_keeps_to_its_size(written: Path, targets: list[str]) -> None:
    code = (written / SEARCH_SCRIPT[1:]).read_bytes()
    small = code.replace(str(16 << 20).encode(), b"40000")
    assert small != code
    queries = [TARGET, *targets[::11], TARGET]
    found = javascript(written, *queries, module=small)
    # With room for all files, only the manifest would be read again.
    assert found[-1].body == found[0].body and len(found[-1].reads) > 1
    assert [a.body for a in found] == [body for _, body in python(written, *queries)]


def test_prepared_pages_are_served_unchanged(written: Path) -> None:
    of_program = "/api/programs/by/organization/org-1/page/1.json"
    queries = {
        "/api/projects?mode=page&page=3": "/api/projects/page/3.json",
        "/api/projects?mode=page&sort=-year": "/api/projects/sort/-year/page/1.json",
        "/api/programs?organization=org-1&mode=page": of_program,
        "/api/calendar/events": "/api/calendar/events/upcoming/page/1.json",
        "/api/organizations/org-1": "/api/organizations/slug/org-1.json",
        "/api/dashboard": "/api/dashboard.json",
    }
    for found, path in zip(javascript(written, *queries), queries.values(), strict=True):
        assert (found.status, found.body, found.reads) == (
            200,
            (written / path[1:]).read_bytes(),
            [path],
        )


# --- hosts ---


Answered = Mapping[str, tuple[int, bytes]]


@pytest.fixture(scope="session")
def answered(written: Path, targets: list[str]) -> Answered:
    """Python's answers to every third request, which each host gives."""
    return dict(zip(targets[::3], python(written, *targets[::3]), strict=True))


def assert_serves(port: int, answered: Answered, **headers: str) -> None:
    found, targets = list(over_http(port, [*answered])), [*answered]
    same = [(status, body) for status, body, _ in found]
    assert differing(targets, same, [*answered.values()]) == []
    for status, _, given in found:
        expected_headers = (
            COMMON_HEADERS
            | {"Content-Type": "application/json" if status == 200 else "application/problem+json"}
            | headers
        )
        assert {name: given.get(name.lower()) for name in expected_headers} == expected_headers


def test_the_development_server_answers(tmp_path: Path, answered: Answered) -> None:
    content = registries.content(writings.content(), registry={"site": False})
    registries.write(tmp_path / "content", content)
    with developed(tmp_path) as port:
        assert_serves(
            port,
            answered,
            **{"Cache-Control": "no-cache", "CDN-Cache-Control": "no-store"},
        )


@pytest.mark.slow
def test_cloudflares_engine_answers(tmp_path: Path, answered: Answered) -> None:
    need("wrangler", "miniflare")
    out = writings.build(tmp_path, "cloudflare")
    run = commands.run_forked(
        "host",
        "cloudflare",
        "--content",
        tmp_path / "content",
        "--out",
        tmp_path / "wrangler.jsonc",
    )
    assert run.status == 0, run.err
    (tmp_path / "build").symlink_to(out)
    with workerd(tmp_path, config=str(tmp_path / "wrangler.jsonc")) as port:
        assert_serves(port, answered)


@pytest.mark.parametrize("host", ["netlify", "vercel"])
def test_the_functions_of_hosts_answer(
    host: str, written: Path, tmp_path: Path, answered: Answered
) -> None:
    need()
    module = tmp_path / "function.mjs"
    if host == "netlify":
        shutil.copy(written / netlify.EDGE_FUNCTION[1:], module)
    else:
        run = commands.run_forked(
            "host", "vercel", "--content", written.parent / "content", "--out", tmp_path
        )
        assert run.status == 0, run.err
        shutil.copy(tmp_path / "middleware.js", module)
    script = tmp_path if host == "netlify" else module
    given = {
        "host": host,
        "script": str(script),
        "site": str(written),
        "requests": [["GET", target] for target in answered],
    }
    command = ["node", str(HERE.parent / "hosts" / "edge.mjs")]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    wanted = [(status, hashlib.sha256(body).hexdigest()) for status, body in answered.values()]
    assert [(a["status"], a["body"]) for a in json.loads(done.stdout)] == wanted
