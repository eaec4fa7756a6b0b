"""Runs another program several times and caches the results of pure functions and classes:
`remembering.py NAME,NAME… PROGRAM RUNS`.

RUNS is JSON, for each run the names of functions whose results the program drops, which give an
empty list, and its arguments.
"""

import functools
import importlib.util
import json
import sys

names, path, runs = sys.argv[1:]
spec = importlib.util.spec_from_file_location("program", path)
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
for name in names.split(","):
    owner, _, function = name.rpartition(".")
    holder = getattr(program, owner) if owner else program
    setattr(holder, function, functools.cache(getattr(holder, function)))
known = dict(vars(program))
for dropped, arguments in json.loads(runs):
    vars(program).update(known)
    vars(program).update(dict.fromkeys(dropped, lambda *arguments: []))
    sys.argv = [path, *arguments]
    if status := program.main():
        sys.exit(status)
    print()
