//! Materials: how much of the approach speed an impact gives back.

use crate::quantity;

quantity!(
    /// Ratio of the separation speed after an impact to the approach speed before it, from 0 to 1.
    Restitution, "restitution", "a number from 0 to 1", |e| (0.0..=1.0).contains(&e)
);

impl Restitution {
    /// Nothing is lost: the default.
    pub const ELASTIC: Self = Self(1.0);
}

/// The rank of a material in its table. The default value names the first, perfectly elastic one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u16);

/// The restitution of every pair of materials.
///
/// For a pair that was not set it is the smaller one of the two.
#[derive(Debug, Clone, PartialEq)]
pub struct Materials {
    single: Vec<Restitution>,
    /// Sorted by key, the smaller id first within each key.
    pairs: Vec<((MaterialId, MaterialId), Restitution)>,
}

impl Default for Materials {
    /// One material, perfectly elastic: what a body is made of when nothing is said.
    fn default() -> Self {
        Self { single: vec![Restitution::ELASTIC], pairs: Vec::new() }
    }
}

impl Materials {
    /// Adds a material and names its rank.
    ///
    /// # Panics
    /// When there are 65,536 already.
    pub fn add(&mut self, restitution: Restitution) -> MaterialId {
        let id = u16::try_from(self.single.len()).expect("at most 65,536 materials");
        self.single.push(restitution);
        MaterialId(id)
    }

    /// Sets what holds between `a` and `b`, in either order. The later word counts.
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, restitution: Restitution) {
        let key = (a.min(b), a.max(b));
        match self.pairs.binary_search_by_key(&key, |entry| entry.0) {
            Ok(row) => self.pairs[row].1 = restitution,
            Err(row) => self.pairs.insert(row, (key, restitution)),
        }
    }

    /// What holds between `a` and `b`.
    ///
    /// # Panics
    /// When either is not in the table.
    pub fn restitution(&self, a: MaterialId, b: MaterialId) -> f64 {
        let key = (a.min(b), a.max(b));
        match self.pairs.binary_search_by_key(&key, |entry| entry.0) {
            Ok(row) => self.pairs[row].1.get(),
            Err(_) => self.single[a.0 as usize].get().min(self.single[b.0 as usize].get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_takes_its_own_value_or_else_the_smaller() {
        let mut materials = Materials::default();
        let steel = materials.add(Restitution::new(0.95).unwrap());
        let rubber = materials.add(Restitution::new(0.7).unwrap());
        assert_eq!(materials.restitution(steel, rubber), 0.7);
        materials.set_pair(rubber, steel, Restitution::new(0.8).unwrap());
        assert_eq!(materials.restitution(steel, rubber), 0.8);
        assert_eq!(materials.restitution(rubber, steel), 0.8);
        assert_eq!(materials.restitution(rubber, MaterialId::default()), 0.7);
    }

    #[test]
    fn restitution_stays_between_0_and_1() {
        for e in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(Restitution::new(e).is_err(), "{e}");
        }
    }
}
