use schema_runtime::{json, prelude::*};

#[derive(Serialize)]
struct Plain {
    name: String,
}

fn main() {
    let plain = Plain { name: "Ada".into() };
    let _ = json::to_json(&plain);
}
