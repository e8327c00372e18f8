//! Builds the shell's resources.

use std::{fs, path::Path};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // tauri-build names no rerun condition for a capabilities pattern of its own.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    // The built interface is part of the program, and nothing else says so.
    println!("cargo:rerun-if-changed=ui/dist");
    tauri_build::try_build(
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*"),
    )?;
    // It always writes ./gen/schemas, which is help for editors only: keep it out of the root.
    if Path::new("gen").exists() {
        if Path::new("src-tauri/gen").exists() {
            fs::remove_dir_all("src-tauri/gen")?;
        }
        fs::rename("gen", "src-tauri/gen")?;
    }
    Ok(())
}
