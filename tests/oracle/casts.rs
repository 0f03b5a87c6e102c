//! The casts of the oracle: answers that are right by another way, and judgements that find what is wrong.

use std::fs;

use carom::glam::DVec3;
use carom::oracle::{Cast, CastShape, casts};

use super::program::carom;

/// The distance between the surfaces, m; less than 0 where they overlap.
fn separation(cast: &Cast, fraction: f64) -> f64 {
    let between = cast.from - cast.at + cast.motion * fraction;
    let (mut half, mut radius) = (DVec3::ZERO, 0.0);
    for shape in [cast.shape, cast.target] {
        match shape {
            CastShape::Point => {}
            CastShape::Ball(own) => radius += own,
            CastShape::Cuboid(own) => half += own,
        }
    }
    let beyond = between.abs() - half;
    if beyond.max_element() <= 0.0 { beyond.max_element() - radius } else { beyond.max(DVec3::ZERO).length() - radius }
}

/// The first fraction at which the shapes touch. The separation is a convex function of the fraction, so its least
/// value is found by thirds, and its first root by halves.
fn first_touch(cast: &Cast) -> Option<f64> {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..300 {
        let third = (high - low) / 3.0;
        let [one, other] = [low + third, high - third];
        if separation(cast, one) < separation(cast, other) { high = other } else { low = one }
    }
    let (mut before, mut after) = (0.0, if separation(cast, 1.0) < 0.0 { 1.0 } else { high });
    if separation(cast, after) >= 0.0 {
        return None;
    }
    for _ in 0..200 {
        let middle = 0.5 * (before + after);
        if separation(cast, middle) > 0.0 { before = middle } else { after = middle }
    }
    Some(after)
}

#[test]
fn answers_are_those_of_a_search_by_halves() {
    let casts = casts();
    assert!(casts.len() > 1000);
    for cast in &casts {
        let (found, wanted) = (cast.hit(), first_touch(cast));
        assert_eq!(found.is_some(), wanted.is_some(), "{cast:?}");
        let (Some(found), Some(wanted)) = (found, wanted) else { continue };
        // The search knows the separation to the rounding of the largest length.
        let largest = (cast.from - cast.at).length() + cast.motion.length();
        let off = (found.fraction - wanted).abs() * cast.motion.length();
        assert!(off <= 1e-14 * largest, "{cast:?}: {off} m");
        let is_unit = (found.normal.length() - 1.0).abs() < 1e-12;
        assert!(is_unit && found.normal.dot(cast.motion) < 0.0, "{cast:?}: {found:?}");
    }
}

/// Answers to all casts, after a change of each.
fn answers(change: impl Fn(&Cast, &mut Option<f64>, &mut DVec3)) -> String {
    let mut text = "cast,hit,fraction,nx,ny,nz\n".to_owned();
    for cast in casts() {
        let (mut fraction, mut normal) = cast.hit().map_or((None, DVec3::ZERO), |hit| (Some(hit.fraction), hit.normal));
        change(&cast, &mut fraction, &mut normal);
        let [x, y, z] = normal.to_array();
        let told = fraction.map_or("0,".to_owned(), |fraction| format!("1,{fraction:?}"));
        text += &format!("{},{told},{x:?},{y:?},{z:?}\n", cast.name);
    }
    text
}

#[test]
fn wrong_answers_are_found_in_their_groups() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows: [(&str, String, i32, &str); 7] = [
        ("right", answers(|_, _, _| {}), 0, "passed\n"),
        (
            "no rays",
            answers(|_, _, _| {}).lines().filter(|line| !line.contains("_ray_")).collect::<Vec<_>>().join("\n"),
            0,
            "casts without an answer",
        ),
        (
            "a skin of 2 cm",
            answers(|cast, fraction, _| {
                *fraction = fraction.map(|fraction| fraction - 0.02 / cast.motion.length());
            }),
            1,
            "failed: 39 of 42 groups",
        ),
        (
            "a hit too many",
            answers(|cast, fraction, _| {
                if cast.name == "near_1e-6_box_box_2" {
                    *fraction = Some(0.0);
                }
            }),
            1,
            "failed: 1 of 42 groups",
        ),
        (
            "a normal inwards",
            answers(|cast, _, normal| {
                if cast.name == "thin_1e-6_ray_box_1" {
                    *normal = -*normal;
                }
            }),
            1,
            "failed: 1 of 42 groups",
        ),
        (
            "twice",
            "cast,hit,fraction\nscale_1e0_ray_ball_1,0,\nscale_1e0_ray_ball_1,0,\n".to_owned(),
            2,
            "has an answer already",
        ),
        ("unknown", "cast,hit,fraction\nscale_ray,0,\n".to_owned(), 2, "line 2, column `cast`: there is no cast"),
    ];
    for (title, table, code, said) in rows {
        fs::write(folder.join("theirs.csv"), table).unwrap();
        let done = carom(folder, &["oracle", "casts", "theirs.csv"]);
        let all = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{title}: {all}");
        assert!(all.contains(said), "{title}: {all}");
    }
    fs::write(folder.join("theirs.csv"), answers(|_, _, _| {})).unwrap();
    let json = carom(folder, &["oracle", "casts", "theirs.csv", "--within", "1e-9", "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&told["schema"], &told["within"], &told["passed"]), (&1.into(), &1e-9.into(), &true.into()));
    let group = &told["groups"][0];
    assert_eq!((&group["group"], &group["casts"], &group["wrong"]), (&"scale 1e-6".into(), &36.into(), &().into()));
}

#[test]
fn the_table_of_casts_has_every_cast_once() {
    let folder = tempfile::tempdir().unwrap();
    let table = String::from_utf8(carom(folder.path(), &["oracle", "casts"]).stdout).unwrap();
    let mut lines = table.lines();
    let columns = lines.next().unwrap().split(',').count();
    let names: Vec<&str> = lines.inspect(|line| assert_eq!(line.split(',').count(), columns)).collect();
    assert_eq!(names.len(), casts().len());
    let mut unique: Vec<&str> = names.iter().map(|line| line.split(',').next().unwrap()).collect();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}
