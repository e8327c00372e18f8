//! HTML written as XML: elements that are closed as they are opened, which parsers of HTML take for open ones.

use std::borrow::Cow;

/// Elements that HTML itself never closes (HTML Living Standard, 13.1.2).
pub(super) const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
/// Bytes at the start of a page in which its namespace may stand.
const HEAD: usize = 16 << 10;
const NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

/// `page` with an end tag for each element that is closed as it is opened, where it is written as XML.
pub(super) fn closed(page: &str) -> Cow<'_, str> {
    let head = page.get(..page.floor_char_boundary(HEAD)).unwrap_or(page);
    if !(head.trim_start().starts_with("<?xml") || head.contains(NAMESPACE)) {
        return Cow::Borrowed(page);
    }
    let mut out = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"/>") {
        let (before, after) = rest.split_at(at);
        rest = &after[2..];
        out.push_str(before);
        match empty_element(&out).map(str::to_owned) {
            Some(name) => out.extend(["></", &name, ">"]),
            None => out.push_str("/>"),
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(page);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The name of the element whose start tag ends `before`.
fn empty_element(before: &str) -> Option<&str> {
    // The tag begins at the last bracket that stands in no value: values of XML hold none.
    let tag = &before[memchr::memrchr(b'<', before.as_bytes())? + 1..];
    let end =
        tag.find(|c: char| !(c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.'))).unwrap_or(tag.len());
    let name = &tag[..end];
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let whole = tag.matches('"').count().is_multiple_of(2) && tag.matches('\'').count().is_multiple_of(2);
    (begins && whole && !VOID.contains(&name.to_ascii_lowercase().as_str())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_written_as_xml_are_changed() {
        let page = "<html xmlns='http://www.w3.org/1999/xhtml'><a id=\"x/>\"/><br/><ix:nonFraction name='a/b' />1 /></html>";
        assert_eq!(
            closed(page),
            "<html xmlns='http://www.w3.org/1999/xhtml'><a id=\"x/>\"></a><br/><ix:nonFraction name='a/b' ></ix:nonFraction>1 \
             /></html>"
        );
        assert_eq!(closed("<html><p/></html>"), "<html><p/></html>");
        assert_eq!(closed("<?xml version='1.0'?><p>no end"), "<?xml version='1.0'?><p>no end");
    }
}
