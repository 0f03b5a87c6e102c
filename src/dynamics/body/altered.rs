//! Properties of a body that commands can change.

use super::table::{BodyClass, BodyTable, Role, class_key};
use super::{Alterable, Body};
use crate::dynamics::BodyId;

impl BodyTable {
    /// Gives a body other properties.
    pub(in crate::dynamics) fn alter(&mut self, id: BodyId, to: Alterable) {
        let class = self.classes[self.class_of[id.index()] as usize].clone();
        let Role { material, layers, collides_with, .. } = class.role;
        let given = *self.given.entry(id).or_insert(Alterable { material, layers, collides_with });
        if given == to {
            self.given.remove(&id);
        }
        let Alterable { material, layers, collides_with } = to;
        let role = Role { material, layers, collides_with, ..class.role };
        let key = class_key(&class.shape, class.inverse_mass, role);
        let is_it = |rank: &usize| {
            let other = &self.classes[*rank];
            key.is_some() && !other.is_gone && class_key(&other.shape, other.inverse_mass, other.role) == key
        };
        let known = (0..self.classes.len()).find(is_it);
        let rank = known.unwrap_or_else(|| {
            self.classes.push(BodyClass { role, ..class });
            self.classes.len() - 1
        });
        self.class_of[id.index()] = rank as u32;
    }

    /// The bodies whose properties are not those with which they came, and what they have now, by id.
    pub(in crate::dynamics) fn altered(&self) -> impl Iterator<Item = (BodyId, Alterable)> {
        let present = self.given.keys().copied().filter(|&id| !self.is_gone(id));
        present.map(|id| (id, Alterable::of(&self.body(id))))
    }

    /// A body with the properties with which it came. Its position and velocity are not stored.
    pub(in crate::dynamics) fn given(&self, id: BodyId) -> Body {
        let body = self.body(id);
        self.given.get(&id).map_or(body.clone(), |given| given.on(body))
    }
}
