//! A library that is damaged, write-protected or out of space says so, loses nothing that can be read, and
//! continues.

use sibyl_tests::built;
use sibyl_tests::program::Sibyl;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A shell in a mount namespace of its own, in which `sibyl` is the program as built and `$D` the data folder.
#[cfg(target_os = "linux")]
fn apart(data: &Path, script: &str) -> Output {
    let program = built("sibyl");
    Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-ec", script])
        .env("D", data)
        .env("S", program)
        .env("SIBYL_DATA_DIR", data)
        .env("SIBYL_SHIPPED_DIR", sibyl_tests::root().join("data"))
        .output()
        .expect("unshare runs")
}

fn out(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_protected_library_is_read_searched_and_asked_and_refuses_changes_in_words() {
    let sibyl = Sibyl::with_standards();
    let before = fs::read(sibyl.folder().join("library.sibyl")).unwrap();
    let script = r#"
        mount --bind "$D" "$D"; mount -o remount,ro,bind "$D"
        "$S" search "transition plan" -k 1
        "$S" ask "What must a transition plan disclose?" | head -c 200
        "$S" doctor | tail -n 1
        "$S" workspace create late 2>&1 || echo "code $?"
    "#;
    let told = out(&apart(sibyl.folder(), script));
    assert!(told.contains("S2.14(a)(iv)"), "{told}");
    assert!(told.contains("transition plan") && told.contains("No problems found."), "{told}");
    assert!(told.contains("is read-only") && told.contains("allow writing"), "{told}");
    assert!(told.contains("code 1"), "{told}");
    assert_eq!(fs::read(sibyl.folder().join("library.sibyl")).unwrap(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_a_job_in_words_and_it_goes_on_when_there_is_room() {
    let files = tempfile::tempdir().unwrap();
    for number in 0..8 {
        let words: String = (0..40_000).map(|word| format!("word{number}x{word} ")).collect();
        fs::write(files.path().join(format!("{number}.md")), format!("# Report {number}\n\n{words}\n"))
            .unwrap();
    }
    let script = format!(
        r#"
        mount -t tmpfs -o size=9m none "$D"
        "$S" ingest {0} --corpus c --no-embed 2>&1 || echo "code $?"
        "$S" doctor 2>&1 | tail -n 1
        mount -o remount,size=200m "$D"
        "$S" jobs
        job=$("$S" jobs --json | tr ',' '\n' | sed -n 's/.*"id": *\([0-9]*\).*/\1/p' | head -n 1)
        "$S" jobs resume "$job" 2>&1 | tail -n 3
        "$S" documents --corpus c
        "$S" doctor | tail -n 1
    "#,
        files.path().display()
    );
    let data = tempfile::tempdir().unwrap();
    let mut with_nothing_shipped = apart(data.path(), "true");
    assert!(with_nothing_shipped.status.success(), "{}", out(&with_nothing_shipped));
    with_nothing_shipped = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-ec", &script])
        .env("D", data.path())
        .env("S", built("sibyl"))
        .env("SIBYL_DATA_DIR", data.path())
        .env("SIBYL_SHIPPED_DIR", files.path())
        .output()
        .expect("unshare runs");
    let told = out(&with_nothing_shipped);
    assert!(told.contains("the disk is full"), "{told}");
    assert!(!told.contains("code 0"), "{told}");
    for number in 0..8 {
        assert!(told.contains(&format!("{number}.md")), "{told}");
    }
    assert!(told.trim_end().ends_with("No problems found."), "{told}");
}

#[test]
fn a_damaged_library_says_so_and_is_rescued() {
    let sibyl = Sibyl::with_words();
    let note = sibyl.folder().with_extension("md");
    fs::write(&note, "# Note\n\nBarge 4 brought 12 crates of screws.\n").unwrap();
    assert_eq!(sibyl.run(&["ingest", &note.display().to_string(), "--corpus", "notes"]).code, 0);
    fs::remove_file(&note).unwrap();
    let path = sibyl.folder().join("library.sibyl");
    let library = rusqlite::Connection::open(&path).unwrap();
    library.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let (page, size): (u64, u64) = library
        .query_row(
            "SELECT pageno, pgsize FROM dbstat WHERE name = 'chunk' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 20",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    drop(library);
    let mut bytes = fs::read(&path).unwrap();
    let at = usize::try_from((page - 1) * size).unwrap();
    bytes[at..at + usize::try_from(size).unwrap()].fill(0x5a);
    fs::write(&path, bytes).unwrap();

    let run = sibyl.run(&["doctor"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("sibyl rescue"), "{}{}", run.out, run.err);
    let run = sibyl.run(&["rescue"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("ingest them again"), "{}", run.out);
    let found = sibyl.run(&["search", "crates of screws", "--mode", "keyword"]).out;
    assert!(found.contains("12 crates"), "{found}");
    // What lost chunks is ingested again, and the library is whole.
    assert_eq!(sibyl.run(&["ingest", "--force"]).code, 0);
    let run = sibyl.run(&["doctor"]);
    assert_eq!(run.code, 0, "{}", run.out);
}

#[test]
fn a_backup_is_made_listed_and_restored_at_the_next_start() {
    let sibyl = Sibyl::fresh();
    let run = sibyl.run(&["backup"]);
    assert!(run.out.contains("No backups yet"), "{}", run.out);
    assert_eq!(sibyl.run(&["workspace", "create", "audit"]).code, 0);
    let made = sibyl.json(&["backup", "make"]);
    assert_eq!(sibyl.run(&["workspace", "create", "late"]).code, 0);
    let name = made["name"].as_str().unwrap();
    assert!(sibyl.run(&["backup"]).out.contains(name));
    let missing = sibyl.run(&["backup", "restore", "other.sibyl"]);
    assert!(missing.code != 0 && missing.err.contains("sibyl backup"), "{}", missing.err);
    let run = sibyl.run(&["backup", "restore", name]);
    assert!(run.out.contains("next start"), "{}", run.out);
    let workspaces = sibyl.run(&["workspace", "list"]).out;
    assert!(workspaces.contains("audit") && !workspaces.contains("late"), "{workspaces}");
    let kept = fs::read_dir(sibyl.folder()).unwrap().flatten();
    assert!(kept.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("replaced-")));
}
