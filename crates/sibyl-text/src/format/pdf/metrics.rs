//! Measures that several passes share. Each stands here once, so that what one pass takes for one line, row, column or text is
//! one for all of them.
//!
//! They are relative to the size of the letters beside them. Two are in points: tolerances of the programs that place
//! letters and lines, whatever the size of what they place.

/// Distance of baselines up to which words stand on one line: superscripts are raised by more.
pub(super) const SAME_LINE: f32 = 0.2;
/// Distance of baselines up to which a value stands beside its label, and one name beside another: they may be set in two fonts.
pub(super) const LEVEL: f32 = 0.3;
/// Distance of baselines up to which lines stand in one row: less than half of any distance between lines.
pub(super) const SAME_ROW: f32 = 0.45;
/// Distance up to which words of different lines begin or end at one place: less than the width of a letter.
pub(super) const SAME_PLACE: f32 = 0.3;
/// Gap between words from which they can be of two columns, where something else says so, too: more than any space between two
/// words.
pub(super) const PHRASE_GAP: f32 = 0.65;
/// Gap between words from which nothing is one line: no justified line has it.
pub(super) const COLUMN_GAP: f32 = 1.0;
/// Widest distance between the baselines of one cell, or of one name: cells are set as close as text, or closer.
pub(super) const CELL_STEP: f32 = 1.45;
/// Widest distance between the baselines of the label of a key figure.
pub(super) const LABEL_STEP: f32 = 1.6;
/// Distance between rows beyond which a table ends: two blank lines.
pub(super) const ROW_REACH: f32 = 3.6;
/// Ratio of letter sizes up to which two texts are of one style: sizes are rounded when files are written.
pub(super) const SAME_SIZE: f32 = 1.05;
/// Ratio of letter sizes up to which two lines can be one text: a line may hold larger signs.
pub(super) const TEXT_SIZE: f32 = 1.13;
/// Fewest rows of a table that no lines draw: two lines of columns of text stand side by side by chance.
pub(super) const MIN_ROWS: usize = 3;
/// Distance within which lines of text begin at one place (points).
pub(super) const EDGE: f32 = 2.0;
/// Distance within which the sides of what is drawn are one (points): half of a thick line.
pub(super) const SNAP: f32 = 1.5;
