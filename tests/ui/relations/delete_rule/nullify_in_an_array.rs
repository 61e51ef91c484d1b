use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(groups = Group::hosts, on_delete = nullify)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "groups")]
struct Group {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, one_way, max = 10, inverse = groups)]
    hosts: Vec<Ref<Host>>,
}

fn main() {}
