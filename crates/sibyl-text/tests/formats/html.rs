//! HTML.

use crate::{codes, paths, read};
use sibyl_text::BlockKind;
use sibyl_text::document::anchor_at;

fn body(html: &str) -> String {
    read("page.html", format!("<!DOCTYPE html><html><body>{html}</body></html>").as_bytes()).text
}

#[test]
fn the_main_content_is_read_and_nothing_around_it() {
    let page = r##"<!DOCTYPE html><html lang="en"><head><title>Climate  report
      2024</title><style>p { color: red }</style></head><body>
      <a class="skip-link" href="#m">Skip to content</a>
      <header><nav><ul><li><a href="/">Home</a></li><li><a href="/a">Investors</a></li></ul></nav></header>
      <div id="onetrust-banner"><p>We use cookies to improve this site.</p><button>Accept</button></div>
      <main id="m"><h1>Climate report</h1><p>Our mill emits <b>less</b> each
      year.<script>track()</script></p><div style="display: none">Draft wording</div>
      <h2>Governance</h2><p>The board meets<br>four times.</p><button>Share</button></main>
      <footer>© Mill Inc.</footer></body></html>"##;
    let document = read("saved.html", page.as_bytes());
    assert_eq!(
        document.text,
        "# Climate report\n\nOur mill emits less each year.\n\n## Governance\n\nThe board meets\nfour times.\n"
    );
    assert_eq!(document.title.as_deref(), Some("Climate report 2024"));
    assert_eq!(paths(&document), ["Climate report"]);
    assert_eq!(codes(&document), ["hidden_text", "page_furniture"]);
}

#[test]
fn a_place_is_named_by_the_element_with_an_id_that_begins_there_or_before() {
    let html = r#"<html><body><main id="main"><h1>Plan</h1><p>First.</p>
      <h2 id="water">Water</h2><p>We drew <i id="much">77 megalitres</i> from it. It is clean.</p>
      <a name="energy"></a><h2>Energy</h2><ul id="list"><li>Coal.</li><li id="wind">Wind.</li></ul>
      <p>Behind.</p><table id="sites"><tr><th>Site</th><th>GWh</th></tr><tr><td>Mill</td><td>5</td></tr></table>
      <pre id="code">let <b id="deep">x</b> = 1;</pre></main></body></html>"#;
    let document = read("page.html", html.as_bytes());
    for (words, id) in [
        ("First.", "main"),
        ("## Water", "water"),
        ("We drew", "water"),
        ("77 megalitres", "much"),
        ("It is clean", "much"),
        ("## Energy", "energy"),
        ("- Coal", "list"),
        ("- Wind", "wind"),
        ("Behind", "wind"),
        ("| Mill | 5 |", "sites"),
        ("x = 1", "deep"),
    ] {
        let at = document.text.find(words).unwrap_or_else(|| panic!("{words}: {}", document.text));
        assert_eq!(anchor_at(&document.anchors, at), Some(id), "{words}");
    }
    assert_eq!(read("page.html", b"<html><body><p>No id.</p></body></html>").anchors, []);
}

#[test]
fn a_page_without_a_main_part_is_read_without_its_navigation() {
    let html = r#"<header><h1>Plan</h1></header><div class="main-menu"><a href="a">One</a> <a href="b">Two</a></div>
      <p class="menu">The menu of our canteen is vegetarian.</p><section><header>Aims</header>Less waste.</section>
      <footer>Imprint</footer>"#;
    assert_eq!(body(html), "# Plan\n\nThe menu of our canteen is vegetarian.\n\nAims\n\nLess waste.\n");
}

#[test]
fn lists_keep_their_marks_and_depth() {
    let html = r#"<ul><li>Water</li><li>Air<ol type="a" start="2"><li>Dust</li><li><p>Smoke</p><p>Often.</p></li></ol>
      </li></ul><ol><li>First</li><li value="7">Seventh</li></ol><p>* no list</p>"#;
    assert_eq!(
        body(html),
        "- Water\n- Air\n  - b. Dust\n  - c. Smoke\n\n    Often.\n\n1. First\n7. Seventh\n\n\\* no list\n"
    );
}

#[test]
fn tables_keep_headers_spans_and_signs() {
    let html = r#"<table><caption>Emissions</caption><thead><tr><th rowspan="2">Scope</th><th colspan="2">2024</th></tr>
      <tr><th>Plan</th><th>Actual</th></tr></thead><tbody><tr><td rowspan="2">1 | 2</td><td>5</td><td>6<sup><a href="x">a
      </a></sup></td></tr><tr><td>7</td><td>8<br>9</td></tr></tbody></table>"#;
    assert_eq!(
        body(html),
        "Emissions\n\n| Scope | 2024 / Plan | 2024 / Actual |\n| --- | --- | --- |\n| 1 \\| 2 | 5 | 6[a] |\n\
         | 1 \\| 2 | 7 | 8<br>9 |\n"
    );
    let filed = r#"<table><tr><td></td><td colspan="3">2024</td><td></td><td colspan="3">2023</td></tr>
      <tr><td>Revenue</td><td>$</td><td>1,200</td><td></td><td></td><td>$</td><td>900</td><td></td></tr>
      <tr><td>Loss</td><td colspan="2">(30</td><td>)</td><td></td><td colspan="2">(20</td><td>)</td></tr></table>"#;
    assert_eq!(
        body(filed),
        "|  | 2024 | 2023 |\n| --- | --- | --- |\n| Revenue | $1,200 | $900 |\n| Loss | (30) | (20) |\n"
            .replace("|  |", "| |")
    );
}

#[test]
fn tables_that_only_place_things_are_no_tables() {
    let html = "<table><tr><td><h2>Left</h2><p>Text.</p></td><td><p>Right.</p></td></tr></table>\
                <table><tr><td>•</td><td>Water</td></tr><tr><td>•</td><td>Air</td></tr></table>";
    assert_eq!(body(html), "## Left\n\nText.\n\nRight.\n\n- Water\n- Air\n");
}

#[test]
fn signs_of_the_page_are_no_marks_of_markdown() {
    let html = "<html><body><h2>Run <code>sibyl</code> on *all* [sites](here) &amp;amp; {#more}</h2>\
                <p>import quotas from 'EU'</p><p>Scope | t<br>--- | ---<br>1 | 2</p><p>[1]: here</p></body></html>";
    let document = read("page.html", html.as_bytes());
    assert_eq!(document.sections[0].title, "Run sibyl on *all* [sites](here) &amp; {#more}");
    let kinds: Vec<BlockKind> = document.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds[1..], [BlockKind::Paragraph; 3]);
    assert_eq!(document.blocks[2].span.of(&document.text), "Scope | t\n--- | ---\n1 | 2");
}

#[test]
fn code_and_marks_of_notes_are_kept() {
    let html = "<p>Run <code>sibyl &lt;dir&gt;</code>.<sup><a href='#1'>2</a></sup> 5 km<sup>2</sup></p>\
                <pre>if a {\n    b\n}</pre>";
    assert_eq!(body(html), "Run `sibyl <dir>`.[2] 5 km²\n\n```\nif a {\n    b\n}\n```\n");
}

#[test]
fn raised_numbers_leave_the_number_before_them_as_it_is() {
    let html = "<p>Costs of 50,000<sup>1</sup>, in all 10<sup>6</sup> on the 1<sup>st</sup> for CO<sub>2</sub>.</p><table><tr><th>Site\
                </th><th>t</th></tr><tr><td>Mill</td><td>7<sup>1, 2</sup></td></tr></table>";
    assert_eq!(
        body(html),
        "Costs of 50,000¹, in all 10⁶ on the 1st for CO2.\n\n| Site | t |\n| --- | --- |\n| Mill | 7¹, ² |\n"
    );
}

#[test]
fn lists_count_as_they_say() {
    let html = r#"<ol reversed><li>Third</li><li>Second</li><li>First</li></ol><p>Then</p><ol style="list-style: none"><li>(a)
      Plan.</li><li>(b) Act.</li></ol>"#;
    assert_eq!(body(html), "3. Third\n2. Second\n1. First\n\nThen\n\n- (a) Plan.\n- (b) Act.\n");
}

#[test]
fn a_cell_over_all_rows_that_are_left_speaks_for_each() {
    let html = "<table><tr><th>Site</th><th>t</th></tr><tr><td rowspan=0>Mill</td><td>5</td></tr><tr><td>6</td></tr></table>";
    assert_eq!(body(html), "| Site | t |\n| --- | --- |\n| Mill | 5 |\n| Mill | 6 |\n");
}

#[test]
fn what_the_page_hides_by_any_means_stays_out() {
    let page = r#"<!DOCTYPE html><html><head><style>/* .seen { display: none } */ .off, #gone { display : none } .tab { display:none }
      .tab.open { display: block } .menu { visibility: hidden; } p { color: red } @media print { .seen { display: none } }</style></head><body>
      <p class="big off">Hidden by its class.</p><p id="gone">Hidden by its name.</p><p class="seen">Seen.</p><p class="tab open">A tab.</p>
      <p style="position: absolute; left: -9999px">Far away.</p><p style="position:absolute; left:-5px">Near.</p><span class="menu">No.</span>
      <p hidden>Later</p></body></html>"#;
    assert_eq!(read("a.html", page.as_bytes()).text, "Seen.\n\nA tab.\n\nNear.\n");
}

#[test]
fn inline_xbrl_is_read_as_it_is_shown() {
    let page = "<?xml version='1.0' encoding='utf-8'?>\n<html xmlns:ix='http://www.xbrl.org/2013/inlineXBRL'><body>\
                <div style='display:none'><ix:header><ix:hidden>0001</ix:hidden></ix:header></div>\
                <p>Emissions were <ix:nonFraction name='e:Gross' scale='3'>32.6</ix:nonFraction> kt.</p></body></html>";
    assert_eq!(read("filing", page.as_bytes()).text, "Emissions were 32.6 kt.\n");
}

#[test]
fn bold_lines_are_the_headings_of_a_page_without_any() {
    let html = r#"<div><span style="font-weight:700">Item 1. Business</span></div><p>We <b>mill</b> grain.</p>
      <p><b>Risks</b> of floods.</p><p><b>Water use</b></p><p>Less.</p><p><b>Note:</b></p>"#;
    assert_eq!(
        body(html),
        "## Item 1. Business\n\nWe mill grain.\n\nRisks of floods.\n\n### Water use\n\nLess.\n\nNote:\n"
    );
    assert_eq!(body("<h1>Plan</h1><p><b>Loud</b></p>"), "# Plan\n\nLoud\n");
}

#[test]
fn the_declared_encoding_counts() {
    let page = b"<html><head><meta charset='iso-8859-5'></head><body><p>\xB2\xDE\xD4\xD0</p></body></html>";
    assert_eq!(read("page.htm", page).text, "Вода\n");
}

#[test]
fn a_page_that_is_deep_or_large_or_no_page_is_read_or_told() {
    let deep = format!("{}deep{}", "<div>".repeat(1_000), "</div>".repeat(1_000));
    assert_eq!(body(&deep), "deep\n");
    let rows: String =
        (0..2_000).map(|row| format!("<tr><td>site {row}</td><td>{row}.5</td></tr>")).collect();
    let text = body(&format!("<table><tr><th>Site</th><th>Tonnes</th></tr>{rows}</table>"));
    assert!(text.contains("| site 1999 | 1999.5 |"));
    assert_eq!(text.matches("| Site | Tonnes |").count(), 4, "long tables repeat their header");
    let consent = format!("{}x{}", "<div class=cookie>".repeat(800), "</div>".repeat(800));
    assert!(body(&format!("{consent}<p>kept</p>")).contains("kept"));
    assert_eq!(codes(&read("empty.html", b"<html><body><script>x()</script></body></html>")), ["empty"]);
    assert_eq!(codes(&read("picture.html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")), ["not_text"]);
}

/// A filed page: what it shows, below the contexts and units of its tagged values.
fn filed(shown: &str) -> sibyl_text::Document {
    let page = format!(
        "<?xml version='1.0' encoding='utf-8'?>\n<html xmlns='http://www.w3.org/1999/xhtml' \
         xmlns:ix='http://www.xbrl.org/2013/inlineXBRL'><head><title/></head><body><div style='display:none'><ix:header>\
         <ix:hidden><ix:nonNumeric name='dei:EntityCentralIndexKey' contextRef='y' id='h1'>0000123</ix:nonNumeric>\
         </ix:hidden><ix:resources><xbrli:context id='y'><xbrli:entity><xbrli:identifier scheme='s'>0000123\
         </xbrli:identifier></xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate>\
         <xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context><xbrli:context id='e'><xbrli:entity>\
         <xbrli:identifier scheme='s'>0000123</xbrli:identifier><xbrli:segment><xbrldi:explicitMember \
         dimension='esrs:SiteAxis'>mill:North</xbrldi:explicitMember></xbrli:segment></xbrli:entity><xbrli:period>\
         <xbrli:instant>2024-12-31</xbrli:instant></xbrli:period></xbrli:context><xbrli:unit id='t'><xbrli:measure>\
         esrs:tCO2e</xbrli:measure></xbrli:unit><xbrli:unit id='perShare'><xbrli:divide><xbrli:unitNumerator>\
         <xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>\
         xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit></ix:resources></ix:header>\
         </div>{shown}</body></html>"
    );
    read("filing.xhtml", page.as_bytes())
}

/// Concept, value, unit, period and shown text of each fact that is shown.
fn shown_facts(document: &sibyl_text::Document) -> Vec<[String; 5]> {
    let shown = document.facts.iter().filter_map(|fact| Some((fact, fact.span?)));
    let words = shown.map(|(fact, span)| {
        let unit = fact.unit.clone().unwrap_or_default();
        [&fact.concept, &fact.value, &unit, &fact.period, span.of(&document.text)]
            .map(|word| word.to_string())
    });
    words.collect()
}

#[test]
fn tagged_values_are_facts_in_their_place() {
    let document = filed(
        "<p>Of 5 sites, Scope 1 came to <ix:nonFraction name='esrs:Scope1' contextRef='y' unitRef='t' scale='3' decimals='0' \
         format='ixt:num-dot-decimal' id='f1'>1,032.6</ix:nonFraction> kt; in the north \
         <ix:nonFraction name='esrs:Scope1' contextRef='e' unitRef='t' scale='3' sign='-'>5</ix:nonFraction> kt on \
         <ix:nonNumeric name='dei:PeriodEnd' contextRef='y' format='ixt:date-monthname-day-year-en'>December 31, 2024\
         </ix:nonNumeric>.</p><p>Nothing: <ix:nonFraction name='e:Nil' contextRef='y' unitRef='t' xsi:nil='true'/>, then on.</p>",
    );
    assert_eq!(
        document.text,
        "Of 5 sites, Scope 1 came to 1,032.6 kt; in the north 5 kt on December 31, 2024.\n\nNothing: , then on.\n"
    );
    let [tonnes, year, end] = ["esrs:tCO2e", "2024-01-01/2024-12-31", "2024-12-31"];
    assert_eq!(
        shown_facts(&document),
        [
            ["esrs:Scope1", "1032600", tonnes, year, "1,032.6"],
            ["esrs:Scope1", "-5000", tonnes, end, "5"],
            ["dei:PeriodEnd", end, "", year, "December 31, 2024"],
        ]
    );
    let places: Vec<_> = document.facts.iter().filter_map(|fact| fact.span).map(|span| span.start).collect();
    assert_eq!(places[1], document.text.find("5 kt").unwrap(), "the second 5, not that of the sites");
    let [hidden, first, second, ..] = document.facts.as_slice() else { panic!("{:?}", document.facts) };
    assert_eq!((hidden.value.as_str(), hidden.span, hidden.anchor.as_deref()), ("0000123", None, Some("h1")));
    assert_eq!((first.entity.as_str(), first.decimals.as_deref()), ("0000123", Some("0")));
    assert_eq!(second.dimensions, [("esrs:SiteAxis".to_owned(), "mill:North".to_owned())]);
}

#[test]
fn what_belongs_to_no_value_is_left_out_of_it_and_only_what_is_nil_is_empty() {
    let document = filed(
        "<ix:nonNumeric name='g:Policy' contextRef='y'><p>We cut <ix:exclude>(page 7)</ix:exclude> waste.</p><ix:exclude><div>Annual \
         report</div></ix:exclude><p>And water.</p></ix:nonNumeric><p><ix:nonFraction name='g:A' contextRef='y' unitRef='t' \
         xsi:nil='false' format='ixt:numcommadot'>1,234.5</ix:nonFraction> and <ix:nonFraction name='g:B' contextRef='y' unitRef='t' \
         xsi:nil='true'>–</ix:nonFraction></p>",
    );
    let values: Vec<_> = document.facts.iter().skip(1).map(|fact| fact.value.as_str()).collect();
    assert_eq!(values, ["We cut waste. And water.", "1234.5", ""]);
    assert!(document.text.contains("We cut (page 7) waste.\n\nAnnual report\n\nAnd water."));
}

#[test]
fn facts_of_tables_and_of_texts_over_several_blocks_are_found() {
    let document = filed(
        "<table><tr><th>Per share</th><th>Note</th><th>2024</th></tr><tr><td>Basic</td><td>7</td><td>$\
         <ix:nonFraction name='g:Basic' contextRef='y' unitRef='perShare'>7.10</ix:nonFraction></td></tr><tr><td>Diluted</td>\
         <td>8</td><td>(<ix:nonFraction name='g:Diluted' contextRef='y' unitRef='perShare' sign='-'>8</ix:nonFraction>)</td></tr>\
         </table><ix:nonNumeric name='g:Policy' contextRef='y' continuedAt='c1'><h2>Policy</h2><p>We cut waste.</p>\
         </ix:nonNumeric><p>Aside.</p><ix:continuation id='c1'><p>And water.</p></ix:continuation>",
    );
    let facts = shown_facts(&document);
    let unit = "iso4217:USD / xbrli:shares";
    let year = "2024-01-01/2024-12-31";
    assert_eq!(facts[..2], [["g:Basic", "7.1", unit, year, "7.10"], ["g:Diluted", "-8", unit, year, "8"]]);
    let at = document.facts[2].span.unwrap();
    assert_eq!(&document.text[at.start - 1..at.end + 1], "(8)", "the value, not the note");
    assert_eq!(facts[2][0], "g:Policy");
    assert_eq!(facts[2][1], "Policy We cut waste. And water.");
    assert_eq!(facts[2][4], "## Policy\n\nWe cut waste.\n\nAside.\n\nAnd water.");
}

#[test]
fn facts_beside_letters_fractions_and_those_without_a_context_are_kept() {
    let number = |name: &str, context: &str, text: &str| {
        format!(
            "<ix:nonFraction name='{name}' contextRef='{context}' unitRef='t' scale='6'>{text}</ix:nonFraction>"
        )
    };
    let document = filed(&format!(
        "<p>Sales rose to £{}m, waste to {}kt; 総額は{}百万円となる。 In all 21,204 and {}.</p><p>A third: <ix:fraction name='g:Part' \
         contextRef='y' unitRef='t'><ix:numerator>1</ix:numerator> of <ix:denominator>3</ix:denominator></ix:fraction></p>",
        number("g:Sales", "y", "1,204"),
        number("g:Waste", "y", "415"),
        number("g:Cost", "y", "6,364"),
        number("g:Other", "elsewhere", "88")
    ));
    let shown: Vec<_> = shown_facts(&document)
        .into_iter()
        .map(|[name, value, _, period, text]| [name, value, period, text])
        .collect();
    let year = "2024-01-01/2024-12-31";
    assert_eq!(
        shown,
        [
            ["g:Sales", "1204000000", year, "1,204"],
            ["g:Waste", "415000000", year, "415"],
            ["g:Cost", "6364000000", year, "6,364"],
            ["g:Other", "88000000", "", "88"],
            ["g:Part", "1/3", year, "1 of 3"],
        ]
    );
    assert_eq!(codes(&document), ["facts_without_context", "facts_hidden"]);
}

#[test]
fn a_filed_report_says_itself_who_filed_it_and_for_when() {
    let tag = |name: &str, text: &str| {
        format!("<ix:nonNumeric name='{name}' contextRef='y'>{text}</ix:nonNumeric>")
    };
    let metadata = |shown: &str| serde_json::Value::Object(filed(&format!("<p>{shown}</p>")).metadata);
    let us = [
        tag("dei:EntityRegistrantName", "Alder Foods Inc."),
        tag("dei:DocumentType", "10-K"),
        tag("dei:DocumentFiscalYearFocus", "2024"),
    ];
    assert_eq!(
        metadata(&us.join(" ")),
        serde_json::json!({"issuer": "Alder Foods Inc.", "document_type": "10-K", "year": "2024"})
    );
    let japan = tag("jpcrp_cor:CompanyNameCoverPage", "株式会社ハンノキ")
        + &tag("jpdei_cor:CurrentPeriodEndDateDEI", "2025-03-31");
    assert_eq!(
        metadata(&japan),
        serde_json::json!({"issuer": "株式会社ハンノキ", "period_end": "2025-03-31", "year": "2025"})
    );
}

#[test]
fn what_a_style_sheet_sets_as_a_block_stands_alone() {
    let page = "<html><head><style>.cards strong { display: block } em { font-style: italic }</style></head><body>\
                <section class=\"cards\"><div><strong>48%</strong>of menus without meat</div>\
                <div><strong>17,905</strong>people employed</div></section>\
                <p>We <strong>count</strong> <em>all</em> of <span style=\"display: block\">them.</span></p></body></html>";
    let text = read("page.html", page.as_bytes()).text;
    assert_eq!(
        text,
        "48%\n\nof menus without meat\n\n17,905\n\npeople employed\n\nWe count all of\n\nthem.\n"
    );
}

/// Lines of cards as tables put them: in each cell, and down each column.
const CARDS: [[&str; 3]; 3] = [
    ["8.41 million", "Guest nights", "2023: 8.02 million"],
    ["31.6 kWh", "Energy per guest night", "2023: 34.9 kWh"],
    ["17 of 64 hotels", "Hotels with heat pumps", "2023: 11 of 63 hotels"],
];

#[test]
fn tables_that_only_put_cards_in_their_places_are_key_figures() {
    let row = |cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr>{cells}</tr>")
    };
    let in_cells: String = CARDS
        .chunks(2)
        .map(|cards| {
            row(cards.iter().map(|card| card.map(|line| format!("<p>{line}</p>")).concat()).collect())
        })
        .collect();
    let in_columns: String =
        (0..3).map(|line| row(CARDS.iter().map(|card| card[line].to_owned()).collect())).collect();
    let captions_first: String =
        [1, 0, 2].map(|line| row(CARDS.iter().map(|card| card[line].to_owned()).collect())).concat();
    for rows in [in_cells, in_columns, captions_first] {
        let document =
            read("page.html", format!("<html><body><table>{rows}</table></body></html>").as_bytes());
        let blocks: Vec<(BlockKind, &str)> =
            document.blocks.iter().map(|block| (block.kind, block.span.of(&document.text))).collect();
        let expected: Vec<(BlockKind, String)> = CARDS
            .iter()
            .flat_map(|[number, caption, before]| {
                [
                    (BlockKind::KeyFigure, format!("{number} {caption}")),
                    (BlockKind::Paragraph, (*before).to_owned()),
                ]
            })
            .collect();
        let expected: Vec<(BlockKind, &str)> =
            expected.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        assert_eq!(blocks, expected, "{rows}");
    }
}

#[test]
fn names_over_numbers_are_those_of_columns() {
    for rows in [
        "<tr><td>Scope 1</td><td>Scope 2</td></tr><tr><td>41 kt</td><td>44 kt</td></tr>",
        "<tr><td>Site</td><td>Power</td></tr><tr><td>Lunde</td><td>41 kt</td></tr><tr><td>Avell</td><td>2023: 5 kt</td></tr>",
    ] {
        let document =
            read("page.html", format!("<html><body><table>{rows}</table></body></html>").as_bytes());
        let kinds: Vec<BlockKind> = document.blocks.iter().map(|block| block.kind).collect();
        assert!(matches!(kinds[..], [BlockKind::Table { .. }]), "{kinds:?} of {rows}");
    }
}
