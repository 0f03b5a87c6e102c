//! The parsed source files.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, Item};

/// One file of the sources.
pub(crate) struct File {
    /// The path, such as `src/motion/path.rs`.
    pub(crate) path: PathBuf,
    /// The path of the module, such as `["motion", "path"]`. It is empty for the root of the library.
    pub(crate) module: Vec<String>,
    /// The content of the file.
    pub(crate) text: String,
    /// The parsed content, without code that is compiled only for tests.
    pub(crate) code: syn::File,
}

impl File {
    /// Parses `text` as the file at `path`.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let mut code = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        without_tests(&mut code.items);
        let inner = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
        let module = match inner {
            "lib" => Vec::new(),
            _ => inner.trim_end_matches("/mod").split('/').map(str::to_owned).collect(),
        };
        Self { path: PathBuf::from(path), module, text: text.to_owned(), code }
    }

    /// The path as text.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The layer it belongs to: the first part of its module.
    pub(crate) fn layer(&self) -> &str {
        self.module.first().map_or("lib", String::as_str)
    }

    /// The code as text, without comments and without unit tests.
    pub(crate) fn plain_code(&self) -> String {
        let text = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let uncommented = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        text.lines().map(uncommented).collect::<Vec<_>>().join("\n")
    }
}

/// All files below `src`, sorted by path.
pub(crate) fn sources() -> Vec<File> {
    let mut paths = Vec::new();
    collect(Path::new("src"), &mut paths);
    paths.sort();
    let file = |path: &PathBuf| File::new(path.to_str().unwrap(), &fs::read_to_string(path).unwrap());
    let files: Vec<File> = paths.iter().map(file).collect();
    assert!(files.len() > 50, "the walk over src found {}", files.len());
    files
}

/// The Rust files below `folder`.
pub(crate) fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

fn without_tests(items: &mut Vec<Item>) {
    items.retain(|item| !is_for_tests(attributes(item)));
    for item in items {
        match item {
            Item::Mod(inner) => {
                if let Some((_, items)) = &mut inner.content {
                    without_tests(items);
                }
            }
            Item::Impl(block) => block.items.retain(|item| match item {
                ImplItem::Fn(function) => !is_for_tests(&function.attrs),
                ImplItem::Const(constant) => !is_for_tests(&constant.attrs),
                _ => true,
            }),
            _ => {}
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|what| what.is_ident("test"))
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
