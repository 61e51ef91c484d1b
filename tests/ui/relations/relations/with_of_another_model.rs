use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[relation(one_to_many, parent_ref)]
    country: Ref<Country>,
}

#[derive(Projection, Deserialize)]
#[projection(of = User)]
struct Name {
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "countries")]
struct Country {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    maintainer: Ref<User>,
}

fn main() {
    let _ = Page::MAINTAINER.with(Page::MAINTAINER);
}
