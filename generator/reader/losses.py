"""Stops a copy of a registry that has lost too many records, by the rule for builds."""

from __future__ import annotations

from collections.abc import Collection, Container

from generator.grammar.grammar import Grammar
from generator.grammar.limits import is_loss
from generator.kinds import KIND_OF
from generator.reader.answers import ClientError
from generator.text.words import is_slug

#: The folder of the files of a collection's records -> the collection.
RECORD_FOLDERS = {c.record_path("").rpartition("/")[0]: c for c in Grammar({}).collections.values()}


class TooManyLost(ClientError):
    """The published registry lacks too many records of the copy."""


def record_key(path: str) -> str | None:
    """`projects/acme` for the file of a record or of a former slug; None for another file."""
    folder, _, name = path.rpartition("/")
    slug = name.removesuffix(".json")
    collection = RECORD_FOLDERS.get(folder)
    return f"{collection.name}/{slug}" if collection and slug != name and is_slug(slug) else None


def check_losses(before: Collection[str], now: Collection[str], known: Container[str]) -> None:
    """Raises TooManyLost.  `before` and `now` have the keys of records in the copy and in the
    registry, `known` also those of former slugs.
    """
    lines = []
    for name in KIND_OF:
        was = [key for key in before if key.startswith(f"{name}/")]
        count = sum(key.startswith(f"{name}/") for key in now)
        lost = sum(key not in known for key in was) if count else len(was)
        if is_loss(len(was), lost, count):
            verb = "is" if lost == 1 else "are"
            lines.append(f"{lost:,} of {len(was):,} {name} {verb} gone.")
    if lines:
        raise TooManyLost(
            "\n".join(lines) + "\nThe copy stays as it was. By mistake? Tell whoever publishes the "
            "registry. On purpose? Run the command again with --allow-loss."
        )
