"""The documents match the code: options, fields, filters, problems, answers, links, commands."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import answers
import click
import pytest
from answers import ROOT
from packaging.requirements import Requirement

from generator.cli import commands
from generator.contract import published
from generator.contract.addresses import page_policies
from generator.contract.lock import field_tables, locked_schemas
from generator.features.embed import EMBEDS
from generator.features.tables.mapping import Map, ValueSource
from generator.grammar.grammar import ANY_TAG, Grammar
from generator.grammar.headers import MEDIA_POLICY, POLICY
from generator.grammar.parameters import MODE, PARAMETERS, Q
from generator.grammar.paths import MEDIA
from generator.grammar.refusals import PROBLEMS
from generator.kinds import built_in
from generator.kinds.added import with_added
from generator.kinds.declare import read_fields
from generator.kinds.models import Input, model_of
from generator.kinds.record import Record
from generator.kinds.types import Location
from generator.model.settings.list_files import Removal
from generator.model.settings.own_fields import Declaration, KindDeclaration
from generator.model.settings.registry import Nouns, Settings, TagFamily
from generator.outputs import agent_schema
from generator.published.check import check
from support.kinds import KINDS

AUTHORING, API, KINDS_PAGE, OPERATING, TABLES = (
    ROOT / "docs" / f"{name}.md" for name in ("authoring", "api", "kinds", "operating", "tables")
)
DOCUMENTS = [
    *answers.documents(),
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "generator" / "ARCHITECTURE.md",
]
LOCKS = [f"requirements{part}.txt" for part in ("", "-cluster", "-s3", "-links", "-build", "-dev")]
#: Installed besides the others if the machine has no Node.
NODE_LOCK = "requirements-node.txt"
GRAMMAR = Grammar(built_in(), {"family": "Family"})


def section(document: Path, title: str) -> str:
    """The text below a heading of level 2, up to the next heading of that level."""
    found = re.search(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", document.read_text("utf-8"), re.M | re.S
    )
    assert found is not None, f"{document.name} has no section {title!r}"
    return found[1]


def rows(text: str) -> Iterator[list[str]]:
    """The rows of the tables in a text, without their headers."""
    for head, body in re.findall(r"^(\|[^\n]*\|)\n\|[-| ]+\|\n((?:\|[^\n]*\|\n)+)", text, re.M):
        assert head
        for line in body.splitlines():
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


_FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def code(text: str) -> list[str]:
    """The texts in backquotes, without blocks of code."""
    return re.findall(r"`([^`]+)`", _FENCED.sub("", text))


# --- commands -------------------------------------------------------------------------------------


def command(name: str) -> click.Command:
    found = commands.get_command(click.Context(commands), name)
    assert found is not None
    return found


def with_tables(text: str, mark: str, table: Callable[[str], str]) -> str:
    """A text with the table of each name behind its mark, such as `<!-- options: build -->`."""
    pattern = rf"(<!-- {mark}: (\w+) -->\n)(\|.*\n)*"
    return re.sub(pattern, lambda found: f"{found[1]}{table(found[2])}\n", text)


def option_records() -> dict[str, list[tuple[str, str]]]:
    """For each command its options as `--help` prints them: name and value, meaning."""
    context = click.Context(commands)
    found: dict[str, list[tuple[str, str]]] = {}
    for name in commands.list_commands(context):
        shown = click.Context(command(name), info_name=name, parent=context)
        options = (p for p in command(name).params if isinstance(p, click.Option))
        found[name] = [record for o in options if (record := o.get_help_record(shown))]
    return found


def options_of(name: str) -> str:
    """A command's own options as a table; `shared` gives those of three commands or more."""
    records = option_records()
    users = Counter(record for options in records.values() for record in options)
    shared = {record: None for record in users if users[record] >= SHARED}
    own = shared if name == "shared" else [r for r in records[name] if r not in shared]
    lines = ["| option | meaning |", "|---|---|"]
    for option, meaning in own:
        words = re.sub(r"([0-9.]+)<=x<=([0-9.]+)", r"\1 to \2", meaning)
        words = re.sub(r"\[(.+?)\](?= |$)", r"(\1)", words.replace("x>=", "at least "))
        words = re.sub(r" +", " ", words)
        cells = (f"`{option}`", words)
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines)


#: An option that so many commands have is described once.
SHARED = 3


def test_the_tables_of_options_are_what_help_prints(regenerate: bool) -> None:
    made = with_tables(OPERATING.read_text("utf-8"), "options", options_of)
    if regenerate:
        OPERATING.write_text(made, "utf-8")
    assert OPERATING.read_text("utf-8") == made


def test_every_command_has_a_section_and_a_table_of_its_options() -> None:
    described = re.findall(r"<!-- options: (\w+) -->", OPERATING.read_text("utf-8"))
    with_options = [name for name in option_records() if "`" in options_of(name)]
    assert sorted(described) == sorted(["shared", *with_options])
    for name in option_records():
        assert described.count(name) == section(OPERATING, f"registry {name}").count("<!-- options")


# --- fields ---------------------------------------------------------------------------------------


#: The title of a section -> its document, and the models with the fields that its tables describe.
MODELS: dict[str, tuple[Path, tuple[type[Input], ...]]] = {
    "registry.yaml": (AUTHORING, (Settings, TagFamily, Nouns)),
    "removed.yaml": (AUTHORING, (Removal,)),
    "A kind": (KINDS_PAGE, (KindDeclaration,)),
    "Fields": (KINDS_PAGE, (Declaration,)),
    "The map": (TABLES, (Map, ValueSource)),
}


@pytest.mark.parametrize("title", MODELS)
def test_every_field_is_in_its_section_and_no_other_and_required_fields_have_a_star(
    title: str,
) -> None:
    document, models = MODELS[title]
    table = [(name, row[0]) for row in rows(section(document, title)) for name in code(row[0])]
    fields = [(field.alias or name, field) for model in models
              for name, field in model.model_fields.items()]  # fmt: skip
    assert {name for name, _ in table} == {name for name, _ in fields}
    required = {name for name, field in fields if field.is_required()}
    assert {name for name, cell in table if cell.endswith("*")} == required


def test_the_tables_of_fields_of_records_are_what_kinds_declare() -> None:
    text = AUTHORING.read_text("utf-8")
    assert field_tables(text, built_in()) == text, "run: registry schema --write"
    assert {*model_of(Location).model_fields} <= {*code(section(AUTHORING, "Places"))}


def test_the_policies_of_cloudfront_are_those_of_pages() -> None:
    text = (ROOT / "docs" / "host-aws.md").read_text("utf-8")
    for policy in (POLICY, page_policies()["/embed"], MEDIA_POLICY):
        assert f'"{policy}")\n' in text
    written = text.partition("cat > distribution.json <<END\n")[2].partition("\nEND\n")[0]
    behaviors = json.loads(written)["CacheBehaviors"]["Items"]
    patterns = [behavior["PathPattern"] for behavior in behaviors]
    assert patterns == [f"{EMBEDS}/*", f"{MEDIA}/*"]


# --- the API --------------------------------------------------------------------------------------


def test_the_tables_of_the_api_are_those_of_the_code() -> None:
    found = {
        code(row[0])[0]: (code(row[1].replace("tag_<family>", "tag_family")), code(row[2]))
        for row in rows(section(API, "Filters and sorts"))
    }
    every = GRAMMAR.collections.values()
    known = {c.name: [n for n in c.query_filters if n not in (ANY_TAG, *c.virtual)] for c in every}
    assert found == {c.name: (known[c.name], list(c.sorts)) for c in every}
    problems = {code(row[0])[0]: int(row[1]) for row in rows(section(API, "Problems"))}
    assert problems == {name: status for name, (status, _, _) in PROBLEMS.items()}
    addresses = rows(section(API, "Addresses"))
    assert {kind for row in addresses for kind in code(row[2])} == {
        *published.documents(built_in())
    }


def fields_of(name: str) -> str:
    """A collection's own fields as a table; `all` gives the fields that every kind has."""
    every = {
        c.name: agent_schema.fields(c.kind, GRAMMAR.kinds) for c in GRAMMAR.collections.values()
    }
    common = [each for each in every["projects"] if all(each in found for found in every.values())]
    own = common if name == "all" else [each for each in every[name] if each not in common]
    lines = ["| field | in a record | in lists | meaning |", "|---|---|---|---|"]
    for each in own:
        form, in_lists = (str(each[key]).replace(" | ", ", ") for key in ("type", "in_lists"))
        listed = {"None": "–", form: "likewise"}.get(in_lists, in_lists)
        lines.append(f"| `{each['name']}` | {form} | {listed} | {each['words']} |")
    return "\n".join(lines)


def test_the_tables_of_fields_are_those_of_the_published_schema(regenerate: bool) -> None:
    text = API.read_text("utf-8")
    made = with_tables(text, "fields", fields_of)
    if regenerate:
        API.write_text(made, "utf-8")
    assert re.findall(r"<!-- fields: (\w+) -->", text) == ["all", *GRAMMAR.collections]
    assert API.read_text("utf-8") == made


def parameters_of(_: str) -> str:
    """The table of the parameters of a list besides filters."""
    lines = ["| parameter | modes | meaning |", "|---|---|---|"]
    for p in (MODE, Q, *PARAMETERS):
        lines.append(f"| `{p.name}` | {', '.join(p.modes)} | {p.words} |")
    return "\n".join(lines)


def test_the_table_of_parameters_is_what_is_declared(regenerate: bool) -> None:
    made = with_tables(API.read_text("utf-8"), "parameters", parameters_of)
    if regenerate:
        API.write_text(made, "utf-8")
    assert "| `within` | count |" in made
    assert API.read_text("utf-8") == made


def test_every_key_of_every_document_is_named() -> None:
    text = API.read_text("utf-8")
    named = {*re.findall(r'"(\w+)":', text), *re.findall(r"\w+", " ".join(code(text)))}
    for name, schema in locked_schemas(KINDS)["$defs"].items():
        assert set(schema.get("properties", {})) <= named, name


# --- answers and examples -------------------------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return answers.build_content(tmp_path_factory.mktemp("answers") / "site")


ANSWERS = list(answers.answers())


@pytest.mark.parametrize("answer", ANSWERS, ids=[f"{a.document.name}:{a.path}" for a in ANSWERS])
def test_an_answer_in_the_documents_is_what_a_build_answers(
    answer: answers.Answer, site: Path
) -> None:
    documented = json.loads(answer.text)
    assert documented == answers.shorten(
        answers.part(site, answer.path, answer.keys), documented
    ), "run: python tests/docs/answers.py"


def test_every_block_of_json_is_compared_with_a_build() -> None:
    for document in (ROOT / "README.md", API):
        blocks = document.read_text("utf-8").count("```json")
        assert blocks == sum(answer.document == document for answer in ANSWERS), document.name


def test_the_examples_are_a_registry_without_a_problem(tmp_path: Path) -> None:
    blocks = re.findall(
        r"((?:<!-- file: \S+ -->\n)+)```\w+\n(.*?)```", AUTHORING.read_text("utf-8"), re.S
    )
    files = [(name, text) for names, text in blocks for name in re.findall(r"file: (\S+)", names)]
    kinds = {"registry.yaml", "removed.yaml", *KINDS}
    assert {name.partition("/")[0] for name, _ in files} == kinds
    for name, text in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert check(str(tmp_path), date(2026, 11, 21)).problems == []


@pytest.mark.parametrize("collection", KINDS)
def test_the_examples_use_every_field_of_a_kind(collection: str) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", section(AUTHORING, collection.capitalize()), re.S)
    used = {*re.findall(r"^(\w+):", "\n".join(blocks), re.M)}
    common = read_fields(with_added(Record))
    assert KINDS[collection].written.keys() - common.keys() <= used


# --- links, commands, locks -----------------------------------------------------------------------


def anchors(document: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: str(d.relative_to(ROOT)))
def test_links_and_commands_of_a_document_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", _FENCED.sub("", text)):
        if "://" not in target:
            name, _, anchor = target.partition("#")
            linked = (document.parent / name).resolve() if name else document
            assert linked.exists(), target
            assert not anchor or anchor in anchors(linked), target
    # In backquotes and in blocks of code.
    written = "\n".join([*code(text), *_FENCED.findall(text)])
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert set(re.findall(r"^make ([a-z-]+)", written, re.M)) <= {*targets}
    called = r"^(?:- run: )?(?:\S*/?registry|python -m generator) ([a-z]+)(.*)"
    for name, rest in re.findall(called, written, re.M):
        known = {option for p in command(name).params for option in p.opts}
        assert set(re.findall(r"(?<= )--[a-z-]+", rest)) <= known, f"registry {name}{rest}"


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", (ROOT / lock).read_text("utf-8"), re.M))


@pytest.mark.parametrize("lock", [*LOCKS, NODE_LOCK])
def test_a_lock_has_hashes_and_names_no_machine(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert not re.search(r"://|--index|--extra|--find|(?:^| )/", text, re.M)
    for block in re.split(r"\n(?=\S)", text):
        assert block.startswith("#") or "--hash=sha256:" in block, block


def test_the_locks_match_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    runtime, build = project["project"]["dependencies"], project["build-system"]["requires"]
    extras = project["project"]["optional-dependencies"]
    groups = project["dependency-groups"]
    required = {"requirements.txt": runtime,
             "requirements-cluster.txt": [*runtime, *extras["cluster"]],
             "requirements-s3.txt": [*runtime, *extras["s3"]],
             "requirements-links.txt": extras["links"],
             "requirements-build.txt": [*build, "editables"],
             "requirements-dev.txt": [*runtime, *build, *groups["dev"]],
             NODE_LOCK: groups["node"]}  # fmt: skip
    for lock, wanted in required.items():
        locked = pins(lock)
        for requirement in map(Requirement, wanted):
            assert locked.get(requirement.name.lower(), "") in requirement.specifier, (
                f"{requirement} in {lock}; run: make lock"
            )


def test_the_locks_agree() -> None:
    everything = pins("requirements-dev.txt")
    for lock in LOCKS:
        assert pins(lock).items() <= everything.items(), f"{lock}; run: make lock"


def test_make_lock_writes_every_lock() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    written = re.findall(r"--output-file (\S+)", makefile)
    assert sorted(written) == sorted(path.name for path in ROOT.glob("requirements*.txt"))


def test_the_page_of_tools_has_the_locked_versions() -> None:
    page = (ROOT / "docs" / "interop.md").read_text("utf-8")
    tested = [row for row in rows(page) if row[4].startswith("[every run]")]
    assert tested
    locked = {*pins("requirements-dev.txt").values()}
    assert [row[:2] for row in tested if row[1] not in locked] == []
