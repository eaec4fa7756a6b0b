"""`registry`, which says at the end how many MiB of memory it had at most."""

import sys

import generator.cli

try:
    generator.cli.main()
finally:
    with open("/proc/self/status") as status:
        print(
            "PEAK",
            next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024,
            file=sys.stderr,
        )
