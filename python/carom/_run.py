"""Runs: running a scenario into a folder, and reading, drawing and exporting the results in such a folder."""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from carom._carom import (
    Picture,
    Simulation,
    Study,
    Table,
    draw,
    export_ending,
    is_ours,
    is_run,
    read_table,
    report_page,
    run_scenario,
    write_export,
    write_film,
)

_Path = str | os.PathLike[str]
_Result = TypeVar("_Result")

#: The formats of films by the endings of their names, and how a page shows those that it can.
_FILMS = {".gif": "gif", ".apng": "apng", ".png": "apng", ".mp4": "mp4", ".webm": "webm", "": "frames"}
_SHOWN = {"gif": "image/gif", "apng": "image/apng", "mp4": "video/mp4", "webm": "video/webm"}


class Page:
    """The page of a run. A notebook shows it."""

    def __init__(self, html: str) -> None:
        #: The text of the file.
        self.html = html

    def save(self, path: _Path) -> None:
        """Writes it to a file, which any browser shows."""
        _delivered(Path(path), lambda making: making.write_text(self.html, encoding="utf-8"))

    def _repr_html_(self) -> str:
        # A document of its own: its styles, names and scripts meet neither the notebook nor another page. The address of a
        # part of it, such as #events, is that of this document, not of the notebook.
        page = self.html.replace("<head>", '<head><base href="about:srcdoc">', 1)
        source = escape(page, quote=True)
        return f'<iframe srcdoc="{source}" title="A page of carom" width="100%" height="720" style="border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<carom.Page of {len(self.html)} characters>"


class Film:
    """A moving picture. A notebook shows it."""

    def __init__(self, data: bytes, kind: str) -> None:
        #: The content of the file; nothing for a folder of frames.
        self.data = data
        #: The kind: `gif`, `apng`, `mp4`, `webm` or `frames`.
        self.kind = kind

    def save(self, path: _Path) -> None:
        """Writes it to a file of its kind."""
        wanted = _film_kind(Path(path))
        if wanted != self.kind or not self.data:
            raise ValueError(f"this film is of the kind {self.kind}; call film({str(path)!r}) for one of the kind {wanted}")
        _delivered(Path(path), lambda making: making.write_bytes(self.data))

    def _repr_html_(self) -> str | None:
        if self.kind not in _SHOWN:
            return None
        kind = _SHOWN[self.kind]
        source = f"data:{kind};base64,{base64.b64encode(self.data).decode('ascii')}"
        if kind.startswith("image"):
            return f'<img src="{source}" alt="A film of a run">'
        return f'<video src="{source}" controls loop></video>'

    def __repr__(self) -> str:
        return f"<carom.Film of the kind {self.kind}: {len(self.data)} bytes>"


class Run:
    """The folder of a run, as `carom run` writes it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not is_run(self.folder):
            raise FileNotFoundError(f"{self.folder} is no folder of a run: it has no summary.json of one")

    @property
    def summary(self) -> dict[str, Any]:
        """What `summary.json` says: counts, audit, expectations, hash."""
        with open(self.folder / "summary.json", encoding="utf-8") as file:
            summary: dict[str, Any] = json.load(file)
        return summary

    @property
    def hash(self) -> str:
        """The hash of the final state."""
        return str(self.summary["state_hash"])

    @property
    def is_success(self) -> bool:
        """Whether the run was completed and met all expectations of its scenario."""
        summary = self.summary
        return summary.get("error") is None and all(each["met"] for each in summary["expectations"])

    def table(self, name: str) -> Table:
        """A table by its name: events, counts, trajectory, paths, energy, gas or speeds."""
        return read_table(self.folder, name)

    @property
    def events(self) -> Table:
        """Every event, in the order of time."""
        return self.table("events")

    @property
    def trajectory(self) -> Table:
        """Where the recorded bodies are at each recorded step."""
        return self.table("trajectory")

    @property
    def energy(self) -> Table:
        """The energy balance at each recorded step."""
        return self.table("energy")

    def plot(self, name: str, *, beside: Iterable[Run] = (), **options: Any) -> Picture:
        """Draws a plot: one that the scenario asks for, or any other, such as `path_xz`.

        The options are the fields of the plot and of its style: `run.plot("energy", theme="print", width="85 mm")`. The
        curves of the runs `beside` it are laid over those of this one.
        """
        return draw(self.folder, name, options, [(run.folder.name, run.folder) for run in beside])

    def report(self, *others: Run) -> Page:
        """The page of the run, as `carom report` makes it; with other runs, a comparison of all."""
        folders = [run.folder for run in (self, *others)]
        names = [folder.name or folder.resolve().name for folder in folders]
        distinct = len(set(names)) == len(names)
        return Page(report_page([(name if distinct else str(folder), folder) for name, folder in zip(names, folders)]))

    def film(
        self,
        path: _Path | None = None,
        *,
        view: str | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
        from_: float = 0.0,
        until: float | None = None,
        speed: float | None = None,
        slow: float | tuple[float, float] | None = None,
        fps: int = 25,
        size: tuple[int, int] | None = None,
        trail: float | None = None,
        follow: str | None = None,
        bodies: str | Sequence[str] | None = None,
        clock: bool = True,
        legend: bool = True,
        **style: Any,
    ) -> Film:
        """Makes a moving picture, as `carom film` does, and shows it in a notebook.

        With a path it is written there, in the format of the ending: .gif, .apng, .mp4, .webm, or a folder of frames for a
        name without one. Without a path it is a GIF. The style has `theme`, `title`, `font_size`, `x`, `y`, `colors` and
        `labels`.
        """
        options = {
            "view": view, "azimuth": azimuth, "elevation": elevation, "from_": from_, "until": until, "speed": speed,
            "slow": slow, "fps": fps, "size": size, "trail": trail, "follow": follow, "bodies": bodies, "clock": clock,
            "legend": legend, **style,
        }
        kind = "gif" if path is None else _film_kind(Path(path))
        if path is None:
            with tempfile.TemporaryDirectory() as folder:
                making = Path(folder) / "film"
                write_film(self.folder, making, kind, options)
                return Film(making.read_bytes(), kind)
        place = Path(path)
        _delivered(place, lambda making: write_film(self.folder, making, kind, options))
        return Film(b"" if kind == "frames" else place.read_bytes(), kind)

    def export(
        self,
        format: str,
        path: _Path | None = None,
        *,
        every: float | None = None,
        from_: float = 0.0,
        until: float | None = None,
        bodies: str | Sequence[str] | None = None,
    ) -> Path:
        """Writes the run for another program, as `carom export` does, and returns the path.

        The formats are `xyz`, `vtk`, `gltf`, `sph`, `lammps_dump`, `lammps_data`, `xyzd`, `gsd` and `jsonl`. Without a path
        it is in the present folder, with the name of the run; a file that is there already is then not replaced.
        """
        place = Path(self.folder.absolute().name + export_ending(format) if path is None else path)
        if path is None and place.is_file():
            raise FileExistsError(f"{place} is there already: give this path to replace it, or another one")
        _delivered(
            place,
            lambda making: write_export(
                self.folder, making, format, every=every, from_=from_, until=until, bodies=bodies
            ),
        )
        return place

    def __repr__(self) -> str:
        return f"<carom.Run {str(self.folder)!r}: {self.summary['title']}>"


def run(
    scenario: _Path | Simulation,
    folder: _Path,
    *,
    set: Mapping[str, Any] | None = None,
) -> Run:
    """Runs a scenario to its end, as `carom run` does. The folder is complete or unchanged.

    The scenario is a file, or a simulation that has not begun. A folder that exists must be empty or that of a run, whose
    results are replaced; other files in it are kept.
    """
    if isinstance(scenario, Simulation):
        if set:
            raise TypeError("set is for the file of a scenario; make the simulation with other values")
        scenario._run_into(folder)
    else:
        settings = [(name, Study.value(value)) for name, value in (set or {}).items()]
        run_scenario(scenario, folder, settings)
    return Run(folder)


def _film_kind(path: Path) -> str:
    """The kind of a film by the ending of its name."""
    kind = _FILMS.get(path.suffix.lower())
    if kind is None:
        raise ValueError(f"the name of a film ends in .gif, .apng, .mp4 or .webm, or has no ending; found {path}")
    return kind


def _delivered(place: Path, make: Callable[[Path], _Result]) -> _Result:
    """Makes a file or a folder beside its place, and moves it there when it is whole.

    `make` gets the path at which it makes it. A folder is replaced if it has only what carom has written.
    """
    if not place.name:
        raise ValueError(f"{str(place)!r} is no name of a file or a folder")
    if place.is_dir() and not is_ours(place):
        raise FileExistsError(f"{place} is a folder and is in the way")
    place.parent.mkdir(parents=True, exist_ok=True)
    around = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        making = around / place.name
        made = make(making)
        previous = around / "previous"
        if place.is_dir():
            place.rename(previous)
        try:
            os.replace(making, place)
        except OSError:
            if previous.exists():
                previous.rename(place)
            raise
        return made
    finally:
        shutil.rmtree(around, ignore_errors=True)
