"""Common part of the Python adapters: a scene as `carom oracle scene --json` prints it, and the table of an engine.

    adapter.py SCENE.json TIMESTEP OUTPUT.csv     runs a scene with the engine's timestep, in s
    adapter.py --version                          prints name, version and settings of the engine
    adapter.py --can SCENE.json                   prints the reason if the scene cannot run, else nothing
    adapter.py --casts CASTS.csv OUTPUT.csv       answers the casts of `carom oracle casts` that the engine can do

An adapter is a class with `name`, `settings`, `version()` and `refuses(scene)`, and with `has_surfaces` if it knows surfaces of triangles. Its instances, made from a scene and a
timestep, have `step()` and `state(body)`, which returns position, velocity and spin. If it
has `cast(cast)`, that gives the part of a cast's motion up to a hit and the normal there, or `None`; `can_cast(cast)` says which casts it can do.
"""

import csv
import json
import math
import sys


class Scene:
    def __init__(self, file):
        with open(file, encoding="utf-8") as text:
            data = json.load(text)
        self.name, self.duration, self.gravity = data["name"], data["duration"], data["gravity"]
        self.every, self.plane = data["output"]["timestep"], data["plane"] == "xz"
        self.bodies, self.materials, self.pairs = data["bodies"], data["materials"], data["pairs"]
        self.free = [body for body in self.bodies if body["motion"] == "free"]

    def pair(self, a, b):
        """Restitution and friction between two bodies."""
        key = sorted((a["material"], b["material"]))
        found = next(pair for pair in self.pairs if [pair["a"], pair["b"]] == key)
        return found["restitution"], found["friction"]

    def factors(self, body):
        """Restitution and friction of a body for an engine that multiplies those of two bodies.

        With one material, it is the square root. With several materials, carom's scenes have one value of 1 in each
        pair, so the product is the smaller value.
        """
        material = self.materials[body["material"]]
        root = math.sqrt if len(self.materials) == 1 else lambda value: value
        return root(material["restitution"]), root(material["friction"])

    def has(self, motion=None, kind=None):
        return any(motion in (None, body["motion"]) and kind in (None, body["shape"]["kind"]) for body in self.bodies)


def run(scene, timestep, engine, output):
    """Steps through the scene, and writes a row of each free body at the scene's times."""
    stride = max(1, round(scene.every / timestep))
    steps = math.ceil(scene.duration / timestep - 1e-9)
    with open(output, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow("step,time,body,x,y,z,vx,vy,vz,wx,wy,wz".split(","))
        for step in range(1, steps + 1):
            engine.step()
            if (step % stride and step != steps) or step * timestep > scene.duration * (1 + 1e-9):
                continue
            for body in scene.free:
                numbers = [float(number) for triple in engine.state(body) for number in triple]
                table.writerow([step, repr(step * timestep), body["name"], *numbers])


class Cast:
    """A shape (`ray`, `ball` or `box`) that moves from a place, and the target that it may meet, with their half extents."""

    def __init__(self, row):
        def triple(*names):
            return [float(row[name]) for name in names]

        self.shape, self.half = row["shape"], triple("hx", "hy", "hz")
        self.start, self.motion = triple("x", "y", "z"), triple("dx", "dy", "dz")
        self.target, self.target_half = row["target"], triple("target_hx", "target_hy", "target_hz")
        self.at = triple("target_x", "target_y", "target_z")


def cast_all(engine, casts, output):
    """Writes an answer to each cast that the engine can do."""
    with open(casts, newline="", encoding="utf-8") as file, open(output, "w", newline="", encoding="utf-8") as answers:
        table = csv.writer(answers)
        table.writerow("cast,hit,fraction,nx,ny,nz".split(","))
        for row in csv.DictReader(file):
            cast = Cast(row)
            if engine.can_cast(cast):
                hit = engine.cast(cast)
                table.writerow([row["cast"], *([1, repr(float(hit[0])), *map(float, hit[1])] if hit else [0, "", "", "", ""])])


def main(engine):
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"{engine.name}\t{engine.version()}\t{engine.settings}")
    elif len(words) == 2 and words[0] == "--can":
        scene = Scene(words[1])
        reason = engine.refuses(scene)
        if scene.has(kind="triangles") and not getattr(engine, "has_surfaces", False):
            reason = "no surfaces of triangles"
        if reason:
            print(reason)
    elif len(words) == 3 and words[0] == "--casts":
        if not hasattr(engine, "cast"):
            sys.exit("no casts")
        cast_all(engine, words[1], words[2])
    elif len(words) == 3:
        scene, timestep = Scene(words[0]), float(words[1])
        run(scene, timestep, engine(scene, timestep), words[2])
    else:
        sys.exit(__doc__)
