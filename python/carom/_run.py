"""Runs: running a scenario into a folder, and reading the results in such a folder."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from carom._carom import Study, Table, plot, read_table, run_scenario

#: The page that `carom report` writes into the folder of a run.
_PAGE = "report.html"


class Picture:
    """A plot as SVG. A notebook shows it."""

    def __init__(self, svg: str) -> None:
        #: The text of the file.
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<carom.Picture of {len(self.svg)} characters>"


class Page:
    """The page of a run. A notebook shows it."""

    def __init__(self, html: str) -> None:
        #: The text of the file.
        self.html = html

    def _repr_html_(self) -> str:
        # A separate document with its own scripts and its own content security policy.
        source = escape(self.html, quote=True)
        return f'<iframe srcdoc="{source}" width="100%" height="720" style="border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<carom.Page of {len(self.html)} characters>"


class Run:
    """The folder of a run, as `carom run` writes it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not (self.folder / "summary.json").is_file():
            raise FileNotFoundError(f"{self.folder} is no folder of a run: it has no summary.json")

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

    def plot(self, name: str) -> Picture:
        """Draws a plot that the scenario requests, such as `path_xz`."""
        with tempfile.TemporaryDirectory() as folder:
            plot(self.folder, name, folder)
            return Picture((Path(folder) / f"{name}.svg").read_text(encoding="utf-8"))

    @property
    def page(self) -> Page:
        """The page that `carom report` wrote, if it exists."""
        return Page((self.folder / _PAGE).read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        return f"<carom.Run {str(self.folder)!r}: {self.summary['title']}>"


def run(
    path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
) -> Run:
    """Runs a scenario file to its end, as `carom run` does. The folder is complete or unchanged."""
    place = Path(folder)
    if place.exists() and not (place / "summary.json").is_file():
        raise FileExistsError(f"{place} is in the way and is no folder of a run")
    place.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        run_scenario(path, making, [(name, Study.value(value)) for name, value in (set or {}).items()])
        making.chmod(0o755)
        if place.exists():
            shutil.rmtree(place)
        os.replace(making, place)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise
    return Run(place)
