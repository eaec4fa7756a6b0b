"""Imports the modules of the commands, then runs each command in a fork, which saves the imports
and the compiling of templates (cached in the folder given).  Further arguments name more modules to
import.
"""

import importlib
import json
import os
import runpy
import signal
import sys
import traceback
from pathlib import Path

import generator.build
import generator.cli.publishing.build
import generator.contract.ical
import generator.contract.lock
import generator.contract.templates
import generator.dialect.examine
import generator.dialect.libyaml
import generator.hosts
import generator.outputs
from generator.contract.artifact import load_module, module_names

sys.path.append(str(Path(__file__).parents[2]))
from support import templates

CHANGES = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}
generator.contract.templates.environment()
for package in (generator.outputs, generator.hosts):
    for name in module_names(package):
        load_module(package, name)
compiled = Path(sys.argv[1], "templates")
compiled.mkdir()
templates.remember(compiled)
for name in sys.argv[2:]:
    importlib.import_module(name)


def at(count, number, counts, target):
    left, main, exchanges = count, os.getpid(), False

    def hook(event, arguments):
        nonlocal left, exchanges
        exchanges |= event == "ctypes.dlsym" and arguments[1] == "renameat2"
        if counts == "exchange" and not exchanges:
            return
        changes = event in {*CHANGES, "ctypes.dlsym"} or (
            event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        )
        if changes and (os.getpid() == main) == (counts != "worker"):
            left -= 1
            if not left:
                {
                    "self": lambda: os.kill(os.getpid(), number),
                    "parent": lambda: os.kill(main, number),
                    "group": lambda: os.killpg(main, number),
                }[target]()

    return hook


for line in sys.stdin:
    asked = json.loads(line)
    process = os.fork()
    if process == 0:
        os.setsid()
        signal.alarm(300)  # kill commands that wait forever
        for number, path in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.argv = [asked["program"] or "registry", *asked["arguments"]]
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        if asked["signals"]:
            sys.addaudithook(at(*asked["signals"]))
        try:
            if asked["program"]:
                runpy.run_path(asked["program"], run_name="__main__")
            else:
                generator.cli.main()
        except SystemExit as end:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(end.code or 0)
        except BaseException:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    print(process, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
