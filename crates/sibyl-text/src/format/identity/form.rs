//! Names of companies by their form: `Example Holdings plc`.

use crate::language::words::is_stop;

/// Words of the longest name.
pub(super) const WORDS: usize = 8;
/// Last words of names that only companies have.
pub(super) const FORMS: [&str; 37] = [
    "inc",
    "plc",
    "ag",
    "se",
    "sa",
    "s.a",
    "s.a.u",
    "nv",
    "n.v",
    "ab",
    "asa",
    "as",
    "oyj",
    "oy",
    "a/s",
    "gmbh",
    "ltd",
    "limited",
    "corp",
    "corporation",
    "llc",
    "llp",
    "spa",
    "s.p.a",
    "srl",
    "s.r.l",
    "sas",
    "bv",
    "b.v",
    "u.a",
    "kgaa",
    "kg",
    "ohg",
    "eg",
    "s.l",
    "s.c.a",
    "publ",
];
/// Last words of names that others use as well.
pub(super) const ENDS: [&str; 35] = [
    "group",
    "groupe",
    "gruppe",
    "grupo",
    "gruppo",
    "holding",
    "holdings",
    "company",
    "co",
    "cooperative",
    "coöperatie",
    "collective",
    "scheme",
    "trust",
    "foundation",
    "university",
    "authority",
    "agency",
    "institution",
    "bank",
    "association",
    "partners",
    "partnership",
    "industries",
    "council",
    "networks",
    "society",
    "union",
    "fund",
    "hospitals",
    "stad",
    "kommun",
    "kommune",
    "gemeente",
    "universität",
];
/// Forms that are written in small letters alone.
const SMALL_FORMS: [&str; 3] = ["plc", "a/s", "publ"];
/// Forms of companies in text without spaces: behind the name, or before it as well.
const FORMS_IN_RUNS: [&str; 6] = ["株式会社", "有限公司", "合同会社", "集团公司", "集团", "ホールディングス"];
/// Words of reports and their chapters, with which no name begins, and of which no name without a form has one.
const OF_REPORTS: &str = " report reports plan action sustainability sustainable environmental annual integrated esg csr impact \
    fact book sheet estado non-financial interim half-year quarterly corporate responsibility progress transition data voluntary tcfd climate strategy policy \
    statement review disclosure disclosures risk risks emissions scope performance governance social index board committee director \
    executive officer chair chairman table figure page note notes contents introduction appendix annex overview summary highlights \
    january february march april may june july august september october november december net zero target targets chapter section \
    guidance standards standard protocol initiative group-wide results outlook financial consolidated metrics indicators key ";
/// What a line says of who only checked, ran, printed or holds something.
const ROLES: [&str; 26] = [
    "audit",
    "assur",
    "verif",
    "certif",
    "operator",
    "prepared by",
    "designed by",
    "design:",
    "printed",
    "photo",
    "consult",
    "prüf",
    "commissaire",
    "revisor",
    "registrar",
    "監査",
    "审计",
    "supplier",
    "member of",
    "listed on",
    "subsidiary of",
    "part of",
    "source:",
    "acquired",
    "third party",
    "formerly",
];
/// Bytes before a name, and behind the form of one, that are looked at.
const NEAR: usize = 80;

/// The names with the form of a company in a text, each with the text behind it.
pub(super) fn formed(text: &str) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = in_runs(text).into_iter().collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for token in text.split_whitespace() {
        let start = at + text[at..].find(token).unwrap_or_default();
        at = start + token.len();
        let word =
            token.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '(' | ')' | '"' | '“' | '”' | '\''));
        let rest = &text[at..];
        if is_form(word, rest) && open.iter().any(|(_, own)| own.chars().count() > 1) {
            let from = open.iter().skip_while(|(_, word)| opens_none(word)).map(|(from, _)| *from).next();
            if let Some(from) = from.filter(|from| !takes_a_role(&text[..*from])) {
                let name = text[from..at].trim_end_matches([',', ';', ':', ')', '’', '\'']);
                let name = without_owner(name);
                found.push((name.to_owned(), rest));
            }
            open.clear();
            continue;
        }
        let linked = matches!(
            word,
            "&" | "of"
                | "and"
                | "de"
                | "y"
                | "et"
                | "und"
                | "del"
                | "la"
                | "do"
                | "da"
                | "van"
                | "der"
                | "for"
                | "e"
        );
        if token.starts_with(['(', '“', '"'])
            || !(word.starts_with(char::is_uppercase) || linked && !open.is_empty())
        {
            open.clear();
        }
        if word.starts_with(char::is_uppercase) || linked && !open.is_empty() {
            open.push((start, word));
        }
        // A comma may stand before the form, a full stop in an abbreviation.
        let ends = token.ends_with([';', ':', ')', '?', '!'])
            || token.ends_with('.') && word.chars().count() > 4
            || token.ends_with(',') && !rest.split_whitespace().next().is_some_and(|next| is_form(next, ""));
        if ends {
            open.clear();
        }
        if open.len() > WORDS {
            open.remove(0);
        }
    }
    found
}

/// The name of a company in text without spaces: up to its form, or from it to the end of the run.
pub(super) fn in_runs(text: &str) -> Option<(String, &str)> {
    let (form, at) =
        FORMS_IN_RUNS.iter().filter_map(|form| Some((*form, text.find(form)?))).min_by_key(|(_, at)| *at)?;
    let letters = |c: char| c.is_alphabetic() || c == '・';
    let before =
        text[..at].char_indices().rev().take_while(|(_, c)| letters(*c)).last().map_or(at, |(from, _)| from);
    let end = at + form.len();
    let after = text[end..].find(|c: char| !letters(c)).map_or(text.len(), |length| end + length);
    if takes_a_role(&text[..before]) {
        return None;
    }
    match before < at {
        true => Some((text[before..end].to_owned(), &text[end..])),
        false => (after > end).then(|| (text[at..after].to_owned(), &text[after..])),
    }
}

/// Whether a word is the form of a company, with `rest` behind it.
pub(super) fn is_form(word: &str, rest: &str) -> bool {
    let bare = word.trim_matches(['.', ',', ';', ':', ')', '(']);
    let bare = without_owner(bare);
    let lower = bare.to_lowercase();
    if !FORMS.contains(&lower.as_str()) {
        return false;
    }
    // `AS` and `SE` are words as well, of which others follow in capitals.
    let ambiguous = lower.len() == 2 && !lower.contains('.');
    let next = rest.trim_start().chars().next();
    let ends = word.ends_with([',', ';', ':', ')', '.'])
        || next.is_none_or(|c| !c.is_uppercase() && !c.is_numeric());
    let shouted = || {
        let near = &rest[..rest.floor_char_boundary(NEAR)];
        !near.chars().any(char::is_lowercase) && !near.trim().is_empty()
    };
    let small = SMALL_FORMS.contains(&lower.as_str());
    (small || bare.starts_with(char::is_uppercase) || lower == "eg" && bare == "eG")
        && (!ambiguous || ends || !shouted())
}

/// Whether no name begins with a word.
pub(super) fn opens_none(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_stop(&lower)
        || is_of_reports(&lower)
        || matches!(
            lower.as_str(),
            "et" | "y"
                | "und"
                | "de"
                | "van"
                | "&"
                | "für"
                | "la"
                | "le"
                | "die"
                | "der"
                | "das"
                | "dem"
                | "des"
        )
}

/// Whether the words before a name say that its part in the report is another one.
pub(super) fn takes_a_role(before: &str) -> bool {
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(NEAR))..];
    let lower = near.to_lowercase();
    ROLES.iter().any(|role| lower.contains(role))
}

pub(super) fn is_of_reports(word: &str) -> bool {
    OF_REPORTS.contains(&format!(" {} ", word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// A word or name without the sign of its owner.
pub(super) fn without_owner(name: &str) -> &str {
    name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name)
}

/// Whether the last word of a name says that it is one of an organisation.
pub(super) fn is_name_end(name: &str) -> bool {
    last_word(name).is_some_and(|last| ENDS.contains(&last.as_str()))
}

fn last_word(name: &str) -> Option<String> {
    let last = name.split_whitespace().next_back()?;
    (name.split_whitespace().count() > 1).then(|| last.trim_matches(['.', ',', '(', ')']).to_lowercase())
}
