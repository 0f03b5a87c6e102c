"""Tables reach other libraries with the same bits."""

from __future__ import annotations

import struct
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import carom
from conftest import box_of_balls

NUMBERS = ["time", "time_rest", "px", "py", "pz", "nx", "ny", "nz", "approach_speed", "impulse", "loss"]


def bits(values: Any) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


@pytest.fixture(scope="module")
def seen() -> tuple[carom.Table, list[carom.Event]]:
    """The events of a run as a table, and as the callbacks received them."""
    sim, events = box_of_balls(), []
    sim.on()(events.append)
    sim.run()
    return sim.take_events(), events


def wanted(events: list[carom.Event]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        "time": [event.time for event in events],
        "approach_speed": [event.approach_speed for event in events],
        "impulse": [event.impulse for event in events],
        "loss": [event.loss for event in events],
    }
    for axis, letter in enumerate("xyz"):
        columns[f"p{letter}"] = [event.point[axis] for event in events]
        columns[f"n{letter}"] = [event.normal[axis] for event in events]
    return columns


def check(columns: dict[str, list[Any]], events: list[carom.Event]) -> None:
    assert len(events) > 500
    for name, values in wanted(events).items():
        assert bits(columns[name]) == bits(values), name
    assert columns["kind"] == [event.kind for event in events]
    assert columns["a"] == [event.a for event in events] and columns["b"] == [event.b for event in events]
    assert columns["group"] == [event.group for event in events]
    rows = zip(columns["time"], columns["time_rest"], events)
    assert all(Fraction(time) + Fraction(rest) == event.time_exact for time, rest, event in rows)


def test_pyarrow(seen: tuple[carom.Table, list[carom.Event]]) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(seen[0])
    assert table.num_rows == len(seen[0]) and table.field("impulse").metadata == {b"unit": "N·s".encode()}
    check({name: table[name].to_pylist() for name in table.column_names}, seen[1])


def test_polars(seen: tuple[carom.Table, list[carom.Event]]) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(seen[0])
    check({name: frame[name].to_list() for name in frame.columns}, seen[1])


def test_pandas(seen: tuple[carom.Table, list[carom.Event]]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame.from_arrow(seen[0])
    check({name: frame[name].tolist() for name in frame.columns}, seen[1])


def test_data_frames(seen: tuple[carom.Table, list[carom.Event]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow. A missing library is named, and nothing else is."""
    pytest.importorskip("pandas"), pytest.importorskip("polars")
    table, events = seen
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check({name: column.to_list() for name, column in table.to_pandas().items()}, events)
    check({column.name: column.to_list() for column in table.to_polars()}, events)
    check({name: table[name].tolist() for name in table.columns}, events)
    for library in ["pandas", "polars"]:
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(ImportError, match=f"to_{library} needs {library}, .*pip install {library}") as caught:
            getattr(table, f"to_{library}")()
        assert caught.value.__cause__ is None and caught.value.__context__ is None
    with pytest.raises(KeyError, match="there are time, time_rest"):
        table["speed"]


def test_words_that_are_missing(gas: carom.Simulation) -> None:
    pd = pytest.importorskip("pandas")
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.5, duration=2)
    sim.add("zone", carom.Box((1, 1, 1)), motion="fixed", sensor=True)
    sim.add("floor", carom.Plane((0, 0, 1), -9), material=sim.material("clay", restitution=0))
    sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 3), material="clay")
    sim.run()
    table = sim.take_events()
    frame = table.to_pandas()
    assert {"enter", "leave"} <= set(frame["kind"]) and table["b"].dtype == object
    assert [None if pd.isna(b) else b for b in frame["b"]] == list(table["b"])


def test_duckdb(seen: tuple[carom.Table, list[carom.Event]]) -> None:
    duckdb = pytest.importorskip("duckdb")
    table = seen[0]
    connection = duckdb.connect()
    connection.register("events", table)
    found = connection.execute("select * from events").fetchall()
    columns = {name: [row[place] for row in found] for place, name in enumerate(table.columns)}
    check(columns, seen[1])


def test_a_table_tells_of_itself(seen: tuple[carom.Table, list[carom.Event]]) -> None:
    table = seen[0]
    assert (table.name, table.units["approach_speed"], len(table)) == ("events", "m/s", len(seen[1]))
    assert "rows of time" in repr(table)


def test_no_events_are_a_table_too(bounce: carom.Simulation) -> None:
    pa = pytest.importorskip("pyarrow")
    assert pa.table(bounce.take_events()).num_rows == 0
    bounce.keep_events = False
    bounce.run()
    assert pa.table(bounce.take_events()).num_rows == 0


def test_the_tables_of_a_run(root: Path, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    run = carom.run(root / "scenarios" / "rain_on_steps.ron", tmp_path / "rain", set={"duration": 1})
    sim = carom.Simulation.load(root / "scenarios" / "rain_on_steps.ron", duration=1)
    sim.run()
    assert run.hash == sim.hash and run.summary["steps"] == sim.steps
    assert pa.table(run.events).equals(pa.table(sim.take_events()))
    last = pa.table(run.trajectory).to_pylist()[-1]
    assert (last["x"], last["y"], last["z"]) == sim[last["body"]].position
    assert pa.table(run.energy).num_rows == sim.steps + 1
    assert run.plot("path_xz")._repr_svg_().startswith("<svg")
    with pytest.raises(KeyError, match="trajectory"):
        run.table("trajectories")
    with pytest.raises(FileNotFoundError, match="summary.json"):
        carom.Run(root)
    with pytest.raises(FileExistsError):
        carom.run(root / "scenarios" / "zeno.ron", root / "scenarios")
    assert [path.name for path in tmp_path.iterdir()] == ["rain"]
