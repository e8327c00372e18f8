//! A reader of the explanations that shares nothing with the chunker, so that each checks the other.

use sibyl_corpus::root;
use std::collections::BTreeMap;

/// One explanation: prose, the label before it, the lines after it by name ("Terms", "Asked as", …), and the lists
/// of a metric by name ("Counts", …), each with its items.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The label of a metric, without its full stop.
    pub label: String,
    pub prose: String,
    pub lines: BTreeMap<String, String>,
    pub lists: BTreeMap<String, Vec<String>>,
}

impl Explanation {
    /// Everything that it says: prose, items and advice, without phrasings and pointers.
    pub fn said(&self) -> String {
        let items = self.lists.values().flatten();
        let advice = self.lines.get("In review");
        std::iter::once(&self.prose).chain(items).chain(advice).cloned().collect::<Vec<_>>().join(" ")
    }

    /// What it says the standard asks for: the text without advice.
    pub fn required(&self) -> String {
        let items = self.lists.values().flatten();
        std::iter::once(&self.prose).chain(items).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// Markdown files of `data/ifrs` and `data/sasb` with their text.
pub fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["ifrs", "sasb"] {
        for entry in std::fs::read_dir(root().join("data").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert_eq!(files.len(), 80, "two standards, what the amendments touch and 77 industries");
    files
}

/// The file with what the amendments of December 2025 change: its identifiers may also be in another file.
pub const AMENDED: &str = "s2_amended.md";

/// The files of the standards as issued: each identifier is in them once.
pub fn issued() -> Vec<(String, String)> {
    files().into_iter().filter(|(name, _)| name != AMENDED).collect()
}

/// The explanations of what the amendments of December 2025 touch, by identifier.
pub fn amended() -> BTreeMap<String, Explanation> {
    let text = files().into_iter().find(|(name, _)| name == AMENDED).unwrap().1;
    explanations(&text).into_iter().collect()
}

/// Explanations of one file by identifier, in order.
pub fn explanations(text: &str) -> Vec<(String, Explanation)> {
    let mut out: Vec<(String, Explanation)> = Vec::new();
    let mut stack: Vec<String> = Vec::new(); // the paragraph and the items that are open, outermost first
    for Block { indent, words: block, lines } in blocks(text) {
        let words = block.trim_start_matches("- ");
        if let Some(heading) = words.strip_prefix('#') {
            let code =
                heading.rsplit_once(" (").map(|(_, code)| code.trim_end_matches(')')).unwrap_or_default();
            if code.len() >= 5 && code.as_bytes()[2] == b'-' {
                stack = vec![code.to_owned()];
                out.push((code.to_owned(), Explanation::default()));
            } else {
                stack.clear();
            }
        } else if let Some((label, rest)) = words.strip_prefix("**").and_then(|w| w.split_once("**")) {
            let name = label.split([' ', '·']).next().unwrap_or_default();
            let id = if name.starts_with('(') {
                stack.truncate(1 + indent / 2);
                format!("{}{name}", stack.last().unwrap())
            } else {
                name.to_owned()
            };
            if name.starts_with('(') {
                stack.push(id.clone());
            } else if !name.contains('-') {
                stack = vec![id.clone()];
            }
            let (label, rest) = match rest.rsplit_once("**").filter(|_| name.contains('-')) {
                Some((before, prose)) => (before.rsplit_once("**").map_or("", |(_, label)| label), prose),
                None => ("", rest),
            };
            let label = label.trim_end_matches('.').to_owned();
            let prose = rest.trim_start().strip_prefix("*(").map_or(rest, |_| "");
            let prose = prose.trim().to_owned();
            out.push((id, Explanation { label, prose, ..Explanation::default() }));
        } else if let Some((name, rest)) = words.strip_prefix('*').and_then(|w| w.split_once(":*")) {
            let Some((_, explanation)) = owner(&mut out, &stack, indent) else { continue };
            let items = items(&lines[1..]);
            if items.is_empty() {
                explanation.lines.insert(name.to_owned(), rest.trim().to_owned());
            } else {
                explanation.lists.insert(name.to_owned(), items);
            }
        } else if let Some((_, explanation)) = owner(&mut out, &stack, indent) {
            explanation.prose.push(' ');
            explanation.prose.push_str(words);
        }
    }
    out
}

/// What a block at `indent` belongs to: without indent the paragraph or topic, else the item last opened.
fn owner<'a>(
    out: &'a mut [(String, Explanation)],
    stack: &[String],
    indent: usize,
) -> Option<&'a mut (String, Explanation)> {
    if indent > 0 {
        return out.last_mut();
    }
    let id = stack.first()?;
    out.iter_mut().rev().find(|(other, _)| other == id)
}

/// The text between blank lines.
struct Block<'a> {
    indent: usize,
    /// All of it on one line.
    words: String,
    lines: Vec<&'a str>,
}

/// The bullets of a list, each on one line.
fn items(lines: &[&str]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match (line.trim().strip_prefix("- "), items.last_mut()) {
            (Some(item), _) => items.push(item.to_owned()),
            (None, Some(item)) => {
                item.push(' ');
                item.push_str(line.trim());
            }
            (None, None) => {}
        }
    }
    items
}

/// Blocks of a file, without front matter.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let body = text.splitn(3, "---\n").nth(2).unwrap();
    let mut out = Vec::new();
    for block in body.split("\n\n") {
        let block = block.trim_matches('\n');
        if block.trim().is_empty() {
            continue;
        }
        let indent = block.len() - block.trim_start().len();
        let words = block.split_whitespace().collect::<Vec<_>>().join(" ");
        out.push(Block { indent, words, lines: block.lines().collect() });
    }
    out
}

#[test]
fn a_metric_is_read_with_its_lists() {
    let text = "---\na: b\n---\n# Airlines (TR-AL)\n\n## Labour (TR-AL-310a)\n\nIt matters.\n\n- **TR-AL-310a.2** *(Quantitative; \
                unit: Days)* **Stoppages.** Their\n  number.\n\n  *Counts:*\n  - Strikes\n    alike.\n  - Lockouts.\n\n  *In review:* Ask.\n\n  \
                *Asked as:* strikes.\n\n*Asked as:* unions.\n";
    let read = explanations(text);
    let (code, metric) = &read[2];
    assert_eq!((code.as_str(), metric.prose.as_str()), ("TR-AL-310a.2", "Their number."));
    assert_eq!((metric.label.as_str(), read[1].1.label.as_str()), ("Stoppages", ""));
    assert_eq!(metric.lists["Counts"], ["Strikes alike.", "Lockouts."]);
    assert_eq!(metric.said(), "Their number. Strikes alike. Lockouts. Ask.");
    assert_eq!(
        (metric.lines["Asked as"].as_str(), read[1].1.lines["Asked as"].as_str()),
        ("strikes.", "unions.")
    );
}
