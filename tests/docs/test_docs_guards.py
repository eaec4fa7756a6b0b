"""docs/guards.md matches the catalogue of guards and rules, and the real report of a small change
that breaks each rule; its table of settings has the fields of registry.yaml.

`pytest --regenerate` rewrites the document.
"""

from __future__ import annotations

import re

from generator.features.diff import contract, records
from generator.features.diff.contract import tiers
from generator.grammar.grammar import Grammar
from generator.guard import limits
from generator.kinds import built_in
from support.commands import ROOT
from support.contract_pairs import BASE, BEFORE, GUARD_PAIRS, changed, state
from support.kinds import Guards

DOCUMENT = ROOT / "docs" / "guards.md"


def report(rule: str) -> str:
    """The report of the small change that breaks a rule."""
    if rule in GUARD_PAIRS:
        settings, now = GUARD_PAIRS[rule]
        (finding,) = limits.tripped_guards(Guards(**settings), BEFORE, now)
    else:
        old, new = state(BASE), state(changed(rule))
        collections = Grammar(built_in()).collections
        changes = {
            name: records.compare(old, new, collection) for name, collection in collections.items()
        }
        (finding,) = contract.findings(old, new, changes, released=True)
    places = dict.fromkeys((str(finding.old), str(finding.new)))
    return "".join(f"{line}\n" for line in (f"{finding.subject}: {finding.words}", *places))


def generated() -> str:
    """The rules, tier by tier."""
    out = []
    for tier in tiers():
        out.append(f"## {tier.title}\n\n{tier.intro.strip()}\n\n")
        for name, rule in tier.rules.items():
            out.append(
                f"### {name}\n\n{rule.title}. {rule.means}\n\n```text\n{report(name)}```\n\n"
            )
            out.append(f"**Mend:** {rule.mend}\n\n")
    return "".join(out).rstrip("\n") + "\n"


def test_the_document_is_the_catalogue(regenerate: bool) -> None:
    text = DOCUMENT.read_text("utf-8")
    preface = text.partition(f"\n## {tiers()[0].title}\n")[0].rstrip("\n")
    whole = f"{preface}\n\n{generated()}"
    if regenerate:
        DOCUMENT.write_text(whole, "utf-8")
    assert DOCUMENT.read_text("utf-8") == whole


def test_every_setting_is_documented_and_no_other() -> None:
    text = DOCUMENT.read_text("utf-8").partition("## Settings of guards\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", text, re.M) == [*Guards.model_fields]
