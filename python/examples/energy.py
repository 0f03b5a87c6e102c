"""Which of two trajectories of a bouncing ball is right? Their energy shows it.

The first is computed here, with the semi-implicit Euler method; a ball that is found below the floor is reflected. The
second is that of carom, at the same instants.
"""

import numpy as np

import carom

GRAVITY, STEP, STEPS = 9.81, 1 / 240, 2400


def by_hand() -> np.ndarray:
    height, speed, rows = 1.0, 0.0, []
    for _ in range(STEPS):
        speed -= GRAVITY * STEP
        height += speed * STEP
        if height < 0.1:
            height, speed = 0.2 - height, -speed
        rows.append((height, speed))
    return np.array(rows)


def by_carom() -> np.ndarray:
    sim = carom.Simulation(gravity=(0, 0, -GRAVITY), timestep=STEP)
    sim.add("floor", carom.Plane((0, 0, 1)))
    sim.add("ball", carom.Sphere(0.1), mass=1, position=(0, 0, 1))
    ball, rows = sim["ball"], []
    for _ in range(STEPS):
        sim.step()
        rows.append((ball.position[2], ball.velocity[2]))
    return np.array(rows)


def drift(trajectory: np.ndarray) -> float:
    """The largest change of the energy of a ball of 1 kg, divided by the energy of its fall."""
    energy = 0.5 * trajectory[:, 1] ** 2 + GRAVITY * trajectory[:, 0]
    return float(np.abs(energy - GRAVITY * 1.0).max() / (GRAVITY * 0.9))


print(f"by hand: {drift(by_hand()):.1e}, carom: {drift(by_carom()):.1e}")
assert drift(by_hand()) > 1e-3 and drift(by_carom()) < 1e-12
