//! Fonts that name other letters than they draw: each is moved by the same number of places, so that `The` is stored as
//! `7KH`. Such a text says nothing, and its numbers are wrong.
//!
//! It is known by what it becomes when it is moved back. It then has several small words of one language, each more
//! than once or among few others, and letters almost throughout. A language that is not known here becomes no words
//! of another by that.

use super::characters::UNREADABLE;
use super::glyph::Glyph;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// Words without which no page of a language is written, of three to five letters.
const SMALL_WORDS: [&str; 8] = [
    "the and for its each was were are with from that this all has have our not which by their been will more than",
    "der die das und den von mit ist im auf des dem ein eine nicht sich wird sind werden wurde auch bei nach sowie oder",
    "les des est une dans pour par sur que qui aux avec sont nous notre cette plus ses leurs ainsi sous entre",
    "los las que del por una con para como sus este esta son nuestra sobre entre desde fue han",
    "het een van voor met zijn wij onze ook naar deze dat wordt bij aan niet door over",
    "och att det som den med till har inte vara detta samt eller ska under vid kan",
    "che del della per con una dei nel alla sono gli delle nella dal anche come",
    "dos das que uma com para por nos sua mais pela pelo foram entre sobre",
];
/// Letters of the words that are compared.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=5;
/// Fewest of these words that a text becomes, and fewest different ones.
const WORDS: usize = 4;
const DIFFERENT: usize = 3;
/// Least share of these words among the words of a text.
const SHARE: f32 = 0.08;
/// How many times as often they stand in a text when it is moved back as when it is not.
const TIMES: usize = 4;
/// Least share of a text's signs that become letters, digits or stops.
const LEGIBLE: f32 = 0.93;
/// Gap between two letters from which they are of different words (em).
const GAP: f32 = 0.18;

/// A word by the steps from each of its letters to the next.
type Steps = [i8; 4];

/// A word with a pattern: language, number, first letter.
type Patterned = (usize, usize, u8);

/// For each pattern of steps, the words that have it.
static PATTERNS: LazyLock<HashMap<Steps, Vec<Patterned>>> = LazyLock::new(|| {
    let mut out: HashMap<Steps, Vec<Patterned>> = HashMap::new();
    for (language, words) in SMALL_WORDS.iter().enumerate() {
        for (number, word) in words.split(' ').filter(|word| LETTERS.contains(&word.len())).enumerate() {
            let mut capital = word.as_bytes().to_vec();
            capital[0] = capital[0].to_ascii_uppercase();
            for written in [word.as_bytes(), &capital, word.to_ascii_uppercase().as_bytes()] {
                out.entry(steps(written)).or_default().push((language, number, written[0]));
            }
        }
    }
    out
});

fn steps(word: &[u8]) -> Steps {
    let mut out = Steps::default();
    for (step, pair) in out.iter_mut().zip(word.windows(2)) {
        *step = pair[1] as i8 - pair[0] as i8;
    }
    out
}

/// What the text of a font on a page is made of.
#[derive(Default)]
struct Tally {
    words: usize,
    /// Words of the languages as they stand.
    unmoved: usize,
    /// By language and places moved: how many words of the language it has, and which.
    moved: HashMap<(usize, i16), (usize, HashSet<usize>)>,
    /// How often it has each sign of ASCII, and how many others.
    signs: Signs,
    others: usize,
}

/// How often each sign of ASCII stands in a text.
struct Signs([usize; 128]);

impl Default for Signs {
    fn default() -> Self {
        Self([0; 128])
    }
}

impl Tally {
    fn add(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        self.words += 1;
        for sign in word.chars() {
            match self.signs.0.get_mut(sign as usize) {
                Some(count) => *count += 1,
                None => self.others += 1,
            }
        }
        if !LETTERS.contains(&word.len()) || !word.is_ascii() {
            return;
        }
        let first = word.as_bytes()[0];
        let mut unmoved = false;
        for &(language, number, letter) in PATTERNS.get(&steps(word.as_bytes())).into_iter().flatten() {
            let by = i16::from(letter) - i16::from(first);
            if by == 0 {
                unmoved = true;
                continue;
            }
            let found = self.moved.entry((language, by)).or_default();
            found.0 += 1;
            found.1.insert(number);
        }
        self.unmoved += usize::from(unmoved);
    }

    /// Whether it becomes words when each sign is moved by as many places.
    fn is_shifted(&self) -> bool {
        self.moved.iter().any(|(&(_, by), (count, different))| {
            *count >= WORDS
                && different.len() >= DIFFERENT
                && *count as f32 >= SHARE * self.words as f32
                && *count >= TIMES * self.unmoved
                && self.legible(by) >= LEGIBLE
        })
    }

    /// The share of its signs that are letters, digits or stops when each is moved `by` places.
    fn legible(&self, by: i16) -> f32 {
        let becomes = |sign: u8| u8::try_from(i16::from(sign) + by).ok();
        let legible = |sign: u8| {
            becomes(sign).is_some_and(|sign| sign.is_ascii_alphanumeric() || b".,;:-()%'/".contains(&sign))
        };
        let counts = || self.signs.0.iter().zip(0_u8..);
        let all: usize = counts().map(|(count, _)| count).sum::<usize>() + self.others;
        let good: usize = counts().filter(|(_, sign)| legible(*sign)).map(|(count, _)| count).sum();
        good as f32 / all.max(1) as f32
    }
}

/// What is known of the fonts of a document, by their numbers.
#[derive(Default)]
pub(super) struct Known {
    /// Those that name other letters than they draw.
    shifted: BTreeSet<u32>,
    /// Those whose text has words of a language as it stands.
    plain: BTreeSet<u32>,
}

impl Known {
    /// Whether a font names other letters than it draws.
    pub(super) fn holds_shifted(&self) -> bool {
        !self.shifted.is_empty()
    }
}

/// Makes what cannot be read of the letters of such fonts. `known` is what pages before have told of them.
pub(super) fn mark(glyphs: &mut [Glyph], known: &mut Known) {
    let mut tallies: HashMap<u32, Tally> = HashMap::new();
    let mut word = String::new();
    let mut last: Option<&Glyph> = None;
    let told = |face: &u32| known.plain.contains(face) || known.shifted.contains(face);
    for glyph in glyphs.iter().filter(|glyph| !told(&glyph.face)) {
        if let Some(last) = last.filter(|last| !goes_on(last, glyph)) {
            tallies.entry(last.face).or_default().add(&word);
            word.clear();
        }
        word.push_str(glyph.text.trim());
        last = Some(glyph);
    }
    if let Some(last) = last {
        tallies.entry(last.face).or_default().add(&word);
    }
    for (face, tally) in tallies {
        if tally.is_shifted() {
            known.shifted.insert(face);
        } else if tally.unmoved >= WORDS {
            known.plain.insert(face);
        }
    }
    if known.shifted.is_empty() {
        return;
    }
    let dark = |glyph: &&mut Glyph| known.shifted.contains(&glyph.face) && !glyph.text.trim().is_empty();
    for glyph in glyphs.iter_mut().filter(dark) {
        glyph.text = UNREADABLE.into();
    }
}

/// Whether two letters that follow each other are of one word.
fn goes_on(last: &Glyph, next: &Glyph) -> bool {
    let (dx, dy) = ((next.start.0 - last.end.0).abs(), (next.start.1 - last.end.1).abs());
    let blank = last.text.trim().is_empty() || next.text.trim().is_empty();
    !blank && last.face == next.face && dx.max(dy) < GAP * next.size.max(last.size)
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn tally(text: &str) -> Tally {
        let mut out = Tally::default();
        text.split_whitespace().for_each(|word| out.add(word));
        out
    }

    fn moved(text: &str, by: i16) -> String {
        let moved = |c: char| match u8::try_from(c) {
            Ok(sign) if c.is_ascii_alphanumeric() => char::from(u8::try_from(i16::from(sign) + by).unwrap()),
            _ => c,
        };
        text.chars().map(moved).collect()
    }

    const TEXTS: [&str; 4] = [
        "The emissions of the group fell to 412 thousand tonnes in the year. Every site reports its figures each month \
         to the group office. The auditors visited three quarries and found no breach of a permit.",
        "Die Emissionen der Gruppe sind im Berichtsjahr gesunken und werden von den Werken gemeldet. Die Ziele und das \
         Budget sind mit dem Vorstand abgestimmt.",
        "Les sites du groupe publient leurs chiffres dans un rapport qui est contrôlé par les auditeurs. Les objectifs \
         sont fixés pour une durée de cinq ans.",
        "Utsläppen minskade och målen följs upp av styrelsen, som har beslutat att det ska ske varje år. Det är viktigt \
         att alla enheter har samma mått och att det följs.",
    ];

    #[test]
    fn text_whose_letters_are_all_moved_is_told() {
        for by in [-29, 3, 5, -1] {
            assert!(tally(&moved(TEXTS[0], by)).is_shifted(), "{by}");
        }
        assert!(tally(&moved(TEXTS[1], 3)).is_shifted());
    }

    #[test]
    fn no_language_and_no_list_of_codes_is_taken_for_it() {
        let others = [
            "Karbon salımlarımız bir önceki yıla göre yüzde on iki azaldı ve her tesis için ayrı ayrı ölçülmektedir. Bu \
             rapor yönetim kurulu için hazırlandı.",
            "Lượng phát thải của tập đoàn đã giảm so với năm trước và mỗi nhà máy báo cáo số liệu của mình hàng tháng \
             cho văn phòng tập đoàn.",
            "Taldearen isurketak hamabi ehuneko jaitsi ziren eta lantegi bakoitzak bere datuak bidaltzen ditu hilero. \
             Txosten hau kontseiluak onartu zuen eta bere webgunean argitaratu zuen.",
            "Yhtiön päästöt laskivat kaksitoista prosenttia ja jokainen tehdas raportoi lukunsa joka kuukausi. Hallitus \
             hyväksyi tavoitteen.",
            "A kibocsátás tizenkét százalékkal csökkent, és minden telephely havonta jelenti az adatait. Az igazgatóság \
             évente felülvizsgálja a célt.",
            "GHG CO2 CH4 N2O HFC PFC SF6 NF3 GRI SASB TCFD CDP ISO EMS KPI EUR USD GBP SEK NOK DKK CHF JPY CNY INR",
            "AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN IRL ITA LVA LTU LUX MLT NLD POL PRT ROU SVK SVN ESP SWE",
            "Andersson Björk Carlsson Dahl Ek Fors Gran Holm Isaksson Jansson Krook Lind Moe Nord Oja Palm Quist Roth Sjö",
        ];
        for text in TEXTS.iter().chain(&others) {
            assert!(!tally(text).is_shifted(), "{text}");
        }
    }
}
