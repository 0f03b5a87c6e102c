//! Materials: restitution and friction, and their values for pairs of materials.
//!
//! A pair has the smaller value of the two, unless a value is set for the pair.

use super::friction::{Friction, FrictionLength, Frictions};
use super::restitution::{PairRestitution, Restitution};

/// The material of a body. The default is perfectly elastic and frictionless.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Friction, Material, Restitution, Settings, World};
///
/// let mut settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let wood = Material { friction: Friction::new(0.2).unwrap(), ..Restitution::new(0.5).unwrap().into() };
/// let wood = settings.materials.add(wood);
/// let block = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::Z * 0.5).moving(DVec3::X * 2.0).made_of(wood);
/// let table = Body::plane(DVec3::Z, 0.0).unwrap().made_of(wood);
/// let mut world = World::new(settings, [("block", block), ("table", table)]).unwrap();
/// world.step(3.0).unwrap();
/// // It slides v² / 2µg = 1 m.
/// assert!((world.position(world.id("block").unwrap()).x - 1.0).abs() < 1e-14);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Separation speed over approach speed.
    pub restitution: Restitution,
    /// Coulomb's coefficient, both static and kinetic.
    pub friction: Friction,
    /// The largest torque against rolling over the normal force, m.
    pub rolling_friction: FrictionLength,
    /// The largest torque against spinning about the normal over the normal force, m.
    pub spinning_friction: FrictionLength,
}

impl Default for Material {
    fn default() -> Self {
        Self::from(Restitution::ELASTIC)
    }
}

impl From<Restitution> for Material {
    /// A frictionless material.
    fn from(restitution: Restitution) -> Self {
        let none = FrictionLength::NONE;
        Self { restitution, friction: Friction::NONE, rolling_friction: none, spinning_friction: none }
    }
}

/// The rank of a material in its table. The default is the first material, which is perfectly elastic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaterialId(#[doc(hidden)] pub u16);

/// Values for a pair of materials, where they are not the smaller of the two.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairing {
    /// Restitution, if it is not the smaller of the two.
    pub restitution: Option<Restitution>,
    /// Friction, if it is not the smaller of the two.
    pub friction: Option<Friction>,
    /// Rolling friction, if it is not the smaller of the two, m.
    pub rolling_friction: Option<FrictionLength>,
    /// Spinning friction, if it is not the smaller of the two, m.
    pub spinning_friction: Option<FrictionLength>,
}

impl From<Restitution> for Pairing {
    fn from(restitution: Restitution) -> Self {
        Self { restitution: Some(restitution), ..Self::default() }
    }
}

/// The restitution and friction of every pair of materials.
///
/// Without a value for the pair, each is the smaller of the two.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Materials, Restitution, Settings, World};
///
/// let mut materials = Materials::default();
/// let rubber = materials.add(Restitution::new(0.5).unwrap());
/// let settings = Settings { gravity: DVec3::Z * -10.0, materials, ..Settings::default() };
/// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 5.5).made_of(rubber);
/// let mut world = World::new(settings, [("ball", ball), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
/// // It meets the floor after 1 s at 10 m/s, and rises 1.25 m in half a second.
/// world.step(1.5).unwrap();
/// assert!((world.position(world.id("ball").unwrap()).z - 1.75).abs() < 1e-14);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(into = "Table", try_from = "Table"))]
pub struct Materials {
    single: Vec<Material>,
    /// Sorted by key; in each key the smaller id is first.
    pairs: Vec<((MaterialId, MaterialId), Pairing)>,
    /// Whether no material and no pair ever had friction of any kind.
    is_smooth: bool,
}

impl Default for Materials {
    /// One material, perfectly elastic and frictionless: the default material of a body.
    fn default() -> Self {
        Self { single: vec![Material::default()], pairs: Vec::new(), is_smooth: true }
    }
}

impl Materials {
    /// Adds a material and returns its id.
    ///
    /// # Panics
    /// When there are 65,536 already.
    pub fn add(&mut self, material: impl Into<Material>) -> MaterialId {
        let id = u16::try_from(self.single.len()).expect("at most 65,536 materials");
        let material = material.into();
        let lengths = [material.rolling_friction, material.spinning_friction];
        self.is_smooth &= material.friction == Friction::NONE && lengths == [FrictionLength::NONE; 2];
        self.single.push(material);
        MaterialId(id)
    }

    /// Sets the values for `a` and `b`, in either order. They replace earlier values.
    ///
    /// ```
    /// use carom::{Friction, Material, Materials, Pairing, Restitution};
    ///
    /// let mut materials = Materials::default();
    /// let [tyre, road] = [0.7, 0.9].map(|friction| {
    ///     materials.add(Material { friction: Friction::new(friction).unwrap(), ..Material::default() })
    /// });
    /// assert_eq!(materials.friction(tyre, road), 0.7);
    /// materials.set_pair(road, tyre, Pairing { friction: Some(Friction::new(1.2).unwrap()), ..Pairing::default() });
    /// materials.set_pair(tyre, tyre, Restitution::new(0.5).unwrap());
    /// assert_eq!((materials.friction(tyre, road), materials.restitution(tyre, road).at(3.0)), (1.2, 1.0));
    /// assert_eq!((materials.friction(tyre, tyre), materials.restitution(tyre, tyre).at(3.0)), (0.7, 0.5));
    /// ```
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, pairing: impl Into<Pairing>) {
        let (key, pairing) = ((a.min(b), a.max(b)), pairing.into());
        let lengths = [pairing.rolling_friction, pairing.spinning_friction];
        self.is_smooth &= pairing.friction.is_none() && lengths == [None; 2];
        match self.pairs.binary_search_by_key(&key, |entry| entry.0) {
            Ok(row) => self.pairs[row].1 = pairing,
            Err(row) => self.pairs.insert(row, (key, pairing)),
        }
    }

    /// The restitution between `a` and `b`.
    ///
    /// # Panics
    /// When either is not in the table.
    #[inline]
    pub fn restitution(&self, a: MaterialId, b: MaterialId) -> PairRestitution<'_> {
        let of = |id: MaterialId| &self.single[id.0 as usize].restitution;
        let own = self.pairing(a, b).and_then(|pairing| pairing.restitution.as_ref());
        own.map_or_else(|| PairRestitution::new(of(a), of(b)), |own| PairRestitution::new(own, own))
    }

    /// Coulomb's coefficient between `a` and `b`.
    ///
    /// # Panics
    /// When either is not in the table and some material has friction.
    pub fn friction(&self, a: MaterialId, b: MaterialId) -> f64 {
        self.frictions(a, b).sliding
    }

    /// The largest torque against rolling between `a` and `b` over the normal force, m.
    ///
    /// # Panics
    /// When either is not in the table and some material has friction.
    pub fn rolling_friction(&self, a: MaterialId, b: MaterialId) -> f64 {
        self.frictions(a, b).rolling
    }

    /// The largest torque against spinning between `a` and `b` over the normal force, m.
    ///
    /// # Panics
    /// When either is not in the table and some material has friction.
    pub fn spinning_friction(&self, a: MaterialId, b: MaterialId) -> f64 {
        self.frictions(a, b).spinning
    }

    /// The friction between `a` and `b` of all kinds. Both must be in the table.
    #[inline]
    pub(in crate::dynamics) fn frictions(&self, a: MaterialId, b: MaterialId) -> Frictions {
        if self.is_smooth {
            return Frictions::default();
        }
        let [one, other] = [a, b].map(|id| &self.single[id.0 as usize]);
        let pairing = self.pairing(a, b);
        let own = |of: fn(&Pairing) -> Option<FrictionLength>| pairing.and_then(of).map(FrictionLength::get);
        let smaller = |of: fn(&Material) -> f64| of(one).min(of(other));
        let sliding = pairing.and_then(|pairing| pairing.friction).map(Friction::get);
        Frictions {
            sliding: sliding.unwrap_or_else(|| smaller(|material| material.friction.get())),
            rolling: own(|pairing| pairing.rolling_friction)
                .unwrap_or_else(|| smaller(|material| material.rolling_friction.get())),
            spinning: own(|pairing| pairing.spinning_friction)
                .unwrap_or_else(|| smaller(|material| material.spinning_friction.get())),
        }
    }

    /// Whether a material is in the table.
    pub(crate) fn has(&self, id: MaterialId) -> bool {
        (id.0 as usize) < self.single.len()
    }

    #[inline]
    fn pairing(&self, a: MaterialId, b: MaterialId) -> Option<&Pairing> {
        let key = (a.min(b), a.max(b));
        let row = self.pairs.binary_search_by_key(&key, |entry| entry.0);
        row.ok().map(|row| &self.pairs[row].1)
    }
}

/// The table as serde writes it.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Table {
    materials: Vec<Material>,
    pairs: Vec<((MaterialId, MaterialId), Pairing)>,
}

#[cfg(feature = "serde")]
impl From<Materials> for Table {
    fn from(materials: Materials) -> Self {
        Self { materials: materials.single, pairs: materials.pairs }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Table> for Materials {
    type Error = &'static str;

    fn try_from(table: Table) -> Result<Self, Self::Error> {
        if table.materials.is_empty() {
            return Err("a table without a material");
        }
        if u16::try_from(table.materials.len() - 1).is_err() {
            return Err("more than 65,536 materials");
        }
        let mut materials = Self { single: Vec::new(), ..Self::default() };
        table.materials.into_iter().for_each(|material| _ = materials.add(material));
        for ((a, b), pairing) in table.pairs {
            materials.set_pair(a, b, pairing);
        }
        Ok(materials)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_takes_its_own_value_or_else_the_smaller() {
        let mut materials = Materials::default();
        let steel = materials.add(Restitution::new(0.95).unwrap());
        let restitution = Restitution::new(0.7).unwrap();
        let rubber = materials.add(Material { friction: Friction::new(0.9).unwrap(), ..restitution.into() });
        assert_eq!(materials.restitution(steel, rubber).constant(), Some(0.7));
        assert_eq!(materials.friction(steel, rubber), 0.0);
        assert_eq!(materials.friction(rubber, rubber), 0.9);
        materials.set_pair(rubber, steel, Restitution::new(0.8).unwrap());
        assert_eq!(materials.restitution(steel, rubber).constant(), Some(0.8));
        assert_eq!(materials.restitution(rubber, steel).constant(), Some(0.8));
        assert_eq!(materials.restitution(rubber, MaterialId::default()).constant(), Some(0.7));
        materials.set_pair(
            steel,
            rubber,
            Pairing { friction: Some(Friction::new(0.3).unwrap()), ..Pairing::default() },
        );
        assert_eq!(
            (materials.friction(rubber, steel), materials.restitution(rubber, steel).constant()),
            (0.3, Some(0.7))
        );
    }

    #[test]
    fn lengths_of_a_pair_are_its_own_or_else_the_smaller() {
        let length = |metres: f64| FrictionLength::new(metres).unwrap();
        let mut materials = Materials::default();
        let add = |materials: &mut Materials, rolling: f64, spinning: f64| {
            let smooth = Material::default();
            materials.add(Material { rolling_friction: length(rolling), spinning_friction: length(spinning), ..smooth })
        };
        let (clay, felt) = (add(&mut materials, 0.02, 0.001), add(&mut materials, 0.01, 0.003));
        let both = |materials: &Materials| {
            let of = |a, b| (materials.rolling_friction(a, b), materials.spinning_friction(a, b));
            assert_eq!(of(clay, felt), of(felt, clay));
            of(clay, felt)
        };
        assert_eq!(both(&materials), (0.01, 0.001));
        assert_eq!(materials.rolling_friction(clay, MaterialId::default()), 0.0);
        materials.set_pair(clay, felt, Pairing { rolling_friction: Some(length(0.5)), ..Pairing::default() });
        assert_eq!(both(&materials), (0.5, 0.001));
        materials.set_pair(felt, clay, Pairing { spinning_friction: Some(length(0.0)), ..Pairing::default() });
        assert_eq!(both(&materials), (0.01, 0.0));
    }

    #[test]
    fn restitution_stays_between_0_and_1_and_friction_is_no_less_than_0() {
        for e in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(Restitution::new(e).is_err(), "{e}");
        }
        for mu in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(Friction::new(mu).is_err(), "{mu}");
            assert!(FrictionLength::new(mu).is_err(), "{mu}");
        }
    }
}
