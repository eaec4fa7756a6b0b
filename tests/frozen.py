"""Digests of published trees, to show that a change of the generator changes no published byte.

    python tests/frozen.py                         build each corpus clean and after each of 200
                                                   steps; compare with tests/golden/digests.json
    python tests/frozen.py --write                 write that file
    python tests/frozen.py --corpus german --steps 40 --parallel 2
    python tests/frozen.py --checkout DIR          build by the generator in another checkout
    python tests/frozen.py --against DIR           where a digest differs, build the same content by
                                                   that checkout too, and list the files that differ
    python tests/frozen.py --trees ONE OTHER       list the files that differ in two outputs

Corpora are in support/corpora.py, their steps come from support/edits.py.  All steps of a corpus
are built into one output folder, so that builds in part are compared; every 20th step is also built
into an empty folder, which has to give the same digest.  A step that leaves an error in the content
must fail and leave the output as it was.

The digest of a tree is SHA-256 over its paths in order, each with the SHA-256 of its bytes.  Left
out are api/build.json, and of api/manifest/root.json the digest of that file and the signatures; a
`.gz` file counts as what it decompresses to, because its bytes depend on the version of zlib.
Other libraries show in the bytes too (`LIBRARIES`): digests.json says which versions made it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from support import commands
from support.corpora import CORPORA, Corpus, Missing
from support.edits import Author, Step

DIGESTS = Path(__file__).parent / "golden" / "digests.json"
STEPS = 200
#: Every step with a multiple of this number is also built clean.
CLEAN_EACH = 20
#: Libraries that affect published bytes: templates, calendars, Markdown, names of
#: countries and time zones.
LIBRARIES = ("icalendar", "jinja2", "markdown-it-py", "orjson", "pycountry", "tzdata")
RENEW = "If published bytes were meant to change, run: .venv/bin/python tests/frozen.py --write"

_BUILD, _ROOT = "api/build.json", "api/manifest/root.json"

#: Runs `registry` with arguments, in a folder and with variables of the environment.
Run = Callable[[Sequence[object], Path, Mapping[str, str]], commands.Done]


class Differs(AssertionError):
    """A step gave unexpected bytes or an unexpected exit status."""


# --- the digest of a tree ---


class Tree:
    """The published files of an output folder."""

    def __init__(self, out: Path):
        self._out = out
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}

    def digests(self) -> dict[str, str]:
        """Path -> digest of every file that counts.  A file is read again if its inode, size or
        times changed since the last call.
        """
        known, self._known = self._known, {}
        for entry in commands.walk(str(self._out)) if self._out.exists() else ():
            if not entry.is_file():
                continue
            path = os.path.relpath(entry.path, self._out)
            stat = entry.stat()
            stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
            cached = known.get(path)
            if cached is not None and cached[0] == stamp:
                self._known[path] = cached
            elif (data := _counted(path, Path(entry.path).read_bytes())) is not None:
                self._known[path] = stamp, hashlib.sha256(data).hexdigest()
        return {path: digest for path, (_, digest) in self._known.items()}

    def digest(self) -> str:
        """The digest of the tree, as twelve hexadecimal digits."""
        lines = (f"{path}\0{digest}\n" for path, digest in sorted(self.digests().items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def _counted(path: str, data: bytes) -> bytes | None:
    """The part of a file that counts; None if no part does."""
    if path.endswith(".gz"):
        path, data = path.removesuffix(".gz"), gzip.decompress(data)
    if path == _BUILD:
        return None
    if path == _ROOT:
        root = json.loads(data)
        del root["build"], root["signatures"]
        return json.dumps(root).encode()
    return data


def differing(first_out: Path, second_out: Path) -> list[str]:
    """The files that only one of two outputs contains, or that differ."""
    first, second = Tree(first_out).digests(), Tree(second_out).digests()
    return [
        f"{path}: only in {first_out if path in first else second_out}"
        if first.get(path) is None or second.get(path) is None
        else path
        for path in sorted(first.keys() | second.keys())
        if first.get(path) != second.get(path)
    ]


# --- a series of steps ---


class Frozen(NamedTuple):
    """The published files after a step; `step` is None before the first step."""

    number: int
    step: Step | None
    digest: str
    content: Path
    out: Path
    day: str


def play(corpus: Corpus, folder: Path, steps: int, run: Run, seed: int = 0) -> Iterator[Frozen]:
    """Write a corpus into an empty folder, and build it clean and after each step.

    Raises Missing, and Differs for a build with an unexpected exit status or bytes that differ from
    a clean build.
    """
    corpus.write(folder)
    content, out = folder / "content", folder / "out"
    author, tree = Author(content, seed or corpus.seed), Tree(out)
    _build(corpus, folder, content, out, author.day, run)
    before = tree.digest()
    yield Frozen(0, None, before, content, out, author.day)
    is_due = False
    for number in range(1, steps + 1):
        step = author.step()
        where = f"step {number}, {step.what}"
        failed = _build(corpus, folder, content, out, step.day, run, where, step.faulty)
        digest = tree.digest()
        if failed and digest != before:
            raise Differs(f"{where}: the build failed and changed the output")
        is_due = (is_due or number % CLEAN_EACH == 0 or number == steps) and CLEAN_EACH > 0
        if is_due and not failed:
            is_due = False
            _assert_clean(corpus, folder, content, step, run, where, digest)
        yield Frozen(number, step, digest, content, out, step.day)
        before = digest


def _build(
    corpus: Corpus,
    folder: Path,
    content: Path,
    out: Path,
    day: str,
    run: Run,
    where: str = "the first build",
    faulty: bool = False,
) -> bool:
    """Build, and return whether that failed: it must if the content or a template is `faulty`."""
    arguments = ["build", "--content", content, "--out", out, "--as-of", day, "--allow-loss"]
    # There is no commit, and no cache except that of this output.
    environment = {
        **corpus.environment,
        "GIT_CEILING_DIRECTORIES": str(folder),
        "XDG_CACHE_HOME": str(out.parent / "cache"),
        "REGISTRY_CACHE": str(out.parent / "cache"),
    }
    done = run([*arguments, *corpus.options], folder, environment)
    # 1 for a problem of the content, 2 for one of the templates.
    if done.status not in ((1, 2) if faulty else (0,)) or "Traceback" in done.err:
        wanted = "fail with a message" if faulty else "succeed"
        raise Differs(f"{where}: the build had to {wanted}, and ended with {done.status}:\n"
                      f"{done.err[-3000:]}")  # fmt: skip
    return faulty


def _assert_clean(
    corpus: Corpus, folder: Path, content: Path, step: Step, run: Run, where: str, digest: str
) -> None:
    """A build into an empty folder gives the same digest."""
    out = folder / "clean" / "out"
    _build(corpus, folder, content, out, step.day, run, where)
    if Tree(out).digest() != digest:
        paths = differing(folder / "out", out)
        listed = "\n".join(f"  {path}" for path in paths[:20])
        raise Differs(f"{where}: {len(paths)} files are others than in a clean build\n{listed}")
    shutil.rmtree(out.parent)


# --- what is committed ---


def made_with() -> dict[str, str]:
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"python": ".".join(map(str, sys.version_info[:2])), **versions}


def committed() -> dict[str, Any]:
    """digests.json: corpus -> its digests, and the versions that made them."""
    if not DIGESTS.exists():
        return {"made_with": {}, "digests": {}}
    content = json.loads(DIGESTS.read_text("utf-8"))
    every = {name: " ".join(lines).split() for name, lines in content["digests"].items()}
    return {"made_with": content["made_with"], "digests": every}


def write(digests: Mapping[str, Sequence[str]]) -> None:
    """Write digests.json, ten digests a line."""
    lines = {
        name: [" ".join(values[at : at + 10]) for at in range(0, len(values), 10)]
        for name, values in sorted(digests.items())
    }
    text = json.dumps({"made_with": made_with(), "digests": lines}, indent=1)
    DIGESTS.write_text(f"{text}\n", "utf-8")


def why(name: str) -> str:
    """Other possible reasons for changed bytes of a corpus, and how to continue."""
    now, then = made_with(), committed()["made_with"]
    others = [f"{key} {then.get(key)}, now {now[key]}" for key in now if now[key] != then.get(key)]
    lines = [RENEW, "Which files differ: python tests/frozen.py --against OTHER-CHECKOUT"]
    if others:
        lines.insert(0, f"The digests were made with {'; '.join(others)}.")
    if not CORPORA[name].fixed:
        lines.insert(0, "People edit this content; if it changed, its digests have to be renewed.")
    return "\n".join(lines)


# --- the script ---


def by_checkout(checkout: Path) -> Run:
    """Run `registry` of a checkout, with the Python of its own environment if it has one."""
    own = checkout / ".venv" / "bin" / "python"
    python = str(own) if own.exists() else sys.executable

    def run(
        arguments: Sequence[object], folder: Path, environment: Mapping[str, str]
    ) -> commands.Done:
        done = subprocess.run(
            [python, "-m", "generator", *map(str, arguments)],
            env=commands.environment(PYTHONPATH=str(checkout), **environment),
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
        return commands.Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def _listed(frozen: Frozen, corpus: Corpus, checkout: Path) -> str:
    """List the files that differ from a build of the same content by another checkout."""
    other = frozen.out.parent / "against" / "out"
    folder = frozen.content.parent
    _build(corpus, folder, frozen.content, other, frozen.day, by_checkout(checkout))
    return "\n".join(f"  {path}" for path in differing(frozen.out, other)[:50])


def _compared(
    name: str, steps: int, checkout: Path, against: Path | None, expected: Sequence[str] | None
) -> tuple[str, list[str], str]:
    """Play a corpus. Returns its name, its digests and the error; without `expected` digests
    nothing is compared.
    """
    corpus, digests = CORPORA[name], list[str]()
    folder = Path(tempfile.mkdtemp(prefix=f"frozen-{name}-"))
    began, cpu, wrong = time.monotonic(), commands.cpu(), ""
    try:
        for frozen in play(corpus, folder, min(steps, corpus.steps), by_checkout(checkout)):
            digests.append(frozen.digest)
            if frozen.number and frozen.number % CLEAN_EACH == 0:
                took = f"{time.monotonic() - began:.0f} s, {commands.cpu() - cpu:.0f} s of CPU"
                print(f"{name}: {frozen.number} steps, {took}", flush=True)
            if not expected or expected[frozen.number : frozen.number + 1] == [frozen.digest]:
                continue
            what = frozen.step.what if frozen.step else "the clean build"
            wrong = f"{name}: step {frozen.number} differs first: {what}"
            if frozen.number >= len(expected):
                wrong = f"{name}: there are digests of {len(expected) - 1} steps only\n{RENEW}"
                break
            if against is not None:
                wrong += f"\n{_listed(frozen, corpus, against)}"
            wrong += f"\n{why(name)}"
            break
    except Missing as error:
        return name, [], f"{name} is left out: {error}"
    except Differs as error:
        wrong = f"{name}: {error}"
    if wrong:
        wrong += f"\nContent and output are left in {folder}"
    else:
        shutil.rmtree(folder)
    return name, digests, wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--corpus", action="append", choices=CORPORA, help="default: all")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--parallel", type=int, default=1, help="corpora at a time")
    parser.add_argument("--checkout", type=Path, default=commands.ROOT)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--trees", type=Path, nargs=2)
    options = parser.parse_args()
    if options.trees:
        paths = differing(*options.trees)
        print("\n".join(paths) or "The trees are the same.")
        return 1 if paths else 0
    names, every = options.corpus or list(CORPORA), committed()["digests"]
    compare = partial(_compared, steps=options.steps, checkout=options.checkout.resolve(),
                      against=options.against and options.against.resolve())  # fmt: skip
    is_wrong = False
    with ProcessPoolExecutor(options.parallel) as pool:
        done = [
            pool.submit(compare, name, expected=None if options.write else every.get(name))
            for name in names
        ]
        for name, digests, wrong in (future.result() for future in done):
            if wrong:
                print(wrong)
                is_wrong = is_wrong or bool(digests)
            elif options.write:
                every[name] = digests
                write(every)
            elif name not in every:
                print(f"{name} has no digests yet; --write writes them")
                is_wrong = True
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
