"""The catalogue of the guards, and of the rules of the contract, in three tiers.

One TOML file for each tier, in the order in which docs/guards.md has them: that document is made of
these files.  Read when two states are compared, and by no build.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from generator.problems.catalogue import groups_in

TIERS = ("guards", "documents", "addresses", "meaning")


class Row(NamedTuple):
    """When a rule is broken: the part of the interface (generator.guard.interface), the key in it
    whose values `a` and `b` are compared, the test (generator.guard.contract), and what is said.

    Texts may name `{a}` and `{b}`, the `{name}` of the part, and `{above}`, what it is a part of.
    `subject` is given if a part has several; of the rows with the same `once`, only the first that
    is broken is reported.
    """

    part: str
    test: str
    says: str
    key: str = ""
    subject: str = "{prefix}{name}"
    once: str = ""


class Rule(NamedTuple):
    """One rule: what is so when it is broken, for whom that breaks what, and how it is mended.

    Without a row, a function of generator.guard finds it broken.
    """

    tier: str
    title: str
    means: str
    mend: str
    broken: Row | None = None


class Tier(NamedTuple):
    """The rules of one tier, under a title and what is said of all of them."""

    title: str
    intro: str
    rules: dict[str, Rule]


@cache
def tiers() -> tuple[Tier, ...]:
    """All tiers, in order."""
    return tuple(
        Tier(
            data["title"],
            data["intro"],
            {key: _rule(name, **texts) for key, texts in data["rules"].items()},
        )
        for name, data in groups_in("guard/rules", TIERS)
    )


def _rule(tier: str, *, broken: dict[str, str] | None = None, **texts: str) -> Rule:
    return Rule(tier, **texts, broken=Row(**broken) if broken is not None else None)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name."""
    return {name: rule for tier in tiers() for name, rule in tier.rules.items()}
