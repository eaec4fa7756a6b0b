"""Digests of published trees, to show that a change of the generator changes no published byte.

    python tests/frozen.py                         build each corpus, and compare with
                                                   tests/golden/digests.json
    python tests/frozen.py --write                 write that file
    python tests/frozen.py --corpus german --parallel 2
    python tests/frozen.py --checkout DIR          build by the generator in another checkout
    python tests/frozen.py --against DIR           where a digest differs, build the same content by
                                                   that checkout too, and list the files that differ
    python tests/frozen.py --trees ONE OTHER       list the files that differ in two outputs

Corpora are in support/corpora.py.  That a build into an older output gives the same bytes is tested
by tests/build/test_second_builds.py.

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
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from support import commands
from support.corpora import CORPORA, Corpus, Missing

DIGESTS = Path(__file__).parent / "golden" / "digests.json"
#: Libraries that affect published bytes: templates, calendars, Markdown, names of
#: countries and time zones.
LIBRARIES = ("icalendar", "jinja2", "markdown-it-py", "orjson", "pycountry", "tzdata")
RENEW = "If published bytes were meant to change, run: .venv/bin/python tests/frozen.py --write"

_BUILD, _ROOT = "api/build.json", "api/manifest/root.json"
#: The day of the builds.
_DAY = "2026-11-21"

#: Runs `registry` with arguments, in a folder and with variables of the environment.
Run = Callable[[Sequence[object], Path, Mapping[str, str]], commands.Done]


class Differs(AssertionError):
    """A build failed."""


# --- the digest of a tree ---


def digests(out: Path) -> dict[str, str]:
    """Path -> digest of every published file of an output folder that counts."""
    counted = ((path, _counted(path, data)) for path, data in commands.files(out).items())
    return {path: hashlib.sha256(data).hexdigest() for path, data in counted if data is not None}


def digest(out: Path) -> str:
    """The digest of an output folder, as twelve hexadecimal digits."""
    lines = (f"{path}\0{known}\n" for path, known in sorted(digests(out).items()))
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
    first, second = digests(first_out), digests(second_out)
    return [
        f"{path}: only in {first_out if path in first else second_out}"
        if first.get(path) is None or second.get(path) is None
        else path
        for path in sorted(first.keys() | second.keys())
        if first.get(path) != second.get(path)
    ]


def build(corpus: Corpus, folder: Path, run: Run, out: str = "out") -> Path:
    """Write a corpus into an empty folder, or take it from there, and build it; the output folder.

    Raises Missing and Differs.
    """
    if not (folder / "content").exists():
        corpus.write(folder)
    into = folder / out
    arguments = ["build", "--content", folder / "content", "--out", into, "--as-of", _DAY]
    # There is no commit, and no cache except that of this output.
    environment = {
        **corpus.environment,
        "GIT_CEILING_DIRECTORIES": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "REGISTRY_CACHE": str(folder / "cache"),
    }
    done = run([*arguments, "--allow-loss", *corpus.options], folder, environment)
    if done.status or "Traceback" in done.err:
        raise Differs(f"the build ended with {done.status}:\n{done.err[-3000:]}")
    return into


# --- what is committed ---


def made_with() -> dict[str, str]:
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES}
    return {"python": ".".join(map(str, sys.version_info[:2])), **versions}


def committed() -> dict[str, Any]:
    """digests.json: the digest of each corpus, and the versions that made them."""
    content: dict[str, Any] = json.loads(DIGESTS.read_text("utf-8"))
    return content


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


def _compared(
    name: str, checkout: Path, against: Path | None, expected: str | None
) -> tuple[str, str, str]:
    """Build a corpus. Returns its name, its digest and the error; without an `expected` digest
    nothing is compared.
    """
    corpus, found, wrong = CORPORA[name], "", ""
    folder = Path(tempfile.mkdtemp(prefix=f"frozen-{name}-"))
    try:
        out = build(corpus, folder, by_checkout(checkout))
        found = digest(out)
        if expected not in (None, found):
            wrong = f"{name} differs\n{why(name)}"
        if wrong and against is not None:
            other = build(corpus, folder, by_checkout(against), "against")
            wrong += "".join(f"\n  {path}" for path in differing(out, other)[:50])
    except Missing as error:
        return name, "", f"{name} is left out: {error}"
    except Differs as error:
        wrong = f"{name}: {error}"
    if wrong:
        wrong += f"\nContent and output are left in {folder}"
    else:
        shutil.rmtree(folder)
    return name, found, wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--corpus", action="append", choices=CORPORA, help="default: all")
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
    compare = partial(_compared, checkout=options.checkout.resolve(),
                      against=options.against and options.against.resolve())  # fmt: skip
    is_wrong = False
    with ProcessPoolExecutor(options.parallel) as pool:
        done = [
            pool.submit(compare, name, expected=None if options.write else every.get(name))
            for name in names
        ]
        for name, found, wrong in (future.result() for future in done):
            if wrong:
                print(wrong)
                is_wrong = is_wrong or bool(found)
            elif options.write:
                every[name] = found
            elif name not in every:
                print(f"{name} has no digests yet; --write writes them")
                is_wrong = True
    if options.write:
        content = {"made_with": made_with(), "digests": dict(sorted(every.items()))}
        DIGESTS.write_text(f"{json.dumps(content, indent=1)}\n", "utf-8")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
