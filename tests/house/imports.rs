//! Which file uses which items of which other file.
//!
//! A name counts as an import from the file that *defines* it, through any number of `pub use`. A `pub use` only
//! forwards a name and does not count as an import. A plain `use` counts, and so does every path in the code. Calls of
//! methods are not detected, but their types are.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, Item, ItemMod, ItemUse, Macro, PatIdent, UseTree, Visibility};

use super::tree::File;

/// The modules of the sources, and the meanings of the names in them.
pub(crate) struct Imports<'a> {
    files: &'a [File],
    modules: Vec<Module>,
}

/// The module of a file, or a module in braces inside a file.
#[derive(Default)]
struct Module {
    path: Vec<String>,
    parent: Option<usize>,
    names: BTreeMap<String, Vec<Meaning>>,
    globs: Vec<Vec<String>>,
}

/// The meaning of a name. One name can mean both a module and a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Module(usize),
    /// An item, and the file that defines it.
    Item(usize),
    /// The meaning of this path in the same module.
    Import(Vec<String>),
}

/// What a path leads to.
pub(crate) enum Place {
    /// A module, by its path.
    Module(Vec<String>),
    /// An item of the file with this index.
    Item(usize),
}

/// What one file uses from other files.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The names that it uses from each other file. The key is the index of that file in the list.
    pub(crate) of: BTreeMap<usize, BTreeSet<String>>,
    /// The first words of paths that are not modules of the sources: these are external libraries.
    pub(crate) libraries: BTreeSet<String>,
    /// The layers that its paths name explicitly.
    pub(crate) layers: BTreeSet<String>,
}

/// The names that are being resolved. They stop the recursion for names that refer to each other.
type Pending = Vec<(usize, String)>;

const ROOT: usize = 0;

impl<'a> Imports<'a> {
    /// Collects all declarations of the files.
    pub(crate) fn new(files: &'a [File]) -> Self {
        let mut modules = vec![Module::default()];
        let mut known = BTreeMap::from([(Vec::new(), ROOT)]);
        let mut sorted: Vec<usize> = (0..files.len()).collect();
        sorted.sort_by_key(|&file| files[file].module.len());
        for file in sorted {
            let path = &files[file].module;
            let own = *known.entry(path.clone()).or_insert(modules.len());
            if own == modules.len() {
                let parent = path.split_last().and_then(|(_, above)| known.get(above)).copied();
                let parent = parent.unwrap_or_else(|| panic!("{} has no parent", files[file].name()));
                modules.push(Module { path: path.clone(), parent: Some(parent), ..Module::default() });
                modules[parent].names.entry(path[path.len() - 1].clone()).or_default().push(Meaning::Module(own));
            }
            declare(&mut modules, own, file, &files[file].code.items);
        }
        Self { files, modules }
    }

    /// What `path` leads to from the module at `from`. It leads nowhere in another library, and for what a macro makes.
    pub(crate) fn find(&self, from: &[String], path: &[String]) -> Vec<Place> {
        let module = self.modules.iter().position(|module| module.path == from).expect("a module of the sources");
        let place = |meaning: Meaning| match meaning {
            Meaning::Module(inner) => Some(Place::Module(self.modules[inner].path.clone())),
            Meaning::Item(file) => Some(Place::Item(file)),
            Meaning::Import(_) => None,
        };
        let found = self.resolve(module, path, &mut Vec::new()).unwrap_or_default();
        found.into_iter().filter_map(place).collect()
    }

    /// What the file with the index `file` uses.
    pub(crate) fn uses(&self, file: usize) -> Uses {
        let mut module = ROOT;
        for name in &self.files[file].module {
            let inner = self.modules[module].names[name].iter().find_map(|meaning| match meaning {
                Meaning::Module(inner) => Some(*inner),
                _ => None,
            });
            module = inner.unwrap();
        }
        let mut bindings = Bindings::default();
        bindings.visit_file(&self.files[file].code);
        let mut reader = Reader { imports: self, file, module, variables: bindings.names, uses: Uses::default() };
        reader.visit_file(&self.files[file].code);
        reader.uses
    }

    /// The meanings of a path written in `module`, or the name of the library with which it begins.
    fn resolve(&self, module: usize, path: &[String], pending: &mut Pending) -> Result<BTreeSet<Meaning>, String> {
        let mut at = BTreeSet::from([Meaning::Module(module)]);
        for (row, name) in path.iter().enumerate() {
            at = match (name.as_str(), row) {
                ("crate" | "carom", 0) => BTreeSet::from([Meaning::Module(ROOT)]),
                ("self", _) => at,
                ("super", _) => at.into_iter().filter_map(|place| self.above(&place)).collect(),
                _ => at.into_iter().flat_map(|place| self.inside(place, name, pending)).collect(),
            };
            if row == 0 && at.is_empty() {
                return Err(name.clone());
            }
            // Before `::`, a name means the module, not a function of the same name.
            if row + 1 < path.len() && at.iter().any(|place| matches!(place, Meaning::Module(_))) {
                at.retain(|place| matches!(place, Meaning::Module(_)));
            }
        }
        Ok(at)
    }

    fn above(&self, place: &Meaning) -> Option<Meaning> {
        match place {
            Meaning::Module(inner) => self.modules[*inner].parent.map(Meaning::Module),
            _ => None,
        }
    }

    /// The meanings of `name` inside `place`. A name inside a type counts as the type itself.
    fn inside(&self, place: Meaning, name: &str, pending: &mut Pending) -> BTreeSet<Meaning> {
        let Meaning::Module(module) = place else {
            return BTreeSet::from([place]);
        };
        let question = (module, name.to_owned());
        let again = pending.contains(&question);
        pending.push(question);
        let mut found = BTreeSet::new();
        let own = self.modules[module].names.get(name);
        for meaning in own.into_iter().flatten() {
            match meaning {
                Meaning::Import(_) if again => {}
                Meaning::Import(path) => found.extend(self.resolve(module, path, pending).unwrap_or_default()),
                other => _ = found.insert(other.clone()),
            }
        }
        if own.is_none() && !again {
            for path in &self.modules[module].globs {
                let modules = self.resolve(module, path, pending).unwrap_or_default();
                found.extend(modules.into_iter().flat_map(|place| match place {
                    Meaning::Module(_) => self.inside(place, name, pending),
                    // A glob import of the variants of an enumeration.
                    _ => BTreeSet::new(),
                }));
            }
        }
        pending.pop();
        found
    }
}

/// Adds the names of `items` to `module`.
fn declare(modules: &mut Vec<Module>, module: usize, file: usize, items: &[Item]) {
    for item in items {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Macro(item) if item.ident.is_some() => item.ident.as_ref().unwrap(),
            Item::Mod(item) => {
                if let Some((_, items)) = &item.content {
                    let inner = modules.len();
                    let path = [&modules[module].path[..], &[item.ident.to_string()]].concat();
                    modules.push(Module { path, parent: Some(module), ..Module::default() });
                    modules[module].names.entry(item.ident.to_string()).or_default().push(Meaning::Module(inner));
                    declare(modules, inner, file, items);
                }
                continue;
            }
            _ => continue,
        };
        modules[module].names.entry(name.to_string()).or_default().push(Meaning::Item(file));
    }
    let mut uses = Collector::default();
    items.iter().for_each(|item| uses.visit_item(item));
    for (path, alias) in uses.leaves {
        if alias == "*" {
            modules[module].globs.push(path);
        } else {
            modules[module].names.entry(alias).or_default().push(Meaning::Import(path));
        }
    }
}

/// All `use` items of a module and of its functions: the path, and the name that it gets. The name is `*` for a glob.
#[derive(Default)]
struct Collector {
    leaves: Vec<(Vec<String>, String)>,
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        leaves(&item.tree, &mut Vec::new(), &mut self.leaves);
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}

pub(super) fn leaves(tree: &UseTree, above: &mut Vec<String>, into: &mut Vec<(Vec<String>, String)>) {
    let mut leaf = |name: String, alias: String| {
        let mut path = above.clone();
        let shown = if name == "self" && alias == "self" { path.last().cloned().unwrap_or_default() } else { alias };
        path.extend((name != "self").then_some(name));
        into.push((path, shown));
    };
    match tree {
        UseTree::Name(name) => leaf(name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(both) => leaf(both.ident.to_string(), both.rename.to_string()),
        UseTree::Glob(_) => into.push((above.clone(), "*".to_owned())),
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            leaves(&path.tree, above, into);
            above.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, above, into)),
    }
}

/// The names of the variables of a file.
#[derive(Default)]
struct Bindings {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Bindings {
    fn visit_pat_ident(&mut self, variable: &'ast PatIdent) {
        self.names.insert(variable.ident.to_string());
        visit::visit_pat_ident(self, variable);
    }
}

/// Walks through a file and records the meaning of each path.
struct Reader<'a> {
    imports: &'a Imports<'a>,
    file: usize,
    module: usize,
    variables: BTreeSet<String>,
    uses: Uses,
}

impl Reader<'_> {
    /// Whether a single word in the code is a name of this module and not a variable.
    fn is_name(&self, word: &str) -> bool {
        self.imports.modules[self.module].names.contains_key(word) && !self.variables.contains(word)
    }

    fn note(&mut self, path: &[String]) {
        if let [first, layer, ..] = path
            && (first == "crate" || first == "carom")
        {
            self.uses.layers.insert(layer.clone());
        }
        match self.imports.resolve(self.module, path, &mut Vec::new()) {
            Ok(meanings) => {
                for meaning in meanings {
                    if let Meaning::Item(other) = meaning
                        && other != self.file
                    {
                        self.uses.of.entry(other).or_default().insert(path.last().unwrap().clone());
                    }
                }
            }
            Err(library) => _ = self.uses.libraries.insert(library),
        }
    }

    /// Paths in the arguments of a macro, which the parser leaves as tokens: words joined by `::`.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.note_path(&mut path);
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.note_path(&mut path);
                    self.note_tokens(group.stream());
                }
                _ => self.note_path(&mut path),
            }
        }
        self.note_path(&mut path);
    }

    fn note_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 || path.first().is_some_and(|word| self.is_name(word)) {
            self.note(&path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut all = Vec::new();
        leaves(&item.tree, &mut Vec::new(), &mut all);
        let passes_on = !matches!(item.vis, Visibility::Inherited);
        for (path, _) in all {
            let Some(first) = path.first() else { continue };
            // A re-export counts only if it comes from an external library. If its path begins with `crate`, its layer
            // counts.
            let own = self.imports.resolve(self.module, &path[..1], &mut Vec::new()).is_ok();
            if passes_on && own && first != "crate" {
                continue;
            }
            if passes_on && own {
                self.uses.layers.extend(path.get(1).cloned());
                continue;
            }
            self.note(&path);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let Some((_, items)) = &item.content else { return };
        let inner = self.imports.modules[self.module].names[&item.ident.to_string()].iter().find_map(|m| match m {
            Meaning::Module(inner) => Some(*inner),
            _ => None,
        });
        let outer = std::mem::replace(&mut self.module, inner.unwrap());
        items.iter().for_each(|item| self.visit_item(item));
        self.module = outer;
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if words.len() > 1 || self.is_name(&words[0]) {
            self.note(&words);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        // The callee is a function, even if a variable elsewhere in the file has the same name.
        if let Expr::Path(function) = &*call.func
            && let Some(word) = function.path.get_ident()
            && self.imports.modules[self.module].names.contains_key(&word.to_string())
        {
            self.note(&[word.to_string()]);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        self.note_tokens(call.tokens.clone());
    }

    // Names in attributes belong to the compiler.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
