//! The data of the relaxation per contact and per body: each in one cache line, so that thousands stay in the cache.
//!
//! Only free bodies have a velocity here. The velocity of a body of prescribed motion is part of the bounds of its
//! contacts.

use glam::DVec3;

/// A free body. A body of prescribed motion is a body at rest with infinite mass here.
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
    pub(in crate::dynamics::time_stepping) impulse: f64,
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
    pub(in crate::dynamics::time_stepping) impulse: DVec3,
    /// Tangential velocity of b relative to a that comes from prescribed motion, m/s.
    pub(in crate::dynamics::time_stepping) drive: DVec3,
    /// Coefficient of friction.
    pub(in crate::dynamics::time_stepping) friction: f64,
    /// Impulse per change of slip, kg.
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
}

/// Friction against rolling and spinning at a contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(align(64))]
pub(in crate::dynamics::time_stepping) struct CoupleRow {
    /// Couple on b, N·m·s.
    pub(in crate::dynamics::time_stepping) impulse: DVec3,
    /// Largest couple along the surface over the normal impulse, m.
    pub(in crate::dynamics::time_stepping) rolling: f64,
    /// Largest couple along the normal over the normal impulse, m.
    pub(in crate::dynamics::time_stepping) spinning: f64,
    /// Couple per change of the angular velocity of b relative to a, kg·m².
    pub(in crate::dynamics::time_stepping) inverse_compliance: f64,
    /// One over the radii of a and b, 1/m; zero for a body that does not rotate.
    pub(in crate::dynamics::time_stepping) inverse_radii: [f64; 2],
}

impl CoupleRow {
    /// The angular velocity of b relative to a, rad/s.
    pub(in crate::dynamics::time_stepping) fn turning(&self, row: &Row, movers: &[Mover]) -> DVec3 {
        let [a, b] = row.ends.map(|end| movers[end as usize].turning);
        b * self.inverse_radii[1] - a * self.inverse_radii[0]
    }

    /// Gives b a couple, and a the opposite one.
    pub(in crate::dynamics::time_stepping) fn give(&self, row: &Row, movers: &mut [Mover], couple: DVec3) {
        for (end, sign) in [(0, -1.0), (1, 1.0)] {
            let mover = &mut movers[row.ends[end] as usize];
            mover.turning += couple * (sign * self.inverse_radii[end] * mover.inverse_inertia);
        }
    }

    /// The couple that stops all turning, limited by the normal impulse.
    pub(in crate::dynamics::time_stepping) fn stopping(&self, row: &Row, movers: &[Mover]) -> DVec3 {
        let wanted = self.impulse - self.turning(row, movers) * self.inverse_compliance;
        let along = row.normal.dot(wanted);
        let (rolling, bound) = (wanted - row.normal * along, self.spinning * row.impulse);
        let (size, most) = (rolling.length_squared(), self.rolling * row.impulse);
        let rolling = if size > most * most { rolling * (most / size.sqrt()) } else { rolling };
        let spinning = if along.abs() > bound { bound.copysign(along) } else { along };
        rolling + row.normal * spinning
    }
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
        all.reject_from_normalized(self.normal)
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
