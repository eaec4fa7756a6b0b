"""Small faults put into the generator, one at a time, to see which tests find them.

    git worktree add ../mutants && make -C ../mutants environments
    python tests/mutants.py seed ../mutants --count 150
    python tests/mutants.py map ../mutants       run all tests once: which test reaches which mutant
    python tests/mutants.py judge ../mutants     wake one mutant after the other, and run the tests
                                                 that reach it until one fails: the fast ones, and
                                                 if none of them fails, the slow ones

`seed` chooses mutants over all rooms of generator/, at most one a function.  All mutants of Python
stand in the checkout at once, asleep: `a < b` becomes `(a <= b if _mutant(17) else a < b)`, and the
file `awake` says which one is meant.  So the code that a test started in another process is mutated
too, and what a test reaches is known without measuring the coverage of everything.  What a shared
fixture reaches counts for all tests with that fixture.  A mutant of JavaScript is written into its
file, and the bundles are made anew; all tests that start Node or a browser count as reaching it.

A mutant that no test finds is no fault of the tests if no input can show it.  No test run uses this
script; CONTRIBUTING.md says when it is worth its hours.
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
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

STATE = ".mutants"
#: The tests that run first: they see most of what the generator publishes.
GOLDEN = "golden/test_golden"
#: Seconds that the tests of one mutant may take, quick ones first.
PATIENCE = 240

PROBE = '''

def _mutant(number, _seen=set()):
    """Whether this mutant is awake; tests/mutants.py wrote this line."""
    if AWAKE:
        return number == AWAKE
    test = os.environ.get("MUTANTS_FIXTURE") or os.environ.get("MUTANTS_TEST", "?")
    if (number, test) not in _seen:
        _seen.add((number, test))
        with open(STATE + "/reached", "a") as log:
            log.write(f"{number}\\t{test}\\n")
    return False


import builtins, os
STATE = STATE_FOLDER
with open(STATE + "/awake") as file:
    AWAKE = int(file.read())
builtins._mutant = _mutant
'''

FIXTURES = """

@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    if fixturedef.scope == "function":
        return (yield)
    before = os.environ.get("MUTANTS_FIXTURE", "")
    os.environ["MUTANTS_FIXTURE"] = f"fixture {fixturedef.baseid} {fixturedef.argname}"
    try:
        return (yield)
    finally:
        os.environ["MUTANTS_FIXTURE"] = before


def pytest_collection_modifyitems(items):
    import json
    uses = {
        item.nodeid: [
            f"fixture {one.baseid} {name}"
            for name in item.fixturenames
            for one in item._fixtureinfo.name2fixturedefs.get(name, ())
        ]
        for item in items
    }
    slow = [item.nodeid for item in items if item.get_closest_marker("slow")]
    if len(items) > 1000:
        path = STATE_FOLDER + f"/tests-{os.environ.get('PYTEST_XDIST_WORKER', 'one')}.json"
        with open(path, "w") as file:
            json.dump({"uses": uses, "slow": slow}, file)
"""


class Mutant(NamedTuple):
    """A change of one place: bytes `start` to `end` of a file."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    @property
    def room(self) -> str:
        return self.path.split("/")[1]


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
        other: Any = copy.deepcopy(node)
        other.ops = [_COMPARED[type(node.ops[0])]()]
        return other
    if isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return other
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


def choose(root: Path, count: int, seed: int) -> list[Mutant]:
    """A fifth of them in JavaScript; of each room as many as the root of its functions."""
    drawn, chosen = random.Random(seed), list[Mutant]()
    python, script = defaultdict(list), defaultdict(list)
    for path in sorted((root / "generator").rglob("*.py")):
        for mutants in _of_python(root, path):
            python[mutants[0].room].append(mutants)
    for path in sorted((root / "generator").rglob("source/**/*.mjs")):
        for mutants in _of_javascript(root, path):
            script[mutants[0].room].append(mutants)
    for rooms, share in ((python, count - count // 5), (script, count // 5)):
        weight = {room: len(functions) ** 0.5 for room, functions in rooms.items()}
        for room, functions in rooms.items():
            number = max(1, round(share * weight[room] / sum(weight.values())))
            for mutants in drawn.sample(functions, min(number, len(functions))):
                chosen.append(drawn.choice(mutants))
    return chosen


def seed(root: Path, count: int, number: int) -> None:
    state = root / STATE
    state.mkdir()
    (state / "awake").write_text("0")
    chosen = choose(root, count, number)
    (state / "mutants.json").write_text(json.dumps([one._asdict() for one in chosen], indent=1))
    places = defaultdict(list)
    for index, mutant in enumerate(chosen, 1):
        if mutant.path.endswith(".py"):
            places[mutant.path].append((mutant, index))
    for path, mutants in places.items():
        data = (root / path).read_bytes()
        for mutant, index in sorted(mutants, key=lambda one: -one[0].start):
            text = f"(({mutant.after}) if _mutant({index}) else ({mutant.before}))"
            data = data[: mutant.start] + text.encode() + data[mutant.end :]
        ast.parse(data)
        (root / path).write_bytes(data)
    for path, text in (("generator/__init__.py", PROBE), ("tests/conftest.py", FIXTURES)):
        with (root / path).open("a") as file:
            file.write(text.replace("STATE_FOLDER", repr(str(state))))
    print(f"{len(chosen)} mutants", dict(Counter(one.room for one in chosen)))


# --- which tests reach which mutant ---


def map_tests(root: Path, arguments: Sequence[str]) -> None:
    (root / STATE / "reached").unlink(missing_ok=True)
    xml = f"--junitxml={STATE}/tests.xml"
    subprocess.run(["make", "test-all", f"ARGS={xml} {' '.join(arguments)}"], cwd=root, check=False)


class Tests(NamedTuple):
    seconds: dict[str, float]
    slow: set[str]
    reached: dict[int, set[str]]
    with_node: set[str]


def _known(root: Path) -> Tests:
    state = root / STATE
    told = json.loads(next(iter(sorted(state.glob("tests-*.json")))).read_text())
    nodes = {_plain(node): node for node in told["uses"]}
    seconds, failed = dict[str, float](), set[str]()
    for case in ElementTree.parse(state / "tests.xml").iter("testcase"):
        node = nodes.get(f"{case.get('classname')}::{case.get('name')}")
        if node is None:
            continue
        seconds[node] = float(case.get("time") or 0)
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(node)
        if case.find("skipped") is not None:
            failed.add(node)
    users = defaultdict(set)
    for node, fixtures in told["uses"].items():
        for fixture in fixtures:
            users[fixture].add(node)
    reached = defaultdict(set)
    for line in (state / "reached").read_text().splitlines():
        number, test = line.split("\t")
        if test.startswith("fixture "):
            reached[int(number)] |= users[test]
        else:
            reached[int(number)].add(test)
    good = {node: time for node, time in seconds.items() if node not in failed}
    slow, modules = set(told["slow"]), _with_node(root)
    with_node = {node for node in good if node.split("::")[0] in modules}
    return Tests(good, slow, {n: tests & good.keys() for n, tests in reached.items()}, with_node)


def _plain(node: str) -> str:
    """The name in a report of JUnit's form of a test's id."""
    module, _, rest = node.partition("::")
    return f"{module.removesuffix('.py').replace('/', '.')}::{rest}"


def _with_node(root: Path) -> set[str]:
    """Test modules that start Node or a browser, themselves or by the modules they import."""
    tests = root / "tests"
    texts = {
        path: path.read_text("utf-8")
        for path in tests.rglob("*.py")
        if "node_modules" not in str(path)
    }
    known = {path for path, text in texts.items() if re.search(r"\.mjs|\bnode\b|chromium", text)}
    while True:
        names = {path.stem for path in known if path.parent.name == "support"}
        folders = {path.parent for path in known if path.name == "conftest.py"}
        more = {
            path
            for path, text in texts.items()
            if path not in known
            and (path.parent in folders - {tests}
                 or any(re.search(rf"support[. ].*\b{name}\b", text) for name in names))
        }  # fmt: skip
        if not more:
            return {str(path.relative_to(root)) for path in known}
        known |= more


# --- who finds them ---


def judge(root: Path, numbers: Iterable[int], patience: float) -> None:
    state = root / STATE
    mutants = [Mutant(**one) for one in json.loads((state / "mutants.json").read_text())]
    tests = _known(root)
    path = state / "verdicts.json"
    verdicts = json.loads(path.read_text()) if path.exists() else {}
    for number in numbers or range(1, len(mutants) + 1):
        mutant = mutants[number - 1]
        is_python = mutant.path.endswith(".py")
        nodes = tests.reached.get(number, set()) if is_python else {
            node for node in tests.with_node if not node.startswith("tests/golden")
        }  # fmt: skip
        with _Awake(root, mutant, number):
            verdict = _judged(root, nodes, tests, patience)
        verdicts[str(number)] = verdict | {"at": f"{mutant.path}:{mutant.line}"}
        path.write_text(json.dumps(verdicts, indent=1))
        print(f"{number:4} {mutant.path}:{mutant.line}  {mutant.before!r} -> {mutant.after!r}: "
              f"{verdict}", flush=True)  # fmt: skip
    found = [one for one in verdicts.values() if one["by"]]
    fast = [one for one in found if one["lane"] == "fast"]
    print(f"{len(verdicts)} mutants, {len(found)} found, {len(fast)} of them by the fast tests")


class _Awake:
    """While this is entered, a mutant is awake."""

    def __init__(self, root: Path, mutant: Mutant, number: int):
        self._root, self._mutant, self._number = root, mutant, number
        self._file, self._awake = root / mutant.path, root / STATE / "awake"

    def __enter__(self) -> None:
        if self._mutant.path.endswith(".py"):
            self._awake.write_text(str(self._number))
            return
        self._before = self._file.read_bytes()
        data, mutant = self._before, self._mutant
        self._file.write_bytes(data[: mutant.start] + mutant.after.encode() + data[mutant.end :])
        self._bundle()

    def __exit__(self, *_: object) -> None:
        if self._mutant.path.endswith(".py"):
            self._awake.write_text("0")
            return
        self._file.write_bytes(self._before)
        self._bundle()

    def _bundle(self) -> None:
        command = ["node", "tests/hosts/bundle.mjs", "generator"]
        subprocess.run(command, cwd=self._root, check=False, capture_output=True)


def _judged(root: Path, nodes: set[str], tests: Tests, patience: float) -> dict[str, Any]:
    """By which test a mutant is found, of which lane, after how many seconds."""
    began = time.monotonic()
    for lane in ("fast", "slow"):
        mine = sorted((n for n in nodes if (n in tests.slow) == (lane == "slow")),
                      key=lambda n: (GOLDEN not in n, tests.seconds[n]))  # fmt: skip
        left = time.monotonic() + patience
        for part in _parts(mine, tests):
            if time.monotonic() > left:
                break
            if by := _failing(root, part, 60 + 8 * sum(tests.seconds[n] for n in part)):
                return {"lane": lane, "by": by, "seconds": round(time.monotonic() - began)}
    return {"lane": None, "by": None, "of": len(nodes), "seconds": round(time.monotonic() - began)}


def _parts(nodes: Sequence[str], tests: Tests) -> Iterator[list[str]]:
    """Tests in parts of some 5, 10, 20, 20 … seconds."""
    part, total, limit = list[str](), 0.0, 5.0
    for node in nodes:
        part.append(node)
        total += tests.seconds[node]
        if total > limit or len(part) > 1500:
            yield part
            part, total, limit = [], 0.0, min(20.0, limit * 2)
    if part:
        yield part


def _failing(root: Path, nodes: Sequence[str], seconds: float) -> str | None:
    """The first test that fails, or None."""
    arguments = root / STATE / "arguments"
    arguments.write_text("\n".join(nodes))
    command = [
        ".venv/bin/pytest",
        "-x",
        "-p",
        "no:cacheprovider",
        "--tb=no",
        "-rfE",
        f"@{arguments}",
    ]
    environment = {**os.environ, "TMPDIR": "/dev/shm", "CI": "true", "HOSTS": "1"}
    with subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"no end: {nodes[0]}"
    if process.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", out, re.MULTILINE)
    return found[1] if found else f"status {process.returncode}: {out[-300:]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("task", choices=("seed", "map", "judge"))
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument("--only", type=int, nargs="*", default=())
    options, rest = parser.parse_known_args()
    root = options.checkout.resolve()
    if options.task == "seed":
        seed(root, options.count, options.seed)
    elif options.task == "map":
        map_tests(root, rest)
    else:
        judge(root, options.only, options.patience)


if __name__ == "__main__":
    sys.exit(main())
