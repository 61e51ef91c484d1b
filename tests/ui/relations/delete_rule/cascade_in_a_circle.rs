use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(racks = Rack::host, on_delete = cascade)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    rack: Option<Ref<Rack>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "racks")]
#[inverse(hosts = Host::rack, on_delete = cascade)]
struct Rack {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Option<Ref<Host>>,
}

fn main() {
    let _ = schema![Host, Rack];
}
