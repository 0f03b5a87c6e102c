//! Import cycles: groups of files or rooms that cannot be understood one after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Imports;
use super::tree::File;

/// Parts of the sources (files, or rooms of files) that all depend on one another, directly or through others of the
/// group.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Circle {
    /// Their names, sorted.
    pub(crate) parts: Vec<String>,
    /// Which file uses which names of which other file, for the message.
    pub(crate) ties: Vec<String>,
}

/// The room of a file: the folder inside its layer. Loose files of a layer, and tests, are in none.
pub(crate) fn room(file: &File) -> Option<String> {
    match file.name().split('/').collect::<Vec<_>>()[..] {
        [.., "tests.rs"] => None,
        ["src", layer, room, _, ..] => Some(format!("src/{layer}/{room}")),
        _ => None,
    }
}

/// All cycles of the parts that `part` divides the files into, sorted.
pub(crate) fn circles(files: &[File], part: impl Fn(&File) -> Option<String>) -> Vec<Circle> {
    let imports = Imports::new(files);
    let parts: Vec<Option<String>> = files.iter().map(part).collect();
    let mut uses: BTreeMap<&str, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for (file, own) in parts.iter().enumerate() {
        let Some(own) = own else { continue };
        for (other, names) in imports.uses(file).of {
            let Some(its) = parts[other].as_deref().filter(|its| its != own || file == other) else { continue };
            let names: Vec<String> = names.into_iter().collect();
            let tie = format!("{} uses {} of {}", files[file].name(), names.join(", "), files[other].name());
            uses.entry(own).or_default().entry(its).or_default().push(tie);
        }
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|&part| (part, reached(&uses, part))).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for (&first, after) in &reached {
        if after.contains(first) && !seen.contains(first) {
            let members: BTreeSet<&str> = after
                .iter()
                .copied()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(first)))
                .collect();
            let ties = members.iter().flat_map(|member| uses[member].iter().filter(|(to, _)| members.contains(*to)));
            let ties = ties.flat_map(|(_, ties)| ties.clone()).collect();
            circles.push(Circle { parts: members.iter().map(|&member| member.to_owned()).collect(), ties });
            seen.extend(members);
        }
    }
    circles
}

/// The parts that `part` uses, directly or through others.
fn reached<'a>(uses: &BTreeMap<&'a str, BTreeMap<&'a str, Vec<String>>>, part: &'a str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![part];
    while let Some(from) = open.pop() {
        let next = uses.get(from).into_iter().flat_map(BTreeMap::keys);
        open.extend(next.copied().filter(|&to| found.insert(to)));
    }
    found
}
