//! Files with random changes in their parts give a document or a notice. They never give a panic, or text outside
//! every block.

use crate::office::{NAMESPACES, archive};
use crate::{chunks, read};
use proptest::prelude::*;

/// Pieces that structure is made of, and that break it.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/>",
    "</w:p>",
    "</p>",
    "<p>",
    "<w:p>",
    "<w:tbl>",
    "<table>",
    "<td colspan='9999999999'>",
    "<tr>",
    "</table>",
    "<li>",
    "<ul>",
    "<pre>",
    "&",
    "&#0;",
    "&#13;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "\"",
    "'",
    "=",
    "\0",
    "\u{feff}",
    "é",
    "| ",
    "\n",
    "\r",
    "#",
    "1.",
    "A1048576",
    "9999999999",
    "-1",
    "1e308",
    "NaN",
    "<c r=\"ZZZZ9\"/>",
    "#,##0.00;[Red]-0%;;@",
    "<w:gridSpan w:val=\"99999999\"/>",
    "<h1>",
    "<script>",
    "<main>",
    "<title>",
    "style='display:none'",
    "```",
    "`",
];

/// Where in a part something is changed, how, and to what.
fn changes() -> impl Strategy<Value = Vec<(usize, u8, usize, usize)>> {
    prop::collection::vec((any::<usize>(), 0..3_u8, 0..PIECES.len(), 1..80_usize), 1..12)
}

fn changed(text: &str, changes: &[(usize, u8, usize, usize)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (at, kind, piece, length) in changes {
        let at = at % (bytes.len() + 1);
        let end = (at + length).min(bytes.len());
        match kind {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, PIECES[*piece].bytes())),
            _ => {
                let copy = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, copy));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads `parts` as `name` with one of them changed, and chunks the result.
fn check(name: &str, parts: &[(&str, &str)], which: usize, changes: &[(usize, u8, usize, usize)]) {
    let which = which % parts.len();
    let text = changed(parts[which].1, changes);
    let parts: Vec<(&str, &str)> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| (part.0, if index == which { &text } else { part.1 }))
        .collect();
    let document = read(name, &archive(&parts));
    assert!(
        !document.text.is_empty() || !document.notices.is_empty(),
        "{name}: nothing read and nothing said"
    );
    let covered: usize = chunks(&document)
        .iter()
        .flat_map(|chunk| chunk.own().collect::<Vec<_>>())
        .map(|span| span.len())
        .sum();
    assert!(covered <= document.text.len() && (covered > 0 || document.text.trim().is_empty()), "{name}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn word_documents(which in any::<usize>(), changes in changes()) {
        let body = format!(
            "<w:document {NAMESPACES}><w:body><w:p><w:pPr><w:pStyle w:val='H'/><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/>\
             </w:numPr></w:pPr><w:r><w:t>One</w:t><w:footnoteReference w:id='1'/></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr>\
             <w:gridSpan w:val='2'/><w:vMerge w:val='restart'/></w:tcPr><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc><w:tc><w:p/>\
             </w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>"
        );
        let styles = format!("<w:styles {NAMESPACES}><w:style w:type='paragraph' w:styleId='H'><w:name w:val='heading 1'/></w:style></w:styles>");
        let lists = format!(
            "<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='lowerRoman'/>\
             <w:lvlText w:val='%1.'/></w:lvl></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>"
        );
        let notes = format!("<w:footnotes {NAMESPACES}><w:footnote w:id='1'><w:p><w:r><w:t>Note</w:t></w:r></w:p></w:footnote></w:footnotes>");
        let parts = [("word/document.xml", body.as_str()), ("word/styles.xml", &styles), ("word/numbering.xml", &lists), ("word/footnotes.xml", &notes)];
        check("a.docx", &parts, which, &changes);
    }

    #[test]
    fn workbooks(which in any::<usize>(), changes in changes()) {
        let parts = crate::sheet::parts();
        let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        check("a.xlsx", &parts, which, &changes);
    }

    #[test]
    fn presentations(which in any::<usize>(), changes in changes()) {
        let parts = crate::pptx::parts();
        let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        check("a.pptx", &parts, which, &changes);
    }

    #[test]
    fn pages_and_values(changes in changes()) {
        let page = "<html><head><title>T</title></head><body><main><h1>One</h1><ul><li>a<ol><li>b</li></ol></li></ul><table><tr>\
                    <th>A</th><th rowspan=2>B</th></tr><tr><td>1</td><td>$</td></tr></table><pre>x\n  y</pre><p>z</p></main></body></html>";
        for (name, text) in [("a.html", page), ("a.csv", "Site;Tonnes\nMill;\"5\"\n\nNote\n")] {
            let document = read(name, changed(text, &changes).as_bytes());
            prop_assert!(!document.text.is_empty() || !document.notices.is_empty());
        }
    }
}
