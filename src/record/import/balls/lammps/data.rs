//! Data files: a header with the box, and sections of atoms, velocities and masses.

use std::collections::BTreeMap;

use glam::DVec3;

use super::super::super::draft::{Draft, Load};
use super::super::super::error::Trouble;
use super::super::super::lines::{Lines, Row, short};
use super::super::super::request::ImportRequest;
use super::super::parts;
use super::atoms::{Atom, balls};

const REMEDY: &str = "wanted is a data file as `write_data` writes it, of an atom style with a position: sphere, atomic, bond, angle, molecular, charge or full";

/// The sections that are read.
const SECTIONS: [&str; 4] = ["Atoms", "Velocities", "Masses", "Atom Type Labels"];

/// The words before the position of an atom, after its id, by style: the type, or else a molecule or a charge.
const STYLES: [(&str, &[Word]); 7] = [
    ("sphere", &[Word::Kind, Word::Diameter, Word::Density]),
    ("atomic", &[Word::Kind]),
    ("bond", &[Word::Other, Word::Kind]),
    ("angle", &[Word::Other, Word::Kind]),
    ("molecular", &[Word::Other, Word::Kind]),
    ("charge", &[Word::Kind, Word::Other]),
    ("full", &[Word::Other, Word::Kind, Word::Other]),
];

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Kind,
    Diameter,
    Density,
    Other,
}

#[derive(Default)]
struct Data {
    /// The number of atoms of the header, and its line.
    count: Option<(usize, Row)>,
    /// The number of their types.
    types: Option<usize>,
    /// The numbers of types by their labels.
    labels: BTreeMap<String, String>,
    ends: [Option<[f64; 2]>; 3],
    atoms: Vec<Atom>,
    velocities: BTreeMap<u64, [DVec3; 2]>,
    masses: BTreeMap<String, f64>,
    style: String,
    unread: Vec<String>,
}

pub(super) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let mut lines = Lines::new(bytes, REMEDY)?;
    // The first line is a comment.
    lines.next();
    let mut data = Data::default();
    let mut section = String::new();
    while let Some(line) = lines.next() {
        let (content, comment) = line.split_once('#').unwrap_or((line, ""));
        let words: Vec<&str> = content.split_whitespace().collect();
        if is_section(&words) {
            section = words.join(" ");
            if section == "Atoms" {
                data.style = comment.split_whitespace().next().unwrap_or_default().to_owned();
            } else if !SECTIONS.contains(&&*section) {
                data.unread.push(section.clone());
            }
        } else if !words.is_empty() {
            data.put(&lines, &section, &words)?;
        }
    }
    data.draft(request)
}

/// Whether a line begins a section: words, and no number among them.
fn is_section(words: &[&str]) -> bool {
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    words.first().is_some_and(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        && !words.iter().any(is_number)
}

impl Data {
    /// Takes in a line of a section; that without a name is the header.
    fn put(&mut self, lines: &Lines<'_>, section: &str, words: &[&str]) -> Result<(), Trouble> {
        let real = |at: usize, wanted: &str| lines.row.real(words.get(at).copied(), wanted);
        let whole = |wanted: &str| lines.row.whole(words.first().copied(), wanted);
        let id = || whole("the id").map(|id| id as u64);
        let vector = |from: usize, wanted: &str| -> Result<DVec3, Trouble> {
            Ok(DVec3::new(real(from, wanted)?, real(from + 1, wanted)?, real(from + 2, wanted)?))
        };
        match section {
            "" => {
                match words[1..] {
                    ["atoms"] => self.count = Some((whole("the number of atoms")?, lines.row)),
                    ["atom", "types"] => self.types = Some(whole("the number of types")?),
                    _ => {}
                }
                let axis = ["xlo", "ylo", "zlo"].iter().position(|&word| words.get(2) == Some(&word));
                if let Some(axis) = axis {
                    self.ends[axis] = Some([real(0, "the lower end")?, real(1, "the upper end")?]);
                }
                let is_tilted = words.get(3) == Some(&"xy") && (vector(0, "a tilt")? != DVec3::ZERO);
                if is_tilted || words.contains(&"avec") {
                    return Err(lines.row.wrong("the box is not at right angles, and periods of a scenario are"));
                }
            }
            "Atoms" => {
                let atom = self.atom(lines, words, id()?)?;
                self.atoms.push(atom);
            }
            "Velocities" => {
                let spin = if self.style == "sphere" && words.len() >= 7 { vector(4, "a spin")? } else { DVec3::ZERO };
                self.velocities.insert(id()?, [vector(1, "a velocity")?, spin]);
            }
            "Masses" => {
                self.masses.insert(self.kind(lines.row, words[0])?, real(1, "a mass")?);
            }
            "Atom Type Labels" => {
                let label = words.get(1).ok_or_else(|| lines.row.wrong("a type has a number and a label"))?;
                self.labels.insert((*label).to_owned(), words[0].to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// The number of a type, which a word is or is a label of.
    fn kind(&self, row: Row, word: &str) -> Result<String, Trouble> {
        let number = self.labels.get(word).map_or(word, String::as_str).parse().ok();
        let known = number.filter(|number| (1..=self.types.unwrap_or(usize::MAX)).contains(number));
        known.map(|number| number.to_string()).ok_or_else(|| {
            let range = self.types.map_or_else(|| "1 or more".to_owned(), |most| format!("1 to {most}"));
            row.wrong(format!("the type must be {range}, or a label of the file, found `{}`", short(word)))
        })
    }

    fn atom(&mut self, lines: &Lines<'_>, words: &[&str], id: u64) -> Result<Atom, Trouble> {
        if self.style.is_empty() {
            self.style = match words.len() {
                5 | 8 => "atomic",
                6 | 9 => "molecular",
                _ => "sphere",
            }
            .to_owned();
        }
        let known = STYLES.iter().find(|style| style.0 == self.style);
        let (_, before) = known
            .ok_or_else(|| lines.row.wrong(format!("atoms of the style `{}` are not read", short(&self.style))))?;
        let first = 1 + before.len();
        if words.len() < first + 3 {
            let problem = format!("{} words wanted, for the style {}, {} found", first + 3, self.style, words.len());
            return Err(lines.row.wrong(problem));
        }
        let at = |word: Word| before.iter().position(|&known| known == word).map(|at| words[1 + at]);
        let value = |word: Word, wanted: &str| at(word).map(|text| lines.row.real(Some(text), wanted)).transpose();
        let place = |axis: usize| lines.row.real(Some(words[first + axis]), ["x", "y", "z"][axis]);
        Ok(Atom {
            row: lines.row,
            id,
            kind: self.kind(lines.row, at(Word::Kind).unwrap_or_default())?,
            position: DVec3::new(place(0)?, place(1)?, place(2)?),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            radius: value(Word::Diameter, "the diameter")?.map(|diameter| diameter / 2.0),
            load: value(Word::Density, "the density")?.map(Load::Density),
        })
    }

    fn draft(mut self, request: &ImportRequest) -> Result<Draft, Trouble> {
        if let Some((count, row)) = self.count.filter(|(count, _)| *count != self.atoms.len()) {
            let found = self.atoms.len();
            return Err(row.wrong(format!("the header says {count} atoms, and the section Atoms has {found}")));
        }
        let mut draft = Draft::default();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let ends =
                self.ends[axis].ok_or_else(|| Trouble::new(format!("it has no line `{name}lo {name}hi`"), REMEDY))?;
            draft.space[axis] = parts::period(request, axis, ends, REMEDY)?;
        }
        for atom in &mut self.atoms {
            if let Some([velocity, spin]) = self.velocities.get(&atom.id) {
                (atom.velocity, atom.spin) = (*velocity, *spin);
            }
            atom.load = atom.load.or_else(|| self.masses.get(&atom.kind).map(|&mass| Load::Mass(mass)));
        }
        balls(self.atoms, request, &mut draft)?;
        parts::open_narrow(&mut draft);
        draft.notes.push(format!("atoms of the style {}", self.style));
        if draft.space.iter().any(Option::is_some) {
            draft
                .notes
                .push("a data file does not say which axes are periodic; --open z says that z is not".to_owned());
        }
        draft.missing.extend(self.unread.into_iter().map(|name| format!("the section {}", short(&name))));
        Ok(draft)
    }
}
