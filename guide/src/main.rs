//! Builds the book into `target/doc/guide`, beside the documentation of the crates, and checks all links of the book.
//! A warning of mdBook is a failure. `.ci/guide` runs this program after `cargo doc`.

use std::{env, fs, path::Path, process::ExitCode};

use anyhow::{Context, Result, ensure};
use mdbook_driver::MDBook;
use schema_guide::{api::Api, links, warnings::Warnings};
use tracing_subscriber::layer::SubscriberExt;

/// The crates whose documentation may link to the book.
const CRATES: [&str; 2] = ["schema_runtime", "schema_derive"];

fn main() -> Result<ExitCode> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| guide.join("../target"), Into::into);
    let folder = fs::canonicalize(target).context("the folder of the build")?.join("doc");
    for name in CRATES {
        ensure!(folder.join(name).is_dir(), "{name} is missing: run `cargo doc --workspace --no-deps`");
    }

    let warnings = Warnings::default();
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(warnings.clone()))?;
    let mut book = MDBook::load(guide)?;
    book.config.build.build_dir = folder.join("guide");
    book.build()?;

    let api = Api::read(&folder, CRATES[0]);
    let mut linked = 0;
    for page in links::html_files(&folder.join("guide")) {
        let html = fs::read_to_string(&page)?;
        let (html, count) = api.link(&html, page.strip_prefix(&folder)?);
        fs::write(&page, html)?;
        linked += count;
    }

    let (checked, dead) = links::check(&folder, &CRATES);
    let faults: Vec<String> = warnings.take().into_iter().chain(dead).collect();
    for fault in &faults {
        eprintln!("{fault}");
    }
    println!("{}: {linked} names are links, {checked} links checked", folder.join("guide/index.html").display());
    println!("{} faults", faults.len());
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
