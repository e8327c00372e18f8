//! `sibyl watch`: folders watched by a server, listed and controlled from the command line.

use crate::{list, text, write};
use serde_json::{Value, json};
use sibyl_tests::program::Sibyl;
use sibyl_tests::server::Server;
use std::time::{Duration, Instant};

/// The one watched folder, once it is as wanted.
fn until(sibyl: &Sibyl, wanted: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let folders = sibyl.json(&["watch", "list"]);
        if wanted(&folders[0]) {
            return folders[0].clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{folders}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_server_takes_in_what_comes_into_a_folder_that_the_command_line_has_it_watch() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "inbox/mill.md", "# Mill\n\nThe mill drew 42 megalitres of quillwort water.\n");
    let inbox = folder.path().join("inbox");
    let added = sibyl.run(&["watch", "add", text(&inbox), "--corpus", "inbox"]);
    assert!(added.out.contains("neither is"), "nobody watches yet: {}", added.out);
    assert_eq!(until(&sibyl, |_| true)["state"], "waiting");

    let server = Server::start(&sibyl, &[]);
    until(&sibyl, |folder| folder["state"] == "watching" && folder["looked_at"].is_string());
    let found = || sibyl.json(&["search", "quillwort", "--mode", "keyword"])["total_results"].clone();
    let begun = Instant::now();
    while found() != 1 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the file was not taken in");
    }
    write(folder.path(), "inbox/pond.md", "# Pond\n\nThe pond holds quillwort, too.\n");
    while found() != 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the new file was not taken in");
    }
    drop(server);

    until(&sibyl, |folder| folder["state"] == "waiting");
    write(folder.path(), "inbox/well.md", "# Well\n\nA well without any quillwort.\n");
    let ran = sibyl.json(&["watch", "run", "1"]);
    assert_eq!(ran["report"]["documents"]["created"], 1, "{ran}");
    sibyl.run(&["watch", "pause", "1"]);
    assert_eq!(until(&sibyl, |_| true)["state"], "paused");
    sibyl.run(&["watch", "remove", "1"]);
    assert_eq!(sibyl.json(&["watch", "list"]), json!([]));
    assert_eq!(found(), 3);
    let refused = sibyl.run(&["watch", "remove", "1"]);
    assert!(refused.code != 0 && refused.err.contains("sibyl watch list"), "{}", refused.err);
}

/// A folder that is watched, with `local.md` and `share/n1.md` to `share/n6.md`, ingested into the corpus `reports`.
fn quays(sibyl: &Sibyl, folder: &std::path::Path) -> std::path::PathBuf {
    write(folder, "quays/local.md", "# Local note\n");
    for n in 1..=6 {
        let words = format!("# Note {n}\n\nQuay {n} received gravel.\n");
        write(folder, &format!("quays/share/n{n}.md"), words);
    }
    let quays = folder.join("quays");
    let add = ["watch", "add", text(&quays), "--corpus", "reports", "--gone", "delete", "--every", "0"];
    assert_eq!(sibyl.run(&add).code, 0);
    assert_eq!(sibyl.run(&["watch", "run", "1"]).code, 0);
    assert_eq!(documents(sibyl).len(), 7);
    quays
}

fn documents(sibyl: &Sibyl) -> Vec<Value> {
    sibyl.json(&["documents", "--corpus", "reports"]).as_array().unwrap().clone()
}

#[test]
fn a_part_of_a_folder_that_goes_away_is_told_and_nothing_of_it_is_deleted_until_somebody_says_so() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let quays = quays(&sibyl, folder.path());
    let away = folder.path().join("away");
    std::fs::rename(quays.join("share"), &away).unwrap();
    std::fs::create_dir(quays.join("share")).unwrap();
    let run = sibyl.run(&["watch", "run", "1"]);
    assert_eq!((run.code, documents(&sibyl).len()), (0, 7));
    assert!(
        run.out.contains("away     6 documents (share/n1.md, share/n2.md, share/n3.md, …)"),
        "{}",
        run.out
    );
    let told = sibyl.json(&["watch", "run", "1"]);
    let gone = &told["report"]["gone"];
    assert_eq!((&gone["away"]["count"], &gone["deleted"]["count"]), (&json!(6), &json!(0)), "{told}");
    assert_eq!(gone["away"]["documents"][0]["path"], "share/n1.md");
    let listed = sibyl.run(&["watch"]).out;
    assert!(listed.contains("`sibyl watch confirm 1 --away` deletes them now"), "{listed}");

    let refused = sibyl.run(&["watch", "confirm", "7"]);
    assert!(refused.code == 1 && refused.err.contains("folder 7 is not watched"), "{}", refused.err);
    let refused = sibyl.run(&["watch", "confirm", "1"]);
    assert!(refused.code != 0 && refused.err.contains("add `--away`"), "{}", refused.err);
    assert_eq!(documents(&sibyl).len(), 7);
    let confirmed = sibyl.json(&["watch", "confirm", "1", "--away"]);
    assert_eq!(confirmed, json!({ "deleted": 6, "marked": 0, "kept": 0 }));
    assert_eq!(documents(&sibyl).len(), 1);

    // The drive is back, and with it the documents as they were.
    std::fs::remove_dir(quays.join("share")).unwrap();
    std::fs::rename(&away, quays.join("share")).unwrap();
    assert_eq!(sibyl.run(&["watch", "run", "1"]).code, 0);
    assert_eq!(documents(&sibyl).len(), 7);
    assert_eq!(sibyl.json(&["restore"]), json!([]));
}

#[test]
fn many_files_that_are_gone_at_once_are_held_back_and_one_that_is_deleted_goes() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    let quays = quays(&sibyl, folder.path());
    std::fs::remove_file(quays.join("share/n6.md")).unwrap();
    let run = sibyl.run(&["watch", "run", "1"]);
    assert!(run.out.contains("deleted  1 document (share/n6.md)"), "{}", run.out);
    assert!(run.out.contains("`sibyl restore` lists and restores"), "{}", run.out);
    assert_eq!(documents(&sibyl).len(), 6);
    for n in 1..=5 {
        std::fs::remove_file(quays.join(format!("share/n{n}.md"))).unwrap();
    }
    let run = sibyl.run(&["watch", "run", "1"]);
    assert!(run.out.contains("held     5 documents"), "{}", run.out);
    assert_eq!(documents(&sibyl).len(), 6);
    // Also named by its path, and kept permanently.
    let kept = sibyl.json(&["watch", "refuse", text(&quays)]);
    assert_eq!(kept["kept"], 5);
    assert_eq!(sibyl.json(&["watch", "run", "1"])["report"]["gone"]["held"]["count"], 0);
    assert_eq!(documents(&sibyl).len(), 6);
}

#[test]
fn after_a_run_each_chunk_has_vectors_of_both_models_and_no_job_is_left() {
    let sibyl = Sibyl::with_standards();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "w/n.md", "# Note\n\nBarge 4 brought 12 crates of screws.\n");
    let w = folder.path().join("w");
    assert_eq!(sibyl.run(&["watch", "add", text(&w), "--corpus", "w", "--every", "0"]).code, 0);
    assert_eq!(sibyl.run(&["watch", "run", "1"]).code, 0);
    let jobs = sibyl.json(&["jobs"]);
    for job in jobs.as_array().unwrap() {
        assert_eq!((&job["state"], &job["interrupted"]), (&json!("done"), &json!(false)), "{jobs}");
    }
    let chunks = sibyl.json(&["stats"])["total"].clone();
    let models = sibyl.json(&["models"]);
    let vectors: Vec<&Value> = models.as_array().unwrap().iter().map(|model| &model["vectors"]).collect();
    assert_eq!(vectors, [&chunks, &chunks], "{models}");
}

#[test]
fn locks_and_half_downloads_are_left_out_and_a_file_that_fails_fails_the_run() {
    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "desk/note.md", "# Note\n\nA note beside an open Word file.\n");
    // The lock file that Office writes beside an open document begins with its user's name, after the length of
    // that.
    let mut lock = vec![b' '; 162];
    lock[..9].copy_from_slice(b"\x08Reviewer");
    for name in ["~$policy.docx", "~$book.xlsx", "report.pdf.part", "plan.docx.crdownload", "~WRD0001.tmp"] {
        write(folder.path(), &format!("desk/{name}"), &lock);
    }
    write(folder.path(), "desk/Plan.pdf.download/Plan.pdf", b"%PDF-1.7\nhalf");
    let desk = folder.path().join("desk");
    let left_out = |report: &Value| {
        let skipped = list(report, "skipped");
        assert_eq!((skipped.len(), list(report, "failed").len()), (1, 0), "{report}");
        assert_eq!(skipped[0]["code"], "temporary");
        assert!(skipped[0]["message"].as_str().unwrap().contains("one of 6 locks"), "{report}");
    };
    let ran = sibyl.run(&["ingest", text(&desk), "--corpus", "by-hand", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    left_out(&ran.json()["report"]);
    assert_eq!(sibyl.run(&["watch", "add", text(&desk), "--corpus", "desk"]).code, 0);
    for _ in 0..2 {
        let ran = sibyl.run(&["watch", "run", "1", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.out);
        left_out(&ran.json()["report"]);
    }
    write(folder.path(), "desk/broken.docx", &lock);
    let ran = sibyl.run(&["watch", "run", "1", "--json"]);
    let job = ran.json();
    assert_eq!((ran.code, &job["report"]["failed"][0]["path"]), (1, &json!("broken.docx")), "{}", ran.out);
    assert_eq!(
        sibyl.run(&["jobs", "show", &job["id"].to_string()]).code,
        0,
        "a look at a job fails at nothing"
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_deleted_from_a_folder_that_may_not_be_looked_into() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;

    let sibyl = Sibyl::with_words();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "desk/note.md", "# Note\n\nThe weir holds brackwater.\n");
    write(folder.path(), "desk/gone.md", "# Gone\n\nThe sluice opens at dawn.\n");
    write(folder.path(), "desk/closed/one.md", "# One\n\nThe gate is shut.\n");
    write(folder.path(), "desk/closed/deep/two.md", "# Two\n\nThe pump rests.\n");
    // Root may look everywhere: for root, the program runs as nobody.
    let nobody = 65_534;
    let probe = folder.path().join("probe");
    std::fs::create_dir(&probe).unwrap();
    set_permissions(&probe, Permissions::from_mode(0o000)).unwrap();
    let root = std::fs::read_dir(&probe).is_ok();
    if root {
        let mut places = vec![folder.path().to_owned(), sibyl.folder().to_owned()];
        while let Some(place) = places.pop() {
            chown(&place, Some(nobody), Some(nobody)).unwrap();
            if place.is_dir() {
                places.extend(std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
            }
        }
    }
    let run = |words: &[&str]| {
        let mut command = sibyl.command_of(&[words, &["--json"]].concat());
        if root {
            command.uid(nobody).gid(nobody);
        }
        let output = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{words:?}: {out} {err}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let desk = folder.path().join("desk");
    run(&["watch", "add", text(&desk), "--corpus", "desk", "--gone", "delete"]);
    run(&["watch", "run", "1"]);
    std::fs::remove_file(desk.join("gone.md")).unwrap();
    let closed = desk.join("closed");
    set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    let report = run(&["watch", "run", "1"])["report"].clone();
    set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
    // The deleted file beside it is removed as usual.
    assert_eq!(report["gone"]["deleted"]["documents"][0]["path"], "gone.md", "{report}");
    assert_eq!(
        (&report["gone"]["deleted"]["count"], &report["gone"]["held"]["count"]),
        (&json!(1), &json!(0))
    );
    let paths = run(&["documents", "--corpus", "desk"]);
    let paths: Vec<&Value> = paths.as_array().unwrap().iter().map(|document| &document["path"]).collect();
    assert_eq!(paths, ["closed/deep/two.md", "closed/one.md", "note.md"]);
}
