"""Two blocks and a wall count the digits of pi: Galperin, *Playing pool with π* (2003), in ten lines."""

import carom

for digits in range(4):
    sim = carom.Simulation(timestep=1, duration=1000)
    sim.add("wall", carom.Plane((1, 0, 0)))
    sim.add("small", carom.Box((0.1, 0.1, 0.1)), mass=1, position=(1.1, 0, 0))
    sim.add("large", carom.Box((0.1, 0.1, 0.1)), mass=100**digits, position=(3.3, 0, 0), velocity=(-1, 0, 0))
    sim.run()
    print(f"mass ratio 100^{digits}: {len(sim.take_events())} impacts")
