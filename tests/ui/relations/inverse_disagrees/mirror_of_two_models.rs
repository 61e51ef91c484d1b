use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = works, max = 10)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "papers")]
struct Paper {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = works, max = 10)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, of = Paper::authors, max = 10)]
    works: Vec<Ref<Paper>>,
}

fn main() {}
