"""Copies of the package whose registries have other kinds.

A copy has more kinds than this package, modules of `declared/NAME`, and a registry with the content
of `tests/content/NAME`:

- `house`: six kinds beside the first four, with relations in all directions.
- `kitchen`: recipes, ingredients, cooks and tools, and none of the first four.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from support import commands

DECLARED = Path(__file__).parent / "declared"
CONTENT = commands.ROOT / "tests" / "content"
#: Kind -> its lines that refer to kinds of the house.
REFERRING = {
    "project": """
    angels: Annotated[Slugs | None, Refers("investors"), Filtered("investor"), Listed(),
        Words("Who invests in it.")] = None
""",
    "program": """
    lab: Annotated[Slug | None, Refers("labs"), Filtered(), Listed(), Words("Where it is.")] = None
""",
    "organization": """
    head: Annotated[Slug | None, Refers("people"), Filtered(), Listed(),
        Words("Who leads it.")] = None
""",
    "event": """
    grant: Annotated[Slug | None, Refers("grants"), Filtered(), Listed(),
        Words("What pays for it.")] = None
    speakers: Annotated[Slugs | None, Refers("people"), Filtered("speaker"), Listed(),
        Words("Who speaks.")] = None
""",
}
#: The modules of the kinds of the kitchen, in the order of all its lists of collections.
KITCHEN = ("recipe", "ingredient", "cook", "tool")


#: The answers of the engine to requests of targets: status, location and body of each.
ANSWERING = """
from pathlib import Path
from generator.engine.context import Request
from generator.reader.deployment import Deployment
read = Deployment.open(Path("build"))
answers = [read.respond(Request(target)) for target in {targets}]
print(json.dumps([[a.status, a.headers.get("location"), a.body.decode()] for a in answers]))
"""


class Answer(NamedTuple):
    """An answer to a request."""

    status: int
    location: str | None
    body: str

    @property
    def slugs(self) -> list[str]:
        """The slugs of the records in it."""
        document = json.loads(self.body)
        rows = document.get("data") or [
            dict(zip(document["columns"], row, strict=True)) for row in document["rows"]
        ]
        return [row["slug"] for row in rows]

    def is_like(self, status: int, headers: Mapping[str, str], digest: str) -> bool:
        """Whether another answer, with a digest of its body, is the same."""
        if self.status == 308:
            return (status, headers.get("location")) == (308, self.location)
        return (status, digest) == (self.status, sha256(self.body.encode()).hexdigest())


class Copy(NamedTuple):
    """A copy of the package with a registry and its build."""

    root: Path

    @property
    def content(self) -> Path:
        return self.root / "content"

    @property
    def out(self) -> Path:
        return self.root / "build"

    def done(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """How a command of the copy ended, and its output."""
        return self._python("-m", "generator", *arguments)

    def _python(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.root,
            env=commands.environment(),
            capture_output=True,
            text=True,
        )

    def run(self, *arguments: object) -> str:
        """What a command of the copy says; it may find problems, but not fail."""
        done = self.done(*arguments)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr

    def value(self, code: str) -> Any:
        """What code with the copied package prints as JSON."""
        done = self._python("-c", f"import json\n{code}")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def answers(self, targets: Iterable[str]) -> dict[str, Answer]:
        """The engine's answers to requests of targets."""
        asked = [*targets]
        found = self.value(ANSWERING.format(targets=asked))
        return {target: Answer(*answer) for target, answer in zip(asked, found, strict=True)}

    def json(self, address: str) -> Any:
        return json.loads((self.out / address.lstrip("/")).read_bytes())

    def text(self, page: str) -> str:
        """The words of a page."""
        raw = (self.out / page / "index.html").read_text()
        return re.sub(r"\s+", " ", re.sub(r"<script.*?</script>|<[^>]*>", " ", raw, flags=re.S))


def copied(root: Path, modules: Mapping[str, str], fields: Mapping[str, str]) -> Copy:
    """A copy of the package with modules of kinds, and with lines that declare more fields of its
    first kinds.
    """
    made = Copy(root)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("generator", "templates"):
        shutil.copytree(commands.ROOT / name, root / name, ignore=ignored)
    (root / "docs").mkdir()
    shutil.copy(commands.ROOT / "docs" / "authoring.md", root / "docs")
    kinds = root / "generator" / "kinds"
    for name, module in modules.items():
        (kinds / f"{name}.py").write_text(module)
    for name, lines in fields.items():
        before, after = (kinds / f"{name}.py").read_text().split("# fmt: on\n", 1)
        (kinds / f"{name}.py").write_text(f"{before.rstrip()}\n{lines}# fmt: on\n{after}")
    return made


def write(content: Path, records: Mapping[str, Any]) -> None:
    """Write records to a content folder, by path without its ending."""
    for name, values in records.items():
        file = content / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(values, sort_keys=False))


def modules(name: str) -> dict[str, str]:
    """The modules of the kinds that a copy has more, by name."""
    return {path.stem: path.read_text() for path in sorted((DECLARED / name).glob("[a-z]*.py"))}


def house(root: Path) -> Copy:
    """The copy with ten kinds."""
    made = copied(root, modules("house"), REFERRING)
    shutil.copytree(CONTENT / "house", made.content)
    return made


def kitchen(root: Path) -> Copy:
    """The copy without the first four kinds."""
    made = copied(root, modules("kitchen"), {})
    with (root / "generator" / "kinds" / "__init__.py").open("a") as module:
        module.write(f'\n\ndef built_in() -> Kinds:\n    return kinds_of({KITCHEN!r}, "")\n')
    shutil.copytree(CONTENT / "kitchen", made.content)
    return made
