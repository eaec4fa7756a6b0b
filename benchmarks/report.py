"""Renders the results of run.py as Markdown tables and an SVG chart; the same results always give
the same bytes.
"""

from __future__ import annotations

import math
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
COLORS = {
    "ours": "#0b6e4f",
    "ours-whole": "#5fa777",
    "cluster": "#2a9d8f",
    "hugo": "#d1495b",
    "eleventy": "#5b5f97",
    "naive": "#c98b1b",
    "naive-safe": "#8c5a2b",
    "floor": "#777777",
    "floor-whole": "#777777",
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 440, 70, 190, 46, 56


def seconds(value: float) -> str:
    for least, digits in ((100, 0), (10, 1), (0.1, 2)):
        if value >= least:
            return f"{value:.{digits}f} s"
    return f"{value * 1000:.0f} ms" if value >= 0.01 else f"{value * 1000:.1f} ms"


def size(value: float) -> str:
    if value >= 1e9:
        return f"{value / 1e9:.2f} GB"
    return f"{value / 1e6:.0f} MB" if value >= 1e7 else f"{value / 1e6:.1f} MB"


def number(value: int) -> str:
    return f"{value:,}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table whose first column is text and whose others are numbers."""
    return [
        "| " + " | ".join(head) + " |",
        "|---" + "|--:" * (len(head) - 1) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


def ratios(pair: dict) -> list[float]:
    return [peer / ours for ours, peer in zip(pair["ours"], pair["peer"], strict=True)]


def times(pair: dict) -> str:
    """The median of the ratios of the pairs, with the least and the greatest."""
    values = ratios(pair)
    return f"{median(values):.2f}× ({min(values):.2f}–{max(values):.2f})"


def walls(result: dict, name: str) -> list[float]:
    return result["builds"][name]["wall"]


def cold(result: dict, labels: dict) -> list[str]:
    rows = []
    for name, build in result["builds"].items():
        compared = [times(pair) for pair in result["pairs"] if pair["name"] == name]
        rows.append(
            [
                labels[name],
                seconds(median(build["wall"])),
                seconds(median(build["cpu"])),
                size(build["memory"]),
                number(build["files"]),
                size(build["bytes"]),
                "".join(compared) or "–",
            ]
        )
    return table(
        ["cold build", "wall", "CPU", "peak memory", "files", "bytes", "time ÷ ours"], rows
    )


def scenarios(result: dict) -> list[str]:
    rows = []
    for name, found in result["scenarios"].items():
        change = found["files"]
        rows.append(
            [
                name,
                seconds(median(found["wall"])),
                seconds(median(found["cpu"])),
                size(found["memory"]),
                *(
                    number(round(median(change[key])))
                    for key in ("added", "changed", "removed", "rewritten")
                ),
            ]
        )
    return table(
        [
            "second build",
            "wall",
            "CPU",
            "peak memory",
            "files added",
            "changed",
            "removed",
            "rewritten with the same bytes",
        ],
        rows,
    )


#: Projects, and how many times as long Hugo takes for its pages, at least.
AIMS = ((10_000, 2.7), (100_000, 3.7))


#: Processors of a machine that is simulated.
CORES = (1, 2, 4, 8, 16)


def on(cores: int, main: float, workers: float) -> float:
    """How long a stage takes: its work is divided among processors, but what the main process does
    is not, be it alone or while it takes what workers send.
    """
    return max(main, (main + workers) / cores)


def cores(found: dict) -> list[str]:
    """What each stage would take on more processors, and how much faster a build would be."""
    stages: dict[str, tuple[float, float]] = {}
    for name, (main, workers) in found["stages"].items():
        stages[name] = main, workers
    rows = [
        [name, *(seconds(on(number, *of)) for number in CORES), seconds(of[0]), seconds(of[1])]
        for name, of in stages.items()
        if sum(of) >= 0.001
    ]
    whole = [sum(on(number, *of) for of in stages.values()) for number in CORES]
    main, workers = (sum(of[who] for of in stages.values()) for who in (0, 1))
    rows.append(["**all**", *map(seconds, whole), seconds(main), seconds(workers)])
    rows.append(["times as fast as one", *(f"{whole[0] / time:.2f}×" for time in whole), "", ""])
    head = ["stage", *(f"{number} cores" if number > 1 else "1 core" for number in CORES)]
    return [
        *table([*head, "main process", "workers"], rows),
        f"A build with two workers took {seconds(found['wall'])} of wall time in the same runs.",
        "",
    ]


def growth(results: dict) -> list[str]:
    """What a project costs in registries of other sizes, in processor time: all of it, and each
    further project.
    """
    costs = {
        name: sorted(
            (int(projects), found["builds"][name]["files"], median(found["builds"][name]["cpu"]))
            for projects, found in results["sizes"].items()
            if name in found["builds"] and int(projects)
        )
        for name in ("ours", "ours-whole")
    }
    costs["cluster"] = sorted(
        (int(projects), found["files"], sum(one["cpu"] for one in found["processes"]))
        for projects, found in results.get("clusters", {}).items()
    )
    rows = []
    for name, known in costs.items():
        for (projects, files, cpu), before in zip(known, [(0, 0, 0.0), *known], strict=False):
            each = (cpu - before[2]) / (projects - before[0])
            more = f"{each * 1e6:,.0f} µs" if before[0] else "–"
            rows.append(
                [
                    results["labels"][name],
                    number(projects),
                    f"{files / projects:.2f}",
                    f"{cpu / projects * 1e6:,.0f} µs",
                    more,
                ]
            )
    return table(
        ["cold build", "projects", "files a project", "CPU a project", "CPU of each further one"],
        rows,
    )


def clusters(found: dict) -> list[str]:
    """Builds on a cluster: what each process took."""
    rows = []
    for projects, one in sorted(found.items(), key=lambda item: int(item[0])):
        build, scheduler, *workers = one["processes"]
        rows.append(
            [
                number(int(projects)),
                seconds(one["wall"]),
                *(seconds(process["cpu"]) for process in (build, scheduler)),
                seconds(sum(process["cpu"] for process in workers)),
                *(size(process["memory"]) for process in (build, scheduler)),
                size(max(process["memory"] for process in workers)),
                number(one["files"]),
                size(one["bytes"]),
                size(one["scratch"]),
            ]
        )
    head = ["projects", "wall", "CPU of the build", "of the scheduler", "of the workers"]
    head += ["memory of the build", "of the scheduler", "of a worker", "files", "bytes", "scratch"]
    return table(head, rows)


def aims(results: dict) -> list[str]:
    rows = []
    for projects, wanted in AIMS:
        pairs = results["sizes"].get(str(projects), {}).get("pairs", ())
        for found in [median(ratios(pair)) for pair in pairs if pair["name"] == "hugo"]:
            met = "yes" if found >= wanted else "no"
            rows.append([number(projects), f"≥ {wanted:g}", f"{found:.3g}", met])
    return table(["projects", "Hugo ÷ ours, aim", "measured", "met"], rows)


def markdown(results: dict, chart: str) -> str:
    machine, labels = results["machine"], results["labels"]
    lines = [
        "# Performance",
        "",
        "Written by `python benchmarks/run.py`; do not edit. "
        "Times are medians; how they were measured is below.",
        "",
        f"![Time for each project against the size of the registry]({chart})",
        "",
    ]
    for projects, result in sorted(results["sizes"].items(), key=lambda item: int(item[0])):
        registry = result["registry"]
        lines += [
            f"## {number(int(projects))} projects",
            "",
            (
                f"{number(registry['files'])} YAML files, {size(registry['bytes'])}. "
                f"{result['note']}"
            ).rstrip(),
            "",
            *cold(result, labels),
        ]
        if result["scenarios"]:
            lines += scenarios(result)
    counted = {int(name): of["cores"] for name, of in results["sizes"].items() if "cores" in of}
    if counted:
        projects, found = max(counted.items())
        lines += [
            "## More processors",
            "",
            (
                f"Simulated, for {number(projects)} projects and our whole output: processor time "
                "of the main process and of two workers is counted in each stage. What workers do "
                "is divided among the processors; what the main process does is not."
            ),
            "",
            *cores(found),
        ]
    if results.get("clusters"):
        lines += [
            "## On a cluster",
            "",
            "`registry build --executor dask --no-site`: the build, a scheduler and two workers, "
            "all on this machine and on its disk, one run of each size (`benchmarks/scale.py`). "
            "Memory is the highest resident size of a process; scratch is what lay beside the new "
            "output at most.",
            "",
            *clusters(results["clusters"]),
        ]
    lines += ["## The cost of a project", "", *growth(results)]
    lines += ["## Aims", "", *aims(results), (HERE / "aims.md").read_text("utf-8")]
    lines += [
        "## The machine",
        "",
        *(f"- {key}: {value}" for key, value in machine.items()),
        "",
        "## How it was measured",
        "",
        *(f"- {line}" for line in results["method"]),
        "",
    ]
    return "\n".join(lines)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def series(results: dict) -> dict[str, list[tuple[int, float]]]:
    """For each line of the chart its points: projects, and microseconds for each."""
    out: dict[str, list[tuple[int, float]]] = {}
    for projects, result in sorted(results["sizes"].items(), key=lambda item: int(item[0])):
        for name in result["builds"]:
            if int(projects):
                value = median(walls(result, name)) / int(projects) * 1e6
                out.setdefault(name, []).append((int(projects), value))
    for projects, found in sorted(results.get("clusters", {}).items(), key=lambda i: int(i[0])):
        value = found["wall"] / int(projects) * 1e6
        out.setdefault("cluster", []).append((int(projects), value))
    return out


def svg(results: dict) -> str:
    """A chart with two logarithmic axes; each line's label stands at its right end, moved down
    where two would meet.
    """
    lines = series(results)
    points = [point for line in lines.values() for point in line] or [(1000, 100.0)]
    x0, x1 = math.log10(min(p[0] for p in points)), math.log10(max(p[0] for p in points))
    if x1 - x0 < 1:
        x0, x1 = x0 - 0.5, x1 + 0.5
    y0 = math.floor(math.log10(min(p[1] for p in points)))
    y1 = max(y0 + 1, math.ceil(math.log10(max(p[1] for p in points))))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(value: float) -> float:
        return LEFT + (math.log10(value) - x0) / (x1 - x0) * inner_width

    def y(value: float) -> float:
        return TOP + (y1 - math.log10(value)) / (y1 - y0) * inner_height

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-labelledby="title" '
        'font-family="system-ui, sans-serif" font-size="12">',
        '<title id="title">Time of a cold build for each project, against the number of '
        "projects</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="14" fill="#222222">Cold build: time for each project '
        "(less is better)</text>",
    ]
    for power in range(y0, y1 + 1):
        at = y(10**power)
        name = f"{10**power:g} µs" if power < 3 else f"{10 ** (power - 3):g} ms"
        out += [
            f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}" '
            'stroke="#dddddd"/>',
            f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#555555">{name}</text>',
        ]
        out += [
            f'<line x1="{LEFT}" y1="{y(step * 10**power):.1f}" x2="{WIDTH - RIGHT}" '
            f'y2="{y(step * 10**power):.1f}" stroke="#f2f2f2"/>'
            for step in range(2, 10)
            if power < y1
        ]
    for projects in sorted({p[0] for p in points}):
        out += [
            f'<line x1="{x(projects):.1f}" y1="{TOP}" x2="{x(projects):.1f}" '
            f'y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>',
            f'<text x="{x(projects):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" '
            f'fill="#555555">{number(projects)}</text>',
        ]
    out.append(
        f'<text x="{LEFT + inner_width / 2:.1f}" y="{HEIGHT - 14}" text-anchor="middle" '
        'fill="#555555">'
        "projects in the registry</text>"
    )
    used = -math.inf
    for name, line in sorted(lines.items(), key=lambda item: (y(item[1][-1][1]), item[0])):
        color, dash = (
            COLORS.get(name, "#000000"),
            ' stroke-dasharray="5 4"' if name.startswith("floor") else "",
        )
        width = 3 if name.startswith("ours") else 1.8
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line)
        out.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dash}/>'
        )
        out += [
            f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3.5" fill="{color}"/>' for a, b in line
        ]
        used = max(y(line[-1][1]) + 4, used + 15)
        out.append(
            f'<text x="{x(line[-1][0]) + 9:.1f}" y="{used:.1f}" '
            f'fill="{color}">{escape(results["labels"][name])}</text>'
        )
    out.append("</svg>")
    return "\n".join(out) + "\n"
