//! A chat model that is told to lie: two hundred lies about the sample's reports, and as many true sentences, each
//! over the real protocol.

use crate::{passage, task, written};
use sibyl_answer::generate::chat::Chat;
use sibyl_answer::prompt::Prompt;
use sibyl_answer::verify::{MISSED, WRONGLY_FLAGGED};
use sibyl_answer::{AnswerSentence, Check, Passage};
use sibyl_embed::http::{Endpoint, Patience};
use sibyl_loopback::{Behaviour, Options, Provider};
use std::path::Path;

/// The prose of the sample's reports: a passage for each section, with its sentences.
fn sections() -> Vec<(Passage, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample");
    let mut found = Vec::new();
    for name in
        ["aurelia-cement-annual-2024", "halden-shipping-esg-2024", "northwind-energy-climate-report-2024"]
    {
        let text = std::fs::read_to_string(folder.join(format!("{name}.md"))).unwrap();
        for section in text.split("\n## ").skip(1) {
            let passage = passage(found.len() + 1, name, &format!("## {section}"));
            let units = passage.units();
            let prose = units.iter().filter(|unit| !unit.is_row).map(|unit| unit.of(&passage));
            let flat = prose.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            let sentences: Vec<String> =
                flat.filter(|text| text.len() > 50 && !text.starts_with(['-', '*'])).collect();
            found.push((passage, sentences));
        }
    }
    found
}

/// A chat model that repeats what it is told to say.
struct Model {
    provider: Provider,
    chat: Chat,
}

impl Model {
    fn new() -> Self {
        let provider = Provider::start(Options::default()).unwrap();
        let endpoint = Endpoint::new(&provider.url(), None).unwrap();
        let chat = Chat::new(endpoint, "a/model", Prompt::default(), Patience::default());
        Self { provider, chat }
    }

    /// What becomes of `sentence` if the model says it and cites `cited`.
    async fn says(&self, sentence: &str, cited: &Passage) -> Vec<AnswerSentence> {
        self.provider.always(Behaviour::Say(format!("{sentence} [Citation {}]", cited.number)));
        let task = task("What does the report say?", vec![cited.clone()]);
        let (draft, sentences, _) = written(&self.chat, &task).await;
        assert_eq!(draft.fault, None, "{sentence}");
        sentences
    }

    async fn is_flagged(&self, sentence: &str, cited: &Passage) -> bool {
        let sentences = self.says(sentence, cited).await;
        sentences.iter().any(|one| !matches!(one.check, Check::Verified | Check::Supported))
    }
}

/// The same sentence, with other words around it.
fn retold(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().unwrap_or_default();
    let second = sentence.split_whitespace().next().unwrap_or_default();
    let plain = [
        "The", "It", "We", "A", "An", "In", "Its", "Our", "They", "If", "No", "Each", "At", "This", "Two",
        "Three",
    ]
    .contains(&second);
    let start = if plain { first.to_lowercase().to_string() } else { first.to_string() };
    format!("According to the report, {start}{}", letters.as_str())
}

/// The last digit of its first figure, changed.
fn other_figure(sentence: &str) -> Option<String> {
    let at = sentence.find(|c: char| c.is_ascii_digit())?;
    let end = at
        + sentence[at..]
            .find(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.'))
            .unwrap_or(sentence.len() - at);
    let last = sentence[at..end].rfind(|c: char| c.is_ascii_digit())? + at;
    let digit = sentence[last..].chars().next()?.to_digit(10)?;
    Some(format!("{}{}{}", &sentence[..last], (digit + 3) % 10, &sentence[last + 1..]))
}

/// A name that is not at its beginning, changed.
fn other_name(sentence: &str) -> Option<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let at = words.iter().enumerate().skip(1).find(|(index, word)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let months = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
            "Scope",
            "Scopes",
        ];
        bare.len() > 3
            && bare.chars().next().is_some_and(char::is_uppercase)
            && bare.chars().skip(1).all(char::is_lowercase)
            && !months.contains(&bare)
            && !words[index - 1].ends_with(['.', ':'])
    })?;
    let bare = at.1.trim_matches(|c: char| !c.is_alphanumeric());
    Some(sentence.replacen(bare, "Brandywine", 1))
}

/// A quote that nobody said.
fn other_quote(sentence: &str) -> Option<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let quote = words.get(1..7)?;
    Some(format!(
        "The report speaks of “{} gladly {}”.",
        quote[..3].join(" "),
        quote[3..].join(" ").trim_end_matches(['.', ','])
    ))
}

/// Makes a lie of a true sentence; `None` if it has nothing of that kind to change.
type Change = fn(&str) -> Option<String>;

#[tokio::test]
async fn lies_are_flagged_and_true_sentences_are_not() {
    let (model, sections) = (Model::new(), sections());
    let (mut lies, mut caught, mut truths, mut wrongly) = (0, 0, 0, 0);
    let (mut missed, mut blamed) = (Vec::new(), Vec::new());
    let kinds: [(&str, Change); 3] = [("figure", other_figure), ("name", other_name), ("quote", other_quote)];
    for (kind, change) in kinds {
        let all =
            sections.iter().flat_map(|(passage, sentences)| sentences.iter().map(move |one| (passage, one)));
        for (passage, sentence) in
            all.filter_map(|(passage, one)| Some((passage, change(&retold(one))?))).take(50)
        {
            lies += 1;
            if model.is_flagged(&sentence, passage).await {
                caught += 1;
            } else {
                missed.push(format!("{kind}: {sentence}"));
            }
        }
    }
    for (index, (_, sentences)) in sections.iter().enumerate() {
        let other = &sections[(index + sections.len() / 2) % sections.len()].0;
        for sentence in sentences.iter().take(4) {
            if lies >= 200 {
                break;
            }
            lies += 1;
            if model.is_flagged(&retold(sentence), other).await {
                caught += 1;
            } else {
                missed.push(format!("citation: {sentence}"));
            }
        }
    }
    for (passage, sentences) in &sections {
        for sentence in sentences.iter().take(200 / sections.len() + 1) {
            truths += 1;
            if model.is_flagged(&retold(sentence), passage).await {
                wrongly += 1;
                blamed.push(format!("{:?}", model.says(&retold(sentence), passage).await));
            }
        }
    }
    assert!(lies >= 195 && truths >= 100, "{lies} lies, {truths} true sentences");
    assert!(
        f64::from(lies - caught) <= MISSED * f64::from(lies),
        "{caught} of {lies}:\n{}",
        missed.join("\n")
    );
    assert!(
        f64::from(wrongly) <= WRONGLY_FLAGGED * f64::from(truths),
        "{wrongly} of {truths}:\n{}",
        blamed.join("\n")
    );
}
