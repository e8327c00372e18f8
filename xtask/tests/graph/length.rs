//! How long functions are, read from their syntax; in the interface, from how its formatter indents them.

use proc_macro2::Span;
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// Maximum number of lines of a function.
pub const MOST: usize = 100;

/// The functions of `file` that are longer than [`MOST`] lines, each with its line, its name and its length. The
/// table at the end of a function, a `match` or a list, counts as one line; in the interface, what is returned last.
pub fn too_long(file: &Path) -> Vec<(usize, String, usize)> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    if file.extension().is_some_and(|extension| extension == "rs") {
        found(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    } else {
        found_in_script(&text)
    }
}

fn found_in_script(text: &str) -> Vec<(usize, String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let measured = lines.iter().enumerate().filter_map(|(first, line)| {
        let name = function(line.trim_start())?;
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends = |line: &&str| {
            let rest = line.strip_prefix(indent).unwrap_or_default();
            rest.starts_with('}') && !rest.starts_with("}:") && !rest.ends_with('{')
        };
        let body = &lines[first + 1..];
        let body = &body[..body.iter().position(ends)?];
        let length = body.len() + 2 - returned(body, indent);
        (length > MOST).then(|| (first + 1, name.to_owned(), length))
    });
    measured.collect()
}

/// The beginning of the line, if a function begins there. A group of tests is not one.
fn function(line: &str) -> Option<&str> {
    const BEFORE: [&str; 8] =
        ["export ", "default ", "async ", "static ", "override ", "readonly ", "get ", "set "];
    let code = BEFORE.iter().fold(line, |code, word| code.strip_prefix(word).unwrap_or(code));
    let (name, rest) = code.split_once(['(', '<'])?;
    let method = name.chars().all(|c| c.is_alphanumeric() || "_$#".contains(c))
        && !name.is_empty()
        && (code.ends_with(") {") || rest.contains("): ") && code.ends_with('{'));
    let arrow = code.ends_with("=> {") && name != "describe";
    (name.starts_with("function") || method || arrow).then_some(name)
}

/// Lines of what `body` returns last, beside its first.
fn returned(body: &[&str], indent: &str) -> usize {
    let inside = |line: &&str| {
        let rest = line.strip_prefix(indent).and_then(|rest| rest.strip_prefix("  ")).unwrap_or_default();
        (!rest.is_empty() && !rest.starts_with(' ')).then(|| rest.to_owned())
    };
    let Some((end, before)) = body.split_last() else { return 0 };
    if !inside(end).is_some_and(|rest| rest.starts_with([')', ']', '}'])) {
        return 0;
    }
    let start = before.iter().rposition(|line| inside(line).is_some());
    start
        .filter(|at| inside(&before[*at]).is_some_and(|rest| rest.starts_with("return")))
        .map_or(0, |at| before.len() - at)
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
    use super::{MOST, found, found_in_script};

    #[test]
    fn a_function_is_measured_without_the_table_that_it_ends_with() {
        let lines = |count: usize, line: &str| format!("{line}\n").repeat(count);
        let steps = |count| format!("fn f() {{\n{}}}\n", lines(count, "g();"));
        assert!(found(&steps(MOST - 2)).unwrap().is_empty());
        assert_eq!(found(&steps(MOST - 1)).unwrap(), [(1, "f".to_owned(), MOST + 1)]);
        let table = format!("fn f() -> Vec<u8> {{\ng();\nvec![\n{}]\n}}\n", lines(2 * MOST, "1,"));
        assert!(found(&table).unwrap().is_empty());
    }

    #[test]
    fn a_function_of_the_interface_is_measured_without_what_it_returns() {
        let lines = |count: usize, line: &str| format!("{line}\n").repeat(count);
        for (first, last) in [
            ("export default async function f({", "}"),
            ("const f = useCallback((a: string) => {", "}, []);"),
            ("  f(a: string): void {", "  }"),
        ] {
            let indent = first.len() - first.trim_start().len();
            let of = |count, step: &str| {
                format!(
                    "{first}\n{}{:indent$}{last}\n",
                    lines(count, &format!("{:indent$}{step}", "")),
                    "",
                    last = last.trim_start()
                )
            };
            assert!(found_in_script(&of(MOST - 2, "  g();")).is_empty(), "{first}");
            assert_eq!(found_in_script(&of(MOST - 1, "  g();")).len(), 1, "{first}");
        }
        let returned =
            format!("function f() {{\n  g();\n  return (\n{}  );\n}}\n", lines(2 * MOST, "    <a />"));
        assert!(found_in_script(&returned).is_empty());
        let group = format!("describe(\"f\", () => {{\n{}}});\n", lines(2 * MOST, "  it();"));
        assert!(found_in_script(&group).is_empty());
        let call = format!("f({{\n{}}});\n", lines(2 * MOST, "  a: 1,"));
        assert!(found_in_script(&call).is_empty());
    }
}
