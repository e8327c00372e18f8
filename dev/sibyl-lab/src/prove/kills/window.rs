//! A window that is killed while it ingests new files of a watched folder.

use super::work::whole;
use super::{Case, finish, paid_once, sound};
use crate::prove::world::{World, is_query, write};
use crate::random::Random;
use sibyl_tests::desktop::{Screen, Unattended};
use sibyl_tests::library::Opened;
use std::time::Duration;

pub(super) const NAME: &str = "window";

/// Time limit for a window: from its start until it has ingested the files.
const LONGEST: Duration = Duration::from_secs(8);

/// Kills a window on `screen` once and sees to it that nothing is lost.
pub(super) fn killed(world: &World, screen: &Screen, seed: u64, random: &mut Random) -> Case {
    let mut case = Case::default();
    let sibyl = world.library();
    let inbox = world.folder("inbox");
    write(&inbox, "inbox", seed);
    world.provider.forget();
    world.slow(random);
    let mut window = Unattended::start(screen, &sibyl);
    std::thread::sleep(LONGEST.mul_f64(random.unit()));
    case.claim(window.kill(), || "the window ended by itself".to_owned());
    world.quick();
    sound(&sibyl, "after the kill", &mut case);
    finish(&sibyl, &mut case);
    let run = sibyl.run(&["watch", "run", "1"]);
    case.claim(run.code == 0, || format!("it does not go on: {} {}", run.out, run.err));
    let texts = world.provider.texts().into_iter().filter(|text| !is_query(text)).collect::<Vec<_>>();
    let requests = world.provider.requests();
    let largest = requests.iter().map(|request| request.texts.len()).max().unwrap_or_default();
    paid_once(&texts, largest, &mut case);
    let library = Opened::without_models(sibyl.folder());
    case.faults.extend(whole(&library, "inbox", seed));
    case.faults.extend(world.missing(&library));
    drop(library);
    sound(&sibyl, "after it went on", &mut case);
    case
}
