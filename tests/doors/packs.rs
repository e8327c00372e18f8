//! Evidence packs as others get them: as a PDF, signed, and as data that fits its published schema.

use crate::{text, write};
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::io::Read as _;
use std::path::PathBuf;

const QUILLMOOR: &str = "---\nissuer: Quillmoor Mills\nyear: 2024\n---\n# Quillmoor Mills climate report 2024\n\n\
    ## Carbon price\n\nWe use an internal carbon price of 55 euros per tonne of greenhouse gas emissions when we decide on \
    investments.\n";
const PRICE: &str = "S2.29(f)(ii)";

/// A library with an assessment of one report in which one requirement is decided, and its id.
fn decided(environment: &[(&str, &str)]) -> (Sibyl, tempfile::TempDir, String) {
    let sibyl = environment.iter().fold(Sibyl::with_words(), |sibyl, (key, value)| sibyl.env(key, value));
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "quillmoor-2024.md", QUILLMOOR);
    let path = folder.path().join("quillmoor-2024.md");
    sibyl.json(&["ingest", text(&path), "--source-type", "report", "--report-id", "quillmoor", "--no-embed"]);
    let words =
        ["assess", "new", "FY2024 review", "--report", "quillmoor", "--standard", "ifrs_s2", "--mandatory"];
    let id = sibyl.json(&[&words[..], &["--leave-out", "S2.7=says how to write"]].concat())["id"].to_string();
    sibyl.json(&["assess", "run", &id]);
    let words = ["--report", "quillmoor", "--status", "met", "--reviewer", "Ada", "--pin"];
    let note = ["--note", "The price is stated. 内部碳价 Größe."];
    sibyl.json(&[&["assess", "decide", &id, PRICE][..], &words, &note].concat());
    (sibyl, folder, id)
}

fn export(sibyl: &Sibyl, folder: &tempfile::TempDir, id: &str, format: &str, words: &[&str]) -> PathBuf {
    let out = folder.path().join(format!("pack.{format}"));
    sibyl.json(&[&["assess", "export", id, "--format", format, "--out", text(&out)][..], words].concat());
    out
}

#[test]
fn a_pack_in_pdf_can_be_read_and_searched() {
    let (sibyl, folder, id) = decided(&[]);
    let out = export(&sibyl, &folder, &id, "pdf", &[]);
    let pack: Value =
        serde_json::from_slice(&std::fs::read(export(&sibyl, &folder, &id, "json", &[])).unwrap()).unwrap();
    let requirements = pack["requirements"].as_array().unwrap();
    let asked = requirements.iter().find(|one| one["id"] == PRICE).unwrap()["explanation"].as_str().unwrap();
    let reader = Sibyl::with_words();
    reader.json(&["ingest", text(&out), "--source-type", "report", "--report-id", "pack", "--no-embed"]);
    let documents = reader.json(&["documents"]);
    let document = documents.as_array().unwrap().iter().find(|one| one["report_id"] == "pack").unwrap();
    assert!(document["pages"].as_u64().unwrap() > 5, "{document}");
    let read =
        Opened::at(reader.folder()).call("default", "document.get", json!({ "id": document["id"] })).unwrap();
    let words = read["text"].as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "FY2024 review",
        "Quillmoor Mills 2024",
        "S2.7 (says how to write)",
        "Summary",
        PRICE,
        "The price is stated. [4 characters in Chinese script: see the HTML pack] Größe.",
        "internal carbon price of 55 euros per tonne",
        "Proposal: ",
        "Appendix: method",
        "sibyl assess verify PACK.json",
    ] {
        assert!(words.contains(said), "{said} is not in {words}");
    }
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    assert!(asked.len() > 40 && letters(&words).contains(&letters(asked)), "{asked} is not in {words}");
    let bytes = std::fs::read(out).unwrap();
    let has = |wanted: &[u8]| bytes.windows(wanted.len()).any(|part| part == wanted);
    assert!(has(b"/Outlines") && has(b"/StructTreeRoot") && has(b"/Lang"));
}

#[test]
fn a_signed_pack_says_by_which_key_and_when_it_was_changed() {
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let secret = pair.sk.to_box(None).unwrap().into_string();
    let (secret, public) = (secret.lines().nth(1).unwrap(), pair.pk.to_base64());
    let (sibyl, folder, id) = decided(&[("SIBYL_SIGNING_KEY", secret)]);
    let shown = sibyl.json(&["assess", "key", "show"]);
    assert_eq!((&shown["public_key"], &shown["source"]), (&json!(public), &json!("environment")));
    let check = |sibyl: &Sibyl, path: &PathBuf, words: &[&str]| {
        sibyl.run(&[&["assess", "verify", text(path)][..], words].concat())
    };
    let plain = export(&sibyl, &folder, &id, "html", &[]);
    let unsigned = check(&sibyl, &export(&sibyl, &folder, &id, "json", &[]), &[]);
    assert!(unsigned.code == 0 && unsigned.out.starts_with("Not signed."), "{}", unsigned.out);
    let wanted = check(&sibyl, &plain, &["--key", &public]);
    assert!(wanted.code != 0 && wanted.err.contains("not signed"), "{}", wanted.err);

    let pack = export(&sibyl, &folder, &id, "json", &["--sign"]);
    let own = check(&sibyl, &pack, &[]);
    assert!(own.code == 0 && own.out.contains(&format!("Signed with your own key {public}")), "{}", own.out);
    assert!(own.out.contains("quotations and decisions agree"), "{}", own.out);
    // Somebody else, without the key and without a keychain.
    let other = Sibyl::with_words();
    let stated = check(&other, &pack, &[]);
    assert!(stated.out.contains("as the signature states"), "{} {}", stated.out, stated.err);
    let given = check(&other, &pack, &["--key", &public]);
    assert!(given.out.contains(&format!("Signed with the key {public}.")), "{}", given.out);
    let another = minisign::KeyPair::generate_unencrypted_keypair().unwrap().pk.to_base64();
    let wrong = check(&sibyl, &pack, &["--key", &another]);
    assert!(wrong.code != 0 && wrong.out.contains("Signed with another key"), "{}", wrong.out);
    // The program of minisign reads it, too.
    let beside = std::fs::read_to_string(folder.path().join("pack.json.minisig")).unwrap();
    let signature = minisign::SignatureBox::from_string(&beside).unwrap();
    let file = std::io::Cursor::new(std::fs::read(&pack).unwrap());
    minisign::verify(&pair.pk, &signature, file, true, false, false).unwrap();

    let server = Server::start(&sibyl, &["--allow", "write"]);
    let content = {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(std::fs::read(&pack).unwrap())
    };
    let answer =
        server.post("/api/v1/assessments/signature", &json!({ "content": content, "signature": beside }));
    assert_eq!(
        (answer.json()["state"].as_str(), answer.json()["origin"].as_str()),
        (Some("matches"), Some("own"))
    );
    drop(server);

    let changed =
        std::fs::read_to_string(&pack).unwrap().replace("The price is stated", "The price is hidden");
    std::fs::write(&pack, changed).unwrap();
    let changed = check(&sibyl, &pack, &[]);
    assert!(changed.code != 0 && changed.out.contains("was changed after it was signed"), "{}", changed.out);
    let pdf = export(&sibyl, &folder, &id, "pdf", &["--sign"]);
    let signed = check(&sibyl, &pdf, &[]);
    assert!(
        signed.code == 0 && signed.out.contains("Only the signature was checked"),
        "{} {}",
        signed.out,
        signed.err
    );
    // The secret is in no file that was written.
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
    }
}

#[test]
fn without_a_key_or_a_keychain_the_cure_is_told() {
    let (sibyl, folder, id) = decided(&[]);
    let out = folder.path().join("signed.html");
    let refused = sibyl.run(&["assess", "export", &id, "--format", "html", "--sign", "--out", text(&out)]);
    assert!(refused.code != 0 && refused.err.contains("start or unlock it"), "{}", refused.err);
    assert!(!out.exists(), "a pack is written with its signature or not at all");
    let refused = sibyl.run(&["assess", "key", "new"]);
    assert!(refused.code != 0 && refused.err.contains("keychain cannot be used"), "{}", refused.err);
    let (sibyl, _folder, _id) = decided(&[("SIBYL_SIGNING_KEY", "no-key-at-all")]);
    let refused = sibyl.run(&["assess", "key", "show"]);
    assert!(refused.code != 0 && refused.err.contains("SIBYL_SIGNING_KEY"), "{}", refused.err);
    assert!(!refused.err.contains("no-key-at-all"), "{}", refused.err);
}

#[test]
fn a_pack_holds_only_what_is_asked_for_and_counts_everything() {
    let (sibyl, folder, id) = decided(&[]);
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let whole = read(&std::fs::read(export(&sibyl, &folder, &id, "json", &[])).unwrap());
    let path = export(&sibyl, &folder, &id, "json", &["--only", "decided"]);
    let decided = read(&std::fs::read(&path).unwrap());
    let server = Server::start(&sibyl, &["--allow", "read"]);
    let open = server.get(&format!("/api/v1/assessments/{id}/export?format=json&only=open"));
    let open = {
        use base64::Engine as _;
        read(&base64::engine::general_purpose::STANDARD.decode(open["content"].as_str().unwrap()).unwrap())
    };
    drop(server);
    let ids = |pack: &Value| -> Vec<String> {
        let all = pack["requirements"].as_array().unwrap().iter();
        all.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&decided), [PRICE]);
    assert!(!ids(&open).contains(&PRICE.to_owned()));
    assert_eq!(ids(&open).len() + 1, ids(&whole).len());
    let schema = std::fs::read(sibyl_tests::root().join("docs/assessment-pack.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&read(&schema)).unwrap();
    for (pack, only) in [(&whole, "all"), (&decided, "decided"), (&open, "open")] {
        assert_eq!(pack["contents"]["only"], only);
        assert_eq!((&pack["counts"], validator.is_valid(pack)), (&whole["counts"], true), "{only}");
        let counts = pack["counts"].as_array().unwrap().iter().map(|count| {
            let of = |status: &str| count[status].as_u64().unwrap();
            of("met") + of("partly") + of("gap") + of("not_applicable") + of("open")
        });
        assert_eq!(pack["contents"]["cells"], json!(counts.sum::<u64>()), "{only}");
    }
    let verified = sibyl.run(&["assess", "verify", text(&path)]);
    assert_eq!(verified.code, 0, "{}", verified.out);
}

#[test]
fn a_pack_in_json_fits_the_schema_that_it_names() {
    let (sibyl, folder, id) = decided(&[]);
    sibyl.json(&[
        "assess",
        "decide",
        &id,
        PRICE,
        "--report",
        "quillmoor",
        "--status",
        "gap",
        "--reviewer",
        "Bo",
    ]);
    let read =
        |path: &PathBuf| serde_json::from_str::<Value>(&std::fs::read_to_string(path).unwrap()).unwrap();
    let schema = read(&sibyl_tests::root().join("docs/assessment-pack.schema.json"));
    let pack = read(&export(&sibyl, &folder, &id, "json", &[]));
    assert_eq!(pack["$schema"], schema["$id"]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(&pack).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:?}");
    // A missing or additional field is reported.
    for path in ["/requirements/0", "/reports/0/files/0", "/requirements/0/cells/0"] {
        let fields = pack.pointer(path).unwrap().as_object().unwrap();
        for field in fields.keys() {
            let mut less = pack.clone();
            less.pointer_mut(path).unwrap().as_object_mut().unwrap().remove(field);
            assert!(!validator.is_valid(&less), "{path} without {field}");
        }
        let mut more = pack.clone();
        more.pointer_mut(path).unwrap()["other"] = json!(1);
        assert!(!validator.is_valid(&more), "{path} with another field");
    }
}

#[test]
fn a_pack_shows_the_page_of_a_pinned_passage_with_its_lines_marked() {
    let sibyl = Sibyl::with_words();
    let report = sibyl_tests::fixture("designed/three-columns.pdf");
    sibyl.json(&["ingest", text(&report), "--source-type", "report", "--report-id", "clinker", "--no-embed"]);
    let all = sibyl.json(&["documents"]);
    let document = all.as_array().unwrap().iter().find(|one| one["report_id"] == "clinker").unwrap().clone();
    let library = Opened::at(sibyl.folder());
    let call = |command: &str, input: Value| library.call("default", command, input).unwrap();
    let read = call("document.get", json!({ "id": document["id"] }))["text"].as_str().unwrap().to_owned();
    let quote = "Variable pay of executives is not linked to emissions.";
    let start = read.find(quote).unwrap();
    let passage = |page: u32, path: &str| {
        json!({
            "text_version": document["text_version"], "path": path, "start": start, "end": start + quote.len(),
            "quote": quote, "before": "", "after": "", "page": page,
        })
    };
    let words = ["assess", "new", "Pictures", "--report", "clinker", "--standard", "ifrs_s2", "--mandatory"];
    let id = sibyl.json(&words)["id"].to_string();
    let (path, other) = (document["path"].as_str().unwrap(), "gone.pdf");
    for (requirement, passages) in [
        ("S2.29(f)(ii)", [passage(1, path), passage(1, other)]),
        ("S2.29(f)(i)", [passage(1, path), passage(9_999, path)]),
    ] {
        let review = json!({
            "report_id": "clinker", "paragraph_id": requirement, "status": "met", "note": "", "passages": passages,
            "updated_at": "",
        });
        call("review.put", review);
    }
    let folder = tempfile::tempdir().unwrap();
    let export = |format: &str| {
        let out = folder.path().join(format!("pack.{format}"));
        sibyl.json(&["assess", "export", &id, "--format", format, "--out", text(&out)]);
        std::fs::read(out).unwrap()
    };
    let page = String::from_utf8(export("html")).unwrap();
    let shown = "alt=\"Part of p. 1, with the quoted lines marked\" src=\"data:image/png;base64,iVBOR";
    assert_eq!(page.matches(shown).count(), 2);
    // A page that cannot be drawn is named in its place, and what is in the library no longer has no picture.
    assert_eq!(page.matches("Its page could not be drawn: ").count(), 1);
    assert!(page.contains("gone.pdf"));
    let document = export("docx");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(document)).unwrap();
    let names = (0..archive.len()).map(|at| archive.by_index(at).unwrap().name().unwrap().into_owned());
    let pictures: Vec<String> = names.filter(|name| name.ends_with(".png")).collect();
    assert!(!pictures.is_empty());
    let mut png = Vec::new();
    archive.by_name(&pictures[0]).unwrap().read_to_end(&mut png).unwrap();
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((&png[1..4], size(16)), (&b"PNG"[..], 1_100));
    assert!(size(20) < 400, "a strip and no page: {}", size(20));
}
