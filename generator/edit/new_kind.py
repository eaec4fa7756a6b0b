"""Writes the first declaration of a kind in registry.yaml from the columns of a table, and the map
that imports the table.  A person edits both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from generator.dialect import values
from generator.dialect.folder import REGISTRY_FILE
from generator.dialect.tree import UNSAFE, SyntaxTree, Unchangeable, parse_or_raise
from generator.edit.changes import FileChange, Plan, Refused, read
from generator.edit.guesses.cells import Column, Guess
from generator.edit.guesses.fits import fit
from generator.edit.guesses.map_lines import field_line, key_lines
from generator.edit.guesses.own import OwnFields
from generator.edit.guesses.propose import Proposal, propose
from generator.edit.similar import existing_records
from generator.edit.tables.columns import CellColumn, columns
from generator.edit.tables.sheet import Sheet
from generator.edit.words import WordList
from generator.edit.workspace import OpenRegistry
from generator.kinds.own import DEFAULT_HAS, field_settings, kind_settings
from generator.kinds.rules import MAX_FIELDS, MAX_RELATIONS, Broken, broken_rules
from generator.model.settings.own_fields import currencies
from generator.problems.faults import shorten

#: The fields that kinds share, and those that own kinds may have, of which columns are one.
_SHARED = ("slug", "name", "summary", "description", "sources")
_PARTS = ("tags", "locations", "website", "year")
_IN_LISTS = 5  # own fields that lists show
_NO_TABLE = Sheet("", (), ())


class NewKind(NamedTuple):
    """The change of registry.yaml, the lines that it adds, and the map of the table."""

    plan: Plan
    added: str
    map_text: str


def singular(word: str) -> str:
    """The singular of an English plural; "" if the plural does not say it."""
    for ending, one in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending) + one
    return ""


def plan_kind(
    folder: str, known: OpenRegistry, name: str, one: str, table: Sheet | None, rows: str = ""
) -> NewKind:
    """A new kind with the folder `name`; `one` is the word for a single record, and `rows` the
    place of the rows in the table.  Raises Refused.
    """
    if name in known.content.kinds:
        raise Refused(f'there is a kind "{name}" already')
    proposals = _proposals(known, name, one, table or _NO_TABLE)
    _limit(proposals)
    if table is not None and "name" not in {each.field for each in proposals}:
        raise Refused(
            f"no column of {table.path} has a different text in each row, like a name: "
            'call the column with the names "name"'
        )
    fields = _allowed(known, name, one, proposals)
    lines = list(_declaration(name, one, proposals, fields, table is not None))
    raw = read(folder, REGISTRY_FILE) or b""
    after, added = _with_kind(raw, name, lines)
    text = _map_text(name, one, proposals, rows) if table else ""
    plan = Plan([FileChange(REGISTRY_FILE, raw, after)], [], (REGISTRY_FILE,))
    return NewKind(plan, added, text)


def _proposals(known: OpenRegistry, name: str, one: str, table: Sheet) -> list[Proposal]:
    """The field of each column: one that kinds share, or an own field."""
    settings = known.settings
    declared = {name: {"one": one, "has": _PARTS}}
    kinds = settings.bare.having({}, declared, settings.without_kinds or ())
    by_name = columns(name, settings, kinds)
    fields = {key: by_name[key] for key in by_name if by_name[key].loc[0] in (*_SHARED, *_PARTS)}
    words = {
        f"tags.{family}": WordList.from_labels(of.labels or {}, "slug")
        if of.tags is None
        else WordList.from_labels(of.tags)
        for family, of in settings.families.items()
    }
    found = (Column.of(table.rows, of) for of in dict.fromkeys(filter(None, table.columns)))
    every = [column for column in found if column is not None]
    shared = propose(every, fields, words, kinds[name], whole=True)
    many, language = name.replace("-", " "), settings.declared_language
    own = OwnFields(many, _records(known), currencies(), language)
    result = list[Proposal]()
    for column in every:
        given = [each for each in shared if each.column.name == column.name]
        result += given
        if all("match" in each.guess.source for each in given):  # a heading alone, or nothing
            taken = {each.field for each in (*shared, *result)}
            result.append(_own(column, own, None if "description" in taken else fields))
    return result


def _own(column: Column, own: OwnFields, fields: Mapping[str, CellColumn] | None) -> Proposal:
    """The own field that a column is, or the description among these fields if it is too long."""
    if column.cells and not column.texts:
        return Proposal("", column, Guess(0, "empty: left out"))
    if (each := own.propose(column)) is not None:
        return each
    how = fit(column, fields["description"], None) if fields else None
    if how is not None and not how.source:
        return Proposal("description", column, how)
    return Proposal("", column, Guess(0, "too long for a field: left out"))


def _limit(proposals: Sequence[Proposal]) -> None:
    """Leave out fields and relations that are too many, and show the first in lists."""
    declared = [each for each in proposals if each.guess.settings]
    for each in declared[MAX_FIELDS:]:
        each.field = ""
        each.guess.words += f"; left out: {MAX_FIELDS} fields are the most"
    relations = [each for each in declared if each.guess.settings["type"] == "record"]
    for each in relations[MAX_RELATIONS:]:
        each.guess.settings = {"label": each.guess.settings["label"], "type": "text"}
    for each in declared[:_IN_LISTS]:
        each.guess.settings["summary"] = True


def _records(known: OpenRegistry) -> dict[str, WordList]:
    """The records of all kinds by collection."""
    records = {}
    for collection in known.content.kinds:
        data = {of.source.slug: of.data for of in existing_records(known.content, collection)}
        if data:
            names = {slug: str(fields.get("name") or slug) for slug, fields in data.items()}
            records[collection] = WordList.from_labels(names)
    return records


def _allowed(
    known: OpenRegistry, name: str, one: str, proposals: Sequence[Proposal]
) -> dict[str, dict[str, Any]]:
    """The fields of a kind by key, without a broken rule: a reserved key gets another name, and a
    filter that another field has is left out.  Raises Refused for the kind itself.
    """
    declared = [each for each in proposals if each.field and each.guess.settings]
    for i, each in enumerate(declared):
        others = {before.field for before in declared[:i]}
        numbers = (f"{each.field[:47]}_{number}" for number in range(2, MAX_FIELDS + 2))
        each.field = next(key for key in (each.field, *numbers) if key not in others)
    left = 5 * len(declared)  # a field gets another name, another filter, then none
    while True:
        fields = {each.field: each.guess.settings for each in declared}
        broken = next(iter(_broken(known, name, one, fields)), None)
        if broken is None:
            return fields
        about = [each for each in declared if _is_about(broken, name, each)]
        left -= 1
        if not about or left < 0:
            raise Refused(". ".join(filter(None, (broken.message, broken.hint))))
        each, settings = about[0], about[0].guess.settings
        if broken.loc == ("kinds", name, "fields", each.field):
            each.guess.words += f'; "{each.field}" is reserved'
            each.field = f"own_{each.field}"[:50]
        elif settings.get("filter") is True and settings["type"] == "record":
            settings["filter"] = each.field
        else:
            settings |= {"filter": False, "reverse": ""}  # a reverse needs a filter


def _is_about(broken: Broken, name: str, each: Proposal) -> bool:
    """Whether a field breaks a rule, or takes a name of another kind for its filter."""
    if broken.loc[:3] == ("kinds", name, "fields"):
        return broken.loc[3:4] == (each.field,)
    return bool(each.guess.settings.get("filter")) and each.field in broken.message.split('"')


def _broken(
    known: OpenRegistry, name: str, one: str, fields: Mapping[str, Mapping[str, Any]]
) -> list[Broken]:
    settings = known.settings
    of = {c: {key: field_settings(f) for key, f in fs.items()}
          for c, fs in settings.own_fields.items()}  # fmt: skip
    kinds = {**settings.own_kinds, name: kind_settings({"one": one, "fields": fields})}
    first = settings.bare.having({}, {}, ())
    return [*broken_rules(first, of, kinds, settings.without_kinds or (), [*settings.families])]


# --- texts ----------------------------------------------------------------------------------------


def _declaration(
    name: str,
    one: str,
    proposals: Sequence[Proposal],
    fields: Mapping[str, Mapping[str, Any]],
    from_table: bool,
) -> list[str]:
    """The lines of a kind, with a comment for each column."""
    shared = {each.field.partition(".")[0] for each in proposals if not each.guess.settings}
    has = [part for part in _PARTS if part in shared] if from_table else list(DEFAULT_HAS)
    lines = [f"{name}:", f"  one: {values.scalar(one)}", f"  has: {values.flow(has)}"]
    for each in proposals:
        if not each.field:
            lines.append(f"  # {_left_out(each)}")
        elif each.field not in fields:
            words = f"the {each.field.rpartition('.')[2]} of each record"
            lines.append(f"  # {_quoted(each.column.name)} → `{each.field}`: {words}")
    if fields:
        lines.append("  fields:")
    for each in proposals:
        if each.field in fields:
            lines.append(f"    # {_quoted(each.column.name)} looks like {each.guess.words}")
            settings = {k: v for k, v in each.guess.settings.items() if v not in (False, "", {})}
            lines.append(f"    {each.field}: {values.flow(settings)}")
    return lines


def _left_out(each: Proposal) -> str:
    return f"{_quoted(each.column.name)} → {each.guess.words}"


def _quoted(column: str) -> str:
    return f'"{shorten(" ".join(column.split()), 40)}"'


def _with_kind(raw: bytes, name: str, lines: Sequence[str]) -> tuple[bytes, str]:
    """registry.yaml with the lines of a kind, and what is added to it.  Raises Refused."""
    try:
        tree = SyntaxTree(raw)
        kinds = tree.data.get("kinds")
        ending = "\r\n" if "\r\n" in tree.text else "\n"
        indent, at = 2, len(tree.text)
        head = [] if "kinds" in tree.data else ["", "kinds:"]
        if "kinds" in tree.data:
            node = tree.node(("kinds",))
            if kinds and (node.flow_style or tree.root.flow_style):
                raise Unchangeable("kinds is written in braces: give each kind lines of its own")
            indent = node.value[0][0].start_mark.column if kinds else 2
            at = tree.line_end(node)
        before, after = tree.text[:at], tree.text[at:]
        before += ending * bool(before and not before.endswith("\n"))
        added = "".join(f"{line}{ending}" for line in
                        [*head, *(f"{' ' * indent}{line}" for line in lines)])  # fmt: skip
        data = parse_or_raise((before + added + after).encode())
        if data != {**tree.data, "kinds": data["kinds"]} or list(data["kinds"])[-1] != name:
            raise Unchangeable(UNSAFE)
    except Unchangeable as error:
        raise Refused(f"{REGISTRY_FILE}: {error}") from None
    return (before + added + after).encode(), added


def _map_text(name: str, one: str, proposals: Sequence[Proposal], rows: str) -> str:
    """The map of an import of the table."""
    lines = ["# The field of each column: `registry import` reads the table with this file.",
             f"kind: {name}"]  # fmt: skip
    if rows:
        lines.append(f"rows: {values.scalar(rows)}")
    lines += [*key_lines(proposals, one), "fields:"]
    lines += (field_line(each) if each.field else f"  # {_left_out(each)}" for each in proposals)
    return "\n".join(lines) + "\n"
