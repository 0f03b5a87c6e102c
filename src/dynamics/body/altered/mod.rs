//! Properties of a body that commands can change.

pub(in crate::dynamics) mod alterable;
pub(in crate::dynamics) mod turned;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::alterable::Alterable;
use self::turned::TurnedCells;
use super::table::{BodyClass, BodyTable, Role, class_key};
use crate::dynamics::{Body, BodyId};
use crate::geometry::Shape;
use crate::motion::SimTime;

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

    /// Makes a cell of a grid solid or empty at the present.
    pub(in crate::dynamics) fn set_cell(&mut self, id: BodyId, cell: [u32; 3], solid: bool, now: SimTime) {
        let class = &mut self.classes[self.class_of[id.index()] as usize];
        let Shape::Grid(grid) = &mut class.shape else { return };
        let Some(number) = grid.number_of(cell) else { return };
        if Arc::make_mut(grid).set(cell, solid) {
            let turned = self.turned.entry(id).or_insert(TurnedCells { since: now, cells: BTreeSet::new() });
            turned.since = now;
            if !turned.cells.remove(&number) {
                turned.cells.insert(number);
            }
        }
    }

    /// When a cell of a body was last made solid or empty.
    #[inline]
    pub(in crate::dynamics) fn cells_since(&self, id: BodyId) -> SimTime {
        if self.turned.is_empty() { SimTime::ZERO } else { self.turned.get(&id).map_or(SimTime::ZERO, |it| it.since) }
    }

    /// The grids of which cells were turned, by id.
    pub(in crate::dynamics) fn turned(&self) -> impl Iterator<Item = (BodyId, TurnedCells)> {
        self.turned.iter().filter(|(id, _)| !self.is_gone(**id)).map(|(&id, turned)| (id, turned.clone()))
    }

    /// Turns cells of a grid that is as it came. Returns whether it is a grid with these cells.
    pub(in crate::dynamics) fn turn_cells(&mut self, id: BodyId, turned: &TurnedCells) -> bool {
        let Shape::Grid(grid) = self.shape(id) else { return false };
        let mut grid = Arc::clone(grid);
        let is_whole = Arc::make_mut(&mut grid).turn(turned.cells.iter().copied());
        self.classes[self.class_of[id.index()] as usize].shape = Shape::Grid(grid);
        self.turned.insert(id, turned.clone());
        is_whole
    }

    /// The bodies whose properties are not those with which they came, and what they have now, by id.
    pub(in crate::dynamics) fn altered(&self) -> impl Iterator<Item = (BodyId, Alterable)> {
        let present = self.given.keys().copied().filter(|&id| !self.is_gone(id));
        present.map(|id| (id, Alterable::of(&self.body(id))))
    }

    /// A body with the properties with which it came. Its position and velocity are not stored.
    pub(in crate::dynamics) fn given(&self, id: BodyId) -> Body {
        let mut body = self.body(id);
        if let (Shape::Grid(grid), Some(turned)) = (&mut body.shape, self.turned.get(&id)) {
            Arc::make_mut(grid).turn(turned.cells.iter().copied());
        }
        self.given.get(&id).map_or(body.clone(), |given| given.on(body))
    }
}
