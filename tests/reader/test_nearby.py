"""Suggestions for an unknown slug, found by the command in a few requests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.grammar.refusals import QueryError
from generator.reader.client import Client
from generator.search.reading import MAX_READS
from support import commands, registries
from support.fake_host import serving

NAMES = [
    "Wolt",
    "Aurora Grid",
    "Bloom",
    "Open Harbour",
    "Stripe",
    "Quantum Ferry",
    *(f"Company Nr {n}" for n in range(60)),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nearby")
    projects = {name.lower().replace(" ", "-"): {"name": name} for name in NAMES}
    return commands.build(
        registries.write(folder / "content", registries.content(projects=projects)),
        folder / "build",
    )


@pytest.mark.parametrize(
    ("slug", "meant"),
    [
        ("wotl", "wolt"),
        ("wlot", "wolt"),
        ("owlt", "wolt"),
        ("wol", "wolt"),
        ("woltt", "wolt"),
        ("molt", "wolt"),
        ("Wolt", "wolt"),
        ("aurora-gird", "aurora-grid"),
        ("auroragrid", "aurora-grid"),
        ("bloom-inc", "bloom"),
        ("strpe", "stripe"),
        ("open-harbor", "open-harbour"),
        ("quantum-fery", "quantum-ferry"),
        ("zzzz", None),
        ("!", None),
        ("日本", None),
        ("x" * 90, None),
    ],
)
def test_the_command_suggests_similar_slugs(slug: str, meant: str | None, site: Path) -> None:
    done = commands.run_forked("get", "projects", slug, "--from", site)
    assert (done.status, done.out) == (2, "")
    near = done.err.partition("one of: ")[2].strip().split(", ")
    assert done.err.startswith(f'Error: There is no project "{slug}".')
    assert near[0] == (meant or ""), done.err


def test_suggestions_over_http_take_few_requests(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(site) as host:
        client = Client.open(host.base)
        with pytest.raises(QueryError) as raised:
            client.record(client.grammar.projects, "wotl")
        assert raised.value.allowed == ("wolt",)
        assert len(host.seen) <= MAX_READS


def test_without_an_index_there_are_no_suggestions(site: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    shutil.rmtree(copy / "api" / "index")
    done = commands.run_forked("get", "projects", "wotl", "--from", copy)
    assert (done.status, done.err) == (2, 'Error: There is no project "wotl".\n')
