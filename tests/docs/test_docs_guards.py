"""docs/guards.md is made of the catalogue of rules, and of what is really said where a small change
breaks each.

`pytest --regenerate` writes the document anew.
"""

from __future__ import annotations

from generator.api.grammar import Grammar
from generator.guard import contract, records
from generator.guard.rules import tiers
from support.commands import ROOT
from support.contract_pairs import BASE, changed, state

DOCUMENT = ROOT / "docs" / "guards.md"


def said(rule: str) -> str:
    """What is said of a rule where its small change breaks it."""
    old, new = state(BASE), state(changed(rule))
    collections = Grammar({}).collections
    changes = {name: records.compare(old, new, of) for name, of in collections.items()}
    (one,) = contract.findings(old, new, changes, released=True)
    places = dict.fromkeys((str(one.old), str(one.new)))
    return "".join(f"{line}\n" for line in (f"{one.subject}: {one.words}", *places))


def written() -> str:
    """The rules, tier by tier."""
    out = []
    for tier in tiers():
        out.append(f"## {tier.title}\n\n{tier.intro.strip()}\n\n")
        for name, rule in tier.rules.items():
            out.append(f"### {name}\n\n{rule.title}. {rule.means}\n\n```text\n{said(name)}```\n\n")
            out.append(f"**Mend:** {rule.mend}\n\n")
    return "".join(out).rstrip("\n") + "\n"


def test_the_document_is_the_catalogue(regenerate: bool) -> None:
    text = DOCUMENT.read_text("utf-8")
    preface = text.partition(f"\n## {tiers()[0].title}\n")[0].rstrip("\n")
    whole = f"{preface}\n\n{written()}"
    if regenerate:
        DOCUMENT.write_text(whole, "utf-8")
    assert DOCUMENT.read_text("utf-8") == whole
