//! What a file shows is read, and nothing else: withdrawn text, ticked boxes, charts, diagrams, comments, letters
//! of any encoding, and lines placed by coordinates.

use crate::docx::{made, p};
use crate::office::{NAMESPACES, archive, parts_of};
use crate::{codes, read};

fn page(head: &str, body: &str) -> sibyl_text::Document {
    read("a.html", format!("<html><head>{head}</head><body>{body}</body></html>").as_bytes())
}

#[test]
fn a_page_shows_what_its_style_sheet_lets_it_whatever_the_selector() {
    let style = "<style>span.draft{display:none} .screen .old{display:none} p.on{display:block} .off{display:none} p.off.on{display:block}\
                 .pale{color:#FFF} .dark{background:#003} .gone{text-decoration:line-through}</style>";
    let document = page(
        style,
        "<div class='screen'><p>We used <span class='draft'>999 kt</span><span>415 kt</span>.</p><p class='old'>Before.</p>\
         <p class='off on'>Now.</p><p>The aim is <del>30 %</del> <ins>42 %</ins>, <span class='gone'>50</span> by 2030.</p>\
         <p class='pale'>White on white.</p><div class='dark'><p class='pale'>White on blue.</p></div></div>",
    );
    assert_eq!(document.text, "We used 415 kt.\n\nNow.\n\nThe aim is 42 %, by 2030.\n\nWhite on blue.\n");
    assert_eq!(codes(&document), ["hidden_text", "withdrawn_text"]);
    assert!(document.notices[1].message.contains("(3)"), "{}", document.notices[1].message);
}

/// A page whose paragraphs are each set in one way, by a class or by themselves; what is read of it.
fn set_in(ways: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, (head, way)) in ways.iter().enumerate() {
        let by_class = page(
            &format!("<style>{head} .way{{{way}}}</style>"),
            &format!("<p>First.</p><p class='way'>Text {at}.</p>"),
        );
        let by_itself =
            page(&format!("<style>{head}</style>"), &format!("<p>First.</p><p style='{way}'>Text {at}.</p>"));
        assert_eq!(by_class.text, by_itself.text, "{way}");
        assert_eq!(codes(&by_class), codes(&by_itself), "{way}");
        found.push(by_class.text.trim().trim_start_matches("First.").trim().to_owned());
        assert_eq!(codes(&by_class).is_empty(), !found[at].is_empty(), "what is left out is told: {way}");
    }
    found
}

#[test]
fn text_that_no_reader_of_the_page_sees_is_left_out_by_whatever_means() {
    let hidden = [
        ("", "display:none"),
        ("", "visibility:hidden"),
        ("", "opacity:0"),
        ("", "position:absolute;left:-9999px"),
        ("", "position:absolute;top:-100em"),
        ("", "margin-left:-9999px"),
        ("", "font-size:0"),
        ("", "font:0/0 a"),
        ("", "text-indent:-9999px"),
        ("", "height:0;overflow:hidden"),
        ("", "position:absolute;clip:rect(0 0 0 0)"),
        ("", "position:absolute;clip:rect(1px, 1px, 1px, 1px)"),
        ("", "clip-path:inset(50%)"),
        ("", "width:1px;height:1px;overflow:hidden"),
        ("", "color:#fff"),
        ("", "color:White"),
        ("", "color:rgba(0, 0, 0, 0)"),
        ("", "color:#fff;background-color:#fff"),
        ("", "color:#123456;background:#123456"),
        ("body{background:#fff}", "color:#fefefe"),
        ("body{background:#003}", "color:#003"),
        ("", "text-decoration:line-through"),
        ("p{display:block}", "display:none !important"),
    ];
    assert_eq!(set_in(&hidden), vec![String::new(); hidden.len()]);
}

#[test]
fn text_that_is_seen_is_read_however_it_is_set() {
    let seen = [
        ("", "opacity:0;transition:opacity 1s"),
        ("", "position:relative;left:-9999px;left:0"),
        ("", "position:absolute;left:-20px"),
        ("", "font-size:12px"),
        ("", "height:0;overflow:visible"),
        ("", "height:0;padding-top:40px;overflow:hidden"),
        ("", "position:absolute;clip:rect(0px, 200px, 40px, 0px)"),
        ("", "color:#fff;background:#123"),
        ("", "color:#fff;background:url(sky.png)"),
        ("", "color:#fff;text-shadow:0 0 2px #000"),
        ("", "color:#fff;position:absolute"),
        ("body{background:#003}", "color:white"),
        ("p{background:#036}", "color:white"),
        ("p::before{background:#036}", "color:white"),
        ("@media (min-width:900px){p{background:#036}}", "color:white"),
        ("body{color:#fff;background:#000}", "margin:0"),
        ("", "display:none;display:block"),
        ("", "text-decoration:underline"),
    ];
    let expected: Vec<String> = (0..seen.len()).map(|at| format!("Text {at}.")).collect();
    assert_eq!(set_in(&seen), expected);
    let form = "<p style='color:white'>Lost <input type='checkbox' checked></p>";
    assert_eq!(page("", form).text, "☒\n", "a box has its own colour");
    // What is hidden from screen readers alone is on the page, and so is what a hidden element shows again.
    let document = page(
        "<style>.off{visibility:hidden} .small{font-size:0} .small em{font-size:12pt}</style>",
        "<p aria-hidden='true'>We used 131 tonnes.</p><p><span aria-hidden='true'>→ See page 12.</span> It goes on.</p>\
         <p class='off'>Lost <span style='visibility:visible'>181 tonnes</span> lost.</p><p class='small'>Lost <em>190 tonnes</em></p>\
         <p hidden style='display:block'>Shown again.</p><p><i class='material-icons' aria-hidden='true'>arrow_forward</i> More.</p>",
    );
    let lines: Vec<&str> = document.text.lines().filter(|line| !line.is_empty()).collect();
    let expected = [
        "We used 131 tonnes.",
        "→ See page 12. It goes on.",
        "181 tonnes",
        "190 tonnes",
        "Shown again.",
        "More.",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_cell_whose_text_is_not_seen_keeps_its_place_and_one_that_is_not_there_does_not() {
    let table = |head: &str, cell: &str| {
        let rows = "<tr><th>Site</th><th>2024</th><th CELL>2022</th><th>2023</th></tr><tr><td>Moss</td><td>10</td><td CELL>8</td>\
                    <td>9</td></tr><tr><td>Horten</td><td>7</td><td>6</td><td>5</td></tr>";
        page(head, &format!("<table>{}</table>", rows.replace("CELL", cell))).text
    };
    let gone = table("", "style='visibility:hidden'");
    assert!(gone.contains("| Moss | 10 | | 9 |") && gone.contains("| Horten | 7 | 6 | 5 |"), "{gone}");
    let white = table("<style>.pale{color:white}</style>", "class='pale'");
    assert_eq!(white, gone);
    let all = "<style>.old{display:none}</style><p>A</p><table><tr><th>Site</th><th>2024</th><th class='old'>2022</th></tr>\
               <tr><td>Moss</td><td>10</td><td class='old'>8</td></tr><tr class='old'><td>Ski</td><td>1</td><td>1</td></tr></table>";
    assert_eq!(page("", all).text, "A\n\n| Site | 2024 |\n| --- | --- |\n| Moss | 10 |\n");
}

#[test]
fn withdrawn_text_of_office_files_is_left_out_and_told() {
    let run = |set: &str, text: &str| {
        format!("<w:r><w:rPr>{set}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let body = format!(
        "<w:p>{}{}{}{}</w:p>",
        run("", "We cut by "),
        run("<w:strike/>", "30 %"),
        run("<w:color w:val=\"FFFFFF\"/>", "draft"),
        run("<w:strike w:val=\"0\"/>", "42 %.")
    );
    let document = read("a.docx", &made(&body));
    assert_eq!(document.text, "We cut by 42 %.\n");
    assert_eq!(codes(&document), ["withdrawn_text"]);
    let words = "<a:p><a:r><a:t>By </a:t></a:r><a:r><a:rPr strike=\"sngStrike\"/><a:t>30 %</a:t></a:r><a:r><a:t>42 %</a:t></a:r></a:p>";
    let shape = format!("<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody>{words}</p:txBody></p:sp>");
    let document = read("a.pptx", &crate::pptx::made(&[(&shape, true, "")]));
    assert_eq!((document.text.as_str(), codes(&document)), ("By 42 %\n", vec!["withdrawn_text"]));
}

#[test]
fn boxes_that_are_ticked_are_text() {
    let sign = |code: &str| format!("<w:r><w:sym w:font=\"Wingdings\" w:char=\"{code}\"/></w:r>");
    let field = |on: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData><w:checkBox><w:default w:val=\"0\"/>{on}</w:checkBox></w:ffData></w:fldChar></w:r>"
        )
    };
    let said = |text: &str| format!("<w:r><w:t xml:space=\"preserve\"> {text} </w:t></w:r>");
    let body = format!(
        "<w:p>{}{}{}{}</w:p><w:p>{}{}{}{}</w:p>",
        sign("F0FE"),
        said("yes"),
        sign("F0A8"),
        said("no"),
        field(""),
        said("yes"),
        field("<w:checked/>"),
        said("no")
    );
    assert_eq!(read("a.docx", &made(&body)).text, "☒ yes ☐ no\n\n☐ yes ☒ no\n");
    let form =
        "<p><input type='checkbox' checked>yes <input type='checkbox'>no <input type='text' value='x'></p>";
    assert_eq!(page("", form).text, "☒ yes ☐ no\n");
}

#[test]
fn signs_typed_in_a_font_of_signs_are_what_it_shows() {
    let typed = |font: &str, letters: &str| {
        format!(
            "<w:r><w:rPr><w:rFonts w:ascii='{font}' w:hAnsi='{font}'/></w:rPr><w:t xml:space='preserve'>{letters}</w:t></w:r>"
        )
    };
    let said = |text: &str| format!("<w:r><w:t xml:space='preserve'> {text}</w:t></w:r>");
    let line =
        |font: &str, letters: &str, text: &str| format!("<w:p>{}{}</w:p>", typed(font, letters), said(text));
    let body = [
        line("Wingdings", "\u{f0fe}", "by its place"),
        line("Wingdings", "þ", "by its letter"),
        line("Wingdings 2", "£", "not ticked"),
        line("Symbol", "m", "is small"),
        line("Arial", "þ", "is a letter"),
    ];
    let text = read("a.docx", &made(&body.concat())).text;
    assert_eq!(text, "☒ by its place\n\n☒ by its letter\n\n☐ not ticked\n\nμ is small\n\nþ is a letter\n");
}

#[test]
fn what_is_chosen_in_a_form_is_text_and_what_asks_to_be_filled_in_is_not() {
    let list = |result: &str| {
        format!(
            "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList>{result}<w:listEntry w:val='Low'/><w:listEntry \
             w:val='High'/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
        )
    };
    let control = |set: &str, text: &str| {
        format!(
            "<w:sdt><w:sdtPr>{set}<w:text/></w:sdtPr><w:sdtContent><w:r><w:t>{text}</w:t></w:r></w:sdtContent></w:sdt>"
        )
    };
    let said = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text} </w:t></w:r>");
    let body = format!(
        "<w:p>{}{}</w:p><w:p>{}{}</w:p><w:p>{}{}</w:p><w:p>{}{}</w:p>",
        said("Risk:"),
        list("<w:result w:val='1'/>"),
        said("Cost:"),
        list(""),
        said("Owner:"),
        control("<w:showingPlcHdr/>", "Click or tap here to enter text."),
        said("Site:"),
        control("", "Moss")
    );
    assert_eq!(read("a.docx", &made(&body)).text, "Risk: High\n\nCost: Low\n\nOwner:\n\nSite: Moss\n");
}

#[test]
fn numbers_of_lists_are_written_as_the_document_says() {
    let numbering = |format: &str| {
        format!(
            "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"9\"/><w:numFmt w:val=\"{format}\"/><w:lvlText \
             w:val=\"%1)\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
        )
    };
    let items: String = (0..5).map(|at| p(&crate::docx::item(1, 0), &format!("item {at}"))).collect();
    let numbers = |format: &str| {
        let text = read("a.docx", &crate::docx::made_with(&numbering(format), &items)).text;
        let first = |line: &str| line.trim_start_matches(['-', ' ']).split(')').next().unwrap().to_owned();
        text.lines().map(first).collect::<Vec<_>>()
    };
    assert_eq!(numbers("decimalZero"), ["09", "10", "11", "12", "13"]);
    assert_eq!(numbers("ordinal"), ["9th", "10th", "11th", "12th", "13th"]);
    assert_eq!(numbers("decimal"), ["9", "10", "11", "12", "13"]);
}

#[test]
fn a_level_of_a_list_that_is_skipped_counts() {
    let numbering = "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1\"/></w:lvl>\
                     <w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.%2\"/></w:lvl><w:lvl w:ilvl=\"2\"><w:numFmt \
                     w:val=\"decimal\"/><w:lvlText w:val=\"%1.%2.%3\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let item = |level: u32, text: &str| p(&crate::docx::item(1, level), text);
    let body = [
        item(0, "Aim"),
        item(0, "Scope"),
        item(2, "Terms"),
        item(1, "Mills"),
        item(1, "Audits"),
        item(0, "End"),
    ]
    .concat();
    let text = read("a.docx", &crate::docx::made_with(numbering, &body)).text;
    let numbers: Vec<&str> = text.lines().map(|line| line.trim_start_matches([' ', '-'])).collect();
    assert_eq!(numbers, ["1 Aim", "2 Scope", "2.1.1 Terms", "2.2 Mills", "2.3 Audits", "3 End"]);
}

/// A presentation or document with the part `drawing` and a reference to it.
pub fn with_part(bytes: &[u8], name: &str, drawing: &str, links: &str, link: &str) -> Vec<u8> {
    let mut parts = parts_of(bytes);
    parts.push((name.to_owned(), drawing.to_owned()));
    parts.retain(|(name, _)| name != links);
    parts.push((links.to_owned(), format!("<Relationships>{link}</Relationships>")));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    archive(&parts)
}

#[test]
fn the_figures_of_a_chart_are_a_table_and_the_words_of_a_diagram_a_list() {
    let series = |name: &str, values: [&str; 2]| {
        let point = |(at, value): (usize, &str)| format!("<c:pt idx=\"{at}\"><c:v>{value}</c:v></c:pt>");
        let points = |values: [&str; 2]| values.into_iter().enumerate().map(point).collect::<String>();
        format!(
            "<c:ser><c:tx><c:strRef><c:strCache>{}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>{}</c:strCache></c:strRef></c:cat>\
             <c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode>{}</c:numCache></c:numRef></c:val></c:ser>",
            point((0, name)),
            points(["2023", "2024"]),
            points(values)
        )
    };
    let chart = format!(
        "<c:chartSpace xmlns:c='c' xmlns:a='a'><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Share of wind</a:t></a:r></a:p></c:rich></c:tx>\
         </c:title><c:plotArea><c:barChart>{}{}</c:barChart></c:plotArea></c:chart></c:chartSpace>",
        series("Oslo", ["0.25", "0.5"]),
        series("Kiel", ["0.1", "0.2"])
    );
    let frame = "<p:graphicFrame><a:graphic><a:graphicData uri='x/chart'><c:chart xmlns:c='c' r:id='c1'/></a:graphicData></a:graphic></p:graphicFrame>";
    let link = "<Relationship Id='c1' Type='t/chart' Target='../charts/chart1.xml'/>";
    let slide = crate::pptx::made(&[(frame, true, "")]);
    let document = read(
        "a.pptx",
        &with_part(&slide, "ppt/charts/chart1.xml", &chart, "ppt/slides/_rels/slide1.xml.rels", link),
    );
    assert_eq!(
        document.text,
        "Share of wind\n\n| | Oslo | Kiel |\n| --- | --- | --- |\n| 2023 | 25% | 10% |\n| 2024 | 50% | 20% |\n"
    );
    assert_eq!(codes(&document), [""; 0]);
    let point = |id: u32, text: &str| {
        format!("<d:pt modelId='{id}'><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>")
    };
    let diagram = format!(
        "<d:dataModel xmlns:d='d' xmlns:a='a'><d:ptLst><d:pt modelId='0' type='doc'/>{}{}{}</d:ptLst><d:cxnLst><d:cxn srcId='0' destId='1' \
         srcOrd='0'/><d:cxn srcId='1' destId='3' srcOrd='1'/><d:cxn srcId='1' destId='2' srcOrd='0'/></d:cxnLst></d:dataModel>",
        point(1, "Board"),
        point(2, "Audit"),
        point(3, "Climate")
    );
    let body = "<w:p><w:r><w:t>Lines:</w:t></w:r></w:p><w:p><w:r><w:drawing><a:graphic><a:graphicData uri='x/diagram'><d:relIds xmlns:d='d' \
                r:dm='d1'/></a:graphicData></a:graphic></w:drawing></w:r></w:p>";
    let link = "<Relationship Id='d1' Type='t/diagramData' Target='diagrams/data1.xml'/>";
    let document = read(
        "a.docx",
        &with_part(&made(body), "word/diagrams/data1.xml", &diagram, "word/_rels/document.xml.rels", link),
    );
    assert_eq!(document.text, "Lines:\n\n- Board\n  - Audit\n  - Climate\n");
    assert_eq!(codes(&document), [""; 0]);
}

#[test]
fn comments_are_told() {
    let comments =
        format!("<w:comments {NAMESPACES}><w:comment w:id='0'/><w:comment w:id='1'/></w:comments>");
    let mut parts = parts_of(&made(&p("", "Kept.")));
    parts.push(("word/comments.xml".to_owned(), comments));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let document = read("a.docx", &archive(&parts));
    assert_eq!((document.text.as_str(), codes(&document)), ("Kept.\n", vec!["comments_left_out"]));
    assert!(document.notices[0].message.starts_with("2 comments were"), "{}", document.notices[0].message);
}

#[test]
fn comments_are_kept_beside_the_text_with_who_wrote_them_and_what_they_are_about() {
    let comments = format!(
        "<w:comments {NAMESPACES}><w:comment w:id='4' w:author='A. Berg' w:date='2024-05-02T10:00:00Z'><w:p><w:r><w:t>Is it \
         audited?</w:t></w:r></w:p><w:p><w:r><w:t>Ask the works.</w:t></w:r></w:p></w:comment></w:comments>"
    );
    let body = "<w:p><w:r><w:t xml:space='preserve'>Water fell to </w:t></w:r><w:commentRangeStart w:id='4'/><w:r><w:t>310 m³</w:t></w:r>\
                <w:commentRangeEnd w:id='4'/><w:r><w:commentReference w:id='4'/></w:r><w:r><w:t xml:space='preserve'> in 2024.</w:t></w:r></w:p>";
    let mut parts = parts_of(&made(body));
    parts.push(("word/comments.xml".to_owned(), comments));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let document = read("a.docx", &archive(&parts));
    assert_eq!(document.text, "Water fell to 310 m³ in 2024.\n");
    let kept = &document.metadata["comments"][0];
    assert_eq!((kept["author"].as_str(), kept["about"].as_str()), (Some("A. Berg"), Some("310 m³")));
    assert_eq!(
        (kept["text"].as_str(), kept["date"].as_str()),
        (Some("Is it audited?\nAsk the works."), Some("2024-05-02T10:00:00Z"))
    );
    assert_eq!(codes(&document), ["comments_left_out"]);
}

#[test]
fn letters_of_old_encodings_are_read_as_they_were_meant() {
    for (encoding, text) in [
        ("shift_jis", "拠点,排出量（トン）,年度\n札幌工場,1234,2024\n千葉工場,987,2023\n"),
        ("euc-jp", "拠点,排出量（トン）,年度\n札幌工場,1234,2024\n千葉工場,987,2023\n"),
        ("gb18030", "工厂,排放量（吨）,年份\n上海工厂,1234,2024\n北京工厂,987,2023\n"),
        ("big5", "工廠,排放量（噸）,年份\n臺北工廠,1234,2024\n高雄工廠,987,2023\n"),
        ("euc-kr", "공장,배출량(톤),연도\n서울공장,1234,2024\n부산공장,987,2023\n"),
        ("windows-1251", "Завод;Выбросы, т;Год\nОмск;1234,5;2024\nКазань;987,0;2023\n"),
        ("koi8-r", "Завод;Выбросы, т;Год\nОмск;1234,5;2024\nКазань;987,0;2023\n"),
        (
            "windows-1250",
            "Zakład;Emisje gazów (t);Rok\nŁódź;1234,5;2024\nŻywiec;987,0;2023\nCzęstochowa;5;2022\n",
        ),
        ("windows-1252", "Site;Émissions (t);Année\nGöteborg;1234,5;2024\nMålmö;987,0;2023\n"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap();
        let document = read("a.csv", &encoding.encode(text).0);
        for cell in text.lines().flat_map(|line| line.split(if text.contains(';') { ';' } else { ',' })) {
            assert!(document.text.contains(cell.trim()), "{}: {cell}: {}", encoding.name(), document.text);
        }
        assert_eq!(codes(&document), ["encoding_guessed"], "{}", encoding.name());
    }
}

#[test]
fn japanese_text_that_switches_by_escape_sequences_is_read() {
    let japanese = "\u{1b}$B5rE@\u{1b}(B,\u{1b}$BG/EY\u{1b}(B\n\u{1b}$B;%KZ\u{1b}(B,2024\n";
    let document = read("a.csv", japanese.as_bytes());
    assert_eq!(document.text, "# a\n\n| 拠点 | 年度 |\n| --- | --- |\n| 札幌 | 2024 |\n");
    assert_eq!(codes(&document), ["encoding_guessed"]);
    let page =
        "<html><head><meta charset='iso-2022-jp'></head><body><p>\u{1b}$B;%KZ\u{1b}(B 2024</p></body></html>";
    assert_eq!(read("a.html", page.as_bytes()).text, "札幌 2024\n");
    let plain = "costs \u{1b}[1m$B\u{1b}[0m\n";
    assert!(codes(&read("a.txt", plain.as_bytes())).is_empty(), "other escape sequences switch nothing");
}

#[test]
fn lines_of_han_and_kana_join_without_a_blank() {
    let document = page(
        "",
        "<h1>相関\n組織架構</h1><p>減碳\n  目標と\n計画 for\n2030</p><table><tr><td>氣候\n風險</td><td>高</td></tr><tr><td>淨零</td><td>5</td></tr></table>",
    );
    for words in ["相関組織架構", "減碳目標と計画 for 2030", "氣候風險"] {
        assert!(document.text.contains(words), "{words}: {}", document.text);
    }
}

#[test]
fn lines_that_are_placed_by_coordinates_are_rows() {
    let placed = |left: u32, top: u32, text: &str| {
        format!("<div style='position:absolute;left:{left}px;top:{top}px'>{text}</div>")
    };
    let pieces = [
        placed(60, 40, "Consolidated statement"),
        placed(60, 60, "EUR million"),
        placed(300, 60, "2024"),
        placed(400, 60, "2023"),
        placed(60, 80, "Revenue"),
        placed(300, 80, "1,204.5"),
        placed(400, 80, "1,118.0"),
        placed(60, 100, "Costs:"),
        placed(60, 120, "Sales"),
        placed(310, 120, "(803.1)"),
        placed(410, 120, "(77.4)"),
        placed(60, 160, "Notes stand on the next page."),
    ];
    let inline = page("", &format!("<div style='position:relative'>{}</div>", pieces.concat()));
    let expected = "Consolidated statement\n\n| EUR million | 2024 | 2023 |\n| --- | --- | --- |\n| Revenue | 1,204.5 | 1,118.0 |\n| Costs: | | |\n\
                    | Sales | (803.1) | (77.4) |\n\nNotes stand on the next page.\n";
    assert_eq!(inline.text, expected);
    // The same by classes, from the bottom up, in another order.
    let mut by_class: Vec<String> = pieces.to_vec();
    by_class.reverse();
    let mut style = String::from(".t{position:absolute}");
    for (at, piece) in by_class.iter_mut().enumerate() {
        let number = |name: &str| {
            piece
                .split(&format!("{name}:"))
                .nth(1)
                .unwrap()
                .split("px")
                .next()
                .unwrap()
                .parse::<u32>()
                .unwrap()
        };
        style += &format!(".x{at}{{left:{}px}}.y{at}{{bottom:{}px}}", number("left"), 800 - number("top"));
        let text = piece.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned();
        *piece = format!("<div class='t x{at} y{at}'>{text}</div>");
    }
    assert_eq!(
        page(&format!("<style>{style}</style>"), &format!("<div>{}</div>", by_class.concat())).text,
        expected
    );
}
