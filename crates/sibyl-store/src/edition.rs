//! The editions of IFRS S2 that ship.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::chunk::ifrs::edition;

/// An edition of IFRS S2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Edition {
    /// As issued in June 2023.
    #[serde(rename = "2023-06")]
    Issued,
    /// As amended in December 2025, for annual periods that begin on 1 January 2027 or later.
    #[serde(rename = "2025-12")]
    Amended,
}

impl Edition {
    /// All of them, the earliest first.
    pub const ALL: [Self; 2] = [Self::Issued, Self::Amended];

    /// Its name in metadata, on the wire and on the command line.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Issued => edition::ISSUED,
            Self::Amended => edition::AMENDED,
        }
    }

    /// It in words.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Issued => "as issued in June 2023",
            Self::Amended => {
                "as amended in December 2025, for annual periods that begin on 1 January 2027 or later; earlier use is \
                 permitted"
            }
        }
    }

    /// The one that applies on a day of `year` if none is named: the amended one from 2027 on.
    pub const fn in_year(year: i16) -> Self {
        if year < 2027 { Self::Issued } else { Self::Amended }
    }

    /// The one in force today, by the clock (UTC).
    pub fn today() -> Self {
        Self::in_year(jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).year())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amended_edition_is_meant_from_2027_on() {
        let meant = [2023, 2026, 2027, 2031].map(Edition::in_year);
        assert_eq!(meant, [Edition::Issued, Edition::Issued, Edition::Amended, Edition::Amended]);
    }

    #[test]
    fn an_edition_has_one_name_everywhere() {
        for edition in Edition::ALL {
            assert_eq!(serde_json::to_value(edition).unwrap(), edition.code());
        }
    }
}
