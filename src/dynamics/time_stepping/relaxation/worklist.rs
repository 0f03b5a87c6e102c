//! The relaxation of a few contacts, and of those that this disturbs.
//!
//! Mostly only a few bodies do what they did not do in the last tick. So it begins with the contacts that are missed and
//! goes on to their neighbours, until none is missed or it has become too much.

use super::row::{Row, SolverVelocity};
use super::state::Relaxation;

/// After so many times as many steps from neighbour to neighbour as there are contacts, all are taken in turn.
const LOCAL_MAX: usize = 1;

/// Part of its goal by which a contact may be off when its neighbours are looked at.
const LOCAL_GOAL: f64 = 0.5;

impl Relaxation {
    /// Goes from what is missed to its neighbours; whether that came to an end.
    pub(super) fn relax_where_needed(&mut self) -> bool {
        let lists = Lists::new(self.going.len(), &self.rows);
        let mut wanted: Vec<u32> = (0..self.rows.len() as u32).collect();
        let mut waits = vec![true; self.rows.len()];
        let mut left = LOCAL_MAX * self.rows.len();
        while !wanted.is_empty() {
            let mut next = Vec::new();
            for &row in &wanted {
                waits[row as usize] = false;
                if !self.is_missed(row as usize, LOCAL_GOAL) {
                    continue;
                }
                if left == 0 {
                    return false;
                }
                left -= 1;
                self.relax(row as usize);
                for end in self.rows[row as usize].ends {
                    for &other in lists.of(end, &self.going) {
                        if other != row && !std::mem::replace(&mut waits[other as usize], true) {
                            next.push(other);
                        }
                    }
                }
            }
            next.sort_unstable();
            wanted = next;
        }
        true
    }
}

/// The contacts of each body.
struct Lists {
    first: Vec<u32>,
    rows: Vec<u32>,
}

impl Lists {
    fn new(bodies: usize, rows: &[Row]) -> Self {
        let mut first = vec![0; bodies + 1];
        rows.iter().flat_map(|row| row.ends).for_each(|end| first[end as usize + 1] += 1);
        for end in 0..bodies {
            first[end + 1] += first[end];
        }
        let mut next = first.clone();
        let mut filled = vec![0; 2 * rows.len()];
        for (row, end) in rows.iter().enumerate().flat_map(|(row, ends)| ends.ends.map(|end| (row, end))) {
            filled[next[end as usize] as usize] = row as u32;
            next[end as usize] += 1;
        }
        Self { first, rows: filled }
    }

    /// The contacts of a body that a push moves.
    fn of(&self, end: u32, going: &[SolverVelocity]) -> &[u32] {
        if going[end as usize].inverse_mass == 0.0 {
            return &[];
        }
        let end = end as usize;
        &self.rows[self.first[end] as usize..self.first[end + 1] as usize]
    }
}
