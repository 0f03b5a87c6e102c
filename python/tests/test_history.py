"""What was done to a simulation: by commands, in callbacks, before and after a snapshot; and what knows of it."""

from __future__ import annotations

import math
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import carom


def bouncing(radius: float = 0.1, **settings: object) -> carom.Simulation:
    """A ball that bounces on a plane, 3 s long."""
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.1, duration=3, **settings)  # type: ignore[arg-type]
    sim.material("soft", restitution=0.2)
    sim.material("hard", restitution=0.6)
    sim.add("floor", carom.Plane((0, 0, 1)), material="hard")
    sim.add("ball", carom.Sphere(radius), mass=1, position=(0, 0, 20 * radius), material="hard")
    return sim


def ended(sim: carom.Simulation) -> str:
    sim.run()
    return sim.hash


@pytest.mark.parametrize("radius", [1e-4, 10.0])
def test_the_rest_height_is_that_of_the_saved_file(radius: float, tmp_path: Path, program: str) -> None:
    sim = bouncing(radius)
    sim.material("late", restitution=1)
    sim.save(tmp_path / "sim.ron")
    begun = bouncing(radius)
    begun.run(until=0.001)
    others = [carom.Simulation.load(tmp_path / "sim.ron"), pickle.loads(pickle.dumps(begun)), begun]
    others.append(bouncing(radius, rest_height=1e-5 * radius))
    assert {ended(other) for other in others} == {ended(sim)}
    subprocess.run([program, "run", tmp_path / "sim.ron", "--output", tmp_path, "--quiet"], check=True)
    assert carom.run(bouncing(radius), tmp_path / "run").hash == carom.Run(tmp_path / "sim").hash == sim.hash


def test_a_body_that_comes_later_does_not_change_the_rest_height(tmp_path: Path) -> None:
    sim = bouncing()
    sim.spawn("grain", carom.Sphere(1e-6), mass=1, position=(1, 0, 1), at=0.05)
    loaded = carom.Simulation.parse(sim.scenario)
    assert carom.run(sim, tmp_path / "run").hash == ended(sim) == ended(loaded)
    sim.export("xyz", tmp_path / "sim.xyz", every=0.5)


def test_cells_are_the_same_in_copies() -> None:
    for at in (None, 0.3):
        sim = carom.Simulation(timestep=0.1, duration=1)
        sim.add("grid", carom.Voxels(1, np.array([[[True]], [[False]]])))
        sim.set_cell("grid", (1, 0, 0), True, at=at)
        sim.run(until=0.5)
        for other in (sim, sim.copy(), sim.copy().copy(), pickle.loads(pickle.dumps(sim))):
            assert other.cast_ray((1.5, 0.5, 5), (0, 0, -1)) is not None
        sim.restore(sim.snapshot())
        assert sim.plot("height_z").svg.startswith("<svg")


def test_a_handle_stays_with_its_body() -> None:
    sim = bouncing()
    ball = sim["ball"]
    sim.add("a", carom.Sphere(0.2), mass=7, position=(5, 0, 5))
    assert (ball.name, ball.mass, ball.radius) == ("ball", 1, 0.1)
    sim.run(until=0.5)
    saved = sim.snapshot()
    sim.spawn("one", carom.Sphere(0.1), mass=1, position=(3, 0, 1))
    one = sim["one"]
    sim.restore(saved)
    assert not one.is_present and "not come" in repr(one)
    with pytest.raises(KeyError):
        one.position
    sim.spawn("two", carom.Sphere(0.2), mass=5, position=(6, 0, 1))
    assert one.name == "one" and not one.is_present and sim["two"].mass == 5
    sim.run()


def test_an_event_keeps_its_names() -> None:
    sim, seen = bouncing(), []
    saved = sim.snapshot()
    sim.spawn("guest", carom.Sphere(0.1), mass=1, position=(3, 0, 1))
    sim.on("impact", bodies=["guest"])(seen.append)
    sim.run()
    sim.restore(saved)
    assert (seen[0].a, seen[0].b) == ("floor", "guest") and "guest" in repr(seen[0])


def test_a_snapshot_forgets_what_was_done_since() -> None:
    lift = {"knots": [(0.5, (4, 0, 1)), (1.5, (4, 0, 2))]}
    deeds: list[Callable[[carom.Simulation], None]] = [
        lambda sim: sim.kick("ball", (1, 0, 0)),
        lambda sim: sim.kick("ball", (1, 0, 0), at=2),
        lambda sim: sim.spawn("new", carom.Sphere(0.1), mass=1, position=(1, 0, 1)),
        lambda sim: sim.spawn("lift", carom.Sphere(0.1), motion=lift),
        lambda sim: sim.set_material("ball", "soft"),
        lambda sim: sim.reverse(),
    ]
    end = ended(bouncing())
    for deed in deeds:
        sim = bouncing()
        sim.run(until=0.5)
        saved = sim.snapshot()
        for _ in range(3):
            sim.restore(saved)
            deed(sim)
            sim.run(until=1.7)
        later, there = sim.snapshot(), sim.hash
        sim.restore(saved)
        assert pickle.loads(pickle.dumps(sim)).hash == sim.hash == sim.copy().hash
        assert ended(sim) == end and sim.plot("height_z").svg.startswith("<svg")
        # Forwards it goes with what had been done by then.
        sim.restore(later)
        assert sim.hash == there and pickle.loads(pickle.dumps(sim)).hash == there
        assert ended(sim) == ended(sim.copy())


def test_a_snapshot_does_not_bring_a_clock() -> None:
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.25, duration=5)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("ball", carom.Sphere(0.1), mass=1, position=(0, 0, 2))
    other = carom.Simulation.parse(sim.scenario, set={"timestep": 0.1, "duration": 3})
    other.run(until=1)
    sim.restore(other.snapshot())
    sim.step()
    assert (sim.timestep, sim.duration, sim.time) == (0.25, 5, 1.25)
    sim.run()
    assert sim.time == 5


def test_a_plot_is_that_of_its_history(tmp_path: Path) -> None:
    sim = bouncing()
    start = sim.snapshot()
    sim.run()
    before = sim.plot("height_z").svg
    sim.restore(start)
    sim.set_material("ball", "soft")
    sim.run()
    fresh = bouncing()
    fresh.set_material("ball", "soft")
    fresh.run()
    assert sim.plot("height_z").svg == fresh.plot("height_z").svg != before


def test_any_instant_of_a_recording_has_what_was_done(tmp_path: Path) -> None:
    file, sim = tmp_path / "sim.carom", bouncing()
    sim.kick("ball", (0, 1, 0))
    hashes: list[str] = []

    def go(until: float) -> None:
        while sim.time < until:
            sim.step()
            hashes.append(sim.hash)

    with carom.Recorder(file, sim):
        hashes.append(sim.hash)
        go(0.5)
        sim.kick("ball", (1, 0, 0))
        sim.spawn("stone", carom.Sphere(0.2), mass=2, position=(4, 0, 1))
        sim.kick("stone", (0, 1, 0), at=1.25)
        go(2)
        sim.run(until=2.05)
        sim.reverse()
        between = sim.copy()
        go(3)
        sim.kick("ball", (5, 0, 0))
    recording = carom.Recording(file, like=bouncing())
    assert [recording[index].hash for index in range(len(recording))] == hashes
    between.run(until=2.07)
    assert recording.at(2.07).hash == between.hash and recording.at(0.5).count == 2
    again = pickle.loads(pickle.dumps(recording[15]))
    assert again.hash == hashes[15] and "stone" in again and again.plot("path_xy").svg.startswith("<svg")
    start = tmp_path / "start.carom"
    with carom.Recorder(start, made := bouncing()):
        made.run(until=1)
        made.kick("ball", (1, 0, 0))
        made.run()
    assert carom.Recording(start)[-1].hash == made.hash


def test_callbacks_are_called_when_a_recording_is_verified(tmp_path: Path) -> None:
    def kicked() -> carom.Simulation:
        sim = bouncing()
        sim.on("impact")(lambda event: sim.kick("ball", (0.1, 0, 0)))
        return sim

    with carom.Recorder(tmp_path / "sim.carom", sim := kicked()):
        sim.run()
    carom.verify(tmp_path / "sim.carom", kicked())
    with pytest.raises(carom.Divergence):
        carom.verify(tmp_path / "sim.carom", bouncing())
    with pytest.raises(carom.CommandError, match="callbacks"):
        carom.run(kicked(), tmp_path / "run")


def test_handlers_come_and_go_while_it_runs() -> None:
    sim, calls = bouncing(), []

    @sim.on("impact")
    def first(event: carom.Event) -> None:
        calls.append("first")
        sim.off(first)
        sim.off(never)
        sim.on("impact")(lambda event: calls.append("later"))

    @sim.on("impact")
    def never(event: carom.Event) -> None:
        calls.append("never")

    sim.run()
    assert calls[:2] == ["first", "later"] and calls.count("first") == 1 and "never" not in calls


def test_after_an_error_there_is_a_plot() -> None:
    sim = carom.Simulation(timestep=0.1, duration=3)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("press", carom.Box((1, 1, 0.1)), motion="kinematic", position=(0, 0, 1), velocity=(0, 0, -1))
    sim.add("ball", carom.Sphere(0.25), mass=1, position=(0, 0, 0.25))
    with pytest.raises(carom.RunError, match="squeezed"):
        sim.run()
    assert sim.plot("height_z").svg.startswith("<svg") and sim.film(fps=2, size=(320, 240)).data


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (lambda sim: sim.kick("typo", (1, 0, 0), at=1), "no body `typo`"),
        (lambda sim: sim.kick("ball", (math.nan, 0, 0), at=1), "finite"),
        (lambda sim: sim.kick("floor", (1, 0, 0), at=1), "not free"),
        (lambda sim: sim.kick("ball", (1, 0, 0), offset=(0, 0, math.nan), at=1), "finite"),
        (lambda sim: sim.set_spin("floor", (1, 0, 0), at=1), "never turns"),
        (lambda sim: sim.set_spin("ball", (1, 0, math.inf), at=1), "finite"),
        (lambda sim: sim.set_velocity("floor", (1, 0, 0), at=1), "fixed"),
        (lambda sim: sim.set_cell("floor", (0, 0, 0), True, at=1), "no grid"),
        (lambda sim: sim.set_gravity((0, 0, math.inf), at=1), "gravity"),
        (lambda sim: sim.spawn("ball", carom.Sphere(1), mass=1, at=1), "taken"),
        (lambda sim: sim.kick("guest", (1, 0, 0), at=0.5), "no body `guest`"),
        (lambda sim: sim.kick("guest", (1, 0, 0), at=2.5), "no body `guest`"),
    ],
)
def test_a_command_for_later_is_checked_when_it_is_given(deed: Callable[[carom.Simulation], None], words: str) -> None:
    sim = bouncing()
    sim.spawn("guest", carom.Sphere(0.1), mass=1, position=(2, 0, 1), at=1)
    sim.kick("guest", (0, 1, 0), at=1.5)
    sim.despawn("guest", at=2)
    with pytest.raises(carom.CommandError, match=words):
        deed(sim)
    sim.run()


def test_commands_for_later_are_saved(tmp_path: Path, program: str) -> None:
    sim = bouncing()
    sim.kick("ball", (1, 0, 0), offset=(0, 0, 0.05), at=1)
    sim.set_spin("ball", (0, -3, 4), at=2)
    sim.spawn("lift", carom.Sphere(0.1), motion={"knots": [(0.5, (4, 0, 1)), (1.5, (4, 0, 2))]}, at=0.5)
    sim.add("more", carom.Sphere(0.1), mass=1, position=(3, 0, 1))
    sim.save(tmp_path / "sim.ron")
    with carom.Recorder(tmp_path / "sim.carom", sim):
        sim.run()
    subprocess.run([program, "replay", tmp_path / "sim.carom"], check=True, stdout=subprocess.DEVNULL)
    loaded = carom.Simulation.load(tmp_path / "sim.ron")
    assert carom.run(loaded, tmp_path / "run").hash == ended(loaded) == sim.hash
    assert sim["lift"].position == (4, 0, 2) and "lift" in sim.report().html
    assert sim["ball"].spin == (0, -3, 4) and "offset: (0.0, 0.0, 0.05)" in sim.scenario
    loaded = carom.Simulation.load(tmp_path / "sim.ron")
    loaded.kick("ball", (1, 0, 0), at=2)
    with pytest.raises(carom.CommandError, match="of its own"):
        loaded.save(tmp_path / "again.ron")


def test_a_time_that_is_no_float_is_in_no_scenario(tmp_path: Path) -> None:
    sim = bouncing()
    sim.kick("ball", (1, 0, 0), at="0.7")
    words = r"no float is exactly 0.7 s.* such as 0.7"
    with pytest.raises(carom.CommandError, match=words):
        sim.save(tmp_path / "sim.ron")
    sim.run()
    with pytest.raises(carom.CommandError, match=words):
        sim.film()
    assert sim.plot("energy").svg.startswith("<svg")
    sim = bouncing()
    sim.kick("ball", (1, 0, 0), at="0.5")
    assert "Kick(at: 0.5" in sim.scenario


def test_a_run_that_ends_with_a_command_that_fails_is_filmed(tmp_path: Path) -> None:
    sim = bouncing()
    sim.set_position("ball", (0, 0, -5), at=0.5)
    run = carom.run(sim, tmp_path / "run")
    with pytest.raises(carom.RunError, match="overlap"):
        sim.run()
    for one in [sim, run]:
        assert one.film(fps=2, size=(320, 240)).data
        one.export("xyz", tmp_path / "run.xyz")


def test_nothing_is_added_after_the_first_event() -> None:
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.1)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 0.5))
    start = sim.snapshot()
    sim.run(events=1)
    assert sim.time == 0 and len(sim.take_events()) == 1
    with pytest.raises(carom.CommandError, match="has not begun"):
        sim.add("late", carom.Sphere(0.5), mass=1, position=(5, 0, 5))
    sim.restore(start)
    sim.add("late", carom.Sphere(0.5), mass=1, position=(5, 0, 5))
