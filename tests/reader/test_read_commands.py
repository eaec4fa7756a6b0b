"""`registry get|list|search|count|calendar|dashboard|match`: what they print, and exit status."""

from __future__ import annotations

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

from generator.cli._rows import _safe, cut_to_width, line, visible, width, widths
from support import commands, registries
from support.commands import REGISTRY, environment, run_forked
from support.fake_host import FakeHost, Given
from support.own import OWN
from support.transcripts import Case, Shell, transcript

HERE = Path(__file__).parent / "transcripts"
_SLOW = pytest.mark.slow


@transcript(HERE / "reading.txt")
def test_commands_that_read(case: Case, site: Path, tmp_path: Path, regenerate: bool) -> None:
    case.run(Shell(tmp_path, {"REGISTRY_URL": str(site)}, SITE=site), regenerate)


@transcript(HERE / "damaged.txt")
def test_commands_that_read_damaged_files(
    case: Case, site: Path, tmp_path: Path, regenerate: bool
) -> None:
    case.run(Shell(tmp_path, SITE=site), regenerate)


@pytest.mark.slow
@transcript(HERE / "reading.txt")
def test_commands_that_read_from_a_host(case: Case, host: FakeHost, tmp_path: Path) -> None:
    env = {"REGISTRY_URL": host.base, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    case.run(Shell(tmp_path, env, SITE=host.folder), False)


def test_a_count_shows_the_values_per_another_filter(site: Path) -> None:
    asked = ("count", "projects", "--by", "tag_topic", "--per", "status", "--from", str(site))
    document = json.loads(run_forked(*asked, "--format", "json").out)
    values = document["counts"]["tag_topic"]["values"]
    assert values and all(value["per"] for value in values)
    table = run_forked(*asked, "--format", "table").out
    head, *rows = run_forked(*asked, "--format", "csv").out.splitlines()
    assert head.endswith(",selected,per,per_value,per_label,per_count")
    expected = []
    for value in values:
        inner = [f"{of['value']} {of['count']}" for of in value["per"]]
        assert re.search(rf"^{value['value']} .*  {', '.join(inner)}$", table, re.M)
        expected += [(value["value"], of["value"], str(of["count"])) for of in value["per"]]
    cells = [row.split(",") for row in rows]
    assert [(row[1], row[7], row[9]) for row in cells] == expected
    refused = run_forked("count", "projects", "--per", "status", "--from", str(site))
    assert refused.status == 2 and "--per needs --by." in refused.err


def test_a_tag_of_any_family_is_a_filter_of_commands(site: Path) -> None:
    asked = ("count", "projects", "--filter", "tag=climate", "--from", str(site))
    document = json.loads(run_forked(*asked, "--format", "json").out)
    assert document["query"]["filters"] == {"tag": "climate"} and document["total_items"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    made = registries.write(folder / "content", OWN)
    return commands.build(made, folder / "build", "--as-of", commands.TODAY)


@transcript(HERE / "names.txt")
def test_commands_that_look_up_names(
    case: Case, named: Path, own: Path, tmp_path: Path, regenerate: bool
) -> None:
    env = {"REGISTRY_URL": str(named)}
    case.run(Shell(tmp_path, env, NAMED=named, OWN=own), regenerate)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1", "'=1"), ("+1", "'+1"), ("-1", "-1"), ("-0.5e-7", "-0.5e-7"), ("-1+1", "'-1+1"),
        ("-1;-1", "'-1;'-1"), ("-1\n", "'-1\n"), ("-a", "'-a"), ("@a", "'@a"), ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"), ("\uff1d1", "'\uff1d1"), ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"), ("\uff20a", "'\uff20a"), ("a;=1", "a;'=1"),
        ("a,\uff0b1", "a,'\uff0b1"), ("a\t@b", "a\t'@b"), ("a|-1", "a|'-1"),
        ("a\n-1\n=2", "a\n'-1\n'=2"), ("a\r\n=1", "a\r\n'=1"), ("a - b = c @ d", "a - b = c @ d"),
        ("2026-01-01", "2026-01-01"), ("", ""), (-1, -1),
    ],
)  # fmt: skip
def test_csv_has_no_formula_after_a_separator_either(text: Any, cell: Any) -> None:
    assert _safe(text) == cell


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["search", "\udcff"], "q must be percent-encoded UTF-8"),
        (["list", "projects", "--filter", "year=\udcff"], '"year" has an invalid value'),
        (["list", "projects", "--filter", "\udcff=1"], "have no filter"),
        (["list", "projects", "--sort", "\udcff"], "There is no sort"),
        (["get", "projects", "\udcff"], "There is no project"),
    ],
)
def test_arguments_that_are_no_utf_8_are_refused_as_any_other(
    arguments: list[str], says: str, site: Path
) -> None:
    for where, told in ((site, says), ("http://127.0.0.1:1/\udcff", "is no address of a host")):
        done = run_forked(*arguments, "--from", where)
        assert (done.status, done.out) == (2, "") and told in done.err


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_silent_host_ends_with_status_2(host: FakeHost) -> None:
    host.wrong = lambda asked: time.sleep(1)  # type: ignore[func-returns-value]
    done = run_forked("dashboard", "--from", host.base, "--no-cache", "--timeout", "0.1")
    assert (done.status, done.out) == (2, "")
    assert "did not answer within 0.1 seconds. There were 4 attempts." in done.err


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


@pytest.mark.parametrize("columns", [40, 80, *(pytest.param(n, marks=_SLOW) for n in (60, 200))])
def test_a_terminal_gets_a_table_that_fits(columns: int, site: Path) -> None:
    asked = ("search", "abc", "--in", "projects")
    status, seen = on_terminal(*asked, "--from", site, columns=columns)
    lines = seen.replace("\r\n", "\n").splitlines()
    assert (status, len(lines)) == (0, 3)
    assert all(width(line) <= columns for line in lines)
    assert lines[1].startswith("hostile  =1+1 ")
    assert ("日本語" in lines[1]) == (columns >= 80)


@pytest.mark.parametrize(
    "form", ["table", "json", *(pytest.param(form, marks=_SLOW) for form in ("ndjson", "csv"))]
)
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


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("abc", 3), ("日本語", 6), ("ｱ", 1), ("café", 4), ("cafe\u0301", 4), ("한국", 4),
        ("\u200d", 0), ("🚀", 2), ("", 0), ("ﬁ", 1),
    ],
)  # fmt: skip
def test_the_width_of_a_text_in_cells(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"), ("日本", 1, "…"), ("e\u0301e\u0301", 1, "…"),
    ],
)  # fmt: skip
def test_a_text_is_cut_to_the_cells_there_are(text: str, room: int, short: str) -> None:
    assert cut_to_width(text, room) == short


@pytest.mark.parametrize(
    ("room", "found"),
    [
        (100, [4, 20, 30, 4]), (66, [4, 20, 30, 4]), (50, [4, 18, 18, 4]), (34, [4, 10, 10, 4]),
        (33, [4, 12, 13]), (3, [4]),
    ],
)  # fmt: skip
def test_columns_share_the_room(room: int, found: list[int]) -> None:
    row = ["a" * 4, "b" * 20, "c" * 30, "d" * 4]
    assert widths([row], room) == found
    assert len(line(row, found)) - 1 <= max(room, 4)


def test_invisible_characters_are_escaped_and_line_breaks_stay() -> None:
    assert visible("a\tb\x1b\u2067\x85\nc 日") == "a\\u0009b\\u001b\\u2067\\u0085\nc 日"
