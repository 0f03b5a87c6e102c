//! The README and the book in `docs/`, as their tests read them.

use std::fs;
use std::path::{Path, PathBuf};

/// A document and its parts.
pub(crate) struct Page {
    /// Path from the root of the repository.
    pub path: PathBuf,
    pub text: String,
    pub blocks: Vec<Block>,
    /// The text without code blocks.
    pub prose: String,
}

/// A code block.
pub(crate) struct Block {
    pub language: String,
    pub text: String,
    /// The file that a reader saves it as: the line before it ends with this name in backquotes and a colon.
    pub file: Option<String>,
}

impl Page {
    pub(crate) fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let (mut blocks, mut prose, mut open) = (Vec::new(), String::new(), None::<Block>);
        let mut last = "";
        for line in text.lines() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(language)) => {
                    open = Some(Block { language: language.to_owned(), text: String::new(), file: file(last) });
                    last = "";
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => block.text += &format!("{line}\n"),
                (None, None) => {
                    prose += &format!("{line}\n");
                    last = if line.is_empty() { last } else { line };
                }
            }
        }
        assert!(open.is_none(), "{}: a code block does not end", path.display());
        Self { path, text, blocks, prose }
    }

    /// The targets of the links and pictures in the text.
    pub(crate) fn links(&self) -> Vec<String> {
        let words: String = self.prose.split('`').step_by(2).collect();
        words.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()).collect()
    }

    /// Whether a reader works through it from an empty folder on, which `tests/cli/worked.rs` does, too.
    pub(crate) fn is_worked(&self) -> bool {
        ["docs/howto", "docs/tutorials"].iter().any(|folder| self.path.starts_with(folder))
    }
}

/// The name at the end of a line: "Save this as `ball.ron`:".
fn file(line: &str) -> Option<String> {
    let name = line.strip_suffix("`:")?.rsplit('`').next()?;
    Path::new(name).extension().map(|_| name.to_owned())
}

/// The README and all pages of the book, its table of contents included.
pub(crate) fn pages() -> Vec<Page> {
    let mut paths = vec![PathBuf::from("README.md")];
    for folder in ["docs", "docs/howto", "docs/tutorials"] {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    paths.sort();
    assert!(paths.len() > 40, "the book has {} pages", paths.len());
    paths.into_iter().map(Page::read).collect()
}
