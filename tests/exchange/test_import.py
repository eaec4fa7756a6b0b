"""`registry import`: its preview, its refusals, and the changes of a second run."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from generator.cli import commands
from generator.dialect.libyaml import parse
from generator.problems.codes import codes
from support.commands import ROOT, Done, files

BASE = ROOT / "tests/content/base"

MAP = """\
kind: project
fields:
  name: Company
  website: {column: URL, prefix: "https://"}
  year: {column: Founded, date: "%d.%m.%Y"}
  tags.topic: {column: Sectors, split: ",", values: {Wellness: health, n/a: null}}
  tags.technology: {column: Tech, split: ","}
  locations: {column: HQ, split: ;}
  status: Status
  programs: {column: Batch}
  organizations: {value: [north-college]}
  team_size: Staff
  links.github: {column: Code, prefix: "https://github.com/"}
  fields.funding: Raised
"""
HEAD = "Company,URL,Founded,Sectors,Tech,HQ,Status,Batch,Staff,Code,Raised\n"
ROWS = (
    'Fjord Heat,fjord.example,17.05.2019,"Climate, wellness",Heat pumps,"oslo, norway;Germany",'
    'Acquired,Launch 2025,"1,200",fjord,"2,500,000"\n'
    '"Ærø ""Kraft""\nA/S",https://aeroe.example/,,n/a,"New Thing, heat-pump",'
    '"San Francisco, California, USA",,,,,0.5\n'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry with an own field, and a record in Oslo with comments."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(BASE, tmp_path / "content")
    settings = tmp_path / "content" / "registry.yaml"
    settings.write_text(
        settings.read_text() + "fields: {projects: {funding: {label: Funding, type: number}}}\n"
    )
    (tmp_path / "content/projects/quiet.yaml").write_text(
        "# ours\nname: Quiet Sea # the first\nwebsite: 'https://quiet.example/'\n"
        "tags:\n  topic:\n    - climate # why\n    - health\n"
        'locations:\n  - {country: "NO", city: Oslo}\n'
    )
    return tmp_path


def put(folder: Path, table: str = HEAD + ROWS, said: str = MAP) -> tuple[str, ...]:
    (folder / "companies.csv").write_text(table, "utf-8")
    (folder / "map.yaml").write_text(said, "utf-8")
    return "import", "companies.csv", "--map", "map.yaml"


def call(*asked: str) -> Done:
    """The result of a command in the working folder."""
    done = CliRunner().invoke(commands, asked, standalone_mode=False)
    if isinstance(done.exception, click.ClickException):
        return Done(done.exception.exit_code, done.stdout, done.exception.format_message())
    assert done.exception is None, done.exception
    return Done(done.return_value, done.stdout, done.stderr)


def test_rows_become_records_with_write(folder: Path) -> None:
    asked, before = put(folder), files(folder / "content")
    shown = call(*asked)
    assert (shown.status, shown.err) == (0, "") and files(folder / "content") == before
    assert "2 rows → projects: 2 new" in shown.out and "Add --write to write it" in shown.out
    for word in (
        'tags.topic: "Climate"  ',
        '→ "climate"',
        '"heat-pump"',
        'new; nearest: "heat-pumps"',
    ):
        assert word in shown.out
    done = call(*asked, "--write")
    assert done.status == 0 and "2 files written." in done.out
    after = files(folder / "content")
    assert parse(after.pop("projects/fjord-heat.yaml")) == {
        "name": "Fjord Heat",
        "status": "acquired",
        "year": 2019,
        "programs": ["launch-2025"],
        "organizations": ["north-college"],
        "team_size": 1200,
        "tags": {"topic": ["climate", "health"], "technology": ["heat-pumps"]},
        "locations": [{"country": "NO", "city": "Oslo"}, {"country": "DE"}],
        "website": "https://fjord.example",
        "links": {"github": "https://github.com/fjord"},
        "fields": {"funding": 2_500_000},
    }
    assert parse(after.pop("projects/aero-kraft-a-s.yaml")) == {
        "name": 'Ærø "Kraft" A/S',
        "organizations": ["north-college"],
        "tags": {"technology": ["new-thing", "heat-pump"]},
        "locations": [{"country": "US", "region": "California", "city": "San Francisco"}],
        "website": "https://aeroe.example/",
        "fields": {"funding": 0.5},
    }
    assert after == before
    assert call("check").status == 0
    again = call(*asked, "--write")
    assert again.status == 0 and "2 as they are" in again.out and "Nothing to do." in again.out


def test_a_row_of_an_existing_record_changes_only_mapped_fields(folder: Path) -> None:
    said = (
        "kind: project\nkey: website\nfields:\n  name: Company\n  website: URL\n"
        "  summary: Words\n  year: Founded\n  tags.topic: {column: Sectors, split: ','}\n"
        "  description: {column: Text, fill: true}\n"
    )
    head = "Company,URL,Words,Founded,Sectors,Text\n"
    asked = put(folder, head + 'Quiet Sea,http://www.quiet.example,A: #1,2001,"climate",\n', said)
    quiet = folder / "content/projects/quiet.yaml"
    shown = call(*asked)
    assert "1 changed" in shown.out and "tags.topic: − health" in shown.out
    assert "website: https://quiet.example/ → http://www.quiet.example" in shown.out
    assert call(*asked, "--write").status == 0
    assert quiet.read_text() == (
        '# ours\nname: Quiet Sea # the first\nsummary: "A: #1"\nyear: 2001\n'
        "website: http://www.quiet.example\ntags:\n  topic:\n    - climate # why\n"
        'locations:\n  - {country: "NO", city: Oslo}\n'
    )
    assert "1 as they are" in call(*asked, "--write").out

    # An empty cell keeps the field unless an option says otherwise; filled fields are not filled
    # again.
    asked = put(folder, head + "Quiet Sea,https://quiet.example,,,,Long\n", said)
    call(*asked, "--write")
    text = quiet.read_text()
    assert "summary: " in text and "year: 2001" in text and "description: Long\n" in text
    asked = put(folder, head + "Quiet Sea,https://quiet.example,,,,Longer\n", said)
    shown = call(*asked, "--empty", "remove")
    assert "    summary: A: #1 → nothing\n    year: 2001 → nothing\n    tags" in shown.out
    assert "Longer" not in shown.out
    assert call(*asked, "--empty", "remove", "--write").status == 0
    assert quiet.read_text() == (
        "# ours\nname: Quiet Sea # the first\ndescription: Long\nwebsite: https://quiet.example\n"
        'locations:\n  - {country: "NO", city: Oslo}\n'
    )


#: code -> the table, the map, and the records in addition to the base.
SAID: dict[str, tuple[str, str, dict[str, str]]] = {
    "table-syntax": ("Company,URL\nAurora Heat,\nQuiet Sea,https://quiet.example/,2020\n",
                     "kind: project\nfields:\n  name: Company\n", {}),
    "unknown-column": ("Company\nAurora Heat\n", "kind: project\nfields:\n  name: Compani\n", {}),
    "invalid-map": ("Company,Founded\nAurora Heat,2020\n", "kind: project\nfields:\n"
                    "  name: Company\n  year: {column: Founded, date: yyyy}\n", {}),
    "unmatched-value": ("Company,Sector\nAurora Heat,Climte\n", "kind: project\nfields:\n"
                        "  name: Company\n  tags.topic: Sector\n", {}),
    "row-conflict": ("Company,URL\nAurora Heat,https://aurora-grid.example/\n",
                     "kind: project\nfields:\n  name: Company\n  website: URL\n",
                     {"aurora-grid": "name: Aurora Grid\nwebsite: https://aurora-grid.example\n"}),
    "unchangeable": ("Company,Founded\nAurora Grid,2020\n", "kind: project\nfields:\n"
                     "  slug: {column: Company, values: {Aurora Grid: aurora-grid}}\n"
                     "  name: Company\n  year: Founded\n",
                     {"aurora-grid": "name: [Aurora\n"}),
    "formula": ("Company,Words\nAurora Heat,=A1&B1\n",
                "kind: project\nfields:\n  name: Company\n  summary: Words\n", {}),
}  # fmt: skip


@pytest.mark.parametrize("code", SAID)
def test_the_catalogue_has_the_messages_about_tables(code: str, folder: Path) -> None:
    table, said, records = SAID[code]
    for slug, text in records.items():
        (folder / "content/projects" / f"{slug}.yaml").write_text(text)
    before = files(folder / "content")
    if code == "formula":  # a warning
        done = call(*put(folder, table, said))
        assert done.status == 0
    else:
        done = call(*put(folder, table, said), "--write")
        assert done.status == 1 and done.err.endswith("Nothing was written.\n")
    assert files(folder / "content") == before
    told = re.split("[01] errors?, ", done.err)[0]
    assert told.strip() == codes()[code].said.strip()


@pytest.mark.parametrize(
    ("name", "raw", "said"),
    [
        ("t.csv", b"name\nCaf\xe9\n", "t.csv:2:4: error[table-syntax]"),
        ("t.csv", "name\nx\n".encode("utf-16"), "this file is saved as UTF-16"),
        ("t.csv", b'name,year\n"Fjord,2020\nNext,2021\n', "t.csv:2:1: "),
        ("t.csv", b'name\n"a"b\n', "t.csv:2:1: "),
        ("t.csv", b"", "the first row must name the columns"),
        ("t.csv", b"name,name\na,b\n", 'two columns have the name "name"'),
        ("t.csv", b"name,yaer\nA,2020\n", "t.csv:1:6: error[unknown-column]"),
        ("t.csv", b"year\n2020\n", 'neither a column "slug" nor a column "name"'),
        ("t.csv", b"name,year\nA,\xef\xbc\x92\n", "t.csv:2:3: error[wrong-type]"),
        ("t.csv", b"name\n\xe6\x9d\xb1\xe4\xba\xac\n", "no slug can be made from its name"),
        ("t.csv", b"name,locations.city\nA,Oslo\n", "every place needs a country"),
        ("t.csv", b"name\n" + b"x" * 300_000 + b"\n", "a cell is too long for a record"),
        ("t.json", b'[{"name": "A"},\n {"name": }]', "t.json:2:11: "),
        ("t.json", b'{"data": [{"name": "A"}]}', 'rows: "data"'),
        ("t.json", b"[" * 100_000, "nested too deep"),
        ("t.json", b'[{"name": "A", "name": "B"}]', 'the key "name" is there twice'),
        ("t.json", b'[{"name": "A", "year": NaN}]', "NaN is not a JSON number"),
        ("t.json", b'[{"name": "A", "year": 1' + b"0" * 5000 + b"}]", "t.json:1:2: "),
        ("t.json", b'[{"name": "A",\n  "year": [1, 2]}]', "t.json:2:3: error[wrong-type]"),
        ("t.json", b'[{"name": "a\\ud800"}]', "t.json:1:2: error["),
        ("t.json", b"[1]", "row 1 is not an object"),
        ("t.json", b'"name"', "this is not a list of rows"),
        ("t.ndjson", b'{"name": "A"}\n{"name": "B"} x\n', "t.ndjson:2:15: "),
        ("t.ndjson", b'{"name": "A", "tags": {"topic": ["climte"]}}', "t.ndjson:1:24: "),
        ("t.ndjson", b'{"name": "A", "locations": [{"city": "Oslo"}]}', "a place has a country"),
        ("t.ndjson", b'{"name": {"a": 1}}', "error[wrong-type]"),
        ("t.csv", b"name,description\nA,\x1b[31m\n", "t.csv:2:3: error[control-character]"),
    ],
)
def test_a_table_may_be_anything(folder: Path, name: str, raw: bytes, said: str) -> None:
    (folder / name).write_bytes(raw)
    before = files(folder / "content")
    done = call("import", name, "--kind", "project", "--write")
    assert done.status == 1 and said in done.err and files(folder / "content") == before
    assert "Traceback" not in done.err and "\x1b" not in done.err + done.out


def test_conflicts_are_listed_and_skipped_or_imported_on_request(
    folder: Path,
) -> None:
    (folder / "content/removed.yaml").write_text(
        "removed:\n  - {kind: project, slug: gone, date: 2026-05-04}\n"
    )
    table = (
        "Company,URL\nNew,\nquiet  SÉA,\nOther,https://www.quiet.example#x\n"
        "Twice,\ntwice,https://twice.example\nGone,\n"
    )
    said = "kind: project\nfields:\n  name: Company\n  website: URL\n"
    before = files(folder / "content")
    done = call(*put(folder, table, said), "--write")
    assert done.status == 1 and files(folder / "content") == before
    assert "1 new, 1 changed, 3 in conflict" in done.out.replace("2 new", "1 new")
    for words in ("content/projects/quiet.yaml has the same website", "row 5 is the same record",
                  "was removed for good on 2026-05-04"):  # fmt: skip
        assert words in done.err
    assert "--conflicts new makes a new record" in done.err
    done = call(*put(folder, table, said), "--conflicts", "new", "--write")
    assert done.status == 1 and "--conflicts new" not in done.err
    for words in (
        "if not, make them differ in the table",
        "to add a new record, give it another slug in the map, under slugs",
    ):
        assert words in done.err
    done = call(*put(folder, table, said), "--conflicts", "skip", "--write")
    assert done.status == 0, done.err
    after = files(folder / "content")
    assert after.keys() - before.keys() == {"projects/new.yaml", "projects/twice.yaml"}
    assert b"name: quiet S" in after["projects/quiet.yaml"]

    # The map identifies the records of single rows.
    told = said + "slugs: {Other: quiet, Gone: gone-2}\n"
    one = "Company,URL\nOther,https://quiet.example/b\nGone,\n"
    assert call(*put(folder, one, told), "--write").status == 0
    quiet = parse((folder / "content/projects/quiet.yaml").read_bytes())
    assert (quiet["name"], quiet["website"]) == ("Other", "https://quiet.example/b")
    assert (folder / "content/projects/gone-2.yaml").exists()
    two = "Company,URL\nAnother,https://quiet.example/b\n"
    assert call(*put(folder, two, said), "--write").status == 1
    done = call(*put(folder, two, said), "--conflicts", "new", "--write")
    assert done.status == 0 and (folder / "content/projects/another.yaml").exists()


def test_rows_of_other_kinds_refer_to_each_other_by_name(folder: Path) -> None:
    rows = [
        {"title": "Autumn", "kind": "Cohort", "of": "North College", "series": "The Series"},
        {"title": "The Series", "kind": "Program", "of": "north college"},
    ]
    (folder / "export.json").write_text(json.dumps({"result": {"items": rows}}))
    (folder / "map.yaml").write_text(
        "kind: program\nrows: result.items\nfields:\n  name: title\n  kind: kind\n"
        "  type: {value: accelerator}\n  organization: of\n  parent: series\n"
    )
    asked = "import", "export.json", "--map", "map.yaml", "--write"
    done = call(*asked)
    assert done.status == 0, done.err
    autumn = parse((folder / "content/programs/autumn.yaml").read_bytes())
    assert (autumn["parent"], autumn["organization"]) == ("the-series", "north-college")
    assert "2 as they are" in call(*asked).out
    rows[1]["series"] = "Autumn"
    (folder / "export.json").write_text(json.dumps({"result": {"items": rows}}))
    done = call(*asked)
    assert done.status == 1 and "error[parent-cycle]" in done.err


def test_a_table_with_semicolons_is_read_and_a_map_is_checked(folder: Path) -> None:
    asked = put(folder, '"Company";"URL"\n"A, B";https://a.example/\n',
                "kind: project\nfields:\n  name: Company\n  website: URL\n")  # fmt: skip
    assert "a-b" in call(*asked).out
    asked = put(folder, "Company\nA\n", "kind: project\nfields:\n  nam: Company\n  tags.topik: X\n")
    done = call(*asked)
    assert done.status == 1 and 'did you mean "name"?' in done.err
    assert "map.yaml:4:3: error[unknown-field]" in done.err
    empty = "kind: project\nfields:\n  name: {column: Company, split: ''}\n"
    told = call(*put(folder, "Company\nA\n", empty))
    assert told.status == 1 and "map.yaml:3:34: error[" in told.err
    put(folder, "Company\nA\n", "kind: project\nfields: {name: Company}\n")
    done = call(*asked, "--kind", "program")
    assert done.status == 1 and "the map is for another kind" in done.err
    done = call("import", "companies.csv")
    assert done.status == 2 and "--kind project" in done.err


def test_a_city_is_spelled_as_records_of_any_kind_spell_it(folder: Path) -> None:
    (folder / "content/organizations/dom.yaml").write_text(
        "name: Dom\ncategory: university\nlocations: [{country: DE, city: Köln}]\n"
    )
    said = "kind: project\nfields: {name: name, locations: locations}\n"
    asked = put(folder, 'name,locations\nA,"koln, Germany"\n', said)
    assert call(*asked, "--write").status == 0
    assert parse(files(folder / "content")["projects/a.yaml"])["locations"] == [
        {"country": "DE", "city": "Köln"}
    ]


def test_a_spreadsheet_file_is_refused_with_a_hint_at_csv(folder: Path) -> None:
    (folder / "t.XLSX").write_bytes(b"PK\x03\x04")
    done = call("import", "t.XLSX", "--kind", "project")
    assert done.status == 2 and "Save it as CSV UTF-8" in done.err
    (folder / "t.csv").write_text("name\nX\n")
    assert "t.csv: 1 row → projects: 1 new" in call("import", "t.csv", "--kind", "project").out


def test_the_marker_is_under_the_right_cell(folder: Path) -> None:
    (folder / "t.csv").write_text("name;year;summary\nX;soon, maybe;a b\n")
    done = call("import", "t.csv", "--kind", "project")
    assert done.status == 1
    assert "    2 | X;soon, maybe;a b\n      |   ^^^^^^^^^^^\n" in done.err


BY_WEBSITE = "kind: project\nkey: website\nfields:\n  name: Company\n  website: URL\n"


@pytest.mark.parametrize("slug", ["37signals", "basecamp", "basecamp-camp"])
def test_slugs_and_former_slugs_do_not_replace_the_key(folder: Path, slug: str) -> None:
    record = folder / "content/projects" / f"{slug}.yaml"
    aliases = "aliases: [basecamp]\n" * (slug == "37signals")
    record.write_text(f"name: 37signals\nwebsite: https://37signals.example/\n{aliases}")
    before = files(folder / "content")
    table = "Company,URL\nBasecamp,https://basecamp-hotel.example/\n"
    done = call(*put(folder, table, BY_WEBSITE), "--write")
    if slug == "basecamp-camp":
        assert done.status == 0 and (folder / "content/projects/basecamp.yaml").exists()
        return
    assert done.status == 1 and files(folder / "content") == before
    assert "error[row-conflict]" in done.err
    assert f"{slug}.yaml, which has a different web" in done.err
    line = re.search(r"write (slugs: \{.*?\}) in the map", done.err)
    assert line is not None
    own = line[1].replace(f": {slug}", ": basecamp-hotel")
    assert call(*put(folder, table, f"{BY_WEBSITE}{own}\n"), "--write").status == 0
    assert (folder / "content/projects/basecamp-hotel.yaml").exists()
    assert record.read_bytes() == before[f"projects/{slug}.yaml"]
    (folder / "content/projects/basecamp-hotel.yaml").unlink()
    assert call(*put(folder, table, f"{BY_WEBSITE}{line[1]}\n"), "--write").status == 0
    assert parse(record.read_bytes())["website"] == "https://basecamp-hotel.example/"


def test_a_row_without_a_slug_does_not_match_the_slug_of_its_name(
    folder: Path,
) -> None:
    (folder / "t.csv").write_text("slug,name,year\n,Aurora Grid,1999\naurora-grid,Aurora,2001\n")
    done = call("import", "t.csv", "--kind", "project")
    assert done.status == 1 and "but the row has no slug" in done.err
    assert 'write aurora-grid in the column "slug"' in done.err and "1 changed" in done.out
    (folder / "t.csv").write_text("name,year\nAurora-Grid,1999\n")
    assert "which has a different name" in call("import", "t.csv", "--kind", "project").err


def test_a_program_is_found_by_its_name_alone(folder: Path) -> None:
    (folder / "t.csv").write_text("name,summary\nlaunch,New words.\n")
    done = call("import", "t.csv", "--kind", "program", "--write")
    assert done.status == 0 and "1 changed" in done.out
    assert b"summary: New words." in files(folder / "content")["programs/launch.yaml"]
    other = (folder / "content/programs/launch.yaml").read_text()
    (folder / "content/programs/launch-2.yaml").write_text(
        other.replace("north-college", "south-college")
    )
    done = call("import", "t.csv", "--kind", "program")
    assert done.status == 1 and "several records have this name" in done.err


PLACES = "  - {country: US, region: Illinois, city: Chicago} # hq\n  - {country: NO, city: Oslo}\n"
PARTS = "  locations.country: C\n  locations.city: T\n"


@pytest.mark.parametrize(
    ("fields", "cells", "places"),
    [
        (PARTS, "US|NO,Chicago|Oslo", None),
        (PARTS, "NO|US,Oslo|Chicago", [{"country": "NO", "city": "Oslo"},
                                       {"country": "US", "region": "Illinois", "city": "Chicago"}]),
        (PARTS, "US,Chicago", [{"country": "US", "region": "Illinois", "city": "Chicago"}]),
        (PARTS, "US|NO,Chicago|", [{"country": "US", "region": "Illinois", "city": "Chicago"},
                                   {"country": "NO"}]),
        (PARTS, "US|NO,", None),
        (PARTS, "US|NO,Boston|Oslo", [{"country": "US", "city": "Boston"},
                                      {"country": "NO", "city": "Oslo"}]),
        ("  locations: {column: C, split: ;}\n", '"Chicago, USA; Norway",', None),
        ("  locations.country: C\n", "US|NO,", None),
        ("  locations.country: C\n", "SE,", [{"country": "SE"}]),
    ],
)  # fmt: skip
def test_parts_of_places_without_a_column_stay(
    folder: Path, fields: str, cells: str, places: object
) -> None:
    record = folder / "content/projects/aurora-grid.yaml"
    record.write_text(f"name: Aurora\nlocations:\n{PLACES}")
    before = record.read_bytes()
    said = f"kind: project\nfields:\n  name: N\n{fields}"
    done = call(*put(folder, f"N,C,T\nAurora,{cells}\n", said), "--write")
    assert done.status == 0, done.err
    if places is None:
        assert record.read_bytes() == before and "1 as they are" in done.out
    else:
        assert parse(record.read_bytes())["locations"] == places
        assert ("region: Illinois" in done.out) == ("Illinois" not in record.read_text())


def test_a_country_matches_all_its_places_and_an_empty_cell_none(
    folder: Path,
) -> None:
    record = folder / "content/projects/aurora-grid.yaml"
    two = [{"country": "US", "city": "Chicago"}, {"country": "US", "city": "Boston"}]
    record.write_text(f"name: Aurora\nlocations: {json.dumps(two)}\n")
    said = f"kind: project\nfields:\n  name: N\n{PARTS}"
    assert "1 as they are" in call(*put(folder, "N,C,T\nAurora,US,\n", said)).out
    asked = put(folder, "N,C,T\nAurora,US,\n", said)
    assert call(*asked, "--empty", "remove", "--write").status == 0
    assert parse(record.read_bytes())["locations"] == [{"country": "US"}]


def test_a_place_of_an_exported_document_is_whole(folder: Path) -> None:
    record = folder / "content/projects/aurora-grid.yaml"
    record.write_text("name: Aurora\nlocations: [{country: US, city: Chicago}]\n")
    rows = [{"slug": "aurora-grid", "locations": [{"country": "US"}]}]
    (folder / "t.json").write_text(json.dumps(rows))
    done = call("import", "t.json", "--kind", "project", "--write")
    assert done.status == 0 and parse(record.read_bytes())["locations"] == [{"country": "US"}]
    assert "locations: − {country: US, city: Chicago} + {country: US}" in done.out


def test_no_change_is_truncated(folder: Path) -> None:
    record = folder / "content/projects/aurora-grid.yaml"
    places = [{"country": "US", "region": f"Region {n}", "city": f"City {n}"} for n in range(9)]
    record.write_text(f"name: Aurora\nlocations: {json.dumps(places)}\n")
    said = "kind: project\nfields:\n  name: N\n  year: Y\n  locations.country: C\n"
    done = call(*put(folder, "N,Y,C\nAurora,1999,NO\n", said))
    assert "    year: nothing → 1999\n" in done.out and "…" not in done.out
    assert all(f"region: Region {n}, city: City {n}}}" in done.out for n in range(9))


def test_formulas_are_reported_once_per_column(folder: Path) -> None:
    table = "name,summary\n=SUM(A1),a\n'=Kept,b\n#REF!,c\nD,d\n"
    (folder / "t.csv").write_text(table)
    done = call("import", "t.csv", "--kind", "project")
    assert done.err.count("warning[formula]") == 1 and "; 1 more cell like it" in done.err
    said = (
        "kind: project\nfields:\n  name: name\n  summary: {column: summary, values: {'#N/A': }}\n"
    )
    assert "formula" not in call(*put(folder, "name,summary\nA,#N/A\n", said)).err


FOUNDED = "kind: project\nfields:\n  name: N\n  year: Founded\n"


@pytest.mark.parametrize(
    ("days", "forms"),
    [
        (["04.10.2004", "5.1.2019", "2018"], ["%d.%m.%Y"]),
        (["04/10/2004", "05/11/2019"], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["04/10/2004", "05/21/2019"], ["%m/%d/%Y"]),
        (["2004-10-04", "2005-01-02"], ["%Y-%m-%d"]),
        (["04.10.04 00:00", "31.12.99 12:30"], ["%d.%m.%y %H:%M"]),
        (["04.10.2004", "05/21/2019"], []),
    ],
)
def test_dates_in_another_format_are_one_problem(
    folder: Path, days: list[str], forms: list[str]
) -> None:
    table = "N,Founded\n" + "".join(f"A{i},{day}\n" for i, day in enumerate(days))
    done = call(*put(folder, table, FOUNDED), "--write")
    assert done.status == 1 and "1 error, 0 warnings" in done.err
    assert "like it\n" in done.err
    lines = re.findall(r'year: \{column: Founded, date: "(.*?)"\}', done.err)
    assert lines == forms and ("in several ways" in done.err) == (not forms)
    for form in forms:
        said = FOUNDED.replace("Founded", f'{{column: Founded, date: "{form}"}}')
        done = call(*put(folder, table, said), "--write")
        assert done.status == 0, done.err
        record = parse((folder / "content/projects/a0.yaml").read_bytes())
        assert record["year"] == 2004


def test_a_cell_in_another_format_is_explained(folder: Path) -> None:
    said = FOUNDED.replace("Founded", '{column: Founded, date: "%d.%m.%Y"}')
    done = call(*put(folder, "N,Founded\nA,2019\nB,May 2019\n", said))
    assert "1 new" in done.out and (
        'the map says that Founded is written day.month.year; this cell has "May 2019"' in done.err
    )
    said = (
        "kind: event\nfields:\n  name: N\n  kind: {value: event}\n"
        '  starts: {column: D, date: "%d.%m.%Y"}\n'
    )
    done = call(*put(folder, "N,D\nA,2019\n", said))
    assert done.status == 1 and 'this cell has "2019"' in done.err
    done = call(*put(folder, "N,D\nA,2.3.2027\n", said.replace(', date: "%d.%m.%Y"', "")))
    assert done.status == 1 and 'starts: {column: D, date: "%d.%m.%Y"} (day.month.' in done.err


@pytest.mark.parametrize("first", ["sep=;", "SEP=|", '"sep=;"', "sep=\t", "sep='"])
def test_a_first_line_may_set_the_delimiter(folder: Path, first: str) -> None:
    at = first.strip('"')[-1]
    rows = [first, f"name{at}year", f"A, B; C{at}soon", f"D{at}2019"]
    (folder / "t.csv").write_text("\r\n".join(rows).replace("; C", " C") + "\r\n", newline="")
    done = call("import", "t.csv", "--kind", "project")
    assert "2 rows → projects: 1 new, 1 with errors" in done.out and "a-b-c" in done.out
    assert "t.csv:3:8: error[wrong-type]\n  row 2: year" in done.err and "soon\n" in done.err
    (folder / "t.csv").write_text(f"{first}\nname{at}yaer\nA{at}1\n")
    assert "t.csv:2:6: error[unknown-column]" in call("import", "t.csv", "--kind", "project").err
    (folder / "t.csv").write_text(f"{first}\n")
    assert "t.csv:2:1: error[table-syntax]" in call("import", "t.csv", "--kind", "project").err


# --- what can be read in several ways -------------------------------------------------------------

PLACED = "kind: project\nfields:\n  name: Company\n  locations: {column: HQ%s}\n"


def places_of(folder: Path, slug: str) -> object:
    return parse((folder / f"content/projects/{slug}.yaml").read_bytes()).get("locations")


def test_a_last_part_with_several_readings_stops_until_the_map_decides(folder: Path) -> None:
    table = (
        'Company,HQ\nA,"San Francisco, CA"\nB,"Atlanta, Georgia"\nC,"Berlin, DE"\nD,"Oakland, CA"\n'
        'E,"Prishtina, XK"\nF,"Los Angeles, CA, U.S."\nG,"Austin, Texas"\nH,Georgia\nI,"Kiel, EU"\n'
    )
    before = files(folder / "content")
    done = call(*put(folder, table, PLACED % ""), "--write")
    assert done.status == 1 and files(folder / "content") == before
    assert "2 new, 7 with errors" in done.out
    assert re.search(
        r'"CA" +unknown; can be Canada \(CA\) or California, United States +2×', done.out
    )
    message = 'locations: "Georgia" can mean Georgia (GE) or Georgia, United States (2 cells)'
    assert message in done.err
    assert 'country: "EU" is not among the countries' in done.err and "nearest" not in done.err
    lines = dict(re.findall(r"values: \{(\w+): (\{.*?\}|\w+)\}(?=; or map)", done.err))
    assert lines.pop("CA") == "{country: US, region: California}" and lines.keys() == {
        "DE", "Georgia", "Texas"
    }  # fmt: skip
    said = "CA: {country: US, region: California}, DE: DE, EU: null, Texas: 'Texas, USA'"
    said += ", Georgia: {country: US, region: Georgia}"
    done = call(*put(folder, table, PLACED % f", values: {{{said}}}"), "--write")
    assert done.status == 1 and 'country: "Kiel"' in done.err
    table = table.replace('I,"Kiel, EU"\n', "")
    done = call(*put(folder, table, PLACED % f", values: {{{said}}}"), "--write")
    assert done.status == 0, done.err
    us = {"country": "US", "region": "California"}
    assert places_of(folder, "a") == [us | {"city": "San Francisco"}]
    assert places_of(folder, "c") == [{"country": "DE", "city": "Berlin"}]
    assert places_of(folder, "g") == [{"country": "US", "region": "Texas", "city": "Austin"}]
    assert places_of(folder, "h") == [{"country": "US", "region": "Georgia"}]
    # A code and a name of a region are spelled as records spell it.
    assert places_of(folder, "f") == [{"country": "US", "region": "CA", "city": "Los Angeles"}]
    more = put(folder, 'Company,HQ\nK,"Fresno, California, USA"\n', PLACED % "")
    assert call(*more, "--write").status == 0
    assert places_of(folder, "k") == [us | {"city": "Fresno"}]


def test_a_column_names_the_country_of_the_places_in_another(folder: Path) -> None:
    said = PLACED % "" + "  locations.country: Country\n"
    table = (
        'Company,HQ,Country\nA,"San Francisco, CA",United States\nB,"Tbilisi, Georgia",Georgia\n'
        'C,"Atlanta, Georgia",US\nD,Lebanon,US\nE,,Canada\nF,"Berlin, DE",Deutschland\n'
    )
    done = call(*put(folder, table, said), "--write")
    assert done.status == 0, done.err
    assert [places_of(folder, slug) for slug in "abcdef"] == [
        [{"country": "US", "region": "CA", "city": "San Francisco"}],
        [{"country": "GE", "city": "Tbilisi"}],
        [{"country": "US", "region": "Georgia", "city": "Atlanta"}],
        [{"country": "US", "city": "Lebanon"}],
        [{"country": "CA"}],
        [{"country": "DE", "city": "Berlin"}],
    ]
    done = call(*put(folder, 'Company,HQ,Country\nG,"Paris, France",US\n', said))
    assert done.status == 1 and "it ends with France, but its country is United States" in done.err
    done = call(*put(folder, table, said.replace("country:", "city:")))
    assert "locations and locations.city both give places" in done.err


TECH = "kind: project\nfields:\n  name: N\n  tags.technology: {column: T, split: ','%s}\n"
SIZE = "kind: project\nfields:\n  name: N\n  fields.size: {column: T%s}\n"


def test_different_words_with_one_slug_stop_until_the_map_decides(folder: Path) -> None:
    table = 'N,T\nX,"C++,Sea Water"\nY,C#\nZ,"c,sea-water"\n'
    before = files(folder / "content")
    done = call(*put(folder, table, TECH % ""), "--write")
    assert done.status == 1 and files(folder / "content") == before and "3 with errors" in done.out
    assert '"C++", "C#" and "c" would become the same word, "c" (3 cells)' in done.err
    assert "sea" not in done.err.lower().replace("sea water", "", 1)  # the line of the table
    words = ", values: {C++: cpp, 'C#': csharp}"
    assert call(*put(folder, table, TECH % words), "--write").status == 0
    tags = parse((folder / "content/projects/y.yaml").read_bytes())["tags"]
    assert tags == {"technology": ["csharp"]}
    # A tag in use is another word if something is lost, but not to the same row once more.
    alone = put(folder, "N,T\nV,C++\nW,R&D\n", TECH % "")
    done = call(*alone)
    assert '"C++" and "c", which is in use, would become the same word' in done.err
    (folder / "content/projects/z.yaml").unlink()
    assert call(*alone, "--write").status == 0 and "2 as they are" in call(*alone).out


def test_a_tag_in_use_is_not_new_and_a_word_without_a_slug_gets_the_reason(folder: Path) -> None:
    organization = "name: Dom\ncategory: university\ntags: {technology: [wind-power]}\n"
    (folder / "content/organizations/dom.yaml").write_text(organization)
    done = call(*put(folder, "N,T\nX,Wind power\nY,Tide\nZ,日本\n", TECH % ""))
    assert re.search(r'"Wind power" +→ "wind-power" +1×', done.out)
    assert re.search(r'"Tide" +→ "tide", new +1×', done.out)
    assert '"日本" has no Latin letters or digits, so no slug can be made of it' in done.err


def test_a_choice_takes_no_word_of_which_a_sign_is_lost(folder: Path) -> None:
    settings = folder / "content/registry.yaml"
    own = "size: {label: Size, type: choice, values: {10: Ten, 11-50: 11 to 50}}"
    settings.write_text(settings.read_text().replace("{funding:", f"{{{own}, funding:"))
    table = "N,T\nA,<10\nB,>10\nC,-10\nD,10\nE,11–50\nF,11 To 50\n"
    done = call(*put(folder, table, SIZE % ""), "--write")
    assert done.status == 1 and "3 new, 3 with errors" in done.out
    for word in ("<10", ">10", "-10"):
        assert f'"{word}" is not among fields.projects.size.values (1 cell)' in done.err
    words = ", values: {<10: 10, '>10': 11-50, '-10': 10}"
    assert call(*put(folder, table, SIZE % words), "--write").status == 0


def test_a_name_of_several_records_is_no_reference(folder: Path) -> None:
    launch = (folder / "content/programs/launch.yaml").read_text()
    (folder / "content/programs/launch-b.yaml").write_text(launch)
    said = "kind: project\nfields:\n  name: N\n  programs: {column: P}\n"
    done = call(*put(folder, "N,P\nX,Launch\nY,launch\n", said))
    assert 'programs: "Launch" can mean Launch (launch) or Launch (launch-b) (1 cell)' in done.err
    assert "values: {Launch: launch-b}" in done.err and "1 new, 1 with errors" in done.out


# --- records with the same slug -------------------------------------------------------------------


def test_records_with_other_keys_get_a_free_slug(folder: Path) -> None:
    names = "kind: project\nfields: {name: N}\n"
    asked = put(folder, "N\nC\nC++\nEdge Pro\nEdge Pro+\n", names)
    done = call(*asked, "--write")
    assert done.status == 0 and "4 new" in done.out, done.err
    slugs = {path.stem for path in (folder / "content/projects").iterdir()}
    assert {"c", "c-2", "edge-pro", "edge-pro-2"} <= slugs
    assert "4 as they are" in call(*asked).out

    days = "name,kind,starts\nDemo day,event,2026-05-30\n"
    days += "Demo day,event,2027-05-29\nDemo day,event,2027-11-29\nDEMO DAY,event,2027-05-29\n"
    (folder / "t.csv").write_text(days)
    done = call("import", "t.csv", "--kind", "event", "--conflicts", "skip", "--write")
    assert done.status == 0 and "2 new, 1 as they are, 1 in conflict" in done.out
    assert "row 3 is the same record" in done.out
    slugs = {path.stem for path in (folder / "content/events").iterdir()}
    assert slugs == {"demo-day", "demo-day-2027", "demo-day-2"}

    college = (folder / "content/organizations/north-college.yaml").read_text()
    (folder / "content/organizations/south-college.yaml").write_text(
        college.replace("North", "South").replace("north", "south")
    )
    said = (
        "kind: program\nfields:\n  name: N\n  organization: O\n  kind: {value: program}\n"
        "  type: {value: accelerator}\n"
    )
    asked = put(folder, "N,O\nLaunch,South College\nLaunch,North College\n", said)
    assert "1 new, 1 as they are" in call(*asked, "--write").out
    assert (folder / "content/programs/launch-south-college.yaml").exists()
    assert "2 as they are" in call(*asked).out


def test_a_map_names_several_columns_for_the_key_and_the_slug(folder: Path) -> None:
    table = "Company,Town,Y\nPhoenix,Oslo,2019\nPhoenix,Bergen,2020\nPHOENIX,oslo,2021\n"
    said = (
        "kind: project\nkey: [name, locations.city]\nslug: [Company, Town]\nfields:\n"
        '  name: Company\n  locations.city: Town\n  locations.country: {value: "NO"}\n  year: Y\n'
    )
    done = call(*put(folder, table, said), "--conflicts", "skip", "--write")
    assert done.status == 0 and "2 new, 1 in conflict" in done.out, done.err
    assert {"phoenix-oslo", "phoenix-bergen"} <= {
        path.stem for path in (folder / "content/projects").iterdir()
    }
    done = call(*put(folder, table.replace("PHOENIX,oslo,2021\n", ""), said))
    assert "2 as they are" in done.out
    # Without a key, the slug is the key; a column without a field may be part of it.
    said = "kind: project\nfields:\n  name: Company\n  slug: [Company, Y]\n"
    done = call(*put(folder, table, said), "--conflicts", "new", "--write")
    assert done.status == 0 and (folder / "content/projects/phoenix-2021.yaml").exists()
    assert "3 as they are" in call(*put(folder, table, said)).out


def test_a_text_that_a_prefix_makes_no_address_is_reported_once(folder: Path) -> None:
    said = 'kind: project\nfields:\n  name: N\n  website: {column: U, prefix: "https://"%s}\n'
    table = "N,U\nA,N/A\nB,N/A\nC,c.example\nD,n a\n"
    done = call(*put(folder, table, said % ""))
    assert done.status == 1 and "1 new, 3 with errors" in done.out
    assert done.err.count("error[invalid-url]") == 2 and "; 1 more cell like it" in done.err
    for word in ("N/A", "n a"):
        assert f"if this is no address, write values: {{{word}: null}} in the map" in done.err
    words = ", values: {n/a: null, n a: null}"
    assert call(*put(folder, table, said % words), "--write").status == 0


def test_a_key_that_one_of_many_files_lacks_is_an_empty_cell(folder: Path) -> None:
    said = "kind: project\nfields: {name: name, website: links.home, year: founded}\n"
    (folder / "map.yaml").write_text(said)
    (folder / "a.json").write_text('[{"name": "A", "founded": 2020}]')
    done = call("import", "a.json", "--map", "map.yaml", "--write")
    assert done.status == 0 and "1 file written." in done.out
    assert 'warning[unknown-column]\n  the table has no column "links.home"' in done.err
    assert call(*put(folder, "name\nA\n", said)).status == 1  # a table in CSV has all its columns


def test_an_excerpt_after_a_line_separator_shows_the_right_line(folder: Path) -> None:
    (folder / "t.csv").write_text("name,year\nA\u2028B\x85C\x0bD,2020\nE,soon\n")
    assert "    3 | E,soon\n      |   ^^^^\n" in call("import", "t.csv", "--kind", "project").err
    (folder / "t.json").write_text('[{"name": "A\u2028B"},\r{"name": "E", "year": "soon"}]')
    done = call("import", "t.json", "--kind", "project")
    assert '    2 | {"name": "E", "year": "soon"}]\n' in done.err


def test_a_comma_in_a_number_is_what_the_map_says(folder: Path) -> None:
    said = "kind: project\nfields: {name: N, fields.funding: {column: F%s}}\n"
    for table in ("N;F\nA;1,250\n", 'N,F\nA,"0,5"\n'):
        done = call(*put(folder, table, said % ""))
        assert done.status == 1 and "has a comma; the map must say what it means" in done.err
        assert 'write number: "," (decimal comma) or number: "." (decimal point)' in done.err
    assert call(*put(folder, "N;F\nA;1,250\n", said % ", number: ','"), "--write").status == 0
    assert call(*put(folder, "N;F\nB;1,250\n", said % "" + "number: .\n"), "--write").status == 0
    records = [parse((folder / f"content/projects/{n}.yaml").read_bytes()) for n in "ab"]
    assert [record["fields"]["funding"] for record in records] == [1.25, 1250]


def test_a_row_that_names_the_columns_may_be_any(folder: Path) -> None:
    said = "kind: project\nheader: 3\nfields: {name: Company}\n"
    assert "row 4  new  a" in call(*put(folder, "Report\n\nCompany,X\nA,1\n", said)).out
    done = call(*put(folder, "Report\n", said))
    assert done.status == 1 and "row 3 must name the columns" in done.err
    (folder / "t.json").write_text('[{"Company": "A"}]')
    done = call("import", "t.json", "--map", "map.yaml")
    assert done.status == 1 and "only a table in CSV has a row that names" in done.err
