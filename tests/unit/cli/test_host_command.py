"""`registry host`: its output, its files, and its messages for unknown names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import generator.hosts
from generator.contract.artifact import load_module, module_names
from support import commands, registries

HOSTS = module_names(generator.hosts)
OUTSIDE = [name for name in HOSTS if hasattr(load_module(generator.hosts, name), "outside")]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = registries.content(registry={"base_url": "https://registry.example.org/registry"})
    records["projects"]["bloom"]["aliases"] = ["flower"]
    return registries.write(tmp_path_factory.mktemp("content"), records)


def host(*arguments: object) -> commands.Done:
    return commands.run_forked("host", *arguments)


def test_hosts_have_the_names_that_users_write() -> None:
    assert {"github-pages", "gitlab-pages", "nginx", "apache", "caddy", "firebase"} <= set(HOSTS)
    assert not any("_" in name for name in HOSTS)


def test_without_a_name_every_host_is_listed() -> None:
    done = host()
    assert (done.status, [line.split()[0] for line in done.out.splitlines()]) == (0, HOSTS)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("ngnix", 'did you mean "nginx"'), ("github_pages", 'did you mean "github-pages"')],
)
def test_an_unknown_host_gets_the_nearest_name(name: str, hint: str) -> None:
    done = host(name)
    assert (done.status, done.out) == (2, "")
    assert hint in done.err


def test_a_host_without_a_near_name_gets_all_names() -> None:
    assert all(name in host("zzzzzzzzzz").err for name in HOSTS)


@pytest.mark.parametrize("name", OUTSIDE)
def test_the_written_files_are_the_printed_files(name: str, content: Path, tmp_path: Path) -> None:
    printed = host(name, "--content", content)
    written = host(name, "--content", content, "--out", f"{tmp_path / name}/")
    assert (printed.status, written.status) == (0, 0), printed.err + written.err
    files = (
        commands.files(tmp_path)
        if (tmp_path / name).is_dir()
        else {name: (tmp_path / name).read_bytes()}
    )
    parts = re.split(r"\n?==> .* <==\n", printed.out)
    assert sorted(filter(None, parts)) == sorted(data.decode() for data in files.values())


@pytest.mark.parametrize("name", ["nginx", "apache", "caddy", "firebase"])
def test_every_file_begins_with_how_to_install_it(name: str, content: Path, tmp_path: Path) -> None:
    assert host(name, "--content", content, "--out", tmp_path).status == 0
    for text in commands.files(tmp_path).values():
        assert re.match(rb"(#|//) .*Made by: registry host", text)


def test_one_file_is_written_and_an_existing_folder_keeps_its_files(
    content: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("mine")
    assert host("caddy", "--content", content, "--out", tmp_path).status == 0
    assert (
        host("caddy", "--content", content, "--out", tmp_path / "deep" / "file.caddy").status == 0
    )
    assert sorted(commands.files(tmp_path)) == ["deep/file.caddy", "mine", "registry.caddy"]


def test_a_file_that_cannot_be_written_is_the_only_message(content: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = host("caddy", "--content", content, "--out", tmp_path / "file" / "below")
    assert done.status == 2
    assert "cannot be written" in done.err and "Traceback" not in done.err


def test_former_slugs_and_the_path_of_the_base_url_are_in_it(content: Path) -> None:
    for name in ("nginx", "apache", "caddy"):
        assert re.search(
            r"flower.*/registry/api/projects/bloom", host(name, "--content", content).out
        ), name
    assert "/registry/api/projects/slug/bloom.json" in host("firebase", "--content", content).out


def test_content_with_errors_makes_no_rules(tmp_path: Path) -> None:
    broken = registries.write(tmp_path, {"registry": {"name": "No description"}})
    done = host("nginx", "--content", broken)
    assert (done.status, done.out) == (1, "")
    assert "missing-field" in done.err


def test_a_host_that_reads_only_the_output_lists_its_other_needs() -> None:
    done = host("github-pages")
    assert (done.status, done.out) == (0, "")
    assert "registry build --host github-pages" in done.err
    assert "base_url" in done.err and "/REPOSITORY/" in done.err


def test_netlify_has_the_folder_of_the_functions() -> None:
    done = host("netlify")
    assert done.status == 0
    printed, own = (
        tomllib.loads(text)["build"]
        for text in (done.out, (commands.ROOT / "netlify.toml").read_text())
    )
    *before, build = printed.pop("command").strip().splitlines()
    # This repository is the generator, which no requirement of its own installs.
    assert (
        build == own.pop("command").replace("python -m generator", "registry") + " --host netlify"
    )
    assert before == [
        "if test -f extra.txt; then pip install -r extra.txt; fi &&",
        "registry examples --publish | grep -qx publish=true &&",
    ]
    assert printed == own
    assert "requirements.txt" in done.out


@pytest.mark.parametrize(
    ("base_url", "warnings"), [(None, 1), ("https://owner.github.io/registry", 0)]
)
def test_a_project_site_without_its_address_is_a_warning(
    base_url: str | None, warnings: int, tmp_path: Path
) -> None:
    """In a full build and in a partial build."""
    content = registries.write(
        tmp_path / "content", registries.content(registries.SMALL, registry={"base_url": base_url})
    )
    for name in ("Cairn", "Cairn again"):
        record = content / "projects" / "cairn.yaml"
        record.write_text(record.read_text().replace("name: Cairn\n", f"name: {name}\n"))
        done = commands.run_forked(
            "build", "--content", content, "--out", tmp_path / "out", "--host", "github-pages"
        )
        assert (done.status, done.err.count("[no-base-url]") + done.out.count("[no-base-url]")) == (
            0,
            warnings,
        ), done.err
    strict = commands.run_forked(
        "build",
        "--content",
        content,
        "--out",
        tmp_path / "out",
        "--host",
        "github-pages",
        "--strict",
    )
    assert strict.status == warnings
