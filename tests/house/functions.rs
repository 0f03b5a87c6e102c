//! The lengths of functions.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

use super::tree::File;

/// The functions of a file: the first line, the name, and the number of lines from `fn` to the closing brace.
pub(crate) fn functions(file: &File) -> Vec<(usize, String, usize)> {
    let mut found = Lengths::default();
    found.visit_file(&syn::parse_file(&file.text).expect("parsed before"));
    found.functions
}

#[derive(Default)]
struct Lengths {
    functions: Vec<(usize, String, usize)>,
}

impl Lengths {
    fn note(&mut self, signature: &Signature, body: &Block) {
        let (first, last) = (signature.span().start().line, body.span().end().line);
        self.functions.push((first, signature.ident.to_string(), last - first + 1));
    }
}

impl<'ast> Visit<'ast> for Lengths {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.note(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.note(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.note(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}
