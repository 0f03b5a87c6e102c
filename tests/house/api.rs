//! The public face: every public item that the documentation shows, with its signature.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, ImplItem, ImplItemFn, Item, Signature, TraitItem, Type, Visibility};

use super::imports::{Imports, Place, leaves};
use super::tree::File;

/// The public items of the library, one line each.
pub(crate) fn public_items(files: &[File]) -> BTreeSet<String> {
    let imports = Imports::new(files);
    let mut face = Face { files, methods: methods(files, &imports), imports, lines: BTreeSet::new() };
    face.module(&[], "carom");
    face.lines
}

/// The public methods of each type, by its file and its name.
type Methods<'a> = BTreeMap<(usize, String), Vec<&'a ImplItemFn>>;

struct Face<'a> {
    files: &'a [File],
    methods: Methods<'a>,
    imports: Imports<'a>,
    lines: BTreeSet<String>,
}

impl<'a> Face<'a> {
    /// Adds the items of the module at `path`, which users know as `shown`.
    fn module(&mut self, path: &[String], shown: &str) {
        for item in items(self.files, path) {
            match item {
                Item::Use(item) if is_shown(&item.vis, &item.attrs) => {
                    let mut all = Vec::new();
                    leaves(&item.tree, &mut Vec::new(), &mut all);
                    for (target, alias) in all {
                        self.forwarded(path, &target, &format!("{shown}::{alias}"));
                    }
                }
                Item::Mod(item) if is_shown(&item.vis, &item.attrs) => {
                    let name = item.ident.to_string();
                    self.module(&[path, std::slice::from_ref(&name)].concat(), &format!("{shown}::{name}"));
                }
                Item::Use(_) | Item::Mod(_) => {}
                item => {
                    let file = self.files.iter().position(|file| file.module == path);
                    self.item(file.expect("modules in braces only forward"), item, shown, None);
                }
            }
        }
    }

    /// Adds what a `pub use` of `target` in the module at `path` forwards as `shown`.
    fn forwarded(&mut self, path: &[String], target: &[String], shown: &str) {
        let name = target.last().expect("a path has words");
        let (around, alias) = shown.rsplit_once("::").expect("a path in the library");
        let places = self.imports.find(path, target);
        if places.is_empty() {
            // Of another library, or made by a macro.
            self.lines.insert(format!("use {shown}"));
        }
        for place in places {
            match place {
                // A function may have the name of the private module around it.
                Place::Module(inner) if is_open(self.files, &inner) => self.module(&inner, shown),
                Place::Module(_) => {}
                Place::Item(file) => {
                    for item in definitions(&self.files[file].code.items) {
                        if name_of(item).as_deref() == Some(name) {
                            self.item(file, item, around, Some(alias));
                        }
                    }
                }
            }
        }
    }

    /// Adds an item that is defined in a file; it is known as `alias`, or by its own name.
    fn item(&mut self, file: usize, item: &Item, around: &str, alias: Option<&str>) {
        let Some(name) = name_of(item) else { return };
        let shown = format!("{around}::{}", alias.unwrap_or(&name));
        match item {
            Item::Fn(item) if is_shown(&item.vis, &item.attrs) => self.function(&item.sig, &shown),
            Item::Const(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("const {shown}: {}", text(&item.ty)));
            }
            Item::Type(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("type {shown} = {}", text(&item.ty)));
            }
            Item::Struct(item) if is_shown(&item.vis, &item.attrs) => {
                let open: Vec<&Field> = item.fields.iter().filter(|field| is_shown(&field.vis, &field.attrs)).collect();
                self.lines.insert(format!("struct {shown}{}", text(&item.generics)));
                for (row, field) in open.into_iter().enumerate() {
                    let field_name = field.ident.as_ref().map_or(row.to_string(), ToString::to_string);
                    self.lines.insert(format!("field {shown}.{field_name}: {}", text(&field.ty)));
                }
                self.methods_of(file, &name, &shown);
            }
            Item::Enum(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("enum {shown}{}", text(&item.generics)));
                for variant in &item.variants {
                    self.lines.insert(format!("variant {shown}::{}{}", variant.ident, fields(&variant.fields)));
                }
                self.methods_of(file, &name, &shown);
            }
            Item::Trait(item) if is_shown(&item.vis, &item.attrs) => {
                self.lines.insert(format!("trait {shown}"));
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner
                        && !is_hidden(&function.attrs)
                    {
                        self.function(&function.sig, &format!("{shown}::{}", function.sig.ident));
                    }
                }
            }
            _ => {}
        }
    }

    fn methods_of(&mut self, file: usize, name: &str, shown: &str) {
        for method in self.methods.get(&(file, name.to_owned())).cloned().unwrap_or_default() {
            self.function(&method.sig, &format!("{shown}::{}", method.sig.ident));
        }
    }

    fn function(&mut self, signature: &Signature, shown: &str) {
        let own = format!("fn {}", signature.ident);
        self.lines.insert(text(signature).replacen(&own, &format!("fn {shown}"), 1));
    }
}

/// The inherent public methods of all types.
fn methods<'a>(files: &'a [File], imports: &Imports<'_>) -> Methods<'a> {
    let mut found = Methods::new();
    for file in files {
        for item in &file.code.items {
            let Item::Impl(block) = item else { continue };
            let Type::Path(of) = &*block.self_ty else { continue };
            if block.trait_.is_some() {
                continue;
            }
            let words: Vec<String> = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            for place in imports.find(&file.module, &words) {
                let Place::Item(home) = place else { continue };
                let open = block.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(function) if is_shown(&function.vis, &function.attrs) => Some(function),
                    _ => None,
                });
                found.entry((home, words[words.len() - 1].clone())).or_default().extend(open);
            }
        }
    }
    found
}

/// The items of the module at `path`, in a file of its own or in braces.
fn items<'a>(files: &'a [File], path: &[String]) -> &'a [Item] {
    if let Some(file) = files.iter().find(|file| file.module == path && !file.path.ends_with("main.rs")) {
        return &file.code.items;
    }
    let (name, above) = path.split_last().expect("the root has a file");
    let inside = items(files, above).iter().find_map(|item| match item {
        Item::Mod(inner) if inner.ident == name => inner.content.as_ref(),
        _ => None,
    });
    inside.map_or(&[], |(_, items)| items)
}

/// Whether the module at `path` is public where it is declared.
fn is_open(files: &[File], path: &[String]) -> bool {
    let Some((name, above)) = path.split_last() else { return true };
    let is_it = |item: &Item| matches!(item, Item::Mod(inner) if inner.ident == name && matches!(inner.vis, Visibility::Public(_)));
    items(files, above).iter().any(is_it)
}

/// The items of a file, also those in braces.
fn definitions(items: &[Item]) -> Vec<&Item> {
    let inside = items.iter().filter_map(|item| match item {
        Item::Mod(inner) => inner.content.as_ref(),
        _ => None,
    });
    items.iter().chain(inside.flat_map(|(_, items)| definitions(items))).collect()
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Whether users see it in the documentation.
fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes)
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let hides = |attribute: &Attribute| {
        attribute.path().is_ident("doc")
            && attribute.parse_args::<syn::Path>().is_ok_and(|what| what.is_ident("hidden"))
    };
    attributes.iter().any(hides)
}

fn fields(fields: &Fields) -> String {
    let one = |field: &Field| match &field.ident {
        Some(name) => format!("{name}: {}", text(&field.ty)),
        None => text(&field.ty),
    };
    let all = fields.iter().map(one).collect::<Vec<_>>().join(", ");
    match fields {
        Fields::Named(_) => format!(" {{ {all} }}"),
        Fields::Unnamed(_) => format!("({all})"),
        Fields::Unit => String::new(),
    }
}

/// The source of a part of the code, in one line.
fn text(part: &impl Spanned) -> String {
    let source = part.span().source_text().unwrap_or_default();
    let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace("( ", "(").replace(", )", ")").replace(" )", ")")
}
