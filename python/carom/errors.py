"""What carom raises. Errors that Python has a class for are of that class: `FileNotFoundError`, `OSError`, `KeyError`."""

from __future__ import annotations

from fractions import Fraction


class CaromError(Exception):
    """Any of the errors below."""


class ScenarioError(CaromError, ValueError):
    """A scenario, or something that is put into one, is wrong.

    The attributes are those of the first problem. `problems` has all of them, each as a `ScenarioError` of its own.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
        help: str | None = None,
        problems: list[ScenarioError] | None = None,
    ) -> None:
        super().__init__(message)
        #: The file's name.
        self.file = file
        #: Line, from 1.
        self.line = line
        #: Column in characters, from 1.
        self.column = column
        #: The path of the field, such as `bodies[3].mass`.
        self.field = field
        #: What to do about it.
        self.help = help
        #: All problems, in the order of the file.
        self.problems = problems or []


class RunError(CaromError, RuntimeError):
    """A simulation that cannot go on, such as a body that is squeezed. It stands at the instant of the error."""


class CommandError(CaromError, ValueError):
    """A command that cannot be carried out. The simulation is as it was."""


class SnapshotError(CaromError, ValueError):
    """A snapshot that is not one of this simulation."""


class RecordingError(CaromError, ValueError):
    """A recording that is damaged, or from which no simulation can be made."""


class SweepError(CaromError, RuntimeError):
    """A sweep that cannot be run or merged."""


class Divergence(CaromError, AssertionError):
    """A simulation is not as it was recorded.

    Where the recording has no snapshot of the step, `body` to `ulps` are those of the next step that has one; they are
    `None` where there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        step: int | None = None,
        time: float | None = None,
        time_exact: Fraction | None = None,
        body: str | None = None,
        field: str | None = None,
        recorded: str | None = None,
        found: str | None = None,
        ulps: int | None = None,
    ) -> None:
        super().__init__(message)
        #: The first step that differs; 0 is the beginning. `None` if one of the two is longer.
        self.step = step
        #: The end of that step, s.
        self.time = time
        #: The same, exactly.
        self.time_exact = time_exact
        #: The body that differs first.
        self.body = body
        #: What of it, such as `velocity.z`.
        self.field = field
        #: What was recorded.
        self.recorded = recorded
        #: What was found.
        self.found = found
        #: How many floating-point numbers lie from one to the other: 1 for neighbours.
        self.ulps = ulps
