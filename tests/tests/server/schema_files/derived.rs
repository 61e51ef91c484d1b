//! The effects of data that one version keeps and the other version does not know, of moved models, and of shard keys
//! and search indexes, which the test server does not have.

use std::collections::BTreeSet;

use schema_runtime::{
    prelude::*,
    schema_diff::{ChangePlace, Effect, SchemaChange, SchemaDiff},
    schema_file::SchemaFile,
};

fn between(earlier: Schema, later: Schema) -> SchemaDiff {
    SchemaDiff::between(&earlier.snapshot().unwrap(), &later.snapshot().unwrap())
}

/// Returns the effects of a change.
fn effects_at(diff: &SchemaDiff, collection: &str, place: &ChangePlace) -> BTreeSet<Effect> {
    let is_it = |change: &&SchemaChange| change.collection == collection && change.place == *place;
    let found: Vec<_> = diff.changes().iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "{diff}");
    found[0].effects.iter().copied().collect()
}

fn field(path: &str) -> ChangePlace {
    ChangePlace::Field(path.to_owned())
}

mod earlier {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "customers")]
    pub(super) struct Customer {
        #[serde(rename = "_id")]
        id: i64,
        name: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "visits")]
    #[search_index(dynamic)]
    pub(super) struct Visit {
        #[serde(rename = "_id")]
        id: i64,
        customer: i64,
    }
}

mod later {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "customers")]
    #[inverse(visits = Visit::host, on_delete = cascade)]
    pub(super) struct Customer {
        #[serde(rename = "_id")]
        id: i64,
        #[copied_to(Order::customer_name, fan_out = 100)]
        name: String,
        #[serde(default)]
        #[computed(count(Visit::host))]
        visit_count: i64,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "orders")]
    pub(super) struct Order {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_many, parent_ref)]
        customer: Ref<Customer>,
        #[denormalize(from = customer.name)]
        customer_name: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "visits")]
    #[search_index(dynamic, text = text)]
    pub(super) struct Visit {
        #[serde(rename = "_id")]
        id: i64,
        #[relation(one_to_many, parent_ref)]
        host: Option<Ref<Customer>>,
        text: Option<String>,
    }
}

fn diff() -> SchemaDiff {
    between(schema![earlier::Customer, earlier::Visit], schema![later::Customer, later::Order, later::Visit])
}

#[test]
fn derived_data_of_a_new_collection_and_of_new_fields() {
    let diff = diff();
    assert!(effects_at(&diff, "orders", &ChangePlace::Collection).contains(&Effect::RepairAfterDeploy), "{diff}");
    let of_count = effects_at(&diff, "customers", &field("visit_count"));
    assert!(of_count.contains(&Effect::RecomputeAfterDeploy), "{diff}");
    assert!(!of_count.contains(&Effect::RepairAfterDeploy), "{diff}");
    assert!(effects_at(&diff, "visits", &field("host")).contains(&Effect::RepairAfterDeploy), "{diff}");
}

#[test]
fn search_indexes_are_compared() {
    let diff = diff();
    let place = ChangePlace::SearchIndex("default".to_owned());
    assert_eq!(effects_at(&diff, "visits", &place), BTreeSet::from([Effect::IndexBuild { documents: None }]), "{diff}");
}

mod keys {
    use super::*;

    macro_rules! keyed {
        ($name:ident $(, $key:meta)?) => {
            pub(super) mod $name {
                use super::*;
                #[derive(Model, Serialize, Deserialize)]
                #[model(collection = "visits")]
                $(#[$key])?
                pub(crate) struct Visit {
                    #[serde(rename = "_id")]
                    id: i64,
                    customer: i64,
                    city: i64,
                }
            }
        };
    }
    keyed!(none);
    keyed!(short, shard_key(customer, distinct(customer = 50_000)));
    keyed!(long, shard_key(customer, city, distinct(customer = 50_000, city = 50_000)));
    keyed!(other, shard_key(city, customer, distinct(customer = 50_000, city = 50_000)));
}

#[test]
fn shard_keys_by_the_steps_of_the_plan() {
    use keys::{long, none, other, short};
    let of = |earlier: Schema, later: Schema| {
        effects_at(&between(earlier, later), "visits", &ChangePlace::ShardKey).into_iter().collect::<Vec<_>>()
    };
    let in_place = vec![Effect::InPlace, Effect::OldWritersRefused];
    assert_eq!(of(schema![none::Visit], schema![short::Visit]), in_place);
    assert_eq!(of(schema![short::Visit], schema![long::Visit]), in_place);
    let reshard = vec![Effect::NeedsOption { allow: "reshard" }, Effect::OldWritersRefused];
    assert_eq!(of(schema![short::Visit], schema![other::Visit]), reshard);
    assert_eq!(of(schema![short::Visit], schema![none::Visit]), vec![Effect::Decision]);
}

#[test]
fn a_model_that_moves_to_another_collection() {
    let file = |collection: &str| {
        let text = schema![earlier::Customer].snapshot().unwrap().to_json();
        SchemaFile::from_json(&text.replace("\"customers\"", &format!("{collection:?}"))).unwrap()
    };
    let diff = SchemaDiff::between(&file("customers"), &file("clients"));
    assert_eq!(effects_at(&diff, "customers", &ChangePlace::Collection), BTreeSet::from([Effect::Decision]), "{diff}");
}
