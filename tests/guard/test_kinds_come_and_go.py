"""A state that was kept between publishes is compared with a registry that has other kinds now."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import commands, own_kinds, registries


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return registries.write(tmp_path / "content", own_kinds.TOOLS)


def test_a_kind_may_come_and_is_not_lost_by_mistake(content: Path, tmp_path: Path) -> None:
    settings = own_kinds.TOOLS["registry"]
    out, state = tmp_path / "out", tmp_path / "state.json"

    def build(*options: str, **kinds: object) -> commands.Done:
        changed = {"registry": {**settings, "site": False, "kinds": kinds}}
        registries.write(content, changed)
        options = ("--no-site", "--against", str(state), *options)
        return commands.run_forked("build", "--content", content, "--out", out, *options)

    assert build("--first", **settings["kinds"]).status == 0
    registries.write(content, {"boats": {"boaty": {"name": "Boaty"}}})
    done = build(**settings["kinds"], boats={"one": "boat"})
    assert done.status == 0, done.err
    (content / "boats/boaty.yaml").unlink()
    (content / "boats").rmdir()
    done = build(**settings["kinds"])
    assert done.status == 1 and "1 of 1 boats is gone" in done.out + done.err
    assert build("--allow-loss", **settings["kinds"]).status == 0
    state.write_text('{"guard_state": 2, "counts": {}}')
    done = build(**settings["kinds"])
    assert done.status == 2 and "is not a file that a build kept" in done.err
