//! Restitution: a number, or a law of the approach speed.

use std::sync::Arc;

use thiserror::Error;

use crate::numeric::OutOfRange;
use crate::numeric::functions::power::power;
use crate::numeric::quantity::{is_moderate, is_positive};

/// Ratio of the separation speed after an impact to the approach speed before it, from 0 to 1: a number, or a law of
/// the approach speed.
///
/// A law that gives one number at all speeds is that number.
///
/// ```
/// use carom::Restitution;
///
/// let steel = Restitution::by_speed([(0.1, 0.9), (1.0, 0.6)]).unwrap();
/// assert_eq!([0.0, 0.55, 7.0].map(|speed| steel.at(speed)), [0.9, 0.75, 0.6]);
/// assert_eq!((steel.constant(), Restitution::new(0.5).unwrap().constant()), (None, Some(0.5)));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Restitution(Law);

#[derive(Debug, Clone, PartialEq)]
enum Law {
    Constant(f64),
    /// Speeds, m/s, in ascending order, and the restitution at each.
    BySpeed(Arc<[(f64, f64)]>),
    /// (s/m)^(1/5).
    Viscoelastic(f64),
    Power {
        /// m/s.
        v0: f64,
        exponent: f64,
        max: f64,
    },
}

/// What is wrong with a table of restitution by speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("knot {knot} of a restitution by speed must have {allowed}")]
pub struct BadKnot {
    /// The first wrong knot, from 0.
    pub knot: usize,
    /// Which of its two numbers is wrong: 0 for the speed, 1 for the restitution.
    pub part: usize,
    /// The allowed values in words.
    pub allowed: &'static str,
}

fn checked(quantity: &'static str, found: f64, allowed: &'static str, is_allowed: bool) -> Result<(), OutOfRange> {
    if is_allowed { Ok(()) } else { Err(OutOfRange { quantity, allowed, found }) }
}

const SHARE: &str = "a number from 0 to 1";

fn is_share(e: f64) -> bool {
    (0.0..=1.0).contains(&e)
}

impl Restitution {
    /// No loss: the default.
    pub const ELASTIC: Self = Self(Law::Constant(1.0));

    /// The same restitution at all speeds.
    ///
    /// # Errors
    /// [`OutOfRange`] if it is not from 0 to 1.
    pub fn new(e: f64) -> Result<Self, OutOfRange> {
        checked("restitution", e, SHARE, is_share(e))?;
        Ok(Self(Law::Constant(e)))
    }

    /// A table of approach speeds, m/s, and the restitution at each: linear in between, constant outside.
    ///
    /// # Errors
    /// [`BadKnot`] if there is no knot, if the speeds are negative or do not ascend, if a restitution is not from 0 to
    /// 1, or if the restitutions both rise and fall.
    pub fn by_speed(knots: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, BadKnot> {
        let knots: Arc<[(f64, f64)]> = knots.into_iter().collect();
        let fault = |knot, part, allowed| Err(BadKnot { knot, part, allowed });
        let Some(&(_, first)) = knots.first() else {
            return fault(0, 0, "a speed and a restitution: the table is empty");
        };
        let turned = |e: f64| e != first;
        let rises = knots.iter().find(|knot| turned(knot.1)).is_some_and(|knot| knot.1 > first);
        for (knot, &(speed, e)) in knots.iter().enumerate() {
            let before = knot.checked_sub(1).map(|before| knots[before]);
            if !(speed >= 0.0 && is_moderate(speed)) {
                return fault(knot, 0, "a speed from 0 to 1e70 m/s");
            }
            if before.is_some_and(|before| speed <= before.0) {
                return fault(knot, 0, "a speed above the one before it");
            }
            if !is_share(e) {
                return fault(knot, 1, "a restitution from 0 to 1");
            }
            if before.is_some_and(|before| if rises { e < before.1 } else { e > before.1 }) {
                return fault(knot, 1, "a restitution that goes on rising, or falling, as those before it");
            }
        }
        let is_constant = !knots.iter().any(|knot| turned(knot.1));
        Ok(Self(if is_constant { Law::Constant(first) } else { Law::BySpeed(knots) }))
    }

    /// Viscoelastic spheres: 1 − c v^(1/5) at the approach speed v, and not below 0; c in (s/m)^(1/5). These are the
    /// first two terms of a series that holds where the loss is small (Brilliantov & Pöschel, *Kinetic Theory of
    /// Granular Gases*, 2004, ch. 3).
    ///
    /// # Errors
    /// [`OutOfRange`] if `c` is negative or above 1e70.
    pub fn viscoelastic(c: f64) -> Result<Self, OutOfRange> {
        checked(
            "the constant of a viscoelastic restitution",
            c,
            "a number from 0 to 1e70",
            c >= 0.0 && is_moderate(c),
        )?;
        Ok(if c == 0.0 { Self::ELASTIC } else { Self(Law::Viscoelastic(c)) })
    }

    /// A power of the speed: `max` up to the speed `v0`, m/s, and `max` (v0 / v)^`exponent` above it. Of metal that
    /// yields above `v0`, the exponent is about 1/4 (Johnson, *Contact Mechanics*, 1985, §11.5).
    ///
    /// # Errors
    /// [`OutOfRange`] if `v0` is not from 1e-70 to 1e70 m/s, the exponent is not from 0 to 1e70, or `max` is not from 0
    /// to 1.
    pub fn power(v0: f64, exponent: f64, max: f64) -> Result<Self, OutOfRange> {
        checked("v0", v0, "a speed from 1e-70 to 1e70 m/s", is_positive(v0))?;
        checked("exponent", exponent, "a number from 0 to 1e70", exponent >= 0.0 && is_moderate(exponent))?;
        checked("max", max, SHARE, is_share(max))?;
        let is_constant = exponent == 0.0 || max == 0.0;
        Ok(Self(if is_constant { Law::Constant(max) } else { Law::Power { v0, exponent, max } }))
    }

    /// The restitution at an approach speed, m/s, of at least 0.
    #[inline]
    pub fn at(&self, speed: f64) -> f64 {
        if let Law::Constant(e) = self.0 { e } else { self.of_law(speed) }
    }

    /// The restitution, if it is the same at all speeds.
    #[inline]
    pub const fn constant(&self) -> Option<f64> {
        if let Law::Constant(e) = self.0 { Some(e) } else { None }
    }

    #[cold]
    fn of_law(&self, speed: f64) -> f64 {
        match &self.0 {
            Law::Constant(e) => *e,
            Law::BySpeed(knots) => interpolated(knots, speed),
            Law::Viscoelastic(c) => (1.0 - c * power(speed, 0.2)).max(0.0),
            Law::Power { max, .. } if speed == 0.0 => *max,
            Law::Power { v0, exponent, max } => max * power((v0 / speed).min(1.0), *exponent),
        }
    }
}

/// The value of a table at a speed.
fn interpolated(knots: &[(f64, f64)], speed: f64) -> f64 {
    match knots.partition_point(|knot| knot.0 <= speed) {
        0 => knots[0].1,
        after if after == knots.len() => knots[after - 1].1,
        after => {
            let [(from, low), (to, high)] = [knots[after - 1], knots[after]];
            // Rounding must not lead beyond the knots.
            (low + (high - low) * ((speed - from) / (to - from))).clamp(low.min(high), low.max(high))
        }
    }
}

/// The restitution of a pair of materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairRestitution<'a>([&'a Restitution; 2]);

impl<'a> PairRestitution<'a> {
    pub(super) const fn new(a: &'a Restitution, b: &'a Restitution) -> Self {
        Self([a, b])
    }

    /// The restitution at an approach speed, m/s, of at least 0: the smaller of the two at that speed.
    #[inline]
    pub fn at(self, speed: f64) -> f64 {
        let [a, b] = self.0;
        a.at(speed).min(b.at(speed))
    }

    /// The restitution, if both materials have the same one at all speeds.
    #[inline]
    pub fn constant(self) -> Option<f64> {
        let [a, b] = self.0;
        Some(a.constant()?.min(b.constant()?))
    }

    /// Whether no impact loses energy.
    #[inline]
    #[doc(hidden)]
    pub fn is_elastic(self) -> bool {
        self.constant() == Some(1.0)
    }
}

/// As serde writes it: the number alone; or, of a law, what it is made from.
///
/// A format without names has room for a law where the number stands: a number that is no restitution says which law
/// follows. So the bytes of a world with numbers alone are as they were without laws.
#[cfg(feature = "serde")]
mod serial {
    use std::fmt;

    use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
    use serde::ser::{Serialize, SerializeMap, Serializer};

    use super::{Law, Restitution};

    const LAWS: [&str; 3] = ["by_speed", "viscoelastic", "power"];

    impl Serialize for Restitution {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match &self.0 {
                Law::Constant(e) => serializer.serialize_f64(*e),
                Law::BySpeed(knots) => written(serializer, 0, knots),
                Law::Viscoelastic(c) => written(serializer, 1, c),
                Law::Power { v0, exponent, max } => written(serializer, 2, &[v0, exponent, max]),
            }
        }
    }

    fn written<S: Serializer, T: Serialize>(serializer: S, law: u8, with: &T) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return (-1.0 - f64::from(law), with).serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(LAWS[usize::from(law)], with)?;
        map.end()
    }

    impl<'de> Deserialize<'de> for Restitution {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if deserializer.is_human_readable() {
                deserializer.deserialize_any(RestitutionVisitor)
            } else {
                deserializer.deserialize_tuple(2, RestitutionVisitor)
            }
        }
    }

    struct RestitutionVisitor;

    impl<'de> Visitor<'de> for RestitutionVisitor {
        type Value = Restitution;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a restitution: a number, or a law of the speed")
        }

        fn visit_f64<E: Error>(self, e: f64) -> Result<Restitution, E> {
            Restitution::new(e).map_err(E::custom)
        }

        fn visit_u64<E: Error>(self, e: u64) -> Result<Restitution, E> {
            self.visit_f64(e as f64)
        }

        fn visit_i64<E: Error>(self, e: i64) -> Result<Restitution, E> {
            self.visit_f64(e as f64)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Restitution, A::Error> {
            let missing = || A::Error::custom("a law without its numbers");
            let first: f64 = parts.next_element()?.ok_or_else(missing)?;
            if first == -1.0 {
                by_speed(parts.next_element()?.ok_or_else(missing)?)
            } else if first == -2.0 {
                viscoelastic(parts.next_element()?.ok_or_else(missing)?)
            } else if first == -3.0 {
                power(parts.next_element()?.ok_or_else(missing)?)
            } else {
                self.visit_f64(first)
            }
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Restitution, A::Error> {
            let law: String = map.next_key()?.ok_or_else(|| A::Error::custom("no law of restitution"))?;
            match LAWS.iter().position(|known| *known == law) {
                Some(0) => by_speed(map.next_value()?),
                Some(1) => viscoelastic(map.next_value()?),
                Some(_) => power(map.next_value()?),
                None => Err(A::Error::unknown_field(&law, &LAWS)),
            }
        }
    }

    fn by_speed<E: Error>(knots: Vec<(f64, f64)>) -> Result<Restitution, E> {
        Restitution::by_speed(knots).map_err(E::custom)
    }

    fn viscoelastic<E: Error>(c: f64) -> Result<Restitution, E> {
        Restitution::viscoelastic(c).map_err(E::custom)
    }

    fn power<E: Error>([v0, exponent, max]: [f64; 3]) -> Result<Restitution, E> {
        Restitution::power(v0, exponent, max).map_err(E::custom)
    }
}
