"""The pytest plugin: replay tests with the fixture `carom_replay`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import carom
from carom import Divergence, RecordingError

#: A recording with at most this number of bodies times steps has a snapshot at each step, so that every difference is
#: reported exactly.
_STATES_MAX = 100_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("carom")
    group.addoption(
        "--carom-update", action="store_true", help="record the runs of `carom_replay` again and accept what is different"
    )


def _is_ci(environment: Mapping[str, str]) -> bool:
    """Whether tests run in continuous integration, by the environment variable `CI`."""
    return environment.get("CI", "").lower() not in ("", "false", "0")


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
        default, the recording is beside the file, with the ending `carom`. If it does not exist, it is recorded;
        where the environment variable `CI` is set, the test fails.
        """
        __tracebackhide__ = True
        if isinstance(scenario, carom.Simulation):
            if recording is None:
                raise TypeError("of a simulation the path of the recording must be given, too")
            sim, place = scenario, self._folder / recording
        else:
            file = self._folder / scenario
            sim, place = carom.Simulation.load(file), self._folder / (recording or file.with_suffix(".carom"))
        if self._update or not place.exists() and not _is_ci(os.environ):
            self._record(sim, place)
            return
        failure = self._failure(sim, place)
        # Raised here, where no other exception is handled, it is shown alone.
        if failure is not None:
            pytest.fail(f"{scenario}: {failure}", pytrace=False)

    def _failure(self, sim: carom.Simulation, place: Path) -> str | None:
        """What is wrong with a run, if anything."""
        if not place.exists():
            return (
                f"its recording {place} is missing, and none is made where CI is set\n"
                "to make it: pytest --carom-update, or pytest without CI; then commit it"
            )
        try:
            carom.verify(place, sim)
        except Divergence as divergence:
            failure = str(divergence)
        else:
            if sim.time == sim.duration or sim._is_stopped:
                return None
            changes = ""
            # A recording without a scenario has none to compare.
            with contextlib.suppress(RecordingError):
                changes = "".join(f"  {change}\n" for change in carom.changes(place, sim))
            since = f"changed since it was recorded:\n{changes}" if changes else ""
            failure = f"{since}the recording ends at {sim.time} s, the run at {sim.duration} s"
        return f"{failure}\nto accept it: pytest --carom-update"

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
