//! Answers in the words of the sources: the best supported sentences, items and rows, unchanged.

mod alone;
mod condition;
mod holder;
mod kind;
mod list;
mod paragraph;
#[cfg(test)]
mod tests;

use super::{Generator, GeneratorInfo, Listener, Models, Task, WriteFuture};
use crate::draft::{Draft, DraftSentence, Piece};
use crate::passage::{Passage, Unit, cells};
use crate::question::{Asked, Kind, Question};
use alone::{may_give_reason, standing_alone};
use condition::{answers, lacks, meets, says_figure};
use kind::{fit, is_definition};
use list::list;
use sibyl_embed::{Embedder, Purpose};
use sibyl_text::Span;
use sibyl_text::figure::Status;
use sibyl_text::language::words::{points_back, stem, stem_set, stems, words};
use std::collections::HashSet;

/// What it is.
pub const INFO: GeneratorInfo = GeneratorInfo {
    name: "extractive",
    description: "Quotes the sentences and table rows that answer best, word for word, without a language model.",
    remote: false,
};

/// Maximum number of items of a list; a longer one is no answer.
const MOST_ITEMS: usize = 14;
/// Maximum number of passages of standards, each quoted once, the most relevant first.
const STANDARDS: usize = 4;
/// Sentences from the paragraph that answers best.
const OF_THE_BEST: usize = 2;
/// The same for a definition.
const OF_A_DEFINITION: usize = 3;
/// Weight of what stands above or before a unit, relative to its own words.
const HEAD: f64 = 0.7;
const ABOVE: f64 = 0.6;
const BEFORE: f64 = 0.45;
/// The same for the sentence before one that refers back to it.
const POINTED_TO: f64 = 0.85;
/// What a list gains over a sentence if a question asks for every item.
const LIST: f64 = 0.25;
/// Share of the best score that a list must reach otherwise.
const NEAR_LIST: f64 = 0.6;
/// What a sentence with a condition gains if the question is about one.
const CONDITION: f64 = 0.12;
/// Minimum weight of a word that is in every passage, relative to one that is in few.
const EVERYWHERE: f64 = 0.35;
/// Number of words after "which" that may name what is asked for.
const OF_THE_NAME: usize = 4;
/// What a row gains if all of its label is asked for.
const LABEL: f64 = 0.2;
/// How sure the answer must be.
struct Least {
    /// If the passages are less relevant than required.
    doubtful: f64,
    /// For a question answered by yes or no, for which sources use words of their own.
    yes_or_no: f64,
    /// Otherwise.
    plain: f64,
}

/// With the words and the static table only.
const LEAST: Least = Least { doubtful: 0.54, yes_or_no: 0.28, plain: 0.36 };
/// The same if the sentence transformer reads as well.
const LEAST_READ: Least = Least { doubtful: 0.4, yes_or_no: 0.3, plain: 0.35 };
/// Weight of the similarity in meaning, as the static table sees it.
const MEANING: f64 = 0.35;
/// Weight of the similarity in meaning, as the sentence transformer sees it.
const READ: f64 = 0.5;
/// Units that the sentence transformer reads, the best first.
const MOST_READ: usize = 24;

/// The extractive generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extractive;

impl Generator for Extractive {
    fn info(&self) -> GeneratorInfo {
        INFO
    }

    fn write<'a>(&'a self, task: &'a Task, listener: &'a Listener<'a>) -> WriteFuture<'a> {
        Box::pin(async move {
            let asks = &task.question.asks;
            let mut candidates = scored(task).await;
            let stated = paragraph::stated(&task.question, &candidates);
            if !stated.is_empty() {
                return drafted(stated, Some(1.0), listener);
            }
            // What a standard requires is no figure of a period.
            let of_a_period = asks.certain && !asks.periods.is_empty();
            candidates.retain(|candidate| match candidate.is_paragraph() {
                true => !of_a_period && candidate.of_names,
                false => meets(&task.question, candidate),
            });
            if lacks(&task.question, &candidates) {
                return Draft::default();
            }
            if task.question.kind == Kind::Name && !candidates[0].is_paragraph() {
                let mut named = holder::naming(&task.question, &candidates).into_iter();
                candidates.retain(|_| named.next().unwrap_or_default());
            }
            let told = matches!(task.question.kind, Kind::Date | Kind::Name | Kind::List | Kind::Definition);
            let one_number = asks.certain || (asks.telegraphic && asks.status != Some(Status::Base) && !told);
            if one_number && !candidates[0].is_paragraph() {
                candidates.retain(|candidate| says_figure(&task.question, candidate));
            }
            let chosen = choose(&task.question, &candidates);
            let answers = answers(&task.question, &chosen, task.doubtful);
            if answers < least(task, chosen.iter().any(|one| one.read.is_some())) {
                return Draft::default();
            }
            let told = standing_alone(&task.question, chosen, &candidates);
            // That something happened is not the reason for it.
            let of_a_report = told.iter().any(|one| !one.is_paragraph());
            let gives_none = !told.iter().any(|one| may_give_reason(one.text()));
            if task.question.kind == Kind::Reason && of_a_report && gives_none {
                return Draft::default();
            }
            drafted(told, Some(answers), listener)
        })
    }
}

/// `chosen` as a draft that is as sure as `answers` says, sent to `listener` sentence by sentence.
fn drafted<'c, 'a: 'c>(
    chosen: impl IntoIterator<Item = &'c ScoredUnit<'a>>,
    answers: Option<f64>,
    listener: &Listener<'_>,
) -> Draft {
    let mut draft = Draft { answers, ..Draft::default() };
    for sentence in with_heads(chosen) {
        listener(&Piece::Sentence(sentence.clone()));
        draft.sentences.push(sentence);
    }
    draft
}

/// How sure an answer to the question of `task` must be; `is_read` means that the sentence transformer judged it
/// too.
const fn least(task: &Task, is_read: bool) -> f64 {
    let least = if is_read { LEAST_READ } else { LEAST };
    match (task.doubtful, task.question.kind) {
        (true, _) => least.doubtful,
        (false, Kind::YesNo) => least.yes_or_no,
        (false, _) => least.plain,
    }
}

/// A unit of a passage, with what speaks for it.
pub(crate) struct ScoredUnit<'a> {
    pub passage: &'a Passage,
    pub unit: Unit,
    /// Position in its passage.
    index: usize,
    /// How well it answers.
    pub score: f64,
    /// Stems of its own words, of the row that heads it, and of the sentence that it refers back to.
    own: HashSet<String>,
    /// Stems of the heading above it.
    section: HashSet<String>,
    /// The sentence that it refers back to.
    antecedent: Option<Span>,
    /// Whether its passage has every name that is asked about.
    of_names: bool,
    /// How near it is to the question in meaning, 0 to 1, by the static table.
    near: f64,
    /// The same by the sentence transformer, if that read the unit.
    read: Option<f64>,
}

impl ScoredUnit<'_> {
    fn text(&self) -> &str {
        self.unit.of(self.passage)
    }

    fn sentence(&self) -> DraftSentence {
        self.quote(self.unit.span)
    }

    fn quote(&self, span: Span) -> DraftSentence {
        DraftSentence {
            text: span.of(&self.passage.source.text).to_owned(),
            passages: vec![self.passage.number],
            misplaced: Vec::new(),
            quoted: Some((self.passage.number, span)),
        }
    }

    /// Whether it is from a standard, whose passages are paragraphs, and not from a report or selected text.
    pub fn is_paragraph(&self) -> bool {
        self.passage.paragraph_id.is_some()
    }
}

/// Every unit of the passages of `task`, the best first.
pub(crate) async fn scored(task: &Task) -> Vec<ScoredUnit<'_>> {
    let mut candidates = candidates(task).await;
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates
}

/// Every unit of the passages of `task`, scored.
async fn candidates(task: &Task) -> Vec<ScoredUnit<'_>> {
    let mut found: Vec<ScoredUnit<'_>> = Vec::new();
    let asked = weighed(task);
    let total: f64 = asked.iter().map(|(_, weight)| weight).sum::<f64>().max(1e-9);
    let conditional = is_conditional(&task.question.text);
    for passage in &task.passages {
        let mut above = passage.section.clone();
        let mut all = around(passage, &above);
        let (mut around, mut section) = (all.clone(), stems_of_last(&above));
        let (mut before, mut last) = (HashSet::new(), None);
        let first = found.len();
        for (index, unit) in passage.units().into_iter().enumerate() {
            let text = unit.of(passage);
            // A paragraph of a standard is one section; a passage of a report may hold several.
            if passage.paragraph_id.is_none() && passage.section_of(unit.span) != above {
                above = passage.section_of(unit.span);
                (around, section) = (self::around(passage, &above), stems_of_last(&above));
            }
            let own = stem_set(text);
            let head = unit.head.map(|head| stem_set(head.of(&passage.source.text))).unwrap_or_default();
            let points_back = words(text).first().is_some_and(|word| points_back(&word.text.to_lowercase()));
            let weight = if points_back { POINTED_TO } else { BEFORE };
            let held = asked.iter().map(|(asked, asked_weight)| {
                let own = asked.held(&own);
                let near = [(&head, HEAD), (&before, weight), (&around, ABOVE)];
                let near = near.iter().map(|(stems, weight)| asked.held(stems) * weight).fold(0.0, f64::max);
                asked_weight * own.max(near)
            });
            let mut score = held.sum::<f64>() / total + 0.45 / (passage.number as f64 + 1.0);
            let head_text = unit.head.map(|head| head.of(&passage.source.text)).unwrap_or_default();
            score += fit(&task.question, passage, index, (text, head_text));
            if unit.is_row {
                score += LABEL * asked_share(&task.question, text);
            }
            if conditional && is_conditional(text) {
                score += CONDITION;
            }
            all.extend(own.iter().cloned());
            let mut read: HashSet<String> = own.union(&head).cloned().collect();
            if points_back {
                read.extend(before.iter().cloned());
            }
            before = own;
            let previous = last.replace(unit.span).filter(|_| !unit.is_row);
            let section = section.clone();
            found.push(ScoredUnit {
                passage,
                unit,
                index,
                score,
                own: read,
                section,
                antecedent: if points_back { previous } else { None },
                of_names: true,
                near: 0.0,
                read: None,
            });
        }
        all.extend(passage.source.issuer.iter().flat_map(|issuer| stem_set(issuer)));
        let of_names = task.question.is_of_passage(&all);
        found[first..].iter_mut().for_each(|candidate| candidate.of_names = of_names);
        if passage.paragraph_id.is_none() {
            let held = asked.iter().map(|(asked, weight)| weight * asked.held(&all)).sum::<f64>() / total;
            found[first..].iter_mut().for_each(|candidate| candidate.score += 0.15 * held);
        }
    }
    compare_meanings(task, &mut found).await;
    found
}

/// Adds to the score of each of `candidates` how near it is to the question in meaning. The static table judges
/// all of them, and the sentence transformer those that the table puts among the best.
async fn compare_meanings(task: &Task, candidates: &mut [ScoredUnit<'_>]) {
    let Models { table, transformer } = &task.models;
    let Some(table) = table else { return };
    let texts: Vec<String> = candidates
        .iter()
        .map(|c| match c.unit.head {
            Some(head) => format!("{} {}", head.of(&c.passage.source.text), c.text()),
            None => c.text().to_owned(),
        })
        .collect();
    let Some(near) = similarities(table.as_ref(), task, &texts).await else { return };
    for (candidate, near) in candidates.iter_mut().zip(near) {
        candidate.score += MEANING * near;
        candidate.near = near;
    }
    let Some(transformer) = transformer else { return };
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    // Words and relevance are enough to tell paragraphs of standards apart.
    if candidates.first().is_none_or(|best| best.is_paragraph()) {
        return;
    }
    let best = candidates.len().min(MOST_READ);
    let texts: Vec<String> = candidates[..best].iter().map(in_words).collect();
    let Some(near) = similarities(transformer.as_ref(), task, &texts).await else { return };
    for (candidate, near) in candidates.iter_mut().zip(near) {
        candidate.score += READ * near;
        candidate.read = Some(near);
    }
}

/// The words of the question of `task`, each with its weight. Of two words equally rare in the library, the one in
/// fewer of the reports' passages says more about where the answer is.
fn weighed(task: &Task) -> Vec<(&Asked, f64)> {
    let reports: Vec<HashSet<String>> = task
        .passages
        .iter()
        .filter(|passage| passage.paragraph_id.is_none())
        .map(|passage| {
            let mut stems = around(passage, &passage.section);
            stems.extend(stem_set(&passage.text()));
            stems
        })
        .collect();
    let all = reports.len() as f64;
    let rest = |asked: &Asked| {
        let holding = reports.iter().filter(|stems| asked.held(stems) > 0.0).count() as f64;
        if reports.len() < 2 || holding == 0.0 {
            return 1.0;
        }
        EVERYWHERE + (1.0 - EVERYWHERE) * (all / holding).ln() / all.ln()
    };
    task.question.asked.iter().map(|asked| (asked, asked.weight * rest(asked))).collect()
}

/// Share of the words of the label of `row`, without its unit, that the question asks for, 0 to 1.
fn asked_share(question: &Question, row: &str) -> f64 {
    let label = cells(row).first().copied().unwrap_or_default();
    let label = stem_set(label.split([',', '(']).next().unwrap_or_default());
    let wanted = |stem: &&String| {
        question.asked.iter().any(|asked| asked.held(&HashSet::from([(*stem).clone()])) > 0.0)
    };
    label.iter().filter(wanted).count() as f64 / label.len().max(1) as f64
}

/// Whether `text` says or asks what follows if something happens.
fn is_conditional(text: &str) -> bool {
    words(text).iter().any(|word| matches!(word.text.to_lowercase().as_str(), "if" | "unless"))
}

/// Stems of the last heading of `section`.
fn stems_of_last(section: &[String]) -> HashSet<String> {
    section.last().map(|heading| stem_set(heading)).unwrap_or_default()
}

/// What stands above a passage and is read with it: the headings in `section`, title, paragraph id.
fn around(passage: &Passage, section: &[String]) -> HashSet<String> {
    let mut around = stem_set(&passage.source.title);
    around.extend(section.iter().flat_map(|heading| stems(heading)));
    if let Some(id) = &passage.paragraph_id {
        around.extend(stems(id));
        around.extend(id.split('.').next().map(stem));
    }
    around
}

/// What `candidate` says. For a row, its cells and the column names that contain words: numbers do not say what
/// they are numbers of.
fn in_words(candidate: &ScoredUnit<'_>) -> String {
    if !candidate.unit.is_row {
        let before = candidate.antecedent.map(|before| before.of(&candidate.passage.source.text));
        return before.into_iter().chain([candidate.text()]).collect::<Vec<_>>().join(" ");
    }
    let section = candidate.passage.section_of(candidate.unit.span);
    let head = candidate.unit.head.map(|head| head.of(&candidate.passage.source.text)).unwrap_or_default();
    let holds_words = |cell: &&str| cell.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let told = cells(head).into_iter().chain(cells(candidate.text())).filter(holds_words);
    section.last().map(String::as_str).into_iter().chain(told).collect::<Vec<_>>().join(". ")
}

/// Cosine similarity of the question and `texts`, by `model`.
async fn similarities(model: &dyn Embedder, task: &Task, texts: &[String]) -> Option<Vec<f64>> {
    let asked = model
        .embed(std::slice::from_ref(&task.question.compared), Purpose::Query)
        .await
        .ok()?
        .into_iter()
        .next()?;
    let vectors = model.embed(texts, Purpose::Passage).await.ok()?;
    let cosine = |vector: &Vec<f32>| asked.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    Some(vectors.iter().map(cosine).collect())
}

/// The units of the answer, in reading order; `candidates` are sorted by score.
fn choose<'c, 'a>(question: &Question, candidates: &'c [ScoredUnit<'a>]) -> Vec<&'c ScoredUnit<'a>> {
    let Some(best) = candidates.first() else { return Vec::new() };
    let of_best = |c: &&ScoredUnit<'_>| c.passage.number == best.passage.number;
    let listed = if question.kind == Kind::List { list(question, candidates) } else { Vec::new() };
    let mut chosen = if !listed.is_empty() {
        listed
    } else if question.kind == Kind::List {
        let family: Vec<&ScoredUnit<'_>> = candidates
            .iter()
            .filter(|c| of_best(c) && (best.is_paragraph() || c.unit.block == best.unit.block))
            .collect();
        if family.len() <= MOST_ITEMS { family } else { vec![best] }
    } else if best.is_paragraph() {
        let most = if question.kind == Kind::Definition { OF_A_DEFINITION } else { OF_THE_BEST };
        candidates.iter().filter(of_best).take(most).collect()
    } else {
        of_a_report(question, candidates)
    };
    if best.is_paragraph() {
        for number in 1..=STANDARDS {
            let wanted = question.kind != Kind::Definition || number == 2;
            let told = chosen.iter().any(|c| c.passage.number == number);
            let next = candidates.iter().find(|c| c.passage.number == number && c.is_paragraph());
            let next = next.filter(|c| question.kind != Kind::Definition || is_definition(c.passage));
            chosen.extend(next.filter(|_| wanted && !told));
        }
    }
    let mut told = HashSet::new();
    chosen.retain(|c| told.insert(c.text().split_whitespace().collect::<String>()));
    chosen.sort_by_key(|c| (c.passage.number, c.index));
    chosen
}

/// The best unit, and those nearly as good; of one table, only the best row.
fn of_a_report<'c, 'a>(question: &Question, candidates: &'c [ScoredUnit<'a>]) -> Vec<&'c ScoredUnit<'a>> {
    let best = &candidates[0];
    let (near, most) = match question.kind {
        Kind::Name | Kind::Date => (0.9, 2),
        Kind::Figure => (0.85, 1),
        _ => (0.75, 3),
    };
    let near: f64 = if best.unit.is_row { 0.97 } else { near };
    let same_table = |a: &ScoredUnit<'_>, b: &ScoredUnit<'_>| {
        a.unit.is_row && b.unit.is_row && a.passage.number == b.passage.number && a.unit.block == b.unit.block
    };
    let mut chosen = vec![best];
    for further in candidates[1..].iter().filter(|c| c.score >= best.score * near && !c.is_paragraph()) {
        if chosen.len() < most && !chosen.iter().any(|one| same_table(one, further)) {
            chosen.push(further);
        }
    }
    chosen
}

/// Adds the head of its table to each row.
fn with_heads<'c, 'a: 'c>(chosen: impl IntoIterator<Item = &'c ScoredUnit<'a>>) -> Vec<DraftSentence> {
    let mut out: Vec<DraftSentence> = Vec::new();
    for candidate in chosen {
        if let Some(head) = candidate.unit.head.map(|head| candidate.quote(head))
            && !out.iter().any(|told| told.quoted == head.quoted)
        {
            out.push(head);
        }
        out.push(candidate.sentence());
    }
    out
}
