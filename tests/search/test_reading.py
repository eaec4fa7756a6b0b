"""What queries read, and their answers within bounds, while files change, if they fail."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.engine import table
from generator.grammar.headers import PROBLEM, UNAVAILABLE
from generator.grammar.paths import FOLDING, SEARCH, SEARCH_MORE, SEARCH_SCRIPT
from generator.grammar.refusals import FAILED_IN_BROWSER
from generator.outputs import descriptions
from generator.reader.deployment import Deployment
from generator.search.format import with_seal
from generator.serve.answer import failure_answer
from support import commands, recorded
from support.answers import as_in_browsers, function_module, javascript, served
from support.engines import node

HERE = Path(__file__).parent
TARGETS = recorded.targets(HERE / "requests/writings.txt")
TARGET = "/api/projects?mode=page&q=amber&status=active&sort=-year"
MANIFEST = "/api/index/projects/manifest.json"


# --- bounds ---


def bounded(out: Path, monkeypatch: pytest.MonkeyPatch, **bounds: float) -> bytes:
    """A search.js with other bounds."""
    for name, value in bounds.items():
        monkeypatch.setattr(table, name, value)

    class Symbols:
        grammar = Deployment.open(out).grammar

    artifact, *_ = descriptions.render_script(Symbols)  # type: ignore[arg-type]
    return artifact.data


@pytest.mark.parametrize("reads", [1, 3, 4, 7])
def test_with_fewer_allowed_reads_larger_files_are_read_or_the_query_is_refused(
    reads: int, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pages are read beside the bounds, and a search reads four manifests.
    sample = [t for t in TARGETS if "q=" in t or "mode=count" in t][:: 9 + reads]
    sample += [f"/api/projects?mode=page&q={q}" for q in ("ranked+amber", "amber&sort=name")]
    sample = [target for target in sample if reads > 3 or SEARCH not in target]
    module = bounded(written, monkeypatch, MAX_READS=reads)
    found = javascript(written, *sample, module=module)
    assert max(len({*a.reads} - {FOLDING}) for a in found) <= reads
    assert any(f"reads; the limit is {reads}".encode() in a.body for a in found)
    kinds = {"/".join(path.split("/")[4:6]) for a in found for path in a.reads if "/rows/" in path}
    assert {"rows/0"} < kinds <= {"rows/0", "rows/1", "rows/2"} or reads < 4


@pytest.mark.parametrize(
    ("bound", "status"), [({"MAX_BYTES": 20_000}, 400), ({"MAX_SECONDS": -1.0}, 503)]
)
def test_bytes_and_time_are_bounded(
    bound: dict[str, float], status: int, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = [target for target in TARGETS[::15] if "q=" in target]
    found = javascript(written, *sample, module=bounded(written, monkeypatch, **bound))
    assert status in {each.status for each in found} <= {200, 400, 404, status}


def test_alternatives_that_need_too_many_reads_are_left_out(
    built: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The query is answered as before, with the alternatives that need no more files."""
    few = []
    for limit in range(1, 12):
        monkeypatch.setattr(table, "MAX_READS", limit)
        target = "/api/projects?mode=count&tag_topic=ai&year=2003"
        ((status, body),) = served(built("alike"), target)
        few.append((status, len(json.loads(body).get("alternatives", ()))))
    assert list(dict.fromkeys(few)) == [(400, 0), (200, 2), (200, 4)]


# --- a host on which files change, and caches ---


@pytest.mark.parametrize("target", [TARGET, f"{SEARCH}?q=amber"])
def test_files_of_two_builds_are_never_mixed(target: str, written: Path) -> None:
    (good,) = javascript(written, target)
    assert good.status == 200
    kinds = {path.split("/")[4]: path for path in good.reads if path.count("/") > 4}
    kinds = {kind: path for kind, path in kinds.items() if "/index/" in path}
    assert len(kinds) >= 2
    for path in kinds.values():
        manifest = f"{'/'.join(path.split('/')[:4])}/manifest.json"
        for other in ("of another build", None):
            (always,) = javascript(written, target, changed={path: [[other]]})
            how = "is missing" if other is None else "is not the file that the manifest lists"
            unless = "If it is not being published right now, build and publish it again."
            assert (always.status, json.loads(always.body)) == (503, {
                "type": "about:blank",
                "title": "Service Unavailable",
                "status": 503,
                "detail": f"The search index is damaged: {path} {how}. {unless}",
            })  # fmt: skip
            assert {k.lower(): v for k, v in UNAVAILABLE.items()}.items() <= always.headers.items()
            (once,) = javascript(written, target, changed={path: [other]})
            assert (once.status, once.body) == (200, good.body)
            # Everything is read again from the manifest on, and no valid file twice.
            assert once.reads.count(manifest) == 2 == once.reads.count(path)
    # A manifest that differs on each read is not damaged.
    again = (written / manifest[1:]).read_text()
    changed = {path: ["x", "x"], manifest: [resealed(again, more=1), again]}
    (always,) = javascript(written, target, changed=changed)
    assert json.loads(always.body)["detail"] == ("The registry is updating. Try again in a moment.")


def resealed(manifest: str, **other: Any) -> str:
    found = {**json.loads(manifest), **other}
    del found["check"]
    return with_seal(orjson.dumps(found)).decode()


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (None, "There is no search index of projects here."),
        ("<html>", "damaged"),
        ("[]", "damaged"),
        ("{}", "damaged"),
        ('{"kind": "search_index", "format": "\\u001b]0;x"}', "damaged"),
        ('{"kind": "search_index", "format": 3, "checks": []}', "format 3"),
        ('{"kind": "search_index", "format": 99}', "format 99"),
    ],
)
def test_an_unreadable_index_is_reported_with_the_reason(
    manifest: str | None, why: str, built: Callable[[str], Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(built("alike"), out)
    if manifest is None:
        (out / MANIFEST[1:]).unlink()
    else:
        (out / MANIFEST[1:]).write_text(manifest)
    for target in ("/api/projects?mode=page&q=weave", f"{SEARCH}?q=weave"):
        (found,) = javascript(out, target)
        assert found.status == 503 and why in json.loads(found.body)["detail"]
        assert found.headers["cache-control"] == "no-store"


def test_each_file_is_read_once_even_by_concurrent_requests(written: Path) -> None:
    first, again = javascript(written, TARGET, TARGET)
    assert len(first.reads) == len(set(first.reads)) > 3
    assert (again.reads, again.body) == ([MANIFEST], first.body)
    sample = TARGETS[::15]
    assert [a.body for a in javascript(written, *sample, together=True)] == [
        body for _, body in as_in_browsers(served(written, *sample))
    ]


def test_the_folding_table_is_read_only_for_queries_beyond_ascii(written: Path) -> None:
    beyond = "/api/projects?mode=page&q=caf%C3%A9"
    plain, first, again = javascript(written, "/api/projects?mode=page&q=cafe", beyond, beyond)
    assert FOLDING not in plain.reads
    assert (first.reads.count(FOLDING), again.reads) == (1, [MANIFEST])
    assert json.loads(first.body)["data"] == json.loads(plain.body)["data"] != []
    refused, found = javascript(written, beyond, beyond, changed={FOLDING: ["{}"]})
    assert (refused.status, found.status, found.body) == (503, 200, first.body)


@pytest.mark.parametrize("script", ["nothing", "for another search.js", "no script"])
def test_answers_without_the_second_script_have_no_advice_and_rows_are_refused(
    script: str, built: Callable[[str], Path], tmp_path: Path
) -> None:
    """An answer is right without it, and one with records does not need it."""
    out = tmp_path / "out"
    shutil.copytree(built("alike"), out)
    targets = (
        "/api/projects?mode=page&q=stack",
        "/api/projects?mode=page&q=stakk",
        "/api/projects?mode=count&tag_topic=ai&year=2003",
        "/api/projects?mode=page&tag_topic=aii",
        "/api/projects/piles",
    )
    wanted = [json.loads(body) for _, body in as_in_browsers(served(out, *targets))]
    assert wanted[0]["data"] and wanted[1]["suggestions"] and wanted[2]["alternatives"]
    assert wanted[3]["allowed"] and wanted[4]["allowed"]
    assert [json.loads(a.body) for a in javascript(out, *targets)] == wanted
    other = tmp_path / "other"
    shutil.copytree(out, other)
    more = other / SEARCH_MORE[1:]
    if script == "nothing":
        more.unlink()
    elif script == "no script":
        more.write_text("<html>")
    else:
        more.write_bytes(re.sub(rb"of(?=\d+=)", b"of1", more.read_bytes(), count=1))
    for document in wanted[1:]:
        empty = {"suggestions": [], "alternatives": [], "allowed": None}
        document |= {key: empty[key] for key in empty if key in document}
    *found, rows = javascript(other, *targets, "/api/projects?mode=rows")
    assert [json.loads(a.body) for a in found] == wanted
    assert rows.status == 503 and "search-more.js cannot be read" in json.loads(rows.body)["detail"]


def test_a_cached_manifest_is_revalidated(written: Path) -> None:
    """If the manifest has changed, the new manifest answers the query."""
    other = resealed((written / MANIFEST[1:]).read_text(), as_of="2001-02-03")
    events = "/api/calendar/events?mode=page&q=call"
    of_events = MANIFEST.replace("projects", "events")
    former = resealed((written / of_events[1:]).read_text(), as_of="2001-02-03")
    found = javascript(written, events, events, events, changed={of_events: [former]})
    days = [json.loads(answer.body)["as_of"] for answer in found]
    assert days == ["2001-02-03", commands.TODAY, commands.TODAY]
    assert found[1].reads == found[2].reads == [of_events]
    mixed, again = javascript(written, TARGET, TARGET, changed={MANIFEST: [other, "{}"]})
    assert (mixed.status, again.status) == (200, 503)


def test_the_cache_keeps_to_its_size(written: Path) -> None:
    code = (written / SEARCH_SCRIPT[1:]).read_bytes()
    small = code.replace(str(16 << 20).encode(), b"40000")
    assert small != code
    queries = [TARGET, *TARGETS[::15], TARGET]
    found = javascript(written, *queries, module=small)
    # With room for all files, only the manifest would be read again.
    assert found[-1].body == found[0].body and len(found[-1].reads) > 1
    assert [a.body for a in found] == [
        body for _, body in as_in_browsers(served(written, *queries))
    ]


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
        body = (written / path[1:]).read_bytes()
        assert (found.status, found.body, found.reads) == (200, body, [path])


def test_an_exception_is_a_problem_document_with_status_500(written: Path) -> None:
    """A page must tell a fault of the engine from a file that cannot be fetched."""
    search = (written / SEARCH_SCRIPT[1:]).read_text("utf-8")
    given = {
        "edge": function_module(written).decode(),
        "browser": search,
        "damaged": search.replace('manifest:"', 'lost:"'),
    }
    edge, error, damaged = node(HERE / "failing.mjs", given=given)
    assert edge == [500, PROBLEM, failure_answer("GET", "/api/projects").body.decode()]
    assert damaged[:2] == [500, PROBLEM]
    assert json.loads(damaged[2])["detail"] == FAILED_IN_BROWSER
    assert error == "fetch failed"
