//! The rules refuse the indexes that the server refuses, on each kind of collection. A test of a server reads the same
//! rows.

use proc_macro2::TokenStream;

use crate::pipeline;

const ROWS: &str = include_str!("../../../tests/tests/server/collections/indexes_of_kinds.txt");

/// The words of the kinds, in the order of the columns.
const KINDS: [&str; 4] =
    ["", ", capped(size = \"1MiB\")", ", clustered", ", time_series(time = at, meta = meta, granularity = minutes)"];

const FIELDS: &str = "#[serde(rename = \"_id\")] id: i64, at: DateTime, meta: Meta, body: String, number: i64, \
                      inner: Inner, place: [f64; 2], spot: Point,";

#[test]
fn the_rules_refuse_the_indexes_that_the_server_refuses() {
    let rows: Vec<&str> = ROWS.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(rows.len() > 40);
    for row in rows {
        let columns: Vec<&str> = row.split(" | ").collect();
        let [verdicts, attribute, _] = columns[..] else { panic!("{row}") };
        for (kind, verdict) in KINDS.iter().zip(verdicts.split(' ')) {
            let text =
                format!("#[model(collection = \"things\"{kind})] #[index({attribute})] struct Thing {{ {FIELDS} }}");
            let item: TokenStream = text.parse().expect("tokens");
            let is_refused = pipeline::derive_model(item).to_string().contains("compile_error");
            assert_eq!(is_refused, verdict == "refused", "{kind} | {row}");
        }
    }
}
