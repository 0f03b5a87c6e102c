//! What a crowd is between two ticks, to be kept and taken up again.

use super::super::BodyId;
use super::super::rows::Rows;
use super::super::snapshot::{Checked, RestoreError, has_part, is_finite};
use super::rest::Calm;
use super::{Crowd, Given, Looks, Touch};
use crate::motion::SimTime;

/// A [`Crowd`] as plain data. Columns have a row for each body, or none where none has anything to say.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct CrowdState {
    pub(in crate::dynamics) members: Vec<BodyId>,
    joining: Vec<BodyId>,
    touches: Vec<Touch>,
    calm: Vec<Calm>,
    looks: Vec<Looks>,
    paid: Vec<SimTime>,
    given: Vec<Given>,
}

impl Crowd {
    pub(in crate::dynamics) fn state(&self) -> CrowdState {
        CrowdState {
            members: self.members.clone(),
            joining: self.joining.clone(),
            touches: self.touches.clone(),
            calm: self.calm.rows().to_vec(),
            looks: self.looks.rows().to_vec(),
            paid: self.paid.rows().to_vec(),
            given: self.given.rows().to_vec(),
        }
    }

    pub(in crate::dynamics) fn from_state(state: &CrowdState, count: usize) -> Self {
        let new = Self::with_bodies(count);
        Self {
            members: state.members.clone(),
            joining: state.joining.clone(),
            touches: state.touches.clone(),
            calm: new.calm.with_rows(&state.calm),
            looks: new.looks.with_rows(&state.looks),
            paid: new.paid.with_rows(&state.paid),
            given: new.given.with_rows(&state.given),
        }
    }

    /// One more body, which is not in it.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.calm.push_row();
        self.looks.push_row();
        self.paid.push_row();
        self.given.push_row();
    }
}

impl CrowdState {
    /// Refuses what no crowd of these bodies could be.
    pub(in crate::dynamics) fn check(&self, rows: &Rows) -> Result<(), RestoreError> {
        let count = rows.count();
        let named = self.members.iter().chain(&self.joining);
        let free = named.clone().all(|&id| id.index() < count && rows.is_free(id));
        let sorted = self.members.windows(2).all(|two| two[0] < two[1]);
        Checked::that(free && sorted, "members of the crowd")?;
        let touches = |touch: &Touch| {
            has_part(touch.pair, touch.part, rows) && is_finite(&[touch.push.normal], &[touch.push.tangential])
        };
        let sorted = self.touches.windows(2).all(|two| two[0].key() < two[1].key());
        Checked::that(sorted && self.touches.iter().all(touches), "touches of the crowd")?;
        for (length, what) in [
            (self.calm.len(), "rows of calm"),
            (self.looks.len(), "rows of looks"),
            (self.paid.len(), "rows of what is paid"),
            (self.given.len(), "rows of what was given"),
        ] {
            Checked::column(length, count, what)?;
        }
        let calm = self.calm.iter().all(Calm::is_finite);
        let given = self.given.iter().all(|given| is_finite(&[given.tick], &[given.linear, given.angular]));
        let looks = self.looks.iter().all(|looks| looks.count < u32::MAX / 2);
        Checked::that(calm && given && looks, "numbers of the crowd")
    }
}
