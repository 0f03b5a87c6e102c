//! The swept pairs against entry and leave times computed with 60 digits, in every permutation and mirror of the axes.

use carom::sweep::Start;
use carom::sweep::box_box::box_box;
use carom::sweep::box_plane::{box_plane, box_sheet};
use carom::sweep::sphere_box::sphere_box;
use carom::sweep::sphere_plane::{sphere_plane, sphere_sheet};
use carom::sweep::sphere_sphere::sphere_sphere;

use crate::common::reference::{Expected, check, for_each};

#[test]
fn balls_meet_balls_when_sixty_digits_say() {
    for_each("sphere_sphere", |case, view| {
        let (a, b, motion) = (case.number("ra"), case.number("rb"), case.motion(view));
        let found = sphere_sphere(a, b, &motion, case.number("T"));
        check(&Expected::of(case), found, view);
        let swapped = sphere_sphere(b, a, &motion.reversed(), case.number("T"));
        assert_eq!(found.map(|f| f.enter), swapped.map(|f| f.enter), "{}", case.id);
        // The exact answer has no normal for balls that overlap at the start.
        let met = |f: &carom::sweep::Overlap| f.start != Start::Inside;
        assert_eq!(found.filter(met).map(|f| f.normal), swapped.filter(met).map(|f| -f.normal), "{}", case.id);
    });
}

#[test]
fn boxes_meet_boxes_when_sixty_digits_say() {
    for_each("aabb_aabb", |case, view| {
        let (a, b) = (view.permute(case.vector("ha")), view.permute(case.vector("hb")));
        let found = box_box(a, b, &case.motion(view), case.number("T"));
        check(&Expected::of(case), found, view);
        let swapped = box_box(b, a, &case.motion(view).reversed(), case.number("T"));
        assert_eq!(found.map(|f| (f.enter, f.leave)), swapped.map(|f| (f.enter, f.leave)), "{}", case.id);
    });
}

#[test]
fn balls_meet_boxes_when_sixty_digits_say() {
    for_each("sphere_aabb", |case, view| {
        let half = view.permute(case.vector("hb"));
        let found = sphere_box(case.number("ra"), half, &case.motion(view), case.number("T"));
        check(&Expected::of(case), found, view);
    });
}

#[test]
fn balls_meet_planes_when_sixty_digits_say() {
    for_each("sphere_plane", |case, view| {
        let (radius, plane, motion) = (case.number("ra"), case.plane(view), case.motion(view));
        check(&Expected::of(case), sphere_sheet(radius, &plane, &motion, case.number("T")), view);
        check(&Expected::half_space(case), sphere_plane(radius, &plane, &motion, case.number("T")), view);
    });
}

#[test]
fn boxes_meet_planes_when_sixty_digits_say() {
    for_each("aabb_plane", |case, view| {
        let (half, plane, motion) = (view.permute(case.vector("ha")), case.plane(view), case.motion(view));
        check(&Expected::of(case), box_sheet(half, &plane, &motion, case.number("T")), view);
        check(&Expected::half_space(case), box_plane(half, &plane, &motion, case.number("T")), view);
    });
}
