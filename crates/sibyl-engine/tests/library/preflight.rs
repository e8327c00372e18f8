//! What ingesting would involve, reported before it is done.

use sibyl_engine::ingest::{IngestRequest, Source};
use sibyl_engine::reader::ReaderProgram;
use sibyl_engine::store::table::workspace::DEFAULT_WORKSPACE;
use sibyl_engine::{Library, OpenOptions};

#[tokio::test]
async fn a_file_that_is_left_out_lends_its_bytes_to_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let options = OpenOptions { reader: ReaderProgram::InProcess, ..OpenOptions::new(folder.path()) };
    let library = Library::open(options).await.unwrap();
    let lock = Source::upload("~$quays.docx", vec![0; 162]);
    let notes = b"# Quays\n\nThe harbour has 14 quays.\n".to_vec();
    let bytes = notes.len() as u64;
    let sources = vec![lock, Source::upload("quays.md", notes)];
    let request = IngestRequest { sources, ..IngestRequest::default() };
    let told = library.ingest().preflight(DEFAULT_WORKSPACE, request).await.unwrap();
    let files: Vec<_> =
        told.files.iter().map(|file| (file.path.as_str(), file.bytes, file.failure.as_deref())).collect();
    assert_eq!(files, [("quays.md", bytes, None)]);
    assert_eq!(told.skipped.len(), 1, "{:?}", told.skipped);
}
