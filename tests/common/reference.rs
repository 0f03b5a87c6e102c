//! Compares the answers of the swept pairs with the entry and leave times of a case.
//!
//! The error allowed for a time is the change of that time if the inputs change norm-wise by K ulps:
//! `2 min(K s/|vn|, √(2 K s/|curv|)) + 4 ε t`. Here s is the norm-wise ulp of the separation, vn its slope and curv its
//! curvature. If the least separation over the window is below K ulps, a hit and a miss are both right.

use carom::motion::Relative;
use carom::sweep::{Overlap, Start};
use glam::DVec3;
use serde_json::Value;

use super::corpus::{Case, K, View, cases, decimal, time_slack};

impl Case {
    /// The motion of b relative to a.
    pub(crate) fn motion(&self, view: View) -> Relative {
        let difference = |b, a| view.turn(self.vector(b) - self.vector(a));
        Relative {
            position: difference("pb", "pa"),
            velocity: difference("vb", "va"),
            acceleration: difference("ab", "aa"),
        }
    }
}

/// The conditioning of a time if the file does not give it, as for some crossings of a plane.
fn plane_conditioning(case: &Case, t: f64) -> [f64; 3] {
    let [p, v, a, n] = ["pa", "va", "aa", "n"].map(|key| case.vector(key));
    let size = case.input["ra"].as_f64().unwrap_or(case.vector("ha").abs().max_element());
    let max = |v: DVec3| v.abs().max_element();
    let norm = max(p) + t * max(v) + 0.5 * t * t * max(a) + size + case.number("d").abs();
    [n.dot(v + a * t), n.dot(a), f64::EPSILON * norm]
}

/// The expected answer for one case. A plane is either a sheet or a half-space.
pub(crate) struct Expected<'a> {
    case: &'a Case,
    class: &'a str,
    enter: f64,
    leave: f64,
    normal: bool,
}

impl<'a> Expected<'a> {
    pub(crate) fn of(case: &'a Case) -> Self {
        Self { case, class: case.class(), enter: case.decimal("t_enter"), leave: case.decimal("t_leave"), normal: true }
    }

    /// The expected answer if the plane is a solid half-space.
    pub(crate) fn half_space(case: &'a Case) -> Self {
        let row = &case.out["hs"];
        Self { case, class: row[0].as_str().unwrap(), enter: decimal(&row[1]), leave: decimal(&row[2]), normal: false }
    }

    fn undecided(&self) -> bool {
        let touches = matches!(self.class, "slide" | "touch_resting" | "touch_separating" | "graze");
        // Bodies with a combined size of zero have no interior that can overlap: a miss is right too.
        let degenerate = self.case.out["degenerate"] == Value::Bool(true);
        let vague = degenerate || touches && self.case.out["dy"] != Value::Bool(true);
        vague || self.class == "graze" || self.case.out["vu"].as_f64().unwrap() < K
    }

    fn starts_in_touch(&self) -> bool {
        self.case.out["s0u"].as_f64().unwrap().abs() < K
    }
}

/// Compares one answer with the expected one.
pub(crate) fn check(expected: &Expected, found: Option<Overlap>, view: View) {
    let context = format!(
        "{} {:?}: {} [{}, {}], found {found:?}",
        expected.case.id, view, expected.class, expected.enter, expected.leave
    );
    let answers = matches!(expected.class, "hit" | "overlap" | "touch_approach");
    let Some(found) = found else {
        assert!(!answers || expected.undecided(), "missed: {context}");
        return;
    };
    if !answers {
        assert!(expected.undecided(), "false hit: {context}");
        return;
    }
    match found.start {
        Start::Inside => assert!(expected.class == "overlap" || expected.starts_in_touch(), "{context}"),
        Start::Touching => assert!(expected.class == "touch_approach" || expected.starts_in_touch(), "{context}"),
        Start::Apart => assert!(expected.class == "hit" || expected.starts_in_touch(), "{context}"),
    }
    check_times(expected, &found, &context);
    if expected.normal && found.start != Start::Inside && expected.class != "overlap" {
        check_normal(expected.case, &found, view, &context);
    }
}

fn check_times(expected: &Expected, found: &Overlap, context: &str) {
    let out = &expected.case.out;
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    // The path enters or leaves the half-space at one of its crossings of the sheet. The file gives their conditioning.
    let at_enter = [number(&out["vn"]), number(&out["curv"]), number(&out["s_norm"])];
    let at_leave = [0, 1, 2].map(|k| number(&out["leave"][k]));
    let own = |time: f64| if same(time, expected.case.decimal("t_leave")) { at_leave } else { at_enter };
    for (time, wanted) in [(found.enter, expected.enter), (found.leave, expected.leave)] {
        if same(time, wanted) {
            continue;
        }
        let given = own(wanted);
        let conditioning = if given[2] > 0.0 { given } else { plane_conditioning(expected.case, wanted) };
        let slack = time_slack(conditioning, wanted);
        let [vn, curv, s] = conditioning;
        // The answer may miss a gap that opens by less than K ulps and closes again.
        let bare_gap = curv < 0.0 && vn * vn / (2.0 * -curv) < K * s;
        if bare_gap && time == found.leave && time > wanted {
            continue;
        }
        assert!((time - wanted).abs() <= slack, "off by {:e}, allowed {slack:e}: {context}", time - wanted);
    }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 4.0 * f64::EPSILON * b.abs()
}

fn check_normal(case: &Case, found: &Overlap, view: View, context: &str) {
    let wanted = -case.normal(view);
    // The error of the normal is the error of the contact point over the radius of curvature. The error along the path
    // is that of the time, and each coordinate may be off by K ulps.
    let out = &case.out;
    let [vn, curv, s, speed] = ["vn", "curv", "s_norm", "speed"].map(|key| out[key].as_f64().unwrap());
    let radius = out["R"].as_f64().unwrap_or(f64::INFINITY);
    let time = time_slack([vn, curv, s], found.enter);
    let slack = (K * s + speed * time) / radius + K * f64::EPSILON;
    if (found.normal - wanted).length() <= slack {
        return;
    }
    assert!(
        case.is_tied(-found.normal, view, time),
        "normal {} for {wanted}, allowed {slack:e}: {context}",
        found.normal
    );
}

/// Checks every case of `kind`, for straight and for ballistic motion, in every view.
pub(crate) fn for_each(kind: &str, check_case: impl Fn(&Case, View)) {
    for kind in [kind.to_owned(), format!("{kind}_bal")] {
        let cases = cases(&kind);
        assert!(cases.len() > 100, "{kind}");
        for case in &cases {
            View::all().for_each(|view| check_case(case, view));
        }
    }
}
