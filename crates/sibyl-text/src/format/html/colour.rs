//! Colours as a page names them.

/// Most that a part of a colour differs by without the eye telling the two apart.
const ALIKE: u8 = 8;

/// A colour: red, green and blue, and whether it covers what is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Colour {
    parts: [u8; 3],
    clear: bool,
}

impl Colour {
    pub(super) const WHITE: Self = Self { parts: [255; 3], clear: false };
    pub(super) const BLACK: Self = Self { parts: [0; 3], clear: false };

    /// The colour that a value in small letters names; `None` where that is not known.
    pub(super) fn of(value: &str) -> Option<Self> {
        match value {
            "white" => return Some(Self::WHITE),
            "black" => return Some(Self::BLACK),
            "transparent" => return Some(Self { clear: true, ..Self::BLACK }),
            _ => {}
        }
        if let Some(digits) = value.strip_prefix('#') {
            return Self::of_digits(digits);
        }
        let inner = value.strip_prefix("rgb").map(|rest| rest.strip_prefix('a').unwrap_or(rest))?;
        let inner = inner.strip_prefix('(')?.strip_suffix(')')?;
        let mut numbers = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let mut part = || numbers.next()?.parse::<u8>().ok();
        let parts = [part()?, part()?, part()?];
        match numbers.next() {
            None => Some(Self { parts, clear: false }),
            Some(cover) => match cover.trim_end_matches('%').parse::<f32>().ok()? {
                cover if cover <= 0.0 => Some(Self { parts, clear: true }),
                whole if whole >= 1.0 && !cover.ends_with('%') => Some(Self { parts, clear: false }),
                _ => None,
            },
        }
    }

    fn of_digits(digits: &str) -> Option<Self> {
        let parts: Vec<u8> = match digits.len() {
            3 => digits
                .chars()
                .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d * 17).ok()))
                .collect::<Option<_>>()?,
            6 => (0..3)
                .map(|at| u8::from_str_radix(digits.get(at * 2..at * 2 + 2)?, 16).ok())
                .collect::<Option<_>>()?,
            _ => return None,
        };
        Some(Self { parts: parts.try_into().ok()?, clear: false })
    }

    /// The one colour that a background lays behind what stands on it; `None` where it is a picture or not known.
    pub(super) fn laid(value: &str) -> Option<Self> {
        let pictured = ["url(", "gradient", "var(", "image"].iter().any(|word| value.contains(word));
        let covers = |colour: &Self| !colour.clear;
        let one = Self::of(value).or_else(|| value.split(' ').find_map(Self::of));
        one.filter(covers).filter(|_| !pictured)
    }

    /// Whether a background lays nothing.
    pub(super) fn is_nothing(value: &str) -> bool {
        matches!(value, "none" | "initial" | "unset" | "0 0" | "0")
            || Self::of(value).is_some_and(Self::is_clear)
    }

    /// Whether nothing of it is seen.
    pub(super) fn is_clear(self) -> bool {
        self.clear
    }

    /// Whether it looks like `other`.
    pub(super) fn is_like(self, other: Self) -> bool {
        self.parts.iter().zip(other.parts).all(|(one, other)| one.abs_diff(other) <= ALIKE)
    }
}
