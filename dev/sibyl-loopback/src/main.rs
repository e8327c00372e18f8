//! `sibyl-loopback [--dimensions N] [--port N] [--key KEY] [--always BEHAVIOUR] [--next BEHAVIOUR]…
//! [--refuse WORDS]…`
//!
//! Prints the base URL on the first line and serves until its input ends.
#![allow(clippy::print_stdout)] // A program that prints the address on which it listens.

use sibyl_loopback::{Behaviour, Options, Provider};
use std::io::Read as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options { dimensions: 1_536, ..Options::default() };
    let (mut always, mut next, mut refused) = (Behaviour::Answer, Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--dimensions" => options.dimensions = value.parse()?,
            "--port" => options.port = value.parse()?,
            "--key" => options.key = Some(value),
            "--always" => always = Behaviour::parse(&value)?,
            "--next" => next.push(Behaviour::parse(&value)?),
            "--refuse" => refused.push(value),
            _ => return Err(format!("option {name} does not exist").into()),
        }
    }
    let provider = Provider::start(options)?;
    provider.always(always);
    provider.next(next);
    refused.iter().for_each(|words| provider.refuse(words));
    println!("{}", provider.url());
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
