"""`registry get|list|search|calendar|dashboard`: output in each format, and exit status."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from generator.cli._table import cut_to_width, line, visible, width, widths
from generator.cli.ask._show import Csv
from support import commands, registries
from support.commands import REGISTRY, environment, run_forked
from support.fake_host import FakeHost, Given
from support.own import OWN
from support.registries import HOSTILE


def printed(*arguments: object) -> str:
    done = run_forked(*arguments)
    assert (done.status, done.err) == (0, "")
    return done.out


def refused(*arguments: object) -> str:
    """The error output of a command that ends with status 2 and prints nothing else."""
    done = run_forked(*arguments)
    assert (done.status, done.out) == (2, ""), done
    return done.err


# --- formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["list", "projects"], "api/projects/page/1.json"),
        (
            ["list", "projects", "--page", "2", "--filter", "tag_topic=space"],
            "api/projects/by/tag_topic/space/page/2.json",
        ),
        (["list", "projects", "--sort=-year"], "api/projects/sort/-year/page/1.json"),
        (["list", "events"], "api/calendar/events/page/1.json"),
        (["get", "projects", "hostile"], "api/projects/slug/hostile.json"),
        (["get", "events/harbour-2020"], "api/calendar/events/slug/harbour-2020.json"),
        (["calendar"], "api/calendar/events/upcoming/page/1.json"),
        (["calendar", "--upcoming"], "api/calendar/events/upcoming/page/1.json"),
        (["calendar", "--program", "launch"], "api/calendar/events/by/program/launch/page/1.json"),
        (["calendar", "--year", "2020"], "api/calendar/events/by/year/2020/page/1.json"),
        (["calendar", "--ics"], "api/calendar/events.ics"),
        (["calendar", "--ics", "--kind", "event"], "api/calendar/events/by/kind/event.ics"),
        (["dashboard"], "api/dashboard.json"),
    ],
)
def test_a_pipe_gets_the_published_file(arguments: list[str], path: str, site: Path) -> None:
    done = subprocess.run(
        [*REGISTRY, *arguments, "--from", site], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (site / path).read_bytes()


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in text.splitlines()]


def test_ndjson_is_a_summary_a_line(site: Path) -> None:
    page = json.loads((site / "api/projects/page/1.json").read_bytes())
    assert rows(printed("list", "projects", "--from", site, "--format", "ndjson")) == page["data"]


def test_all_pages_are_read_only_when_asked(site: Path) -> None:
    assert len(rows(printed("list", "projects", "--from", site, "--format", "ndjson"))) == 10
    every = rows(printed("list", "projects", "--from", site, "--all"))
    assert len({row["slug"] for row in every}) == len(every) == 24


def test_counts_are_those_of_the_lists_they_stand_for(site: Path) -> None:
    asked = ("count", "projects", "--filter", "year=2004..2010", "--from", site)
    document = json.loads(printed(*asked, "--by", "year,tag_topic"))
    listed = printed("list", "projects", "--filter", "year=2004..2010", "--all", "--from", site)
    found = rows(listed)
    assert document["total_items"] == len(found) > 1
    assert list(document["counts"]) == ["year", "tag_topic"]
    for value in document["counts"]["tag_topic"]["values"]:
        assert value["count"] == sum(value["value"] in row["tags"]["topic"] for row in found)
    # A filter's own constraint does not narrow its counts.
    assert sum(v["count"] for v in document["counts"]["year"]["values"]) > len(found)


def test_a_count_is_a_row_a_value_in_csv_and_ndjson(site: Path) -> None:
    asked = ("count", "projects", "--by", "status,year", "--like", "20", "--from", site)
    shown = rows(printed(*asked, "--format", "ndjson"))
    assert {row["filter"] for row in shown} == {"year"}
    head, *lines = csv.reader(io.StringIO(printed(*asked, "--format", "csv")))
    columns = ["filter", "value", "label", "count", "share", "selected"]
    assert head == columns == list(shown[0])
    assert [row[1] for row in lines] == [row["value"] for row in shown]
    [every] = rows(printed("count", "projects", "--from", site, "--format", "ndjson"))
    assert (every["filter"], every["count"]) == ("", 24)


def test_a_count_shows_selected_values_also_without_records(site: Path) -> None:
    filters = ("--filter", "status=acquired,inactive", "--filter", "year=2004..2010")
    asked = ("count", "projects", *filters, "--by", "status", "--from", site)
    lines = list(csv.reader(io.StringIO(printed(*asked, "--format", "csv"))))[1:]
    assert [(row[1], row[5]) for row in lines] == [
        ("active", "false"), ("acquired", "true"), ("inactive", "true"),
    ]  # fmt: skip
    assert [row[3] for row in lines[1:]] == ["0", "0"]
    table = printed(*asked, "--format", "table").splitlines()
    assert [line.split() for line in table if line.endswith("selected")] == [
        ["acquired", "Acquired", "0", "selected"], ["inactive", "Inactive", "0", "selected"],
    ]  # fmt: skip


def test_a_list_and_a_count_without_records_show_similar_queries(site: Path) -> None:
    filters = ("--filter", "status=inactive", "--filter", "tag_topic=space", "--from", site)
    wanted = ["Similar queries that find projects:", "projects  filters          words"]
    for command in ("list", "count"):
        lines = printed(command, "projects", *filters, "--format", "table").splitlines()
        at = lines.index(wanted[0])
        assert lines[at : at + 2] == wanted
        assert [line.split() for line in lines[at + 2 :]] == [
            ["1", "status=inactive"], ["20", "tag_topic=space"],
        ]  # fmt: skip


def test_an_empty_search_suggests_similar_words(site: Path) -> None:
    suggested = 'Nothing found. Did you mean "aurora"?\n'
    for where, found in ((["--in", "projects"], "0 projects\n"), ([], "0 found\n")):
        asked = ("--from", site, "--format", "table", *where)
        assert f"{found}{suggested}" in printed("search", "aurroa", *asked)
        assert "Did you mean" not in printed("search", "aurora", *asked)


def test_filters_to_count_by_may_have_blanks_between_and_no_values(site: Path) -> None:
    asked = ("count", "projects", "--by", "status, year", "--like", "xyzzy", "--from", site)
    table = printed(*asked, "--format", "table")
    assert [line for line in table.splitlines() if line][1:] == [
        "Status", "no values", "Year", "no values",
    ]  # fmt: skip


def test_a_table_of_counts_has_shares_and_bars(site: Path) -> None:
    table = printed("count", "projects", "--by", "tag_topic", "--from", site, "--format", "table")
    assert table.startswith("24 projects\n\n")
    [row] = re.findall(r"^space +\S+ +(\d+) +(\S+%) +(█+)$", table, re.M)
    assert row == ("20", "83.3%", "█" * 24)
    narrowed = printed(
        "count", "projects", "--by", "year", "--filter", "year=2004,2005", "--from", site,
        "--format", "table",
    )  # fmt: skip
    assert "%" not in narrowed and "█" in narrowed


def test_csv_has_a_stable_head_and_one_cell_a_field(site: Path) -> None:
    head = (
        "slug,name,summary,href,website,year,tag_topic,tag_technology,locations,logo,status,"
        "remote,programs,organizations,former_names"
    )  # no own field, because the registry declares none
    done = subprocess.run(
        [*REGISTRY, "list", "projects", "--from", site, "--format", "csv", "--all"],
        env=environment(),
        capture_output=True,
        check=True,
    )
    text = done.stdout.decode()
    assert text.startswith(head + "\r\n")
    assert text.count("\r\n") == text.count("\n") == 25
    found = {row["slug"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert found["hostile"]["tag_topic"] == "climate;health"
    assert found["bloom"]["locations"] == "us-ca-san-francisco"
    assert (found["aurora-grid"]["remote"], found["aurora-grid"]["programs"]) == (
        "true",
        "launch-2025",
    )
    assert (found["cairn"]["year"], found["cairn"]["website"]) == ("", "")


def test_csv_has_its_head_without_records(site: Path) -> None:
    text = printed(
        "list", "projects", "--from", site, "--format", "csv", "--filter", "status=public"
    )
    assert text.splitlines() == [text.strip()]
    assert text.startswith("slug,name,")


def test_csv_never_begins_a_cell_like_a_formula(site: Path) -> None:
    [row] = csv.DictReader(
        io.StringIO(printed("get", "projects/hostile", "--from", site, "--format", "csv"))
    )
    assert row["name"] == f"'{HOSTILE}"
    assert (row["founders"], row["description"], row["summary"]) == (
        "A;B",
        "One.\nTwo.",
        'Two, "three"',
    )


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1", "'=1"),
        ("+1", "'+1"),
        ("-1", "-1"),
        ("-0.5e-7", "-0.5e-7"),
        ("-1+1", "'-1+1"),
        ("-1;-1", "'-1;'-1"),
        ("-1\n", "'-1\n"),
        ("-a", "'-a"),
        ("@a", "'@a"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\uff1d1", "'\uff1d1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20a", "'\uff20a"),
        ("a;=1", "a;'=1"),
        ("a,\uff0b1", "a,'\uff0b1"),
        ("a\t@b", "a\t'@b"),
        ("a|-1", "a|'-1"),
        ("a\n-1\n=2", "a\n'-1\n'=2"),
        ("a\r\n=1", "a\r\n'=1"),
        ("a - b = c @ d", "a - b = c @ d"),
        ("2026-01-01", "2026-01-01"),
        ("", ""),
        (-1, -1),
    ],
)
def test_csv_has_no_formula_after_a_separator_either(text: Any, cell: Any) -> None:
    assert Csv._safe(text) == cell


def test_a_table_in_a_pipe_steers_no_terminal_that_reads_it(host: FakeHost) -> None:
    document = json.loads((host.folder / "api/projects/slug/hostile.json").read_bytes())
    document["data"] |= {"name": "\x1b[31m\x9b1m\u202eabc\x07", "description": "\x1b]0;x\x07\ry\nz"}
    body = json.dumps(document, ensure_ascii=False).encode()
    host.wrong = lambda asked: Given(body=body) if asked.target.endswith("/hostile.json") else None
    text = printed(
        "get", "projects/hostile", "--from", host.base, "--no-cache", "--format", "table"
    )
    assert text.replace("\n", "").isprintable()
    assert r"name         \u001b[31m\u009b1m\u202eabc\u0007" in text
    assert "description  \\u001b]0;x\\u0007\\u000dy\n             z\n" in text


def test_the_cells_of_a_record_begin_with_those_of_a_list(site: Path) -> None:
    for collection, slug in (
        ("projects", "bloom"),
        ("programs", "launch"),
        ("organizations", "north-college"),
        ("events", "harbour-2020"),
    ):
        of_list, of_record = (
            printed(*arguments, "--from", site, "--format", "csv").splitlines()[0]
            for arguments in (["list", collection], ["get", collection, slug])
        )
        assert of_record.startswith(of_list + ",")


def test_a_table_says_which_page_it_is_and_how_to_go_on(site: Path) -> None:
    lines = printed(
        "list", "projects", "--from", site, "--format", "table", "--page", "2"
    ).splitlines()
    assert lines[0].split() == ["slug", "name", "year", "status", "locations", "summary"]
    assert len(lines) == 12
    assert lines[-1] == "page 2 of 3, 24 projects; --page 3 for the next"
    lines = printed("list", "projects", "--from", site, "--format", "table", "--all").splitlines()
    assert (len(lines), lines[-1]) == (26, "24 projects")
    assert (
        printed(
            "search", "bloom", "--in", "projects", "--from", site, "--format", "table"
        ).splitlines()[-1]
        == "page 1 of 1, 1 project"
    )
    assert printed(
        "list", "projects", "--from", site, "--format", "table", "--filter", "status=public"
    ).splitlines() == [
        "slug  name  year  status  locations  summary",
        "page 1 of 1, 0 projects",
    ]


def test_a_table_of_a_record_has_only_filled_fields(site: Path) -> None:
    text = printed("get", "projects/hostile", "--from", site, "--format", "table")
    assert "founders     A;B\n" in text
    assert "description  One.\n             Two.\n" in text
    assert "year" not in text


def test_the_dashboard_is_rows_too(site: Path) -> None:
    figures = rows(printed("dashboard", "--from", site, "--format", "ndjson"))
    assert figures[0] == {
        "section": "counts",
        "value": "projects",
        "label": None,
        "count": 24,
        "share": None,
        "date": None,
    }
    assert {
        "section": "tag_topic",
        "value": "space",
        "label": "Space",
        "count": 20,
        "share": 0.8333,
        "date": None,
    } in figures
    table = printed("dashboard", "--from", site, "--format", "table")
    assert "as of 2026-11-21\n\ncounts\nprojects         24\n" in table
    assert re.search(r"^tag topic\nspace +Space +20 +83\.3%$", table, re.M)
    assert re.search(
        r"^upcoming\nlaunch-2027-applications +Launch 2027 applications +2026-12-01$", table, re.M
    )
    assert printed("dashboard", "--from", site, "--format", "csv").startswith(
        "section,value,label,count,share,date\ncounts,projects,"
    )


# --- questions ------------------------------------------------------------------------------------


def slugs(*arguments: object) -> list[str]:
    return [row["slug"] for row in rows(printed(*arguments, "--format", "ndjson"))]


def test_filters_are_joined_and_words_are_searched(site: Path) -> None:
    assert slugs(
        "list", "projects", "--from", site, "--filter", "year=2004", "--filter", "tag_topic=space"
    ) == ["kite-04"]
    kites = ("search", "kite", "--in", "projects", "--from", site)
    assert slugs("search", "heat", "pumps", "--from", site) == ["aurora-grid"]
    assert slugs(
        "search", "launch", "--in", "programs", "--from", site, "--filter", "year=2025"
    ) == ["launch-2025"]
    assert slugs(*kites, "--sort=-year", "--page", "2")[0] == "kite-09"
    assert len(slugs(*kites, "--all")) == 20


def test_a_search_without_a_collection_prints_the_best_of_all(site: Path) -> None:
    asked = ("search", "launch", "--from", site)
    document = json.loads(printed(*asked))
    assert (document["kind"], document["query"]) == ("search", {"q": "launch"})
    found = {name: [row["slug"] for row in best["data"]] for name, best in document["data"].items()}
    assert {name: len(slugs) for name, slugs in found.items()} == {
        "projects": 5, "programs": 2, "organizations": 0, "events": 2,
    }  # fmt: skip
    total = document["data"]["projects"]["total_items"]
    assert total > 5
    every = [(name, slug) for name, slugs in found.items() for slug in slugs]
    shown = rows(printed(*asked, "--format", "ndjson"))
    assert [(row["collection"], row["slug"]) for row in shown] == every
    head, *lines = csv.reader(io.StringIO(printed(*asked, "--format", "csv")))
    assert head == ["collection", "slug", "name", "summary", "href"]
    assert [tuple(line[:2]) for line in lines] == every
    table = printed(*asked, "--format", "table").splitlines()
    assert [line for line in table if re.fullmatch(r"[a-z]+: \d+", line)] == [
        f"projects: {total}", "programs: 2", "events: 2",
    ]  # fmt: skip
    assert table[-1] == f"{total + 4} found"


@pytest.mark.parametrize(
    "narrowed", [["--filter", "year=2025"], ["--sort", "name"], ["--page", "2"], ["--all"]]
)
def test_only_a_search_of_a_collection_has_filters_sorts_and_pages(
    narrowed: list[str], site: Path
) -> None:
    message = "--filter, --sort, --page and --all need --in COLLECTION."
    assert message in refused("search", "launch", "--from", site, *narrowed)


def test_the_calendar_joins_filters(site: Path) -> None:
    assert slugs("calendar", "--from", site) == ["launch-2027-applications"]
    assert slugs("calendar", "--from", site, "--program", "launch") == [
        "launch-2026-day",
        "launch-2027-applications",
    ]
    assert slugs("calendar", "--from", site, "--program", "launch", "--upcoming") == [
        "launch-2027-applications"
    ]
    assert slugs("calendar", "--from", site, "--kind", "event", "--month", "2026-05") == [
        "launch-2026-day"
    ]


def test_a_former_slug_is_reported(site: Path) -> None:
    done = run_forked("get", "projects", "once-hostile", "--from", site)
    assert (done.status, done.err) == (0, 'The project "once-hostile" is called "hostile" now.\n')
    assert json.loads(done.out)["data"]["slug"] == "hostile"


@pytest.mark.parametrize(
    "asked",
    [
        ["list", "projects"],
        ["get", "projects", "bloom"],
        ["get", "projects/bloom"],
        ["count", "organizations"],
        ["search", "bloom", "--in", "projects"],
    ],
)
def test_a_collection_is_understood_by_its_singular_too(site: Path, asked: list[str]) -> None:
    plural = run_forked(*asked, "--from", site)
    one = [word.replace("projects", "project").replace("organizations", "organization")
           for word in asked]  # fmt: skip
    assert plural.status == 0 and run_forked(*one, "--from", site) == plural


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["get", "projects"], "Which record?"),
        (["get", "projects/"], "Which record?"),
        (["get", "projct", "bloom"], 'no collection "projct"; did you mean "projects"?'),
        (["get", "projects", "blom"], 'There is no project "blom".\n  one of: bloom'),
        (
            ["list", "nothing"],
            'no collection "nothing"; one of: events, organizations, programs, projects',
        ),
        (
            ["list", "projects", "--filter", "topic=space"],
            'no filter "topic". Did you mean "tag_topic"?\n  one of: tag_topic',
        ),
        (["count", "projects", "--by", "colour"], "one of: tag_topic"),
        (["count", "projects", "--by", ""], '"by" has no value'),
        (["count", "projects", "--by", "year,year"], "by takes at most 3"),
        (["count", "projects", "--like", "a"], "--like needs --by"),
        (["count", "projects", "--filter", "tag_topic=spac"], "one of: space"),
        (
            ["list", "projects", "--filter", "tag_topic=spac"],
            'No project has the tag_topic "spac".\n  one of: space',
        ),
        (["list", "projects", "--filter", "tag_topic"], "Write NAME=VALUE"),
        (["list", "projects", "--filter", "\x1b[31m=x"], r'no filter "\x1b[31m"'),
        (
            ["list", "projects", "--sort", "size"],
            'There is no sort "size" here.\n  one of: -team_size',
        ),
        (["list", "projects", "--page", "4"], "There is no page 4: the list has 3 pages."),
        (["list", "projects", "--page", "0"], "0 is not in the range"),
        (["list", "projects", "--page", "2", "--all"], "Use either --page or --all."),
        (["list", "projects", "--all", "--format", "json"], "--all prints rows, not documents."),
        (["search", "?!"], "q takes 1 to 8 words"),
        (["search"], "Missing argument"),
        (["calendar", "--kind", "dealine"], "one of: deadline"),
        (["calendar", "--month", "2026-13"], '"month" has an invalid value'),
        (["calendar", "--ics", "--all"], "--ics prints one feed"),
        (["calendar", "--alarm", "7d"], "--alarm needs --ics"),
        (["calendar", "--ics", "--alarm", "7d"], "Give a filter of events"),
        (["calendar", "--ics", "--kind", "event", "--alarm", "61d"], "a time from 1h to 60d"),
        (["calendar", "--ics", "--filter", "location=nw"], 'No event has the location "nw"'),
        (["calendar", "--ics", "--program", "lunch"], 'No event has the program "lunch"'),
        (
            ["calendar", "--ics", "--program", "launch-2025"],
            "There is no feed, because there are no events.",
        ),
    ],
)
def test_invalid_queries_are_refused_with_valid_alternatives(
    arguments: list[str], says: str, site: Path
) -> None:
    assert says in refused(*arguments, "--from", site)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["search", "\udcff"], "q must be percent-encoded UTF-8"),
        (
            ["list", "projects", "--filter", "year=\udcff"],
            '"year" has an invalid value',
        ),
        (["list", "projects", "--filter", "\udcff=1"], "have no filter"),
        (["list", "projects", "--sort", "\udcff"], "There is no sort"),
        (["get", "projects", "\udcff"], "There is no project"),
    ],
)
def test_arguments_that_are_no_utf_8_are_refused_as_any_other(
    arguments: list[str], says: str, site: Path
) -> None:
    assert says in refused(*arguments, "--from", site)
    assert "is no address of a host" in refused(*arguments, "--from", "http://127.0.0.1:1/\udcff")


def test_without_a_build_the_command_says_what_to_do(tmp_path: Path) -> None:
    done = run_forked("list", "projects", cwd=tmp_path, env={"REGISTRY_URL": None})
    assert (done.status, done.out) == (2, "")
    assert "There is no build in build: run `registry build`, or name with --from" in done.err


def test_the_environment_may_name_the_registry(site: Path, tmp_path: Path) -> None:
    done = run_forked("list", "programs", cwd=tmp_path, env={"REGISTRY_URL": str(site)})
    assert json.loads(done.out)["kind"] == "program_list"


# --- a host ---------------------------------------------------------------------------------------


def test_a_second_command_uses_the_cache_of_the_first(host: FakeHost, tmp_path: Path) -> None:
    arguments = ["search", "heat", "--from", host.base, "--format", "ndjson"]
    first = run_forked(*arguments, env={"XDG_CACHE_HOME": str(tmp_path)})
    assert first.status == 0, first.err
    assert set(host.statuses()) == {200}
    asked = len(host.seen)
    assert run_forked(*arguments, env={"XDG_CACHE_HOME": str(tmp_path)}) == first
    assert [status for _, status in host.seen[asked:]] == [304] * asked
    assert run_forked(*arguments, "--no-cache", env={"XDG_CACHE_HOME": str(tmp_path)}) == first
    assert [status for _, status in host.seen[2 * asked :]] == [200] * asked


def test_two_commands_at_once_share_a_cache(host: FakeHost, tmp_path: Path) -> None:
    command = [*REGISTRY, "list", "projects", "--all", "--from", host.base]
    running = [
        subprocess.Popen(
            command, env=environment(XDG_CACHE_HOME=str(tmp_path)), stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in running}) == 1
    assert [process.returncode for process in running] == [0] * 4


def test_a_wrong_answer_is_refused_and_nothing_is_printed(host: FakeHost) -> None:
    body = (host.folder / "api/projects/page/1.json").read_bytes()
    host.wrong = lambda asked: (
        Given(body=body) if asked.target.endswith("/projects/page/2.json") else None
    )
    done = run_forked("list", "projects", "--page", "2", "--from", host.base, "--no-cache")
    assert (done.status, done.out) == (2, "")
    assert "  asked:    page 2, sorted by name\n  answered: page 1, sorted by name\n" in done.err


def test_a_silent_host_ends_with_status_2(host: FakeHost) -> None:
    host.wrong = lambda asked: time.sleep(1)  # type: ignore[func-returns-value]
    done = run_forked("dashboard", "--from", host.base, "--no-cache", "--timeout", "0.1")
    assert (done.status, done.out) == (2, "")
    assert "did not answer within 0.1 seconds. There were 4 attempts." in done.err


# --- terminals and pipes --------------------------------------------------------------------------


def on_terminal(
    *arguments: object, columns: int = 80, out: bool = True, **env: str
) -> tuple[int, str]:
    """Status, and the terminal's text; with `out`, standard output is the terminal too."""
    controller, terminal = pty.openpty()
    known = environment(TERM="xterm", COLUMNS=str(columns), **env)
    stdout = terminal if out else subprocess.DEVNULL
    process = subprocess.Popen(
        [*REGISTRY, *map(str, arguments)], env=known, stdin=terminal, stdout=stdout, stderr=terminal
    )
    os.close(terminal)
    seen = b""
    with open(controller, "rb", buffering=0) as reading:
        while True:
            try:
                seen += reading.read(65536)
            except OSError:  # EIO: the last writer is gone
                break
    return process.wait(60), seen.decode()


def test_a_binary_feed_is_not_printed_raw(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    (copy / "api" / "calendar" / "events.ics").write_bytes(b"BEGIN:\xff\xfe\x1b]0;x\x07\r\n")
    status, shown = on_terminal("calendar", "--ics", "--from", copy)
    assert status == 0
    assert "\x1b" not in shown and "BEGIN:" in shown and "\\u001b]0;x" in shown


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_a_terminal_gets_a_table_that_fits(columns: int, site: Path) -> None:
    asked = ("search", "abc", "--in", "projects")
    status, seen = on_terminal(*asked, "--from", site, columns=columns)
    lines = seen.replace("\r\n", "\n").splitlines()
    assert (status, len(lines)) == (0, 3)
    assert all(width(line) <= columns for line in lines)
    assert lines[1].startswith("hostile  =1+1 ")
    assert ("日本語" in lines[1]) == (columns >= 80)


@pytest.mark.parametrize("form", ["table", "json", "ndjson", "csv"])
def test_nothing_in_a_record_steers_a_terminal(form: str, host: FakeHost) -> None:
    """No build has control characters in a name, but a host can send them."""
    document = json.loads((host.folder / "api/projects/slug/hostile.json").read_bytes())
    document["data"] |= {"name": "\x1b[31m\x9b1m\u202eabc\x07", "description": "\x1b]0;x\x07\r"}
    body = json.dumps(document, ensure_ascii=False).encode()
    host.wrong = lambda asked: Given(body=body) if asked.target.endswith("/hostile.json") else None
    status, seen = on_terminal(
        "get", "projects/hostile", "--from", host.base, "--no-cache", "--format", form
    )
    assert status == 0
    assert not set(seen.replace("\r\n", "")) & set("\x1b\x9b\x07\r\u202e")
    assert r"\u202eabc" in seen
    if form == "json":
        assert json.loads(seen) == document


def test_a_progress_bar_is_shown_where_the_rows_are_not(site: Path) -> None:
    status, seen = on_terminal("list", "projects", "--all", "--from", site, out=False)
    assert (status, bool(re.search(r"pages .*100%", seen, re.S))) == (0, True)
    status, seen = on_terminal("list", "projects", "--all", "--from", site)
    assert (status, "%" in seen) == (0, False)


def test_a_terminal_without_the_letters_gets_question_marks(site: Path) -> None:
    status, seen = on_terminal(
        "search", "abc", "--from", site, columns=200, PYTHONIOENCODING="ascii"
    )
    assert (status, "???" in seen) == (0, True)


def test_a_reader_that_goes_away_is_no_error(site: Path) -> None:
    for arguments in (
        ["list", "projects", "--all"],
        ["get", "projects/bloom"],
        ["dashboard", "--format", "table"],
    ):
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "wb") as gone:
            done = subprocess.run(
                [*REGISTRY, *arguments, "--from", site],
                env=environment(),
                stdout=gone,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert (done.returncode, done.stderr) == (0, b"")


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys, generator.cli\n"
        "for name in ('get', 'list', 'search', 'calendar', 'dashboard'):\n"
        "    sys.argv = ['registry', name, '--help']\n"
        "    try: generator.cli.main()\n"
        "    except SystemExit: pass\n"
        "heavy = {'urllib3', 'orjson', 'generator.reader.client', 'generator.grammar.grammar', "
        "'pydantic', 'concurrent.futures'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


# --- columns --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("abc", 3),
        ("日本語", 6),
        ("ｱ", 1),
        ("café", 4),
        ("cafe\u0301", 4),
        ("한국", 4),
        ("\u200d", 0),
        ("🚀", 2),
        ("", 0),
        ("ﬁ", 1),
    ],
)
def test_the_width_of_a_text_in_cells(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本", 1, "…"),
        ("e\u0301e\u0301", 1, "…"),
    ],
)
def test_a_text_is_cut_to_the_cells_there_are(text: str, room: int, short: str) -> None:
    assert cut_to_width(text, room) == short


@pytest.mark.parametrize(
    ("room", "found"),
    [
        (100, [4, 20, 30, 4]),
        (66, [4, 20, 30, 4]),
        (50, [4, 18, 18, 4]),
        (34, [4, 10, 10, 4]),
        (33, [4, 12, 13]),
        (3, [4]),
    ],
)
def test_columns_share_the_room(room: int, found: list[int]) -> None:
    row = ["a" * 4, "b" * 20, "c" * 30, "d" * 4]
    assert widths([row], room) == found
    assert len(line(row, found)) - 1 <= max(room, 4)


def test_invisible_characters_are_escaped_and_line_breaks_stay() -> None:
    assert visible("a\tb\x1b\u2067\x85\nc 日") == "a\\u0009b\\u001b\\u2067\\u0085\nc 日"


def test_own_fields_and_a_breakdown_have_a_cell_each(tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", OWN)
    build = commands.build(content, tmp_path / "build", "--as-of", commands.TODAY)
    text = printed("list", "projects", "--from", build, "--format", "csv")
    rows = {row["slug"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert list(rows["acme"])[-4:] == [
        "field_funding", "field_stage", "field_hiring", "field_phrases",
    ]  # fmt: skip
    assert (rows["acme"]["field_funding"], rows["acme"]["field_phrases"]) == ("1250000", "One;Two")
    assert (rows["bare"]["field_funding"], rows["bare"]["field_stage"]) == ("", "seed")
    text = printed("get", "programs", "launch", "--from", build, "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["field_equity"], row["breakdown_status"]) == ("6.5", "active=1")
    assert row["breakdown_tag_topic"] == ""
