//! A ball and a triangle in motion against entry and leave times computed with 60 digits, in every permutation and
//! mirror of the axes and every order of the vertices.

mod common;

use carom::geometry::Triangle;
use carom::sweep::sphere_triangle::{normal_at_entry, pieces, sphere_triangle};
use common::reference::{Case, Expected, View, check, for_each};

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn triangles(case: &Case, view: View) -> impl Iterator<Item = Triangle> {
    let vertices = ["v0", "v1", "v2"].map(|key| view.turn(case.vector(key)));
    ORDERS.into_iter().map(move |[a, b, c]| Triangle { a: vertices[a], b: vertices[b], c: vertices[c] })
}

#[test]
fn spheres_and_triangles() {
    for_each("sphere_tri", |case, view| {
        let (radius, motion) = (case.number("ra"), case.motion(view));
        for triangle in triangles(case, view) {
            let found = sphere_triangle(radius, &triangle, &motion, case.number("T"));
            check(&Expected::of(case), found, view);
            let Some(found) = found else { continue };
            let all = pieces(radius, &triangle, &motion);
            let first = all.as_slice().iter().find(|piece| piece.leave > 0.0).unwrap();
            assert_eq!((first.enter.max(0.0), first.leave), (found.enter, found.leave), "{}", case.id);
            assert_eq!(normal_at_entry(radius, &triangle, &motion, found.enter), found.normal, "{}", case.id);
        }
    });
}
