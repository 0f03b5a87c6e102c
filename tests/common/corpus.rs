//! The reference cases in `tests/cases/*.jsonl`, one per line, and the views in which each case is tested.

use std::fs;

use carom::geometry::Plane;
use glam::DVec3;
use serde_json::Value;

/// An answer is right if a norm-wise change of the inputs by at most this many ulps explains it.
pub(crate) const K: f64 = 16.0;

/// A signed permutation of the axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) order: [usize; 3],
    pub(crate) sign: DVec3,
}

impl View {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let signs =
            (0..8).map(|bits| DVec3::from_array([0, 1, 2].map(|k| if bits >> k & 1 == 0 { 1.0 } else { -1.0 })));
        signs.flat_map(move |sign| orders.map(|order| Self { order, sign }))
    }

    pub(crate) fn turn(&self, v: DVec3) -> DVec3 {
        self.permute(v) * self.sign
    }

    pub(crate) fn permute(&self, v: DVec3) -> DVec3 {
        DVec3::from_array(self.order.map(|k| v[k]))
    }
}

/// The exact inputs of a case, the expected answer, and the conditioning of that answer.
pub(crate) struct Case {
    pub(crate) input: Value,
    pub(crate) out: Value,
    pub(crate) id: String,
}

pub(crate) fn cases(kind: &str) -> Vec<Case> {
    let text = fs::read_to_string(format!("tests/cases/{kind}.jsonl")).unwrap();
    let parse = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        Case { input: row["in"].take(), out: row["out"].take(), id: row["id"].as_str().unwrap().to_owned() }
    };
    text.lines().map(parse).collect()
}

impl Case {
    pub(crate) fn vector(&self, key: &str) -> DVec3 {
        let value = &self.input[key];
        if value.is_null() { DVec3::ZERO } else { DVec3::from_array([0, 1, 2].map(|k| value[k].as_f64().unwrap())) }
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.input[key].as_f64().unwrap()
    }

    pub(crate) fn plane(&self, view: View) -> Plane {
        let (normal, offset) = (view.turn(self.vector("n")), self.number("d"));
        let plane = Plane::new(normal, offset).unwrap();
        assert_eq!((plane.normal(), plane.offset()), (normal, offset), "{}: a unit normal is kept", self.id);
        plane
    }

    pub(crate) fn decimal(&self, key: &str) -> f64 {
        decimal(&self.out[key])
    }

    pub(crate) fn class(&self) -> &str {
        self.out["cls"].as_str().unwrap()
    }

    /// The contact normal in the file, from b to a, turned into a view.
    pub(crate) fn normal(&self, view: View) -> DVec3 {
        vector(&self.out["normal"], view)
    }

    /// Whether `normal` is an equally valid normal: its axis is entered at the same time as the first, or within `time`
    /// of it.
    pub(crate) fn is_tied(&self, normal: DVec3, view: View, time: f64) -> bool {
        let tied = self.out["normals_ok"].as_array().is_some_and(|ties| ties.iter().any(|t| vector(t, view) == normal));
        let axis = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap();
        let near = self.out["near_ties"].as_array().is_some_and(|ties| {
            ties.iter().any(|tie| view.order[axis] as u64 == tie[0].as_u64().unwrap() && component(&tie[1]) <= time)
        });
        tied || near
    }
}

/// The error allowed for a time: 2 min(K s/|vn|, √(2 K s/|curv|)) + 4 ε t.
pub(crate) fn time_slack([vn, curv, s]: [f64; 3], time: f64) -> f64 {
    2.0 * (K * s / vn.abs()).min((2.0 * K * s / curv.abs()).sqrt()) + 4.0 * f64::EPSILON * time.abs()
}

/// A number written as a string; NaN if the value is not a string.
pub(crate) fn decimal(value: &Value) -> f64 {
    value.as_str().map_or(f64::NAN, |text| text.parse().unwrap())
}

fn component(value: &Value) -> f64 {
    value.as_str().map_or_else(|| value.as_f64().unwrap(), |text| text.parse().unwrap())
}

fn vector(value: &Value, view: View) -> DVec3 {
    view.turn(DVec3::from_array([0, 1, 2].map(|k| component(&value[k]))))
}
