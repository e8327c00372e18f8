//! What a document says about its own standing in its first lines: that another replaced it, that it is a draft,
//! that it is not to be cited.

/// Whether a document may be relied on, by its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Another took its place, or it was withdrawn.
    Superseded,
    /// It says that it is not to be cited.
    NotForCitation,
    /// It is a draft.
    Draft,
}

/// Number of lines examined.
const LINES: usize = 20;
/// Maximum number of words of a line that names a document, as a heading or a stamp does.
const NAMING: usize = 8;

/// What a document calls itself.
const DOCUMENTS: [&str; 14] = [
    "document",
    "report",
    "policy",
    "version",
    "edition",
    "plan",
    "procedure",
    "standard",
    "statement",
    "guideline",
    "guidance",
    "manual",
    "paper",
    "page",
];
/// What follows in the text if it is no longer valid.
const NO_LONGER: [&str; 12] = [
    "is superseded",
    "was superseded",
    "has been superseded",
    "is withdrawn",
    "was withdrawn",
    "has been withdrawn",
    "is replaced by",
    "was replaced by",
    "has been replaced",
    "is obsolete",
    "is no longer",
    "has expired",
];
const NOT_FOR_CITATION: [&str; 7] = [
    "do not cite",
    "do not quote",
    "not for citation",
    "not for quotation",
    "not to be cited",
    "not to be quoted",
    "do not distribute or cite",
];
/// Stamps of a document that is no longer valid.
const STAMPS: [&str; 3] = ["superseded", "withdrawn", "obsolete"];

/// What the first lines of `text` say about its standing; of several, the gravest.
pub fn standing(text: &str) -> Option<Standing> {
    let lines = text.lines().map(plain).filter(|line| !line.is_empty()).take(LINES);
    lines.filter_map(|line| of_line(&line)).min_by_key(|standing| *standing as u8)
}

/// `line` in lower case without marks of Markdown around it.
fn plain(line: &str) -> String {
    line.trim_matches(|c: char| !c.is_alphanumeric() && c != '(').to_lowercase()
}

fn of_line(line: &str) -> Option<Standing> {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let names = words.len() <= NAMING;
    // A report writes about other documents and its own figures in the same words.
    let of_itself = DOCUMENTS
        .iter()
        .filter_map(|document| line.split_once(&format!("this {document} ")))
        .any(|(_, said)| NO_LONGER.iter().any(|way| said.starts_with(way)));
    let stamp = words.first().is_some_and(|first| STAMPS.contains(first))
        || (words.contains(&"status") && words.iter().any(|word| STAMPS.contains(word)));
    if of_itself || (names && stamp) {
        return Some(Standing::Superseded);
    }
    if names && NOT_FOR_CITATION.iter().any(|way| line.contains(way)) {
        return Some(Standing::NotForCitation);
    }
    let draft = names && (words.first() == Some(&"draft") || words.last() == Some(&"draft"));
    (draft || (names && line.contains("(draft"))).then_some(Standing::Draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines_say_what_a_document_is() {
        for (text, says) in [
            (
                "# Travel policy\n\n**Superseded by the policy of 2024**\n\nFlights are …",
                Some(Standing::Superseded),
            ),
            ("# Travel policy\n\nThis policy has been replaced by TP-7.\n", Some(Standing::Superseded)),
            ("SUPERSEDED\n\nEnergy plan 2019\n", Some(Standing::Superseded)),
            (
                "# Methods\n\nPreliminary results. Do not cite without permission.\n",
                Some(Standing::NotForCitation),
            ),
            ("# Climate plan (draft)\n\nText.", Some(Standing::Draft)),
            ("DRAFT v0.3, March 2024\n\n# Climate plan", Some(Standing::Draft)),
            ("# Plan\n\nDraft\n\nSuperseded on 3 May 2023\n", Some(Standing::Superseded)),
            ("# Annual report 2024\n\nThis report supersedes the one of 2023.\n", None),
            ("# Policy\n\nDocuments superseded by this policy: TP-5 and TP-6.\n", None),
            ("# Ships\n\nDraft of the vessels was measured at four ports, fore and aft, in 2024.\n", None),
            ("# Report\n\nOur targets of 2019 were superseded by new ones in 2023.\n", None),
            ("# Report\n\nTargets superseded by new ones\n", None),
            ("# Report\n\nWaste: this figure is no longer reported.\n", None),
            ("# Report\n\nValues with a star come from suppliers and are not to be quoted apart.\n", None),
            ("# Travel policy\n\nStatus: withdrawn\n", Some(Standing::Superseded)),
            ("# Plan\n\nThe plant was withdrawn from service.\n", None),
        ] {
            assert_eq!(standing(text), says, "{text}");
        }
        let late = format!("# Report\n{}\nSuperseded by another\n", "A line of text.\n".repeat(30));
        assert_eq!(standing(&late), None);
    }
}
