// The casts of `carom oracle casts` in Jolt: a ray, a ball or a box moves to one body at rest.

import { readFileSync, writeFileSync } from "node:fs";

const triple = (vector) => [vector.GetX(), vector.GetY(), vector.GetZ()];

function shaped(Jolt, kind, half) {
  return kind === "box" ? new Jolt.BoxShape(new Jolt.Vec3(...half), 0) : new Jolt.SphereShape(half[0]);
}

// The part of the motion up to a hit, and the normal out of the target; nothing if it misses.
function hit(Jolt, query, filters, body, cast) {
  const from = new Jolt.RVec3(...cast.from);
  if (cast.shape === "ray") {
    const found = new Jolt.CastRayClosestHitCollisionCollector();
    const ray = new Jolt.RRayCast(from, new Jolt.Vec3(...cast.motion));
    query.CastRay(ray, new Jolt.RayCastSettings(), found, ...filters);
    if (!found.HadHit()) return null;
    const fraction = found.mHit.mFraction;
    return [fraction, triple(body.GetWorldSpaceSurfaceNormal(found.mHit.mSubShapeID2, ray.GetPointOnRay(fraction)))];
  }
  const found = new Jolt.CastShapeClosestHitCollisionCollector();
  const moving = new Jolt.RShapeCast(
    shaped(Jolt, cast.shape, cast.half), new Jolt.Vec3(1, 1, 1), Jolt.RMat44.prototype.sTranslation(from), new Jolt.Vec3(...cast.motion));
  query.CastShape(moving, new Jolt.ShapeCastSettings(), from, found, ...filters);
  if (!found.HadHit()) return null;
  // The axis of penetration points from the moving shape to the target, and its length is not 1.
  const axis = triple(found.mHit.mPenetrationAxis);
  return [found.mHit.mFraction, axis.map((along) => -along / Math.hypot(...axis))];
}

// Writes the answers to a table of casts.
export function castAll(Jolt, world, file, output) {
  const bodies = world.GetBodyInterface();
  const filters = [new Jolt.BroadPhaseLayerFilter(), new Jolt.ObjectLayerFilter(), new Jolt.BodyFilter(), new Jolt.ShapeFilter()];
  const rows = ["cast,hit,fraction,nx,ny,nz"];
  for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1)) {
    const fields = line.split(",");
    const numbers = (first) => fields.slice(first, first + 3).map(Number);
    const cast = { shape: fields[1], half: numbers(2), from: numbers(5), motion: numbers(8) };
    const target = shaped(Jolt, fields[11], numbers(12));
    const made = new Jolt.BodyCreationSettings(
      target, new Jolt.RVec3(...numbers(15)), new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Static, 0);
    const body = bodies.CreateBody(made);
    bodies.AddBody(body.GetID(), Jolt.EActivation_DontActivate);
    const found = hit(Jolt, world.GetNarrowPhaseQuery(), filters, body, cast);
    rows.push([fields[0], ...(found ? [1, found[0], ...found[1]] : [0, "", "", "", ""])].join(","));
    bodies.RemoveBody(body.GetID());
    bodies.DestroyBody(body.GetID());
  }
  writeFileSync(output, rows.join("\n") + "\n");
}
