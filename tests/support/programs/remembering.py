"""Runs another program with its own arguments and caches the results of pure functions and classes:
`remembering.py NAME,NAME… PROGRAM …`.  A function named -NAME, whose results the program drops,
gives an empty list.
"""

import functools
import importlib.util
import sys

names, path = sys.argv[1:3]
spec = importlib.util.spec_from_file_location("program", path)
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
for name in names.split(","):
    if name.startswith("-"):
        setattr(program, name[1:], lambda *arguments: [])
        continue
    owner, _, function = name.rpartition(".")
    holder = getattr(program, owner) if owner else program
    setattr(holder, function, functools.cache(getattr(holder, function)))
sys.argv = sys.argv[2:]
sys.exit(program.main())
