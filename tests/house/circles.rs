//! Import cycles: groups of files that cannot be understood one after the other.

use std::collections::BTreeSet;

use super::imports::{Imports, Uses};
use super::tree::File;

/// Files that all depend on one another, directly or through other files of the group.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Circle {
    /// Their paths, sorted.
    pub(crate) files: Vec<String>,
    /// Which file uses which names of which other file, for the message.
    pub(crate) ties: Vec<String>,
}

/// All cycles of the files, sorted.
pub(crate) fn circles(files: &[File]) -> Vec<Circle> {
    let imports = Imports::new(files);
    let uses: Vec<Uses> = (0..files.len()).map(|file| imports.uses(file)).collect();
    let reached: Vec<BTreeSet<usize>> = (0..files.len()).map(|file| reached(&uses, file)).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for first in 0..files.len() {
        if !reached[first].contains(&first) || seen.contains(&first) {
            continue;
        }
        let members: Vec<usize> =
            reached[first].iter().copied().filter(|&other| reached[other].contains(&first)).collect();
        seen.extend(members.iter().copied());
        circles.push(circle(files, &uses, &members));
    }
    circles.sort();
    circles
}

fn circle(files: &[File], uses: &[Uses], members: &[usize]) -> Circle {
    let mut ties = Vec::new();
    for &from in members {
        for (to, names) in uses[from].of.iter().filter(|(to, _)| members.contains(to)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            ties.push(format!("{} uses {} of {}", files[from].name(), names.join(", "), files[*to].name()));
        }
    }
    let mut paths: Vec<String> = members.iter().map(|&member| files[member].name()).collect();
    paths.sort();
    Circle { files: paths, ties }
}

/// The files that `file` uses, directly or through others.
fn reached(uses: &[Uses], file: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![file];
    while let Some(from) = open.pop() {
        open.extend(uses[from].of.keys().copied().filter(|&to| found.insert(to)));
    }
    found
}
