//! A series of frames: `spheres.pvd` and `solids.pvd` name the files of each instant, and `fixed.vtp` has the bodies
//! that never move.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::poly_data::{About, PolyData};
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::record::export::pen::Pen;
use crate::record::export::roster::{Member, Roster};
use crate::record::export::surface::{Surface, View};
use crate::record::files::WriteError;
use crate::world::World;

const SPHERES: &str = "spheres";
const SOLIDS: &str = "solids";
const FIXED: &str = "fixed";

/// A folder of frames that is being written.
pub(crate) struct Vtk {
    folder: PathBuf,
    times: Vec<SimTime>,
    /// Whether any frame has balls, and whether any has other solids that move.
    has: [bool; 2],
    /// The region to which planes are cut, from the first frame on.
    view: Option<View>,
}

/// Whether carom gives a file or folder this name in an export to VTK.
pub fn is_series_file(name: &str) -> bool {
    [SPHERES, SOLIDS].iter().any(|&series| name == series || name.strip_suffix(".pvd") == Some(series))
        || name.strip_suffix(".vtp") == Some(FIXED)
}

impl Vtk {
    pub(crate) fn begin(place: &Path) -> Result<Self, WriteError> {
        for folder in [place.to_owned(), place.join(SPHERES), place.join(SOLIDS)] {
            fs::create_dir(&folder).map_err(|source| WriteError { file: folder, source })?;
        }
        Ok(Self { folder: place.to_owned(), times: Vec::new(), has: [false; 2], view: None })
    }

    pub(crate) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), WriteError> {
        let view = match self.view {
            Some(view) => view,
            None => *self.view.insert(View::of(world, roster)),
        };
        let frame = self.times.len();
        let [mut balls, mut solids, mut fixed] = [false, true, true].map(PolyData::new);
        for member in roster.members.iter().filter(|member| world.is_present(member.id)) {
            match member.shape {
                Shape::Sphere(_) => balls.add([world.state(member.id).position], about(world, member)),
                _ if member.is_static && frame > 0 => {}
                _ => add(if member.is_static { &mut fixed } else { &mut solids }, world, member, &view),
            }
        }
        let time = world.now();
        self.times.push(time);
        self.has = [self.has[0] | !balls.is_empty(), self.has[1] | !solids.is_empty()];
        self.write(&file_of(SPHERES, frame), &balls.text(time))?;
        self.write(&file_of(SOLIDS, frame), &solids.text(time))?;
        if !fixed.is_empty() {
            self.write(&format!("{FIXED}.vtp"), &fixed.text(time))?;
        }
        Ok(())
    }

    /// Writes the lists. A series without any body is left out.
    pub(crate) fn finish(self) -> Result<(), WriteError> {
        for (series, has) in [SPHERES, SOLIDS].into_iter().zip(self.has) {
            if !has {
                let folder = self.folder.join(series);
                fs::remove_dir_all(&folder).map_err(|source| WriteError { file: folder, source })?;
                continue;
            }
            let mut text =
                String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
            for (frame, time) in self.times.iter().enumerate() {
                let file = file_of(series, frame);
                // Writing into a string cannot fail.
                let _ = writeln!(text, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{file}\"/>");
            }
            text.push_str("</Collection>\n</VTKFile>\n");
            self.write(&format!("{series}.pvd"), &text)?;
        }
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), WriteError> {
        let mut pen = Pen::create(&self.folder.join(name))?;
        pen.put(text.as_bytes())?;
        pen.finish()
    }
}

fn file_of(series: &str, frame: usize) -> String {
    format!("{series}/{frame:06}.vtp")
}

fn about(world: &World, member: &Member) -> About {
    let state = world.state(member.id);
    let radius = if let Shape::Sphere(radius) = member.shape { radius.get() } else { 0.0 };
    let is_sensor = member.is_sensor;
    About { id: member.id.0, is_sensor, radius, velocity: state.velocity, spin: state.spin }
}

fn add(data: &mut PolyData, world: &World, member: &Member, view: &View) {
    let (about, position) = (about(world, member), world.state(member.id).position);
    let Surface { corners, polygons } = Surface::of(&member.shape, &view.seen_from(position));
    for polygon in polygons {
        data.add(polygon.iter().map(|&row| position + corners[row as usize]), about);
    }
}
