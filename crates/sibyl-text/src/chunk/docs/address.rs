//! The place of a page on a Docusaurus site: route and URL from its path and front matter.

use serde_json::{Map, Value};

/// The route of the page at `path`, without leading slash.
///
/// Rules of Docusaurus: the extension goes; `index`, `readme` and a file named like its folder are the folder's
/// own page. Number prefixes (`01-intro`) go, but not what looks like a date or version (`1.1-intro`). `slug` and
/// `id` of the front matter replace the file's name.
pub(super) fn route(path: &str, front: &Map<String, Value>) -> String {
    let field = |name: &str| front.get(name).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty());
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = [".mdx", ".md", ".markdown", ".txt"].iter().find_map(|e| file.strip_suffix(e)).unwrap_or(file);
    let mut parts: Vec<&str> = folders.split('/').filter(|p| !p.is_empty()).map(without_number).collect();
    let last = match field("slug") {
        Some(slug) if slug.starts_with('/') => return slug.trim_matches('/').to_owned(),
        Some(slug) => slug.trim_matches('/'),
        None if is_index(folders, stem) => "",
        None => field("id").filter(|id| !id.contains('/')).unwrap_or_else(|| without_number(stem)),
    };
    for part in last.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The link to `anchor` on the page at `route` below `base`.
pub(super) fn url(base: &str, route: &str, anchor: &str) -> String {
    let base = base.trim_end_matches('/');
    let mut url = String::with_capacity(base.len() + route.len() + anchor.len() + 2);
    url.push_str(base);
    if !base.is_empty() && !route.is_empty() {
        url.push('/');
    }
    url.push_str(route);
    if !anchor.is_empty() {
        url.push('#');
        url.push_str(anchor);
    }
    url
}

/// Whether the file is its folder's own page.
fn is_index(folders: &str, stem: &str) -> bool {
    let folder = folders.rsplit('/').next().unwrap_or_default();
    stem.eq_ignore_ascii_case("index")
        || stem.eq_ignore_ascii_case("readme")
        || (!folder.is_empty() && stem.eq_ignore_ascii_case(folder))
}

/// `name` without a number prefix such as `01-`.
fn without_number(name: &str) -> &str {
    let separator = |c: char| matches!(c, '-' | '_' | '.');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == name.len()
        || rest.strip_prefix(separator).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
    {
        return name;
    }
    let gap = rest.trim_start();
    let after = gap.trim_start_matches(separator);
    let suffix = after.trim_start();
    if gap.len() == after.len() || suffix.is_empty() { name } else { suffix }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn routes_follow_docusaurus() {
        let none = json!({});
        let cases = [
            (
                "module-1/1.1-introduction-to-physical-ai/physical-ai-foundations.md",
                &none,
                "module-1/1.1-introduction-to-physical-ai/physical-ai-foundations",
            ),
            ("a/b/index.md", &none, "a/b"),
            ("a/b/README.mdx", &none, "a/b"),
            ("a/setup/setup.md", &none, "a/setup"),
            ("index.md", &none, ""),
            ("02-guides/01-first steps.md", &none, "guides/first steps"),
            ("2021-11-notes.md", &none, "2021-11-notes"),
            ("7.0-changes.md", &none, "7.0-changes"),
            ("a/b.md", &json!({"slug": "/start/here"}), "start/here"),
            ("a/b.md", &json!({"slug": "../c"}), "c"),
            ("a/b.md", &json!({"id": "renamed"}), "a/renamed"),
        ];
        for (path, front, expected) in cases {
            assert_eq!(route(path, front.as_object().expect("an object")), expected, "{path}");
        }
    }

    #[test]
    fn urls_join_with_one_slash() {
        assert_eq!(url("https://x.org/docs/", "a/b", "c"), "https://x.org/docs/a/b#c");
        assert_eq!(url("https://x.org/docs", "", ""), "https://x.org/docs");
        assert_eq!(url("", "a/b", "c"), "a/b#c");
    }
}
