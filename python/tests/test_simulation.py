"""Simulations: how they are made, saved, loaded, stepped, read and changed."""

from __future__ import annotations

import gc
import math
import pickle
import weakref
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from conftest import box_of_balls


def test_what_is_made_moves_as_it_must(bounce: carom.Simulation) -> None:
    assert (bounce.time, bounce.count, len(bounce), bounce.names) == (0.0, 2, 2, ["ball", "floor"])
    bounce.run(until=1.5)
    ball = bounce["ball"]
    assert ball.position == (1.5, 0.0, 0.5 + 3.75) and ball.velocity == (1.0, 0.0, 5.0)
    assert (ball.mass, ball.radius, ball.motion, bounce["floor"].mass) == (1.0, 0.5, "free", None)
    assert bounce.energy.total == 55.5 and bounce.energy.dissipated == 0
    assert len(bounce.take_events()) == 1 and len(bounce.take_events()) == 0
    assert "ball" in bounce and "bell" not in bounce and list(bounce) == ["ball", "floor"]
    with pytest.raises(KeyError):
        bounce["bell"]


def test_runs_end_where_they_are_told(bounce: carom.Simulation) -> None:
    bounce.step()
    assert (bounce.steps, bounce.time) == (1, 0.125)
    bounce.step(3)
    assert (bounce.steps, bounce.time) == (4, 0.5)
    bounce.run(events=1)
    assert bounce.time == 1.0 and bounce["ball"].velocity[2] == 10.0
    bounce.run(while_=lambda sim: sim["ball"].velocity[2] > 0)
    assert bounce.time == 2.0
    bounce.run(until="2.0625")
    assert (bounce.time, bounce.steps) == (2.0625, 16)
    bounce.run(until=Fraction(33, 16) + Fraction(1, 3))
    # The clock stores whole ticks of 1/2048 s and the remainder of the third as the nearest `float64`.
    assert abs(bounce.time_exact - (Fraction(33, 16) + Fraction(1, 3))) < Fraction(1, 2**60)
    bounce.run()
    assert (bounce.time, bounce.steps) == (4.0, 32)
    with pytest.raises(carom.CommandError, match="already 4 s"):
        bounce.run(until=3)
    for wrong in ["soon", float("nan"), 1e300]:
        with pytest.raises(ValueError):
            bounce.run(until=wrong)


def test_how_it_is_run_changes_no_bit() -> None:
    def hashes(go: object) -> str:
        sim = box_of_balls()
        go(sim)  # type: ignore[operator]
        return sim.hash

    def by_events(sim: carom.Simulation) -> None:
        while sim.time < 2:
            sim.run(until=2, events=7)

    def by_parts(sim: carom.Simulation) -> None:
        for part in np.linspace(0, 2, 47):
            sim.run(until=part)

    whole = hashes(lambda sim: sim.run())
    assert {hashes(by_events), hashes(by_parts), hashes(lambda sim: sim.step(16))} == {whole}


def test_courses_move_plates() -> None:
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.001, duration=0.5)
    sine = {"axis": (0, 0, 1), "amplitude": 0.01, "frequency": 20, "phase": 0.25}
    sim.add("plate", carom.Plane((0, 0, 1), 0.0), motion={"sine": sine})
    sim.add("lift", carom.Box((1, 1, 0.1)), motion={"knots": [(0, (5, 0, 0.1)), (0.25, (5, 0, 1.1))]})
    ram = {"axis": (1, 0, 0), "coefficients": [0, 0, 3, -2], "until": 1}
    sim.add("ram", carom.Box((1, 1, 1)), position=(-9, 0, 2), motion={"polynomial": ram})
    sim.run()
    assert sim["plate"].position[2] == pytest.approx(0.01)
    assert sim["lift"].position == pytest.approx((5, 0, 1.1))
    assert sim["ram"].position == pytest.approx((-8.5, 0, 2))
    loaded = carom.Simulation.parse(sim.scenario)
    loaded.run()
    assert loaded.hash == sim.hash
    for wrong in ({"sine": sine, "knots": []}, {"swing": sine}, "hopping"):
        with pytest.raises(ValueError, match="sine"):
            carom.Simulation().add("plate", carom.Plane((0, 0, 1), 0.0), motion=wrong)  # type: ignore[arg-type]


def test_knots_are_for_all_bodies_and_after_the_duration_too() -> None:
    sim = carom.Simulation(timestep=0.25, duration=1)

    def lift(begin: float) -> dict[str, list[tuple[float, tuple[float, float, float]]]]:
        return {"knots": [(begin, (0, begin * 9, 0)), (begin + 1, (0, begin * 9, 2)), (begin + 2, (0, begin * 9, 1))]}

    def heights(sim: carom.Simulation) -> list[float]:
        return [sim[name].position[2] for name in ("first", "second", "third")]

    sim.add("first", carom.Sphere(1), motion=lift(0))
    sim.material("steel", restitution=0.5)
    sim.run(until=0.5)
    sim.spawn("second", carom.Sphere(1), motion=lift(0.5))
    sim.spawn("third", carom.Sphere(1), motion=lift(1), at=0.75)
    for wrong, at in [(0.25, None), (1, 1.5)]:
        with pytest.raises(carom.ScenarioError, match="not before the time at which the body comes"):
            sim.spawn("late", carom.Sphere(1), motion=lift(wrong), at=at)
    twins = [sim, sim.copy(), pickle.loads(pickle.dumps(sim))]
    for twin in twins:
        twin.run(until=2)
        assert heights(twin) == pytest.approx([1, 1.5, 2])
    twins.append(pickle.loads(pickle.dumps(sim)))
    for twin in twins:
        twin.run(until=4)
        assert heights(twin) == [1, 1, 1] and twin.hash == sim.hash
    with pytest.raises(carom.ScenarioError, match="`position`"):
        carom.Simulation().fill("row", carom.Sphere(1), positions=[(0, 0, 0)], motion=lift(0))  # type: ignore[arg-type]


def test_what_is_made_is_a_scenario_file(tmp_path: Path) -> None:
    sim = carom.Simulation(
        title='A "title"', gravity=(0, 0, -9.81), timestep=1 / 60, duration=1.5, layers=["höhe"], rest_height=1e-7,
        impacts="pairwise",
    )
    steel = sim.material("steel", restitution=0.9, friction=0.2)
    sim.material("felt", restitution=0.3, rolling_friction=0.001)
    sim.pair(steel, "felt", restitution=0.7)
    sim.add("floor", carom.Plane((0, 0.1, 1), 0.0), material="felt")
    sim.add("ball", carom.Sphere(0.1), density=700, position=(0, 0, 2), velocity=(1, 0, 0), spin=(0, 1, 0), material=steel)
    sim.add("gate", carom.Box((0.1, 1, 1)), sensor=True, motion="fixed", position=(1, 0, 1))
    sim.add("belt", carom.Box((0.5, 1, 0.1)), motion="kinematic", position=(5, 0, 1), velocity=(0, 0.5, 0), layer="höhe")
    sim.add("ramp", carom.Mesh([(-3, -3, -1), (3, -3, -1), (0, 3, -1)], [(0, 1, 2)]), collides_with=["höhe"])
    places = np.random.default_rng(1).uniform(size=(20, 3)) * 0.01 + np.arange(20)[:, None] + (2, 2, 3)
    sim.fill("dust", carom.Sphere(0.05), positions=places, velocities=-places, density=1.5, material=steel)
    sim.save(tmp_path / "made.ron")
    loaded = carom.Simulation.load(tmp_path / "made.ron")
    assert loaded.title == 'A "title"' and loaded.scenario == sim.scenario
    assert loaded.hash == sim.hash and "dust/07" in loaded
    sim.run()
    loaded.run()
    assert sim.take_events().columns[:4] == ["time", "time_rest", "kind", "a"]
    assert loaded.hash == sim.hash and loaded.time == 1.5


def test_a_restitution_is_a_number_or_a_law_of_the_speed() -> None:
    laws = [
        (carom.BySpeed([(1, 0.9), (9, 0.5)]), 0.5),
        (carom.Viscoelastic(0.25), 1 - 0.25 * 10**0.2),
        (carom.Power(v0=0.1, exponent=0.25, max=0.9), 0.9 * 0.01**0.25),
        (0.75, 0.75),
    ]
    for law, wanted in laws:
        assert pickle.loads(pickle.dumps(law)) == law
        if law != 0.75:
            assert eval(repr(law), vars(carom)) == law
        sim = carom.Simulation(gravity=(0, 0, -10), duration=2)
        sim.material("stuff", restitution=law)
        sim.material("wall", restitution=1)
        sim.pair("wall", "wall", restitution=law)
        sim.add("floor", carom.Plane((0, 0, 1), 0.0), material="wall")
        sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 5.5), material="stuff")
        sim.run(until=1.001)
        assert sim["ball"].velocity[2] == pytest.approx(10 * wanted - 0.01, abs=1e-13)
    with pytest.raises(carom.ScenarioError, match="above the one before") as caught:
        carom.Simulation().material("stuff", restitution=carom.BySpeed([(1, 0.9), (1, 0.5)]))
    assert caught.value.field.endswith("restitution[1][0]")
    with pytest.raises(TypeError):
        carom.Simulation().material("stuff", restitution="high")  # type: ignore[arg-type]


def test_a_file_can_be_loaded_with_other_values(root: Path) -> None:
    file = root / "scenarios" / "bouncing_ball.ron"
    sim = carom.Simulation.load(file, timestep=0.5, set={"bodies.ball.velocity.x": 3.5})
    assert sim.timestep == 0.5 and sim["ball"].velocity[0] == 3.5
    with pytest.raises(carom.ScenarioError, match="bodies.bell"):
        carom.Simulation.load(file, set={"bodies.bell.mass": 1})
    dropped = root / "scenarios" / "studies" / "base" / "dropped_ball.ron"
    for law in (carom.BySpeed([(1, 0.9), (9, 0.5)]), carom.Viscoelastic(0.25), carom.Power(v0=0.1, exponent=0.25, max=0.9)):
        text = repr(law).replace("=", ": ")
        assert f"restitution: {text}" in carom.Simulation.load(dropped, set={"materials.ball.restitution": law}).scenario


def test_wrong_input_says_where_and_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "wrong.ron"
    file.write_text("(timestep: 0.1, duration: 1, bodies: [\n    (shape: Sphere(radius: -1), mass: 1, material: \"steal\")])")
    with pytest.raises(carom.ScenarioError, match="radius") as caught:
        carom.Simulation.load(file)
    error = caught.value
    assert (error.file, error.line, error.column, error.field) == (str(file), 2, 28, "bodies[0].shape.radius")
    assert len(error.problems) == 2 and error.problems[1].field == "bodies[0].material" and error.problems[1].help
    missing, sim = tmp_path / "missing" / "sim.ron", carom.Simulation()
    for act in [
        lambda: carom.Simulation.load(missing), lambda: sim.save(missing), lambda: carom.Recording(missing),
        lambda: carom.Recorder(missing, sim).__enter__(),
    ]:
        with pytest.raises(FileNotFoundError, match="sim.ron") as refused:
            act()
        assert refused.value.errno == 2 and refused.value.filename == str(missing)
    with pytest.raises(IsADirectoryError):
        carom.Simulation.load(tmp_path)
    file.write_text(
        "(timestep: 0.1, duration: 1, bodies: [(name: \"a\", shape: Sphere(radius: 1), mass: 1),"
        " (name: \"b\", shape: Sphere(radius: 1), mass: 1, position: (1, 0, 0))])"
    )
    with pytest.raises(carom.ScenarioError, match="overlap") as caught:
        carom.Simulation.load(file)
    assert caught.value.line == 1


def test_wrong_bodies_are_refused_when_they_are_added(bounce: carom.Simulation) -> None:
    with pytest.raises(carom.ScenarioError, match="mass") as caught:
        bounce.add("stone", carom.Sphere(1))
    assert caught.value.help
    with pytest.raises(carom.ScenarioError, match="rubbre"):
        bounce.add("stone", carom.Sphere(1), mass=1, material="rubbre")
    with pytest.raises(TypeError, match="weight"):
        bounce.add("stone", carom.Sphere(1), weight=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="floating"):
        bounce.add("stone", carom.Sphere(1), motion="floating")
    with pytest.raises(ValueError, match="three"):
        bounce.fill("dust", carom.Sphere(1), mass=1, positions=np.zeros((4, 2)))
    with pytest.raises(carom.ScenarioError, match="restitution"):
        bounce.material("rubber", restitution=1.5)
    bounce.fill("g", carom.Sphere(1), mass=1, positions=[(9, 0, 5), (9, 9, 5)])
    for again in (
        lambda: bounce.fill("g", carom.Sphere(1), mass=1, positions=np.ones((2, 3)) * 20),
        lambda: bounce.add("g/0", carom.Sphere(1), mass=1),
        lambda: bounce.fill("x" * 253, carom.Sphere(1), mass=1, positions=np.zeros((100, 3))),
    ):
        with pytest.raises(carom.ScenarioError, match="name"):
            again()
    with pytest.raises(ValueError, match="give as many"):
        bounce.fill("h", carom.Sphere(1), mass=1, positions=[(9, 0, 9)], velocities=np.empty((0, 3)))
    assert bounce.names == ["ball", "floor", "g/0", "g/1"]
    bounce.step()
    with pytest.raises(carom.CommandError, match="spawn"):
        bounce.add("stone", carom.Sphere(1), mass=1)


def test_arrays_have_a_row_for_each_body(gas: carom.Simulation) -> None:
    gas.run(until=1)
    places, velocities = gas.positions(), gas.velocities()
    assert places.shape == (64, 3) and places.dtype == np.float64 and places.flags["C_CONTIGUOUS"]
    for row, name in enumerate(gas.names):
        assert tuple(places[row]) == gas[name].position and tuple(velocities[row]) == gas[name].velocity
    out = np.empty((64, 3))
    assert gas.positions(out=out) is out and (out == places).all()
    assert (gas.spins() == 0).all() and (gas.radii() == 0.4).all() and (gas.masses() == 1).all()
    for wrong in [np.empty((63, 3)), np.empty((3, 64)).T, np.empty((128, 3))[::2]]:
        with pytest.raises(ValueError):
            gas.positions(out=wrong)
    for wrong in [np.empty((64, 3), np.float32), np.empty((64, 3), ">f8")]:
        with pytest.raises(TypeError, match="float64"):
            gas.positions(out=wrong)


def test_commands_act_at_once_or_at_their_time(bounce: carom.Simulation) -> None:
    bounce.kick("ball", (0, 2, 0), at=0.5)
    bounce.run(until=0.5)
    bounce.kick("ball", (1, 0, 0))
    assert bounce["ball"].velocity == (2.0, 2.0, -5.0)
    bounce.spawn("crate", carom.Box((1, 1, 1)), mass=3, position=(9, 9, 9))
    bounce.spawn("late", carom.Sphere(0.1), mass=1, position=(-9, 0, 9), at="0.75")
    assert bounce.names == ["ball", "floor", "crate"]
    bounce.run(until=1)
    assert "late" in bounce and bounce["late"].velocity[2] == -2.5
    crate = bounce["crate"]
    bounce.despawn("crate")
    assert not crate.is_present and "crate" not in bounce
    bounce.reverse()
    for refused in [
        lambda: bounce.kick("crate", (1, 0, 0)),
        lambda: bounce.kick("floor", (1, 0, 0)),
        lambda: bounce.kick("ball", (1, 0, 0), at=0.5),
        lambda: bounce.spawn("crate", carom.Sphere(1), mass=1),
    ]:
        with pytest.raises(carom.CommandError):
            refused()


def test_commands_change_bodies_and_gravity() -> None:
    sim = carom.Simulation(gravity=(0, 0, -10), layers=["ghosts"], timestep=0.125)
    ice = sim.material("ice", restitution=0.5)
    sim.add("floor", carom.Plane((0, 0, 1)), collides_with=["default"])
    sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 0.5))
    sim.set_position("ball", (3, 0, 5.5), at=0.5)
    sim.set_material("ball", ice)
    sim.run(until=1.5)
    # It fell 5 m for a second, and comes back half as fast.
    assert sim["ball"].position == pytest.approx((3.0, 0.0, 0.5), abs=1e-15)
    sim.run(until=1.625)
    assert sim["ball"].velocity[2] == pytest.approx(5 - 1.25)
    copy = sim.copy()
    sim.set_layers("ball", "ghosts")
    sim.set_gravity((0, 0, -2))
    sim.run(until=9)
    assert sim["ball"].position[2] < -20 and copy["ball"].position[2] > 0
    refused = [
        lambda: sim.set_position("floor", (0, 0, 1)),
        lambda: sim.set_material("ball", "icy"),
        lambda: sim.set_layers("ball", "goasts"),
        lambda: sim.set_gravity((0, 0, float("nan"))),
    ]
    for command in refused:
        with pytest.raises(carom.CommandError):
            command()


def test_queries_see_the_bodies_of_the_present(bounce: carom.Simulation) -> None:
    hit = bounce.cast_ray((0, 0, 9), (0, 0, -1))
    assert hit is not None and (hit.name, hit.t, hit.normal, hit.start) == ("ball", 3.0, (0.0, 0.0, 1.0), "apart")
    behind = bounce.cast_ray((0, 0, 9), (0, 0, -1), without="ball")
    assert behind is not None and behind.name == "floor"
    assert [hit.name for hit in bounce.cast_ray_all((0, 0, 9), (0, 0, -1))] == ["ball", "floor"]
    assert bounce.cast_ray((0, 0, 9), (0, 0, 1)) is None
    swept = bounce.cast_sphere(0.5, (0, 0, 9), (0, 0, -1))
    boxed = bounce.cast_box((0.5, 0.5, 0.5), (0, 0, 9), (0, 0, -1))
    assert swept is not None and boxed is not None and swept.t == boxed.t == 2.5
    assert bounce.closest((0, 0, 4)) == ("ball", 1.0, (0.0, 0.0, 5.0))
    assert bounce.overlapping((-1, -1, -1), (1, 1, 1)) == ["floor"]
    with pytest.raises(ValueError, match="without: there is no body \"bal\""):
        bounce.closest((0, 0, 4), without="bal")
    with pytest.raises(ValueError, match="radius"):
        bounce.cast_sphere(-1, (0, 0, 0), (1, 0, 0))


def test_a_slide_goes_along_what_blocks_it(bounce: carom.Simulation) -> None:
    slide = bounce.slide((0.0, 0.0, 1.0), (2.0, 0.5, -1.0), radius=0.5)
    assert slide.to == (2.0, 0.5, 0.5) and slide.onward == (2.0, 0.5, 0.0) and slide.left == (0.0, 0.0, -0.5)
    assert [(hit.name, hit.t) for hit in slide.hits] == [("floor", 0.5)]
    assert (slide.floor, slide.wall, slide.ceiling, slide.is_stuck) == ("floor", None, None, False)
    boxed = bounce.slide((0.0, 0.0, 1.0), (0.0, 0.0, -9.0), half_extents=(0.25, 0.25, 0.5), walking=True, step=0.25)
    assert boxed.to == (0.0, 0.0, 0.5)
    through = bounce.slide((0.0, 0.0, 1.0), (0.0, 0.0, -9.0), radius=0.5, without="floor")
    assert through.to == (0.0, 0.0, -8.0)
    with pytest.raises(ValueError, match=r"overlaps \"floor\" by 0\.25 m; begin at"):
        bounce.slide((0.0, 0.0, 0.25), (1.0, 0.0, 0.0), radius=0.5)
    press = carom.Simulation()
    press.add("anvil", carom.Plane((0, 0, 1)))
    press.add("press", carom.Box((1, 1, 1)), motion="kinematic", position=(0, 0, 3), velocity=(0, 0, -1))
    assert press.slide((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), radius=0.5, duration=2.0).is_stuck


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("query", "word"),
    [
        (lambda sim: sim.cast_ray((0, 0, NAN), (0, 0, 1)), "origin"),
        (lambda sim: sim.cast_ray((0, 0, 0), (0, 0, 0)), "direction"),
        (lambda sim: sim.cast_ray_all((0, 0, 0), (0, 0, INF)), "direction"),
        (lambda sim: sim.cast_ray((0, 0, 0), (0, 0, 1), until=-1), "until"),
        (lambda sim: sim.cast_sphere(1, (0, 0, 0), (0, 0, 1), until=NAN), "until"),
        (lambda sim: sim.cast_box((1, 1, 1), (1e80, 0, 0), (0, 0, 1)), "origin"),
        (lambda sim: sim.slide((0, INF, 0), (0, 0, 1), radius=1), "origin"),
        (lambda sim: sim.slide((0, 0, 9), (0, 0, 1), radius=1, step=NAN), "step"),
        (lambda sim: sim.slide((0, 0, 9), (0, 0, 1)), "give radius or half_extents"),
        (lambda sim: sim.slide((0, 0, 9), (0, 0, 1), radius=1, one_way=["bridge"]), "bridge"),
        (lambda sim: sim.closest((0, INF, 0)), "point"),
        (lambda sim: sim.closest((0, 0, 0), within=-1), "within"),
        (lambda sim: sim.overlapping((1, 0, 0), (0, 1, 1)), "low"),
        (lambda sim: sim.overlapping((0, 0, 0), (0, NAN, 1)), "high"),
    ],
)
def test_what_is_no_question_is_refused(bounce: carom.Simulation, query: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        query(bounce)


def test_a_list_is_a_list_and_a_tuple_a_vector(root: Path) -> None:
    belt = root / "scenarios" / "belt.ron"
    sim = carom.Simulation.load(belt, set={"record.at": [0.1, 0.2], "gravity": (0, 0, -1)})
    sim.run(until=0.1)
    with pytest.raises(TypeError, match="record.stride"):
        carom.Simulation.load(belt, set={"record": {"stride": 10}})


def test_values_that_have_no_text_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for value in ["\ud800", endless, [[["\udcff"]]]]:
        with pytest.raises(ValueError):
            carom.Simulation.load("none.ron", set={"title": value})


def test_bodies_are_counted_before_they_are_copied(bounce: carom.Simulation) -> None:
    for kind in [float, int]:
        many = np.broadcast_to(np.zeros((1, 3), dtype=kind), (10**12, 3))
        with pytest.raises(ValueError, match="4000000"):
            bounce.fill("dust", carom.Sphere(1), mass=1, positions=many)
    assert bounce.names == ["ball", "floor"]


def test_shapes_are_values() -> None:
    import pickle

    mesh = carom.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], closed=False)
    voxels = carom.Voxels((1, 2, 3), [[[True, False], [False, True]]])
    grids = [carom.Tiles(0.5, ["#.", "##"], depth=2), voxels, carom.Heights((1, 2), [[0, 1], [2, 3]])]
    flat = [carom.Disc(1), carom.Segment((0, 1), (2, 3)), carom.Arc(2, 90, 180), carom.Polygon([(0, 0), (1, 0), (0, 1)])]
    for shape in [carom.Sphere(1), carom.Box((1, 2, 3)), carom.Plane((0, 0, 1), 2), mesh, *grids, *flat]:
        assert pickle.loads(pickle.dumps(shape)) == shape
    assert carom.Sphere(1) != carom.Sphere(2) and repr(carom.Sphere(0.5)) == "Sphere(0.5)"


def test_a_plane_has_discs_and_arcs() -> None:
    sim = carom.Simulation(planar=True, gravity=(0, -10, 0), timestep=0.1, duration=4)
    sim.material("rough", restitution=0, friction=5)
    sim.add("slope", carom.Plane((0.6, 0.8, 0), 0), material="rough")
    sim.add("disc", carom.Disc(0.5), mass=2, position=(0.3, 0.4, 0), material="rough")
    sim.run(until=2)
    # A disc has m r²/2, so it rolls with 2/3 of g sin θ.
    assert math.hypot(*sim["disc"].velocity) == pytest.approx(2 / 3 * 6 * 2, rel=1e-9)

    table = carom.Simulation(planar=True, timestep=1, duration=100)
    table.add("circle", carom.Arc(1))
    table.add("disc", carom.Disc(0.1), mass=1, position=(0.2, 0, 0), velocity=(0, 1, 0))
    table.run()
    position, velocity = table["disc"].position, table["disc"].velocity
    assert position[0] * velocity[1] - position[1] * velocity[0] == pytest.approx(0.2, rel=1e-12)
    with pytest.raises(carom.ScenarioError, match="only a planar world has a `Disc`"):
        carom.Simulation().add("disc", carom.Disc(1), mass=1)


def test_cells_come_and_go() -> None:
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=0.5, duration=3)
    cells = np.zeros((3, 1, 2), dtype=bool)
    cells[:, :, 0] = True
    sim.add("level", carom.Voxels(1, cells))
    sim.add("hero", carom.Box((0.5, 0.5, 0.5)), mass=1, position=(1.5, 0.5, 1.5))
    sim.set_cell("level", (1, 0, 0), False, at=1)
    sim.run(until=2)
    assert sim["hero"].position == (1.5, 0.5, 1.5 - 5)
    with pytest.raises(carom.CommandError, match="no cell"):
        sim.set_cell("level", (3, 0, 0), True)


def test_a_run_that_cannot_go_on_says_so() -> None:
    sim = carom.Simulation(timestep=0.1, impacts_max=10_000)
    for name, place, speed in [("left", -2, 1), ("right", 2, -1)]:
        sim.add(name, carom.Box((1, 1, 1)), motion="kinematic", position=(place, 0, 0), velocity=(speed, 0, 0))
    sim.add("ball", carom.Sphere(0.5), mass=1)
    with pytest.raises(carom.RunError, match="ball"):
        sim.run()
    assert 0 < sim.time <= 0.6


def test_a_simulation_that_calls_itself_is_collected(bounce: carom.Simulation) -> None:
    sim = bounce.copy()

    @sim.on("impact")
    def hit(event: carom.Event) -> None:
        sim.stop()

    gone = weakref.ref(sim)
    del sim, hit
    gc.collect()
    assert gone() is None
