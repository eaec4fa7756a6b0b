"""Follow the first part of docs/kinds.md: from an empty folder to both sides of a relation."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from support.commands import ROOT, run_forked

PAGE = (ROOT / "docs" / "kinds.md").read_text("utf-8")


def test_the_page_leads_to_a_registry_with_both_sides_of_a_relation(tmp_path: Path) -> None:
    steps = re.split(r"^### \d\. ", PAGE.partition("## From a table")[0], flags=re.M)
    begin, declare, write, look, publish = steps[1:]

    def follow(step: str) -> None:
        for line in re.findall(r"^\.venv/bin/registry (.+)$", step, re.M):
            if line != "serve":
                done = run_forked(*shlex.split(line), cwd=tmp_path)
                assert (done.status, "warning" in done.err) == (0, False), (line, done.err)

    follow(begin)
    registry = tmp_path / "content/registry.yaml"
    (kinds,) = re.findall(r"<!-- kinds: bridges -->\n```yaml\n(.*?)```", declare, re.S)
    above = re.match(r".*^  accent: [^\n]*\n", registry.read_text("utf-8"), re.S | re.M)
    assert above is not None
    registry.write_text(above[0] + kinds, "utf-8")
    follow(write)
    for path, text in re.findall(r"<!-- record: (\S+) -->\n```yaml\n(.*?)```", write, re.S):
        (tmp_path / "content" / path).parent.mkdir(exist_ok=True)
        (tmp_path / "content" / path).write_text(text, "utf-8")
    follow(look)
    follow(publish)
    forms, schemas = tmp_path / ".github/ISSUE_TEMPLATE", tmp_path / ".vscode/schemas"
    assert {form.stem for form in forms.iterdir()} == {"bridge", "river", "error"}
    assert {"bridge.json", "river.json"} <= {schema.name for schema in schemas.iterdir()}
    assert "project.json" not in (tmp_path / ".vscode/settings.json").read_text("utf-8")
    assert not (schemas / "project.json").exists()
    assert run_forked("build", "--strict", cwd=tmp_path).status == 0
    danube = json.loads((tmp_path / "build/api/rivers/slug/danube.json").read_bytes())
    assert danube["data"]["counts"] == {"bridges": 1}
    other = json.loads((tmp_path / f"build{danube['links']['bridges']}").read_bytes())
    assert [record["slug"] for record in other["data"]] == ["chain-bridge"]
    (query,) = re.findall(r"127\.0\.0\.1:8000(/api/\S+)'", look)
    asked = "list", "bridges", "--filter", "material=iron", "--filter", "river=danube"
    assert query.endswith("?mode=page&material=iron&river=danube")
    assert "chain-bridge" in run_forked(*asked, cwd=tmp_path).out
