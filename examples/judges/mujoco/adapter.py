"""MuJoCo. Contacts are damped springs: a contact lasts ten steps and loses energy according to the restitution."""

import math
import os
import sys

import mujoco
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import scene as judges


def kept(ratio):
    """The restitution of a damped spring that pushes and never pulls, for this damping ratio.

    T. Schwager, T. Pöschel, Coefficient of restitution and linear-dashpot model revisited, Granular Matter 9, 2007.
    """
    root = math.sqrt(1 - ratio**2)
    return math.exp(-ratio / root * (math.pi - math.atan2(2 * ratio * root, 1 - 2 * ratio**2)))


def damping_ratio(restitution):
    """The damping ratio for this restitution. It is at most 1: critical damping, MuJoCo's default."""
    low, high = 0.0, 1 - 1e-9
    if restitution <= kept(high):
        return 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if kept(middle) > restitution else (low, middle)
    return low


class Engine:
    name = "MuJoCo"
    settings = (
        "f64; integrator RK4 (the manual's choice where energy is to be kept), elliptic cones, solver tolerance 1e-12; "
        "solref in its direct form, half a swing in ten steps, damping from the restitution; no continuous collision"
    )

    @staticmethod
    def version():
        return mujoco.__version__

    @staticmethod
    def refuses(scene):
        if scene.has(motion="kinematic"):
            return "no kinematic bodies with contacts"
        if len(scene.materials) > 1 and len(scene.bodies) > 30:
            return "too many pairs"
        return None

    def __init__(self, scene, timestep):
        self.model = mujoco.MjModel.from_xml_string(model(scene, timestep))
        self.data = mujoco.MjData(self.model)
        for body in scene.free:
            at = self.model.joint(joint(scene, body)).dofadr[0]
            self.data.qvel[at : at + 3] = body["velocity"]
            if body["shape"]["kind"] == "sphere":
                self.data.qvel[at + 3 : at + 6] = body["spin"]
        self.places = {body["name"]: self.address(scene, body) for body in scene.free}

    def address(self, scene, body):
        found = self.model.joint(joint(scene, body))
        return found.qposadr[0], found.dofadr[0], body["position"] if body["shape"]["kind"] == "box" else (0, 0, 0)

    def step(self):
        mujoco.mj_step(self.model, self.data)

    def state(self, body):
        q, v, origin = self.places[body["name"]]
        place, velocity, spin = self.data.qpos[q : q + 3] + origin, self.data.qvel[v : v + 3], np.zeros(3)
        if body["shape"]["kind"] == "sphere":
            # MuJoCo gives the spin of a free joint in the frame of the body.
            mujoco.mju_rotVecQuat(spin, self.data.qvel[v + 3 : v + 6], self.data.qpos[q + 3 : q + 7])
        return place, velocity, spin


    @staticmethod
    def can_cast(cast):
        return cast.shape == "ray"

    @staticmethod
    def cast(cast):
        kind = mujoco.mjtGeom.mjGEOM_BOX if cast.target == "box" else mujoco.mjtGeom.mjGEOM_SPHERE
        normal = np.zeros(3)
        columns = (np.array(numbers, dtype=float) for numbers in (cast.at, np.eye(3).ravel(), cast.target_half, cast.start, cast.motion))
        fraction = mujoco.mju_rayGeom(*columns, kind, normal)
        return (fraction, normal) if 0 <= fraction <= 1 else None


def joint(scene, body):
    rank = scene.bodies.index(body)
    return f"j{rank}x" if body["shape"]["kind"] == "box" else f"j{rank}"


def contact(pair, timestep):
    restitution, friction = pair
    frequency = math.pi / (10 * timestep)
    stiffness, damping = frequency**2, 2 * damping_ratio(restitution) * frequency
    return f'solref="{-stiffness} {-damping}" solimp="0.99 0.99 0.001"', max(friction, 1e-9)


def words(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def model(scene, timestep):
    lines = [
        f'<mujoco><option timestep="{timestep!r}" gravity="{words(scene.gravity)}" integrator="RK4" cone="elliptic" tolerance="1e-12" iterations="200"/>',
        "<worldbody>",
    ]
    is_paired = len(scene.materials) > 1
    for rank, body in enumerate(scene.bodies):
        solver, friction = contact(scene.pair(body, body), timestep)
        kind, inertia = shape(body)
        mask = 'contype="0" conaffinity="0"' if is_paired else solver
        dimension = "condim=\"3\"" if friction > 1e-8 else "condim=\"1\""
        geom = f'<geom name="g{rank}" {kind} {mask} {dimension} friction="{friction} 0 0"/>'
        if body["motion"] == "fixed":
            at = body["position"]
            if body["shape"]["kind"] == "plane":
                normal, offset = body["shape"]["normal"], body["shape"]["offset"]
                at = [place + offset * along for place, along in zip(at, normal)]
            lines.append(geom.replace("/>", f' pos="{words(at)}"/>'))
            continue
        lines.append(f'<body pos="{words(body["position"])}"><inertial pos="0 0 0" mass="{body["mass"]!r}" diaginertia="{inertia}"/>')
        if body["shape"]["kind"] == "box":
            lines += [f'<joint name="j{rank}{axis}" type="slide" axis="{along}"/>' for axis, along in zip("xyz", ("1 0 0", "0 1 0", "0 0 1"))]
        else:
            lines.append(f'<freejoint name="j{rank}"/>')
        lines.append(f"{geom}</body>")
    lines.append("</worldbody>")
    if is_paired:
        lines.append("<contact>")
        for i, a in enumerate(scene.bodies):
            for j, b in enumerate(scene.bodies[:i]):
                if "free" in (a["motion"], b["motion"]):
                    solver, friction = contact(scene.pair(a, b), timestep)
                    dimension = "3" if friction > 1e-8 else "1"
                    lines.append(f'<pair geom1="g{j}" geom2="g{i}" {solver} condim="{dimension}" friction="{friction} {friction} 0 0 0"/>')
        lines.append("</contact>")
    return "\n".join(lines) + "</mujoco>"


def shape(body):
    form = body["shape"]
    if form["kind"] == "plane":
        return f'type="plane" size="0 0 1" zaxis="{words(form["normal"])}"', ""
    if form["kind"] == "box":
        return f'type="box" size="{words(form["half_extents"])}"', "1 1 1"
    inertia = body["inertia"] or 1.0
    return f'type="sphere" size="{form["radius"]!r}"', words([inertia] * 3)


judges.main(Engine)
