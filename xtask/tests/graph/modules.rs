//! The modules of a crate and what each of them imports, read from its syntax.
//!
//! `use` declarations and paths in code are resolved through re-exports to the module that defines the named item.
//! Tests are left out. What a method call reaches through an inherent `impl` in another module is not seen.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// Maximum number of re-exports followed before a path counts as unresolved: beyond that it re-exports itself.
const MOST_HOPS: usize = 16;

/// A target of a crate: its modules, the root first.
pub struct Modules {
    modules: Vec<Module>,
}

/// A module, in a file of its own or inline.
struct Module {
    /// Names from the root, which has none.
    path: Vec<String>,
    parent: usize,
    file: PathBuf,
    names: HashMap<String, Name>,
    /// Targets of `use …::*`.
    globs: Vec<Vec<String>>,
    named: Vec<Named>,
}

/// What a name in a module stands for, if it is no item of its own.
enum Name {
    Module(usize),
    Import(Vec<String>),
}

/// A path as the source has it.
struct Named {
    segments: Vec<String>,
    line: usize,
}

/// One module names another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// Names of the importing module from the root.
    pub from: Vec<String>,
    /// Names of the module that is imported from.
    pub to: Vec<String>,
    /// Where.
    pub place: Line,
    /// The path that the source has.
    pub path: String,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub file: PathBuf,
    pub line: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// The target of a path.
enum Target {
    Module(usize),
    ItemOf(usize),
    OtherCrate(Vec<String>),
}

impl Modules {
    /// Reads the target whose root is the file `root`, with every module below it.
    pub fn read(root: &Path) -> Self {
        let mut all = Self { modules: Vec::new() };
        let folder = root.parent().expect("a root file lies in a folder");
        all.add(Vec::new(), 0, root, folder, parse(root).items);
        all
    }

    fn add(
        &mut self,
        path: Vec<String>,
        parent: usize,
        file: &Path,
        folder: &Path,
        items: Vec<syn::Item>,
    ) -> usize {
        let id = self.modules.len();
        let mut reader = Reader::default();
        items.iter().for_each(|item| reader.visit_item(item));
        let Reader { imports, globs, named } = reader;
        let names = imports.into_iter().map(|(name, path)| (name, Name::Import(path))).collect();
        self.modules.push(Module { path: path.clone(), parent, file: file.to_owned(), names, globs, named });
        for item in items {
            let syn::Item::Mod(child) = item else { continue };
            if is_test(&child.attrs) {
                continue;
            }
            let name = child.ident.to_string();
            let path = [path.clone(), vec![name.clone()]].concat();
            let inside = folder.join(&name);
            let child = match child.content {
                Some((_, items)) => self.add(path, id, file, &inside, items),
                None => {
                    let (file, inside) = own_path(&child.attrs).map_or_else(
                        || {
                            let flat = folder.join(format!("{name}.rs"));
                            (if flat.exists() { flat } else { inside.join("mod.rs") }, inside.clone())
                        },
                        // Modules of a file with that name are beside it.
                        |own| {
                            let file = file.with_file_name(own);
                            let beside = file.with_file_name("");
                            (file, beside)
                        },
                    );
                    self.add(path, id, &file, &inside, parse(&file).items)
                }
            };
            self.modules[id].names.insert(name, Name::Module(child));
        }
        id
    }

    /// Every import of one module from another, by importing module and line.
    pub fn imports(&self) -> Vec<Import> {
        let mut all = Vec::new();
        for (id, module) in self.modules.iter().enumerate() {
            for named in &module.named {
                let mut passed = Vec::new();
                if let Some(Target::Module(to) | Target::ItemOf(to)) =
                    self.resolve(id, &named.segments, &mut passed, MOST_HOPS)
                {
                    passed.push(to);
                }
                passed.retain(|&to| to != id);
                all.extend(passed.into_iter().map(|to| Import {
                    from: module.path.clone(),
                    to: self.modules[to].path.clone(),
                    place: Line { file: module.file.clone(), line: named.line },
                    path: named.segments.join("::"),
                }));
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// Paths into other crates, such as `std::fs::read`, and their places.
    pub fn outside(&self) -> Vec<(String, Line)> {
        let mut all = Vec::new();
        for (id, module) in self.modules.iter().enumerate() {
            for named in &module.named {
                if let Some(Target::OtherCrate(path)) =
                    self.resolve(id, &named.segments, &mut Vec::new(), MOST_HOPS)
                {
                    let place = Line { file: module.file.clone(), line: named.line };
                    all.push((path.join("::"), place));
                }
            }
        }
        all
    }

    /// Names from the root of every module, with whether it has modules below it.
    pub fn paths(&self) -> BTreeMap<&[String], bool> {
        let mut all: BTreeMap<&[String], bool> =
            self.modules.iter().map(|module| (module.path.as_slice(), false)).collect();
        for module in self.modules.iter().skip(1) {
            all.insert(&self.modules[module.parent].path, true);
        }
        all
    }

    /// Follows `segments` from the module `from`; `passed` receives the modules that only re-export, except the
    /// root.
    fn resolve(
        &self,
        from: usize,
        segments: &[String],
        passed: &mut Vec<usize>,
        hops: usize,
    ) -> Option<Target> {
        let hops = hops.checked_sub(1)?;
        let first = segments.first()?;
        let relative = ["crate", "self", "super"].contains(&first.as_str());
        if !relative && !self.knows(from, first, hops) {
            return Some(Target::OtherCrate(segments.to_vec()));
        }
        let mut at = from;
        for (index, segment) in segments.iter().enumerate() {
            at = match segment.as_str() {
                "self" => at,
                "crate" => 0,
                "super" => self.modules[at].parent,
                name => match self.step(at, name, passed, hops) {
                    None => return Some(Target::ItemOf(at)),
                    Some(Target::Module(next)) => next,
                    Some(Target::ItemOf(module)) => return Some(Target::ItemOf(module)),
                    Some(Target::OtherCrate(mut path)) => {
                        path.extend_from_slice(&segments[index + 1..]);
                        return Some(Target::OtherCrate(path));
                    }
                },
            };
        }
        Some(Target::Module(at))
    }

    /// What `name` is in the module `at`; nothing if it is an item of that module itself.
    fn step(&self, at: usize, name: &str, passed: &mut Vec<usize>, hops: usize) -> Option<Target> {
        let path = match self.modules[at].names.get(name) {
            Some(Name::Module(child)) => return Some(Target::Module(*child)),
            Some(Name::Import(path)) => path.clone(),
            None => self.modules[at].globs.iter().find_map(|glob| {
                let Some(Target::Module(within)) = self.resolve(at, glob, &mut Vec::new(), hops) else {
                    return None;
                };
                let found = within != at && self.knows(within, name, hops);
                found.then(|| [glob.clone(), vec![name.to_owned()]].concat())
            })?,
        };
        if at != 0 {
            passed.push(at);
        }
        self.resolve(at, &path, passed, hops)
    }

    fn knows(&self, module: usize, name: &str, hops: usize) -> bool {
        self.modules[module].names.contains_key(name)
            || self.step(module, name, &mut Vec::new(), hops).is_some()
    }
}

fn parse(file: &Path) -> syn::File {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Whether `attributes` keep an item for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return attribute.path().is_ident("test") };
        let words = list.tokens.to_string();
        list.path.is_ident("cfg")
            && words.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
            && !words.contains("not")
    })
}

/// The file that `#[path = "…"]` names.
fn own_path(attributes: &[syn::Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            path,
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(file), .. }),
            ..
        }) if path.is_ident("path") => Some(file.value()),
        _ => None,
    })
}

/// Gathers what one module names, without the modules inside it.
#[derive(Default)]
struct Reader {
    imports: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
    named: Vec<Named>,
}

impl Reader {
    fn name(&mut self, segments: Vec<String>, span: Span) {
        self.named.push(Named { segments, line: span.start().line });
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| {
            let name = name.to_string();
            if name == "self" && !before.is_empty() { before.to_vec() } else { [before, &[name]].concat() }
        };
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
            syn::UseTree::Name(name) => {
                let path = with(&name.ident);
                self.name(path.clone(), name.span());
                let known = path.last().expect("an import names something").clone();
                // An import of a whole crate by its own name leads to where it already is.
                if path.len() > 1 {
                    self.imports.push((known, path));
                }
            }
            syn::UseTree::Rename(rename) => {
                let path = with(&rename.ident);
                self.name(path.clone(), rename.span());
                self.imports.push((rename.rename.to_string(), path));
            }
            syn::UseTree::Glob(glob) => {
                self.name(before.to_vec(), glob.span());
                self.globs.push(before.to_vec());
            }
        }
    }

    /// Paths among the tokens of a macro, which has no syntax of its own.
    fn tokens(&mut self, tokens: &TokenStream) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let colon =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(&group.stream()),
                TokenTree::Ident(first) => {
                    let mut segments = vec![first.to_string()];
                    while colon(at + 1)
                        && colon(at + 2)
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        segments.push(next.to_string());
                        at += 3;
                    }
                    if segments.len() > 1 {
                        self.name(segments, first.span());
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(_) => return,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.name(segments, path.span());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(&call.tokens);
    }

    /// Attributes name what a derive brings in, such as `serde(with = "…")`; modules they name are used in code too.
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}
}
