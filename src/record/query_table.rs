//! What a query finds, as rows for a table and as JSON.

use glam::DVec3;
use serde::Serialize;

use crate::dynamics::query::{NearHit, RayHit, RegionHit, Slide, Spot, SweepHit};
use crate::geometry::Start;
use crate::world::Hit;

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitRow {
    /// The number of the query, from 1, in the order in which they were given.
    pub query: usize,
    /// The body.
    pub body: String,
    /// The index of the triangle in the file of a mesh; 0 for other bodies.
    pub primitive: u32,
    /// The position of the body, m. It is the whole transform: the angle that a ball has turned through is not known.
    pub position: [f64; 3],
    /// The point that was hit, m, world frame.
    pub point: [f64; 3],
    /// The same point relative to the position of the body, m.
    pub local: [f64; 3],
    /// Unit normal out of the body, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f64; 3]>,
    /// Parameter of the ray, in lengths of its direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<f64>,
    /// Signed distance from the point of the query, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separation: Option<f64>,
    /// The relation of the two: where a ray or a sweep begins, or how much of a body is in a region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
}

impl HitRow {
    /// A ray's hit.
    pub fn of_ray(query: usize, hit: &Hit<'_, RayHit>) -> Self {
        Self::of_spot(query, hit.name, &hit.spot).met(hit.t, hit.normal, hit.start)
    }

    /// The hit of a ball or a box that moves along a ray.
    pub fn of_sweep(query: usize, hit: &Hit<'_, SweepHit>) -> Self {
        Self::of_spot(query, hit.name, &hit.spot).met(hit.t, hit.normal, hit.start)
    }

    fn met(self, t: f64, normal: DVec3, start: Start) -> Self {
        let relation = Some(format!("{start:?}").to_lowercase());
        Self { t: Some(t), normal: Some(numbers(normal)), relation, ..self }
    }

    /// The nearest body.
    pub fn of_nearest(query: usize, hit: &Hit<'_, NearHit>) -> Self {
        let (separation, normal) = (Some(hit.separation), Some(numbers(hit.normal)));
        Self { separation, normal, ..Self::of_spot(query, hit.name, &hit.spot) }
    }

    /// A body in a region.
    pub fn of_region(query: usize, hit: &Hit<'_, RegionHit>) -> Self {
        let relation = Some(format!("{:?}", hit.extent).to_lowercase());
        Self { relation, ..Self::of_spot(query, hit.name, &hit.spot) }
    }

    fn of_spot(query: usize, body: &str, spot: &Spot) -> Self {
        Self {
            query,
            body: body.to_owned(),
            primitive: spot.primitive,
            position: numbers(spot.position),
            point: numbers(spot.point),
            local: numbers(spot.local()),
            normal: None,
            t: None,
            separation: None,
            relation: None,
        }
    }
}

/// Where a slide ends.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlideEnd {
    /// The number of the query.
    pub query: usize,
    /// The place at the end, m.
    pub to: [f64; 3],
    /// The way from there to where it would be without the bodies that it met, m.
    pub left: [f64; 3],
    /// The motion without what was blocked, m.
    pub onward: [f64; 3],
    /// The body on which it stands.
    pub floor: Option<String>,
    /// A body that blocks the motion at the end.
    pub wall: Option<String>,
    /// A body that it touches above.
    pub ceiling: Option<String>,
    /// Whether it stopped before its end: squeezed, or after [`SLIDE_HITS_MAX`](crate::SLIDE_HITS_MAX) hits.
    pub is_stuck: bool,
}

impl SlideEnd {
    /// The end of this slide.
    pub fn of(query: usize, slide: &Slide<Hit<'_, SweepHit>>) -> Self {
        let name = |hit: &Option<Hit<'_, SweepHit>>| hit.map(|hit| hit.name.to_owned());
        let [to, left, onward] = [slide.to, slide.left, slide.onward].map(numbers);
        let [floor, wall, ceiling] = [&slide.floor, &slide.wall, &slide.ceiling].map(name);
        Self { query, to, left, onward, floor, wall, ceiling, is_stuck: slide.is_stuck }
    }
}

/// The rows as one JSON document: `{"time": .., "hits": [..]}`, with the end of a slide as `slide`.
///
/// # Panics
/// Never: every row is plain data.
pub fn hits_as_json(time: f64, rows: &[HitRow], slide: Option<&SlideEnd>) -> String {
    #[derive(Serialize)]
    struct Hits<'a> {
        time: f64,
        hits: &'a [HitRow],
        #[serde(skip_serializing_if = "Option::is_none")]
        slide: Option<&'a SlideEnd>,
    }
    serde_json::to_string_pretty(&Hits { time, hits: rows, slide }).expect("plain data")
}

/// Adding zero turns −0 into 0, which is the same place and direction.
fn numbers(v: DVec3) -> [f64; 3] {
    (v + DVec3::ZERO).to_array()
}
