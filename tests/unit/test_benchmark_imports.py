"""Every script of benchmarks/ imports names that exist, without being run."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from support.commands import ROOT

SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_imports_names_that_exist(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == "generator":
                    importlib.import_module(name.name)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "generator":
            module = importlib.import_module(node.module or "")
            for name in node.names:
                if not hasattr(module, name.name):
                    importlib.import_module(f"{module.__name__}.{name.name}")
