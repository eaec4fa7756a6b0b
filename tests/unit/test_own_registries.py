"""The two small registries of own kinds, which many tests build, are without a problem."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
import yaml

from support import commands, own_kinds, registries


@pytest.mark.parametrize("content", [own_kinds.INVESTORS, own_kinds.TOOLS])
def test_it_has_no_problem(content: registries.Content, tmp_path: Path) -> None:
    folder = registries.write(tmp_path, content)
    done = commands.run("check", "--content", folder)
    assert done.status == 0, done.out + done.err
    assert "warning" not in done.out + done.err, done.out + done.err


@pytest.mark.parametrize("name", ["investors", "tools"])
def test_it_is_built(name: str, built_own_kinds: dict[str, Path]) -> None:
    assert (built_own_kinds[name] / "api" / name / "filters.json").is_file()


#: A change of registry.yaml -> the code of its only fault.
FAULTS = {
    "of: tolls": ("  of: tools", "  of: tolls", "unknown-kind"),
    "no singular": ("    one: tool\n", "", "missing-field"),
    "no YAML": ("  tools:\n", "  tools:\n\t- x\n", "yaml-syntax"),
}


@pytest.mark.parametrize("change", FAULTS)
def test_a_fault_of_a_declaration_is_told_alone(change: str, tmp_path: Path) -> None:
    """Records of kinds that cannot be read are neither strays nor lost since the last build."""
    written = yaml.safe_dump(own_kinds.TOOLS["registry"], sort_keys=False)
    folder = registries.write(tmp_path / "content", {**own_kinds.TOOLS, "registry": written})
    commands.build(folder, tmp_path / "out")
    settings, (old, new, code) = folder / "registry.yaml", FAULTS[change]
    assert old in written
    settings.write_text(written.replace(old, new))
    done = commands.run("check", "--content", folder, "--out", tmp_path / "out")
    assert done.status == 1
    codes = re.findall(r"error\[([a-z-]+)\]", done.out + done.err)
    assert {*codes} == {code}, done.out + done.err
    assert "1 warning" not in done.out + done.err
    assert commands.run("build", "--content", folder, "--out", tmp_path / "out").status == 1


#: Keys of fields that the first four kinds have, each with another type.
_TAKEN = {
    "parent": {"type": "record", "of": "tools", "many": True, "filter": "above"},
    "founders": {"type": "number", "filter": True}, "starts": {"type": "number", "sort": True},
    "status": {"type": "text"}, "type": {"type": "boolean", "filter": True},
    "remote": {"type": "text"}, "timezone": {"type": "number"}, "team_size": {"type": "text"},
}  # fmt: skip


def test_fields_may_have_the_keys_of_fields_of_other_kinds(tmp_path: Path) -> None:
    content = copy.deepcopy(own_kinds.TOOLS)
    declared = content["registry"]["kinds"]["tools"]["fields"]
    declared |= {key: {"label": key.title(), **of} for key, of in _TAKEN.items()}
    content["tools"]["mapper"] |= {
        "parent": ["mapper", "lone-wolf"], "founders": 3, "starts": 0.5, "status": "Old",
        "type": True, "remote": "Never", "timezone": 2, "team_size": "Many",
    }  # fmt: skip
    folder = registries.write(tmp_path / "content", content)
    commands.build(folder, tmp_path / "out")
    record = json.loads((tmp_path / "out/api/tools/slug/mapper.json").read_bytes())["data"]
    assert [parent["slug"] for parent in record["fields"]["parent"]] == ["mapper", "lone-wolf"]
    assert (record["fields"]["founders"], record["counts"]["tools_above"]) == (3, 1)
