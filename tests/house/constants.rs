//! Numbers that may affect a result.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ImplItemConst, ItemConst, ItemStatic, Lit, LitFloat, Macro, TraitItemConst, Type};

use super::tree::File;

/// Numbers that are common factors in formulas and are not limits.
const NATURAL: [f64; 7] = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0];

/// A number that belongs in the file of tolerances.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// The name of the constant, or the literal as written.
    pub(crate) what: String,
    /// The line, counted from 1.
    pub(crate) line: usize,
}

/// All constants of type `f64` whose value contains digits, and all other numbers in formulas that are not in
/// [`NATURAL`].
pub(crate) fn constants(file: &File) -> Vec<Found> {
    let mut found = Reader::default();
    found.visit_file(&file.code);
    found.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Found>,
}

impl Reader {
    /// A constant of type `f64` with digits counts once, under its name.
    fn constant(&mut self, name: &syn::Ident, kind: &Type, value: &Expr) {
        let mut inside = Digits::default();
        inside.visit_expr(value);
        if is_real(kind) && inside.any {
            self.found.push(Found { what: name.to_string(), line: name.span().start().line });
        } else {
            self.visit_expr(value);
        }
    }

    fn literal(&mut self, literal: &LitFloat) {
        let value: f64 = literal.base10_parse().unwrap();
        if !NATURAL.contains(&value) {
            self.found.push(Found { what: literal.to_string(), line: literal.span().start().line });
        }
    }

    /// Numbers in the arguments of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Float(literal) = Lit::new(literal) {
                        self.literal(&literal);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.constant(&item.ident, &item.ty, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        self.constant(&item.ident, &item.ty, &item.expr);
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.constant(&item.ident, &item.ty, &item.expr);
    }

    fn visit_trait_item_const(&mut self, item: &'ast TraitItemConst) {
        if let Some((_, value)) = &item.default {
            self.constant(&item.ident, &item.ty, value);
        }
    }

    fn visit_lit_float(&mut self, literal: &'ast LitFloat) {
        self.literal(literal);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(last) = path.segments.last()
            && last.ident == "EPSILON"
        {
            self.found.push(Found { what: last.ident.to_string(), line: last.ident.span().start().line });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.tokens(call.tokens.clone());
    }
}

/// Whether a type is `f64`, or made of it: an array, a reference, a tuple.
fn is_real(kind: &Type) -> bool {
    match kind {
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| segment.ident == "f64"),
        Type::Array(array) => is_real(&array.elem),
        Type::Slice(slice) => is_real(&slice.elem),
        Type::Reference(reference) => is_real(&reference.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_real),
        _ => false,
    }
}

/// Whether an expression contains a number.
#[derive(Default)]
struct Digits {
    any: bool,
}

impl<'ast> Visit<'ast> for Digits {
    fn visit_lit(&mut self, literal: &'ast Lit) {
        self.any |= matches!(literal, Lit::Float(_) | Lit::Int(_));
    }
}
