//! The impacts of an engine's log of events, checked against the bodies and times of a scene.

use super::exact::{Exact, is_impact};
use crate::motion::SimTime;
use crate::record::foreign::{ForeignError, ForeignEvents};

/// An impact in the log of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportedImpact {
    /// When.
    pub time: SimTime,
    /// The two bodies, in the order of [`Exact::names`].
    pub bodies: [usize; 2],
}

/// The impacts of a log in order of time. Other events are left out.
///
/// # Errors
/// [`ForeignError`] with the line where a body is unknown or meets itself, or where a time is beyond the scene.
pub(super) fn impacts(events: &ForeignEvents, exact: &Exact) -> Result<Vec<ReportedImpact>, ForeignError> {
    let mut impacts = Vec::new();
    for event in events.rows.iter().filter(|event| is_impact(event.kind)) {
        let wrong = |column: &'static str| move |problem| events.origin.wrong(event.place, column, problem);
        exact.check_time(event.time).map_err(wrong("time"))?;
        let a = exact.named(&events.bodies[event.a]).map_err(wrong("a"))?;
        // The reader of the table ensures that an impact has two bodies.
        let Some(b) = event.b else { continue };
        let b = exact.named(&events.bodies[b]).map_err(wrong("b"))?;
        if a == b {
            return Err(wrong("b")(format!("`{}` cannot meet itself", exact.names[a])));
        }
        impacts.push(ReportedImpact { time: event.time, bodies: [a.min(b), a.max(b)] });
    }
    impacts.sort_unstable();
    Ok(impacts)
}
