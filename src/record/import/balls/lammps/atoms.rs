//! Atoms of LAMMPS as balls.

use std::collections::BTreeSet;

use glam::DVec3;

use super::super::super::draft::{Ball, Draft, Load};
use super::super::super::error::Trouble;
use super::super::super::lines::Row;
use super::super::super::request::ImportRequest;
use super::super::parts;

/// An atom, as far as its file says.
pub(super) struct Atom {
    pub(super) row: Row,
    pub(super) id: u64,
    pub(super) kind: String,
    pub(super) position: DVec3,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
    pub(super) radius: Option<f64>,
    pub(super) load: Option<Load>,
}

/// The balls of atoms, in the order of their ids.
pub(super) fn balls(mut atoms: Vec<Atom>, request: &ImportRequest, draft: &mut Draft) -> Result<(), Trouble> {
    if atoms.is_empty() {
        return Err(Trouble::new("it has no atoms", "write them with `write_data` or `dump`"));
    }
    atoms.sort_by_key(|atom| atom.id);
    // Without ids, LAMMPS writes 0 for all.
    if let Some(two) = atoms.windows(2).find(|two| two[0].id == two[1].id && two[0].id != 0) {
        let atom = &two[1];
        return Err(atom.row.wrong(format!("the id {} is that of another atom, too", atom.id)));
    }
    let mut kinds: Vec<&str> = atoms.iter().map(|atom| atom.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let width = kinds.iter().map(|kind| kind.len()).max().filter(|_| kinds.len() > 1);
    for atom in &atoms {
        let radius = atom.radius.filter(|&radius| radius != 0.0).or(request.radius).ok_or_else(|| {
            Trouble::new(format!("atom {} has no radius", atom.id), "give all that have none the same: --radius 0.5")
        })?;
        let radius = parts::radius(radius);
        let radius =
            radius.map_err(|problem| Trouble::new(problem, "a ball has a size").at(format!("atom {}", atom.id)))?;
        draft.balls.push(Ball {
            kind: width.map(|width| format!("{:0>width$}", atom.kind)),
            radius,
            load: atom.load.unwrap_or(Load::Mass(1.0)),
            position: atom.position,
            velocity: atom.velocity,
            spin: atom.spin,
        });
    }
    let light: BTreeSet<&str> =
        atoms.iter().filter(|atom| atom.load.is_none()).map(|atom| atom.kind.as_str()).collect();
    if light.len() == kinds.len() {
        draft.missing.push("masses: the file has none, so all are 1 kg".to_owned());
    } else {
        let lost =
            light.into_iter().map(|kind| format!("the mass of the type {kind}: the file has none, so it is 1 kg"));
        draft.missing.extend(lost);
    }
    Ok(())
}

/// The name of a type, as a part of the name of a body.
pub(super) fn kind(word: &str) -> String {
    word.chars().take(40).map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect()
}
