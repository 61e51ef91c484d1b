//! Schema files of random form: 3 to 40 collections with all kinds of lines, loops and hostile names.

use fastrand::Rng;
use schema_runtime::schema_file::SchemaFile;
use serde_json::{Value, json};

/// Names that end a text of some format, or begin something else than a text.
pub(crate) const HOSTILE: [&str; 8] = [
    "</script><img src=x onerror=alert(1)>",
    "a\"b'c`d",
    "%%{init: {}}%%",
    "back\\slash}|{",
    "]]><!-- & &amp; #35; ;",
    "日本語の名前",
    "_",
    "two words\u{202e}",
];

/// Returns the file of a seed. The same seed gives the same file.
pub(crate) fn file(seed: u64) -> SchemaFile {
    let mut random = Rng::with_seed(seed);
    let count = random.usize(3..=40);
    with(&mut random, count)
}

/// Returns a file with this number of collections.
pub(crate) fn with(random: &mut Rng, count: usize) -> SchemaFile {
    let models: Vec<Value> = (0..count).map(|at| model(random, at, count)).collect();
    SchemaFile::from_json(&json!({ "format": 1, "models": models }).to_string()).unwrap()
}

/// Returns the name of a collection: every fifth collection has a hostile name.
fn collection(at: usize) -> String {
    if at % 5 == 4 { format!("{} {at}", HOSTILE[at / 5 % HOSTILE.len()]) } else { format!("c{at}") }
}

fn model(random: &mut Rng, at: usize, count: usize) -> Value {
    let mut fields = vec![json!({ "path": "_id", "type": "objectId" }), json!({ "path": "name", "type": "string" })];
    let mut indexes = Vec::new();
    for number in 0..random.usize(0..8) {
        let hostile = HOSTILE[random.usize(..HOSTILE.len())];
        let path = if random.u8(..6) == 0 { format!("{hostile} {number}") } else { format!("field_{number}") };
        let types = ["int", "date", "bool", "string", "decimal"];
        fields.push(json!({ "path": path, "type": types[random.usize(..types.len())], "optional": random.bool() }));
        if random.bool() {
            indexes.push(json!({ "name": format!("i{number}"), "keys": [format!("{path}: 1"), "name: -1"] }));
        }
    }
    fields.extend([
        json!({ "path": "parts", "type": "array", "rules": { "max_items": 20 } }),
        json!({ "path": "parts[]", "type": "object" }),
        json!({ "path": "parts[].label", "type": "string", "rules": { "max_len": 30 } }),
    ]);
    for number in 0..random.usize(0..=3) {
        fields.extend(reference(random, number, count));
    }
    let mut model = json!({
        "collection": collection(at), "model": format!("M{at}"), "module": format!("m{}", at % 3),
        "unknown_fields": "drop", "fields": fields, "indexes": indexes,
    });
    if random.u8(..8) == 0 {
        model["options"] = json!({ "viewOn": collection(random.usize(..count)), "pipeline": [] });
    }
    model
}

/// Returns the fields of a reference, with a copy or a kept value.
fn reference(random: &mut Rng, number: usize, count: usize) -> Vec<Value> {
    let (path, to) = (format!("to_{number}"), collection(random.usize(..count)));
    let cardinalities = ["one_to_one", "one_to_few", "one_to_many", "one_to_squillions"];
    let cardinality = cardinalities[random.usize(..cardinalities.len())];
    let relation = |storage: &str| json!({ "cardinality": cardinality, "storage": storage, "to": to });
    let mut fields = match random.u8(..4) {
        0 => vec![
            json!({
                "path": path, "type": "array", "rules": { "max_items": 2_000 }, "relation": relation("child_refs"),
            }),
            json!({ "path": format!("{path}[]"), "type": "objectId" }),
        ],
        1 => vec![json!({ "path": path, "type": "objectId", "relation": relation("two_way") })],
        _ => vec![json!({ "path": path, "type": "objectId", "nullable": true, "relation": relation("parent_ref") })],
    };
    if random.bool() {
        let copy = json!({ "of": to, "field": "name", "by": path, "mode": "synced" });
        fields.push(json!({ "path": format!("copy_{number}"), "type": "string", "copy": copy }));
    }
    if random.u8(..4) == 0 {
        let rollup = json!({ "kind": "count", "of": collection(random.usize(..count)), "by": "name" });
        fields.push(json!({ "path": format!("count_{number}"), "type": "int", "rollup": rollup }));
    }
    fields
}
