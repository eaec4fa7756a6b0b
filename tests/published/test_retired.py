"""Kinds and fields that will be gone (`retired`) are published until their month is over, and
readers are told.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from generator.published.published import Published
from support import registries
from support.own_kinds import INVESTORS


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The second of the registry's kinds, and a field of the first, are retired."""
    registry = copy.deepcopy(INVESTORS)
    kinds: Any = registry["registry"]["kinds"]
    kinds["investors"]["fields"]["stage"]["retired"] = "2027-06"
    kinds["rounds"]["retired"] = "2027-09"
    return registries.published(tmp_path_factory.mktemp("retired"), registry)


def document(published: Published, path: str) -> Any:
    return json.loads(bytes(published[path]))


def test_its_key_stays(published: Published) -> None:
    record = document(published, "/api/investors/slug/idle-money.json")
    assert record["data"]["fields"]["stage"] is None


def test_the_index_says_so(published: Published) -> None:
    kinds = document(published, "/api/index.json")["kinds"]
    assert kinds["rounds"]["retired"] == "2027-09"
    assert kinds["investors"]["fields"]["stage"]["retired"] == "2027-06"


def test_schemas_say_that_it_is_deprecated(published: Published) -> None:
    defs = document(published, "/api/schemas/investor.json")["$defs"]
    fields = defs["InvestorRecord"]["properties"]["fields"]["properties"]
    assert fields["stage"]["deprecated"] is True
    assert fields["stage"]["description"] == "Stage (until 2027-06)"
    assert "deprecated" not in fields["assets"]
    kind = document(published, "/api/schemas/round_of_money.json")["$defs"]["RoundOfMoneyRecord"]
    assert kind["deprecated"] is True


def test_openapi_says_that_it_is_deprecated(published: Published) -> None:
    paths = document(published, "/api/openapi.json")["paths"]
    for path, methods in paths.items():
        is_round = path == "/api/rounds" or path.startswith("/api/rounds/")
        assert methods.get("get", {}).get("deprecated", False) is is_round, path
    marked = {
        parameter["name"]
        for parameter in paths["/api/investors"]["get"]["parameters"]
        if parameter.get("deprecated")
    }
    assert marked == {"stage"}


def test_agents_are_told(published: Published) -> None:
    skill = bytes(published["/skill.md"]).decode()
    last = "`rounds` (2027-09) and `investors.stage` (2027-06)"
    assert f"gone after the month that they name: {last}." in skill
