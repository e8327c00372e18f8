//! Fields of a form that say what a report is called, who issued it and which year it is about. Each is a label with
//! its value in the next cell.

/// Bytes of the text that are looked at, from its beginning.
const READ: usize = 200_000;
/// Most words of a value.
const VALUE: usize = 16;
/// Labels of the name of who reports.
pub(super) const ISSUER: [&str; 16] = [
    "name of the reporting entity",
    "name of reporting entity",
    "name of the undertaking",
    "name of the company",
    "name of company",
    "company name",
    "entity name",
    "name of the organisation",
    "name of the organization",
    "organisation name",
    "organization name",
    "name des unternehmens",
    "unternehmensname",
    "nom de l'entreprise",
    "nombre de la empresa",
    "会社名",
];
/// Labels of what the report is called.
pub(super) const TITLE: [&str; 6] = [
    "main title of the report",
    "title of the report",
    "report title",
    "titel des berichts",
    "titre du rapport",
    "título del informe",
];
/// Labels of the last day of the period that it is about, or of its year.
pub(super) const YEAR: [&str; 9] = [
    "reporting period end date",
    "end of the reporting period",
    "end of reporting period",
    "reporting year",
    "reporting period",
    "berichtsjahr",
    "berichtszeitraum",
    "année de référence",
    "報告対象期間",
];

/// The value of the first field of `text` that has one of these `labels`, in lower case.
pub(super) fn of<'t>(text: &'t str, labels: &[&str]) -> Option<&'t str> {
    let text = &text[..text.floor_char_boundary(READ)];
    let plain = |cell: &str| {
        let bare = cell.split(['(', '[']).next().unwrap_or_default();
        bare.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '*' | '：'))
            .to_lowercase()
            .replace('’', "'")
    };
    let mut lines = text.lines().peekable();
    std::iter::from_fn(|| Some((lines.next()?, lines.peek().copied()))).find_map(|(line, next)| {
        let cells = line.split('|').skip(1).map(str::trim).filter(|cell| !cell.is_empty());
        // What stands over several columns names them.
        let names = next.is_some_and(|next| next.starts_with("| ---")) && cells.clone().count() > 2;
        if !line.starts_with('|') || names {
            return None;
        }
        let mut cells = cells.skip_while(|cell| !labels.contains(&plain(cell).as_str()));
        let label = cells.next()?;
        let value = cells.next().filter(|value| value.contains(char::is_alphanumeric))?;
        // The words of a form in other languages stand beside each other as well.
        let other = labels.contains(&plain(value).as_str()) || plain(value) == plain(label);
        // A row of figures is no field.
        let digit = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
        let more = cells.any(|next| next == value || digit(next) && digit(value));
        (!other && !more && value.split_whitespace().count() <= VALUE).then_some(value)
    })
}
