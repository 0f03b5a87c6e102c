//! The data of the relaxation per contact and per body: each in one cache line, so that thousands stay in the cache.
//!
//! Only free bodies have a velocity here. The velocity of a body of prescribed motion is part of the bounds of its
//! contacts.

use glam::DVec3;

/// A free body, or one of prescribed motion as a body at rest without a finite mass.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(align(64))]
pub(in crate::dynamics::time_stepping) struct Mover {
    /// Velocity of the centre, m/s.
    pub(in crate::dynamics::time_stepping) linear: DVec3,
    /// 1/kg; zero for a body of prescribed motion.
    pub(in crate::dynamics::time_stepping) inverse_mass: f64,
    /// Angular velocity times the radius, m/s; zero for a body that does not rotate.
    pub(in crate::dynamics::time_stepping) turning: DVec3,
    /// Square of the radius over the moment of inertia, 1/kg; zero for a body that does not rotate.
    pub(in crate::dynamics::time_stepping) inverse_inertia: f64,
}

impl Mover {
    /// Twice the kinetic energy of a change of velocity, J.
    pub(in crate::dynamics::time_stepping) fn norm(&self, linear: DVec3, turning: DVec3) -> f64 {
        let over = |square: f64, inverse: f64| if inverse > 0.0 { square / inverse } else { 0.0 };
        over(linear.length_squared(), self.inverse_mass) + over(turning.length_squared(), self.inverse_inertia)
    }
}

/// A contact: the normal component of b − a becomes `bound` or more.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(in crate::dynamics::time_stepping) struct Row {
    /// Unit vector from a to b.
    pub(in crate::dynamics::time_stepping) normal: DVec3,
    /// m/s.
    pub(in crate::dynamics::time_stepping) bound: f64,
    /// Impulse per change of the normal component, kg.
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
    /// Impulse on b along the normal, N·s.
    pub(in crate::dynamics::time_stepping) push: f64,
    /// Least impulse, N·s.
    pub(in crate::dynamics::time_stepping) least: f64,
    /// The places of a and b.
    pub(in crate::dynamics::time_stepping) ends: [u32; 2],
}

/// Friction at a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(in crate::dynamics::time_stepping) struct FrictionRow {
    /// Tangential impulse on b, N·s.
    pub(in crate::dynamics::time_stepping) push: DVec3,
    /// Tangential velocity of b relative to a that comes from prescribed motion, m/s.
    pub(in crate::dynamics::time_stepping) drive: DVec3,
    /// Coefficient of friction.
    pub(in crate::dynamics::time_stepping) friction: f64,
    /// Impulse per change of slip, kg.
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
}

impl Row {
    /// The rate at which the gap opens, as far as it comes from free bodies, m/s.
    #[inline(always)]
    pub(in crate::dynamics::time_stepping) fn opening(&self, movers: &[Mover]) -> f64 {
        let [a, b] = self.ends.map(|end| movers[end as usize].linear);
        self.normal.dot(b - a)
    }

    /// The tangential velocity of b relative to a at the contact point, as far as it comes from free bodies, m/s.
    #[inline(always)]
    pub(in crate::dynamics::time_stepping) fn slip(&self, movers: &[Mover]) -> DVec3 {
        let [a, b] = self.ends.map(|end| &movers[end as usize]);
        let all = b.linear - a.linear + self.normal.cross(a.turning + b.turning);
        all - self.normal * self.normal.dot(all)
    }

    /// Gives b an impulse, and a the opposite one.
    #[inline(always)]
    pub(in crate::dynamics::time_stepping) fn give(&self, movers: &mut [Mover], normal: f64, tangential: DVec3) {
        let impulse = self.normal * normal + tangential;
        let twist = self.normal.cross(tangential);
        for (end, sign) in [(self.ends[0], -1.0), (self.ends[1], 1.0)] {
            let mover = &mut movers[end as usize];
            mover.linear += impulse * (sign * mover.inverse_mass);
            mover.turning -= twist * mover.inverse_inertia;
        }
    }
}
