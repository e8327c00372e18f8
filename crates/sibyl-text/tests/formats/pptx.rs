//! PowerPoint presentations.

use crate::office::{archive, locked};
use crate::{codes, paths, read, refused};
use sibyl_text::Document;

const NAMESPACES: &str = r#"xmlns:a="a" xmlns:p="p" xmlns:r="r""#;

/// A presentation of slides: the content of each, whether it is shown, and the speaker's notes.
pub fn made(slides: &[(&str, bool, &str)]) -> Vec<u8> {
    let parts = parts_of(slides);
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&parts)
}

/// The parts of a small presentation.
pub fn parts() -> Vec<(String, String)> {
    let shapes = shape("title", "", &text("Plan")) + &shape("body", &at(1, 2), &(text("One") + &text("Two")));
    parts_of(&[(&shapes, true, "Say it.")])
}

fn parts_of(slides: &[(&str, bool, &str)]) -> Vec<(String, String)> {
    let (mut list, mut links) = (String::new(), String::new());
    let mut parts = vec![("[Content_Types].xml".to_owned(), "<Types/>".to_owned())];
    for (index, (shapes, shown, notes)) in slides.iter().enumerate() {
        let id = index + 1;
        list += &format!(r#"<p:sldId id="{}" r:id="rId{id}"/>"#, 256 + index);
        // Parts are numbered in another order than they are shown in.
        let part = slides.len() - index;
        links += &format!(r#"<Relationship Id="rId{id}" Type="t/slide" Target="slides/slide{part}.xml"/>"#);
        let tree = |shapes: &str| format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>");
        parts.push((
            format!("ppt/slides/slide{part}.xml"),
            format!(r#"<p:sld {NAMESPACES} show="{}">{}</p:sld>"#, u8::from(*shown), tree(shapes)),
        ));
        if !notes.is_empty() {
            parts.push((
                format!("ppt/slides/_rels/slide{part}.xml.rels"),
                format!(r#"<Relationships><Relationship Id="n" Type="t/notesSlide" Target="../notesSlides/n{part}.xml"/></Relationships>"#),
            ));
            let noted = shape("body", "", &text(notes)) + &shape("sldNum", "", &text("9"));
            parts.push((
                format!("ppt/notesSlides/n{part}.xml"),
                format!("<p:notes {NAMESPACES}>{}</p:notes>", tree(&noted)),
            ));
        }
    }
    parts.push((
        "ppt/presentation.xml".to_owned(),
        format!("<p:presentation {NAMESPACES}><p:sldIdLst>{list}</p:sldIdLst></p:presentation>"),
    ));
    parts.push((
        "ppt/_rels/presentation.xml.rels".to_owned(),
        format!("<Relationships>{links}</Relationships>"),
    ));
    parts
}

fn text(text: &str) -> String {
    format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
}

fn shape(placeholder: &str, place: &str, paragraphs: &str) -> String {
    let kind =
        if placeholder.is_empty() { String::new() } else { format!(r#"<p:ph type="{placeholder}"/>"#) };
    format!(
        "<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
    )
}

fn at(x: u32, y: u32) -> String {
    format!(r#"<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="100" cy="100"/></a:xfrm>"#)
}

#[test]
fn slides_are_pages_with_a_title_and_text_in_reading_order() {
    let first = [
        shape("sldNum", "", &text("1")),
        shape("", &at(500, 20), &text("Right.")),
        shape("", &at(10, 400), &text("Below.")),
        shape("", &at(10, 0), &text("Left.")),
        shape("title", "", &text("Our climate plan")),
    ];
    let list = format!(
        r#"{}<a:p><a:pPr lvl="1"><a:buAutoNum type="alphaLcParenR"/></a:pPr><a:r><a:t>Solar</a:t></a:r></a:p>{}"#,
        text("Energy"),
        r#"<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>By 2030.</a:t></a:r></a:p>"#
    );
    let second = shape("title", "", &text("Measures")) + &shape("body", "", &list);
    let document =
        read("plan.pptx", &made(&[(&first.concat(), true, ""), (&second, true, "Say that it is cheap.")]));
    assert_eq!(
        document.text,
        "# Our climate plan\n\nLeft.\n\nRight.\n\nBelow.\n\n# Measures\n\n- Energy\n  - a) Solar\n\nBy 2030.\n\n\
         ## Speaker’s notes\n\nSay that it is cheap.\n"
    );
    let pages: Vec<_> =
        document.pages.iter().map(|page| (page.number, page.span.of(&document.text).len())).collect();
    assert_eq!(pages[0].0, 1);
    assert!(document.pages[1].span.of(&document.text).starts_with("# Measures"));
    assert_eq!(
        paths(&document).last().map(String::as_str),
        Some("Measures"),
        "a chunk is named by its beginning"
    );
    let said = document.text.find("Say that").unwrap();
    assert_eq!(document.path_at(said), ["Measures", "Speaker’s notes"]);
    assert_eq!(document.title.as_deref(), Some("Our climate plan"));
}

/// A placeholder with an index is placed where its layout has it.
fn held(kind: &str, index: u32, words: &str) -> String {
    shape(kind, "", &text(words)).replace(r#""/></p:nvPr>"#, &format!(r#"" idx="{index}"/></p:nvPr>"#))
}

#[test]
fn placeholders_stand_where_their_layout_has_them_and_groups_are_read_together() {
    let boxed = |x: u32, y: u32, words: &str| shape("", &at(x, y), &text(words));
    let group = format!(
        r#"<p:grpSp><p:grpSpPr><a:xfrm><a:off x="10" y="10"/><a:ext cx="100" cy="50"/></a:xfrm></p:grpSpPr>{}{}</p:grpSp>"#,
        boxed(0, 9_000, "cheap."),
        boxed(0, 1_000, "Solar is")
    );
    let slide = [
        boxed(500, 900, "Source: survey."),
        held("body", 2, "Right."),
        held("body", 1, "Left."),
        shape("title", "", &text("Energy")),
        group,
    ];
    let mut parts = parts_of(&[(&slide.concat(), true, "")]);
    let link = |kind: &str, target: &str| {
        format!(r#"<Relationships><Relationship Id="l" Type="t/{kind}" Target="{target}"/></Relationships>"#)
    };
    let layout = |root: &str, shapes: &str| {
        format!("<p:{root} {NAMESPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{root}>")
    };
    let moved = shape("body", &at(600, 400), "").replace(r#""/></p:nvPr>"#, r#"" idx="2"/></p:nvPr>"#);
    parts.extend([
        ("ppt/slides/_rels/slide1.xml.rels".to_owned(), link("slideLayout", "../slideLayouts/l1.xml")),
        ("ppt/slideLayouts/l1.xml".to_owned(), layout("sldLayout", &(held("body", 1, "") + &moved))),
        ("ppt/slideLayouts/_rels/l1.xml.rels".to_owned(), link("slideMaster", "../slideMasters/m1.xml")),
        ("ppt/slideMasters/m1.xml".to_owned(), layout("sldMaster", &shape("body", &at(20, 400), ""))),
    ]);
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        read("a.pptx", &archive(&parts)).text,
        "# Energy\n\nSolar is\n\ncheap.\n\nLeft.\n\nRight.\n\nSource: survey.\n"
    );
}

#[test]
fn a_slide_without_a_title_is_no_part_of_the_one_before() {
    let untitled = shape("", "", &text("Loose words."));
    let document = read(
        "a.pptx",
        &made(&[
            (&untitled, true, ""),
            (&shape("title", "", &text("Plan")), true, ""),
            (&untitled, true, ""),
            ("", true, "Show the photo."),
            ("", true, ""),
        ]),
    );
    assert_eq!(
        document.text,
        "Loose words.\n\n# Plan\n\n# Slide 3\n\nLoose words.\n\n# Slide 4\n\n## Speaker’s notes\n\nShow the photo.\n"
    );
    assert_eq!(document.title.as_deref(), Some("Plan"));
}

#[test]
fn formulas_are_read_once_and_raised_numbers_stay_raised() {
    let words = r#"<a:p><a:r><a:t>Use: 50</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>1</a:t></a:r><a:r><a:t>, </a:t></a:r>
      <mc:AlternateContent xmlns:mc="mc"><mc:Choice><a:m><a:r><a:t>E=mc</a:t></a:r></a:m></mc:Choice><mc:Fallback><a:r><a:t>E=mc</a:t></a:r>
      </mc:Fallback></mc:AlternateContent></a:p>"#;
    assert_eq!(read("a.pptx", &made(&[(&shape("", "", words), true, "")])).text, "Use: 50¹, E=mc\n");
}

#[test]
fn tables_are_read_and_what_is_not_is_named() {
    let cell = |attributes: &str, words: &str| {
        format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", text(words))
    };
    let table = format!(
        r#"<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl>
        </a:graphicData></a:graphic></p:graphicFrame><p:graphicFrame><a:graphic><a:graphicData/></a:graphic></p:graphicFrame>"#,
        cell("", "Site"),
        cell("", "Tonnes"),
        cell(r#"gridSpan="2""#, "Closed"),
        cell(r#"hMerge="1""#, ""),
    );
    let document = read("t.pptx", &made(&[(&table, true, ""), (&shape("", "", &text("Unseen")), false, "")]));
    assert_eq!(document.text, "| Site | Tonnes |\n| --- | --- |\n| Closed | |\n");
    assert_eq!(codes(&document), ["hidden_slides", "charts_left_out"]);
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn presentations_that_are_locked_cut_off_or_something_else_are_told() {
    let whole = made(&[(&shape("title", "", &text("A")), true, "")]);
    refused(&read("a.pptx", &whole[..whole.len() / 2]), "office_broken");
    refused(&read("a.pptx", &locked()), "password_needed");
    refused(&read("a.pptx", &archive(&[("a.txt", "x")])), "wrong_kind");
    let groups = format!(
        "{}{}{}",
        "<p:grpSp>".repeat(20_000),
        shape("", "", &text("deep")),
        "</p:grpSp>".repeat(20_000)
    );
    let deep: Document = read("a.pptx", &made(&[(&groups, true, "")]));
    assert_eq!(codes(&deep), ["empty"]);
}

#[test]
fn texts_in_rows_that_are_cards_are_read_card_by_card() {
    let cards = [
        ["Revenue", "18.7 bn", "2023: 17.9 bn"],
        ["Organic growth", "3.9%", "2023: 6.2%"],
        ["EBIT margin", "8.4%", "2023: 8.4%"],
    ];
    let inch = 914_400;
    let boxes: String = (0..3)
        .flat_map(|line| {
            cards.iter().zip(0..).map(move |(card, column)| {
                let place = format!(
                    r#"<a:xfrm><a:off x="{}" y="{}"/><a:ext cx="{}" cy="{}"/></a:xfrm>"#,
                    inch * (1 + 3 * column),
                    inch * (2 + line as i64),
                    inch * 2,
                    inch / 2
                );
                shape("", &place, &text(card[line]))
            })
        })
        .collect();
    let found = read("deck.pptx", &made(&[(&boxes, true, "")])).text;
    let expected: Vec<String> =
        cards.iter().map(|[caption, number, before]| format!("{number} {caption}\n\n{before}")).collect();
    assert_eq!(found.trim(), expected.join("\n\n"));
}

#[test]
fn what_stands_wholly_beside_a_slide_is_left_out_and_told() {
    let place =
        |x: i64, y: i64| format!("<a:xfrm><a:off x='{x}' y='{y}'/><a:ext cx='100' cy='100'/></a:xfrm>");
    let shapes = [
        shape("title", &place(0, -500), &text("Water")),
        shape("", &place(-100, 10), &text("Left of it")),
        shape("", &place(1_000, 10), &text("Right of it")),
        shape("", &place(10, 600), &text("Below it")),
        shape("", &place(-50, 10), &text("Half on it")),
        shape("", &place(950, 550), &text("In its corner")),
    ];
    let parts: Vec<(String, String)> = parts_of(&[(&shapes.concat(), true, "")])
        .into_iter()
        .map(|(name, text)| {
            (name, text.replace("</p:sldIdLst>", "</p:sldIdLst><p:sldSz cx='1000' cy='600'/>"))
        })
        .collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let document = read("a.pptx", &archive(&parts));
    assert_eq!(document.text, "# Water\n\nHalf on it\n\nIn its corner\n");
    assert_eq!(codes(&document), ["hidden_text"]);
    assert!(document.notices[0].message.starts_with("3 texts"), "{}", document.notices[0].message);
}
