//! The work list: relaxation of the contacts with residuals, and then of their neighbours.
//!
//! Mostly only few bodies change their motion from one step to the next. So this begins with the contacts that have
//! residuals and continues with their neighbours, until no residual is left or the number of relaxations is too large.

use super::row::{Row, SolverVelocity};
use super::state::Relaxation;

/// Relaxations per contact after which the work list is abandoned for sweeps over all contacts.
const LOCAL_MAX: usize = 1;

/// Fraction of its tolerance that the residual of a contact on the list must exceed.
const LOCAL_GOAL: f64 = 0.5;

impl Relaxation {
    /// Relaxes contacts with residuals and their neighbours. Returns whether no residual is left.
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

/// The contacts of each body, as ranges of one array.
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

    /// The contacts of a body; none if impulses do not move it.
    fn of(&self, end: u32, going: &[SolverVelocity]) -> &[u32] {
        if going[end as usize].inverse_mass == 0.0 {
            return &[];
        }
        let end = end as usize;
        &self.rows[self.first[end] as usize..self.first[end + 1] as usize]
    }
}
