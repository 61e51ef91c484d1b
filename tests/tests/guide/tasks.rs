//! The list of all tasks: each task has a page and a program, and the page names the program.

use std::{fs, path::Path};

use crate::page;

/// The pages of the tasks, each with the program of the page.
const TASKS: [(&str, &str); 26] = [
    ("guides/connect.md", "connect"),
    ("guides/model.md", "model"),
    ("guides/indexes_on_startup.md", "indexes"),
    ("guides/insert_and_read.md", "crud"),
    ("guides/filters.md", "filters"),
    ("guides/updates.md", "updates"),
    ("guides/pages.md", "pages"),
    ("guides/relations.md", "relations"),
    ("guides/aggregation.md", "aggregation"),
    ("guides/transactions.md", "transactions"),
    ("guides/text_search.md", "text_search"),
    ("guides/geo.md", "geo"),
    ("guides/value_rules.md", "value_rules"),
    ("guides/changing_data.md", "changing_data"),
    ("guides/soft_delete.md", "soft_delete"),
    ("guides/timestamps.md", "timestamps"),
    ("guides/optimistic_locking.md", "locking"),
    ("guides/throwaway_database.md", "throwaway_database"),
    ("guides/raw_driver.md", "raw_driver"),
    ("guides/logging.md", "logging"),
    ("guides/axum_state.md", "axum_state"),
    ("guides/enum_fields.md", "enums"),
    ("guides/dynamic_data.md", "dynamic_data"),
    ("guides/dates.md", "dates"),
    ("guides/decimals.md", "decimals"),
    ("guides/uuids.md", "uuids"),
];

#[test]
fn each_task_has_a_page_with_a_program() {
    let list = fs::read_to_string(page("guides/tasks.md")).expect("the list of the tasks");
    for (name, program) in TASKS {
        let link = name.trim_start_matches("guides/");
        assert!(list.contains(&format!("]({link})")), "guides/tasks.md has no link to {name}");
        let text = fs::read_to_string(page(name)).expect("the page of a task");
        let program = format!("tests/tests/guide/{program}.rs");
        assert!(text.contains(&format!("`{program}`")), "{name} does not name the program {program}");
        let include = format!("{{{{#include ../../../{program}:");
        assert!(text.contains(&include), "{name} does not include a part of {program}");
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&program).is_file(), "{program} is missing");
    }
}
