//! Polygons of a mesh file as triangles.
//!
//! A convex polygon becomes a fan around its first corner. From any other, ears are cut off: triangles of three corners
//! in a row that contain no other corner (G. H. Meisters, *Polygons have ears*, American Mathematical Monthly 82,
//! 1975).

use glam::{DVec2, DVec3};

/// Most corners of a polygon that is not convex. Its time grows with their square.
const CORNERS_MAX: usize = 2000;

/// The triangles of a polygon with these corners, as indices into `vertices`, in the order of the polygon.
///
/// # Errors
/// In words, for a polygon that cannot be divided.
pub(super) fn triangles(corners: &[u32], vertices: &[DVec3]) -> Result<Vec<[u32; 3]>, String> {
    let fan =
        || (1..corners.len().saturating_sub(1)).map(|next| [corners[0], corners[next], corners[next + 1]]).collect();
    if corners.len() < 4 {
        return Ok(fan());
    }
    let places = flattened(corners.iter().map(|&corner| vertices[corner as usize]).collect());
    let count = places.len();
    let turn = |corner: usize| turn(places[(corner + count - 1) % count], places[corner], places[(corner + 1) % count]);
    if (0..count).all(|corner| turn(corner) >= 0.0) {
        return Ok(fan());
    }
    if count > CORNERS_MAX {
        return Err(format!("is not convex, and has more than {CORNERS_MAX} corners"));
    }
    let parts = without_ears(&places).ok_or("crosses itself, or has no surface")?;
    Ok(parts.into_iter().map(|part| part.map(|corner| corners[corner])).collect())
}

/// The corners seen along the normal of the polygon, so that it goes around counterclockwise. The normal is that of M.
/// Newell (I. Sutherland, R. Sproull, R. Schumacker, *A characterization of ten hidden-surface algorithms*, ACM
/// Computing Surveys 6, 1974); seen is the plane of two axes that it is most nearly normal to.
fn flattened(places: Vec<DVec3>) -> Vec<DVec2> {
    let next = places.iter().cycle().skip(1);
    let first = places[0];
    let normal: DVec3 = places.iter().zip(next).map(|(&from, &to)| (from - first).cross(to - first)).sum();
    let size = normal.abs();
    let seen = |place: DVec3| match size.max_element() {
        most if most == size.z => (DVec2::new(place.x, place.y), normal.z),
        most if most == size.y => (DVec2::new(place.z, place.x), normal.y),
        _ => (DVec2::new(place.y, place.z), normal.x),
    };
    let upright = |(place, along): (DVec2, f64)| if along < 0.0 { DVec2::new(place.y, place.x) } else { place };
    places.into_iter().map(|place| upright(seen(place - first))).collect()
}

/// Twice the area of a triangle; positive if it goes around counterclockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The polygon as triangles, by cutting off one ear after the other; `None` if there is none left.
fn without_ears(places: &[DVec2]) -> Option<Vec<[usize; 3]>> {
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut parts = Vec::with_capacity(places.len());
    let mut from = 0;
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).map(|step| (from + step) % count).find(|&corner| is_ear(&left, corner, places))?;
        let around = [(ear + count - 1) % count, ear, (ear + 1) % count];
        parts.push(around.map(|corner| left[corner]));
        left.remove(ear);
        // The next ear is looked for from here on, so that the triangles are no needles around one corner.
        from = ear % left.len();
    }
    let last = [left[0], left[1], left[2]];
    let [a, b, c] = last.map(|corner| places[corner]);
    parts.push(last);
    // If the polygon crosses itself, what is left may go around the other way.
    (turn(a, b, c) >= 0.0).then_some(parts)
}

/// Whether the triangle at a corner can be cut off: no other corner lies in it.
fn is_ear(left: &[usize], corner: usize, places: &[DVec2]) -> bool {
    let count = left.len();
    let [a, b, c] = [(corner + count - 1) % count, corner, (corner + 1) % count].map(|corner| places[left[corner]]);
    let is_inside = |place: DVec2| {
        // A corner that two parts of the polygon share is not in the way.
        place != a
            && place != b
            && place != c
            && turn(a, b, place) >= 0.0
            && turn(b, c, place) >= 0.0
            && turn(c, a, place) >= 0.0
    };
    turn(a, b, c) > 0.0 && !left.iter().any(|&other| is_inside(places[other]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(parts: &[[u32; 3]], vertices: &[DVec3]) -> (DVec3, f64) {
        let areas = parts.iter().map(|part| {
            let [a, b, c] = part.map(|corner| vertices[corner as usize]);
            0.5 * (b - a).cross(c - a)
        });
        areas.fold((DVec3::ZERO, 0.0), |(sum, size), area| (sum + area, size + area.length()))
    }

    /// If the sum of all areas as vectors is as large as their sum as numbers, no two triangles overlap.
    #[test]
    fn triangles_cover_a_polygon_once_in_every_view() {
        let outlines: [(&[[f64; 2]], f64); 6] = [
            (&[[-2.0, 2.0], [-1.0, 0.0], [-2.0, -2.0], [2.0, 0.0]], 6.0),
            (&[[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]], 6.0),
            (&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 1.0),
            // A comb, and a square with a hole that is joined to its edge by a slit.
            (&[[0.0, 0.0], [5.0, 0.0], [5.0, 2.0], [4.0, 0.5], [3.0, 2.0], [2.0, 0.5], [1.0, 2.0], [0.0, 0.5]], 6.25),
            (
                &[
                    [0.0, 0.0],
                    [3.0, 0.0],
                    [3.0, 3.0],
                    [0.0, 3.0],
                    [0.0, 0.0],
                    [1.0, 1.0],
                    [1.0, 2.0],
                    [2.0, 2.0],
                    [2.0, 1.0],
                    [1.0, 1.0],
                ],
                8.0,
            ),
            // Corners on a line.
            (&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]], 3.0),
        ];
        for (outline, wanted) in outlines {
            for view in 0..48 {
                let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][view / 8];
                let vertices: Vec<DVec3> = outline
                    .iter()
                    .map(|&[x, y]| {
                        let place = [x, y, 0.25 * x - 0.5 * y];
                        DVec3::from([0, 1, 2].map(|axis: usize| {
                            if view >> axis & 1 == 1 { -place[order[axis]] } else { place[order[axis]] }
                        }))
                    })
                    .collect();
                for start in 0..outline.len() as u32 {
                    let count = outline.len() as u32;
                    let corners: Vec<u32> = (0..count).map(|corner| (start + corner) % count).collect();
                    let parts = triangles(&corners, &vertices).unwrap();
                    let (sum, size) = area(&parts, &vertices);
                    let tilted = wanted * (1.0_f64 + 0.0625 + 0.25).sqrt();
                    assert!(
                        (size - tilted).abs() < 1e-12 && (sum.length() - tilted).abs() < 1e-12,
                        "{outline:?} {view} {start}: {size} {sum}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_crosses_itself_is_refused() {
        let vertices = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.1]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let error = triangles(&[0, 1, 2, 3], &vertices).unwrap_err();
        assert!(error.contains("crosses itself"), "{error}");
    }
}
