//! What the library that writes documents has no words for: heads of tables that repeat, what pictures show, who made it.

use std::string::FromUtf8Error;

/// How the first row of a table with a head opens: its rows may not be split.
const HEAD: &str = "</w:tblGrid><w:tr><w:trPr><w:cantSplit />";
const REPEATED: &str = "</w:tblGrid><w:tr><w:trPr><w:cantSplit /><w:tblHeader />";
/// How a picture opens.
const PICTURE: &str = "<wp:docPr id=\"1\" name=\"Figure\" />";

/// `document` with heads that repeat on each page, and with pictures that have a number and a description each:
/// those of `shows`, in their order.
pub(super) fn marked(document: Vec<u8>, shows: &[String]) -> Result<Vec<u8>, FromUtf8Error> {
    let document = String::from_utf8(document)?.replace(HEAD, REPEATED);
    let mut parts = document.split(PICTURE);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        let number = at + 1;
        let shows = escaped(shows.get(at).map(String::as_str).unwrap_or_default());
        out += &format!("<wp:docPr id=\"{number}\" name=\"Picture {number}\" descr=\"{shows}\" />{part}");
    }
    Ok(out.into_bytes())
}

/// What a document says of itself.
pub(super) struct Properties<'a> {
    pub title: &'a str,
    pub author: &'a str,
    /// ISO 8601, UTC.
    pub made_at: &'a str,
}

impl Properties<'_> {
    /// The part of the package that holds them.
    pub fn core(&self) -> String {
        let Self { title, author, made_at } = self;
        let (title, author, made_at) = (escaped(title), escaped(author), escaped(made_at));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
             <cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>{title}</dc:title>\
             <dc:creator>{author}</dc:creator><cp:lastModifiedBy>{author}</cp:lastModifiedBy>\
             <dcterms:created xsi:type=\"dcterms:W3CDTF\">{made_at}</dcterms:created>\
             <dcterms:modified xsi:type=\"dcterms:W3CDTF\">{made_at}</dcterms:modified>\
             <dc:language>en</dc:language></cp:coreProperties>"
        )
    }
}

/// `text` escaped for XML, without what XML cannot contain.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use docx_rs::{Docx, Paragraph, Pic, Run};

    #[test]
    fn each_picture_has_its_own_number_and_tells_what_it_shows() {
        let picture = Pic::new_with_dimensions(vec![1], 10, 10);
        let paragraph = |picture: &Pic| Paragraph::new().add_run(Run::new().add_image(picture.clone()));
        let document = Docx::new().add_paragraph(paragraph(&picture)).add_paragraph(paragraph(&picture));
        let shows = ["Part of p. 3 & p. 4".to_owned(), "Part of p. 5".to_owned()];
        let document = String::from_utf8(marked(document.build().document, &shows).unwrap()).unwrap();
        let opens: Vec<&str> =
            document.split("<wp:docPr ").skip(1).filter_map(|rest| rest.split("/>").next()).collect();
        assert_eq!(
            opens,
            [
                "id=\"1\" name=\"Picture 1\" descr=\"Part of p. 3 &amp; p. 4\" ",
                "id=\"2\" name=\"Picture 2\" descr=\"Part of p. 5\" "
            ]
        );
    }
}
