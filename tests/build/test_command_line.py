"""The command line: exit status, help, usage errors, and its behaviour in a pipe."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import registries
from support.commands import REGISTRY, ROOT, Done, build, environment, files, program, run_forked

Run = Callable[..., Done]

COMMANDS = sorted(
    path.stem.rstrip("_") for path in (ROOT / "generator" / "cli").glob("*/[a-z]*.py")
)
assert COMMANDS
HOSTS = sorted(
    path.stem.replace("_", "-") for path in (ROOT / "generator" / "hosts").glob("[a-z]*.py")
)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return registries.write(tmp_path_factory.mktemp("content") / "content")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Content with a warning and with an error in a file whose name and text need escaping in most
    formats.
    """
    folder = registries.write(tmp_path_factory.mktemp("broken") / "content")
    (folder / "projects" / "100%, so: it goes.yaml").write_text(
        "name: Bloom\nprograms: ['100%,: ::x']\ncolour: \"red\"\n"
    )
    (folder / "notes.txt").write_text("Not a record.\n")
    return folder


def test_exit_status_is_0_for_success_1_for_content_errors_and_2_for_wrong_usage(
    run: Run, content: Path, broken: Path, tmp_path: Path
) -> None:
    assert run_forked("build", "--content", content, "--out", tmp_path / "out").status == 0
    assert run_forked("check", "--content", content).status == 0
    assert run_forked("build", "--content", broken, "--out", tmp_path / "out").status == 1
    assert run_forked("check", "--content", broken).status == 1
    assert (
        run_forked(
            "build", "--content", content, "--out", tmp_path / "out", "--jobs", "many"
        ).status
        == 2
    )
    assert run_forked("no-such-command").status == 2


def test_warnings_are_errors_only_with_strict(content: Path, tmp_path: Path) -> None:
    folder = registries.write(tmp_path / "content")
    (folder / "notes.txt").write_text("Not a record.\n")
    for command in (("check",), ("build", "--out", tmp_path / "out")):
        done = run_forked(*command, "--content", folder)
        assert done.status == 0
        assert "warning[stray-file]" in done.err
        done = run_forked(*command, "--content", folder, "--strict")
        assert done.status == 1
        assert "error[stray-file]" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, run: Run) -> None:
    done = run_forked(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert re.match(rf"Usage: .*{command}", done.out)
    assert run_forked(command, "-h").out == done.out


def test_help_names_every_command(run: Run) -> None:
    output = run_forked("--help").out
    assert [name for name in COMMANDS if not re.search(rf"^  {name}\b", output, re.M)] == []
    assert run_forked().out == output or "--help" in run_forked().err


def test_help_is_complete_in_80_columns() -> None:
    output = run_forked("--help").out
    assert (
        "..." not in output.partition("Commands:")[2] and max(map(len, output.splitlines())) <= 80
    )


def test_a_first_build_does_not_report_unchanged_files(
    broken: Path, content: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert (
        "Nothing was written; there is no build yet."
        in run_forked("build", "--content", broken, "--out", out).err
    )
    build(content, out)
    assert (
        f"Nothing was written; {out} is as it was."
        in run_forked("build", "--content", broken, "--out", out).err
    )


def test_a_full_build_names_its_cause(content: Path, tmp_path: Path) -> None:
    content = Path(shutil.copytree(content, tmp_path / "content"))
    run = ("build", "--content", content, "--out", tmp_path / "out")
    assert "because no earlier build was found," in run_forked(*run).out
    assert "because the last build had other options," in run_forked(*run, "--host", "nginx").out
    assert "Nothing changed" in run_forked(*run, "--host", "nginx").out
    assert "because the last build had other options," in run_forked(*run).out


def test_the_version_is_the_packages(run: Run) -> None:
    from generator import __version__

    assert __version__ in run_forked("--version").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("biuld",), ('"biuld"', '"build"')),
        (("build", "--contnet", "x"), ("--contnet", "--content")),
        (("build", "--host", "netlfy"), ('"netlfy"', '"netlify"')),
        (("check", "--format", "xml"), ("'xml'", "json", "github", "sarif")),
        (("build", "--jobs", "0"), ("--jobs", "1")),
        (("build", "--as-of", "2026-02-30"), ("--as-of", "2026-02-30 is not in the calendar")),
        (("build", "--as-of", "tomorrow"), ("--as-of", "tomorrow", "YYYY-MM-DD")),
        (("build", "--as-of", "2026-3-1"), ("--as-of", "2026-3-1", "YYYY-MM-DD")),
        (("build", "--as-of", "20260301"), ("--as-of", "20260301", "YYYY-MM-DD")),
        (("build", "--as-of", "2026-03-01T00:00"), ("--as-of", "YYYY-MM-DD")),
        (("build", "--as-of", " 2026-03-01"), ("--as-of", "YYYY-MM-DD")),
        (("build", "--as-of", "٢٠٢٦-03-01"), ("--as-of", "YYYY-MM-DD")),
        (("build", "extra"), ("extra",)),
    ],
    ids=" ".join,
)
def test_wrong_usage_lists_the_valid_choices(
    arguments: tuple[str, ...], says: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    done = run_forked(*arguments, cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    for word in says:
        assert word.strip("\"'") in done.err, done.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_host_lists_the_known_hosts(run: Run, content: Path, tmp_path: Path) -> None:
    done = run_forked("build", "--content", content, "--out", tmp_path / "out", "--host", "zzz")
    assert done.status == 2
    for name in HOSTS:
        assert name in done.err


@pytest.mark.parametrize("epoch", ["yesterday", "1e9", "12.5", "99999999999999999999"])
def test_an_invalid_source_date_epoch_is_reported(
    epoch: str, run: Run, content: Path, tmp_path: Path
) -> None:
    done = run_forked(
        "build", "--content", content, "--out", tmp_path / "out", env={"SOURCE_DATE_EPOCH": epoch}
    )
    assert done.status == 2
    assert "SOURCE_DATE_EPOCH" in done.err and epoch in done.err
    assert not (tmp_path / "out").exists()


def test_the_default_folders_are_content_and_build(run: Run, tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    assert run_forked("build", cwd=tmp_path).status == 0
    assert (tmp_path / "build" / "api" / "build.json").is_file()


def test_a_folder_without_content_is_reported_with_the_option_for_another(
    run: Run, tmp_path: Path
) -> None:
    done = run_forked("build", cwd=tmp_path)
    assert done.status == 2
    assert "--content" in done.err
    assert not (tmp_path / "build").exists()


# --- closing lines and streams ---


def test_the_closing_lines_count_what_is_on_disk(tmp_path: Path) -> None:
    records = registries.content()
    for name in ("bloom", "cairn"):
        records["projects"][name]["aliases"] = [f"former-{name}"]
    folder = registries.write(tmp_path / "content", records)
    out = tmp_path / "out"
    outputs = [run_forked("build", "--content", folder, "--out", out).out]
    (folder / "projects" / "cairn.yaml").unlink()
    outputs += [run_forked("build", "--content", folder, "--out", out).out for _ in range(2)]
    for text, projects in zip(outputs, (3, 2, 2), strict=True):
        rows = re.findall(
            r"^  (\w+) +([\d,]+) records in +([\d,]+) out +([\d,]+) pages$", text, re.M
        )
        assert [(name, int(i), int(o)) for name, i, o, _ in rows] == [
            ("projects", projects, projects),
            ("organizations", 2, 2),
            ("programs", 2, 2),
            ("events", 3, 3),
        ]
    published = files(out)
    pages = {
        name: sum(bool(re.match(rf"api/{name}/(.*/)?page/", path)) for path in published)
        for name in ("projects", "organizations", "programs")
    }
    pages["events"] = sum(
        bool(re.match(r"api/calendar/events/(.*/)?page/", path)) for path in published
    )
    assert {name: int(count) for name, _, _, count in rows} == pages
    total = re.search(r"([\d,]+) files, ([\d.,]+) MB", outputs[-1])
    assert total is not None
    assert int(total[1].replace(",", "")) == len(published)
    assert float(total[2]) == round(sum(map(len, published.values())) / 1e6, 1)


def test_a_broken_tag_family_causes_no_errors_in_its_records(tmp_path: Path) -> None:
    records = registries.content()
    records["registry"]["tag_families"]["topic"] = {"lbel": "Topic"}
    done = run_forked("check", "--content", registries.write(tmp_path / "content", records))
    assert done.status == 1
    assert (
        'there is no field "lbel" in tag_families.topic' in done.err
        and done.err.count("error[") == 1
    )


def test_results_go_to_stdout_and_problems_to_stderr(
    content: Path, broken: Path, tmp_path: Path
) -> None:
    done = run_forked("build", "--content", content, "--out", tmp_path / "out")
    assert done.out and not done.err
    done = run_forked("build", "--content", broken, "--out", tmp_path / "out")
    assert done.err and not done.out
    assert re.search(r"^\d+ errors?, 1 warning; `registry fix` may fix \d+$", done.err, re.M)


def test_only_plain_text_goes_into_a_pipe(
    run: Run, content: Path, broken: Path, tmp_path: Path
) -> None:
    for done in (
        run_forked("build", "--content", content, "--out", tmp_path / "out"),
        run_forked("build", "--content", broken, "--out", tmp_path / "out"),
    ):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", done.out + done.err)
        assert "%" not in done.out


def on_terminal(*arguments: object, **env: str | None) -> tuple[int, str]:
    """Run the command on a terminal and return its status and output."""
    controller, terminal = pty.openpty()
    command = [*REGISTRY, *map(str, arguments)]
    process = subprocess.Popen(
        command,
        env=environment(TERM="xterm", **env),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    output = b""
    with open(controller, "rb", buffering=0) as reading:
        while True:
            try:
                chunk = reading.read(65536)
            except OSError:  # EIO: the last writer closed the terminal
                break
            if not chunk:
                break
            output += chunk
    return process.wait(60), output.decode()


def test_a_terminal_shows_progress(content: Path, tmp_path: Path) -> None:
    status, output = on_terminal("build", "--content", content, "--out", tmp_path / "out")
    assert status == 0
    assert re.search(r"\[#+\]|100%", output)
    assert "Built" in output


@pytest.mark.parametrize(
    ("value", "coloured"), [(None, True), ("", True), ("1", False), ("0", False)]
)
def test_no_color_disables_colours(value: str | None, coloured: bool, broken: Path) -> None:
    """NO_COLOR counts if it is set and not empty, whatever its value (no-color.org)."""
    status, output = on_terminal("check", "--content", broken, NO_COLOR=value)
    assert status == 1
    assert ("\x1b[31m" in output) == coloured


def test_a_closed_pipe_is_not_an_error(content: Path, broken: Path, tmp_path: Path) -> None:
    """For example `registry check --format json | head -1`."""
    for arguments in (
        ["build", "--content", content, "--out", tmp_path / "out"],
        ["check", "--content", broken, "--format", "json"],
        ["--help"],
        ["build", "--help"],
    ):
        reading, writing = os.pipe()
        os.close(reading)
        command = [*REGISTRY, *map(str, arguments)]
        with open(writing, "wb") as pipe:
            done = subprocess.run(
                command, env=environment(), stdout=pipe, stderr=subprocess.PIPE, check=False
            )
        assert done.stderr == b"", arguments
        assert done.returncode == (broken in arguments), arguments
    assert (tmp_path / "out" / "api" / "build.json").is_file()


def one_line(done: Done) -> None:
    """Assert that an environment error is one line with exit status 2."""
    assert done.status == 2, done
    assert re.fullmatch(r"Error: [^\n]+\n", done.err), done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_stdout_is_reported_in_one_line(content: Path, tmp_path: Path) -> None:
    out = build(content, tmp_path / "out")
    for arguments in (
        ("build", "--content", content, "--out", out, "--explain"),
        ("check", "--content", content),
        ("--help",),
        ("--version",),
        ("check", "--content", content, "--format", "json"),
        ("schema", "project"),
        ("host",),
        ("list", "--help"),
        ("host", "nginx", "--content", content),
        ("list", "projects", "--from", out, "--all"),
        ("list", "projects", "--from", out),
        ("list", "projects", "--from", out, "--format", "csv"),
        ("list", "projects", "--from", out, "--format", "table"),
        ("get", "projects", "bloom", "--from", out),
        ("dashboard", "--from", out),
        ("calendar", "--ics", "--from", out),
    ):
        with open("/dev/full", "wb") as full:
            command = [*REGISTRY, *map(str, arguments)]
            done = subprocess.run(
                command,
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        one_line(Done(done.returncode, "", done.stderr))
        assert "Standard output cannot be written: No space left on device" in done.stderr


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="there is no device that is always full"
)
@pytest.mark.parametrize(
    "arguments", [["chec"], ["build", "--jobs", "many"], ["list", "projects", "--from", "nowhere"]]
)
def test_a_full_stderr_does_not_change_the_status(arguments: list[str], tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*REGISTRY, *arguments],
            stdout=full,
            stderr=full,
            cwd=tmp_path,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2


def test_a_deleted_working_folder_is_reported_in_one_line(content: Path, tmp_path: Path) -> None:
    for arguments in (
        ("build",),
        ("check",),
        ("list", "projects"),
        ("mcp",),
        ("serve", "--port", "0"),
        ("host", "nginx"),
    ):
        folder = tmp_path / "gone"
        folder.mkdir()
        command = " ".join([f"cd {folder}; rmdir {folder};", "exec", *REGISTRY, *arguments])
        done = subprocess.run(
            ["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False
        )
        one_line(Done(done.returncode, done.stdout, done.stderr))
        assert "The current folder no longer exists" in done.stderr


@pytest.mark.parametrize(("where", "jobs"), [("parent", 1), ("worker", 2)])
def test_a_lack_of_memory_is_reported_in_one_line(where: str, jobs: int, tmp_path: Path) -> None:
    projects = {f"p{n:03}": {"name": f"P {n}"} for n in range(300)}
    folder = registries.write(tmp_path / "content", registries.content(projects=projects))
    out = build(folder, tmp_path / "out")
    (folder / "registry.yaml").write_text((folder / "registry.yaml").read_text() + "page_size: 7\n")
    before = files(out)
    for command in (("build", "--content", folder, "--out", out), ("check", "--content", folder)):
        line = [*program("no_memory"), where, *map(str, command), "--jobs", str(jobs)]
        done = subprocess.run(line, env=environment(), capture_output=True, text=True, check=False)
        one_line(Done(done.returncode, done.stdout, done.stderr))
        assert "not enough memory" in done.stderr
    assert files(out) == before


def test_closed_standard_streams_are_not_an_error(content: Path, tmp_path: Path) -> None:
    """cron or a supervisor may start the command so."""
    command = " ".join(
        [
            "exec",
            *REGISTRY,
            "build",
            "--content",
            str(content),
            "--out",
            str(tmp_path / "out"),
            "<&- >&- 2>&-",
        ]
    )
    done = subprocess.run(["sh", "-c", command], env=environment(), check=False)
    assert done.returncode == 0
    assert (tmp_path / "out" / "api" / "build.json").is_file()


# --- output formats of check ---


def test_json_has_the_text_and_place_of_each_problem(broken: Path, content: Path) -> None:
    found = json.loads(run_forked("check", "--content", broken, "--format", "json").out)
    problems = found["problems"] if isinstance(found, dict) else found
    assert {problem["code"] for problem in problems} >= {
        "invalid-slug",
        "unknown-field",
        "stray-file",
    }
    for problem in problems:
        assert {"path", "line", "column", "code", "message", "hint", "severity"} <= problem.keys()
        assert problem["line"] >= 1 and problem["column"] >= 1
    empty = json.loads(run_forked("check", "--content", content, "--format", "json").out)
    assert (empty["problems"] if isinstance(empty, dict) else empty) == []


def test_github_gets_one_workflow_command_a_line(broken: Path, content: Path) -> None:
    """`%`, line breaks, `:` and `,` are escaped as in GitHub's toolkit."""
    lines = run_forked("check", "--content", broken, "--format", "github").out.splitlines()
    assert len(lines) >= 3
    for line in lines:
        command = re.fullmatch(r"::(error|warning) ([^:]*)::(.+)", line)
        assert command is not None, line
        properties = dict(pair.split("=", 1) for pair in command[2].split(","))
        assert {"file", "line", "col"} <= properties.keys()
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line)
    assert any("100%25%2C so%3A it goes.yaml" in line for line in lines)
    assert run_forked("check", "--content", content, "--format", "github").out == ""


def sarif_results(log: Any) -> list[dict[str, Any]]:
    """The results of a SARIF 2.1.0 log, after asserting the properties that GitHub's code scanning
    requires (OASIS, §3.13 and on).
    """
    assert log["version"] == "2.1.0"
    assert len(log["runs"]) == 1
    driver, results = log["runs"][0]["tool"]["driver"], log["runs"][0]["results"]
    assert driver["name"]
    for result in results:
        assert result["ruleId"] in {rule["id"] for rule in driver["rules"]}
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"]
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert re.fullmatch(r"[!-~]+", place["artifactLocation"]["uri"])
            assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1
    return list(results)


def test_sarif_is_accepted_by_code_scanning(broken: Path, content: Path) -> None:
    results = sarif_results(
        json.loads(run_forked("check", "--content", broken, "--format", "sarif").out)
    )
    assert {result["ruleId"] for result in results} >= {
        "invalid-slug",
        "unknown-field",
        "stray-file",
    }
    places = {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in results
        for place in result["locations"]
    }
    assert any(place.endswith("100%25%2C%20so%3A%20it%20goes.yaml") for place in places)
    assert (
        sarif_results(
            json.loads(run_forked("check", "--content", content, "--format", "sarif").out)
        )
        == []
    )


def test_check_reports_the_same_problems_in_every_format_and_with_any_number_of_processes(
    broken: Path,
) -> None:
    text = run_forked("check", "--content", broken).err
    codes = sorted(re.findall(r"(?:error|warning)\[([a-z0-9-]+)\]", text))
    assert (
        sorted(
            r["ruleId"]
            for r in json.loads(run_forked("check", "--content", broken, "--format", "sarif").out)[
                "runs"
            ][0]["results"]
        )
        == codes
    )
    assert len(
        run_forked("check", "--content", broken, "--format", "github").out.splitlines()
    ) == len(codes)
    assert run_forked("check", "--content", broken, "--jobs", 3).err == text


# --- import costs ---


def imported(*arguments: object) -> set[str]:
    """All modules that a command imports, from `-X importtime`."""
    command = [sys.executable, "-X", "importtime", "-m", "generator", *map(str, arguments)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return {
        line.rpartition("|")[2].strip()
        for line in done.stderr.splitlines()
        if line.startswith("import time:")
    }


LATE = {
    "generator.model.validator", "pydantic", "pydantic_core", "jinja2", "yaml", "orjson",
    "icalendar", "pycountry",
}  # fmt: skip


def test_help_imports_no_build_modules() -> None:
    found = imported("--help")
    assert "click" in found
    assert found & LATE == set()
    assert imported("--version") & LATE == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_imports_no_modules_of_its_work(command: str) -> None:
    assert imported(command, "--help") & LATE == set()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Content with errors in several files; some are found only after all files are read."""
    folder = registries.write(tmp_path_factory.mktemp("mixed") / "content")
    (folder / "projects" / "bloom.yaml").write_text("name: Bloom\nprograms: [lunch]\n")
    (folder / "projects" / "new.yaml").write_text(
        "name: New\naliases: [cairn]\nprograms: [launch]\n"
    )
    (folder / "projects" / "good.yaml").write_text("name: Good\nprograms: [launch]\n")
    (folder / "organizations" / "bad.yaml").write_text("name: Bad\n")
    return folder


def codes(done: Done) -> list[str]:
    return sorted(
        f"{p['path'].rpartition('/')[2]} {p['code']}" for p in json.loads(done.out)["problems"]
    )


def test_check_of_files_reports_their_part_of_a_full_check(
    run: Run, mixed: Path, tmp_path: Path
) -> None:
    every = codes(run_forked("check", "--content", mixed, "--format", "json"))
    assert {line.partition(" ")[0] for line in every} == {"bloom.yaml", "new.yaml", "bad.yaml"}
    for names in (("bloom",), ("new",), ("good",), ("bloom", "new", "good", "bloom")):
        files = [mixed / "projects" / f"{name}.yaml" for name in names]
        done = run_forked("check", "--content", mixed, "--format", "json", *files)
        expected = [line for line in every if line.partition(".")[0] in names]
        assert codes(done) == expected
        assert done.status == (1 if expected else 0)
    assert codes(
        run_forked(
            "check", "--content", mixed, "--format", "json", mixed / "organizations" / "bad.yaml"
        )
    ) == [line for line in every if line.startswith("bad.yaml")]
    done = run_forked("check", "--content", mixed, mixed / "projects" / "good.yaml")
    assert (done.status, done.out) == (0, "1 file, no problem.\n")
    assert done.err == f"Other files have {len(every)} problems: registry check\n"


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_check_of_files_supports_every_format(form: str, run: Run, mixed: Path) -> None:
    done = run_forked(
        "check",
        "--format",
        form,
        "--content",
        mixed,
        mixed / "projects" / "bloom.yaml",
        mixed / "projects" / "good.yaml",
    )
    assert done.status == 1
    output = done.err if form == "text" else done.out
    assert "bloom.yaml" in output and "unknown-reference" in output
    assert "new.yaml" not in output and "bad.yaml" not in output


def test_check_of_files_accepts_relative_paths_and_links(
    run: Run, mixed: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(mixed)
    for cwd, content, file in (
        (mixed.parent, "content", "content/projects/bloom.yaml"),
        (mixed, ".", "projects/bloom.yaml"),
        (mixed / "projects", "..", "bloom.yaml"),
        (tmp_path, "link", mixed / "projects" / "bloom.yaml"),
        (tmp_path, mixed, "link/projects/../projects/bloom.yaml"),
    ):
        done = run_forked("check", "--content", content, "--format", "json", file, cwd=cwd)
        assert [line.partition(" ")[0] for line in codes(done)] == ["bloom.yaml"], (cwd, done)


def test_a_broken_registry_file_is_always_reported(run: Run, mixed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "content"
    shutil.copytree(mixed, folder)
    assert (
        run_forked("check", "--content", folder, folder / "registry.yaml").out
        == "1 file, no problem.\n"
    )
    (folder / "registry.yaml").write_text("name: 1\n")
    for name in ("registry.yaml", "projects/good.yaml"):
        done = run_forked("check", "--content", folder, "--format", "json", folder / name)
        assert done.status == 1
        assert {line.partition(" ")[0] for line in codes(done)} == {"registry.yaml"}
    (folder / "registry.yaml").unlink()
    assert (
        "missing-registry"
        in run_forked("check", "--content", folder, folder / "projects/good.yaml").err
    )


def test_a_path_outside_the_content_is_reported(run: Run, mixed: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("name: Other\n")
    for file, says in (
        (tmp_path / "other.yaml", "outside the content folder"),
        (mixed / "projects", "is a folder"),
        (mixed, "is a folder"),
        (mixed / "projects" / "nothing.yaml", "No such file"),
        (tmp_path / "\x1b[2J.yaml", "No such file"),
        (mixed / ".." / "other.yaml", "No such file"),
        ("/dev/null", "outside the"),
    ):
        done = run_forked("check", "--content", mixed, file)
        assert (done.status, done.out) == (2, "")
        assert says in done.err and "FILE" in done.err
        assert "\x1b" not in done.err


def test_check_imports_no_output_modules(content: Path) -> None:
    assert imported("check", "--content", content) & {"jinja2", "icalendar"} == set()


def test_each_build_imports_only_the_modules_it_needs(tmp_path: Path) -> None:
    """A first build, a build of an edited project, and a build without changes."""
    folder = registries.write(tmp_path / "content")
    arguments = ("build", "--content", folder, "--out", tmp_path / "out")
    needless = {"pycountry", "pydantic", "pydantic_core", "generator.contract.published"}
    first = imported(*arguments)
    assert {"generator.model.validator", "jinja2", "icalendar"} <= first
    assert first & needless == set()
    bloom = registries.content()["projects"]["bloom"] | {"summary": "Said anew."}
    (folder / "projects" / "bloom.yaml").write_text(registries.as_yaml(bloom), "utf-8")
    edited = imported(*arguments)
    assert {"generator.model.validator", "generator.build.pipeline"} <= edited
    # jinja2 is needed for skill.md, which states file sizes.
    assert edited & (needless | {"icalendar"}) == set()
    nothing = imported(*arguments)
    assert "generator.build.cache.compare" in nothing
    assert nothing & (LATE | needless) <= {"orjson"}


def test_python_dash_m_and_the_script_are_the_same_command(run: Run) -> None:
    script = [
        sys.executable,
        "-c",
        "import sys; from generator.__main__ import main; sys.argv[0] = 'registry'; main()",
        "--help",
    ]
    output = subprocess.run(
        script, env=environment(), capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines()[0] == "Usage: registry [OPTIONS] COMMAND [ARGS]..."
    assert output.splitlines()[1:] == run_forked("--help").out.splitlines()[1:]


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (
            "click",
            "the package click is not installed. "
            "In a checkout: pip install --require-hashes -r requirements.txt",
        ),
        (
            "yaml._yaml",
            "PyYAML is here without libyaml: "
            "pip install --force-reinstall --only-binary pyyaml pyyaml",
        ),
    ],
)
def test_a_missing_package_is_reported_in_one_line(
    module: str, message: str, tmp_path: Path
) -> None:
    folder = registries.write(tmp_path / "content")
    (folder / "projects/bloom.yaml").write_text("{name: Bloom}\n")  # libyaml parses this file
    program = (
        f"import sys; sys.modules[{module!r}] = None; from generator.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--content", folder],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"Error: {message}\n")


def test_explain_names_each_written_file_and_its_reason(run: Run, tmp_path: Path) -> None:
    folder = registries.write(tmp_path / "content")
    out = build(folder, tmp_path / "out", site=True)
    before = files(out)
    (folder / "projects" / "bloom.yaml").write_text("name: Blossom\n")
    done = run_forked("build", "--content", folder, "--out", out, "--explain")
    after = files(out)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed
    causes = dict(re.findall(r"^(?:wrote|removed) /(\S+): (.+)$", done.out, re.M))
    assert causes.keys() == changed
    assert causes["api/projects/slug/bloom.json"] == "projects/bloom.yaml was changed"
    assert causes["api/projects/page/1.json"] == "follows /api/projects/slug/bloom.json"
    assert causes["api/v1/agent/context/organizations/harbour-fund.md"] == (
        "follows /api/organizations/slug/harbour-fund.json"
    )
    assert causes["api/build.json"] == "counts, info changed"


def test_explain_names_referenced_and_removed_records(run: Run, tmp_path: Path) -> None:
    records = registries.content()
    out = build(registries.write(tmp_path / "content", records), tmp_path / "out", site=True)
    (tmp_path / "content" / "projects" / "cairn.yaml").unlink()
    records["programs"]["launch-2025"]["name"] = "Launch of 2025"
    registries.write(tmp_path / "content", {"programs": records["programs"]})
    done = run_forked("build", "--content", tmp_path / "content", "--out", out, "--explain")
    program = "/api/programs/slug/launch-2025.json"
    for line in (
        f"wrote {program}: programs/launch-2025.yaml was changed",
        f"wrote /api/projects/slug/aurora-grid.json: follows {program}",
        "removed /api/projects/slug/cairn.json: projects/cairn.yaml was removed",
        "wrote /api/projects/by/status/inactive/page/1.json: follows /api/projects/slug/cairn.json",
        "removed /projects/cairn/index.html: follows /api/projects/slug/cairn.json",
    ):
        assert line in done.out.splitlines(), line
    removed = re.findall(r"^removed /api/index/projects/\S+: (.*)$", done.out, re.M)
    assert set(removed) == {"follows /api/projects/slug/cairn.json"}
    for path, cause in re.findall(r"^(?:wrote|removed) (\S+): follows (\S+)$", done.out, re.M):
        assert path != cause


def test_explain_names_the_reason_for_removed_lists_and_documents(run: Run, tmp_path: Path) -> None:
    out = build(registries.write(tmp_path / "content"), tmp_path / "out", site=True)
    (tmp_path / "content" / "events" / "harbour-2020.yaml").unlink()
    done = run_forked(
        "build", "--content", tmp_path / "content", "--out", out, "--explain", "--allow-loss"
    )
    event = "/api/calendar/events/slug/harbour-2020.json"
    for line in (
        f"removed {event}: events/harbour-2020.yaml was removed",
        "removed /api/calendar/events/by/kind/deadline.ics: events changed",
        f"removed /api/calendar/events/by/year/2020/page/1.json: follows {event}",
        f"removed /calendar/harbour-2020/index.html: follows {event}",
        "removed /calendar/kind/deadline/index.html: "
        "follows /api/calendar/events/by/kind/deadline/page/1.json",
        "removed /calendar/year/2020/index.html: "
        "follows /api/calendar/events/by/year/2020/page/1.json",
    ):
        assert line in done.out.splitlines(), line


def test_explain_names_the_reason_for_a_full_build(run: Run, tmp_path: Path) -> None:
    folder = registries.write(tmp_path / "content")
    done = run_forked("build", "--content", folder, "--out", tmp_path / "out", "--explain")
    written = files(tmp_path / "out").keys()
    causes = dict(re.findall(r"^wrote /(\S+): (.+)$", done.out, re.M))
    assert causes == dict.fromkeys(written, "no earlier build was found")
