"""`registry new --kind`: what it writes is without a fault, and the table can be imported."""

from __future__ import annotations

import csv
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.edit.changes import Refused, apply
from generator.edit.new_kind import NewKind, plan_kind, singular
from generator.edit.tables.sources import read
from generator.edit.workspace import open_registry
from generator.features.tables.run import Run
from support.commands import files, run
from support.registries import write

BOOKS = """\
Title,Written by,Published,Price (EUR),Genres,In print,First read,ISBN,Site,City,Country,Group by,X
Emma,jane austen,1815,"1.250,50","novel; romance",no,18.05.2019,0141439580,e.example,Bath,UK,a,
Frankenstein,Mary Shelley,1818,"7,00","novel; horror",yes,03.02.2020,0141439475,,London,UK,N/A,
Dracula,Bram Stoker,1897,"8,50",horror,yes,04.02.2020,0141439846,,Dublin,Ireland,c,
"""
AUTHORS = {"jane-austen": "Jane Austen", "mary-shelley": "Mary Shelley", "stoker": "Bram Stoker"}


def registry(folder: Path) -> Path:
    records = {slug: {"name": name} for slug, name in AUTHORS.items()}
    write(folder / "content", {"registry": {}, "authors": records})
    text = "name: Books\ndescription: Books.\nkinds:\n  authors:\n    one: author\n"
    (folder / "content/registry.yaml").write_text(text)
    return folder / "content"


def planned(folder: Path, table: Path | None, name: str = "books") -> NewKind:
    sheet = read(str(table)) if table else None
    return plan_kind(str(folder), open_registry(str(folder)), name, singular(name), sheet)


def test_the_columns_of_a_table_become_fields_and_its_rows_records(tmp_path: Path) -> None:
    folder = registry(tmp_path)
    (tmp_path / "books.csv").write_text(BOOKS, "utf-8")
    done = run("new", "--kind", "books", "--from", "books.csv", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    settings = open_registry(str(folder)).settings.own_kinds["books"]
    assert settings["one"] == "book" and settings["has"] == ["locations", "website", "year"]
    told = {
        key: (of["type"], of["many"] or False, of["of"] or of["currency"] or of["values"])
        for key, of in settings["fields"].items()
    }
    assert told == {
        "written_by": ("record", False, "authors"),
        "price": ("money", False, "EUR"),
        "genres": ("choice", True, {"novel": "novel", "romance": "romance", "horror": "horror"}),
        "in_print": ("boolean", False, None),
        "first_read": ("date", False, None),
        "isbn": ("text", False, None),
        "own_group_by": ("text", False, None),
    }
    text = (folder / "registry.yaml").read_text("utf-8")
    for comment in (
        '# "Written by" looks like names of authors',
        '# "First read" looks like dates, written day.month.year',
        '# "Group by" looks like texts; "group_by" is reserved',
        '# "X" → empty: left out',
    ):
        assert comment in text
    assert run("check", "--strict", cwd=tmp_path).status == 0
    done = run("import", "books.csv", "--map", "books.yaml", "--write", cwd=tmp_path)
    assert (done.status, done.err) == (0, "") and "3 files written" in done.out
    assert run("check", "--strict", cwd=tmp_path).out == "6 records, no problem.\n"
    assert "written_by: stoker" in (folder / "books/dracula.yaml").read_text("utf-8")
    again = run("new", "--kind", "books", "--from", "books.csv", cwd=tmp_path)
    assert again.status == 2 and "books.yaml exists already" in again.err


def test_without_a_table_a_kind_has_a_name(tmp_path: Path) -> None:
    folder = registry(tmp_path)
    before = (folder / "registry.yaml").read_text()
    with (folder / "registry.yaml").open("a") as file:
        file.write("      # ours\nlicense: CC0-1.0")
    for options in (("--kind", "music-halls"), ("--kind", "people", "--one", "person")):
        done = run("new", *options, cwd=tmp_path)
        assert (done.status, done.err) == (0, "")
    added = (
        "  music-halls:\n    one: music-hall\n    has: [website, tags]\n"
        "  people:\n    one: person\n    has: [website, tags]\n"
    )
    text = (folder / "registry.yaml").read_text("utf-8")
    assert text == f"{before}{added}      # ours\nlicense: CC0-1.0"
    (folder / "registry.yaml").write_text("name: Books\ndescription: Books.\n")
    assert run("new", "--kind", "authors", cwd=tmp_path).status == 0
    text = (folder / "registry.yaml").read_text("utf-8")
    assert text.endswith("\n\nkinds:\n  authors:\n    one: author\n    has: [website, tags]\n")
    assert run("new", "author", "Homer", cwd=tmp_path).status == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--kind", "people"), "--one WORD"),
        (("--kind", "Books"), "write books"),
        (("--kind", "users"), '"users" is reserved'),
        (("--kind", "authors"), 'there is a kind "authors"'),
        (("--kind", "books", "--set", "year=2020"), "leave out KIND, NAME"),
        (("--kind", "books", "--from", "books.abc"), "does not end in the name of a format"),
        (("--kind", "books", "--from", "numbers.csv"), "no column of numbers.csv"),
        (("--one", "book"), "registry new --kind PLURAL"),
        ((), "registry new project"),
    ],
)
def test_what_cannot_be_declared_is_refused(
    options: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    registry(tmp_path)
    (tmp_path / "books.abc").write_text("[]")
    (tmp_path / "numbers.csv").write_text("count\n1\n2\n")
    before = files(tmp_path)
    done = run("new", *options, cwd=tmp_path)
    assert done.status == 2 and told in done.err and files(tmp_path) == before


def test_a_table_without_rows_gives_fields_by_their_names(tmp_path: Path) -> None:
    folder, table = registry(tmp_path), tmp_path / "heads.csv"
    table.write_text("Name,Website,Country,Bananas\n")
    apply(str(folder), planned(folder, table, "heads").plan.changes)
    declared = open_registry(str(folder)).settings.own_kinds["heads"]
    assert declared["has"] == ["locations", "website"]
    assert {key: of["type"] for key, of in declared["fields"].items()} == {"bananas": "text"}


def test_fields_that_kinds_share_have_names_in_many_languages(tmp_path: Path) -> None:
    folder, table = registry(tmp_path), tmp_path / "libros.csv"
    table.write_text(
        "Obra,Página web,Año de fundación,Ciudad,País,Sources,Notes,Country of print\n"
        "Rayuela,rayuela.example,1963,París,Francia,https://a.example/;https://b.example/,x,\n"
        "Platero,platero.example,1914,Moguer,España,https://a.example/;https://c.example/,y,ES\n",
        "utf-8",
    )
    made = planned(folder, table, "obras")
    assert made.map_text.split("fields:\n")[1] == (
        "  name: Obra\n"
        "  website: {column: Página web, prefix: https://}\n"
        "  year: Año de fundación\n"
        "  locations.city: Ciudad\n"
        "  locations.country: País\n"
        "  sources: {column: Sources, split: ;}\n"
        "  description: Notes\n"
        "  country_of_print: Country of print\n"
    )


def test_headings_of_texts_are_names_and_no_cell_is_lost(tmp_path: Path) -> None:
    folder, table = registry(tmp_path), tmp_path / "posts.json"
    posts = [
        {"url": f"https://a.example/{i % 2}", "text": f"# Post {i}\n\n{i}.", "year": f"in {i % 2}"}
        for i in range(3)
    ]
    table.write_text(json.dumps(posts))
    made = planned(folder, table, "posts")
    assert made.map_text.split("fields:\n")[1] == (
        "  own_url: url\n"  # a website that two records have is none of theirs
        '  name: {column: text, match: "^# (.+)$"}\n'
        "  description: text\n"
        "  own_year: year\n"
    )


def test_lists_are_fields_with_several_values_and_names_may_be_in_any_letters(
    tmp_path: Path,
) -> None:
    folder, table = registry(tmp_path), tmp_path / "things.json"
    lists = [
        {"name": name, "pages": [f"https://{i}.example/"], "codes": ["x"], "sizes": [i]}
        for i, name in enumerate(("名", "前"))
    ]
    table.write_text(json.dumps(lists))
    made = planned(folder, table, "things")
    assert 'slug: "thing-{number}"' in made.map_text
    apply(str(folder), made.plan.changes)
    declared = open_registry(str(folder)).settings.own_kinds["things"]["fields"]
    assert {of["many"] for of in declared.values()} == {True} and len(declared) == 3
    (tmp_path / "things.yaml").write_text(made.map_text)
    done = run("import", "things.json", "--map", "things.yaml", "--write", cwd=tmp_path)
    assert (done.status, done.err) == (0, "") and "2 files written" in done.out
    assert 'sizes: ["1"]' in (folder / "things/thing-2.yaml").read_text()


def test_kinds_in_braces_are_not_changed(tmp_path: Path) -> None:
    folder = registry(tmp_path)
    text = "name: Books\ndescription: Books.\nkinds: {authors: {one: author}}\n"
    (folder / "registry.yaml").write_text(text)
    with pytest.raises(Refused, match="written in braces"):
        planned(folder, None)


WORDS = st.sampled_from(
    ["Mode", "Limit", "Name", "Year", "Tags", "Status", "Author", "Authors", "Price in EUR", "$",
     "2020", "Größe (m)", "Kind", "Fields", "Group by", "Group-by", "Website", "City", "Country",
     "Id", "Links", "Blurb", "Blurb!", "Source", "Location", "Era", "Genre", "Category",
     "Description", "名前"]
)  # fmt: skip
CELLS = st.sampled_from(
    [
        ["a", "b", "a", "b", "a"], ["C++", "C", "C#", "C", "C++"], ["yes", "no", "no", "yes", "x"],
        ["1", "2.5", "1,000", "7", "1e3"], ["1.234", "5", "6", "7", "8"],
        ["$1", "$2", "$3", "", ""],
        ["2020-01-31", "", "2020-02-01", "", ""], ["1/2/2020", "3/4/2021", "", "", "5/6/2020"],
        ["Jane Austen", "bram stoker", "", "", "Mary Shelley"], ["x|y", "y", "z|x", "x", "y"],
        ["https://a.example/", "https://b.example/x", "", "", ""], ["007", "008", "009", "1", "2"],
        ["Oslo, Norway", "Norway", "", "", ""], ["Norway", "UK", "", "US", "N/A"],
        ["one two", "three", "four: five", "# six", "- seven"], ["", "", "", "", ""],
        ["a.example", "b.example", "c.example", "", ""], ["no", "null", "~", "true", "1"],
        ["Online", "Oslo, Norway", "", "", ""], ["b; a", "a", "b", "", ""],
        ["a/b", "b", "a", "", ""],
        ["one line\nand another", "", "", "", ""], ["w" * 400, "", "", "", ""],
        ["1999", "2001", "2002", "", ""], ["a;b", "c;d", "e;f", "g", ""],
        ["-1", "2", "3", "4", "0"],
    ]
)  # fmt: skip


@given(st.dictionaries(WORDS, CELLS, max_size=8))
def test_any_table_becomes_a_kind_without_a_fault_and_is_imported(
    columns: dict[str, list[str]],
) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder, table = registry(Path(temporary)), Path(temporary, "things.csv")
        with (folder / "registry.yaml").open("a") as file:
            file.write(
                "tag_families: {era: {label: Era}, sort: {label: Genre, tags: {a: A, b: B}}}\n"
            )
        columns = {"Name": ["Ash", "Birch", "Cedar", "Date", "Elm"], **columns}
        columns["Name"] = ["Ash", "Birch", "Cedar", "Date", "Elm"]
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        made = planned(folder, table, "things")
        apply(str(folder), made.plan.changes)
        assert "things" in open_registry(str(folder)).settings.own_kinds
        chosen = Path(temporary, "things.yaml")
        chosen.write_text(made.map_text, "utf-8")
        how: dict[str, Any] = {"collection": "", "empty": None, "conflicts": "refuse"}
        done = Run(str(folder), str(table), form="csv", map_path=str(chosen), **how).done()
        assert not isinstance(done, list), done
        assert [p for p in done.problems if p.severity == "error"] == [], made
        assert {outcome.verdict for outcome in done.outcomes} == {"new"}
