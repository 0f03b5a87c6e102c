//! Impacts over time, from an event log or from its counts.

pub(super) mod event_counts;
pub(super) mod impact_survey;
pub(super) mod impacts;
pub(super) mod impacts_by_body;
