"""The catalogue of the guards and of the rules of the contract.

There is a TOML file for each tier, in the order of docs/guards.md, which is generated from them.
Only comparisons read the catalogue, builds do not.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.problems.catalogue import read_toml

TIERS = ("guards", "documents", "addresses", "meaning")


class Condition(NamedTuple):
    """When a rule is broken: a part of the interface (`interface.py`), the key in it whose values
    are compared, the test (`contract.py`), and the message.

    The message may name the values `{a}` and `{b}`, the `{name}` of the part, and `{above}`, the
    text before it.  `subject` is needed if a part has several subjects.  Of the rows with the same
    `once`, only the first broken row is reported.
    """

    part: str
    test: str
    says: str
    key: str = ""
    subject: str = "{prefix}{name}"
    once: str = ""


class Rule(NamedTuple):
    """A rule: its title, what breaks for whom, and how to fix it.

    A rule without a row is checked by a function of the comparison.
    """

    tier: str
    title: str
    means: str
    mend: str
    broken: Condition | None = None


class Tier(NamedTuple):
    """The rules of one tier, with a title and an introduction."""

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
        for name in TIERS
        for data in [read_toml(Path(__file__).with_name(f"{name}.toml"))]
    )


def _rule(tier: str, *, broken: dict[str, str] | None = None, **texts: str) -> Rule:
    return Rule(tier, **texts, broken=Condition(**broken) if broken is not None else None)


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name."""
    return {name: rule for tier in tiers() for name, rule in tier.rules.items()}
