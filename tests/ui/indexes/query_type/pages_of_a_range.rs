use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[query(best(author, gte(inner.stars as i32)), page = 20)]
#[query(older(lt(number)), page = 20)]
#[query(in_order(gte(inner.stars as i32)), order = desc(inner.stars), page = 20)]
struct Article {
    #[serde(rename = "_id")]
    number: i64,
    author: String,
    inner: Inner,
}

#[derive(Embed, Serialize, Deserialize)]
struct Inner {
    stars: i32,
}

fn main() {}
