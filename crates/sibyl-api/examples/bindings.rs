//! Prints the TypeScript side of the command list.
#![allow(clippy::print_stdout)] // Printing is its purpose.

fn main() {
    print!("{}", sibyl_api::typescript());
}
