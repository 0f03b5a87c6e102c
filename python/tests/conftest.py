"""Fixtures of several tests: the repository, the program, small simulations."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom

ROOT = Path(__file__).parents[2]

# A shell starts jobs in the background with interrupts ignored. The tests of interrupts would then never end.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def program() -> str:
    """The command line of the same version: from `CAROM`, the release build, or the path."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = os.environ.get("CAROM") or shutil.which(str(target / "release" / "carom")) or shutil.which("carom")
    if found is None:
        pytest.skip("the command line is not built")
    return found


@pytest.fixture(scope="session")
def summary_of(program: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], dict[str, Any]]:
    """The summary of a run of the command line. A run that exists in the folder `CAROM_RUNS` is reused."""

    def summary(scenario: Path) -> dict[str, Any]:
        folder = Path(os.environ.get("CAROM_RUNS", "missing")) / scenario.stem
        if not (folder / "summary.json").exists():
            output = tmp_path_factory.mktemp("runs")
            subprocess.run([program, "run", scenario, "--output", output, "--quiet"], check=True)
            folder = output / scenario.stem
        found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
        return found

    return summary


@pytest.fixture
def bounce() -> carom.Simulation:
    """A ball of 1 kg that falls 5 m in 1 s and bounces without loss."""
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.125, duration=4)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 5.5), velocity=(1, 0, 0))
    return sim


def box_of_balls(seed: int = 0, side: int = 4) -> carom.Simulation:
    """Elastic balls in a periodic box, with many impacts per second."""
    import numpy as np

    random = np.random.default_rng(seed)
    grid = np.arange(side) + 0.5
    places = np.stack(np.meshgrid(grid, grid, grid), axis=-1).reshape(-1, 3)
    sim = carom.Simulation(periodic=[(0, side)] * 3, timestep=0.125, duration=2)
    sim.fill("gas", carom.Sphere(0.4), positions=places, velocities=random.normal(size=places.shape), mass=1)
    return sim


@pytest.fixture
def gas() -> carom.Simulation:
    return box_of_balls()
