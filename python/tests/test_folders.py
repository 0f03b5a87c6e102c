"""The folders into which runs are written: what is replaced, and what stays."""

from __future__ import annotations

from pathlib import Path

import pytest

import carom
from conftest import ROOT

CRADLE = ROOT / "scenarios" / "newtons_cradle.ron"


def test_what_carom_has_not_written_stays(tmp_path: Path, bounce: carom.Simulation) -> None:
    foreign = tmp_path / "proj"
    (foreign / ".git").mkdir(parents=True)
    (foreign / "summary.json").write_text('{"name": "mine"}')
    (foreign / "thesis.tex").write_text("x")
    sweep = carom.Sweep(ROOT / "scenarios/studies/base/dropped_ball.ron", {"timestep": [0.5]}, collect=["met"])
    sweep.run(tmp_path / "sweep")
    for place in (foreign, tmp_path / "sweep"):
        before = sorted(place.iterdir())
        for scenario in (CRADLE, bounce.copy()):
            with pytest.raises(FileExistsError, match="in the way"):
                carom.run(scenario, place)
        with pytest.raises(FileNotFoundError, match="no folder of a run"):
            carom.Run(place)
        assert sorted(place.iterdir()) == before
    assert len(list(tmp_path.iterdir())) == 2


def test_own_files_and_links_are_kept(tmp_path: Path, bounce: carom.Simulation) -> None:
    place, link = tmp_path / "run", tmp_path / "link"
    place.mkdir()
    carom.run(CRADLE, place)
    (place / "notes.txt").write_text("mine")
    link.symlink_to(place)
    run = carom.run(bounce, link)
    assert link.is_symlink() and (place / "notes.txt").read_text() == "mine"
    assert carom.Run(place).hash == run.hash and not (place / "positions.csv").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "run"]


def test_a_missing_table_is_a_missing_file(tmp_path: Path) -> None:
    run = carom.run(CRADLE, tmp_path / "run")
    with pytest.raises(FileNotFoundError, match="no table"):
        run.table("gas")
    events = tmp_path / "run" / "events.csv"
    events.write_text("".join(events.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(OSError, match="bytes"):
        run.events
    recording = tmp_path / "run" / "recording.carom"
    recording.write_bytes(recording.read_bytes()[:-100])
    for act in (run.report, lambda: run.export("xyz", tmp_path / "run.xyz"), lambda: run.film(tmp_path / "run.gif")):
        with pytest.raises(carom.RecordingError, match="carom run --resume"):
            act()
