"""Snapshots, copies, pickles and recordings: the same bits again, or a message that names the difference."""

from __future__ import annotations

import copy
import pickle
import subprocess
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import carom
from conftest import ROOT, box_of_balls


def finished(sim: carom.Simulation) -> str:
    sim.run()
    return sim.hash


def test_a_snapshot_is_gone_back_to(gas: carom.Simulation) -> None:
    gas.run(until=0.7)
    saved = gas.snapshot()
    assert saved.time == 0.7 and saved == gas.snapshot()
    end = finished(gas)
    gas.restore(saved)
    assert gas.time == 0.7 and gas.steps == 5 and finished(gas) == end
    gas.restore(pickle.loads(pickle.dumps(saved)))
    assert hash(saved) == hash(gas.snapshot()) and finished(gas) == end
    with pytest.raises(carom.SnapshotError):
        box_of_balls(side=3).restore(saved)


@pytest.mark.parametrize("name", ["break_shot", "rain_on_steps", "heap", "lift_and_drop", "meshes", "marble_run"])
def test_copies_and_pickles_have_the_same_future(name: str) -> None:
    if name == "meshes":
        name = next(file.stem for file in sorted((ROOT / "scenarios").glob("*.ron")) if "Mesh(file" in file.read_text().replace(" ", ""))
    sim = carom.Simulation.load(ROOT / "scenarios" / f"{name}.ron", duration=1.5 if name == "heap" else None)
    sim.keep_events = False
    sim.run(until=0.8)
    twins = [sim.copy(), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    assert {twin.hash for twin in twins} == {sim.hash}
    assert {finished(twin) for twin in twins} == {finished(sim)}
    assert {twin.snapshot().hash for twin in twins} == {sim.snapshot().hash}


def test_damaged_pickles_are_refused(gas: carom.Simulation) -> None:
    gas.run(until=0.2)
    for thing in [gas, gas.snapshot()]:
        make, (whole,) = thing.__reduce__()  # type: ignore[misc]
        make(whole)
        for place in [*range(0, len(whole), max(1, len(whole) // 300)), len(whole) - 1]:
            for change in [1, 128]:
                damaged = bytearray(whole)
                damaged[place] ^= change
                with pytest.raises(ValueError, match="damaged"):
                    make(bytes(damaged))
        for wrong in [whole[:-1], whole + b"x", b"", b"short"]:
            with pytest.raises(ValueError, match="damaged"):
                make(wrong)


def test_what_was_done_by_hand_is_pickled(bounce: carom.Simulation) -> None:
    bounce.spawn("stone", carom.Sphere(0.5), mass=2, position=(4, 0, 9))
    bounce.kick("ball", (0.5, 0, 0))
    bounce.kick("stone", (0, 1, 0), at=2)
    bounce.spawn("late", carom.Sphere(0.25), mass=2, position=(9, 0, 9), at=3)
    bounce.run(until=1.25)
    twin = pickle.loads(pickle.dumps(bounce))
    bounce.run(), twin.run()
    assert twin.hash == bounce.hash and twin["late"].velocity == bounce["late"].velocity
    again = pickle.loads(pickle.dumps(twin))
    assert again.hash == twin.hash and again.copy().hash == twin.hash
    with pytest.raises(ValueError):
        carom.Simulation._from_bytes(b"nonsense")


def test_events_and_energies_are_pickled(bounce: carom.Simulation) -> None:
    seen: list[carom.Event] = []
    bounce.on("impact")(seen.append)
    bounce.run()
    for one in [*seen, bounce.energy]:
        assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
    assert pickle.loads(pickle.dumps(seen[0])).time_exact == seen[0].time_exact


def test_processes_finish_what_this_one_began(gas: carom.Simulation) -> None:
    gas.run(until=0.5)
    with ProcessPoolExecutor(2) as pool:
        there = list(pool.map(finished, [gas, gas]))
    assert there == [finished(gas)] * 2


def test_a_recording_verifies_and_names_the_first_difference(tmp_path: Path) -> None:
    file = tmp_path / "run.carom"
    with carom.Recorder(file, box_of_balls(), snapshots=1) as recorder:
        assert isinstance(recorder, carom.Recorder)
        sim = box_of_balls()
    with carom.Recorder(file, sim, snapshots=1):
        # This block ends in the middle of a step, and so does the recording.
        sim.run(until=1.03)
    carom.verify(file, box_of_balls())
    other = box_of_balls()
    other.kick("gas/33", (0, 0, 1e-15), at=0.25)
    with pytest.raises(carom.Divergence, match="gas/33") as caught:
        carom.verify(file, other)
    found = caught.value
    assert (found.step, found.time, found.body, found.field) == (2, 0.25, "gas/33", "velocity.z")
    assert found.ulps is not None and 1 <= found.ulps < 100 and found.recorded != found.found
    assert pickle.loads(pickle.dumps(found)).body == "gas/33"


def test_a_difference_without_a_snapshot_is_told_by_the_next_one(bounce: carom.Simulation, tmp_path: Path) -> None:
    file, other = tmp_path / "run.carom", bounce.copy()
    with carom.Recorder(file, bounce, snapshots=8):
        bounce.run()
    other.kick("ball", (0, 1, 0), at=0.375)
    with pytest.raises(carom.Divergence, match="after step 8") as caught:
        carom.verify(file, other)
    assert (caught.value.step, caught.value.field, caught.value.ulps) == (3, "position.y", None), "nothing is counted from 0"


def test_any_instant_of_a_recording(bounce: carom.Simulation, tmp_path: Path, program: str) -> None:
    file, twin = tmp_path / "run.carom", bounce.copy()
    with carom.Recorder(file, bounce):
        with pytest.raises(carom.CommandError, match="already"), carom.Recorder(file, bounce):
            pass
        with pytest.raises(carom.CommandError, match="another file"), carom.Recorder(file, twin):
            pass
        bounce.run()
    recording = carom.Recording(file)
    assert len(recording) == 33 and recording.times[-1] == 4.0 and recording.title == bounce.title
    assert recording[-1].hash == bounce.hash == recording[32].hash
    twin.run(until=3.25)
    assert recording.at(3.25).hash == twin.hash and recording.at("3.25").steps == twin.steps
    twin.run(until=3.3)
    assert recording.at(3.3).snapshot().hash == twin.snapshot().hash
    for wrong in [lambda: recording[33], lambda: recording[-34], lambda: recording.at(4.1), lambda: recording.at(-1)]:
        with pytest.raises(IndexError):
            wrong()
    subprocess.run([program, "replay", file], check=True, stdout=subprocess.DEVNULL)


def test_a_recording_of_what_was_changed_by_hand(bounce: carom.Simulation, tmp_path: Path) -> None:
    file = tmp_path / "run.carom"
    bounce.run(until=0.5)
    bounce.kick("ball", (0, 1, 0))
    begin = bounce.copy()
    with carom.Recorder(file, bounce):
        bounce.run(until=2)
    carom.verify(file, begin.copy())
    with pytest.raises(carom.RecordingError, match=r"no scenario.*like=sim"):
        carom.Recording(file)[-1]
    with pytest.raises(carom.RecordingError, match="no scenario"):
        carom.changes(file, begin)
    assert [sim.time for sim in carom.Recording(file, like=begin)][-1] == 2
    assert carom.Recording(file, like=begin)[-1].hash == bounce.hash


def test_a_float_is_the_step_that_it_is_rounded_from(tmp_path: Path) -> None:
    file = tmp_path / "run.carom"
    for events in range(1, 20):
        sim = box_of_balls()
        with carom.Recorder(file, sim):
            sim.run(events=events)
        assert carom.Recording(file).at(sim.time).hash == sim.hash


def test_what_is_no_recording_is_refused(tmp_path: Path, bounce: carom.Simulation) -> None:
    file = tmp_path / "run.carom"
    with pytest.raises(FileNotFoundError):
        carom.Recording(file)
    file.write_text("nonsense")
    for act in [lambda: carom.Recording(file), lambda: carom.verify(file, bounce)]:
        with pytest.raises(carom.RecordingError):
            act()


def test_recordings_of_the_command_line(tmp_path: Path, program: str) -> None:
    scenario = ROOT / "scenarios" / "newtons_cradle.ron"
    subprocess.run([program, "run", scenario, "--output", tmp_path, "--quiet"], check=True)
    carom.verify(tmp_path / "newtons_cradle" / "recording.carom", carom.Simulation.load(scenario))


