//! How long functions are, read from their syntax.

use proc_macro2::Span;
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// Maximum number of lines of a function.
pub const MOST: usize = 100;

/// The functions of `file` that are longer than [`MOST`] lines, each with its line, its name and its length. The
/// table at the end of a function, a `match` or a list, counts as one line.
pub fn too_long(file: &Path) -> Vec<(usize, String, usize)> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    found(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn found(text: &str) -> syn::Result<Vec<(usize, String, usize)>> {
    let mut reader = Reader::default();
    reader.visit_file(&syn::parse_file(text)?);
    Ok(reader.found)
}

#[derive(Default)]
struct Reader {
    found: Vec<(usize, String, usize)>,
}

impl Reader {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.span().start().line;
        let lines = block.span().end().line - first + 1 - table(block).map_or(0, |span| lines(span) - 1);
        if lines > MOST {
            self.found.push((first, signature.ident.to_string(), lines));
        }
    }
}

fn lines(span: Span) -> usize {
    span.end().line - span.start().line + 1
}

/// The table that a block ends with.
fn table(block: &syn::Block) -> Option<Span> {
    match block.stmts.last()? {
        syn::Stmt::Expr(syn::Expr::Match(table), None) => Some(table.span()),
        syn::Stmt::Expr(syn::Expr::Array(table), None) => Some(table.span()),
        syn::Stmt::Expr(syn::Expr::Macro(call), None) => list(&call.mac),
        syn::Stmt::Macro(call) if call.semi_token.is_none() => list(&call.mac),
        _ => None,
    }
}

fn list(call: &syn::Macro) -> Option<Span> {
    (call.path.is_ident("vec") || call.path.is_ident("json")).then(|| call.span())
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, found};

    #[test]
    fn a_function_is_measured_without_the_table_that_it_ends_with() {
        let lines = |count: usize, line: &str| format!("{line}\n").repeat(count);
        let steps = |count| format!("fn f() {{\n{}}}\n", lines(count, "g();"));
        assert!(found(&steps(MOST - 2)).unwrap().is_empty());
        assert_eq!(found(&steps(MOST - 1)).unwrap(), [(1, "f".to_owned(), MOST + 1)]);
        let table = format!("fn f() -> Vec<u8> {{\ng();\nvec![\n{}]\n}}\n", lines(2 * MOST, "1,"));
        assert!(found(&table).unwrap().is_empty());
    }
}
