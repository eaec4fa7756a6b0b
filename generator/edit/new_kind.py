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
from generator.edit.guess import Guesses
from generator.edit.guess_fields import FieldGuesses, Guess
from generator.edit.similar import existing_records
from generator.edit.tables.sheet import Sheet
from generator.edit.words import WordList
from generator.edit.workspace import OpenRegistry
from generator.kinds.own import DEFAULT_HAS, field_settings, kind_settings
from generator.kinds.rules import MAX_FIELDS, MAX_RELATIONS, Broken, broken_rules
from generator.model.settings.own_fields import currencies
from generator.problems.faults import shorten

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
    folder: str, known: OpenRegistry, name: str, one: str, table: Sheet | None
) -> NewKind:
    """A new kind with the folder `name`; `one` is the word for a single record.  Raises Refused."""
    if name in known.content.kinds:
        raise Refused(f'there is a kind "{name}" already')
    guesses = _guesses(known, name, one, table or _NO_TABLE)
    if table is not None and "name" not in {guess.name for guess in guesses}:
        raise Refused(
            f"no column of {table.path} has a different text in each row, like a name: "
            'call the column with the names "name"'
        )
    fields = _allowed(known, name, one, guesses)
    lines = list(_declaration(name, one, guesses, fields, table is not None))
    raw = read(folder, REGISTRY_FILE) or b""
    after, added = _with_kind(raw, name, lines)
    text = _map_text(name, guesses, table) if table else ""
    plan = Plan([FileChange(REGISTRY_FILE, raw, after)], [], (REGISTRY_FILE,))
    return NewKind(plan, added, text)


def _guesses(known: OpenRegistry, name: str, one: str, table: Sheet) -> list[Guess]:
    records = {}
    for collection in known.content.kinds:
        data = {of.source.slug: of.data for of in existing_records(known.content, collection)}
        if data:
            names = {slug: str(fields.get("name") or slug) for slug, fields in data.items()}
            records[collection] = WordList.from_labels(names)
    families = {
        family: (of.label, WordList.from_labels(of.tags) if of.tags is not None else None)
        for family, of in known.settings.families.items()
    }
    words = name.replace("-", " "), records, currencies(), known.settings.declared_language
    guesses = Guesses(table, one, families, FieldGuesses(*words)).all()
    declared = [guess for guess in guesses if guess.settings]
    for guess in declared[MAX_FIELDS:]:
        guess.name, guess.words = "", f"{guess.words}; left out: {MAX_FIELDS} fields are the most"
    relations = [guess for guess in declared if guess.settings["type"] == "record"]
    for guess in relations[MAX_RELATIONS:]:
        guess.settings = {"label": guess.settings["label"], "type": "text"}
    for guess in declared[:_IN_LISTS]:
        guess.settings["summary"] = True
    return guesses


def _allowed(
    known: OpenRegistry, name: str, one: str, guesses: Sequence[Guess]
) -> dict[str, dict[str, Any]]:
    """The fields of a kind by key, without a broken rule: a reserved key gets another name, and a
    filter that another field has is left out.  Raises Refused for the kind itself.
    """
    declared = [guess for guess in guesses if guess.name and guess.settings]
    for i, guess in enumerate(declared):
        others = {before.name for before in declared[:i]}
        numbers = (f"{guess.name[:47]}_{number}" for number in range(2, MAX_FIELDS + 2))
        guess.name = next(key for key in (guess.name, *numbers) if key not in others)
    left = 5 * len(declared)  # a field gets another name, another filter, then none
    while True:
        fields = {guess.name: guess.settings for guess in declared}
        broken = next(iter(_broken(known, name, one, fields)), None)
        if broken is None:
            return fields
        about = [guess for guess in declared if _is_about(broken, name, guess)]
        left -= 1
        if not about or left < 0:
            raise Refused(". ".join(filter(None, (broken.message, broken.hint))))
        guess = about[0]
        if broken.loc == ("kinds", name, "fields", guess.name):
            guess.words += f'; "{guess.name}" is reserved'
            guess.name = f"own_{guess.name}"[:50]
        elif guess.settings.get("filter") is True and guess.settings["type"] == "record":
            guess.settings["filter"] = guess.name
        else:
            guess.settings["filter"] = False
            guess.settings.pop("reverse", None)  # it needs a filter


def _is_about(broken: Broken, name: str, guess: Guess) -> bool:
    """Whether a field breaks a rule, or takes a name of another kind for its filter."""
    if broken.loc[:3] == ("kinds", name, "fields"):
        return broken.loc[3:4] == (guess.name,)
    return bool(guess.settings.get("filter")) and guess.name in broken.message.split('"')


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
    guesses: Sequence[Guess],
    fields: Mapping[str, Mapping[str, Any]],
    from_table: bool,
) -> list[str]:
    """The lines of a kind, with a comment for each column."""
    shared = {guess.name.partition(".")[0] for guess in guesses if not guess.settings}
    parts = [part for part in ("tags", "locations", "website", "year") if part in shared]
    has = parts if from_table else list(DEFAULT_HAS)
    lines = [f"{name}:", f"  one: {values.scalar(one)}", f"  has: {values.flow(has)}"]
    for guess in guesses:
        if guess.name not in fields:
            field = f"`{guess.name}`: " if guess.name else ""
            lines.append(f"  # {_quoted(guess.column)} → {field}{guess.words}")
    if fields:
        lines.append("  fields:")
    for guess in guesses:
        if guess.name in fields:
            lines.append(f"    # {_quoted(guess.column)} looks like {guess.words}")
            settings = {k: v for k, v in guess.settings.items() if v not in (False, "", {})}
            lines.append(f"    {guess.name}: {values.flow(settings)}")
    return lines


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


def _map_text(name: str, guesses: Sequence[Guess], table: Sheet) -> str:
    """The map of an import of the table."""
    lines = ["# The field of each column: `registry import` reads the table with this file.",
             f"kind: {name}"]  # fmt: skip
    if key := _key(guesses, table):
        lines.append(f"key: {values.flow(key)}")
    lines.append("fields:")
    for guess in guesses:
        if guess.name:
            lines.append(f"  {guess.name}: {_source(guess)}")
        else:
            lines.append(f"  # {_quoted(guess.column)} → {guess.words}")
    return "\n".join(lines) + "\n"


def _source(guess: Guess) -> str:
    if not guess.source:
        return values.scalar(guess.column)
    pairs = {"column": values.flow_item(guess.column)}
    for name, value in guess.source.items():
        pairs[name] = values.flow_item(value)
        if name == "values":  # words for a missing value
            nothing = ", ".join(f"{values.flow_item(word)}: null" for word in value)
            pairs[name] = f"{{{nothing}}}"
    return "{" + ", ".join(f"{name}: {value}" for name, value in pairs.items()) + "}"


def _key(guesses: Sequence[Guess], table: Sheet) -> list[str]:
    """The fields that tell the rows apart, if their names do not."""
    columns = {guess.name: guess.column for guess in guesses if guess.name}
    if "slug" in columns:
        return []

    def is_key(*names: str) -> bool:
        rows = [tuple(row.values.get(columns[name]) for name in names) for row in table.rows]
        return len(set(rows)) == len(rows)

    single = (guess.name for guess in guesses if guess.name and "split" not in guess.source)
    pairs = (["name", other] for other in single if other != "name" and is_key("name", other))
    return [] if is_key("name") else next(pairs, [])
