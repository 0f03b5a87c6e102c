"""carom: bodies that move on exact paths and bounce at the exact time of impact.

The page "Python" of the book has the guide. All quantities are in SI units.
"""

from carom._carom import (
    Body,
    Box,
    BySpeed,
    Energy,
    Event,
    Heights,
    Hit,
    Mesh,
    Plane,
    Power,
    Recorder,
    Recording,
    Simulation,
    Slide,
    Snapshot,
    Sphere,
    Table,
    Tiles,
    Viscoelastic,
    Voxels,
    verify,
)
from carom._carom import __VERSION__ as __version__
from carom._run import Page, Picture, Run, run
from carom._sweep import Sweep
from carom.errors import (
    CaromError,
    CommandError,
    Divergence,
    RecordingError,
    RunError,
    ScenarioError,
    SnapshotError,
    SweepError,
)

__all__ = [
    "Body",
    "Box",
    "BySpeed",
    "CaromError",
    "CommandError",
    "Divergence",
    "Energy",
    "Event",
    "Heights",
    "Hit",
    "Mesh",
    "Page",
    "Picture",
    "Plane",
    "Power",
    "Recorder",
    "Recording",
    "RecordingError",
    "Run",
    "RunError",
    "ScenarioError",
    "Simulation",
    "Slide",
    "Snapshot",
    "SnapshotError",
    "Sphere",
    "Sweep",
    "SweepError",
    "Table",
    "Tiles",
    "Viscoelastic",
    "Voxels",
    "__version__",
    "run",
    "verify",
]
