"""What an import of a large table costs: python benchmarks/importing.py [--rows 20000]

Makes a table of companies in each format, imports it into an empty registry without writing, and
prints the processor time and the memory of the process.  Ends with status 1 if a format takes more
than the aims: 15 seconds and 300 MB for 20,000 rows.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from openpyxl import Workbook

SECONDS, MEGABYTES, ROWS = 15.0, 300.0, 20_000
REGISTRY = """\
name: Benchmark
description: Companies of a large table.
tag_families: {topic: {label: Topic}}
"""
MAP = """\
kind: project
key: website
fields:
  name: Company
  website: URL
  year: {column: Founded, date: "%d.%m.%Y"}
  tags.topic: {column: Sectors, split: ","}
  locations.city: City
  locations.country: Country
  summary: {column: About, strip_html: true, cut: 300}
  team_size: Team
  links.github: {column: Code, prefix: "https://github.com/"}
"""
HEADER = (
    "Company",
    "URL",
    "Founded",
    "Sectors",
    "City",
    "Country",
    "About",
    "Team",
    "Code",
    "Notes",
)
FIRST = "Aurora Fjord Polar North Quiet Green Solar Tidal Deep Bright Iron Silver Amber Coral"
SECOND = "Grid Labs Works Systems Energy Health Data Robotics Foods Motion Space Cloud Water"
PLACES = (("Oslo", "Norway"), ("Berlin", "Germany"), ("Tokyo", "日本"), ("Sevilla", "España"))


def rows(count: int) -> list[tuple[str, ...]]:
    """The rows of a table, the same for each run."""
    dice, made = random.Random(1), []
    first, second = FIRST.split(), SECOND.split()
    for i in range(count):
        name = f"{dice.choice(first)} {dice.choice(second)} {i}"
        founded = f"{dice.randint(1, 28):02}.{dice.randint(1, 12):02}.{dice.randint(1990, 2024)}"
        sectors = dice.choice(("Climate", "Health", "Climate, Food & drink"))
        about = f"{name} makes <b>things</b> for people who need them."
        place = dice.choice(PLACES)
        made.append((name, f"https://c{i}.example/", founded, sectors, *place, about,
                     str(dice.randint(1, 900)), f"c{i}/code", "x" * 100))  # fmt: skip
    return made


def write_csv(path: Path, table: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADER, *table])


def write_json(path: Path, table: Sequence[Sequence[str]]) -> None:
    records = [dict(zip(HEADER, row, strict=True)) for row in table]
    path.write_text(json.dumps(records, ensure_ascii=False, indent=1), "utf-8")


def write_yaml(path: Path, table: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in table:
            pairs = zip(HEADER, row, strict=True)
            file.write("- " + "\n  ".join(f"{k}: {json.dumps(v)}" for k, v in pairs) + "\n")


def write_excel(path: Path, table: Sequence[Sequence[str]]) -> None:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Companies")
    for row in (HEADER, *table):
        sheet.append(row)
    book.save(path)


FORMATS: dict[str, Callable[[Path, Sequence[Sequence[str]]], None]] = {
    "csv": write_csv, "json": write_json, "yaml": write_yaml, "xlsx": write_excel,
}  # fmt: skip


def cost(folder: Path, table: str) -> tuple[float, float]:
    """Seconds of processor time and megabytes of an import."""
    command = [sys.executable, "-m", "generator", "import", table, "--map", "map.yaml"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{table}: the import failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    count = parser.parse_args().rows
    table, worst = rows(count), 0.0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as made:
        folder = Path(made)
        (folder / "content").mkdir()
        (folder / "content/registry.yaml").write_text(REGISTRY)
        (folder / "map.yaml").write_text(MAP)
        for ending, write in FORMATS.items():
            write(folder / f"table.{ending}", table)
            seconds, megabytes = cost(folder, f"table.{ending}")
            print(f"{ending:5} {count:,} rows: {seconds:.1f} s, {megabytes:.0f} MB", flush=True)
            worst = max(worst, seconds / SECONDS, megabytes / MEGABYTES)
    return int(worst > 1 and count >= ROWS)


if __name__ == "__main__":
    sys.exit(main())
