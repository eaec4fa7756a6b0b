"""`leave_out` in registry.yaml: parts that are not published, and mentioned in no document."""

from __future__ import annotations

import json
import re
from pathlib import Path

import orjson
import pytest

from generator.agent.tools import tools
from generator.contract.addresses import FORMS
from generator.feature import publishing
from generator.grammar.grammar import Grammar
from generator.grammar.headers import METHODS
from generator.grammar.paths import AGENT_OVERVIEW, AGENT_TOOLS, INDEX, OPENAPI
from generator.kinds import built_in
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from support import awkward, commands, registries
from support.asked import EXACT, kinds, outcome, requests, tiered
from support.commands import files, run_forked

LEFT_OUT = ["sorts", "contexts", "event_pages"]
#: Files and addresses of the parts left out, wherever they are mentioned.
SPOKEN_OF = re.compile(rb"/sort/-|/agent/context/(?!overview)")


def written(folder: Path, leave_out: list[str] | None) -> Path:
    changed = {"leave_out": leave_out, "hosts": ["netlify", "apache"]}
    return registries.write(folder, registries.content(awkward.CONTENT, registry=changed))


def published(out: Path) -> dict[str, bytes]:
    """The files of an output, without files named by their content hash."""
    return {path: data for path, data in files(out).items() if not path.startswith("api/index/")}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A full build, and a build with all optional parts left out."""
    folder = tmp_path_factory.mktemp("leave-out")
    every, less = (
        commands.build(
            written(folder / name / "content", leave_out),
            folder / name / "out",
            "--as-of",
            awkward.AS_OF,
            site=True,
        )
        for name, leave_out in (("every", None), ("less", LEFT_OUT))
    )
    return every, less


def test_a_part_left_out_has_no_files_and_is_mentioned_nowhere(
    outputs: tuple[Path, Path],
) -> None:
    every, less = (published(out) for out in outputs)
    # The file of the search box says whether dates have pages; its name has a digest of that.
    for paths in (every, less):
        paths.pop(next(path for path in paths if re.fullmatch(r"assets/find-.*\.json", path)))
    assert less.keys() <= every.keys()
    gone = every.keys() - less.keys()
    events = {path.stem for path in (outputs[0] / "api/calendar/events/slug").iterdir()}
    pages = {f"calendar/{slug}/index.html" for slug in events}
    assert pages <= gone and any("/context/" in path for path in gone)
    # The site pages for other sort orders are removed too.
    rest = gone - pages
    assert any(path.startswith("projects/sort/") for path in rest)
    # Fewer files may need fewer bins of the manifest.
    assert all(re.search("/sort/|/context/|/bins/", path) for path in rest), sorted(rest)
    linked = re.compile(rf'/calendar/(?:{"|".join(sorted(events))})/["<#]'.encode())
    assert [path for path, data in less.items() if linked.search(data)] == []
    assert any(linked.search(data) for data in every.values())
    spoken = [
        path
        for path, data in less.items()
        if path.endswith((".json", ".md", ".html", ".txt", ".xml", "_redirects", ".htaccess"))
        and SPOKEN_OF.search(data)
    ]
    assert spoken == []
    assert json.loads(less[INDEX[1:]])["data"]["left_out"] == sorted(LEFT_OUT)
    assert json.loads(every[INDEX[1:]])["data"]["left_out"] == []
    assert AGENT_OVERVIEW[1:] in less


def test_records_and_other_lists_are_the_same(outputs: tuple[Path, Path]) -> None:
    every, less = (files(out) for out in outputs)
    for path, data in less.items():
        if re.match(r"api/.*/(slug|page|by|filters)/", path):
            assert data == every[path], path


def test_every_request_is_answered_and_the_query_tier_sorts(outputs: tuple[Path, Path]) -> None:
    every, less = map(Deployment.open, outputs)
    assert [c.prepared_sorts for c in less.grammar.collections.values()] == [
        ("name",),
        ("name",),
        ("name",),
        ("starts",),
    ]
    targets = requests(less.grammar, outputs[1])
    wrong = []
    for request in kinds(tiered(targets, less.grammar, outputs[1])):
        if request.method not in METHODS or request.file is None or request.file[0] != "/":
            continue
        found = answer(request.method, request.target, less)
        right = (
            request.method == "HEAD" or found.body == (outputs[1] / request.file[1:]).read_bytes()
        )
        came = outcome(request, found.status, request.file if right else "?")
        if came != EXACT:
            wrong.append((request, found.status))
    assert wrong == []
    for collection in every.grammar.collections.values():
        for sort in collection.prepared_sorts[1:]:
            for page in (1, 2):
                target = f"{collection.root}?mode=page&sort={sort}&page={page}"
                prepared, worked_out = (answer("GET", target, site) for site in (every, less))
                assert prepared.status == worked_out.status, target
                if prepared.status == 200:
                    prepared_answer, same = map(orjson.loads, (prepared.body, worked_out.body))
                    assert (same["data"], same["page"]) == (
                        prepared_answer["data"],
                        prepared_answer["page"],
                    ), target
                    assert same["query"] == prepared_answer["query"], target


def test_agents_are_offered_only_the_context_of_the_registry(outputs: tuple[Path, Path]) -> None:
    document = json.loads((outputs[1] / AGENT_TOOLS[1:]).read_bytes())
    (published_tool,) = (
        tool for tool in document["data"]["tools"] if tool["name"] == "build_context"
    )
    assert published_tool["input"]["properties"] == {}
    (offered_tool,) = (
        t for t in tools(Grammar(built_in(), left_out={"contexts"})) if t.name == "build_context"
    )
    assert offered_tool.templates == {"": AGENT_OVERVIEW}
    paths = json.loads((outputs[1] / OPENAPI[1:]).read_bytes())["paths"]
    assert not any("/context/" in path and "overview" not in path for path in paths)


def test_an_embedded_list_of_dates_links_to_pages_that_exist(outputs: tuple[Path, Path]) -> None:
    for out, has_pages in zip(outputs, (True, False), strict=True):
        page = (out / "embed" / "list" / "index.html").read_text("utf-8")
        told = json.loads(page.partition('id="page">')[2].partition("</script>")[0])["told"]
        assert told["collections"]["events"]["records"] is has_pages
        assert told["collections"]["projects"]["records"]


@pytest.mark.slow
@pytest.mark.parametrize("leave_out", [LEFT_OUT, None])
def test_a_partial_build_is_that_of_a_full_build(
    leave_out: list[str] | None, tmp_path: Path
) -> None:
    source = written(tmp_path / "content", LEFT_OUT)
    out = commands.build(source, tmp_path / "out", "--as-of", awkward.AS_OF, site=True)
    record = source / "projects" / "project-1.yaml"
    record.write_text(record.read_text().replace("2024", "2019"))
    written(tmp_path / "content", leave_out)
    record.write_text(record.read_text().replace("2024", "2019"))
    for folder in (out, tmp_path / "anew"):
        commands.build(source, folder, "--as-of", awkward.AS_OF, site=True)
    part, whole = files(out), files(tmp_path / "anew")
    del part["api/build.json"], whole["api/build.json"]
    assert part == whole


def test_an_unknown_word_is_refused_with_the_known_words(tmp_path: Path) -> None:
    source = written(tmp_path / "content", ["sort"])
    done = run_forked("check", "--content", source)
    assert done.status == 1
    assert "leave_out" in done.err + done.out and "sorts" in done.err + done.out


def test_features_left_out_publish_nothing_and_are_linked_nowhere(tmp_path: Path) -> None:
    """Every feature that publishes something, named in registry.yaml."""
    out = commands.build(
        written(tmp_path / "content", [*publishing()]), tmp_path / "out", site=True
    )
    forms = [
        re.compile(f"{form.folder}/{form.name}" if form.folder else form.name)
        for of in FORMS
        for form in of
    ]
    paths = [*files(out)]
    assert not [path for path in paths for form in forms if form.fullmatch(path)]
    page = (out / "index.html").read_text()
    linked = set(re.findall(r'href="(/[a-z/-]*/)"', page))
    assert linked and not [link for link in linked if not (out / link[1:] / "index.html").exists()]
    assert "match_names" not in (out / AGENT_TOOLS[1:]).read_text()
    listed = run_forked("list", "projects", "--from", out, "--format", "ndjson")
    assert listed.status == 0 and listed.out
