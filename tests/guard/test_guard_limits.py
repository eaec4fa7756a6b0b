"""Guards: each is tripped by numbers that trip no other guard, and approved once by its
fingerprint.
"""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.guard.finding import Finding
from generator.guard.limits import RELATIVE, tripped_guards
from generator.guard.rules import tiers
from generator.guard.state import State
from generator.model.settings.guards import Guards
from support import registries
from support.commands import files, run_forked
from support.guard_pairs import BEFORE, COUNTS, FILLED, GUARD_PAIRS, SLUGS, VALUES


def findings_of(guard: str, before: State | None = BEFORE) -> list[Finding]:
    settings, now = GUARD_PAIRS[guard]
    return tripped_guards(Guards(**settings), before, now)


def test_every_guard_has_a_pair() -> None:
    assert GUARD_PAIRS.keys() == tiers()[0].rules.keys()


@pytest.mark.parametrize("guard", GUARD_PAIRS)
def test_a_guard_is_tripped_alone(guard: str) -> None:
    (one,) = findings_of(guard)
    assert one.rule == guard and one.words and one.old.path.startswith("/api/")
    first = [one.rule for one in findings_of(guard, None)]
    assert first == ([] if guard in RELATIVE else [guard]), "a first publish is held against none"


def test_unchanged_states_and_values_at_the_bounds_trip_nothing() -> None:
    assert tripped_guards(Guards(), BEFORE, BEFORE) == [] == tripped_guards(Guards(), None, BEFORE)
    exact = Guards(
        least={"projects": 100}, filled={"projects": {"website": 0.9}},
        countries={"projects": {"us": {"least": 60, "most": 60}}},
    )  # fmt: skip
    assert tripped_guards(exact, BEFORE, BEFORE) == []
    edge = State(
        COUNTS | {"projects": 80},
        {**FILLED, "projects": {"website": 56, "text": 80}},
        {"projects": {"location/us": 30, "location/no": 0, "tag_topic/climate": 20}},
    )
    assert tripped_guards(Guards(), BEFORE, edge) == [], (
        "a fifth, 20 in a hundred and a half may go"
    )


def test_tags_of_removed_records_are_not_reported() -> None:
    gone = State(COUNTS | {"projects": 0}, {"programs": FILLED["programs"]}, {}, {}, SLUGS)
    assert [one.rule for one in tripped_guards(Guards(), BEFORE, gone)] == ["records-lost"]
    assert "filled-lost" not in {one.rule for one in tripped_guards(Guards(lost=1), BEFORE, gone)}


def test_settings_limit_the_loss() -> None:
    _, half = GUARD_PAIRS["records-lost"]
    assert tripped_guards(Guards(lost=0.21), BEFORE, half) == []
    assert tripped_guards(Guards(lost=0), BEFORE, State(COUNTS | {"projects": 99}, FILLED, VALUES))
    assert (
        tripped_guards(Guards(filled_lost=1, values_lost=1), BEFORE, GUARD_PAIRS["filled-lost"][1])
        == []
    )


def test_a_fingerprint_depends_on_the_numbers() -> None:
    one = findings_of("records-lost")[0].fingerprint
    (other,) = tripped_guards(Guards(), BEFORE, State(COUNTS | {"projects": 78}, FILLED, VALUES))
    assert other.fingerprint != one == findings_of("records-lost")[0].fingerprint


def test_a_state_is_written_and_read_back() -> None:
    kept = BEFORE.kept()
    assert kept.values["projects"] == {"location/us": 60, "tag_topic/climate": 40}
    assert State.parse(kept.dump().encode()) == kept


@pytest.mark.parametrize(
    "raw",
    [*(json.dumps({"guard_state": 1, **BEFORE._asdict(), **wrong}).encode()
       for wrong in ({"counts": {"projects": -1}}, {"filled": {"events": 1}}, {"guard_state": 3})),
     b"", b"[]", b"{}", b"[" * 100_000, b"\xff", b'{"guard_state":1}'],
)  # fmt: skip
def test_an_invalid_state_file_is_refused(raw: bytes) -> None:
    assert State.parse(raw) is None


def fingerprint_in(text: str) -> str:
    (found,) = set(re.findall("`registry approve ([0-9a-f]{16})`", text))
    return found


# --- builds ---------------------------------------------------------------------------------------


def write(folder: Path, websites: int, records: int = 30, **registry: Any) -> Path:
    shutil.rmtree(folder / "content" / "projects", ignore_errors=True)
    projects = {
        f"p{n:02}": {"name": f"P {n}", "tags": {"topic": ["climate"]}}
        | ({"website": f"https://p{n}.example/"} if n < websites else {})
        for n in range(records)
    }
    return registries.write(
        folder / "content", registries.api_alone(registry, programs={}, organizations={},
                                                 events={}, projects=projects)
    )  # fmt: skip


def test_a_field_that_was_emptied_stops_a_build_and_is_approved_once(tmp_path: Path) -> None:
    write(tmp_path, 30)
    assert run_forked("build", cwd=tmp_path).status == 0
    write(tmp_path, 12)
    before = files(tmp_path / "build")
    for command in ("build", "check"):
        done = run_forked(command, cwd=tmp_path)
        assert done.status == 1 and "error[guard-tripped]" in done.err
        assert "40.0% of projects have a website; before, 100.0% had" in done.err
        assert files(tmp_path / "build") == before
    print_ = fingerprint_in(done.err)
    assert (
        run_forked("approve", print_, "--reason", "their domains expired", cwd=tmp_path).status == 0
    )
    assert run_forked("check", cwd=tmp_path).status == 0
    assert run_forked("build", cwd=tmp_path).status == 0
    write(tmp_path, 2)
    done = run_forked("build", cwd=tmp_path)
    assert done.status == 1 and print_ not in done.err, "the approval was of other numbers"
    assert run_forked("build", "--allow-loss", cwd=tmp_path).status == 0
    assert run_forked("build", cwd=tmp_path).status == 0


def test_the_state_file_is_kept_between_builds(tmp_path: Path) -> None:
    write(tmp_path, 30)
    command = "build", "--against", "state.json"
    done = run_forked(*command, "--out", "one", cwd=tmp_path)
    assert done.status == 2 and "There is no file state.json" in done.err and "--first" in done.err
    assert not (tmp_path / "one").exists()
    done = run_forked(*command, "--out", "one", "--first", cwd=tmp_path)
    assert done.status == 0 and "There is no file state.json: this is the first" in done.err
    kept = (tmp_path / "state.json").read_bytes()
    write(tmp_path, 30, records=20)
    done = run_forked(*command, "--out", "two", cwd=tmp_path)
    assert done.status == 1 and "10 of 30 projects are gone" in done.err
    assert (tmp_path / "state.json").read_bytes() == kept and not (tmp_path / "two").exists()
    assert run_forked("build", "--out", "two", cwd=tmp_path).status == 0, "it was never built there"
    assert run_forked(*command, "--out", "two", cwd=tmp_path).status == 1, (
        "also where nothing changed"
    )
    assert run_forked(*command, "--out", "two", "--allow-loss", cwd=tmp_path).status == 0
    assert run_forked(*command, "--out", "two", cwd=tmp_path).status == 0
    (tmp_path / "state.json").write_text("{}")
    assert run_forked(*command, cwd=tmp_path).status == 2


def test_a_build_is_compared_with_the_published_state(tmp_path: Path) -> None:
    write(tmp_path, 30)
    assert run_forked("build", "--out", "live", cwd=tmp_path).status == 0
    write(tmp_path, 30, records=20)
    done = run_forked("build", "--against", "live", cwd=tmp_path)
    assert done.status == 1 and "10 of 30 projects are gone" in done.err
    done = run_forked("diff", "live", "content", cwd=tmp_path)
    assert done.status == 1 and "records-lost" in done.out
    assert done.out.endswith("\nDo not publish this yet: 1 change trips a guard.\n")
    (tmp_path / "empty").mkdir()
    done = run_forked("build", "--against", "empty", cwd=tmp_path)
    assert done.status == 2 and "Nothing is published at empty" in done.err
    assert run_forked("build", "--against", "empty", "--first", cwd=tmp_path).status == 0
    assert run_forked("build", "--against", "nowhere", cwd=tmp_path).status == 2
    done = run_forked("build", "--against", "http://127.0.0.1:9", cwd=tmp_path)
    assert done.status == 2 and "cannot be read" in done.err


@pytest.mark.parametrize(
    ("path", "raw", "said"),
    [
        ("coverage.json", None, "its api/coverage.json cannot be read: it is missing"),
        ("coverage.json", b"<html>", "its api/coverage.json cannot be read: it is not a JSON"),
        ("coverage.json", b"{}", "its api/coverage.json cannot be read: it has no data"),
        ("coverage.json", b'{"data":{}}', "its api/coverage.json cannot be read: it does not say"),
        ("projects/filters.json", None, "its api/projects/filters.json cannot be read"),
        ("index.json", b'{"kind":', "its api/index.json cannot be read: it is not a JSON object"),
        ("index.json", b"[]", "its api/index.json cannot be read: it is not a JSON object"),
        ("index.json", b" " * (9 << 20) + b"{}", "its api/index.json cannot be read: it has more"),
        ("index.json", b" " * (33 << 20) + b"{}", "its api/index.json cannot be read: it is"),
    ],
)  # fmt: skip
def test_a_state_that_is_partly_unreadable_is_no_first_publish(
    path: str, raw: bytes | None, said: str, tmp_path: Path
) -> None:
    write(tmp_path, 16, records=16)
    assert run_forked("build", "--out", "pub", cwd=tmp_path).status == 0
    write(tmp_path, 1, records=1)
    assert run_forked("build", "--against", "pub", cwd=tmp_path).status == 1
    (tmp_path / "pub/api" / path).unlink()
    if raw is not None:
        (tmp_path / "pub/api" / path).write_bytes(raw)
    for command in (("build", "--against", "pub"), ("diff", "pub", "content")):
        done = run_forked(*command, cwd=tmp_path)
        assert done.status == 2 and f"pub is a registry, but {said}" in done.err
        assert "publish.yml by hand with `first`" in done.err
    assert not (tmp_path / "build").exists()


@pytest.mark.parametrize(
    ("status", "body", "stops"),
    [
        (404, b"", False),
        (410, b"", False),
        (200, b"<!doctype html>", True),
        (200, b'{"kind":', True),
        (200, b"[]", True),
        (403, b"<Error><Code>AccessDenied</Code></Error>", True),
        (403, b"", True),
        (500, b"", True),
    ],
)
def test_only_a_404_of_the_host_means_a_first_publish(
    status: int, body: bytes, stops: bool, tmp_path: Path
) -> None:
    write(tmp_path, 1, records=1)

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        done = run_forked("build", "--against", url, "--first", cwd=tmp_path)
        assert done.status == (2 if stops else 0), done.err
        assert ("Nothing is published at" in done.err) is not stops
        done = run_forked("build", "--against", url, cwd=tmp_path)
        assert done.status == 2 and ("Say so with --first" in done.err) is not stops
        assert run_forked("diff", url, "content", cwd=tmp_path).status == 2
    finally:
        server.shutdown()
        server.server_close()


class Host(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """The base URL of a host of the folder `live`."""
    (tmp_path / "live").mkdir()
    handler = functools.partial(Host, directory=str(tmp_path / "live"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("wrong", ["removed", "mistyped"])
def test_an_unreachable_base_url_needs_an_option_for_a_first_publish(
    wrong: str, host: str, tmp_path: Path
) -> None:
    write(tmp_path, 30, base_url=host)
    build = "build", "--against", "published"
    done = run_forked(*build, "--first", "--out", "live", cwd=tmp_path)
    assert done.status == 0 and f"Nothing is published at {host}: this is the first" in done.err
    assert run_forked(*build, cwd=tmp_path).status == 0
    write(tmp_path, 30, records=15, base_url=host)
    for first in ([], ["--first"]):
        done = run_forked(*build, *first, cwd=tmp_path)
        assert done.status == 1 and "15 of 30 projects are gone" in done.err
        done = run_forked("diff", "published", "content", *first, cwd=tmp_path)
        assert done.status == 1 and "15 of 30 projects are gone" in done.out
    before = files(tmp_path / "build")
    if wrong == "removed":
        write(tmp_path, 30, records=15)
        said = "registry.yaml has no base_url"
    else:
        write(tmp_path, 30, records=15, base_url=f"{host}/typo")
        said = f"Nothing is published at {host}/typo"
    for command in (build, ("diff", "published", "content")):
        done = run_forked(*command, cwd=tmp_path)
        assert done.status == 2 and said in done.err and "Say so with --first" in done.err
        assert files(tmp_path / "build") == before
    done = run_forked("diff", "published", "content", "--first", cwd=tmp_path)
    assert done.status == 0 and f"{said}: this is the first publish" in done.err


@pytest.mark.parametrize(
    ("guards", "said"),
    [
        ({"lost": 20}, "guards.lost"),
        ({"least": {"projcts": 1}}, 'did you mean "projects"?'),
        ({"filled": {"projects": {"web": 0.5}}}, "guards.filled.projects"),
        ({"countries": {"projects": {"USA": {"least": 1}}}}, "guards.countries.projects"),
    ],
)
def test_invalid_settings_are_reported(guards: Any, said: str, tmp_path: Path) -> None:
    write(tmp_path, 30, guards=guards)
    done = run_forked("check", "--content", tmp_path / "content")
    assert done.status == 1 and said in done.err, done.err


def test_bounds_of_registry_yaml_hold_in_a_first_build(tmp_path: Path) -> None:
    guards = {"least": {"projects": 31}, "filled": {"projects": {"website": 0.5}},
              "tags": {"projects": {"topic": {"climate": {"most": 10}}}}}  # fmt: skip
    write(tmp_path, 3, guards=guards)
    done = run_forked("check", "--content", tmp_path / "content")
    assert done.status == 1 and done.err.count("error[guard-tripped]") == 3
    done = run_forked("build", "--content", tmp_path / "content", "--out", tmp_path / "out",
                      "--allow-loss")  # fmt: skip
    assert done.status == 1, "what there must be is no loss"
