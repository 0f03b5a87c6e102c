//! The shape of a sweep file: what may be written, before anything is checked.

use serde::Deserialize;

use super::{AuditFigure, Compared, Quantity};
use crate::dynamics::EventKind;
use crate::scenario::plot::schema::Style;
use crate::scenario::request_types::{GasFigure, PackingFigure};
use crate::scenario::schema::{Pairs, Raw};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Sweep", bound(deserialize = "'de: 'a"))]
pub(super) struct Top<'a> {
    pub(super) format: Option<Raw<'a>>,
    pub(super) title: Option<Raw<'a>>,
    pub(super) base: Raw<'a>,
    #[serde(default)]
    pub(super) set: Pairs<'a>,
    #[serde(default)]
    pub(super) vary: Pairs<'a>,
    pub(super) combine: Option<Raw<'a>>,
    #[serde(default)]
    pub(super) collect: Pairs<'a>,
    #[serde(default)]
    pub(super) plots: Vec<Raw<'a>>,
    pub(super) style: Option<Raw<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
pub(super) enum Values<'a> {
    List(Vec<Raw<'a>>),
    Range(Range),
    LogRange(Range),
    Seeds {
        count: u64,
        #[serde(default)]
        first: u64,
    },
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Collect {
    Count {
        kind: EventKind,
        #[serde(default)]
        bodies: Vec<String>,
    },
    Time(Nth),
    ApproachSpeed(Nth),
    Final {
        body: String,
        quantity: Quantity,
    },
    Audit(AuditFigure),
    Gas(GasFigure),
    Packing(PackingFigure),
    Met,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nth {
    pub(super) kind: EventKind,
    pub(super) nth: Option<u64>,
    pub(super) count: Option<u64>,
    #[serde(default)]
    pub(super) bodies: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plot {
    pub(super) y: String,
    pub(super) x: Option<String>,
    pub(super) lines: Option<Vec<String>>,
    pub(super) labels: Option<(String, String)>,
    pub(super) units: Option<(String, String)>,
    pub(super) scale: Option<(f64, f64)>,
    pub(super) residuals: Option<Compared>,
    #[serde(default)]
    pub(super) style: Style,
}
