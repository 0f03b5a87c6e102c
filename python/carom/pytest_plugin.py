"""The pytest plugin: replay tests with the fixture `carom_replay`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import carom
from carom import Divergence

#: A recording with at most this number of bodies times steps has a snapshot at each step, so that every difference is
#: reported exactly.
_STATES_MAX = 100_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("carom")
    group.addoption(
        "--carom-update", action="store_true", help="record the runs of `carom_replay` again and accept what is different"
    )


class Replay:
    """Compares runs with their recordings; the fixture `carom_replay`."""

    def __init__(self, folder: Path, update: bool) -> None:
        self._folder, self._update = folder, update
        #: The recordings that were made by this test.
        self.recorded: list[Path] = []

    def __call__(
        self,
        scenario: str | os.PathLike[str] | carom.Simulation,
        recording: str | os.PathLike[str] | None = None,
    ) -> None:
        """Fails unless the run of a scenario gives the bits of its recording.

        The scenario is a file, by its path from the folder of the test, or a simulation at its beginning. By
        default, the recording is beside the file, with the ending `carom`. If it does not exist, it is recorded.
        """
        __tracebackhide__ = True
        if isinstance(scenario, carom.Simulation):
            if recording is None:
                raise TypeError("of a simulation the path of the recording must be given, too")
            sim, place = scenario, self._folder / recording
        else:
            file = self._folder / scenario
            sim, place = carom.Simulation.load(file), self._folder / (recording or file.with_suffix(".carom"))
        if self._update or not place.exists():
            self._record(sim, place)
            return
        try:
            carom.verify(place, sim)
        except Divergence as divergence:
            pytest.fail(f"{scenario}: {divergence}\nto accept it: pytest --carom-update", pytrace=False)
        if sim.time != sim.duration:
            pytest.fail(
                f"{scenario}: the recording ends at {sim.time} s, the run at {sim.duration} s\n"
                "to accept it: pytest --carom-update",
                pytrace=False,
            )

    def _record(self, sim: carom.Simulation, place: Path) -> None:
        making = place.with_name(place.name + ".new")
        is_small = len(sim) * sim.duration / sim.timestep <= _STATES_MAX
        try:
            with carom.Recorder(making, sim, snapshots=1 if is_small else None):
                sim.run()
            os.replace(making, place)
        finally:
            making.unlink(missing_ok=True)
        self.recorded.append(place)


@pytest.fixture
def carom_replay(request: pytest.FixtureRequest) -> Iterator[Replay]:
    """Records the run of a scenario the first time, and compares it afterwards, step by step and to the bit."""
    replay = Replay(request.path.parent, request.config.getoption("--carom-update"))
    yield replay
    for place in replay.recorded:
        request.config.stash.setdefault(_RECORDED, []).append(place)


_RECORDED = pytest.StashKey[list[Path]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for place in config.stash.get(_RECORDED, []):
        terminalreporter.write_line(f"carom: recorded {place}; keep it with the tests")
