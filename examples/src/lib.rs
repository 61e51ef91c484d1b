//! Shared code of the examples: tables for people, the rows of the files, the commands of a schema, and a reader of
//! `explain` that names the way in which the server found the documents.

pub mod commands;
pub mod data;

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use schema_runtime::bson::{Bson, Document};

/// A table with a header.
pub fn table<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for row in rows {
        table.add_row(row);
    }
    table
}

/// Returns how the server reached the documents: `IXSCAN origin_1_date_-1__id_-1`, `IDHACK`, or `COLLSCAN` for a read
/// of all documents.
pub fn access(explained: &Document) -> String {
    let mut stages = Vec::new();
    collect(&Bson::Document(explained.clone()), false, &mut stages);
    stages.dedup();
    if stages.is_empty() { "unknown".to_owned() } else { stages.join(", ") }
}

/// Returns whether the server reached every document by an index.
pub fn is_index_scan(explained: &Document) -> bool {
    let access = access(explained);
    (access.contains("IXSCAN") || access.contains("IDHACK")) && !access.contains("COLLSCAN")
}

/// Collects every scan inside the winning plans; rejected plans and execution counts repeat a scan or name a scan that
/// was not done.
fn collect(value: &Bson, winning: bool, stages: &mut Vec<String>) {
    match value {
        Bson::Document(document) => {
            if let (true, Ok(stage)) = (winning, document.get_str("stage"))
                && matches!(stage, "IXSCAN" | "COLLSCAN" | "IDHACK")
            {
                let index = document.get_str("indexName").map(|name| format!(" {name}")).unwrap_or_default();
                stages.push(format!("{stage}{index}"));
            }
            // A `$lookup` names the indexes that its inner reads used.
            for index in document.get_array("indexesUsed").into_iter().flatten().filter_map(Bson::as_str) {
                stages.push(format!("IXSCAN {index}"));
            }
            if number(document.get("collectionScans")) > 0 {
                stages.push("COLLSCAN".to_owned());
            }
            for (name, inner) in document {
                let winning = winning || name == "winningPlan";
                if name != "rejectedPlans" && name != "executionStats" {
                    collect(inner, winning, stages);
                }
            }
        }
        Bson::Array(values) => values.iter().for_each(|inner| collect(inner, winning, stages)),
        _ => {}
    }
}

fn number(value: Option<&Bson>) -> i64 {
    match value {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        _ => 0,
    }
}
