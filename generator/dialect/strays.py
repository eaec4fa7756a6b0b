"""What a file that lies among records, and is none, looks like, and what to do with it."""

from __future__ import annotations

from generator.grammar.names import KIND_OF
from generator.grammar.text import is_slug

ENDINGS = (".yaml", ".yml")  # of a record's file

_COPIES = {"bak", "orig", "old", "rej", "swp", "tmp"}


def a_record(collection: str) -> str:
    """One of a collection, in words."""
    one = KIND_OF[collection]
    return f"{'an' if one[0] in 'aeiou' else 'a'} {one}"


def looks_like(name: str, record: str) -> tuple[str, str]:
    """What a file among records looks like, and what to do with it."""
    stem, dot, ending = name.rpartition(".")
    if name[-1] == "~" or name[0] == "#" or ending.lower() in _COPIES:
        return "this looks like a copy that an editor or a merge left", "remove it"
    if ending.lower() in ("yaml", "yml"):
        what = f"this looks like {record}, but .{ending} must be in lower case"
        return what, f'rename it to "{stem}.{ending.lower()}"'
    if ending.lower() == "json":
        return f"this looks like {record} in JSON", f'rename it to "{stem}.yaml": JSON is YAML too'
    if ending.lower() == "txt" and stem.lower().endswith(ENDINGS):
        what = f"this looks like {record} that an editor saved as plain text"
        return what, f'rename it to "{stem}"'
    if not dot and is_slug(name):
        what = f"this looks like {record} whose file name lacks .yaml"
        return what, f'rename it to "{name}.yaml"'
    what = "the build ignores this: names of record files end in .yaml or .yml"
    return what, "move it out of the content folder; only README files may stay"


def is_readme(name: str) -> bool:
    return name.upper().startswith("README")
