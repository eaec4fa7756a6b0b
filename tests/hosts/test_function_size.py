"""A CloudFront Function that is too large is reported, with what to leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.hosts import aws
from support import registries
from support.commands import run_forked


def content(folder: Path, filters: int) -> Path:
    fields = {
        f"property_{number}": {"label": "Property", "type": "choice", "values": {"x": "X"},
                               "filter": True}
        for number in range(filters)
    }  # fmt: skip
    registry = {"fields": {"projects": fields}, "hosts": ["aws"], "site": False}
    return registries.write(folder, registries.api_alone(registry))


@pytest.mark.parametrize("filters", [0, 40])
def test_a_function_that_is_too_large_is_an_error(filters: int, tmp_path: Path) -> None:
    folder = content(tmp_path / "content", filters)
    done = run_forked("host", "aws", "--content", folder)
    built = run_forked("build", "--content", folder, "--out", tmp_path / "out")
    assert built.status == 0
    if not filters:
        assert done.status == 0 and len(done.out) <= aws.MAX_FUNCTION
        assert "CloudFront" not in built.err
        return
    assert done.status == 2 and done.out == ""
    for said in (done.err, built.err):
        assert "bytes, and CloudFront takes 10,240" in said
        assert "`filter` of fields.projects.property_10 takes " in said
    assert "[host-limit]" in built.err
