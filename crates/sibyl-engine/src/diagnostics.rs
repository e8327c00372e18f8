//! Information for tracing a fault, as text that can be given away: no key, no text of a document, no question.

use crate::error::Result;
use crate::library::Upkeep;
use crate::log::{LogLine, LogQuery, last_lines};
use serde_json::Value;
use std::fmt::Write as _;

/// Lines of the log that are included.
const LINES: usize = 100;
/// Longest message that is included, in characters.
const LONGEST: usize = 160;
/// What the names of the program's own modules begin with: lines of others are in the words of whatever they read.
const PROGRAM: &str = "sibyl";
/// Replaces what is left out.
const REMOVED: &str = "[removed]";
/// Fields of the log whose words are the program's own.
const OWN: &[&str] = &["code", "command", "kernel", "mode", "model", "stage", "tier", "version"];

impl Upkeep<'_> {
    /// System, folder, models, counts, health and the end of the log, one to a line. The whole library is checked
    /// for it. `version` is that of the program.
    ///
    /// # Errors
    /// Storage errors.
    pub async fn diagnostics(&self, workspace: &str, version: &str) -> Result<String> {
        let overview = self.library.contents().overview(workspace).await?;
        let health = self.doctor().await?;
        let log = last_lines(self.library.folder(), LogQuery { limit: LINES, ..LogQuery::default() }).await?;
        let served: Vec<String> =
            self.library.models().embedders().await.iter().map(|each| each.space().id()).collect();
        let mut out = format!(
            "Sibyl {version} on {} {}\nfolder {} ({} bytes)\n",
            std::env::consts::OS,
            std::env::consts::ARCH,
            overview.folder,
            overview.disk_bytes
        );
        for stored in self.library.store().spaces().await? {
            let use_ = if served.contains(&stored.id) { "in use" } else { "not in use" };
            let (space, vectors) = (stored.space, stored.vectors);
            told(
                &mut out,
                format_args!(
                    "model {} {} dimensions, {vectors} vectors, {use_}",
                    space.model, space.dimensions
                ),
            );
        }
        told(
            &mut out,
            format_args!(
                "{} documents, {} chunks, {:.1} % embedded",
                overview.documents, overview.chunks, overview.embedded_percent
            ),
        );
        for (n, one) in overview.corpora.iter().enumerate() {
            // Its name may be the client's.
            told(
                &mut out,
                format_args!(
                    "corpus {} {} by {}: {} documents, {} chunks",
                    n + 1,
                    one.corpus.source_type,
                    one.corpus.strategy,
                    one.documents,
                    one.chunks
                ),
            );
            for model in &one.coverage {
                told(&mut out, format_args!("  {} covers {} chunks", model.model, model.covered));
            }
        }
        told(&mut out, format_args!("doctor: {}", if health.is_sound() { "sound" } else { "not sound" }));
        for finding in &health.findings {
            told(&mut out, format_args!("  {:?} {}", finding.severity, finding.code));
        }
        out.push('\n');
        for line in &log.lines {
            told(&mut out, format_args!("{}", bare(line)));
        }
        Ok(out)
    }
}

fn told(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = writeln!(out, "{line}");
}

/// A line of the log in the program's own words. Text after a colon, in quotes or in somebody else's words may
/// come from a document, a provider or a question.
fn bare(line: &LogLine) -> String {
    let message = if line.target.starts_with(PROGRAM) {
        let message = line.message.split(": ").next().unwrap_or_default();
        unquoted(message).chars().take(LONGEST).collect()
    } else {
        REMOVED.to_owned()
    };
    let mut out = format!("{} {} {} {message}", line.at, line.level.name(), line.target);
    for (name, value) in &line.fields {
        let own = match value {
            Value::Number(_) | Value::Bool(_) => true,
            Value::String(text) => OWN.contains(&name.as_str()) && text.len() <= LONGEST,
            _ => false,
        };
        if own {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            out.push_str(&format!(" {name}={text}"));
        } else {
            out.push_str(&format!(" {name}={REMOVED}"));
        }
    }
    out.replace('\n', " ")
}

/// `text` without what is in quotes or backticks.
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut until = None;
    for character in text.chars() {
        match until {
            Some(end) if character == end => until = None,
            Some(_) => {}
            None => {
                until = match character {
                    '`' | '"' => Some(character),
                    '“' => Some('”'),
                    _ => None,
                };
                if until.is_some() {
                    out.push_str(REMOVED);
                } else {
                    out.push(character);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::Library;
    use crate::ingest::{EmbedPlan, IngestRequest, Source};
    use crate::library::OpenOptions;
    use crate::log::LogWriter;
    use crate::reader::ReaderProgram;
    use crate::store::table::workspace::DEFAULT_WORKSPACE;
    use std::io::Write as _;

    const KEY: &str = "sk-or-v1-0123456789abcdef";
    const SECRET: &str = "the quillwort merger is not announced";

    #[tokio::test]
    async fn what_is_given_away_holds_neither_keys_nor_text_nor_questions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("minutes.md");
        std::fs::write(&file, format!("# Minutes of quillwort\n\nToday {SECRET}.\n")).unwrap();
        let data = folder.path().join("data");
        let options = OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(&data) };
        let library = Library::open(options).await.unwrap();
        let request = IngestRequest {
            sources: vec![Source::path(&file)],
            embed: EmbedPlan::Nothing,
            ..IngestRequest::default()
        };
        let job = library.ingest().start(DEFAULT_WORKSPACE, request).await.unwrap();
        library.jobs().wait(DEFAULT_WORKSPACE, job).await.unwrap();
        let mut log = LogWriter::default();
        log.open(&data).unwrap();
        for (message, fields) in [
            (
                format!("a call failed: no answer to {SECRET} with {KEY}"),
                r#""code":"embedding_provider","request_id":7"#.to_owned(),
            ),
            (
                format!("no word of `{SECRET}` or \\\"{KEY}\\\" or “{SECRET}” is known"),
                format!(r#""query":"{SECRET}","command":"search""#),
            ),
            ("asked again".to_owned(), format!(r#""failure":"{KEY}","list":["{SECRET}"],"attempts":3"#)),
        ] {
            let line = format!(
                r#"{{"timestamp":"2025-11-19T14:31:00Z","level":"WARN","target":"sibyl","fields":{{"message":"{message}",{fields}}}}}"#
            );
            log.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
        let others = format!(
            r#"{{"timestamp":"2025-11-19T14:31:00Z","level":"WARN","target":"html5ever","fields":{{"message":"unexpected {SECRET}"}}}}"#
        );
        log.write_all(format!("{others}\n").as_bytes()).unwrap();
        let told = library.upkeep().diagnostics(DEFAULT_WORKSPACE, "9.8.7").await.unwrap();
        for wanted in [
            "Sibyl 9.8.7 on ",
            "1 documents, ",
            "doctor: sound",
            "warn sibyl a call failed ",
            "code=embedding_provider",
            "request_id=7",
            "no word of [removed] or [removed] or [removed] is known",
            "command=search",
            "asked again",
            "attempts=3",
            "warn html5ever [removed]",
        ] {
            assert!(told.contains(wanted), "{wanted} is not in\n{told}");
        }
        assert!(told.contains(&data.display().to_string()));
        for secret in [KEY, SECRET, "quillwort", "merger", "0123456789"] {
            assert!(!told.contains(secret), "{secret} is in\n{told}");
        }
    }
}
