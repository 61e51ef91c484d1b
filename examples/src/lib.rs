//! What the examples share: tables for people, and reading an `explain` for how the server found what it returned.

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

/// How the server reached the documents: `IXSCAN origin_1_date_-1__id_-1`, `IDHACK`, or `COLLSCAN` when it read them all.
pub fn access(explained: &Document) -> String {
    let mut stages = Vec::new();
    collect(&Bson::Document(explained.clone()), false, &mut stages);
    stages.dedup();
    if stages.is_empty() { "unknown".to_owned() } else { stages.join(", ") }
}

/// Whether every document was reached by an index.
pub fn is_index_scan(explained: &Document) -> bool {
    let access = access(explained);
    (access.contains("IXSCAN") || access.contains("IDHACK")) && !access.contains("COLLSCAN")
}

/// Every scan inside the winning plans; rejected plans and execution counts say the same again or what was not done.
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
