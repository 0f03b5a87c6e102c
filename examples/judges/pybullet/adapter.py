"""PyBullet. Continuous collision is on for each body, with a sphere of nine tenths of its half width.

Bodies are btRigidBody (useMaximalCoordinates), for which continuous collision works. In scenes with free boxes or
kinematic bodies, they are btMultiBody: its inertia can be made infinite so that boxes do not turn, and a moving body
can hit it. Contacts count from a distance of 0 (contactProcessingThreshold). With the default threshold, Bullet stops a
body before it touches, and with small steps most of the restitution is lost.
"""

import os
import sys

import pybullet as bullet

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import scene as judges


class Engine:
    name = "PyBullet"
    settings = (
        "f64; 200 solver iterations, residual threshold 0, split impulse (so that pushing bodies apart adds no energy), restitution threshold 0, no damping, no sleeping; "
        "contactProcessingThreshold 0; ccdSweptSphereRadius 0.9 of the half width, allowedCcdPenetration 0; btRigidBody, btMultiBody in scenes with free boxes or kinematic bodies"
    )

    has_surfaces = True

    @staticmethod
    def version():
        from importlib.metadata import version

        return version("pybullet")

    @staticmethod
    def refuses(scene):
        return None

    def __init__(self, scene, timestep):
        bullet.connect(bullet.DIRECT)
        bullet.setGravity(*scene.gravity)
        bullet.setPhysicsEngineParameter(
            fixedTimeStep=timestep,
            numSubSteps=0,
            numSolverIterations=200,
            solverResidualThreshold=0,
            restitutionVelocityThreshold=0,
            allowedCcdPenetration=0,
            useSplitImpulse=1,
            splitImpulsePenetrationThreshold=0,
        )
        self.timestep, self.time = timestep, 0.0
        self.ids = {body["name"]: make(scene, body) for body in scene.bodies}
        self.moved = [body for body in scene.bodies if body["motion"] == "kinematic"]

    def step(self):
        for body in self.moved:
            at = [place + velocity * self.time for place, velocity in zip(body["position"], body["velocity"])]
            bullet.resetBasePositionAndOrientation(self.ids[body["name"]], at, (0, 0, 0, 1))
            bullet.resetBaseVelocity(self.ids[body["name"]], body["velocity"], (0, 0, 0))
        bullet.stepSimulation()
        self.time += self.timestep

    def state(self, body):
        number = self.ids[body["name"]]
        return bullet.getBasePositionAndOrientation(number)[0], *bullet.getBaseVelocity(number)


    @staticmethod
    def can_cast(cast):
        return cast.shape == "ray"

    @staticmethod
    def cast(cast):
        if not bullet.isConnected():
            bullet.connect(bullet.DIRECT)
        bullet.resetSimulation()
        kind = bullet.GEOM_BOX if cast.target == "box" else bullet.GEOM_SPHERE
        shape = bullet.createCollisionShape(kind, radius=cast.target_half[0], halfExtents=cast.target_half)
        bullet.createMultiBody(0, shape, -1, cast.at)
        end = [place + way for place, way in zip(cast.start, cast.motion)]
        body, _, fraction, _, normal = bullet.rayTest(cast.start, end)[0]
        return None if body < 0 else (fraction, normal)


def make(scene, body):
    form, at = body["shape"], body["position"]
    if form["kind"] == "plane":
        shape = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=form["normal"])
        at, half = [place + form["offset"] * along for place, along in zip(at, form["normal"])], 0
    elif form["kind"] == "box":
        shape, half = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=form["half_extents"]), min(form["half_extents"])
    elif form["kind"] == "triangles":
        corners = [place for triangle in form["triangles"] for place in triangle]
        shape, half = bullet.createCollisionShape(bullet.GEOM_MESH, vertices=form["vertices"], indices=corners, flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH), 0
    else:
        shape, half = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=form["radius"]), form["radius"]
    has_free_box = any(other["motion"] == "free" and other["shape"]["kind"] == "box" for other in scene.bodies)
    is_rigid = not has_free_box and not scene.has(motion="kinematic")
    number = bullet.createMultiBody(body["mass"] or 0, shape, -1, at, useMaximalCoordinates=is_rigid)
    restitution, friction = scene.factors(body)
    settings = dict(restitution=restitution, lateralFriction=friction, rollingFriction=0, spinningFriction=0, linearDamping=0, angularDamping=0, contactProcessingThreshold=0)
    if body["motion"] == "free":
        if body["inertia"] is None:
            # Bullet sets the inverse of an inertia of zero to zero, so the box does not turn.
            settings |= dict(localInertiaDiagonal=[0, 0, 0])
        settings |= dict(ccdSweptSphereRadius=0.9 * half, activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING)
    bullet.changeDynamics(number, -1, **settings)
    if body["motion"] == "free":
        bullet.resetBaseVelocity(number, body["velocity"], body["spin"])
    return number


judges.main(Engine)
