//! A view from afar: parallel rays, so that lengths along one direction have one scale everywhere.

use glam::{DVec2, DVec3};

use crate::report::drawing::Rect;

/// The direction of a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Camera {
    /// Directions to the right, upwards and towards the viewer, orthonormal.
    right: DVec3,
    up: DVec3,
    pub(in crate::report) towards: DVec3,
}

/// A camera and its picture, to place points of the world in it.
#[derive(Debug, Clone, Copy)]
pub(in crate::report) struct Sight {
    pub(in crate::report) camera: Camera,
    /// Pixels per metre.
    pub(in crate::report) scale: f64,
    /// The place of the origin of the world, pixels.
    origin: DVec2,
}

impl Camera {
    /// A camera in this direction: the angle around z from x towards y, and above the xy plane, degrees.
    pub(crate) fn new(azimuth: f64, elevation: f64) -> Self {
        let (sine, cosine) = libm::sincos(azimuth.to_radians());
        let (high, flat) = libm::sincos(elevation.to_radians());
        Self {
            right: DVec3::new(-sine, cosine, 0.0),
            up: DVec3::new(-high * cosine, -high * sine, flat),
            towards: DVec3::new(flat * cosine, flat * sine, high),
        }
    }

    /// The coordinates of a point in the plane normal to the line of sight, m; y upwards.
    pub(in crate::report) fn flat(self, point: DVec3) -> DVec2 {
        DVec2::new(point.dot(self.right), point.dot(self.up))
    }
}

impl Sight {
    /// A view with `points` in the middle of `rect`, as large as they fit.
    pub(in crate::report) fn new(camera: Camera, points: &[DVec3], rect: Rect) -> Self {
        let (low, high) = extent(camera, points);
        let scale = (rect.size() / (high - low).max(DVec2::splat(f64::MIN_POSITIVE))).min_element();
        let middle = 0.5 * (low + high);
        let origin = rect.min + 0.5 * rect.size() - scale * DVec2::new(middle.x, -middle.y);
        Self { camera, scale, origin }
    }

    /// The place of a point of the world in the picture.
    pub(in crate::report) fn place(&self, point: DVec3) -> DVec2 {
        let flat = self.camera.flat(point);
        self.origin + self.scale * DVec2::new(flat.x, -flat.y)
    }

    /// The distance of a point towards the viewer, m.
    pub(in crate::report) fn nearness(&self, point: DVec3) -> f64 {
        point.dot(self.camera.towards)
    }
}

/// The smallest rectangle in the plane normal to the line of sight that holds all points, m.
pub(in crate::report) fn extent(camera: Camera, points: &[DVec3]) -> (DVec2, DVec2) {
    let flat = points.iter().map(|&point| camera.flat(point));
    flat.fold((DVec2::MAX, DVec2::MIN), |(low, high), point| (low.min(point), high.max(point)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_is_a_right_handed_frame() {
        for (azimuth, elevation) in [(-60.0, 25.0), (30.0, -40.0), (0.0, 0.0), (200.0, 89.0)] {
            let Camera { right, up, towards } = Camera::new(azimuth, elevation);
            assert!((right.cross(up) - towards).length() < 1e-15, "{azimuth} {elevation}");
        }
        let front = Camera::new(-90.0, 0.0);
        assert!((front.flat(DVec3::new(1.0, 2.0, 3.0)) - DVec2::new(1.0, 3.0)).length() < 1e-15, "the xz plane");
    }
}
