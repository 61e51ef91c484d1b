use std::collections::BTreeMap;

use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(BTreeMap<String, i64>)]
struct Counts(BTreeMap<String, i64>);

fn main() {}
