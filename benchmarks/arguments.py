"""What holding the arguments of one call against a tool's schema costs: our own code, and
jsonschema.

    python benchmarks/arguments.py [--runs 5]

Of jsonschema a validator is made once for each tool, as a server would, and asked for its first
error only; sentences for people are not among what it is timed for.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import timeit
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from jsonschema import Draft202012Validator

from generator.agent.arguments import check_arguments
from generator.agent.tools import tools
from generator.grammar.grammar import Grammar
from generator.grammar.refusals import QueryError

CALLS = {
    "a good one": {
        "collection": "projects",
        "q": "battery storage",
        "filters": {"year": "2024", "tag_topic": "energy", "status": "active"},
        "sort": "-year",
        "limit": 20,
        "fields": ["name", "summary"],
    },
    "a refused one": {"collection": "projects", "q": "battery", "filters": {"year": 24}},
}
TIMES = 2_000


def refused(arguments: object, schema: dict) -> bool:
    try:
        check_arguments(arguments, schema)
    except QueryError:
        return True
    return False


def imported(module: str, runs: int) -> float:
    """Milliseconds of the processor that a fresh interpreter takes for it."""
    code = f"import time; t = time.process_time; began = t(); import {module}; print(t() - began)"
    command = [sys.executable, "-c", code]
    folder = Path(__file__).resolve().parent.parent
    return (
        median(
            float(subprocess.run(command, capture_output=True, check=True, cwd=folder).stdout)
            for _ in range(runs)
        )
        * 1000
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    schema = next(
        tool.input
        for tool in tools(Grammar({"topic": "", "technology": ""}))
        if tool.name == "search_records"
    )
    validator = Draft202012Validator(schema)
    print("| | own code | jsonschema |\n|---|--:|--:|")
    for name, arguments in CALLS.items():
        assert (
            refused(arguments, schema) == (name == "a refused one") != validator.is_valid(arguments)
        )
        times = [
            median(timeit.repeat(what, number=TIMES, repeat=runs)) / TIMES * 1e6
            for what in (
                lambda a=arguments: refused(a, schema),
                lambda a=arguments: next(validator.iter_errors(a), None),
            )
        ]
        print(f"| {name}, µs | {times[0]:.0f} | {times[1]:.0f} |")
    modules = (
        "generator.agent.arguments",
        "generator.agent.arguments, jsonschema",
        "mcp.server, jsonschema",
        "mcp.server",
    )
    own, both, last, server = (imported(module, runs) for module in modules)
    print(f"| import, ms | {own:.0f} | {both - own:.0f} more |")
    print(f"\nThe MCP server's own import is {server:.0f} ms, with jsonschema {last:.0f} ms.")


if __name__ == "__main__":
    main()
