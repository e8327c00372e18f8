//! The text of a paragraph: its runs, with marks of notes, page breaks and text boxes.

use super::{MAX_DEPTH, is_on, symbol};
use crate::format::numbering::Numbering;
use crate::format::office::{attribute, below, element, elements};
use crate::format::raised::raised;
use roxmltree::Node;
use std::collections::HashMap;

/// Notes by their ids, and how many were referred to.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) footnotes: HashMap<String, String>,
    pub(super) endnotes: HashMap<String, String>,
    pub(super) footnote_count: i64,
    pub(super) endnote_count: i64,
}

impl Notes {
    /// The mark of the note that `node` refers to, and its text.
    fn refer(&mut self, node: Node<'_, '_>, end: bool) -> Option<(String, String)> {
        let id = attribute(node, "id")?;
        let (notes, count, numbering) = if end {
            (&self.endnotes, &mut self.endnote_count, Numbering::LowerRoman)
        } else {
            (&self.footnotes, &mut self.footnote_count, Numbering::Decimal)
        };
        let text = notes.get(id).filter(|text| !text.is_empty())?;
        *count += 1;
        Some((format!("[{}]", numbering.shown(*count)), text.clone()))
    }
}

/// What stands in a paragraph.
#[derive(Default)]
pub(super) struct Line<'t, 'i> {
    pub(super) text: String,
    /// Notes that it refers to: mark and text.
    pub(super) notes: Vec<(String, String)>,
    /// Page breaks before its first text, and after it: as Word last laid the pages out, and as they were set.
    pub(super) laid_out: (u32, u32),
    pub(super) set: (u32, u32),
    /// Text boxes that hang on it.
    pub(super) boxes: Vec<Node<'t, 'i>>,
    /// Tracked changes.
    pub(super) changes: usize,
    /// Charts and diagrams: the references to their parts.
    pub(super) drawn: Vec<&'t str>,
    /// Runs that are struck through or cannot be seen, and are left out.
    pub(super) withdrawn: usize,
    /// Whether something deeper than [`MAX_DEPTH`] was left out.
    pub(super) too_deep: bool,
}

impl<'t, 'i> Line<'t, 'i> {
    /// Reads `paragraph`.
    pub(super) fn of(paragraph: Node<'t, 'i>, notes: &mut Notes) -> Self {
        let mut line = Self::default();
        line.collect(paragraph, notes, 0);
        line
    }

    fn collect(&mut self, node: Node<'t, 'i>, notes: &mut Notes, depth: usize) {
        if depth > MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "r" if is_withdrawn(element(child, "rPr")) => {
                    let says = |node: Node<'_, '_>| node.text().is_some_and(|text| !text.trim().is_empty());
                    self.withdrawn += usize::from(elements(child, "t").any(says));
                }
                "r" if !is_on(element(child, "rPr"), "vanish") => {
                    let start = self.text.len();
                    self.collect(child, notes, depth + 1);
                    let set = below(child, &["rPr", "vertAlign"]).and_then(|align| attribute(align, "val"));
                    if set == Some("superscript") {
                        let (before, own) = self.text.split_at(start);
                        let shown = raised(before, own);
                        self.text.replace_range(start.., &shown);
                    }
                }
                "t" => {
                    let shown = symbol::shown(child.text().unwrap_or_default(), element(node, "rPr"));
                    self.text.push_str(&shown);
                }
                "sym" => self.text.extend(symbol::of(child)),
                "fldChar" => self.text.extend(symbol::field(child)),
                "tab" | "ptab" => self.text.push(' '),
                "noBreakHyphen" => self.text.push('-'),
                "br" | "cr" if attribute(child, "type") == Some("page") => {
                    let (before, after) = &mut self.set;
                    *(if self.text.trim().is_empty() { before } else { after }) += 1;
                }
                "br" | "cr" => self.text.push('\n'),
                "lastRenderedPageBreak" => {
                    let (before, after) = &mut self.laid_out;
                    *(if self.text.trim().is_empty() { before } else { after }) += 1;
                }
                name @ ("footnoteReference" | "endnoteReference") => {
                    if let Some((mark, text)) = notes.refer(child, name == "endnoteReference") {
                        self.text.push_str(&mark);
                        self.notes.push((mark, text));
                    }
                }
                "drawing" | "pict" | "object" => self.find_boxes(child),
                "del" | "moveFrom" => self.changes += 1,
                name @ ("ins" | "moveTo") => {
                    self.changes += usize::from(name == "ins");
                    self.collect(child, notes, depth + 1);
                }
                "oMath" | "oMathPara" => self.formula(child),
                "AlternateContent" => {
                    if let Some(choice) = element(child, "Choice").or_else(|| element(child, "Fallback")) {
                        self.collect(choice, notes, depth + 1);
                    }
                }
                "sdt" if is_unfilled(child) => {}
                "hyperlink" | "smartTag" | "sdt" | "sdtContent" | "fldSimple" | "bdo" | "dir"
                | "customXml" | "ruby" | "rubyBase" => self.collect(child, notes, depth + 1),
                _ => {}
            }
        }
    }

    /// Keeps the outermost text boxes below `node`.
    fn find_boxes(&mut self, node: Node<'t, 'i>) {
        let content = |node: &Node<'_, '_>| node.tag_name().name() == "txbxContent";
        let is_chart = |node: &Node<'_, '_>| {
            let kind = attribute(*node, "uri").and_then(|uri| uri.rsplit('/').next()).unwrap_or_default();
            node.tag_name().name() == "graphicData" && matches!(kind, "chart" | "chartex" | "diagram")
        };
        let outermost = |found: &Node<'_, '_>| {
            let mut above = found.ancestors().skip(1).take_while(|above| above.id() != node.id());
            !above.any(|above| content(&above) || above.tag_name().name() == "Fallback")
        };
        self.boxes.extend(node.descendants().filter(content).filter(outermost));
        for drawn in node.descendants().filter(is_chart).filter(outermost) {
            let ids = drawn.descendants().flat_map(|inner| inner.attributes());
            let mut ids = ids.filter(|id| matches!(id.name(), "id" | "dm") && id.namespace().is_some());
            self.drawn.push(ids.next().map_or("", |id| id.value()));
        }
    }

    fn formula(&mut self, node: Node<'_, '_>) {
        let texts =
            node.descendants().filter(|inner| inner.tag_name().name() == "t").filter_map(|t| t.text());
        self.text.extend(texts);
    }
}

/// Whether a content control shows only what is to be filled in.
pub(super) fn is_unfilled(control: Node<'_, '_>) -> bool {
    is_on(element(control, "sdtPr"), "showingPlcHdr")
}

/// Whether a run is struck through, or white on white paper.
fn is_withdrawn(properties: Option<Node<'_, '_>>) -> bool {
    let value = |path: &[&str], name| {
        properties.and_then(|p| below(p, path)).and_then(|found| attribute(found, name))
    };
    let white = |color: Option<&str>| color.is_some_and(|color| color.eq_ignore_ascii_case("ffffff"));
    let laid_under = value(&["shd"], "fill").is_some() || value(&["highlight"], "val").is_some();
    is_on(properties, "strike")
        || is_on(properties, "dstrike")
        || (white(value(&["color"], "val")) && !laid_under && !is_filled(properties))
}

/// Whether a cell, paragraph or text box around a run may have a colour of its own.
fn is_filled(properties: Option<Node<'_, '_>>) -> bool {
    let around = |node: Node<'_, '_>| {
        let name = node.tag_name().name();
        let shade = match name {
            "tc" => below(node, &["tcPr", "shd"]),
            "p" => below(node, &["pPr", "shd"]),
            _ => None,
        };
        let coloured = shade.and_then(|shade| attribute(shade, "fill"));
        let styled = (name == "tbl" && below(node, &["tblPr", "tblStyle"]).is_some())
            || (name == "p" && below(node, &["pPr", "pStyle"]).is_some());
        coloured.is_some_and(|fill| !fill.eq_ignore_ascii_case("ffffff") && fill != "auto")
            || name == "txbxContent"
            || styled
    };
    properties.is_some_and(|properties| properties.ancestors().any(around))
}

/// The text of a paragraph by itself.
pub(super) fn plain(paragraph: Node<'_, '_>) -> String {
    Line::of(paragraph, &mut Notes::default()).text.trim().replace('\n', " ")
}
