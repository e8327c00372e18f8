//! How a file is read, from its pages to the blocks of the document: the list of passes, and what runs them.
//!
//! Each pass takes what is known, does one thing, and leaves what it made of that to those below it. None undoes what one
//! above it did.

use super::belief;
use super::block::Block;
use super::boxes;
use super::bullet;
use super::cards;
use super::chart::{self, Drawn};
use super::columns;
use super::contents;
use super::continued;
use super::elements::{self, Elements};
use super::file_title;
use super::furniture;
use super::geometry::{Rect, bounds};
use super::glyph::Artifact;
use super::heading;
use super::heads;
use super::hyphen::Lexicon;
use super::joining::{self, flowing_on};
use super::key_figure;
use super::line::Line;
use super::lines;
use super::model::PageModel;
use super::order;
use super::page_break;
use super::panel::{self, Shapes};
use super::part::Part;
use super::pass::{Of, Pass, Run, pass};
use super::reading::{Reading, Sheet};
use super::region;
use super::row_names;
use super::ruled;
use super::ruling::Ruling;
use super::spread;
use super::stacked;
use super::tagged;
use super::thing::{Content, Thing};
use super::trace::Trace;
use super::uncut;
use super::unruled;
use super::unseen;
use super::weigh::Cost;
use super::word::{Turn, Word};
use std::collections::HashSet;
use std::mem::take;

/// How far beyond its labels a chart is drawn (points).
const IN_CHART: f32 = 6.0;

/// All passes, in the order in which they run.
#[rustfmt::skip]
pub(super) const PASSES: [Pass; 27] = [
    pass("furniture", &[Of::Words, Of::Drawn, Of::Tags], &[Of::Words, Of::Running],
        Run::Document(without_furniture)),
    pass("tags", &[Of::Words, Of::Tags], &[Of::Belief], Run::Page(believed)),
    pass("bullets", &[Of::Words, Of::Drawn, Of::Belief], &[Of::Words], Run::Page(with_bullets)),
    pass("charts and cards", &[Of::Words, Of::Drawn, Of::Tags, Of::Belief], &[Of::Words, Of::Charts, Of::Cards],
        Run::Page(with_charts_and_cards)),
    pass("tagged text", &[Of::Words, Of::Drawn, Of::Tags, Of::Belief, Of::Charts, Of::Cards], &[Of::Blocks],
        Run::Page(by_tags)),
    pass("halves", &[Of::Words, Of::Drawn, Of::Charts, Of::Cards], &[Of::Parts], Run::Page(in_halves)),
    pass("boxes", &[Of::Words, Of::Drawn], &[Of::Words, Of::Drawn, Of::Parts], Run::Part(boxes::part)),
    pass("grids", &[Of::Words, Of::Drawn], &[Of::Words, Of::Things, Of::Parts], Run::Part(ruled::part)),
    pass("lines", &[Of::Words, Of::Things], &[Of::Things, Of::Margins], Run::Part(lines::part)),
    pass("inner parts", &[Of::Parts], &[Of::Things], Run::Inner),
    pass("column heads", &[Of::Things, Of::Drawn], &[Of::Things], Run::Part(|part| {
        part.things = heads::headed(row_names::named(take(&mut part.things)), &part.rulings);
    })),
    pass("regions", &[Of::Things, Of::Drawn], &[Of::Regions], Run::Part(region::part)),
    pass("unruled tables", &[Of::Regions, Of::Drawn], &[Of::Regions], Run::Part(|part| {
        let regions = take(&mut part.regions).into_iter();
        let read = |things| unruled::tables_in(things, &part.rulings, columns::take);
        part.regions = regions.map(read).collect();
    })),
    pass("reading order", &[Of::Regions], &[Of::Columns], Run::Part(|part| {
        part.columns = take(&mut part.regions).into_iter().map(order::in_order).collect();
    })),
    pass("key figures", &[Of::Columns], &[Of::Columns], Run::Part(|part| {
        each(&mut part.columns, key_figure::joined);
    })),
    pass("stacked tables", &[Of::Columns], &[Of::Blocks], Run::Part(|part| {
        part.blocks = stacked::joined(take(&mut part.columns).into_iter().flatten());
    })),
    pass("running text", &[Of::Blocks, Of::Drawn], &[Of::Blocks], Run::Part(|part| {
        part.blocks = flowing_on(take(&mut part.blocks).into_iter(), &part.frames, &part.parting);
    })),
    pass("margins", &[Of::Margins, Of::Blocks], &[Of::Blocks], Run::Part(with_margins)),
    pass("text over halves", &[Of::Blocks, Of::Drawn], &[Of::Blocks], Run::Page(over_halves)),
    pass("tables of cards", &[Of::Blocks], &[Of::Blocks], Run::Page(|sheet, _| {
        sheet.blocks = cards::out_of_tables(take(&mut sheet.blocks));
    })),
    pass("unseen text", &[Of::Blocks], &[Of::Blocks], Run::Page(|sheet, _| {
        sheet.blocks = unseen::stripped(take(&mut sheet.blocks));
    })),
    pass("continued tables", &[Of::Blocks], &[Of::Blocks, Of::Running], Run::Document(|reading| {
        reading.running.extend(continued::join(&mut reading.pages));
    })),
    pass("contents", &[Of::Blocks], &[Of::Blocks], Run::Document(|reading| contents::mark(&mut reading.pages))),
    pass("headings", &[Of::Blocks, Of::File, Of::Tags], &[Of::Blocks], Run::Document(|reading| {
        heading::mark(&mut reading.pages, &reading.outline, &reading.tagged);
    })),
    pass("title", &[Of::Blocks, Of::File], &[Of::Title], Run::Document(|reading| {
        reading.title = file_title::read(&reading.pages, &reading.metadata);
    })),
    pass("known words", &[Of::Blocks], &[Of::Lexicon], Run::Document(|reading| {
        reading.lexicon = Lexicon::of(&reading.pages);
    })),
    pass("page breaks", &[Of::Blocks], &[Of::Pages], Run::Document(|reading| {
        reading.paged = page_break::joined(take(&mut reading.pages));
    })),
];

/// Has all passes read a file; `trace` sees what each of them leaves.
pub(super) fn run(reading: &mut Reading<'_>, trace: &mut Trace) {
    let of_file = |pass: &Pass| matches!(pass.run, Run::Document(_));
    for passes in PASSES.chunk_by(|a, b| of_file(a) == of_file(b)) {
        if passes.iter().any(of_file) {
            for pass in passes {
                if let Run::Document(run) = pass.run {
                    run(reading);
                    trace.document(pass, reading);
                }
            }
            continue;
        }
        for (sheet, number) in take(&mut reading.sheets).into_iter().zip(1..) {
            trace.turn_to(number, sheet.model.lies);
            let sheet = page(sheet, passes, reading, trace);
            reading.add(sheet);
        }
    }
}

/// Has `passes` read a page.
fn page(mut sheet: Sheet, passes: &[Pass], reading: &mut Reading<'_>, trace: &mut Trace) -> Sheet {
    let of_page = |pass: &Pass| matches!(pass.run, Run::Page(_));
    for passes in passes.chunk_by(|a, b| of_page(a) == of_page(b)) {
        if !passes.iter().any(of_page) {
            let parts = take(&mut sheet.parts);
            sheet.parts = match <[Part; 1]>::try_from(parts) {
                Ok([whole]) => vec![part_of_page(whole, passes, trace)],
                Err(halves) => inner(halves, passes, trace),
            };
            continue;
        }
        for pass in passes {
            if let Run::Page(run) = pass.run {
                run(&mut sheet, reading);
                trace.page(pass, &mut sheet);
            }
        }
    }
    sheet
}

/// Has `passes` read parts side by side.
fn inner(parts: Vec<Part>, passes: &[Pass], trace: &mut Trace) -> Vec<Part> {
    let numbered = parts.into_iter().zip(1..);
    let read = numbered.map(|(part, number)| {
        trace.enter(number);
        let part = part_of_page(part, passes, trace);
        trace.leave();
        part
    });
    read.collect()
}

/// Has `passes` read a part of a page.
fn part_of_page(mut part: Part, passes: &[Pass], trace: &mut Trace) -> Part {
    for pass in passes {
        match pass.run {
            Run::Part(run) => run(&mut part),
            Run::Inner => {
                let parts = take(&mut part.inner);
                let parts = inner(parts, passes, trace);
                part.place(parts);
            }
            Run::Document(_) | Run::Page(_) => {}
        }
        trace.part(pass, &mut part);
    }
    part
}

/// Makes something else of each of several.
fn each<T: Default>(all: &mut [T], made: fn(T) -> T) {
    all.iter_mut().for_each(|one| *one = made(take(one)));
}

fn without_furniture(reading: &mut Reading<'_>) {
    let models: Vec<_> = reading.sheets.iter().map(|sheet| &sheet.model).collect();
    let found = furniture::find(&models);
    for (sheet, marked) in reading.sheets.iter_mut().zip(found.marked) {
        let words = sheet.model.words.iter().zip(marked);
        sheet.words = words.filter(|(_, furniture)| !furniture).map(|(word, _)| word.clone()).collect();
    }
    reading.running = found.running;
}

/// Decides whether tags say what the words of a page are.
fn believed(sheet: &mut Sheet, reading: &mut Reading<'_>) {
    if !belief::covers(&sheet.words) {
        return;
    }
    let (width, height) = sheet.model.size;
    let torn = belief::contradictions(&sheet.words, reading.tags);
    let readings = [
        (true, "what the tags say", Cost { torn, ..Cost::default() }),
        (false, "what stands where", Cost { unexplained: 1, ..Cost::default() }),
    ];
    sheet.tagged = sheet.decisions.cheapest(&Rect::around((0.0, 0.0), (width, height)), readings);
}

/// Reads a page whose tags say what its words are.
fn by_tags(sheet: &mut Sheet, reading: &mut Reading<'_>) {
    if !sheet.tagged {
        return;
    }
    let mut words = take(&mut sheet.words);
    tagged::adopt_stops(&mut words);
    let (placed, mut loose): (Vec<Word>, Vec<Word>) =
        words.into_iter().partition(|word| word.item.is_some() && word.artifact == Artifact::No);
    sheet.blocks = joining::mended(tagged::blocks(placed, reading.tags, &mut reading.started));
    // Words of a page that lies stand elsewhere than what is drawn.
    if sheet.model.lies.is_none() {
        uncut::joined(&mut sheet.blocks, &sheet.model.rulings);
    }
    tagged::repeated_headers(&mut sheet.blocks, &mut loose);
    if !loose.is_empty() {
        tagged::insert(&mut sheet.blocks, order::figure(loose));
    }
    let charts = take(&mut sheet.charts).into_iter().map(|(table, rect)| Block::table(table, rect));
    let taken = charts.chain(take(&mut sheet.cards).into_iter().flatten()).collect();
    elements::put_back(&mut sheet.blocks, taken);
}

/// Turns the words of a page upright, and writes bullets that are drawn.
fn with_bullets(sheet: &mut Sheet, _: &mut Reading<'_>) {
    if sheet.tagged {
        return;
    }
    let mut words = take(&mut sheet.words);
    if let Some(lies) = sheet.model.lies {
        words = words.into_iter().map(|word| lies.word(word)).collect();
    }
    sheet.words = bullet::written(words, &sheet.model.bullets);
}

/// Takes the charts and the cards of a page out of what else stands on it.
fn with_charts_and_cards(sheet: &mut Sheet, reading: &mut Reading<'_>) {
    // Words of a tagged page that lies stand elsewhere than what is drawn.
    if sheet.tagged && sheet.model.lies.is_some() {
        return;
    }
    let words = take(&mut sheet.words);
    let elements = if sheet.tagged { Elements::of(&words, reading.tags) } else { Elements::default() };
    let is_label = |word: &&Word| !elements.in_table(word);
    let written = words.iter().filter(is_label).cloned().collect();
    let PageModel { fills, bullets: dots, sectors, .. } = &sheet.model;
    let (charts, labels) = chart::found(chart::labels(written), Drawn { fills, dots, sectors }, &elements);
    let (level, turned): (Vec<Line>, Vec<Line>) =
        labels.into_iter().partition(|label| label.words.iter().all(|word| word.turn == Turn::Level));
    let (cards, mut labels) = cards::found(level, &elements);
    labels.extend(turned);
    // The rest stays as it was drawn, in that order: tags do not order the words of one piece.
    let place = |word: &Word| word.rect.to_array().map(f32::to_bits);
    let places = |lines: &mut dyn Iterator<Item = &Line>| -> HashSet<[u32; 4]> {
        lines.flat_map(|line| &line.words).map(place).collect()
    };
    let cells = charts.iter().flat_map(|(table, _)| table.rows.iter().flatten().flatten());
    let taken = places(&mut cells.chain(cards.iter().flatten().flat_map(|block| &block.lines)));
    let left = if taken.is_empty() { HashSet::new() } else { places(&mut labels.iter()) };
    let stays =
        |word: &Word| !is_label(&word) || left.contains(&place(word)) || !taken.contains(&place(word));
    sheet.words = words.iter().filter(|word| stays(word)).cloned().collect();
    (sheet.charts, sheet.cards) = (charts, cards);
}

/// Parts a sheet that shows two pages side by side.
fn in_halves(sheet: &mut Sheet, _: &mut Reading<'_>) {
    if sheet.tagged {
        return;
    }
    let model = &sheet.model;
    let spread = if model.lies.is_some() { None } else { spread::of(&model.words, model.size) };
    let words = take(&mut sheet.words);
    let charts = take(&mut sheet.charts);
    // What draws a chart parts nothing else.
    let of_chart = |point: (f32, f32)| charts.iter().any(|(_, rect)| rect.holds(point, IN_CHART));
    let pictures = model.pictures.iter().filter(|picture| !of_chart(picture.center())).copied().collect();
    let shapes = Shapes {
        pictures: panel::pictures(pictures, &words),
        sides: model.panels.clone(),
        across: Vec::new(),
    };
    let rulings: Vec<Ruling> =
        model.rulings.iter().filter(|rule| !of_chart(rule.middle())).copied().collect();
    sheet.parts = match spread {
        Some(spread) => spread.halves(words, &rulings, &shapes).into(),
        None if charts.is_empty() => {
            vec![Part { words, grids: model.grids.clone(), rulings, shapes, ..Part::default() }]
        }
        None => vec![Part::new(words, rulings, shapes)],
    };
    let several = sheet.parts.len() > 1;
    let half = |rect: &Rect| usize::from(several && rect.center().0 > model.size.0 / 2.0);
    for (table, rect) in charts {
        sheet.parts[half(&rect)].tables.push((table, rect));
    }
    for blocks in take(&mut sheet.cards) {
        if let Some(rect) = bounds(blocks.iter().map(|block| &block.rect)) {
            sheet.parts[half(&rect)].things.push(Thing { rect, content: Content::Blocks(blocks) });
        }
    }
}

/// Joins text that goes on from one half of a sheet to the other.
fn over_halves(sheet: &mut Sheet, _: &mut Reading<'_>) {
    let several = sheet.parts.len() > 1;
    let (mut frames, mut shapes) = (Vec::new(), Shapes::default());
    for part in take(&mut sheet.parts) {
        sheet.places.extend(part.places);
        sheet.blocks.extend(part.blocks);
        frames.extend(part.frames);
        shapes = part.shapes;
    }
    if several {
        sheet.blocks = flowing_on(take(&mut sheet.blocks).into_iter(), &frames, &shapes);
    }
}

/// Puts what runs up or down in the margin before what stands beside it: it parts nothing of that.
fn with_margins(part: &mut Part) {
    for block in order::in_order(take(&mut part.margins)) {
        let beside = part.blocks.iter().position(|other| other.rect.overlap_y(&block.rect) > 0.0);
        part.blocks.insert(beside.unwrap_or(part.blocks.len()), block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_reads_only_what_the_page_has_or_a_pass_before_it_wrote() {
        let mut known = vec![Of::Words, Of::Drawn, Of::Tags, Of::File];
        for pass in &PASSES {
            assert!(pass.reads.iter().all(|of| known.contains(of)), "{} reads {:?}", pass.name, pass.reads);
            known.extend(pass.writes);
        }
    }

    #[test]
    fn the_list_is_drawn_in_the_readme_of_the_crates() {
        let drawn: String = PASSES
            .iter()
            .map(|pass| {
                let names = |of: &[Of]| of.iter().map(|of| of.name()).collect::<Vec<_>>().join(", ");
                let of = match pass.run {
                    Run::Document(_) => "file",
                    Run::Page(_) => "page",
                    Run::Part(_) | Run::Inner => "part",
                };
                format!("{of}  {:<17}{} → {}\n", pass.name, names(pass.reads), names(pass.writes))
            })
            .collect();
        let readme = include_str!("../../../../README.md");
        assert!(readme.contains(&format!("\n```\n{drawn}```\n")), "put this into crates/README.md:\n{drawn}");
    }

    #[test]
    fn what_a_pass_writes_is_read_by_another_or_is_the_document() {
        let document = [Of::Running, Of::Title, Of::Lexicon, Of::Pages];
        for (pass, at) in PASSES.iter().zip(1..) {
            let read =
                |of: &Of| document.contains(of) || PASSES[at..].iter().any(|later| later.reads.contains(of));
            assert!(pass.writes.iter().all(read), "{} writes {:?}", pass.name, pass.writes);
        }
    }
}
