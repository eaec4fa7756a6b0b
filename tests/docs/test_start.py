"""Follow docs/start.md with the package as users install it: the wheel, without a checkout."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from generator import __version__
from support.commands import ROOT, TODAY, environment

pytestmark = pytest.mark.slow

START = (ROOT / "docs" / "start.md").read_text("utf-8")
(INIT,) = re.findall(r"^\.venv/bin/registry (init \.)$", START, re.M)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the build of the wheel and its contents, unpacked into `installed`."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    command = [*build, "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, env=environment(), check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    assert f"`{wheel.name.replace(__version__, 'VERSION')}`" in START
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "installed")
    return folder / "installed"


def run(command: str, installed: Path, folder: Path) -> str:
    """Run a command of the page; it succeeds without a warning.  Returns its output."""
    arguments = shlex.split(command.replace("$(date -u +%F)", TODAY))
    done = subprocess.run(
        [sys.executable, "-m", "generator", *arguments], cwd=folder,
        env=environment(PYTHONPATH=str(installed)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    return done.stdout


def with_settings(text: str, settings: str) -> str:
    """The text of registry.yaml with these settings in place of its own, others at the end."""
    for setting in re.findall(r"^\w.*\n(?:[ #].*\n)*", settings, re.M):
        own = re.compile(rf"^{setting.partition(':')[0]}:.*\n(?:  .*\n)*", re.M)
        text = own.sub(setting, text) if own.search(text) else f"{text}\n{setting}"
    return text


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Path:
    """The registry that `init` makes, with the settings and files of the page in place of the
    examples.
    """
    folder = tmp_path_factory.mktemp("start")
    where = "--repository https://github.com/YOU/my-registry --host netlify"
    run(f"{INIT} --name Harbour {where} --generator ./wheels/g.whl", installed, folder)
    run("examples --remove", installed, folder)
    (settings,) = re.findall(
        r"<!-- settings: content/registry.yaml -->\n```yaml\n(.*?)```", START, re.S
    )
    registry = folder / "content/registry.yaml"
    registry.write_text(with_settings(registry.read_text("utf-8"), settings), "utf-8")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", START, re.S):
        assert name.startswith("content/")
        (folder / name).write_text(text, "utf-8")
    return folder


def test_the_commands_of_the_page_work(installed: Path, started: Path) -> None:
    commands = re.findall(r"^\.venv/bin/registry (check|build|forms|list .*)$", START, re.M)
    names = [command.split()[0] for command in commands]
    assert names == ["check", "build", "list", "check", "forms"]
    done = dict(zip(names, [run(command, installed, started) for command in commands], strict=True))
    assert "The issue forms are up to date" in done["forms"]
    assert [row["slug"] for row in json.loads(done["list"])["data"]] == ["tide-mill"]
    assert "It holds 1 company, 1 workshop, 1 organization and 1 event." in (
        started / "build" / "skill.md"
    ).read_text("utf-8")


def test_the_settings_of_the_page_keep_what_publishing_needs(started: Path) -> None:
    settings = yaml.safe_load((started / "content/registry.yaml").read_text("utf-8"))
    assert settings["hosts"] == ["netlify"]
    assert settings["repository"]["url"] == "https://github.com/YOU/my-registry"
    assert settings["nouns"]["projects"] == {"one": "company", "many": "companies"}


def test_a_new_registry_can_be_checked_and_built(installed: Path, tmp_path: Path) -> None:
    line = "--generator ./wheels/g.whl"
    run(f"{INIT} --repository https://github.com/YOU/my-registry {line}", installed, tmp_path)
    run("build --strict", installed, tmp_path)
    assert (tmp_path / "build" / ".nojekyll").is_file()
    first = json.loads((tmp_path / "build/api/projects/page/1.json").read_bytes())
    assert first["links"]["self"] == "/my-registry/api/projects/page/1.json"
    (filter_,) = re.findall(r"<http://127\.0\.0\.1:8000/api/projects\?mode=page&(\w+=\w+)>", START)
    path = "build/api/projects/by/{}/{}/page/1.json".format(*filter_.split("="))
    assert json.loads((tmp_path / path).read_bytes())["page"]["total_items"] == 1


def test_netlify_builds_a_new_registry_by_itself(installed: Path, started: Path) -> None:
    netlify = tomllib.loads((started / "netlify.toml").read_text("utf-8"))["build"]
    _, examples, build = netlify["command"].strip().split(" &&\n")
    assert examples == "registry examples --publish | grep -qx publish=true"
    assert run("examples --publish", installed, started) == "publish=true\n"
    run(build.removeprefix("registry "), installed, started)
    assert (started / netlify["publish"] / "_redirects").is_file()
    assert list((started / netlify["edge_functions"]).iterdir())
