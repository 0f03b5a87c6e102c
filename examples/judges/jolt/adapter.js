// Jolt Physics in WebAssembly, with continuous collision (LinearCast) for each body. A box has all its rotations locked.
//
//     node adapter.js SCENE.json TIMESTEP OUTPUT.csv     runs a scene with the engine's timestep, in s
//     node adapter.js --version                          prints name, version and settings of the engine
//     node adapter.js --can SCENE.json                   prints the reason if the scene cannot run, else nothing
//     node adapter.js --casts CASTS.csv OUTPUT.csv       answers casts
//
// Jolt combines materials by rules of its own, so a contact listener sets what `pairs` of the scene says. The slop, the
// distance of speculative contacts and the depth of continuous collision are lengths; they are shares of the smallest
// half width, because Jolt's defaults (2 cm) are made for bodies of a metre.

import { readFileSync, writeFileSync } from "node:fs";
import initialise from "jolt-physics/wasm-compat";

import { castAll } from "./casts.js";

const SHARE = 1e-3; // Slop and speculative distance, in half widths of the smallest body.
const LAYER = 0;
const settings =
  "f32; LinearCast for each body, penetration slop and speculative distance 0.001 of the smallest half width, 50 velocity and 10 position steps, " +
  "minimum velocity for restitution 0, convex radius 0, enhanced internal edge removal, the smaller restitution and friction of two, no damping, no sleeping";

class World {
  constructor(Jolt, scene, timestep) {
    Object.assign(this, { Jolt, scene, timestep });
    this.jolt = new Jolt.JoltInterface(layers(Jolt, scene));
    this.system = this.jolt.GetPhysicsSystem();
    this.bodies = this.system.GetBodyInterface();
    this.system.SetGravity(new Jolt.Vec3(...scene.gravity));
    const tuned = this.system.GetPhysicsSettings();
    const half = Math.min(...scene.free.map((body) => width(body.shape)));
    tuned.mPenetrationSlop = tuned.mSpeculativeContactDistance = SHARE * half;
    tuned.mNumVelocitySteps = 50;
    tuned.mNumPositionSteps = 10;
    tuned.mMinVelocityForRestitution = 0;
    tuned.mAllowSleeping = false;
    this.system.SetPhysicsSettings(tuned);
    this.places = new Map();
    this.ids = new Map(scene.bodies.map((body) => [body.name, this.add(body)]));
    this.listen();
  }

  add(body) {
    const { Jolt } = this;
    const [at, shape] = placed(Jolt, body);
    const motion = { free: Jolt.EMotionType_Dynamic, kinematic: Jolt.EMotionType_Kinematic, fixed: Jolt.EMotionType_Static }[body.motion];
    const made = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...at), new Jolt.Quat(0, 0, 0, 1), motion, LAYER);
    const { restitution, friction } = this.scene.materials[body.material];
    Object.assign(made, { mRestitution: restitution, mFriction: friction, mLinearDamping: 0, mAngularDamping: 0 });
    Object.assign(made, { mMaxLinearVelocity: 1e5, mMaxAngularVelocity: 1e5, mAllowSleeping: false, mEnhancedInternalEdgeRemoval: true });
    if (body.motion === "free") {
      made.mMotionQuality = Jolt.EMotionQuality_LinearCast;
      made.mOverrideMassProperties = Jolt.EOverrideMassProperties_CalculateInertia;
      made.mMassPropertiesOverride.mMass = body.mass;
      if (body.inertia === null) {
        made.mAllowedDOFs = Jolt.EAllowedDOFs_TranslationX | Jolt.EAllowedDOFs_TranslationY | Jolt.EAllowedDOFs_TranslationZ;
      }
    }
    const one = this.bodies.CreateBody(made);
    const id = one.GetID();
    this.places.set(id.GetIndexAndSequenceNumber(), body);
    this.bodies.AddBody(id, Jolt.EActivation_Activate);
    if (body.motion !== "fixed") {
      this.bodies.SetLinearAndAngularVelocity(id, new Jolt.Vec3(...body.velocity), new Jolt.Vec3(...body.spin));
    }
    return id;
  }

  listen() {
    const { Jolt } = this;
    const told = (pointer) => this.places.get(Jolt.wrapPointer(pointer, Jolt.Body).GetID().GetIndexAndSequenceNumber());
    const combine = (one, other, _, contact) => {
      const [a, b] = [told(one).material, told(other).material].sort((x, y) => x - y);
      const pair = this.scene.pairs.find((known) => known.a === a && known.b === b);
      const found = Jolt.wrapPointer(contact, Jolt.ContactSettings);
      [found.mCombinedRestitution, found.mCombinedFriction] = [pair.restitution, pair.friction];
    };
    this.listener = new Jolt.ContactListenerJS();
    this.listener.OnContactValidate = () => Jolt.ValidateResult_AcceptAllContactsForThisBodyPair;
    this.listener.OnContactAdded = this.listener.OnContactPersisted = combine;
    this.listener.OnContactRemoved = () => {};
    this.system.SetContactListener(this.listener);
  }

  step() {
    this.jolt.Step(this.timestep, 1);
  }

  state(body) {
    const id = this.ids.get(body.name);
    const triple = (vector) => [vector.GetX(), vector.GetY(), vector.GetZ()];
    // Each call returns the same vector with other values, so it is read at once.
    return [...triple(this.bodies.GetPosition(id)), ...triple(this.bodies.GetLinearVelocity(id)), ...triple(this.bodies.GetAngularVelocity(id))];
  }
}

function layers(Jolt, scene) {
  const made = new Jolt.JoltSettings();
  made.mMaxBodies = made.mMaxBodyPairs = made.mMaxContactConstraints = 16 * Math.max(1024, scene.bodies.length);
  const pairs = new Jolt.ObjectLayerPairFilterTable(1);
  pairs.EnableCollision(LAYER, LAYER);
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  broad.MapObjectToBroadPhaseLayer(LAYER, new Jolt.BroadPhaseLayer(0));
  made.mObjectLayerPairFilter = pairs;
  made.mBroadPhaseLayerInterface = broad;
  made.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, pairs, 1);
  return made;
}

function width(shape) {
  return shape.kind === "sphere" ? shape.radius : Math.min(...shape.half_extents);
}

// The place and the shape of a body.
function placed(Jolt, { shape, position }) {
  switch (shape.kind) {
    case "sphere":
      return [position, new Jolt.SphereShape(shape.radius)];
    case "box":
      return [position, new Jolt.BoxShape(new Jolt.Vec3(...shape.half_extents), 0)];
    case "plane":
      return [position, new Jolt.PlaneShape(new Jolt.Plane(new Jolt.Vec3(...shape.normal), -shape.offset), null, 2000)];
    default: {
      const list = new Jolt.TriangleList();
      for (const corners of shape.triangles) {
        list.push_back(new Jolt.Triangle(...corners.map((place) => new Jolt.Vec3(...shape.vertices[place]))));
      }
      return [position, new Jolt.MeshShapeSettings(list).Create().Get()];
    }
  }
}

function read(file) {
  const scene = JSON.parse(readFileSync(file, "utf8"));
  return { ...scene, free: scene.bodies.filter((body) => body.motion === "free") };
}

// Steps through the scene. Returns a table with a row of each free body at the times of the scene.
function run(scene, timestep, world) {
  const stride = Math.max(1, Math.round(scene.output.timestep / timestep));
  const steps = Math.ceil(scene.duration / timestep - 1e-9);
  const rows = ["step,time,body,x,y,z,vx,vy,vz,wx,wy,wz"];
  for (let step = 1; step <= steps; step += 1) {
    world.step();
    const time = step * timestep;
    if ((step % stride === 0 || step === steps) && time <= scene.duration * (1 + 1e-9)) {
      rows.push(...scene.free.map((body) => [step, time, body.name, ...world.state(body)].join(",")));
    }
  }
  return rows.join("\n") + "\n";
}

const words = process.argv.slice(2);
if (words[0] === "--version") {
  const pinned = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).dependencies;
  console.log(`Jolt\t${pinned["jolt-physics"]} (JoltPhysics.js)\t${settings}`);
} else if (words[0] === "--casts" && words.length === 3) {
  const Jolt = await initialise();
  const empty = new Jolt.JoltInterface(layers(Jolt, { bodies: [] }));
  castAll(Jolt, empty.GetPhysicsSystem(), words[1], words[2]);
} else if (words.length === 3) {
  const [scene, timestep] = [read(words[0]), Number(words[1])];
  writeFileSync(words[2], run(scene, timestep, new World(await initialise(), scene, timestep)));
} else if (words[0] !== "--can" || words.length !== 2) {
  console.error("adapter.js SCENE.json TIMESTEP OUTPUT.csv, or --version, or --can SCENE.json, or --casts CASTS.csv OUTPUT.csv");
  process.exit(1);
}
