"""Threads, signals, callbacks and memory."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import carom
from conftest import box_of_balls


def test_eight_threads_with_a_simulation_each() -> None:
    def run(seed: int) -> str:
        sim = box_of_balls(seed)
        sim.run()
        return sim.hash

    alone = [run(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(8))) == alone
    assert len(set(alone)) == 8


def test_other_threads_look_while_one_runs(gas: carom.Simulation) -> None:
    looks: list[float] = []
    worker = threading.Thread(target=lambda: gas.run(until=60))
    worker.start()
    while worker.is_alive():
        assert gas.positions().shape == (64, 3)
        looks.append(gas.time)
        time.sleep(0.01)
    worker.join()
    assert gas.time == 60 and looks == sorted(looks)


def test_nothing_else_moves_a_simulation_that_runs(gas: carom.Simulation) -> None:
    @gas.on("impact")
    def hit(event: carom.Event) -> None:
        gas.step()

    with pytest.raises(RuntimeError, match="running"):
        gas.run()
    gas.off(hit)
    gas.run()
    with pytest.raises(ValueError):
        gas.off(hit)


def heap_of_balls() -> carom.Simulation:
    """Smooth balls that fall into a pit. Until they are at rest, it takes seconds of computing."""
    side, spacing = 12, 0.12
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=100, duration=1e6)
    sim.material("wood", restitution=0.3)
    width = side * spacing
    sim.add("floor", carom.Plane((0, 0, 1)), material="wood")
    for axis, name in enumerate("xy"):
        along = np.eye(3)[axis]
        sim.add(f"{name}/low", carom.Plane(tuple(along)), material="wood")
        sim.add(f"{name}/high", carom.Plane(tuple(-along), offset=-width), material="wood")
    cells = np.indices((side, side, side)).reshape(3, -1).T
    places = (cells + 0.5 + np.random.default_rng(1).uniform(-0.08, 0.08, cells.shape)) * spacing
    sim.fill("ball", carom.Sphere(0.05), positions=places, density=1000, material="wood")
    return sim


@pytest.mark.parametrize("scene", ["gas", "heap", "steps"])
def test_an_interrupt_comes_within_a_fifth_of_a_second(scene: str) -> None:
    sim = heap_of_balls() if scene == "heap" else box_of_balls(side=10 if scene == "gas" else 1)
    sim.keep_events = False
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    worker = threading.Thread(target=interrupt)
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10**9) if scene == "steps" else sim.run(until=1e6)
    late = time.monotonic() - sent[0]
    worker.join()
    assert late < 0.2, f"{late:.3f} s"
    # The simulation continues from the instant at which it was interrupted.
    begun = sim.time
    sim.run(until=begun + 1e-6)
    assert sim.time == begun + 1e-6


def test_an_interrupted_run_goes_on_to_the_same_bits() -> None:
    # The gas is so large that the run takes far longer than the interrupts, even on a busy machine.
    whole, halted = box_of_balls(3, side=24), box_of_balls(3, side=24)
    whole.run()
    interrupts = 0
    while halted.time < halted.duration:
        timer = threading.Timer(0.002, os.kill, (os.getpid(), signal.SIGINT))
        try:
            if interrupts < 5:
                timer.start()
            halted.run()
            timer.cancel()
            if timer.ident:
                timer.join()
            time.sleep(0.001)
        except KeyboardInterrupt:
            interrupts += 1
    assert interrupts > 0
    assert halted.hash == whole.hash


def test_callbacks_see_the_world_at_the_very_instant(bounce: carom.Simulation) -> None:
    seen = []

    @bounce.on("impact", bodies=["ball"])
    def hit(event: carom.Event) -> None:
        seen.append((event.time, event.a, event.b, event.impulse, bounce.time, bounce["ball"].position[2]))
        if len(seen) == 2:
            bounce.stop()

    bounce.run()
    assert seen == [(1.0, "ball", "floor", 20.0, 1.0, 0.5), (3.0, "ball", "floor", 20.0, 3.0, 0.5)]
    assert bounce.time == 3.0
    bounce.run()
    assert bounce.time == 4.0
    with pytest.raises(ValueError, match='must be "impact", "enter"'):
        bounce.on("collision")


def test_callbacks_only_come_for_their_bodies(gas: carom.Simulation) -> None:
    of_two, of_all = [], []
    gas.on("impact", bodies=["gas/21", "gas/22"])(of_two.append)
    gas.on("impact")(of_all.append)
    gas.run()
    plain = box_of_balls()
    plain.run()
    assert gas.hash == plain.hash
    assert len(of_all) == len(gas.take_events()) == len(plain.take_events())
    pairs = [(event.a, event.b) for event in of_all]
    assert len(of_two) == pairs.count(("gas/21", "gas/22")) > 0


def test_a_callback_may_change_the_world_and_may_fail(bounce: carom.Simulation) -> None:
    @bounce.on("impact")
    def hit(event: carom.Event) -> None:
        if event.time > 2:
            raise LookupError("enough")
        bounce.kick("ball", (0, 3, 0))

    with pytest.raises(LookupError, match="enough"):
        bounce.run()
    assert bounce.time == 3.0 and bounce["ball"].position[1] == 6.0


def test_a_float_of_the_present_is_the_present() -> None:
    sim = box_of_balls()
    for _ in range(50):
        sim.run(events=1)
        was = sim.time_exact
        sim.kick(sim.names[-1], (0, 0, 1e-3), at=sim.time)
        sim.run(until=sim.time)
        assert 0 <= sim.time_exact - was < 1e-15

    @sim.on("impact")
    def hit(event: carom.Event) -> None:
        sim.set_velocity(event.a, (0, 0, 1), at=event.time)

    sim.run(events=50)
    sim.run(until="0.3" if sim.time < 0.3 else str(sim.duration))
    sim.run(until=sim.time)
    with pytest.raises(carom.CommandError, match="already"):
        sim.run(until=sim.time - 1e-9)


def test_others_read_while_a_thread_runs() -> None:
    sim = box_of_balls(side=8)
    sim.keep_events = False
    worker = threading.Thread(target=lambda: sim.run(until=1e5), daemon=True)
    # Another thread stops it, whatever happens here.
    worker.start()
    waits = []
    for _ in range(50):
        time.sleep(0.002)
        begun = time.monotonic()
        _ = sim.time
        waits.append(time.monotonic() - begun)
    sim.stop()
    worker.join()
    assert sorted(waits)[25] < 0.1 and max(waits) < 2, waits


def test_memory_does_not_grow_with_commands() -> None:
    sim = box_of_balls()
    sim.keep_events = False
    sizes = []
    for _ in range(2):
        for _ in range(500):
            sim.set_velocity(sim.names[-1], (0, 0, 1))
        sizes.append(len(pickle.dumps(sim.snapshot())))
    assert sizes[0] == sizes[1]
    sim.run(until=0.5)
    twin = pickle.loads(pickle.dumps(sim))
    for other in [sim, twin]:
        other.run()
        with pytest.raises(carom.CommandError, match="keep_events=True"):
            other.plot("energy")
    assert sim.hash == twin.hash


def test_memory_stays_flat() -> None:
    calls = int(os.environ.get("CAROM_CALLS", 1_000_000))
    sim = carom.Simulation(gravity=(0, 0, -10), timestep=1 / 1024)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("ball", carom.Sphere(0.5), mass=1, position=(0, 0, 1))
    out = np.empty((2, 3))

    def work(count: int) -> int:
        for _ in range(count):
            sim.step()
            sim.positions(out=out)
        for _ in range(count // 100):
            _ = sim.take_events(), sim.snapshot(), sim["ball"].position, sim.energy, sim.positions()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    before = work(calls // 20)
    after = work(calls // 2)
    assert after - before < 4 << 20, f"{(after - before) / calls} bytes per call"
