//! A server that is killed while somebody changes things through it, alone or together with a command line.

use super::{Case, finish, paid_once, sound};
use crate::prove::world::{WORKSPACE, World, finding, is_query, rows, text, write};
use crate::random::Random;
use serde_json::{Value, json};
use sibyl_tests::library::Opened;
use sibyl_tests::server::Server;
use std::process::{Child, Command};
use std::time::Duration;

pub(super) struct Kind {
    pub name: &'static str,
    /// Whether a command line ingests at the same time.
    beside: bool,
}

pub(super) static KINDS: &[Kind] = &[
    Kind { name: "reviews, questions and uploads over HTTP", beside: false },
    Kind { name: "server and command line at once", beside: true },
];

/// Time limit for both.
const LONGEST: Duration = Duration::from_millis(400);

/// What was acknowledged: the command that lists it, and the words that it must show.
type Told = Vec<(&'static str, String)>;

pub(super) fn killed(world: &World, kind: &Kind, seed: u64, random: &mut Random) -> Case {
    let mut case = Case::default();
    let sibyl = world.library();
    let files = world.case(seed);
    let fresh = files.join("fresh");
    write(&fresh, "fresh", seed);
    let words = ["ingest", text(&fresh), "--corpus", "fresh", "--remote"];
    world.provider.forget();
    world.slow(random);
    let mut server = Server::start(&sibyl, &["--allow", "spend", "--rate", "1000000"]);
    let (server_lives, command_lives) =
        (LONGEST.mul_f64(random.unit()), LONGEST.mul_f64(random.unit() / 2.0));
    // Sometimes the command is left alone until it ends.
    let spared = random.below(3) == 0;
    let id = server.id();
    let (told, code) = std::thread::scope(|scope| {
        let client = scope.spawn(|| changed(&server, seed));
        let command = kind.beside.then(|| {
            let child = sibyl.quiet(&words).spawn().expect("the program starts");
            scope.spawn(move || ended(child, (!spared).then_some(command_lives)))
        });
        std::thread::sleep(server_lives);
        kill(id);
        let told = client.join().expect("a client");
        (told, command.and_then(|command| command.join().expect("a command")))
    });
    server.process().wait().expect("a process");
    drop(server);
    if spared && kind.beside {
        case.claim(code == Some(0), || format!("the command that was not killed ends with {code:?}"));
    }
    sound(&sibyl, "after the kill", &mut case);
    world.quick();
    case.faults.extend(lost(&Opened::without_models(sibyl.folder()), &told));
    finish(&sibyl, &mut case);
    if kind.beside {
        let run = sibyl.run(&words);
        case.claim(run.code == 0, || format!("it does not go on: {} {}", run.out, run.err));
    }
    let texts = world.provider.texts();
    let texts: Vec<String> = texts.into_iter().filter(|text| !is_query(text)).collect();
    let largest =
        world.provider.requests().iter().map(|request| request.texts.len()).max().unwrap_or_default();
    let killed = 1 + usize::from(kind.beside && !spared && code.is_none());
    paid_once(&texts, killed * largest, &mut case);
    let library = Opened::without_models(sibyl.folder());
    case.faults.extend(lost(&library, &told));
    case.faults.extend(world.missing(&library));
    let uploads = told.iter().filter(|(command, _)| *command == UPLOADS);
    let documents = rows(&library, "document.list", json!({ "corpus": "sent" }));
    for (_, name) in uploads {
        let there = documents.iter().filter(|document| document["path"] == name.as_str()).count();
        case.claim(there == 1, || format!("the upload {name} was taken and is there {there} times"));
    }
    drop(library);
    sound(&sibyl, "after it went on", &mut case);
    case
}

/// Waits for the end of `child`, and kills it after `lives`; its exit code.
fn ended(mut child: Child, lives: Option<Duration>) -> Option<i32> {
    if let Some(lives) = lives {
        std::thread::sleep(lives);
        // It may have ended before.
        let _ = child.kill();
    }
    child.wait().expect("a process").code()
}

/// `kill -9` for a process that others hold.
fn kill(id: u32) {
    let status = Command::new("kill").args(["-KILL", &id.to_string()]).status().expect("kill runs");
    assert!(status.success(), "the server had ended before it was killed");
}

/// The result of uploads is known when their job has ended.
const UPLOADS: &str = "an upload";

/// Changes things through `server` until it is gone.
fn changed(server: &Server, seed: u64) -> Told {
    let mut told = Told::new();
    for number in 1.. {
        let name = format!("case{seed}x{number}");
        let (path, body, command, holds): (&str, Value, &'static str, String) = match number % 5 {
            0 => ("/api/v1/reviews", finding(number), "review.list", format!("S2.{number}\"")),
            1 => (
                "/api/v1/thesaurus",
                json!({ "term": name, "expansion": "dam" }),
                "thesaurus.list",
                name.clone(),
            ),
            2 => ("/api/v1/gold/queries", json!({ "set": "typed", "query": name }), "gold.get", name.clone()),
            3 => (
                "/api/v1/ask",
                json!({ "question": format!("What is {name}?") }),
                "answer.log.list",
                name.clone(),
            ),
            _ => {
                let file = format!("{name}.md");
                let path = format!("/api/v1/uploads?name={file}&corpus=sent");
                let words = format!("# Sent\n\nThe weir {name} holds.\n");
                match server.attempt("POST", &path, words.as_bytes()) {
                    Some(answer) if answer.status == 202 => told.push((UPLOADS, file)),
                    Some(answer) => panic!("an upload is refused: {} {}", answer.status, answer.body),
                    None => return told,
                }
                continue;
            }
        };
        match server.attempt("POST", path, body.to_string().as_bytes()) {
            Some(answer) if answer.status == 200 => told.push((command, holds)),
            Some(answer) => panic!("{path} is refused: {} {}", answer.status, answer.body),
            None => return told,
        }
    }
    told
}

/// What was acknowledged but is missing.
fn lost(library: &Opened, told: &Told) -> Vec<String> {
    let list = |command: &str| {
        let input = match command {
            "gold.get" => json!({ "set": "typed", "limit": 1_000 }),
            "answer.log.list" => json!({ "limit": 1_000 }),
            _ => json!({}),
        };
        library
            .call(WORKSPACE, command, input)
            .map_or_else(|error| error.to_string(), |rows| rows.to_string())
    };
    let mut lost = Vec::new();
    for command in ["review.list", "thesaurus.list", "gold.get", "answer.log.list"] {
        let mut words = told.iter().filter(|(of, _)| *of == command).map(|(_, words)| words).peekable();
        if words.peek().is_some() {
            let listed = list(command);
            let gone = words.filter(|words| !listed.contains(words.as_str()));
            lost.extend(gone.map(|words| format!("{command} was acknowledged and lost {words}")));
        }
    }
    lost
}
