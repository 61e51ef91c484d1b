//! Models with serde's `deny_unknown_fields` beside another version.

use schema_runtime::prelude::*;

use super::both_versions::check;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "items")]
#[serde(deny_unknown_fields)]
struct Short {
    #[serde(rename = "_id")]
    id: i64,
}

mod later {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Debug)]
    #[model(collection = "items")]
    #[serde(deny_unknown_fields)]
    pub(super) struct Long {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) lang: Option<String>,
    }
}
use later::Long;

fn long() -> (Schema, Long) {
    (schema![Long], Long { id: 2, lang: Some("no".into()) })
}

#[tokio::test]
async fn a_new_field_of_a_strict_model() {
    check("lang", (schema![Short], Short { id: 1 }), long()).await;
}

#[tokio::test]
async fn a_field_that_goes_from_a_strict_model() {
    check("lang", long(), (schema![Short], Short { id: 1 })).await;
}
