//! Slides, with names.

use glam::DVec3;

use super::{Filter, Hit};
use crate::dynamics::query::{Inside, Slide, SlideOptions, SlideShape, SweepHit};
use crate::world::World;

impl World {
    /// Where a ball or a box comes to that begins at `from`, m, moves by `motion`, m, and slides along what blocks it:
    /// the movement of a character, a cursor or a camera.
    ///
    /// It is a query: nothing in the world moves. The shape goes where a free body without gravity, restitution and
    /// friction would go, and there is no skin and no margin around it:
    ///
    /// | the shape | it |
    /// |---|---|
    /// | meets a body | loses the part of its motion into it, and slides along its surface |
    /// | meets a second one | slides along the edge of the two; at the corner of three it stops |
    /// | touches bodies at the start | slides on them; an overlap of some spacings of its coordinates counts as touching |
    /// | passes exactly between two bodies | is not stopped |
    /// | meets two boxes side by side | slides over their seam |
    /// | meets the edge or corner of a box exactly | slides along the face that it approaches more slowly |
    ///
    /// Kinematic bodies move during `duration`, s: the one that it stands on carries it, and others push it. If that is
    /// not more than 0, they stand still, as do all other bodies; more than 2⁴² s, the longest on the clock, counts as
    /// that. A body of the world that is the shape itself has to be left out by the filter. [`SlideOptions`] have
    /// steps, slopes, a snap to the floor and one-way bodies. With a number that is NaN or infinite it stays.
    ///
    /// In a periodic space `to` may lie outside of the periodic cell. Along each axis the shape meets at most seven
    /// images of a kinematic body, those nearest to it. What stands still it meets before it has crossed
    /// [`BORDERS_MAX`](crate::BORDERS_MAX) borders of cells; 2³⁰ periods from the cell, or farther, only half-spaces.
    ///
    /// Squeezed, or after [`SLIDE_HITS_MAX`](crate::SLIDE_HITS_MAX) hits, it stops, and `is_stuck` says so.
    ///
    /// # Errors
    /// [`Inside`], if the shape overlaps a body at the start; with the way out.
    ///
    /// ```
    /// use carom::geometry::HalfExtents;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Filter, Settings, SlideOptions, World};
    ///
    /// let wall = Body::cuboid(DVec3::new(0.5, 8.0, 2.0), 1.0).unwrap().fixed().at(DVec3::new(4.0, 0.0, 2.0));
    /// let bodies = [("floor", Body::plane(DVec3::Z, 0.0).unwrap()), ("wall", wall)];
    /// let world = World::new(Settings::default(), bodies).unwrap();
    /// // A hero of 1 m by 1 m by 2 m goes 6 m along x, 3 m along y, and is pressed down.
    /// let hero = HalfExtents::new(DVec3::new(0.5, 0.5, 1.0)).unwrap();
    /// let motion = DVec3::new(6.0, 3.0, -1.0);
    /// let slide = world.slide(hero, DVec3::Z, motion, 0.0, &Filter::ALL, &SlideOptions::default()).unwrap();
    /// assert_eq!(slide.to, DVec3::new(3.0, 3.0, 1.0));
    /// assert_eq!(slide.onward, DVec3::Y * 3.0);
    /// assert_eq!(slide.hits.iter().map(|hit| (hit.name, hit.t)).collect::<Vec<_>>(), [("floor", 0.0), ("wall", 0.5)]);
    /// assert!(slide.on_floor() && slide.on_wall() && !slide.on_ceiling());
    /// ```
    #[doc(alias = "move_and_slide")]
    pub fn slide(
        &self,
        shape: impl Into<SlideShape>,
        from: DVec3,
        motion: DVec3,
        duration: f64,
        filter: &Filter<'_>,
        options: &SlideOptions<'_>,
    ) -> Result<Slide<Hit<'_, SweepHit>>, Inside> {
        let slide = self.stepper.slide(shape.into(), [from, motion], duration, &self.sight(filter), options)?;
        Ok(slide.map(|hit| self.told(hit.spot.body, hit)))
    }
}
