"""The `registry` command, also `python -m generator`.  If a package is missing, it names it."""

import sys


def main() -> None:
    try:
        from generator.cli import main

        main()
    except ModuleNotFoundError as error:
        name = error.name or ""
        if name.split(".")[0] == "generator":
            raise
        if name == "yaml._yaml":  # PyYAML was built from source without libyaml
            command = "pip install --force-reinstall --only-binary pyyaml pyyaml"
            _fail(f"PyYAML is here without libyaml: {command}")
        command = "In a checkout: pip install --require-hashes -r requirements.txt"
        _fail(f"the package {name} is not installed. {command}")


def _fail(message: str) -> None:
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
