"""The command line as a process: terminals, pipes, full devices, memory, and the cost of imports.

What commands print is in tests/transcripts.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from generator.cli import commands
from support import registries
from support.commands import REGISTRY, build, environment, files, program, run_forked
from support.kinds import KINDS
from support.lanes import fast_first

COMMANDS = commands.list_commands(click.Context(commands))
assert COMMANDS
FULL = Path("/dev/full")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return registries.write(tmp_path_factory.mktemp("content") / "content", registries.API)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Content with a file that is not valid."""
    folder = registries.write(tmp_path_factory.mktemp("broken") / "content", registries.API)
    (folder / "projects" / "bloom.yaml").write_text("name: Bloom\nprograms: [lunch]\n")
    return folder


def started(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A finished command in a process of its own; it captures what `options` do not redirect."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(
        [*map(str, command)], env=environment(), text=True, timeout=120, **{**streams, **options}
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The only line of an error of the environment, which has exit status 2."""
    assert done.returncode == 2, done
    assert re.fullmatch(r"Error: [^\n]+\n", done.stderr), done.stderr
    return done.stderr


# --- help ---


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = run_forked(command, "--help")
    assert (done.status, done.err) == (0, "")
    assert re.match(rf"Usage: .*{command}", done.out)
    assert run_forked(command, "-h").out == done.out


def test_help_names_every_command_in_80_columns() -> None:
    output = run_forked("--help").out
    assert [name for name in COMMANDS if not re.search(rf"^  {name}\b", output, re.M)] == []
    assert "..." not in output.partition("Commands:")[2]
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize("command", ["get", "list", "rows", "count"])
def test_the_help_of_a_command_for_any_kind_names_no_list_of_kinds(command: str) -> None:
    """A registry may have other kinds than the generator's own."""
    done = run_forked(command, "--help")
    named = [kind.name for kind in KINDS.values() if kind.name in done.out.partition("Options:")[0]]
    assert done.status == 0 and named == ["projects"]


def test_the_version_is_the_packages() -> None:
    from generator import __version__

    assert __version__ in run_forked("--version").out


@pytest.mark.slow
def test_python_dash_m_and_the_script_are_the_same_command() -> None:
    code = "import sys; from generator.__main__ import main; sys.argv = ['registry', '-h']; main()"
    first, *lines = started(sys.executable, "-c", code).stdout.splitlines()
    assert first == "Usage: registry [OPTIONS] COMMAND [ARGS]..."
    assert lines == run_forked("--help").out.splitlines()[1:]


# --- terminals and pipes ---


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


def test_only_a_terminal_shows_progress(content: Path, tmp_path: Path) -> None:
    arguments = ("build", "--content", content, "--out", tmp_path / "out")
    status, output = on_terminal(*arguments)
    assert status == 0 and "Built" in output
    assert re.search(r"\[#+\]|100%", output)
    done = run_forked(*arguments, "--host", "nginx")
    assert done.out and not done.err
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f%]", done.out)


@pytest.mark.parametrize(
    ("value", "coloured"), fast_first(2, [(None, True), ("1", False), ("", True), ("0", False)])
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
    ):
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "wb") as pipe:
            done = started(*REGISTRY, *arguments, stdout=pipe)
        assert (done.returncode, done.stderr) == (broken in arguments, ""), arguments
    assert (tmp_path / "out" / "api" / "build.json").is_file()


def test_closed_standard_streams_are_not_an_error(content: Path, tmp_path: Path) -> None:
    """cron or a supervisor may start the command so."""
    build = [*REGISTRY, "build", "--content", str(content), "--out", str(tmp_path / "out")]
    assert started("sh", "-c", f"exec {' '.join(build)} <&- >&- 2>&-").returncode == 0
    assert (tmp_path / "out" / "api" / "build.json").is_file()


#: Commands by what writes their output.
WRITERS = (
    "build --content CONTENT --out OUT --explain",
    "list projects --from OUT --all",
    "check --content CONTENT",
    "check --content CONTENT --format json",
    "--help",
    "--version",
    "schema project",
    "host",
    "list --help",
    "host nginx --content CONTENT",
    "list projects --from OUT",
    "list projects --from OUT --format csv",
    "list projects --from OUT --format table",
    "get projects bloom --from OUT",
    "dashboard --from OUT",
    "calendar --ics --from OUT",
)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("line", fast_first(2, WRITERS))
def test_a_full_stdout_is_reported_in_one_line(line: str, content: Path, tmp_path: Path) -> None:
    out = build(content, tmp_path / "out")
    words = line.replace("CONTENT", str(content)).replace("OUT", str(out)).split()
    with FULL.open("wb") as full:
        done = started(*REGISTRY, *words, stdout=full)
    assert "Standard output cannot be written: No space left on device" in one_line(done)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_full_stderr_does_not_change_the_status(tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        for line in ("chec", "list projects --from nowhere"):
            done = started(*REGISTRY, *line.split(), stdout=full, stderr=full, cwd=tmp_path)
            assert done.returncode == 2


# --- the machine ---


@pytest.mark.parametrize(
    "command",
    fast_first(1, ["build", "check", "list projects", "mcp", "serve --port 0", "host nginx"]),
)
def test_a_deleted_working_folder_is_reported_in_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    start = f"cd {tmp_path}/gone; rmdir {tmp_path}/gone; exec {' '.join(REGISTRY)} {command}"
    assert "The current folder no longer exists" in one_line(started("sh", "-c", start))


@pytest.mark.parametrize(("where", "jobs"), [("parent", 1), ("worker", 2)])
def test_a_lack_of_memory_is_reported_in_one_line(where: str, jobs: int, tmp_path: Path) -> None:
    projects = {f"p{n:03}": {"name": f"P {n}"} for n in range(300)}
    folder = registries.write(tmp_path / "content", registries.api_alone(projects=projects))
    out = build(folder, tmp_path / "out")
    (folder / "registry.yaml").write_text((folder / "registry.yaml").read_text() + "page_size: 7\n")
    before = files(out)
    for command in (("build", "--content", folder, "--out", out), ("check", "--content", folder)):
        done = started(*program("no_memory"), where, *command, "--jobs", jobs)
        assert "not enough memory" in one_line(done)
    assert files(out) == before


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
        (
            "distributed",
            "--executor dask needs the package distributed: "
            "pip install 'registry-generator[cluster]'",
        ),
    ],
)
def test_a_missing_package_is_reported_in_one_line(
    module: str, message: str, tmp_path: Path
) -> None:
    folder = registries.write(tmp_path / "content", registries.API)
    (folder / "projects/bloom.yaml").write_text("{name: Bloom}\n")  # libyaml parses this file
    code = (
        f"import sys; sys.modules[{module!r}] = None; from generator.__main__ import main; main()"
    )
    words = ["build", "--content", folder, "--out", tmp_path / "out"]
    words += ["--executor", "dask", "--scheduler", "tcp://x:1"] * (module == "distributed")
    done = started(sys.executable, "-c", code, *words)
    assert message in one_line(done) and done.stdout == ""


@pytest.mark.parametrize(
    ("option", "message"),
    [("--out", "Invalid value for --out: it is not a folder"), ("--content", "no registry here")],
)
def test_without_a_feature_for_it_a_url_is_refused(
    option: str, message: str, content: Path, tmp_path: Path
) -> None:
    code = (
        "from generator import feature; feature.features = lambda: ()\n"
        "from generator.__main__ import main; main()"
    )
    words = {"--content": content, "--out": "build", option: "s3://bucket/registry"}
    listed = [word for pair in words.items() for word in pair]
    done = started(sys.executable, "-c", code, "build", *listed, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr, done
    assert not [*tmp_path.iterdir()]


# --- import costs ---


def imported(*arguments: object) -> set[str]:
    """All modules that a command imports, from `-X importtime`."""
    done = started(sys.executable, "-X", "importtime", "-m", "generator", *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    return {
        line.rpartition("|")[2].strip()
        for line in done.stderr.splitlines()
        if line.startswith("import time:")
    }


LATE = {
    "pydantic", "pydantic_core", "jinja2", "yaml", "orjson", "icalendar", "pycountry",
}  # fmt: skip


@pytest.mark.parametrize("command", fast_first(1, ["", *COMMANDS]))
def test_help_imports_no_modules_of_the_work(command: str) -> None:
    found = imported(*command.split(), "--help")
    assert "click" in found and found & LATE == set()


def test_check_imports_no_output_modules(content: Path) -> None:
    assert imported("check", "--content", content) & {"jinja2", "icalendar"} == set()


@pytest.mark.slow
def test_each_build_imports_only_the_modules_it_needs(tmp_path: Path) -> None:
    """A first build, and a build without changes."""
    folder = registries.write(tmp_path / "content")
    arguments = ("build", "--content", folder, "--out", tmp_path / "out")
    needless = {"pycountry", "generator.contract.published"}
    first = imported(*arguments)
    assert {"pydantic", "jinja2", "icalendar"} <= first
    assert first & needless == set()
    nothing = imported(*arguments)
    assert nothing & (needless | {"jinja2", "icalendar"}) == set()
