//! The colour in which letters are set, as far as it tells headings from text.

/// A colour: `0xRRGGBB`, or [`Ink::UNKNOWN`] where its space says nothing without a profile or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Ink(u32);

/// Difference of the strongest and the weakest of red, green and blue from which a colour is none between black and white.
const CHROMA: u32 = 48;
/// Difference of these up to which two colours are one to the eye.
const SAME: u32 = 4;

impl Ink {
    pub(super) const BLACK: Self = Self(0);
    pub(super) const WHITE: Self = Self(0x00FF_FFFF);
    pub(super) const UNKNOWN: Self = Self(u32::MAX);

    pub(super) fn grey(level: f64) -> Self {
        Self::rgb(level, level, level)
    }

    pub(super) fn rgb(red: f64, green: f64, blue: f64) -> Self {
        let level = |v: f64| (0.0..=1.0).contains(&v).then(|| (v * 255.0).round() as u32);
        match (level(red), level(green), level(blue)) {
            (Some(red), Some(green), Some(blue)) => Self(red << 16 | green << 8 | blue),
            _ => Self::UNKNOWN,
        }
    }

    /// The plain conversion of ISO 32000-1, 10.3.5.
    pub(super) fn cmyk(cyan: f64, magenta: f64, yellow: f64, black: f64) -> Self {
        let level = |v: f64| 1.0 - (v + black).min(1.0);
        Self::rgb(level(cyan), level(magenta), level(yellow))
    }

    /// The colour of a space that is known only by the number of its components.
    pub(super) fn of(components: &[f64]) -> Self {
        match *components {
            [red, green, blue] => Self::rgb(red, green, blue),
            [cyan, magenta, yellow, black] => Self::cmyk(cyan, magenta, yellow, black),
            _ => Self::UNKNOWN,
        }
    }

    /// Whether both are known and nobody sees a difference.
    pub(super) fn is_as(self, other: Self) -> bool {
        let alike = |(a, b): (u32, u32)| a.abs_diff(b) <= SAME;
        self != Self::UNKNOWN
            && other != Self::UNKNOWN
            && self.channels().into_iter().zip(other.channels()).all(alike)
    }

    /// Whether it is white, or nearly so.
    pub(super) fn is_white(self) -> bool {
        self.is_as(Self::WHITE)
    }

    const fn channels(self) -> [u32; 3] {
        [self.0 >> 16 & 255, self.0 >> 8 & 255, self.0 & 255]
    }

    /// Whether it is a colour, and no grey.
    pub(super) fn is_chromatic(self) -> bool {
        let channels = self.channels();
        let (low, high) = channels.iter().fold((255, 0), |(low, high), c| (low.min(*c), high.max(*c)));
        self != Self::UNKNOWN && high - low >= CHROMA
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_colour_is_one_in_every_space() {
        assert_eq!(Ink::grey(0.0), Ink::cmyk(0.0, 0.0, 0.0, 1.0));
        assert_eq!(Ink::rgb(0.0, 1.0, 1.0), Ink::of(&[1.0, 0.0, 0.0, 0.0]));
        assert_eq!(Ink::of(&[0.5]), Ink::UNKNOWN);
        // L*a*b* is no RGB.
        assert_eq!(Ink::of(&[54.0, 80.0, 70.0]), Ink::UNKNOWN);
    }

    #[test]
    fn greys_are_no_colours() {
        assert!(Ink::rgb(0.0, 0.3, 0.6).is_chromatic());
        for ink in [Ink::BLACK, Ink::grey(0.4), Ink::rgb(0.1, 0.12, 0.15), Ink::UNKNOWN] {
            assert!(!ink.is_chromatic());
        }
    }
}
