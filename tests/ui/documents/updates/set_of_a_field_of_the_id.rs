use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "lines")]
struct Line {
    #[serde(rename = "_id")]
    id: Key,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Key {
    order: i64,
    number: i32,
}

fn main() {
    let _ = Line::find(Line::F.id.order.eq(7));
    let _ = Line::update_many(Line::F.id.order.eq(7)).set(Line::F.id.number, 1);
}
