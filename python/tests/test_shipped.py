"""Every shipped scenario has the hash that the command line finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import carom
from conftest import ROOT

SCENARIOS = sorted((ROOT / "scenarios").glob("*.ron"))


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 28


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_the_hash_is_that_of_the_command_line(scenario: Path, summary_of: Callable[[Path], dict[str, Any]]) -> None:
    sim = carom.Simulation.load(scenario)
    sim.keep_events = False
    sim.run()
    wanted = summary_of(scenario)
    assert (sim.hash, sim.steps) == (wanted["state_hash"], wanted["steps"])
