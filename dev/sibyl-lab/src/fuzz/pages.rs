//! PDF files that are changed inside: a few of their pages, with the objects and decoded streams for their
//! content. Changes of compressed bytes would only ever break a stream.

use super::mutate;
use crate::random::Random;
use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, MaybeRef, Name, Object, ObjectIdentifier};
use std::borrow::Cow;
use std::ops::Range;

/// What content streams, dictionaries and trees of tags are made of, and what breaks them.
const PIECES: &[&str] = &[
    "BT",
    "ET",
    "q",
    "Q",
    "T*",
    "EMC",
    "0 -12 Td",
    "1 0 0 1 72 700 Tm",
    "0 1 -1 0 300 300 Tm",
    "1e30 0 0 1e30 0 0 cm",
    "0 0 0 0 0 0 cm",
    "-1 0 0 1 600 0 cm",
    "0 Tz",
    "900 TL",
    "-500 Tc",
    "7 Ts",
    "3 Tr",
    "0 Tf",
    "(Total 1,234) Tj",
    "(a) '",
    "[(Scope) -9000 (1)] TJ",
    "<FFFF0000> Tj",
    "/Artifact BMC",
    "/P <</MCID 0>> BDC",
    "/Span <</ActualText (x)>> BDC",
    "0 0 600 800 re f",
    "50 400 m 550 400 l S",
    "50 100 0 500 re S",
    "W n",
    "<<",
    ">>",
    "[",
    "]",
    "<",
    "(",
    ")",
    "null",
    "1 0 R",
    "999999 0 R",
    "/Kids",
    "/Rotate 90",
    "/MediaBox [0 0 1 1]",
    "/MediaBox [900 900 -900 -900]",
    "/S /Table",
    "/S /Figure",
    "/S /H1",
    "/ColSpan 2147483647",
    "/RowSpan 99999",
    "/K 0",
    "/ActualText <FEFFD800>",
    "/Encoding /Identity-H",
    "0",
    "-1",
    "2147483648",
    "1e38",
    "NaN",
    "1 beginbfrange <00> <FF> <D800> endbfrange",
];

/// The pages of a PDF file and the objects that they are made of, streams decoded.
pub struct Pages {
    objects: Vec<Indirect>,
    /// Numbers of the objects of its pages.
    pages: Vec<u32>,
    /// What the catalog says, but for its pages.
    catalog: Vec<u8>,
}

#[derive(Clone)]
struct Indirect {
    number: u32,
    value: Vec<u8>,
    stream: Option<Vec<u8>>,
}

impl Pages {
    /// The contents of the catalog, except for its pages.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let pdf = Pdf::new(bytes.to_vec()).ok()?;
        let get = |number: u32| pdf.xref().get::<Object<'_>>(ObjectIdentifier::new(number, 0));
        let catalog = get(pdf.xref().root_id().obj_number)?.into_dict()?;
        let pages: Vec<u32> =
            pdf.pages().iter().filter_map(|page| Some(page.raw().obj_id()?.obj_number)).collect();
        // Numbers of deleted objects are counted, too, so that there are more numbers than objects.
        let numbers = 1..u32::try_from(pdf.len()).ok()?.saturating_mul(2).max(4096);
        let objects =
            numbers.filter_map(|number| Some(Indirect { number, ..indirect(&get(number)?) })).collect();
        (!pages.is_empty()).then(|| Self { objects, pages, catalog: entries(&catalog, &["Pages"]) })
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// A file of the pages `which`, unchanged.
    pub fn file(&self, which: Range<usize>) -> Vec<u8> {
        self.write(which, &self.objects)
    }

    /// A file of one or two of the pages, with changes in up to three of their objects; a tenth are changed as
    /// bytes, too.
    pub fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let from = random.below(self.pages.len());
        let pages = from..(from + 1 + random.below(2)).min(self.pages.len());
        let mut objects = self.objects.clone();
        let reached = reached(&objects, &self.pages[pages.clone()]);
        let drawing: Vec<usize> = reached.iter().copied().filter(|at| draws(&objects[*at])).collect();
        for _ in 0..=random.below(3) {
            // Most changes are to text; an eighth are anywhere in the file, above all in the tree of its tags.
            let at = match random.below(8) {
                0 => random.below(objects.len()),
                1 | 2 if !reached.is_empty() => *random.pick(&reached),
                _ if !drawing.is_empty() => *random.pick(&drawing),
                _ => random.below(objects.len()),
            };
            let object = &mut objects[at];
            for _ in 0..=random.below(6) {
                match &mut object.stream {
                    Some(stream) if random.below(8) > 0 => change(stream, random),
                    _ => change(&mut object.value, random),
                }
            }
        }
        let mut bytes = self.write(pages, &objects);
        if random.below(10) == 0 {
            for _ in 0..=random.below(4) {
                mutate(&mut bytes, random);
            }
        }
        bytes
    }

    fn write(&self, pages: Range<usize>, objects: &[Indirect]) -> Vec<u8> {
        let next = objects.last().map_or(1, |object| object.number + 1);
        let kids: Vec<String> = self.pages[pages].iter().map(|page| format!("{page} 0 R")).collect();
        let tree = format!("<</Type/Pages/Count {}/Kids[{}]>>", kids.len(), kids.join(" "));
        let mut catalog = b"<<".to_vec();
        catalog.extend(&self.catalog);
        catalog.extend(format!("/Pages {next} 0 R>>").bytes());
        let added = [
            Indirect { number: next, value: tree.into_bytes(), stream: None },
            Indirect { number: next + 1, value: catalog, stream: None },
        ];
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut table = String::from("0 1\n0000000000 65535 f \n");
        for object in objects.iter().chain(&added) {
            table += &format!("{} 1\n{:010} 00000 n \n", object.number, out.len());
            out.extend(format!("{} 0 obj\n", object.number).bytes());
            match &object.stream {
                Some(stream) => {
                    out.extend(b"<<");
                    out.extend(&object.value);
                    out.extend(format!("/Length {}>>\nstream\n", stream.len()).bytes());
                    out.extend(stream);
                    out.extend(b"\nendstream");
                }
                None => out.extend(&object.value),
            }
            out.extend(b"\nendobj\n");
        }
        let start = out.len();
        out.extend(
            format!(
                "xref\n{table}trailer\n<</Size {}/Root {} 0 R>>\nstartxref\n{start}\n%%EOF\n",
                next + 2,
                next + 1
            )
            .bytes(),
        );
        out
    }
}

fn indirect(object: &Object<'_>) -> Indirect {
    let plain = |value| Indirect { number: 0, value, stream: None };
    let Object::Stream(stream) = object else { return plain(written(object)) };
    let value = entries(stream.dict(), &["Length", "Filter", "DecodeParms"]);
    // The reader uses only the place of a picture.
    let is_picture = stream.dict().get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_str() == "Image");
    let data = if is_picture { None } else { stream.decoded_data().ok() };
    Indirect { number: 0, value, stream: Some(data.map(Cow::into_owned).unwrap_or_default()) }
}

fn entries(dict: &Dict<'_>, without: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for (key, value) in dict.entries().filter(|(key, _)| !without.contains(&key.as_str())) {
        out.push(b' ');
        out.extend(name(key.as_ref()));
        out.push(b' ');
        match value {
            MaybeRef::Ref(to) => out.extend(to.to_string().bytes()),
            MaybeRef::NotRef(value) => out.extend(written(&value)),
        }
    }
    out
}

fn written(object: &Object<'_>) -> Vec<u8> {
    match object {
        Object::Null(_) => b"null".to_vec(),
        Object::Boolean(value) => value.to_string().into_bytes(),
        Object::Number(value) => value.as_f64().to_string().into_bytes(),
        Object::String(value) => {
            let hex: String = value.as_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
            format!("<{hex}>").into_bytes()
        }
        Object::Name(value) => name(value.as_ref()),
        Object::Dict(dict) => [b"<<", entries(dict, &[]).as_slice(), b">>"].concat(),
        Object::Array(array) => {
            let items = array.raw_iter().map(|item| match item {
                MaybeRef::Ref(to) => to.to_string().into_bytes(),
                MaybeRef::NotRef(item) => written(&item),
            });
            [b"[", items.collect::<Vec<_>>().join(&b' ').as_slice(), b"]"].concat()
        }
        // Streams are separate objects.
        Object::Stream(_) => b"null".to_vec(),
    }
}

fn name(letters: &[u8]) -> Vec<u8> {
    let mut out = b"/".to_vec();
    for letter in letters {
        match letter {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'+' => out.push(*letter),
            _ => out.extend(format!("#{letter:02X}").bytes()),
        }
    }
    out
}

/// Places in `objects` of what `pages` refer to, beginning with themselves, but of no other page.
fn reached(objects: &[Indirect], pages: &[u32]) -> Vec<usize> {
    let place = |number: u32| objects.binary_search_by_key(&number, |object| object.number).ok();
    let is_page = |at: &usize| objects[*at].value.windows(11).any(|words| words == b"/Type /Page");
    let mut out: Vec<usize> = pages.iter().filter_map(|page| place(*page)).collect();
    let mut next = 0;
    while let Some(at) = out.get(next) {
        let value = String::from_utf8_lossy(&objects[*at].value);
        let words: Vec<&str> = value.split([' ', '[', ']', '<', '>']).collect();
        for window in words.windows(3) {
            let [number, _, "R"] = window else { continue };
            let found = number.parse().ok().and_then(place).filter(|at| !is_page(at));
            out.extend(found.filter(|found| !out.contains(found)));
        }
        next += 1;
    }
    out
}

fn draws(object: &Indirect) -> bool {
    object.stream.as_ref().is_some_and(|stream| stream.windows(3).any(|word| word == b" Tf"))
}

/// Changes a word: a number by far or little, a word for another; or moves, doubles or drops a stretch of them.
fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() || random.below(6) == 0 {
        return mutate(bytes, random);
    }
    let word = word(bytes, random.below(bytes.len()));
    let other = self::word(bytes, random.below(bytes.len()));
    let stretch = stretch(bytes, word.start, random);
    match random.below(8) {
        0 | 1 => {
            let text = String::from_utf8_lossy(&bytes[word.clone()]).into_owned();
            if let Ok(number) = text.parse::<f64>() {
                let changed = match random.below(6) {
                    0 => -number,
                    1 => number * 1000.0,
                    2 => number / 1000.0,
                    3 => 0.0,
                    4 => number + 1.0,
                    _ => number + random.unit() * 200.0 - 100.0,
                };
                drop(bytes.splice(word, changed.to_string().bytes()));
            }
        }
        2 => {
            let copy = bytes[other].to_vec();
            drop(bytes.splice(word, copy));
        }
        3 | 4 => {
            let piece = format!(" {} ", random.pick(PIECES));
            let at = if random.below(2) == 0 { word } else { word.start..word.start };
            drop(bytes.splice(at, piece.bytes()));
        }
        5 => {
            let copy = bytes[stretch].to_vec();
            drop(bytes.splice(other.end..other.end, copy));
        }
        6 => drop(bytes.drain(stretch)),
        _ => {
            let moved: Vec<u8> = bytes.drain(stretch).collect();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, moved));
        }
    }
}

/// The word around `at`: what no white space and no bracket divides.
fn word(bytes: &[u8], at: usize) -> Range<usize> {
    let divides = |byte: &u8| byte.is_ascii_whitespace() || b"[]<>()/".contains(byte);
    let start = bytes[..at].iter().rposition(divides).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(divides).map_or(bytes.len(), |after| at + after);
    start..end.max(start)
}

/// Up to about a hundred bytes from `start`, to the end of a line if there is one.
fn stretch(bytes: &[u8], start: usize, random: &mut Random) -> Range<usize> {
    let end = (start + 1 + random.below(400)).min(bytes.len());
    let line = bytes[end..].iter().take(200).position(|byte| *byte == b'\n');
    start..end + line.map_or(0, |after| after + 1)
}
