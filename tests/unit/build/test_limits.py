"""Outputs compared with the limits of hosts."""

from __future__ import annotations

import pytest

import generator.hosts
from generator.build.limits import (
    Extent,
    check_hosts,
    check_limits,
    limits_of_hosts,
    measure,
    near_limits,
    oversized_collections,
)
from generator.contract.artifact import module_names
from generator.hosts import HostLimits
from generator.kinds import built_in

SMALL = Extent(
    files=10,
    bytes=1_000,
    largest=("/api/index.json", 500),
    fullest=("/api/projects/slug/", 6),
    rules={"nginx": 3},
)
PASSED = {
    "files": (HostLimits(files=9), "the output has 10 files; the limit is 9"),
    "bytes": (HostLimits(bytes=999), "the output has 1,000 bytes; the limit is 999"),
    "file_bytes": (
        HostLimits(file_bytes=499),
        "/api/index.json has 500 bytes; the limit for a file is 499",
    ),
    "directory_files": (
        HostLimits(directory_files=5),
        "/api/projects/slug/ has 6 files; the limit for a folder is 5",
    ),
    "rules": (HostLimits(rules=2), "there are 3 rules; the limit is 2"),
}

KINDS = built_in()


def test_every_limit_is_checked() -> None:
    assert PASSED.keys() == set(HostLimits._fields)


@pytest.mark.parametrize("name", PASSED)
def test_exceeding_a_limit_is_a_warning_with_the_excess(name: str) -> None:
    known, message = PASSED[name]
    (problem,) = check_limits(SMALL, {"nginx": known}, "content/registry.yaml", {})
    assert (problem.path, problem.code, problem.severity) == (
        "content/registry.yaml",
        "host-limit",
        "warning",
    )
    assert problem.message == f"nginx: {message}"


@pytest.mark.parametrize("name", PASSED)
def test_reaching_a_limit_is_no_warning(name: str) -> None:
    known, _ = PASSED[name]
    assert (
        check_limits(SMALL, {"nginx": HostLimits(**{name: getattr(known, name) + 1})}, "", {}) == []
    )


def test_a_host_with_unknown_limits_takes_everything() -> None:
    assert (
        check_limits(
            Extent(10**9, 10**15, ("/a", 10**12), ("/", 10**9), {"nginx": 10**9}),
            {"nginx": HostLimits()},
            "",
            {},
        )
        == []
    )


def test_the_extent_of_an_output_counts_its_files() -> None:
    files = {"/a.json": 30, "/api/c.json": 5, "/api/d/e.json": 0, "/api/b.json": 70, "/z.json": 70}
    found = measure(files, {"nginx": b"/a /b 200\n\n# a remark\n/c /d 404\n"})
    assert found == Extent(
        files=5,
        bytes=175,
        largest=("/z.json", 70),
        fullest=("/", 2),
        rules={"nginx": 2},
        ruled={"nginx": "/a has 1, /c has 1"},
    )


def test_too_many_rules_are_those_of_filters_and_kinds() -> None:
    rules = b"/api/tools a=:a /x 404\n" * 3 + b"/api/papers a=:a /x 404\n"
    outputs = {"/projects/index.html": 1}
    warnings = check_limits(
        measure(outputs, {"nginx": rules}), {"nginx": HostLimits(rules=3)}, "", {}
    )
    assert [problem.message for problem in warnings] == ["nginx: there are 4 rules; the limit is 3"]
    assert warnings[0].hint == (
        "in registry.yaml leave out filters, tag families or kinds: /api/tools has 3, /api/papers "
        "has 1 of the rules; docs/hosts.md has the limits of all hosts"
    )


def test_an_empty_output_has_no_extent() -> None:
    assert measure({}, {}) == Extent(0, 0, ("/", 0), ("/", 0))


def test_rules_apply_to_their_own_host_only() -> None:
    assert check_limits(SMALL, {"there": HostLimits(rules=2)}, "", {}) == []


def test_every_host_documents_its_limits() -> None:
    known = limits_of_hosts(module_names(generator.hosts))
    assert all(isinstance(found, HostLimits) for found in known.values())
    assert known["netlify"].directory_files == 54_000
    assert known["cloudflare"].files == 20_000


@pytest.mark.parametrize(("files", "noted"), [(7, False), (8, True), (10, True), (11, False)])
def test_a_limit_that_is_near_is_a_note_and_no_warning(files: int, noted: bool) -> None:
    known = {"nginx": HostLimits(files=10)}
    reached = SMALL._replace(files=files)
    lines = near_limits(reached, known, {})
    assert bool(lines) == noted
    if noted:
        assert lines[0].startswith(f"Near a limit of nginx, {files * 10} % used: the output has")
        assert check_limits(reached, known, "", {}) == []


def test_only_chosen_hosts_are_reported() -> None:
    outputs = {f"/api/{n}.json": 1 for n in range(20_001)}
    warnings, lines = check_hosts(outputs, b"", ["cloudflare"], "registry.yaml", None, KINDS)
    assert [problem.message for problem in warnings] == [
        "cloudflare: the output has 20,001 files; the limit is 20,000"
    ]
    assert lines == ["Files: 20,001 other."]
    warnings, lines = check_hosts(outputs, b"", ["caddy"], "registry.yaml", None, KINDS)
    assert (warnings, lines) == ([], ["Files: 20,001 other."])


def test_a_host_that_is_nearly_full_is_reported_with_ways_out() -> None:
    files = [
        *(f"/api/calendar/events/slug/{n}.json" for n in range(8_000)),
        *(f"/calendar/event-{n}/index.html" for n in range(8_000)),
        *(f"/api/projects/sort/-year/page/{n}.json" for n in range(40)),
        *(f"/projects/sort/-year/page/{n}/index.html" for n in range(40)),
        *(f"/api/v1/agent/context/programs/{n}.md" for n in range(9)),
        "/api/v1/agent/context/overview.md",
        "/api/projects/by/program/w22/page/1.json",
        "/api/projects/by/location/us/page/1.json",
        "/api/projects/by/location/us/page/2.json",
        "/api/calendar/events/by/program/w22.ics",
        "/api/index/projects/words/a.txt",
        "/robots.txt",
    ]
    warnings, (made, near) = check_hosts(
        dict.fromkeys(files, 1), b"", ["cloudflare"], "registry.yaml", None, KINDS
    )
    assert warnings == []
    assert made == (
        "Files: 8,040 site, 8,000 records, 40 pages of lists in other orders, 10 agent contexts, "
        "3 pages of lists by filter (location 2, program 1), 1 calendar feeds, 1 search "
        "index, 1 other."
    )
    assert near == (
        "Near a limit of cloudflare, 80 % used: the output has 16,096 files; the limit is 20,000. "
        "To stay below it: in registry.yaml site: false saves 8,040 files, leave_out: [sorts] "
        "saves 80 files, leave_out: [event_pages] saves 8,000 files, leave_out: [contexts] saves "
        "9 files; the paid plan takes 100,000 files, and a build in an R2 bucket any number "
        "(registry host r2); docs/hosts.md has the limits of all hosts."
    )


def test_rules_count_for_the_host_that_reads_them() -> None:
    rules = b"/a /b 302\n" * 1_100
    assert [
        p.message for p in check_hosts({}, rules, ["gitlab-pages", "vercel"], "", None, KINDS)[0]
    ] == ["gitlab-pages: there are 1,100 rules; the limit is 1,000"]


def test_a_collection_that_is_too_large_for_its_index() -> None:
    (line,) = oversized_collections({"projects": (1 << 20) + 1, "programs": 1 << 20})
    assert line.startswith(
        "Too large for the search index: there are 1,048,577 projects, and the limit"
    )
