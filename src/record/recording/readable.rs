//! Instants and hashes as answers for other programs have them: seconds, and digits.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use crate::motion::SimTime;

pub(in crate::record) fn seconds<S: Serializer>(time: &SimTime, serializer: S) -> Result<S::Ok, S::Error> {
    time.seconds().serialize(serializer)
}

pub(in crate::record) fn both_seconds<S: Serializer>(times: &[SimTime; 2], serializer: S) -> Result<S::Ok, S::Error> {
    times.map(SimTime::seconds).serialize(serializer)
}

pub(super) fn words<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
