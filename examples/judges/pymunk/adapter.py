"""pymunk (Chipmunk), for scenes in a plane: x and z of the scene are x and y here."""

import os
import sys

import pymunk

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import scene as judges

# Half the thickness of the slab that replaces a half-space, and half its length, m.
THICK, LONG = 10.0, 1000.0


class Engine:
    name = "pymunk"
    settings = "f64, two dimensions; 50 iterations, no damping, collision slop 1e-4 of a metre (the manual: as small as the scene allows); no continuous collision"

    @staticmethod
    def version():
        return f"{pymunk.version} (Chipmunk {pymunk.chipmunk_version})"

    @staticmethod
    def refuses(scene):
        return None if scene.plane else "not in a plane"

    def __init__(self, scene, timestep):
        self.space = pymunk.Space()
        self.space.gravity = (scene.gravity[0], scene.gravity[2])
        self.space.iterations = 50
        self.space.collision_slop = 1e-4
        self.timestep = timestep
        self.bodies = {body["name"]: make(self.space, scene, body) for body in scene.bodies}

    def step(self):
        self.space.step(self.timestep)

    def state(self, body):
        found = self.bodies[body["name"]]
        (x, z), (vx, vz) = found.position, found.velocity
        # Chipmunk counts rotation from x towards z, which is negative about y by the right-hand rule.
        return (x, 0, z), (vx, 0, vz), (0, -found.angular_velocity, 0)


def make(space, scene, told):
    form = told["shape"]
    if told["motion"] == "free":
        body = pymunk.Body(told["mass"], told["inertia"] or float("inf"))
    else:
        body = pymunk.Body(body_type=pymunk.Body.KINEMATIC if told["motion"] == "kinematic" else pymunk.Body.STATIC)
    body.position = (told["position"][0], told["position"][2])
    if told["motion"] != "fixed":
        body.velocity = (told["velocity"][0], told["velocity"][2])
        # By the right-hand rule, a positive rotation about y turns x towards -z.
        body.angular_velocity = -told["spin"][1]
    if form["kind"] == "sphere":
        shape = pymunk.Circle(body, form["radius"])
    elif form["kind"] == "box":
        shape = pymunk.Poly.create_box(body, (2 * form["half_extents"][0], 2 * form["half_extents"][2]))
    else:
        (nx, _, nz), offset = form["normal"], form["offset"] - THICK
        ends = [(nx * offset - nz * side, nz * offset + nx * side) for side in (-LONG, LONG)]
        shape = pymunk.Segment(body, *ends, THICK)
    shape.elasticity, shape.friction = scene.factors(told)
    space.add(body, shape)
    return body


judges.main(Engine)
