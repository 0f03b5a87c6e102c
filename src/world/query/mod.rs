//! Queries on the scene: the results of `dynamics`, with names.
//!
//! All queries see the bodies as they are at [`now`](World::now), between two steps or after an
//! [`advance`](World::advance). They change nothing and may run in parallel.

mod slide;

use std::fmt;
use std::ops::Deref;

use glam::DVec3;

use super::World;
use crate::dynamics::query::{NearHit, RayHit, RegionHit, Sight, SweepHit};
use crate::dynamics::{BodyId, Layers};
use crate::geometry::{Aabb, HalfExtents, Polytope, Radius, Ray};

/// Which bodies a query sees.
///
/// ```
/// use carom::geometry::Ray;
/// use carom::glam::DVec3;
/// use carom::{Body, Filter, Layers, Settings, World};
///
/// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
/// let (trap, rock) = (ball(1.0).sensor(), ball(5.0).in_layers(Layers::one(1)));
/// let world = World::new(Settings::default(), [("trap", trap), ("car/wheel", ball(3.0)), ("rock", rock)]).unwrap();
/// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
/// let first = |filter: Filter| world.cast_ray(&ray, f64::INFINITY, &filter).map(|hit| hit.name);
/// assert_eq!(first(Filter::ALL), Some("car/wheel"));
/// assert_eq!(first(Filter::ALL.with_sensors()), Some("trap"));
/// assert_eq!(first(Filter::ALL.without("car")), Some("rock"));
/// assert_eq!(first(Filter::ALL.in_layers(Layers::one(2))), None);
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct Filter<'a> {
    /// Only bodies in one of these layers.
    pub layers: Layers,
    /// Whether sensors are included.
    pub sensors: bool,
    /// A path that is left out with all bodies below it, for example the body that makes the query. A path that does
    /// not exist leaves out nothing; the empty path leaves out everything.
    pub without: Option<&'a str>,
    /// Bodies that are left out, in any order.
    pub excluding: &'a [BodyId],
    /// Only bodies for which this is true. It is asked last, and may be asked several times about a body.
    pub only: Option<&'a dyn Fn(BodyId) -> bool>,
}

impl<'a> Filter<'a> {
    /// Everything but sensors.
    pub const ALL: Self = Self { layers: Layers::ALL, sensors: false, without: None, excluding: &[], only: None };

    /// The same, only for bodies in one of `layers`.
    pub fn in_layers(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same, with sensors.
    pub fn with_sensors(self) -> Self {
        Self { sensors: true, ..self }
    }

    /// The same, without the subtree of `path`.
    pub fn without(self, path: &'a str) -> Self {
        Self { without: Some(path), ..self }
    }

    /// The same, without these bodies.
    ///
    /// ```
    /// use carom::geometry::Ray;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let world = World::new(Settings::default(), [("near", ball(2.0)), ("far", ball(4.0))]).unwrap();
    /// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
    /// let near = [world.id("near").unwrap()];
    /// let hit = world.cast_ray(&ray, f64::INFINITY, &Filter::ALL.excluding(&near)).unwrap();
    /// assert_eq!((hit.name, hit.t), ("far", 3.5));
    /// let is_far = |id| world.position(id).x > 3.0;
    /// assert_eq!(world.cast_ray(&ray, f64::INFINITY, &Filter::ALL.only(&is_far)), Some(hit));
    /// ```
    pub fn excluding(self, bodies: &'a [BodyId]) -> Self {
        Self { excluding: bodies, ..self }
    }

    /// The same, only for bodies for which `only` is true.
    pub fn only(self, only: &'a dyn Fn(BodyId) -> bool) -> Self {
        Self { only: Some(only), ..self }
    }
}

impl fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layers, sensors, without, excluding, only } = self;
        let mut told = f.debug_struct("Filter");
        told.field("layers", layers).field("sensors", sensors).field("without", without).field("excluding", excluding);
        told.field("only", &only.map(|_| "a function")).finish()
    }
}

/// Everything but sensors.
impl Default for Filter<'_> {
    fn default() -> Self {
        Self::ALL
    }
}

/// A result of a query, with its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'w, T> {
    /// The body.
    pub body: BodyId,
    /// The name of the body, which is its path.
    pub name: &'w str,
    /// The result; the hit can be used like it.
    pub found: T,
}

impl<'w, T> Hit<'w, T> {
    /// The parts of the body's path, from the top.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let wheel = Body::sphere(0.5, 1.0).unwrap();
    /// let world = World::new(Settings::default(), [("convoy/truck/wheel", wheel)]).unwrap();
    /// let hit = world.closest_point(DVec3::X, f64::INFINITY, &Filter::ALL).unwrap();
    /// assert_eq!(hit.path().collect::<Vec<_>>(), ["convoy", "truck", "wheel"]);
    /// ```
    pub fn path(&self) -> impl Iterator<Item = &'w str> + use<'w, T> {
        self.name.split('/')
    }
}

impl<T> Deref for Hit<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.found
    }
}

impl World {
    /// How many periods a body has crossed along each axis, those from the periodic cell to its start included; 0 along
    /// an open axis. Its way without jumps is its position and so many periods.
    ///
    /// # Panics
    /// When there is no such body.
    pub fn turns(&self, id: BodyId) -> [i64; 3] {
        self.stepper.turns(id)
    }

    /// The first body that a ray meets, up to and including the parameter `until`, which may be infinite.
    ///
    /// | the ray | answer |
    /// |---|---|
    /// | goes into a body | `Start::Apart`, t > 0 in lengths of its direction, point, normal out of the body |
    /// | begins on a body and goes into it | `Start::Touching`, t = 0 |
    /// | begins in a ball, box or half-space | `Start::Inside`, t = 0, the normal along the shortest way out |
    /// | only touches, or begins on a body and goes away | passes that body |
    /// | lies in the plane of a face of a box | meets that box, so that no ray passes between two boxes side by side |
    /// | meets a mesh, from either side | the triangle, its normal on the side from which the ray comes |
    /// | runs in the plane of a triangle | passes that triangle |
    /// | meets several bodies at one t | the one whose name comes first |
    /// | meets none, has a direction of length 0, or a number that is NaN or infinite | no answer |
    ///
    /// In a periodic space it goes on through the images of the cell, and through no more than
    /// [`BORDERS_MAX`](crate::dynamics::query::BORDERS_MAX) of its borders.
    ///
    /// ```
    /// use carom::geometry::{Ray, Start};
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * 2.5);
    /// let world = World::new(Settings::default(), [("ball", ball)]).unwrap();
    /// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
    /// let hit = world.cast_ray(&ray, f64::INFINITY, &Filter::ALL).unwrap();
    /// assert_eq!((hit.name, hit.t, hit.start), ("ball", 2.0, Start::Apart));
    /// assert_eq!((hit.spot.point, hit.normal), (DVec3::X * 2.0, -DVec3::X));
    /// assert_eq!(world.cast_ray(&ray, 1.5, &Filter::ALL), None);
    /// ```
    pub fn cast_ray(&self, ray: &Ray, until: f64, filter: &Filter<'_>) -> Option<Hit<'_, RayHit>> {
        self.stepper.cast_ray(ray, until, &self.sight(filter)).map(|hit| self.told(hit.spot.body, hit))
    }

    /// All bodies that a ray meets, in the order of meeting them; if several are met at one place, in the order of
    /// their names.
    ///
    /// The rules are those of [`cast_ray`](Self::cast_ray). Each body is listed once, where the ray first meets it, and
    /// so is each of its images.
    ///
    /// ```
    /// use carom::geometry::Ray;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let world = World::new(Settings::default(), [("far", ball(4.5)), ("near", ball(2.5))]).unwrap();
    /// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
    /// let hits = world.cast_ray_all(&ray, f64::INFINITY, &Filter::ALL);
    /// assert_eq!(hits.iter().map(|hit| (hit.name, hit.t)).collect::<Vec<_>>(), [("near", 2.0), ("far", 4.0)]);
    /// ```
    pub fn cast_ray_all(&self, ray: &Ray, until: f64, filter: &Filter<'_>) -> Vec<Hit<'_, RayHit>> {
        let hits = self.stepper.cast_ray_all(ray, until, &self.sight(filter));
        hits.into_iter().map(|hit| self.told(hit.spot.body, hit)).collect()
    }

    /// The first body that a ball meets whose centre moves along `ray`, up to and including the parameter `until`,
    /// which may be infinite.
    ///
    /// | the ball | answer |
    /// |---|---|
    /// | comes to a body and would go into it | `Start::Apart`, t ≥ 0, the point of touch, normal out of the body |
    /// | touches one and would go into it | `Start::Touching`, t = 0 |
    /// | overlaps one at the start | `Start::Inside`, t = 0 |
    /// | touches and goes away, grazes, or slides along | passes that body |
    /// | meets none, has a direction of length 0, or a number that is NaN or infinite | no answer |
    ///
    /// ```
    /// use carom::geometry::{Radius, Ray};
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * 3.0);
    /// let world = World::new(Settings::default(), [("ball", ball)]).unwrap();
    /// // Two metres to the place where the centres are one metre apart.
    /// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
    /// let hit = world.cast_sphere(Radius::new(0.5).unwrap(), &ray, f64::INFINITY, &Filter::ALL).unwrap();
    /// assert_eq!((hit.t, hit.spot.point), (2.0, DVec3::X * 2.5));
    /// ```
    pub fn cast_sphere(&self, radius: Radius, ray: &Ray, until: f64, filter: &Filter<'_>) -> Option<Hit<'_, SweepHit>> {
        self.stepper.cast_sphere(radius, ray, until, &self.sight(filter)).map(|hit| self.told(hit.spot.body, hit))
    }

    /// The first body that an axis-aligned box meets whose centre moves along `ray`. The rules are those of
    /// [`cast_sphere`](Self::cast_sphere).
    ///
    /// ```
    /// use carom::geometry::{HalfExtents, Ray};
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let world = World::new(Settings::default(), [("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
    /// let half = HalfExtents::new(DVec3::new(1.0, 2.0, 0.5)).unwrap();
    /// let down = Ray { origin: DVec3::Z * 4.5, direction: -DVec3::Z };
    /// let hit = world.cast_box(half, &down, f64::INFINITY, &Filter::ALL).unwrap();
    /// assert_eq!((hit.t, hit.normal), (4.0, DVec3::Z));
    /// ```
    #[doc(alias = "cast_shape")]
    pub fn cast_box(&self, half: HalfExtents, ray: &Ray, until: f64, filter: &Filter<'_>) -> Option<Hit<'_, SweepHit>> {
        self.stepper.cast_box(half, ray, until, &self.sight(filter)).map(|hit| self.told(hit.spot.body, hit))
    }

    /// The body nearest to `point`, up to and including the distance `within`, m, which may be infinite; and its
    /// nearest point.
    ///
    /// | the point | answer |
    /// |---|---|
    /// | outside all bodies | separation > 0, the nearest point of the nearest body |
    /// | on the surface of one | separation 0 |
    /// | in a ball, box, half-space or closed mesh | separation < 0: of several, the one in which it is deepest |
    /// | farther from all than `within`, or with a number that is NaN or infinite | no answer |
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, World};
    ///
    /// let ball = Body::sphere(1.0, 1.0).unwrap().at(DVec3::Z * 5.0);
    /// let floor = Body::plane(DVec3::Z, 0.0).unwrap();
    /// let world = World::new(Settings::default(), [("ball", ball), ("floor", floor)]).unwrap();
    /// let hit = |z: f64| world.closest_point(DVec3::Z * z, 1.5, &Filter::ALL);
    /// let nearest = |z: f64| hit(z).map(|hit| (hit.name, hit.separation));
    /// assert_eq!(nearest(1.0), Some(("floor", 1.0)));
    /// assert_eq!(nearest(3.0), Some(("ball", 1.0)));
    /// assert_eq!(nearest(5.5), Some(("ball", -0.5)));
    /// assert_eq!(nearest(8.0), None);
    /// ```
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, point: DVec3, within: f64, filter: &Filter<'_>) -> Option<Hit<'_, NearHit>> {
        self.stepper.closest_point(point, within, &self.sight(filter)).map(|hit| self.told(hit.spot.body, hit))
    }

    /// Every body that shares a point with the closed box, in the order of their names: inside the box, or cut by it.
    ///
    /// In a periodic space each body is listed once, even if several of its images are in the box. A box may be
    /// infinite: that from `DVec3::NEG_INFINITY` to `DVec3::INFINITY` has all bodies. A box with a NaN has none, nor
    /// has one whose `min` is above its `max`.
    ///
    /// ```
    /// use carom::geometry::Aabb;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Extent, Filter, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = [("a", ball(0.0)), ("b", ball(2.0)), ("c", ball(4.0))];
    /// let world = World::new(Settings::default(), bodies).unwrap();
    /// let hits = world.overlapping(&Aabb { min: DVec3::splat(-1.0), max: DVec3::splat(2.0) }, &Filter::ALL);
    /// let found = hits.iter().map(|hit| (hit.name, hit.extent));
    /// assert_eq!(found.collect::<Vec<_>>(), [("a", Extent::Inside), ("b", Extent::Cut)]);
    /// let everywhere = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
    /// assert_eq!(world.overlapping(&everywhere, &Filter::ALL).len(), 3);
    /// ```
    pub fn overlapping(&self, bounds: &Aabb, filter: &Filter<'_>) -> Vec<Hit<'_, RegionHit>> {
        let hits = self.stepper.overlapping(bounds, &self.sight(filter));
        hits.into_iter().map(|hit| self.told(hit.spot.body, hit)).collect()
    }

    /// Every body that shares a point with the polytope, in the order of their names: inside the polytope, or cut by
    /// it.
    ///
    /// In a periodic space each body is tested at its place in the periodic cell.
    ///
    /// ```
    /// use carom::geometry::{Plane, Polytope};
    /// use carom::glam::DVec3;
    /// use carom::{Body, Extent, Filter, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let world = World::new(Settings::default(), [("a", ball(0.0)), ("b", ball(2.0)), ("c", ball(4.0))]).unwrap();
    /// // All points from x = 2 m on.
    /// let plane = Plane::new(DVec3::X, 2.0).unwrap();
    /// let region = Polytope::new([plane.clone()], plane).unwrap();
    /// let hits = world.inside(&region, &Filter::ALL);
    /// let found = hits.iter().map(|hit| (hit.name, hit.extent));
    /// assert_eq!(found.collect::<Vec<_>>(), [("b", Extent::Cut), ("c", Extent::Inside)]);
    /// ```
    pub fn inside(&self, region: &Polytope, filter: &Filter<'_>) -> Vec<Hit<'_, RegionHit>> {
        let hits = self.stepper.inside(region, &self.sight(filter));
        hits.into_iter().map(|hit| self.told(hit.spot.body, hit)).collect()
    }

    fn sight<'a>(&self, filter: &Filter<'a>) -> Sight<'a> {
        let mut hidden = filter.without.map_or_else(Vec::new, |path| self.subtree(path));
        hidden.extend(filter.excluding.iter().map(|id| id.0..id.0.saturating_add(1)));
        Sight { layers: filter.layers, sensors: filter.sensors, hidden, only: filter.only }
    }

    fn told<T>(&self, body: BodyId, found: T) -> Hit<'_, T> {
        Hit { body, name: self.name(body), found }
    }
}
