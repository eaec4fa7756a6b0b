"""The contract between a registry and its readers: every rule that a newer state breaks.

For most rules, the catalogue (`rules`) names the part of the interface, the values to compare and
one of the TESTS here.  Other rules are functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

from generator.features.diff import address_rules, answers, identity
from generator.features.diff.interface import Part, covers, interface_parts, missing_words
from generator.features.diff.records import Records
from generator.features.diff.rules import Condition, rules
from generator.grammar.paths import INDEX
from generator.guard.finding import Finding, broken_rule
from generator.guard.node import Node
from generator.guard.published import PublishedState
from generator.guard.shapes import LEAST, MOST

#: Parameters whose words have other rules, or are files of their own.
_OTHER_RULES = ("code", "kind", "value", "slug")


def _schema_version(node: Node) -> list[int]:
    """A schema version as numbers; empty if malformed."""
    numbers = node.text.split(".")
    return [*map(int, numbers)] if all(n.isascii() and n.isdecimal() for n in numbers) else []


def _major_rose(a: Node, b: Node) -> bool:
    was, now = _schema_version(a), _schema_version(b)
    return bool(was and now) and now[0] > was[0]


def _version_fell(a: Node, b: Node) -> bool:
    was, now = _schema_version(a), _schema_version(b)
    return bool(was and now) and now < was


def _generator_fell(a: Node, b: Node) -> bool:
    was, now = ([int(n) for n in re.findall(r"[0-9]{1,9}", v.text)[:3]] for v in (a, b))
    return bool(b.text) and now < was


def _host_changed(a: Node, b: Node) -> bool:
    was, now = urlsplit(a.text), urlsplit(b.text)
    return bool(was.netloc) and was[:2] != now[:2]


#: The tests of rows: whether the older value `a` and the newer value `b` break a rule.
TESTS: Mapping[str, Callable[[Node, Node], object]] = {
    "gone": lambda a, b: not b,
    "changed": lambda a, b: a.plain != b.plain,
    "changed in both": lambda a, b: a and b and a.plain != b.plain,
    "changed if given": lambda a, b: b and a.plain != b.plain,
    "text changed or gone": lambda a, b: a.text and a.text != b.text,
    "text changed if given": lambda a, b: b.text and a.text != b.text,
    "text changed": lambda a, b: a.text and b.text and a.text != b.text,
    "text gone": lambda a, b: a.text and not b.text,
    "text emptied": lambda a, b: a.text and b and not b.text,
    "switched on": lambda a, b: b.plain is True and a.plain is not True,
    "switched off": lambda a, b: a.plain is True and b.plain is False,
    "earlier": lambda a, b: a.text and b.text and b.text < a.text,
    "bound raised": lambda a, b: a.number is not None and (b.number is None or b.number > a.number),
    "major rose": _major_rose,
    "version fell": _version_fell,
    "generator fell": _generator_fell,
    "host changed": _host_changed,
}


def findings(
    old: PublishedState, new: PublishedState, changes: Mapping[str, Records], *, released: bool
) -> list[Finding]:
    """Every broken rule, each once, in the order of the catalogue, without the consequences of a
    filter that is gone.  If the older state was `released`, the newer may not be older.
    """
    broken_rules = [
        *_part_findings(old, new, released),
        *answers.findings(old, new),
        *address_rules.findings(old, new),
        *identity.findings(old, new, changes),
    ]
    gone = {finding.was for finding in broken_rules if finding.rule == "filter-gone"}
    unique = {f.fingerprint: f for f in broken_rules if not _is_consequence(f, gone)}
    order = {rule: number for number, rule in enumerate(rules())}
    return sorted(unique.values(), key=lambda f: (order[f.rule], f.subject, f.words))


def _is_consequence(finding: Finding, gone: set[str]) -> bool:
    """Whether a finding is about the parameter or the tool input of a filter that is gone."""
    if finding.rule in ("parameter-gone", "tool-input-gone"):
        return finding.subject.rpartition(" ")[2] in gone
    return finding.rule == "tool-input-word-gone" and finding.was in gone


def _part_findings(old: PublishedState, new: PublishedState, released: bool) -> Iterator[Finding]:
    """The findings about the parts of the interface."""
    rows: dict[str, list[tuple[str, Condition]]] = {}
    for name, rule in rules().items():
        if rule.broken is not None:
            rows.setdefault(rule.broken.part, []).append((name, rule.broken))
    reported: set[str] = set()
    for part in interface_parts(old, new):
        if part.feature == "build" and not released:
            continue
        for name, row in rows.get(part.feature, ()):
            a, b = part.old.below(row.key), part.new.below(row.key)
            if (row.once and row.once in reported) or not TESTS[row.test](a, b):
                continue
            names = {"prefix": part.prefix, "above": part.prefix.rstrip(), "name": part.name}
            subject, words = row.subject.format(**names), row.says.format(a=a, b=b, **names)
            if row.test == "gone":
                yield broken_rule(name, subject, words, a, b, part.name, None)
                break
            yield broken_rule(name, subject, words, a, b)
            reported.add(row.once)
        else:
            yield from _function_rules(part, old, new)


def _function_rules(part: Part, old: PublishedState, new: PublishedState) -> Iterator[Finding]:
    """The rules of a part that compare more than two values."""
    a, b = part.old, part.new
    match part.feature:
        case "missing document":
            yield _missing(part, new.file(part.name) is not None)
        case "registry":
            yield from _prefix(a.at("links", "self"), b.at("links", "self"))
        case "own field":
            yield from _own_field(part.subject, a, b)
        case "parameter":
            was, now = ([node["style"].plain, node["explode"].plain] for node in (a, b))
            if was != now:
                words = "several values are joined in another way"
                places = a["explode"], b["explode"]
                yield broken_rule("parameter-style-changed", part.subject, words, *places, was, now)
        case "new parameter" if b["required"].plain is True:
            words = "a new parameter is required"
            yield broken_rule("parameter-required", part.subject, words, a, b, None, part.name)
        case "new need":
            words = "the input is now required"
            yield broken_rule("tool-input-required", part.subject, words, a, b, None, part.name)
        case "template":
            old_path, new_path = old.path_of(a.text), new.path_of(b.text)
            if not covers(new_path, old_path):
                words = f"used the address {old_path} and now uses {new_path or 'none'}"
                yield broken_rule(
                    "tool-moved", part.subject.strip(), words, a, b, old_path, new_path
                )
        case "parameter schema":
            yield from _input_schema("parameter", part)
        case "tool-input schema":
            yield from _input_schema("tool-input", part)


def _missing(part: Part, there: bool) -> Finding:
    rule, words = "document-missing", "the document is missing"
    if there:
        rule, words = "document-unreadable", "the document is not a JSON object"
    place = part.new.place._replace(there=there)
    return Finding(rule, part.subject, words, part.old.place, place)


def _prefix(a: Node, b: Node) -> Iterator[Finding]:
    was, now = (node.text.removesuffix(INDEX) or "/" for node in (a, b))
    if a.text and b.text and was != now:
        words = f"addresses began with {was} and now begin with {now}"
        yield broken_rule("prefix-changed", "links", words, a, b, was, now)


def _own_field(subject: str, a: Node, b: Node) -> Iterator[Finding]:
    many = a["many"], b["many"]
    if many[0].plain != many[1].plain:
        kinds = ("a list", "a value") if b["many"].plain else ("a value", "a list")
        words = f"was {kinds[1]} and is now {kinds[0]}"
        yield broken_rule("own-field-many-changed", subject, words, *many)
    was, now = ([*node["values"].members] for node in (a, b))
    if was and not now:
        words = "any slug is now allowed, not only the listed values"
        yield broken_rule("own-field-opened", subject, words, a["values"], b["values"], was, now)


def _input_schema(rule: str, part: Part) -> Iterator[Finding]:
    """Values that a schema of inputs no longer takes; `rule` begins the names of the rules."""
    old, new, subject = part.old, part.new, part.subject
    was, now = ([n.text] if n.text else n.texts for n in (old["type"], new["type"]))
    if now and missing_words(was, now):
        words = f"took {' or '.join(was)} and now takes {' or '.join(now)}"
        yield broken_rule(f"{rule}-type-changed", subject, words, old["type"], new["type"])
    elif part.name not in _OTHER_RULES:
        yield from _words(rule, part, old["enum"], new["enum"])
    for keyword in (*LEAST, *MOST):
        a, b = old[keyword], new[keyword]
        least, most = (a, b) if keyword in LEAST else (b, a)
        if rule == "parameter" and keyword == "minLength" and b.number == 1:
            continue  # every version refuses an empty parameter, whether its schema said so or not
        if b.number is not None and (a.number is None or least.number < most.number):
            bound = "nothing" if a.number is None else a.number
            words = f"{keyword} was {bound} and is now {b.number:g}"
            yield broken_rule(f"{rule}-bound-tightened", subject, words, a, b)
    a, b = old["pattern"], new["pattern"]
    if b and a.plain != b.plain:
        words = f"took {a.plain if a else 'any text'} and now takes {b.plain}"
        yield broken_rule(f"{rule}-pattern-changed", subject, words, a, b)
    a, b = old["default"], new["default"]
    # openapi.json only names defaults; a tool's schema gives its calls theirs.
    if a and (b or rule == "tool-input") and a.plain != b.plain:
        words = f"the default was {a.plain} and is now {b.plain}"
        yield broken_rule(f"{rule}-default-changed", subject, words, a, b)


def _words(rule: str, part: Part, a: Node, b: Node) -> Iterator[Finding]:
    for word in missing_words(a.texts, b.texts) if b else ():
        if part.name == "sort":
            words = f'lists cannot be ordered by "{word}"'
            yield broken_rule("sort-gone", part.subject, words, a, b, word, None)
        elif part.name != "by":  # its words are filters, which have rules as parameters
            words = f'"{word}" is refused'
            yield broken_rule(f"{rule}-word-gone", part.subject, words, a, b, word, None)
    if part.name == "sort" and a.texts and b.texts and a.texts[0] != b.texts[0]:
        words = f"lists were ordered by {a.texts[0]} and are now ordered by {b.texts[0]}"
        yield broken_rule("default-sort-changed", part.subject, words, a[0], b[0])
