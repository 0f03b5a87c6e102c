"""The pressure of a gas of hard spheres, beside Carnahan and Starling (J. Chem. Phys. 51, 1969).

Each impact hands an impulse J across a distance of one diameter. The virial of all impacts in a time t gives the
compressibility Z = pV / (N k T) = 1 + d ΣJ / (2 E t), with the kinetic energy E (Alder and Wainwright, J. Chem. Phys. 33, 1960).
"""

import numpy as np
import pyarrow as pa

import carom

SIDE, COUNT, DIAMETER = 10.0, 9, 0.75


def compressibility(seed: int) -> float:
    random = np.random.default_rng(seed)
    grid = (np.arange(COUNT) + 0.5) * SIDE / COUNT
    places = np.stack(np.meshgrid(grid, grid, grid), axis=-1).reshape(-1, 3)
    velocities = random.normal(size=places.shape)
    velocities -= velocities.mean(axis=0)
    sim = carom.Simulation(periodic=((0, SIDE), (0, SIDE), (0, SIDE)), timestep=0.5)
    sim.fill("gas", carom.Sphere(DIAMETER / 2), positions=places, velocities=velocities, mass=1)
    sim.run(until=5)  # the lattice melts
    sim.take_events()
    sim.run(until=15)
    impulses = pa.table(sim.take_events())["impulse"].to_numpy()
    return 1 + DIAMETER * impulses.sum() / (2 * sim.energy.kinetic * 10)


packing = COUNT**3 * np.pi / 6 * DIAMETER**3 / SIDE**3
theory = (1 + packing + packing**2 - packing**3) / (1 - packing) ** 3
found = np.array([compressibility(seed) for seed in range(3)])
print(f"packing {packing:.4f}: Z = {found.mean():.3f} ± {found.std(ddof=1) / np.sqrt(len(found)):.3f}, theory {theory:.3f}")
assert abs(found.mean() / theory - 1) < 0.02
