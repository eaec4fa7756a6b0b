"""Small faults put into the generator, one at a time, to see which tests find them.

    git worktree add ../mutants && make -C ../mutants environments
    python tests/mutants.py ../mutants --in generator/grammar --count 40 -- tests/search tests/unit

Each mutant is written into its file of the checkout (of JavaScript also into the bundles); then
pytest runs with the words behind `--`, without -x, and the file is restored.  The tests that fail
are printed and kept in mutants.json.  At the end the script lists the files of tests that find
what no other file finds; the others may go, as far as these mutants can tell.

A mutant that no test finds is no fault of the tests if no input can show it.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import re
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

#: Seconds after which the tests of a mutant are stopped: it never ends, and so is found.
PATIENCE = 900


class Mutant(NamedTuple):
    """A change of one place: bytes `start` to `end` of a file."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}  {self.before!r} -> {self.after!r}"


# --- what may be changed ---

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
#: Nothing below these is changed: it is no code that runs in a function, or not twice the same.
_OPAQUE = (ast.JoinedStr, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Assert)


def _other(node: ast.AST) -> ast.expr | None:
    """Another expression in the place of this one, or None."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = copy.deepcopy(node)
        other.ops = [_COMPARED[type(node.ops[0])]()]
        return other
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.IfExp):
        return ast.IfExp(node.test, node.orelse, node.body)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant(node.value + 1)
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.right, ast.Constant)
        and type(node.right.value) is int
    ):
        op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return ast.BinOp(node.left, op, node.right)
    return None


def _expressions(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Every expression in the body of a function that may be changed, with the other one."""
    stack: list[ast.AST] = list(function.body)  # type: ignore[attr-defined]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, *_OPAQUE)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value, ast.Constant(None)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name | ast.Attribute):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        if isinstance(node, ast.expr) and (other := _other(node)) is not None:
            yield node, other
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list", "pattern", "targets"):
                stack += [v for v in (value if isinstance(value, list) else [value])
                          if isinstance(v, ast.AST)]  # fmt: skip


def _of_python(root: Path, path: Path) -> Iterator[list[Mutant]]:
    """For each function of a module, what may be changed in it."""
    data = path.read_bytes()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function in ast.walk(ast.parse(data)):
        if not isinstance(function, ast.FunctionDef):
            continue
        found = []
        for node, other in _expressions(function):
            if any(isinstance(below, _OPAQUE) for below in ast.walk(node)):
                continue
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
            found.append(Mutant(str(path.relative_to(root)), node.lineno, start, end,
                                data[start:end].decode(), ast.unparse(other)))  # fmt: skip
        if found:
            yield found


_OPERATORS = {
    " === ": " !== ", " !== ": " === ", " < ": " <= ", " > ": " >= ", " <= ": " < ", " >= ": " > ",
    " && ": " || ", " || ": " && ", " + 1": " - 1", " - 1": " + 1", "(!": "(",
    ".slice(1": ".slice(0", "[0]": "[1]", " true": " false", " false": " true", " ? ": " && 0 ? ",
}  # fmt: skip


def _of_javascript(root: Path, path: Path) -> Iterator[list[Mutant]]:
    """For each function of a module (a line without indentation begins one)."""
    at, found = 0, list[Mutant]()
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if line[:1].strip() and found:
            yield found
            found = []
        code = line.decode().split("//")[0]
        if not re.match(r"\s*(/?\*|import\b)", code) and not re.search(r"[\"'`/]", code):
            for old, new in _OPERATORS.items():
                for match in re.finditer(re.escape(old), code):
                    start = at + len(code[: match.start()].encode())
                    found.append(Mutant(str(path.relative_to(root)), number, start,
                                        start + len(old.encode()), old, new))  # fmt: skip
        at += len(line)
    if found:
        yield found


def choose(root: Path, within: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """At most one mutant a function."""
    functions: list[list[Mutant]] = []
    for folder in within:
        for path in sorted((root / folder).rglob("*.py")):
            functions += _of_python(root, path)
        for path in sorted((root / folder).rglob("source/**/*.mjs")):
            functions += _of_javascript(root, path)
    drawn = random.Random(seed)
    return [drawn.choice(found) for found in drawn.sample(functions, min(count, len(functions)))]


# --- who finds them ---


def failing(root: Path, mutant: Mutant, arguments: Sequence[str]) -> list[str]:
    """The tests that fail with a mutant."""
    file = root / mutant.path
    before = file.read_bytes()
    file.write_bytes(before[: mutant.start] + mutant.after.encode() + before[mutant.end :])
    try:
        _bundle(root, mutant)
        return _failed(root, arguments)
    finally:
        file.write_bytes(before)
        _bundle(root, mutant)


def _bundle(root: Path, mutant: Mutant) -> None:
    if mutant.path.endswith(".mjs"):
        command = ["node", "tests/hosts/bundle.mjs", "generator"]
        subprocess.run(command, cwd=root, check=False, capture_output=True)


def _failed(root: Path, arguments: Sequence[str]) -> list[str]:
    command = [".venv/bin/pytest", "--tb=no", "-rfE", *arguments]
    with subprocess.Popen(
        command, cwd=root, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        try:
            out, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return ["no end"]
    found: list[str] = re.findall(r"^(?:FAILED|ERROR) (\S+)", out, re.MULTILINE)
    return found or ([] if process.returncode == 0 else [f"status {process.returncode}"])


def needed(found: Mapping[str, Sequence[str]]) -> list[str]:
    """Files of tests that together find every mutant that is found; most mutants first."""
    files = {name: {test.partition("::")[0] for test in tests} for name, tests in found.items()}
    left, kept = {name for name, tests in files.items() if tests}, list[str]()
    while left:
        every = sorted({file for name in left for file in files[name]})
        kept.append(max(every, key=lambda file: sum(file in files[name] for name in left)))
        left = {name for name in left if kept[-1] not in files[name]}
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--in", dest="within", action="append", help="default: generator")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    root, found = options.checkout.resolve(), dict[str, list[str]]()
    for mutant in choose(root, options.within or ["generator"], options.count, options.seed):
        found[mutant.name] = failing(root, mutant, options.tests)
        (root / "mutants.json").write_text(json.dumps(found, indent=1))
        print(f"{mutant.name}: {found[mutant.name][:3]}", flush=True)
    print(f"{len(found)} mutants, {sum(map(bool, found.values()))} found; needed:", *needed(found),
          sep="\n")  # fmt: skip


if __name__ == "__main__":
    main()
