"""Outputs held against what hosts take."""

from __future__ import annotations

import pytest

import generator.hosts
from generator.api.artifact import modules
from generator.build.limits import (
    Extent,
    beyond,
    beyond_index,
    check_limits,
    extent,
    judge,
    limits,
)
from generator.hosts import Limits

SMALL = Extent(
    files=10,
    bytes=1_000,
    largest=("/api/index.json", 500),
    fullest=("/api/projects/slug/", 6),
    rules={"here": 3},
)
PASSED = {
    "files": (Limits(files=9), "the output has 10 files, and it takes 9"),
    "bytes": (Limits(bytes=999), "the output has 1,000 bytes, and it takes 999"),
    "file_bytes": (
        Limits(file_bytes=499),
        "/api/index.json has 500 bytes, and a file may have 499",
    ),
    "directory_files": (
        Limits(directory_files=5),
        "/api/projects/slug/ has 6 files, and a folder may have 5",
    ),
    "rules": (Limits(rules=2), "there are 3 rules, and it takes 2"),
}


def test_every_limit_is_checked() -> None:
    assert PASSED.keys() == set(Limits._fields)


@pytest.mark.parametrize("name", PASSED)
def test_a_limit_that_is_passed_is_a_warning_that_says_by_how_much(name: str) -> None:
    known, message = PASSED[name]
    (problem,) = check_limits(SMALL, {"here": known}, "content/registry.yaml")
    assert (problem.path, problem.code, problem.severity) == (
        "content/registry.yaml",
        "host-limit",
        "warning",
    )
    assert problem.message == f"here: {message}"


@pytest.mark.parametrize("name", PASSED)
def test_a_limit_that_is_reached_is_none_that_is_passed(name: str) -> None:
    known, _ = PASSED[name]
    assert check_limits(SMALL, {"here": Limits(**{name: getattr(known, name) + 1})}, "") == []


def test_a_host_of_unknown_limits_takes_everything() -> None:
    assert (
        check_limits(
            Extent(10**9, 10**15, ("/a", 10**12), ("/", 10**9), {"here": 10**9}),
            {"here": Limits()},
            "",
        )
        == []
    )


def test_the_extent_of_an_output_is_that_of_its_files() -> None:
    files = {"/a.json": 30, "/api/c.json": 5, "/api/d/e.json": 0, "/api/b.json": 70, "/z.json": 70}
    found = extent(files, {"here": b"/a /b 200\n\n# a remark\n/c /d 404\n"})
    assert found == Extent(
        files=5, bytes=175, largest=("/z.json", 70), fullest=("/", 2), rules={"here": 2}
    )


def test_an_empty_output_has_no_extent() -> None:
    assert extent({}, {}) == Extent(0, 0, ("/", 0), ("/", 0))


def test_rules_of_one_host_are_none_of_another() -> None:
    assert check_limits(SMALL, {"there": Limits(rules=2)}, "") == []


def test_every_host_says_what_it_takes() -> None:
    known = limits(modules(generator.hosts))
    assert all(isinstance(found, Limits) for found in known.values())
    assert known["netlify"].directory_files == 54_000
    assert known["cloudflare"].files == 20_000


def test_hosts_that_would_not_take_the_output_are_named_with_one_reason_each() -> None:
    known = {"small": Limits(files=9, bytes=9), "large": Limits(files=10)}
    assert beyond(SMALL, known) == ["Too large for small: the output has 10 files, and it takes 9."]


def test_chosen_hosts_warn_and_others_are_told_of() -> None:
    outputs = {f"/api/{n}.json": 1 for n in range(20_001)}
    warnings, others = judge(outputs, b"", ["cloudflare"], "registry.yaml", None)
    assert [problem.message for problem in warnings] == [
        "cloudflare: the output has 20,001 files, and it takes 20,000"
    ]
    warnings, others = judge(outputs, b"", ["netlify"], "registry.yaml", None)
    assert (warnings, [line.partition(":")[0] for line in others]) == (
        [],
        ["Too large for cloudflare"],
    )


def test_rules_count_for_the_host_that_reads_them_there() -> None:
    rules = b"/a /b 302\n" * 1_100
    assert [p.message for p in judge({}, rules, ["gitlab-pages", "vercel"], "", None)[0]] == [
        "gitlab-pages: there are 1,100 rules, and it takes 1,000"
    ]


def test_a_collection_that_its_index_does_not_take() -> None:
    (line,) = beyond_index({"projects": (1 << 20) + 1, "programs": 1 << 20})
    assert line.startswith("Too large for the index: there are 1,048,577 projects, and it takes")
