"""The `registry` command, also `python -m generator`: as `generator.cli` has it, or which package
it lacks.
"""

import sys


def main() -> None:
    try:
        from generator.cli import main

        main()
    except ModuleNotFoundError as error:
        name = error.name or ""
        if name.split(".")[0] == "generator":
            raise
        if name == "yaml._yaml":  # built from source where libyaml was not
            mend = "pip install --force-reinstall --only-binary pyyaml pyyaml"
            sys.exit(_say(f"PyYAML is here without libyaml: {mend}"))
        mend = "In a checkout: pip install --require-hashes -r requirements.txt"
        sys.exit(_say(f"the package {name} is not installed. {mend}"))


def _say(what: str) -> int:
    print(f"Error: {what}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
