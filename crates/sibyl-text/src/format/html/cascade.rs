//! What is declared of each element: by the rules of style sheets and by its own attributes (CSS Cascading 4, section 6).
//!
//! Only properties count by which something of the page is hidden, so that most pages cost next to nothing.

use super::attribute;
use super::colour::Colour;
use super::stylesheet::{Index, Rule, SHEETS, declared, weight};
use dom_query::{Document as Tree, NodeId, NodeRef};
use std::collections::HashMap;

/// Size of ordinary letters, in the units of pages (px).
pub(super) const ORDINARY: f32 = 16.0;
/// Letters below this size (px) cannot be seen.
pub(super) const SMALLEST: f32 = 1.0;
/// A margin this far (px) outside moves a text off any page.
const BEYOND: f32 = 5_000.0;
/// What is this far (px) outside its place stands off the page.
pub(super) const FAR: f32 = 500.0;
/// A box that is not larger than this (px) shows nothing of what it cuts off.
pub(super) const TINY: f32 = 1.0;

/// What a style says that is followed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    Visibility,
    Opacity,
    /// A change over time: what is not seen at first fades in.
    Moves,
    Line,
    Font,
    Indent,
    Position,
    Left,
    Right,
    Top,
    Margin,
    Clip,
    Path,
    Width,
    Height,
    /// Room inside a box beside its width and height.
    Room,
    Overflow,
    Colour,
    Background,
    Picture,
    /// What makes letters seen whatever their colour.
    Outline,
}

pub(super) const PROPERTIES: usize = Property::Outline as usize + 1;

/// What is declared of an element, by property.
pub(super) type Values<'c> = [Option<&'c str>; PROPERTIES];

impl Property {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "display" => Self::Display,
            "visibility" => Self::Visibility,
            "opacity" => Self::Opacity,
            "transition" | "transition-property" | "animation" | "animation-name" => Self::Moves,
            "text-decoration" | "text-decoration-line" => Self::Line,
            "font-size" | "font" => Self::Font,
            "text-indent" => Self::Indent,
            "position" => Self::Position,
            "left" => Self::Left,
            "right" => Self::Right,
            "top" => Self::Top,
            "margin-left" => Self::Margin,
            "clip" => Self::Clip,
            "clip-path" => Self::Path,
            "width" => Self::Width,
            "height" => Self::Height,
            "padding" | "padding-top" | "padding-bottom" | "min-height" | "flex" | "flex-grow" => Self::Room,
            "overflow" | "overflow-x" | "overflow-y" => Self::Overflow,
            "color" => Self::Colour,
            "background" | "background-color" => Self::Background,
            "background-image" => Self::Picture,
            "text-shadow"
            | "-webkit-text-stroke"
            | "-webkit-text-fill-color"
            | "-webkit-background-clip"
            | "background-clip" => Self::Outline,
            _ => return None,
        })
    }

    /// The properties that must be known where one of a page says `value` of this one: none where it hides nothing.
    fn needs(self, value: &str) -> u32 {
        let all = |properties: &[Self]| properties.iter().fold(0, |bits, one| bits | one.bit());
        let tiny = || length(value).is_some_and(|size| size.pixels(ORDINARY) <= Some(TINY));
        match self {
            Self::Visibility if matches!(value, "hidden" | "collapse") => self.bit(),
            Self::Opacity if is_nought(value) => all(&[self, Self::Moves]),
            Self::Line if value.contains("line-through") => self.bit(),
            Self::Font if font_size(value).is_some_and(|size| size.number < SMALLEST) => self.bit(),
            Self::Indent if is_far(value) => self.bit(),
            Self::Left | Self::Right | Self::Top | Self::Margin if is_far(value) => {
                all(&[Self::Position, Self::Left, Self::Right, Self::Top, Self::Margin])
            }
            Self::Clip | Self::Path if !matches!(value, "auto" | "none") => {
                all(&[Self::Position, Self::Clip, Self::Path])
            }
            Self::Width | Self::Height if tiny() => {
                all(&[Self::Width, Self::Height, Self::Room, Self::Overflow, Self::Position])
            }
            _ => 0,
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

const COLOURS: [Property; 5] =
    [Property::Colour, Property::Background, Property::Picture, Property::Position, Property::Outline];

/// A length: a number with its unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length<'v> {
    pub(super) number: f32,
    pub(super) unit: &'v str,
}

impl Length<'_> {
    /// In the unit of pages, where letters around it are `font` large; `None` where it depends on more.
    pub(super) fn pixels(self, font: f32) -> Option<f32> {
        Some(match self.unit {
            "px" | "" => self.number,
            "pt" => self.number * 4.0 / 3.0,
            "em" => self.number * font,
            "rem" => self.number * ORDINARY,
            "%" if self.number == 0.0 => 0.0,
            _ => return None,
        })
    }
}

/// The length that a value is.
pub(super) fn length(value: &str) -> Option<Length<'_>> {
    let end =
        value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(value.len());
    let number: f32 = value[..end].parse().ok()?;
    number.is_finite().then_some(Length { number, unit: &value[end..] })
}

/// The size of letters in `font-size` or `font`.
pub(super) fn font_size(value: &str) -> Option<Length<'_>> {
    let size = |word| length(word).filter(|size: &Length<'_>| !size.unit.is_empty() || size.number == 0.0);
    value.split([' ', '/']).find_map(size)
}

/// Whether a value is as good as nought.
pub(super) fn is_nought(value: &str) -> bool {
    length(value).is_some_and(|opacity| opacity.number < 0.01)
}

/// Whether a margin is wider than any layout that moves what is seen.
pub(super) fn is_beyond(value: &str) -> bool {
    length(value).and_then(|length| length.pixels(ORDINARY)).is_some_and(|pixels| pixels <= -BEYOND)
}

/// Whether a distance leads off the page.
pub(super) fn is_far(value: &str) -> bool {
    length(value).is_some_and(|length| {
        let enough = match length.unit {
            "em" | "rem" => FAR / ORDINARY,
            "vw" | "vh" => 100.0,
            _ => FAR,
        };
        length.number <= -enough
    })
}

/// What is declared, in the rules that count for a page.
pub(super) struct Sheets<'c> {
    /// Of each rule: what it says of the properties that count, and where it holds.
    rules: Vec<Said<'c>>,
    /// By element: the rules for it, each with its weight.
    of: HashMap<NodeId, Vec<(usize, usize)>>,
    /// The properties that count.
    wanted: u32,
}

struct Said<'c> {
    declared: Vec<(Property, &'c str, bool)>,
    conditional: bool,
    scope: Option<usize>,
}

impl<'c> Sheets<'c> {
    /// What `rules` say of `tree`, with their declarations in small letters.
    pub(super) fn of(tree: &Tree, rules: &[Rule<'c>], lowered: &'c [String]) -> Self {
        let mut wanted = Property::Display.bit() | wanted_in(tree);
        let (mut colours, mut backgrounds) = colours_in(tree);
        let said: Vec<Said<'c>> = rules
            .iter()
            .zip(lowered)
            .map(|(rule, declarations)| {
                let known = declared(declarations)
                    .filter_map(|(name, value, first)| Some((Property::of(name)?, value, first)));
                Said { declared: known.collect(), conditional: rule.conditional, scope: rule.scope }
            })
            .collect();
        for (property, value, _) in said.iter().flat_map(|said| &said.declared) {
            wanted |= property.needs(value);
            match property {
                Property::Colour => colours.extend(Colour::of(value)),
                Property::Background => backgrounds.extend(Colour::laid(value)),
                _ => {}
            }
        }
        let hides =
            |colour: &Colour| colour.is_clear() || backgrounds.iter().any(|behind| behind.is_like(*colour));
        if tree.select("link[rel=stylesheet]").is_empty() && colours.iter().any(hides) {
            wanted |= COLOURS.iter().fold(0, |bits, property| bits | property.bit());
        }
        let mut sheets = Self { rules: said, of: HashMap::new(), wanted };
        sheets.match_all(tree, rules);
        sheets
    }

    /// Whether a property must be known.
    pub(super) fn counts(&self, property: Property) -> bool {
        self.wanted & property.bit() != 0
    }

    /// Finds the elements that each rule is for.
    fn match_all(&mut self, tree: &Tree, rules: &[Rule<'c>]) {
        let mut index = None;
        let mut whole = true;
        for (place, rule) in rules.iter().enumerate() {
            if !self.rules[place].declared.iter().any(|(property, ..)| self.counts(*property)) {
                continue;
            }
            let index = index.get_or_insert_with(|| Index::of(tree));
            for selector in rule.selectors() {
                let weight = weight(selector);
                let scoped = rule.scope.and_then(|_| selector.strip_prefix("body"));
                let scoped =
                    scoped.filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'));
                let scoped = scoped.map(|rest| format!("[{SHEETS}]{rest}"));
                match index.find(scoped.as_deref().unwrap_or(selector)) {
                    Some(found) => {
                        found.into_iter().for_each(|id| self.of.entry(id).or_default().push((weight, place)));
                    }
                    None => whole = false,
                }
            }
            // What may lie behind an element in some state is not known.
            let lies_behind = |said: &Said<'_>| {
                said.declared.iter().any(|(property, ..)| *property == Property::Background)
            };
            if self.counts(Property::Colour) && lies_behind(&self.rules[place]) {
                let unknown = self.rules.len();
                self.rules.push(Said {
                    declared: vec![(Property::Picture, "unknown", false)],
                    conditional: false,
                    scope: rule.scope,
                });
                for selector in rule.wider() {
                    let found = index.find(&selector).unwrap_or_default();
                    found.into_iter().for_each(|id| self.of.entry(id).or_default().push((0, unknown)));
                }
            }
        }
        if !whole {
            self.wanted &= !Property::Colour.bit();
        }
    }

    /// What is declared for an element if the sheets of `scope` hold, with `own` in its attribute. Also whether a
    /// rule that holds only under some condition shows it.
    pub(super) fn declared<'v>(
        &'v self,
        node: &NodeRef<'_>,
        scope: &[usize],
        own: &'v str,
    ) -> (Values<'v>, bool) {
        let holds = |place: usize| self.rules[place].scope.is_none_or(|one| scope.contains(&one));
        let mut found: Vec<(bool, bool, usize, usize, Property, &str)> = Vec::new();
        let mut shows = 0;
        for &(weight, place) in self.of.get(&node.id).into_iter().flatten().filter(|(_, place)| holds(*place))
        {
            let said = &self.rules[place];
            for &(property, value, first) in
                said.declared.iter().filter(|(property, ..)| self.counts(*property))
            {
                match (said.conditional, property) {
                    (false, _) => found.push((first, false, weight, place, property, value)),
                    (true, Property::Display) if value != "none" => shows = shows.max(weight + 1),
                    (true, Property::Visibility) if value != "hidden" => shows = shows.max(weight + 1),
                    (true, Property::Background) => {
                        found.push((false, false, weight, place, Property::Picture, "unknown"));
                    }
                    // What a condition may give room again is not sure to be hidden.
                    (true, Property::Width | Property::Height | Property::Overflow | Property::Opacity) => {
                        found.push((first, false, weight, place, property, "auto"));
                    }
                    (true, _) => {}
                }
            }
        }
        for (name, value, first) in declared(own) {
            let property = Property::of(name).filter(|property| self.counts(*property));
            found.extend(property.map(|property| (first, true, 0, 0, property, value)));
        }
        found.sort_by_key(|(first, own, weight, place, ..)| (*first, *own, *weight, *place));
        let mut values: Values<'v> = [None; PROPERTIES];
        let mut hides = 0;
        for (_, own, weight, _, property, value) in found {
            if matches!((property, value), (Property::Display, "none") | (Property::Visibility, "hidden")) {
                hides = if own { usize::MAX } else { weight + 1 };
            }
            values[property as usize] = Some(value);
        }
        (values, shows > 0 && shows >= hides)
    }
}

/// The properties that must be known for what elements of a page say of themselves.
fn wanted_in(tree: &Tree) -> u32 {
    let struck = !tree.select("del, s, strike").is_empty();
    let mut wanted = if struck { Property::Line.bit() } else { 0 };
    for node in tree.select("[style]").nodes() {
        let style = attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
        for (name, value, _) in declared(&style) {
            wanted |= Property::of(name).map_or(0, |property| property.needs(value));
        }
    }
    wanted
}

/// The colours of letters that elements of a page have, and those laid behind them, with that of paper.
fn colours_in(tree: &Tree) -> (Vec<Colour>, Vec<Colour>) {
    let (mut letters, mut behind) = (Vec::new(), vec![Colour::WHITE]);
    for node in tree.select("[style*=olor], [style*=ackground], [color], [text], [bgcolor]").nodes() {
        let style = attribute(node, "style").unwrap_or_default().to_ascii_lowercase();
        for (name, value, _) in declared(&style) {
            match Property::of(name) {
                Some(Property::Colour) => letters.extend(Colour::of(value)),
                Some(Property::Background) => behind.extend(Colour::laid(value)),
                _ => {}
            }
        }
        let named =
            |key: &str| attribute(node, key).and_then(|value| Colour::of(&value.to_ascii_lowercase()));
        letters.extend(named("color").or_else(|| named("text")));
        behind.extend(named("bgcolor"));
    }
    for colours in [&mut letters, &mut behind] {
        colours.sort_unstable();
        colours.dedup();
    }
    (letters, behind)
}
