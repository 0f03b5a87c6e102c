//! A camera that has the whole course of all bodies in view.

use glam::{DMat3, DQuat, DVec3};

use super::document::{Camera, Node, Perspective};
use super::track::{Key, Track};
use crate::record::export::roster::{Member, Roster};

/// Angle of view upwards, radians, and its half as a sine: about 35 degrees.
const ANGLE: f64 = 0.61;
const HALF_SINE: f64 = 0.3003;
/// Width of the view over its height.
const ASPECT: f32 = 16.0 / 9.0;
/// The direction to the camera, as the oblique plots have it: 60 degrees to the right of the front, 25 above the
/// ground.
const TOWARDS: [f64; 3] = [0.453_153_893_518_325, -0.784_885_567_221_396, 0.422_618_261_740_699];
/// The same without gravity along z: up is y there.
const TOWARDS_UPRIGHT: [f64; 3] = [0.453_153_893_518_325, 0.422_618_261_740_699, 0.784_885_567_221_396];

/// Whether gravity acts along y.
pub(super) fn is_along_y(gravity: DVec3) -> bool {
    gravity.y.abs() > gravity.x.abs() && gravity.y.abs() > gravity.z.abs()
}

/// The camera and its node beside those of bodies, in coordinates of the world; `None` if there is nothing to see.
pub(super) fn around(roster: &Roster, tracks: &[Track], gravity: DVec3) -> Option<(Camera, Node)> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let moving = |(_, track): &(&Member, &Track)| !track.is_still();
    let has_any = roster.members.iter().zip(tracks).any(|pair| moving(&pair));
    // Scenery may be much larger than what happens in it.
    for (member, track) in roster.members.iter().zip(tracks).filter(|pair| moving(pair) || !has_any) {
        // As far as the farthest corner of an outline; a plane has no end.
        let half = member.shape.half_extents();
        if !half.is_finite() {
            continue;
        }
        let middles = track.keys.windows(2).map(|pair| middle(&pair[0], &pair[1]));
        for place in track.keys.iter().map(|key| key.position.as_dvec3()).chain(middles) {
            (low, high) = (low.min(place - half), high.max(place + half));
        }
    }
    if low.x > high.x {
        return None;
    }
    let (middle, reach) = (0.5 * (low + high), 0.5 * (high - low).length());
    let (towards, up) = if is_along_y(gravity) { (TOWARDS_UPRIGHT, DVec3::Y) } else { (TOWARDS, DVec3::Z) };
    let back = DVec3::from_array(towards).normalize();
    let right = up.cross(back).normalize();
    let turn = DQuat::from_mat3(&DMat3::from_cols(right, back.cross(right), back)).as_quat();
    let distance = reach / HALF_SINE;
    let znear = (0.01 * distance) as f32;
    let perspective = Perspective { aspect_ratio: ASPECT, yfov: ANGLE as f32, znear };
    let node = Node {
        name: "camera".to_owned(),
        translation: Some((middle + distance * back).as_vec3().to_array()),
        rotation: Some(turn.to_array()),
        camera: Some(0),
        ..Node::default()
    };
    Some((Camera::Perspective { perspective }, node))
}

/// Where a body is halfway in time between two keys: near the top of a flight that ends where it began.
fn middle(from: &Key, to: &Key) -> DVec3 {
    let seconds = 0.125 * f64::from(to.time - from.time);
    0.5 * (from.position + to.position).as_dvec3() + seconds * (from.leaving - to.arriving).as_dvec3()
}
