//! The pack as one page that opens offline.

use super::data::{PackCell, PackData, PackProposal, PackQuotation, STATUSES, moment, proposed, said};
use super::picture::Pictures;
use crate::store::table::review::ReviewStatus;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;

const STYLE: &str = include_str!("pack.css");
const SCRIPT: &str = include_str!("pack.js");

pub(super) fn write(data: &PackData, pictures: &Pictures) -> String {
    let name = escaped(&data.assessment);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{name}</h1>\n"
    );
    cover(&mut out, data);
    out.push_str("</header>\n<main>\n<search><label>Find <input id=\"find\" type=\"search\" placeholder=\"Words, id or page\"></label>\n");
    out.push_str("<label>Decision <select id=\"status\"><option value=\"\">All</option>");
    for status in STATUSES {
        let _ = write!(out, "<option value=\"{0}\">{0}</option>", said(status));
    }
    out.push_str("</select></label> <output id=\"shown\" aria-live=\"polite\"></output></search>\n");
    for heading in data.headings() {
        let _ = writeln!(out, "<section>\n<h2>{} · {}</h2>", escaped(heading.0), escaped(heading.1));
        for one in data.below(heading) {
            let _ = writeln!(
                out,
                "<article id=\"{id}\">\n<h3><code>{id}</code> {label}</h3>",
                id = escaped(&one.id),
                label = escaped(&one.label)
            );
            for cell in &one.cells {
                write_cell(&mut out, data, pictures, cell);
            }
            out.push_str("</article>\n");
        }
        out.push_str("</section>\n");
    }
    sources(&mut out, data);
    let _ = write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

fn cover(out: &mut String, data: &PackData) {
    let names: Vec<String> = data.reports.iter().map(|report| escaped(&report.name())).collect();
    let _ = writeln!(out, "<p>{}</p>", names.join(" · "));
    let reviewers =
        if data.reviewers.is_empty() { "not named".to_owned() } else { escaped(&data.reviewers.join(", ")) };
    let _ = writeln!(
        out,
        "<p>Reviewers: {reviewers}. Made {} with Sibyl {}.</p>",
        escaped(&moment(&data.made_at)),
        escaped(&data.program)
    );
    if let Some(edition) = data.edition() {
        let _ = writeln!(out, "<p>{}.</p>", escaped(&edition));
    }
    for agreed in data.agreed() {
        let _ = writeln!(out, "<p>{}.</p>", escaped(&agreed));
    }
    out.push_str("<table><caption>Decisions</caption><thead><tr><th scope=\"col\">Part</th>");
    for status in STATUSES {
        let _ = write!(out, "<th scope=\"col\">{}</th>", said(status));
    }
    out.push_str("</tr></thead><tbody>\n");
    for heading in data.headings() {
        let _ = write!(out, "<tr><th scope=\"row\">{} · {}</th>", escaped(heading.0), escaped(heading.1));
        for status in STATUSES {
            let _ = write!(out, "<td>{}</td>", data.count_below(heading, status));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
    if !data.left_out().is_empty() {
        out.push_str("<p>Left out:</p><ul>");
        for left in data.left_out() {
            let _ = write!(out, "<li><code>{}</code> {}</li>", escaped(&left.id), escaped(&left.reason));
        }
        out.push_str("</ul>\n");
    }
}

fn write_cell(out: &mut String, data: &PackData, pictures: &Pictures, cell: &PackCell) {
    let _ = writeln!(
        out,
        "<div class=\"cell {class}\" data-status=\"{said}\">\n<h4>{report} <span class=\"status\">{said}</span></h4>",
        class = class(cell.status),
        said = said(cell.status),
        report = escaped(&data.report(&cell.report_id)),
    );
    if !cell.note.trim().is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&cell.note));
    }
    if let Some(at) = &cell.decided_at {
        let who = cell.reviewer.as_deref().filter(|who| !who.trim().is_empty());
        let by = who.map(|who| format!(" by {}", escaped(who))).unwrap_or_default();
        let _ = writeln!(out, "<p class=\"who\">Decided{by} on {}</p>", escaped(&moment(at)));
    }
    for quotation in &cell.quotations {
        quote(out, quotation);
        match pictures.of(quotation) {
            Some(Ok(picture)) => {
                let _ = writeln!(
                    out,
                    "<img class=\"page\" width=\"{}\" height=\"{}\" alt=\"Part of {}, with the quoted lines marked\" src=\"data:image/png;base64,{}\">",
                    picture.width,
                    picture.height,
                    escaped(&quotation.cited()),
                    STANDARD.encode(&picture.png)
                );
            }
            Some(Err(why)) => {
                let _ = writeln!(out, "<p>Its page could not be drawn: {}</p>", escaped(why));
            }
            None => {}
        }
    }
    for claim in &cell.claims {
        let _ = writeln!(out, "<p>The report’s own index: {}</p>", escaped(claim));
    }
    if let Some(proposal) = &cell.proposal {
        write_proposal(out, proposal);
    }
    out.push_str("</div>\n");
}

fn quote(out: &mut String, quotation: &PackQuotation) {
    let _ = writeln!(
        out,
        "<blockquote>{}<footer>{}</footer></blockquote>",
        escaped(&quotation.shown()),
        escaped(&quotation.place())
    );
}

fn write_proposal(out: &mut String, proposal: &PackProposal) {
    let wrong =
        proposal.error_rate.map(|rate| format!("; of this kind, {:.0} in 100 are wrong", rate * 100.0));
    let _ = writeln!(
        out,
        "<details class=\"proposal\"><summary>Proposal: {}{}</summary>",
        proposed(proposal),
        wrong.unwrap_or_default()
    );
    proposal.quotations.iter().for_each(|quotation| quote(out, quotation));
    for figure in &proposal.figures {
        let page = figure.page.map(|page| format!(" · p. {page}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "<p>{} {} <b>{} {}</b>{page}</p>",
            escaped(&figure.what),
            escaped(&figure.period),
            escaped(&figure.printed),
            escaped(&figure.unit)
        );
    }
    out.push_str("</details>\n");
}

fn sources(out: &mut String, data: &PackData) {
    out.push_str("<section>\n<h2>Sources</h2>\n<table><thead><tr><th scope=\"col\">Report</th><th scope=\"col\">File</th><th scope=\"col\">SHA-256</th></tr></thead><tbody>\n");
    for report in &data.reports {
        for file in &report.files {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                escaped(&report.name()),
                escaped(&file.path),
                escaped(&file.sha256)
            );
        }
    }
    out.push_str("</tbody></table>\n<p>A proposal is what a search found; a decision is a reviewer’s. To compare this pack with a library, export it as JSON too and run <code>sibyl assess verify PACK.json</code>.</p>\n</section>\n");
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

/// `text` as it stands in HTML, its lines apart.
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
