"""Every published file has a path that mirrors of a registry accept; they accept no other path."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.contract import manifest
from generator.contract.addresses import is_output_path
from generator.features.cms.addresses import ADMIN
from generator.kinds import built_in
from support import commands, registries


def unknown(build: Path) -> list[str]:
    every = [f"/{path}" for path in commands.files(build)]
    assert len(every) > 100
    return [
        path for path in every if manifest.is_listed(path) and not is_output_path(path, built_in())
    ]


def test_a_registry_with_former_slugs_an_editor_and_a_theme_has_known_paths(
    tmp_path: Path,
) -> None:
    bloom = {**registries.SMALL["projects"]["bloom"], "aliases": ["blossom"]}
    settings = {"repository": "https://github.com/example/registry", "cms": True}
    records = registries.content(registry=settings, projects={"bloom": bloom})
    content = registries.write(tmp_path / "content", records)
    assets = tmp_path / "templates" / "site" / "assets"
    assets.mkdir(parents=True)
    for name in ("own.css", "Photo_1.jpg", "jquery.min.js", "font.woff2"):
        (assets / name).write_bytes(b"x")
    build = commands.build(content, tmp_path / "build", site=True)
    assert not unknown(build)
    assert (build / "api/projects/slug/blossom.json").is_file()
    assert list((build / "assets").glob("jquery.min-*.js"))
    assert (build / ADMIN[1:] / "config.yml").is_file()


def test_each_name_of_a_form_is_known_in_its_folder_alone() -> None:
    tiles = "tiles-0123abcd.json"
    known = ("/landscape/index.html", f"/landscape/{tiles}", f"/landscape/model/{tiles}")
    assert all(is_output_path(path, built_in()) for path in known)
    assert not is_output_path(tiles, built_in()) and not is_output_path(f"/{tiles}", built_in())


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/api/index.json\n",
        "/api/index.json/",
        "//api/index.json",
        "/api/INDEX.json",
        "/api/projects/slug/-.json",
        "/api/projects/by/upcoming/true/page/1.json",
        "/api/projects/page/01.json",
        f"/api/projects/by/location/{'a' * 211}/page/1.json",
        "/assets/style.css",
    ],
)
def test_no_other_path_is_known(path: str) -> None:
    assert not is_output_path(path, built_in())
