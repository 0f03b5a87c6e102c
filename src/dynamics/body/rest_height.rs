//! The rest height that suits the sizes of bodies.

use crate::dynamics::{Body, Settings};
use crate::numeric::tolerance::{REST_HEIGHT_DEFAULT, REST_HEIGHT_SHARE};

impl Settings {
    /// The `rest_height` that suits these bodies, m: a hundred-thousandth of the smallest half extent of the free
    /// bodies, or the value of [`Settings::default`] if no body is free. It is used for scenarios that do not give a
    /// rest height.
    pub fn rest_height_of<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> f64 {
        let free = bodies.into_iter().filter(|body| body.is_free());
        let smallest = free.map(|body| body.shape.half_extents().min_element()).fold(f64::INFINITY, f64::min);
        if smallest < f64::INFINITY { REST_HEIGHT_SHARE * smallest } else { REST_HEIGHT_DEFAULT }
    }
}
