//! Office files to test with.

use std::io::{Read as _, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An archive of `parts`: name and text. The entry that names the kind of file is stored uncompressed, as
/// OpenDocument and EPUB require.
pub fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let options = if *name == "mimetype" { plain } else { SimpleFileOptions::default() };
        zip.start_file(*name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The namespaces that parts name.
pub const NAMESPACES: &str =
    r#"xmlns:w="w" xmlns:r="r" xmlns:a="a" xmlns:p="p" xmlns:mc="mc" xmlns:wps="wps" xmlns:m="m""#;

/// A locked Office file: an OLE container around it.
pub fn locked() -> Vec<u8> {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600], &name, &[0; 600]].concat()
}

/// The text parts of an archive: name and text.
pub fn parts_of(bytes: &[u8]) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let text = |name: String| {
        let mut text = String::new();
        zip.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
        (name, text)
    };
    names.into_iter().map(text).collect()
}
