//! The pack as one page that opens offline.

use super::blocks::{Block, blocks};
use super::data::{PackData, STATUSES, said};
use super::picture::Pictures;
use crate::store::table::review::ReviewStatus;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sibyl_page::Picture;
use std::fmt::Write as _;

const STYLE: &str = include_str!("pack.css");
const SCRIPT: &str = include_str!("pack.js");

pub(super) fn write(data: &PackData, pictures: &Pictures) -> String {
    let blocks = blocks(data, pictures);
    let names = blocks.iter().filter_map(|block| match block {
        Block::Heading(name) => Some(name.clone()),
        _ => None,
    });
    let mut page = Page { names: names.collect(), ..Page::default() };
    let name = escaped(&data.assessment);
    let _ = write!(
        page.out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    blocks.into_iter().for_each(|block| page.add(block));
    page.finish()
}

/// What is open around the place that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Section,
    Requirement,
    Cell,
    Facts,
}

impl Around {
    const fn close(self) -> &'static str {
        match self {
            Self::Section => "</section>\n",
            Self::Requirement => "</article>\n",
            Self::Cell => "</div>\n",
            Self::Facts => "</dl>\n",
        }
    }
}

/// A page that is being written.
#[derive(Debug, Default)]
struct Page {
    out: String,
    /// The headings of its sections.
    names: Vec<String>,
    /// Sections that were begun.
    sections: usize,
    /// What is open, from the outermost in.
    open: Vec<Around>,
}

impl Page {
    /// Closes what is open as deep as `around` or deeper.
    fn close(&mut self, around: Around) {
        while let Some(last) = self.open.pop_if(|last| *last >= around) {
            self.out.push_str(last.close());
        }
    }

    fn begin(&mut self, around: Around, html: &str) {
        self.close(around);
        self.out.push_str(html);
        self.open.push(around);
    }

    fn add(&mut self, block: Block<'_>) {
        if !matches!(block, Block::Fact(..)) {
            self.close(Around::Facts);
        }
        match block {
            Block::Title(name) => {
                let _ = writeln!(self.out, "<header>\n<h1>{}</h1>", escaped(&name));
            }
            Block::Fact(name, value) => {
                if self.open.last() != Some(&Around::Facts) {
                    self.begin(Around::Facts, "<dl>\n");
                }
                let _ = writeln!(self.out, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
            }
            // Its place is the search, from which the summary leads on to the parts.
            Block::Contents => self.search(),
            Block::Break => {}
            Block::Heading(name) => self.section(&name),
            Block::Requirement { id, label } => {
                let (id, label) = (escaped(&id), escaped(&label));
                self.begin(
                    Around::Requirement,
                    &format!("<article id=\"{id}\">\n<h3><code>{id}</code> {label}</h3>\n"),
                );
            }
            Block::Asked { words, items } => {
                let _ = write!(self.out, "<div class=\"asked\">\n<p>{}</p>\n", escaped(&words));
                self.list(&items);
                self.out.push_str("</div>\n");
            }
            Block::Line(words) => {
                let _ = writeln!(self.out, "<p>{}</p>", escaped(&words));
            }
            Block::Table { head, rows, .. } => self.table(&head, &rows),
            Block::Decision { report, status, said } => self.decision(&report, status, &said),
            Block::Quotation { words, place } => {
                let (words, place) = (escaped(&words), escaped(&place));
                let _ = writeln!(self.out, "<blockquote>{words}<footer>{place}</footer></blockquote>");
            }
            Block::Page { picture, shows } => self.picture(picture, &shows),
            Block::Proposal { said, evidence } => {
                let said = escaped(&said);
                let _ = writeln!(self.out, "<details class=\"proposal\"><summary>{said}</summary>");
                self.list(&evidence);
                self.out.push_str("</details>\n");
            }
        }
    }

    fn search(&mut self) {
        self.out.push_str(
            "</header>\n<main>\n<search><label>Find \
             <input id=\"find\" type=\"search\" placeholder=\"Words, id or page\"></label>\n",
        );
        self.out.push_str("<label>Decision <select id=\"status\"><option value=\"\">All</option>");
        for status in STATUSES {
            let _ = write!(self.out, "<option value=\"{0}\">{0}</option>", said(status));
        }
        self.out.push_str("</select></label> <output id=\"shown\" aria-live=\"polite\"></output></search>\n");
    }

    fn section(&mut self, name: &str) {
        self.sections += 1;
        let html = format!("<section id=\"part-{}\">\n<h2>{}</h2>\n", self.sections, escaped(name));
        self.begin(Around::Section, &html);
    }

    fn decision(&mut self, report: &str, status: ReviewStatus, told: &str) {
        let (name, class) = (said(status), class(status));
        let more = escaped(told.strip_prefix(name).unwrap_or(told));
        let report = escaped(report);
        self.begin(
            Around::Cell,
            &format!(
                "<div class=\"cell {class}\" data-status=\"{name}\">\n<h4>{report} <span class=\"status\">{name}</span> \
                 <span class=\"who\">{more}</span></h4>\n"
            ),
        );
    }

    fn list(&mut self, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.out.push_str("<ul>\n");
        for item in items {
            let _ = writeln!(self.out, "<li>{}</li>", escaped(item));
        }
        self.out.push_str("</ul>\n");
    }

    /// A table that scrolls on its own where a screen is narrow. A row named after a section leads there.
    fn table(&mut self, head: &[String], rows: &[Vec<String>]) {
        self.out.push_str("<div class=\"wide\" tabindex=\"0\"><table><thead><tr>");
        for name in head {
            let _ = write!(self.out, "<th scope=\"col\">{}</th>", escaped(name));
        }
        self.out.push_str("</tr></thead><tbody>\n");
        for row in rows {
            self.out.push_str("<tr>");
            for (column, value) in row.iter().enumerate() {
                let shown = escaped(value);
                let named = self.names.iter().position(|name| column == 0 && name == value);
                let _ = match (column, named) {
                    (_, Some(at)) => {
                        write!(self.out, "<th scope=\"row\"><a href=\"#part-{}\">{shown}</a></th>", at + 1)
                    }
                    (0, None) => write!(self.out, "<th scope=\"row\">{shown}</th>"),
                    _ => write!(self.out, "<td>{shown}</td>"),
                };
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</tbody></table></div>\n");
    }

    fn picture(&mut self, picture: &Picture, shows: &str) {
        let _ = writeln!(
            self.out,
            "<img class=\"page\" width=\"{}\" height=\"{}\" alt=\"{}\" src=\"data:image/png;base64,{}\">",
            picture.width,
            picture.height,
            escaped(shows),
            STANDARD.encode(&picture.png)
        );
    }

    fn finish(mut self) -> String {
        self.close(Around::Section);
        let _ = write!(self.out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
        self.out
    }
}

const fn class(status: ReviewStatus) -> &'static str {
    match status {
        ReviewStatus::Open => "open",
        ReviewStatus::Met => "met",
        ReviewStatus::Partly => "partly",
        ReviewStatus::Gap => "gap",
        ReviewStatus::NotApplicable => "na",
    }
}

/// `text` escaped for HTML, with its lines apart.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("<br>"),
            c => out.push(c),
        }
    }
    out
}
