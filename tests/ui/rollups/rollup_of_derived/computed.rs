use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sections")]
struct Section {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(sum(Package::section, reviews))]
    reviews: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "packages")]
struct Package {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    section: Ref<Section>,
    #[computed(count(Review::package))]
    reviews: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    package: Ref<Package>,
}

fn main() {}
