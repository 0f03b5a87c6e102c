"""Sweeps give the same bytes as the command line, on any pool of workers."""

from __future__ import annotations

import filecmp
import os
import signal
import subprocess
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import carom
from conftest import ROOT

STUDIES = ROOT / "scenarios" / "studies"
DROPPED = STUDIES / "base" / "dropped_ball.ron"


def same(one: Path, other: Path, *more: str) -> None:
    for name in ["table.csv", "table.parquet", "summary.json", *more]:
        assert filecmp.cmp(one / name, other / name, shallow=False), name


def test_a_sweep_file_has_the_bytes_of_the_command_line(tmp_path: Path, program: str) -> None:
    subprocess.run([program, "sweep", STUDIES / "rest_time.ron", "--output", tmp_path / "line", "--quiet"], check=True)
    sweep = carom.Sweep.load(STUDIES / "rest_time.ron")
    table = sweep.run(tmp_path / "here")
    same(tmp_path / "line", tmp_path / "here", "rest_time.svg", "rest_time.png")
    assert len(sweep) == len(table) == 19 and table.columns[:3] == ["member", "materials.ball.restitution", "rest_time"]
    assert list(sweep.plots) == ["rest_time"]
    assert sweep.plots["rest_time"].svg == (tmp_path / "line" / "rest_time.svg").read_text(encoding="utf-8")
    in_print = ["plot", tmp_path / "line", "--theme", "print", "--width", "single", "--output", tmp_path / "print"]
    subprocess.run([program, *in_print], check=True, stdout=subprocess.DEVNULL)
    drawn = sweep.plot("rest_time", theme="print", width="Single")
    assert drawn.svg == sweep.plot(theme="print", width="single").svg
    assert drawn.svg == (tmp_path / "print" / "rest_time.svg").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="no plot is called 'rest'; those of this sweep are rest_time"):
        sweep.plot("rest")
    with pytest.raises((TypeError, ValueError), match="theme"):
        sweep.plot(theme="sepia")
    subprocess.run([program, "report", tmp_path / "here"], check=True, stdout=subprocess.DEVNULL)
    assert sweep.report().html == (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="no results yet"):
        carom.Sweep.load(STUDIES / "rest_time.ron").report()


def test_a_sweep_made_here_is_one_of_the_command_line(tmp_path: Path, program: str) -> None:
    sweep = carom.Sweep(
        DROPPED,
        {"materials.ball.restitution": np.linspace(0.2, 0.8, 4), "bodies.ball.position": [(0, 0, 1), (0, 0, 2.5)]},
        collect=["time.rest", "count.impact", "final.ball.z", "audit.energy_drift", "met", "time.impact.2"],
        title="Made in Python",
    )
    assert len(sweep) == 8 and sweep.members[1] == {"materials.ball.restitution": "0.2", "bodies.ball.position": "(0, 0, 2.5)"}
    table = sweep.run(tmp_path / "here")
    (tmp_path / "study.ron").write_text(sweep.text)
    (tmp_path / DROPPED.name).write_text(DROPPED.read_text())
    subprocess.run([program, "sweep", tmp_path / "study.ron", "--output", tmp_path / "line", "--quiet"], check=True)
    same(tmp_path / "line", tmp_path / "here")
    pa = pytest.importorskip("pyarrow")
    read = pa.csv if hasattr(pa, "csv") else __import__("pyarrow.csv").csv
    assert read.read_csv(tmp_path / "here" / "table.csv").num_rows == len(table)
    values = pa.table(table)
    assert values["time_rest"].null_count == 0 and values["status"].to_pylist() == ["done"] * 8


def gas_sweep() -> carom.Sweep:
    return carom.Sweep(
        STUDIES / "base" / "cooling_gas.ron",
        {"fill.gas.count": [40, 80], "fill.gas.seed": range(3, 6)},
        collect={"impacts": "Count(kind: Impact)", "left": "audit.energy_end"},
    )


def test_any_pool_gives_the_same_bytes(tmp_path: Path) -> None:
    sweep = gas_sweep()
    assert "Seeds(count: 3, first: 3)" in sweep.text
    seen: list[tuple[int, int]] = []
    sweep.run(tmp_path / "wanted")
    with ThreadPoolExecutor(2) as threads:
        sweep.run(tmp_path / "threads", threads, progress=lambda done, all: seen.append((done, all)))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        sweep.run(tmp_path / "processes", processes, parts=3)
    with get_context("spawn").Pool(2) as pool:
        sweep.run(tmp_path / "pool", pool)
    for other in ["threads", "processes", "pool"]:
        same(tmp_path / "wanted", tmp_path / other, "impacts.svg", "left.svg")
    assert seen[-1] == (6, 6)
    with pytest.raises(TypeError, match="submit"):
        sweep.run(tmp_path / "none", object())


def test_what_is_missing_is_named_and_what_is_there_is_kept(tmp_path: Path) -> None:
    sweep = gas_sweep()
    sweep._study.run(tmp_path / "some", shard=(1, 2))
    with pytest.raises(carom.SweepError, match="3 of 6 members have no result: member 1"):
        sweep.merge(tmp_path / "some")
    sweep.run(tmp_path / "some")
    sweep.run(tmp_path / "wanted")
    same(tmp_path / "wanted", tmp_path / "some")


def test_a_missing_count_is_missing(tmp_path: Path) -> None:
    heights = {"bodies.ball.position.z": [1.0, -5.0, 2.0]}
    table = carom.Sweep(DROPPED, heights, collect=["count.impact", "met"]).run(tmp_path / "results")
    assert np.isnan(table["count_impact"]).tolist() == [False, True, False] and table["count_impact"][0] > 0
    pd = pytest.importorskip("pandas")
    assert table.to_pandas()["count_impact"].dtype == "UInt64" and table.to_pandas()["met"][1] is pd.NA


def test_another_sweep_in_the_folder_is_told(tmp_path: Path) -> None:
    first = carom.Sweep(DROPPED, {"materials.ball.restitution": [0.5, 0.6]}, collect=["time.rest"])
    first.run(tmp_path)
    carom.Sweep(DROPPED, {"timestep": [0.5, 0.25]}, collect=["met"]).run(tmp_path)
    for act in (first.plot, first.report, lambda: first.merge(tmp_path)):
        with pytest.raises(carom.SweepError, match="another sweep"):
            act()


def test_lists_vary_and_packings_are_collected() -> None:
    sweep = carom.Sweep(DROPPED, {"record.at": [[0.1], [0.1, 0.2]]}, collect=["met"])
    assert sweep.members[1]["record.at"] == "[0.1, 0.2]"
    bed = ROOT / "scenarios" / "packed_bed.ron"
    assert len(carom.Sweep(bed, {"fill.sphere.seed": range(2)}, collect=["packing.fraction"])) == 2


def test_wrong_sweeps_say_what_is_wrong(tmp_path: Path) -> None:
    def sweep(**other: object) -> carom.Sweep:
        return carom.Sweep(DROPPED, {"materials.ball.restitution": [0.5]}, **{"collect": ["met"], **other})  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="count.impact"):
        sweep(collect=["impacts"])
    with pytest.raises(carom.ScenarioError, match="bell"):
        sweep(collect=["final.bell.x"])
    with pytest.raises(carom.ScenarioError, match="rubber"):
        carom.Sweep(DROPPED, {"materials.rubber.restitution": [0.5]}, collect=["met"])
    for act, words in [
        (lambda: sweep(combine="gird"), 'combine: must be "grid", .*did you mean "grid"'),
        (lambda: sweep(collect=["time.rst"]), r'collect\["time_rst"\].kind: must be "impact", .*found "rst"'),
        (lambda: carom.Sweep(DROPPED, {"timestep": 0.5}, collect=["met"]), r"vary\['timestep'\] must be a list"),
        (lambda: sweep(collect="met"), r"give \['met'\]"),
        (lambda: sweep(collect=["final.α.z", "final.β.z"]), "'final.α.z' and 'final.β.z' .* 'final___z'"),
        (lambda: sweep().run(tmp_path / "none", parts=-1), "parts=-1"),
        (lambda: sweep().run(tmp_path / "none", jobs=-1), "jobs=-1"),
        (lambda: sweep().merge(tmp_path / "none"), r"call run\(\)"),
    ]:
        with pytest.raises((carom.CaromError, TypeError, ValueError), match=words) as caught:
            act()
        # Nothing is said of a text that nobody has written.
        assert "sweep:" not in str(caught.value) and caught.value.__context__ is None
    with pytest.raises(FileNotFoundError):
        carom.Sweep(tmp_path / "missing.ron", {"timestep": [0.5]}, collect=["met"])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(FileExistsError, match="in the way.*name another folder"):
        sweep().run(tmp_path / "other")
    told: list[tuple[int, int]] = []
    for _ in range(2):
        sweep().run(tmp_path / "new", progress=lambda *done: told.append(done))
        assert told.pop() == (1, 1)


def test_a_sweep_is_interrupted_after_the_members_that_run(tmp_path: Path) -> None:
    sweep = carom.Sweep(
        STUDIES / "base" / "cooling_gas.ron", {"fill.gas.seed": range(500)}, collect=["audit.energy_end"], set={"duration": 3}
    )
    members = tmp_path / "results" / "members"

    def kept() -> list[Path]:
        return [file for file in members.rglob("*") if file.is_file()]

    def interrupt() -> None:
        while not kept():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=interrupt, daemon=True).start()
        sweep.run(tmp_path / "results")
    assert 0 < len(kept()) < 500
