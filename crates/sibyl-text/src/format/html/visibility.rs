//! What of a page is seen: its style as a browser computes it, as far as the page itself says it.
//!
//! Each element has what is declared of it, and from what it stands in what passes down. Text is seen where nothing on the
//! way to it takes it away, and where it differs from what is behind it.

use super::blocks::is_inline;
use super::cascade::{
    Length, ORDINARY, Property, SMALLEST, Sheets, TINY, Values, font_size, is_beyond, is_far, is_nought,
    length,
};
use super::colour::Colour;
use super::content::is_silent;
use super::stylesheet::{BLOCK, Rule, SHEETS, Sheet, UNSEEN};
use super::{attribute, name};
use dom_query::{Document as Tree, NodeRef};

/// Texts of a page that are not read although they stand in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Unseen {
    /// Hidden by the style of the page.
    pub(super) hidden: usize,
    /// Struck through, or of the colour of what is behind it.
    pub(super) withdrawn: usize,
}

impl Unseen {
    fn any(self) -> bool {
        self.hidden + self.withdrawn > 0
    }

    fn add(&mut self, other: Self) {
        self.hidden += other.hidden;
        self.withdrawn += other.withdrawn;
    }

    /// One text in the place of those that stand in it.
    fn as_one(self) -> Self {
        Self { hidden: self.hidden.min(1), withdrawn: usize::from(self.hidden == 0 && self.withdrawn > 0) }
    }
}

/// Why a text is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Hidden,
    Withdrawn,
}

/// What passes down from an element to what stands in it.
#[derive(Clone)]
struct State {
    /// Why nothing in it is seen, whatever is said of it.
    gone: Option<Why>,
    hidden: bool,
    font: f32,
    far: bool,
    /// Colours, where they are known.
    letters: Option<Colour>,
    behind: Option<Colour>,
    outlined: bool,
    /// Numbers of the sheets that hold in it.
    scope: Vec<usize>,
}

impl State {
    /// That of the whole page.
    fn page() -> Self {
        Self {
            gone: None,
            hidden: false,
            font: ORDINARY,
            far: false,
            letters: Some(Colour::BLACK),
            behind: Some(Colour::WHITE),
            outlined: false,
            scope: Vec::new(),
        }
    }

    /// Why text in it is not seen; `None` where it is.
    fn takes_away(&self) -> Option<Why> {
        let (Some(letters), Some(behind)) = (self.letters, self.behind) else {
            return self.gone.or(self.is_small_or_hidden());
        };
        let same = !self.outlined && (letters.is_clear() || letters.is_like(behind));
        self.gone.or(self.is_small_or_hidden()).or(same.then_some(Why::Withdrawn))
    }

    fn is_small_or_hidden(&self) -> Option<Why> {
        (self.hidden || self.far || self.font < SMALLEST).then_some(Why::Hidden)
    }

    /// That inside `node`, of which `values` are declared; `shown` says that a condition shows it.
    fn inside(
        &self,
        node: &NodeRef<'_>,
        name: &str,
        values: &Values<'_>,
        shown: bool,
        colours: bool,
    ) -> Self {
        let value = |property: Property| values[property as usize];
        let mut state = self.clone();
        state.gone = self.gone.or_else(|| taken_away(node, name, values, shown));
        match value(Property::Visibility) {
            Some("hidden" | "collapse") => state.hidden = !shown,
            Some("visible") => state.hidden = false,
            _ => {}
        }
        match value(Property::Indent) {
            Some("inherit" | "unset") | None => {}
            Some(indent) => state.far = is_far(indent),
        }
        if let Some(said) = value(Property::Font) {
            state.font = match font_size(said) {
                Some(Length { number, unit: "%" }) => self.font * number / 100.0,
                Some(size) => size.pixels(self.font).unwrap_or(ORDINARY),
                None if matches!(said, "inherit" | "unset" | "smaller" | "larger") => self.font,
                None => ORDINARY,
            };
        }
        if colours {
            state.colour(node, name, values);
        }
        state
    }

    /// Takes the colours of `node`.
    fn colour(&mut self, node: &NodeRef<'_>, name: &str, values: &Values<'_>) {
        let value = |property: Property| values[property as usize];
        let given = |key: &str| attribute(node, key).map(|value| value.to_ascii_lowercase());
        let hint = match name {
            "font" => given("color"),
            "body" => given("text"),
            "a" if node.has_attr("href") => Some("#0000ee".to_owned()),
            "mark" => Some("black".to_owned()),
            _ => None,
        };
        match value(Property::Colour).or(hint.as_deref()) {
            Some("inherit" | "currentcolor" | "unset") | None => {}
            Some(said) => self.letters = Colour::of(said),
        }
        self.outlined |= value(Property::Outline).is_some_and(|said| said != "none");
        let laid = given("bgcolor").or_else(|| (name == "mark").then(|| "yellow".to_owned()));
        if value(Property::Position).is_some_and(|position| position != "static")
            || node.has_attr("background")
        {
            self.behind = None;
        }
        if let Some(said) = value(Property::Background).or(laid.as_deref())
            && !Colour::is_nothing(said)
        {
            self.behind = Colour::laid(said);
        }
        if value(Property::Picture).is_some_and(|picture| !matches!(picture, "none" | "initial")) {
            self.behind = None;
        }
    }
}

/// Why nothing in an element is seen.
fn taken_away(node: &NodeRef<'_>, name: &str, values: &Values<'_>, shown: bool) -> Option<Why> {
    let value = |property: Property| values[property as usize];
    let said = |property: Property, is: fn(&str) -> bool| value(property).is_some_and(is);
    if !has_box(node, values) && !shown {
        return Some(Why::Hidden);
    }
    let struck = value(Property::Line)
        .map_or(matches!(name, "s" | "strike" | "del"), |line| line.contains("line-through"));
    if struck {
        return Some(Why::Withdrawn);
    }
    let placed = said(Property::Position, |position| matches!(position, "absolute" | "fixed"));
    let off = |property: Property| said(property, is_far);
    let far = placed && [Property::Left, Property::Right, Property::Top].into_iter().any(off);
    let faint = said(Property::Opacity, is_nought) && value(Property::Moves).is_none();
    let cut = (placed && said(Property::Clip, clips_all)) || said(Property::Path, clips_all);
    (faint || far || said(Property::Margin, is_beyond) || cut || is_tiny(name, values, placed))
        .then_some(Why::Hidden)
}

/// Whether an element takes part in the page at all.
fn has_box(node: &NodeRef<'_>, values: &Values<'_>) -> bool {
    values[Property::Display as usize].map_or(!node.has_attr("hidden"), |display| display != "none")
}

/// Whether a shape that text is cut to leaves nothing of it.
fn clips_all(shape: &str) -> bool {
    let Some((kind, sides)) = shape.trim_end_matches(')').split_once('(') else { return false };
    let sides: Vec<Length<'_>> =
        sides.split([',', ' ']).filter(|side| !side.is_empty()).map_while(length).collect();
    match (kind.trim(), &sides[..]) {
        ("rect", [top, right, bottom, left]) => {
            bottom.number - top.number <= TINY || right.number - left.number <= TINY
        }
        ("inset", [side]) => side.unit == "%" && side.number >= 50.0,
        ("circle", [radius, ..]) => radius.number == 0.0,
        _ => false,
    }
}

/// Whether a box has no room for text and cuts off what is larger.
fn is_tiny(name: &str, values: &Values<'_>, placed: bool) -> bool {
    let value = |property: Property| values[property as usize];
    let grows = matches!(name, "html" | "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th");
    let in_line =
        is_inline(name) && !placed && value(Property::Display).is_none_or(|display| display == "inline");
    let tiny = |property: Property| {
        let size = value(property).and_then(length).and_then(|size| size.pixels(ORDINARY));
        size.is_some_and(|size| size <= TINY)
    };
    let roomy = value(Property::Room).is_some_and(|room| room.split(' ').any(|one| !is_nought(one)));
    let cuts = value(Property::Overflow).is_some_and(|over| over.contains("hidden") || over.contains("clip"));
    !grows && !in_line && !roomy && cuts && (tiny(Property::Width) || tiny(Property::Height))
}

/// An element whose end is awaited.
struct Open<'t> {
    node: NodeRef<'t>,
    state: State,
    /// Whether text in it is seen.
    seen: bool,
    /// Texts that stand in it and are not.
    lost: Vec<NodeRef<'t>>,
    unseen: Unseen,
    boxed: bool,
}

/// Marks what of `tree` is not seen, and what it sets as blocks; how many texts are not seen. Cells of tables keep their
/// places, without text.
pub(super) fn settle(tree: &Tree, sheets: &[Sheet]) -> Unseen {
    let rules: Vec<Rule<'_>> = sheets.iter().flat_map(Sheet::rules).collect();
    let lowered: Vec<String> = rules.iter().map(|rule| rule.declarations.to_ascii_lowercase()).collect();
    let sheets = Sheets::of(tree, &rules, &lowered);
    let root = tree.root();
    let page = Open {
        node: root,
        state: State::page(),
        seen: false,
        lost: Vec::new(),
        unseen: Unseen::default(),
        boxed: true,
    };
    let mut open = vec![page];
    let mut removed: Vec<NodeRef<'_>> = Vec::new();
    let mut next = root.first_child();
    loop {
        let Some(inner) = open.last_mut() else { return Unseen::default() };
        let Some(node) = next else {
            let Some(ended) = open.pop() else { return Unseen::default() };
            let Some(outer) = open.last_mut() else {
                removed.iter().for_each(NodeRef::remove_from_parent);
                return ended.unseen;
            };
            next = ended.node.next_sibling();
            outer.seen |= ended.seen;
            outer.unseen.add(end(ended, &mut removed));
            continue;
        };
        next = node.next_sibling();
        if node.is_text() && !node.text().trim().is_empty() {
            match inner.state.takes_away() {
                None => inner.seen = true,
                Some(why) => {
                    let hidden = usize::from(why == Why::Hidden);
                    inner.unseen.add(Unseen { hidden, withdrawn: 1 - hidden });
                    inner.lost.push(node);
                }
            }
        } else if node.is_element() {
            let name = name(&node);
            if !is_silent(&name) {
                next = node.first_child();
                let entered = enter(node, &inner.state, &sheets);
                open.push(entered);
            } else if matches!(name.as_str(), "svg" | "input") {
                // A drawing or a box has colours of its own.
                inner.seen |= inner.state.gone.is_none() && !inner.state.hidden;
            }
        }
    }
}

/// Begins an element that stands in what has `outer`.
fn enter<'t>(node: NodeRef<'t>, outer: &State, sheets: &Sheets<'_>) -> Open<'t> {
    let name = name(&node);
    let own = attribute(&node, "style").unwrap_or_default().to_ascii_lowercase();
    // The sheets of a chapter hold for its own element, too.
    let scope = match attribute(&node, SHEETS) {
        Some(numbers) => numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect(),
        None => outer.scope.clone(),
    };
    let (values, shown) = sheets.declared(&node, &scope, &own);
    let colours = sheets.counts(Property::Colour);
    let mut state = outer.inside(&node, &name, &values, shown, colours);
    state.scope = scope;
    let display = values[Property::Display as usize];
    if matches!(display, Some("block" | "flex" | "grid" | "table")) {
        node.set_attr(BLOCK, "");
    }
    let boxed = has_box(&node, &values) || shown;
    Open { node, state, seen: false, lost: Vec::new(), unseen: Unseen::default(), boxed }
}

/// Ends an element; the texts in it that are not seen.
fn end<'t>(ended: Open<'t>, removed: &mut Vec<NodeRef<'t>>) -> Unseen {
    let is_cell = matches!(name(&ended.node).as_str(), "td" | "th");
    let bare = !ended.seen && ended.unseen.any();
    if !ended.boxed || (bare && !is_cell) {
        ended.node.set_attr(UNSEEN, "");
        return ended.unseen.as_one();
    }
    removed.extend(ended.lost);
    ended.unseen
}
