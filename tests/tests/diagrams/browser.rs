//! Diagrams, read by the programs that the diagrams are for: the real packages `mermaid` and Graphviz, and a headless
//! browser. One run of node reads all.

use std::{collections::BTreeMap, fs, path::Path, process::Command, sync::OnceLock};

use schema_runtime::diagram::{DiagramFormat, DiagramOptions, draw, report};
use schema_tests::node;
use serde_json::{Value, json};

/// The packages of npm, in the versions that the tests are written for.
const PACKAGES: [&str; 4] =
    ["mermaid@11.17.2", "@hpcc-js/wasm-graphviz@1.29.2", "@sparticuz/chromium@147.0.0", "puppeteer-core@24.43.1"];

/// The program that reads the diagrams.
const READER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagrams/check.cjs");

/// Returns the results of the run, for all tests.
fn results() -> &'static Value {
    static RESULTS: OnceLock<Value> = OnceLock::new();
    RESULTS.get_or_init(|| {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut pages = BTreeMap::new();
        let mut page = |name: &str, text: &str| {
            let file = path(&format!("{}.html", name.replace(' ', "-")));
            fs::write(&file, text).unwrap();
            pages.insert(name.to_owned(), file);
        };
        for (name, file) in super::files() {
            // Generated schemas have hostile names from the fifth collection on.
            if !name.starts_with("generated") || name.ends_with('7') {
                page(&name, &super::drawn(&file, DiagramFormat::Html));
            }
        }
        for (name, schema) in super::schemas() {
            let file = schema.snapshot().unwrap();
            page(&format!("report of {name}"), &report(&file, &schema.review(), &DiagramOptions::new()).unwrap());
        }
        let diagrams = |format: DiagramFormat| -> BTreeMap<String, String> {
            let drawn = super::files().into_iter();
            drawn.filter_map(|(name, file)| Some((name, draw(&file, format, &DiagramOptions::new()).ok()?))).collect()
        };
        let asked = json!({
            "mermaid": diagrams(DiagramFormat::Mermaid), "dot": diagrams(DiagramFormat::Dot), "pages": pages,
        });
        fs::write(path("asked.json"), asked.to_string()).unwrap();
        read(folder.path(), &path("asked.json"), &path("answer.json"));
        serde_json::from_str(&fs::read_to_string(path("answer.json")).unwrap()).unwrap()
    })
}

/// Runs node. The browser unpacks its files and its libraries into the folder.
fn read(folder: &Path, asked: &Path, answer: &Path) {
    let modules = node::modules(env!("CARGO_TARGET_TMPDIR"), &PACKAGES);
    let mut program = Command::new("node");
    program.arg(READER).arg(modules).arg(asked).arg(answer).env("TMPDIR", folder);
    // The package takes its own copies of the libraries, and needs no library of the machine.
    program.env("AWS_LAMBDA_JS_RUNTIME", "nodejs22.x");
    let output = program.output().expect("`node` is on the PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn entries(part: &str) -> impl Iterator<Item = (&'static String, &'static Value)> {
    results()[part].as_object().unwrap().iter()
}

#[test]
fn mermaid_draws_each_diagram() {
    let files: BTreeMap<String, usize> =
        super::files().into_iter().map(|(name, file)| (name, file.models.len())).collect();
    // A few of the generated schemas are too large for Mermaid.
    assert!(entries("mermaid").count() + 8 > files.len());
    for (name, result) in entries("mermaid") {
        assert_eq!(result["error"], Value::Null, "{name}");
        assert_eq!(result["entities"], files[name], "{name}");
        assert_eq!(result["images"], 0, "{name}");
    }
}

#[test]
fn graphviz_draws_each_diagram() {
    for (name, result) in entries("dot") {
        assert_eq!(result["error"], Value::Null, "{name}");
        assert!(result["svg"].as_str().unwrap().contains("</svg>"), "{name}");
    }
}

#[test]
fn a_page_sends_no_request_and_has_no_errors() {
    for (name, page) in entries("pages") {
        assert_eq!(page["requests"], json!([]), "{name}");
        assert_eq!(page["console"], json!([]), "{name}");
        assert_eq!((&page["dialogs"], &page["images"], &page["scripts"]), (&json!(0), &json!(0), &json!(1)), "{name}");
        assert_eq!(page["outside"], json!([]), "{name}: texts outside of their boxes");
    }
}

#[test]
fn a_click_shows_the_neighbors_and_the_facts() {
    for (name, page) in entries("pages") {
        assert_eq!(page["hidden"], true, "{name}");
        assert_eq!(page["clicked"]["chosen"], json!(["0"]), "{name}");
        assert_eq!(page["clicked"]["shown"].as_array().unwrap().len(), 1, "{name}");
        assert_eq!((&page["left"]["chosen"], &page["left"]["dim"]), (&json!([]), &json!(0)), "{name}");
        assert_eq!(page["printed"], true, "{name}");
    }
}

#[test]
fn the_search_and_the_keyboard() {
    for (name, page) in entries("pages") {
        let found = page["searched"]["found"].as_str().unwrap();
        assert!(found.ends_with(" found") && found != "0 found", "{name}: {found}");
        assert_eq!(page["entered"]["chosen"].as_array().unwrap().len(), 1, "{name}");
        assert_eq!(page["entered"]["shown"].as_array().unwrap().len(), 1, "{name}");
        assert_ne!(page["larger"], page["entered"]["view"], "{name}");
        assert_eq!(page["whole"], page["left"]["view"], "{name}");
        assert_ne!(page["wheel"], page["whole"], "{name}");
    }
}
