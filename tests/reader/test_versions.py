"""Builds of other schema versions: older builds are read, with missing fields empty; builds of
another major version are refused with advice.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import SCHEMA_VERSION
from generator.reader.client import Client
from generator.reader.documents import Unreadable, parse_document


def older(site: Path, path: str, change: Callable[[dict[str, Any]], object]) -> bytes:
    document = json.loads((site / path).read_bytes())
    document["schema_version"] = "1.0"
    change(document)
    return json.dumps(document).encode()


def without_former_names(document: dict[str, Any]) -> None:
    for row in document["data"]:
        del row["former_names"]


def test_newer_fields_are_empty_in_an_older_document(site: Path) -> None:
    raw = older(site, "api/projects/page/1.json", without_former_names)
    page = parse_document(raw, "project_list")
    assert [row["former_names"] for row in page["data"]] == [[]] * 10


def test_a_document_of_this_version_has_all_of_its_keys(site: Path) -> None:
    raw = older(site, "api/projects/page/1.json", without_former_names)
    said = raw.replace(b'"1.0"', f'"{SCHEMA_VERSION}"'.encode())
    with pytest.raises(Unreadable, match=r"^data\.0\.former_names is missing$"):
        parse_document(said, "project_list")
    older_key = older(site, "api/projects/page/1.json", lambda page: page["data"][0].pop("slug"))
    with pytest.raises(Unreadable, match=r"^data\.0\.slug is missing$"):
        parse_document(older_key, "project_list")


@pytest.mark.parametrize("version", ["0.9", "2.0", "12.3.4"])
def test_another_major_version_is_refused_with_advice(version: str, site: Path) -> None:
    raw = (site / "api/dashboard.json").read_bytes()
    said = raw.replace(f'"{SCHEMA_VERSION}"'.encode(), f'"{version}"'.encode(), 1)
    with pytest.raises(Unreadable, match=f"schema {version}, and this program reads"):
        parse_document(said, "dashboard")


def test_a_later_minor_version_is_read(site: Path) -> None:
    raw = (site / "api/dashboard.json").read_bytes()
    said = raw.replace(f'"{SCHEMA_VERSION}"'.encode(), b'"1.999"', 1)
    assert parse_document(said, "dashboard")["schema_version"] == "1.999"


@pytest.mark.parametrize("version", ["", "1", "x.1", "1.0 ", "1.0\n", "1" * 20 + ".0", None, 1.1])
def test_an_invalid_version_is_refused(version: Any, site: Path) -> None:
    document = json.loads((site / "api/dashboard.json").read_bytes())
    document["schema_version"] = version
    with pytest.raises(Unreadable, match="schema_version"):
        parse_document(json.dumps(document).encode(), "dashboard")


def test_a_client_lists_an_older_build(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site, tmp_path / "older")
    path = "api/projects/page/1.json"
    (tmp_path / "older" / path).write_bytes(older(site, path, without_former_names))
    client = Client.open(str(tmp_path / "older"))
    page = client.answer(client.query(client.grammar.projects))
    assert [row["former_names"] for row in page["data"]] == [[]] * 10
