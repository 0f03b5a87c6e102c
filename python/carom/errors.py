"""The exceptions of carom. Python's own classes are used where they fit: `FileNotFoundError`, `OSError`, `KeyError`."""

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
        #: The name of the file.
        self.file = file
        #: Line, from 1.
        self.line = line
        #: Column in characters, from 1.
        self.column = column
        #: The path of the field, such as `bodies[3].mass`.
        self.field = field
        #: How to correct it.
        self.help = help
        #: All problems, in the order of the file.
        self.problems = problems or []


class RunError(CaromError, RuntimeError):
    """A simulation that cannot continue, for example with a squeezed body. It stays at the instant of the error."""


class CommandError(CaromError, ValueError):
    """A command that cannot be carried out. The simulation is unchanged."""


class SnapshotError(CaromError, ValueError):
    """A snapshot that is not one of this simulation."""


class RecordingError(CaromError, ValueError):
    """A recording that is damaged, or from which a simulation cannot be made."""


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
        changes: list[str] | None = None,
    ) -> None:
        super().__init__(message)
        #: The first step that differs. 0 is the start. It is `None` if one of the two is longer.
        self.step = step
        #: The end of that step, s.
        self.time = time
        #: The end of that step, exactly.
        self.time_exact = time_exact
        #: The body that differs first.
        self.body = body
        #: The field of this body that differs, such as `velocity.z`.
        self.field = field
        #: The recorded value.
        self.recorded = recorded
        #: The value that was found.
        self.found = found
        #: The distance of the two values in floating-point numbers: 1 for neighbours.
        self.ulps = ulps
        #: What was changed in the scenario since it was recorded, in words.
        self.changes = changes or []
