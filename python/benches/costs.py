"""The cost of the package: `python costs.py [CAROM]`. CAROM is the command line for the comparison.

Times are medians of several runs in processor time. The command line measures its stepping in wall time, so there the
fastest of several alternating runs counts for both. This needs a machine that is otherwise idle.
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import carom

ROOT = Path(__file__).parents[2]


def seconds(work: Callable[[], object]) -> float:
    """Processor time of this process."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def run_beside_the_command_line(program: str) -> None:
    """The time of stepping alone, in the package and in the command line alternately."""
    for name, duration in [("hard_spheres", 40), ("heap", 2)]:
        scenario, ours, theirs = ROOT / "scenarios" / f"{name}.ron", [], []
        for _ in range(15):
            sim = carom.Simulation.load(scenario, duration=duration)
            sim.keep_events = False
            ours.append(seconds(sim.run))
            with tempfile.TemporaryDirectory() as folder:
                command = [program, "run", scenario, "--output", folder, "--quiet", "--duration", str(duration)]
                # A shorter run may fail some expectations of the scenario.
                subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
                timing = json.loads((Path(folder) / name / "summary.json").read_text())["timing"]
                theirs.append(timing["stepping_seconds"])
        here, there = min(ours), min(theirs)
        print(f"{name}: sim.run() {here:.3f} s, stepping of the command line {there:.3f} s: {100 * (here / there - 1):+.1f} %")


def positions_of_a_million() -> None:
    sim = carom.Simulation(timestep=1)
    grid = np.stack(np.meshgrid(*3 * [np.arange(100.0)]), axis=-1).reshape(-1, 3)
    begun = time.perf_counter()
    sim.fill("gas", carom.Sphere(0.25), positions=grid, velocities=np.zeros_like(grid), mass=1)
    filled = time.perf_counter()
    out = sim.positions()
    made = time.perf_counter()
    print(f"10^6 bodies: fill {filled - begun:.2f} s, world {made - filled:.2f} s")
    fresh = statistics.median(seconds(sim.positions) for _ in range(21))
    into = statistics.median(seconds(lambda: sim.positions(out=out)) for _ in range(21))
    print(f"positions() of 10^6 bodies: {1e3 * fresh:.1f} ms, into an array that is there: {1e3 * into:.1f} ms")


def callbacks() -> None:
    """A ball between two walls: 200,000 impacts, with and without a function that does nothing."""
    count = 200_000

    def scene(listens: bool) -> carom.Simulation:
        sim = carom.Simulation(timestep=100, duration=1e9)
        sim.keep_events = False
        sim.add("left", carom.Plane((1, 0, 0), -1.5))
        sim.add("right", carom.Plane((-1, 0, 0), -1.5))
        sim.add("ball", carom.Sphere(0.5), mass=1, velocity=(1, 0, 0))
        if listens:
            sim.on("impact")(nothing)
        return sim

    def nothing(event: carom.Event) -> None:
        pass

    def call() -> None:
        for _ in range(count):
            nothing(None)  # type: ignore[arg-type]

    rows = []
    for _ in range(7):
        plain, heard = scene(False), scene(True)
        rows.append([seconds(lambda: plain.run(events=count)), seconds(lambda: heard.run(events=count)), seconds(call)])
    plain_time, heard_time, empty = (statistics.median(column) / count for column in zip(*rows))
    above = heard_time - plain_time - empty
    print(f"a callback: {1e9 * above:.0f} ns above an empty call of {1e9 * empty:.0f} ns; an impact {1e9 * plain_time:.0f} ns")


if __name__ == "__main__":
    print(platform.machine(), platform.python_version(), "carom", carom.__version__)
    positions_of_a_million()
    callbacks()
    if len(sys.argv) > 1:
        run_beside_the_command_line(sys.argv[1])
