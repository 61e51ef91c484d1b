use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sections")]
struct Section {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[subset(of = Package::section, keep = 10, order = desc(reviews))]
    most_reviewed: Vec<PackageLine>,
}

#[derive(Embed, Serialize, Deserialize)]
struct PackageLine {
    #[serde(rename = "_id")]
    id: ObjectId,
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
