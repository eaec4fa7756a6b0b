"""The table of licences matches the SPDX License List in the package `packaging`."""

from __future__ import annotations

import pytest

from generator.model.settings import spdx
from generator.model.validate import read_model
from support.kinds import Settings


def test_the_table_is_the_list_of_its_version() -> None:
    """To update the table: spdx.txt has the sorted values of `id`, `VERSION` is VERSION."""
    source = pytest.importorskip("packaging.licenses._spdx")
    if source.VERSION != spdx.VERSION:
        pytest.skip(f"packaging has version {source.VERSION}, the table {spdx.VERSION}")
    assert {licence["id"] for licence in source.LICENSES.values()} == spdx.LICENSES


@pytest.mark.parametrize(
    "text", ["CC0-1.0", "CC-BY-4.0", "ODbL-1.0", "MIT", "Apache-2.0", "GPL-3.0-or-later"]
)
def test_a_licence_of_the_list_is_accepted(text: str) -> None:
    assert read_model(f"name: R\ndescription: R\nlicense: {text}\n".encode(), Settings)[1] == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("mit", 'did you mean "MIT"?'),
        ("CC BY 4.0", 'did you mean "CC-BY-4.0"?'),
        ("CC-BY-4", 'did you mean "CC-BY-4.0"?'),
        ("Apache2.0", 'did you mean "Apache-2.0"?'),
        (
            "MIT OR Apache-2.0",
            "write a code like CC-BY-4.0 or CC0-1.0, from https://spdx.org/licenses/",
        ),
        (
            "LicenseRef-mine",
            "write a code like CC-BY-4.0 or CC0-1.0, from https://spdx.org/licenses/",
        ),
    ],
)
def test_another_licence_is_reported_with_the_nearest(text: str, hint: str) -> None:
    (fault,) = read_model(f"name: R\ndescription: R\nlicense: {text}\n".encode(), Settings)[1]
    assert (fault.code, fault.hint) == ("invalid-license", hint)
