"""`registry features` says what each feature adds, in words and addresses that people can read."""

from __future__ import annotations

import re

from generator.feature import features
from support.commands import run_forked


def test_every_feature_with_files_names_where_they_are() -> None:
    listed = re.split(r"(?m)^(?=\S)", run_forked("features").out)[1:]
    blocks = {text.partition(":")[0].replace("-", "_"): text for text in listed}
    assert list(blocks) == [feature.name for feature in features()]
    for feature in features():
        found = re.search(r"(?m)^    files: (.+)$", blocks[feature.name])
        assert bool(found) == bool({"outputs", "views"} & feature.parts)
        assert found is None or re.fullmatch(r"(?:/[a-z./-]+(?:, |$))+", found[1])
    assert "    files: /api/changes/, /changes/, /changes.atom\n" in blocks["changes"]
    assert "    workflows of registry init: submissions.yml\n" in blocks["forms"]


def test_features_name_the_features_that_they_import() -> None:
    for feature in (one for one in features() if not one.origin):
        sources = "".join(file.read_text("utf-8") for file in feature.folder.rglob("*.py"))
        imported = {*re.findall(r"generator\.features\.(\w+)", sources)} - {feature.name}
        assert imported == {*feature.needs}, feature.name
