//! The folders of the interface and what their files import.

use std::path::{Component, Path, PathBuf};

/// Folders of the interface; each imports from itself and those before it. Only `main.tsx` and what tests share
/// are outside.
const TIERS: &[&str] = &["text", "kit", "api", "state", "parts", "pages", "app"];

/// A file of the interface names another file or a package.
pub struct Import {
    /// Below `ui/src`.
    pub from: PathBuf,
    /// Line, from 1.
    pub line: usize,
    pub to: Target,
}

/// What is imported.
pub enum Target {
    /// A file or folder below `ui/src`, with or without its extension.
    Own(PathBuf),
    Package(String),
}

/// Every import below `src`, without tests.
pub fn imports(src: &Path) -> Vec<Import> {
    let mut files = Vec::new();
    collect(src, &mut files);
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let from = file.strip_prefix(src).expect("a file below src").to_owned();
        for (line, specifier) in specifiers(&text) {
            all.push(Import { to: target(&from, &specifier), from: from.clone(), line });
        }
    }
    all
}

/// Why an import is against the tiers; nothing if it is not.
pub fn refused(import: &Import) -> Option<String> {
    let Import { from, to, .. } = import;
    let to = match to {
        Target::Package(name) if name.starts_with("@tauri-apps") && !from.starts_with("api/transport") => {
            return Some(format!("{name}: only api/transport knows the desktop"));
        }
        Target::Package(_) => return None,
        Target::Own(to) => to,
    };
    if from.components().count() == 1 || from.starts_with("test") {
        return None;
    }
    let Some(tier) = tier(from) else { return Some("its folder is not in TIERS".to_owned()) };
    let page = |path: &Path| path.components().nth(1).map(|name| name.as_os_str().to_owned());
    if tier < self::tier(to).unwrap_or(TIERS.len()) {
        return Some(format!("{}: {} import downwards only", to.display(), TIERS.join(" ← ")));
    }
    // The list of pages names each of them.
    let pages = from.starts_with("pages") && to.starts_with("pages") && from.components().count() > 2;
    (pages && page(from) != page(to)).then(|| format!("{}: a page imports no other page", to.display()))
}

/// The height of a folder directly below `src`.
fn tier(path: &Path) -> Option<usize> {
    TIERS.iter().position(|tier| path.starts_with(tier))
}

/// Whether the file at `name` is of tests alone: it may use the whole interface.
fn is_of_tests(name: &str) -> bool {
    name.contains(".test.") || name.ends_with("/testing.tsx")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry of a folder").path()) {
        let name = path.to_string_lossy();
        if path.is_dir() {
            collect(&path, files);
        } else if (name.ends_with(".ts") || name.ends_with(".tsx")) && !is_of_tests(&name) {
            files.push(path);
        }
    }
}

/// The target of a specifier: `@/` is `src`, a dot is the folder of the file.
fn target(from: &Path, specifier: &str) -> Target {
    let path = match specifier.strip_prefix("@/") {
        Some(path) => PathBuf::from(path),
        None if specifier.starts_with('.') => from.parent().unwrap_or(from).join(specifier),
        None => return Target::Package(specifier.to_owned()),
    };
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Target::Own(plain)
}

/// The strings after `from`, `import` and `import(` with their lines, outside comments.
fn specifiers(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    let (mut line, mut word) = (1, "");
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' || first == '\'' || first == '`' {
            let length = string(rest, first);
            if ["from", "import"].contains(&word) && first != '`' {
                found.push((line, rest[1..length - 1].to_owned()));
            }
            word = "";
            length
        } else if first.is_alphanumeric() || first == '_' || first == '$' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            word = &rest[..end.unwrap_or(rest.len())];
            word.len()
        } else {
            if !first.is_whitespace() && first != '(' {
                word = "";
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// Bytes of the string that `text` begins with, quotes included.
fn string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            // An apostrophe of running text between tags opens no string.
            '\n' if quote != '`' => return 1,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::{Import, Target, refused, specifiers, target};
    use std::path::{Path, PathBuf};

    #[test]
    fn imports_are_found_in_every_form_and_not_in_comments_or_text() {
        let text = "import {\n  a,\n} from \"./a\"; // from \"./no\"\n\
                    import \"../b.css\";\n/* import \"./no\" */ const c = import(\"@/c\");\n\
                    export type { D } from 'd'; const text = `from \"./no\"`;\n<p>It isn't from \"here\"</p>";
        let found: Vec<(usize, String)> = specifiers(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, path)| (*line, path.as_str())).collect();
        // The last is what a person reads between two tags; it names no file.
        assert_eq!(found[..4], [(3, "./a"), (4, "../b.css"), (5, "@/c"), (6, "d")]);
    }

    #[test]
    fn a_specifier_is_resolved_from_its_file() {
        let own = |specifier| match target(Path::new("pages/library/Add.tsx"), specifier) {
            Target::Own(path) => path.display().to_string(),
            Target::Package(name) => format!("package {name}"),
        };
        assert_eq!(own("./Import"), "pages/library/Import");
        assert_eq!(own("../../kit/Button"), "kit/Button");
        assert_eq!(own("@/parts/passage"), "parts/passage");
        assert_eq!(own("@tauri-apps/api/core"), "package @tauri-apps/api/core");
    }

    #[test]
    fn an_import_upwards_or_between_pages_is_refused() {
        let refuses = |from: &str, to: &str| {
            let from = PathBuf::from(from);
            refused(&Import { to: target(&from, to), from, line: 1 }).is_some()
        };
        assert!(refuses("kit/Button.tsx", "@/parts/passage"));
        assert!(refuses("kit/Button.tsx", "../pages"));
        assert!(refuses("pages/library/Add.tsx", "../search-lab/state"));
        assert!(refuses("state/jobs.ts", "@/parts/passage"));
        assert!(refuses("pages/library/index.tsx", "@/app/Shell"));
        assert!(refuses("state/router.ts", "@tauri-apps/api/core"));
        assert!(refuses("new/File.ts", "@/text"));
        assert!(!refuses("pages/library/Add.tsx", "@/parts/passage"));
        assert!(!refuses("pages/library/Add.tsx", "./Import"));
        assert!(!refuses("pages/index.ts", "./library"));
        assert!(!refuses("main.tsx", "@/app/App"));
        assert!(!refuses("api/transport/tauri.ts", "@tauri-apps/api/core"));
    }
}
