//! The effects of a diff beside the steps of a plan on a server with the earlier schema.

use std::collections::BTreeSet;

use schema_runtime::{
    plan::{Change, Needs},
    prelude::*,
    schema_diff::{ChangeKind, ChangePlace, Effect, SchemaDiff},
};
use schema_tests::database;

/// Compares the diff of two schemas with the plan from the earlier to the later schema.
async fn check(earlier: Schema, later: Schema) -> SchemaDiff {
    let diff = SchemaDiff::between(&earlier.snapshot().unwrap(), &later.snapshot().unwrap());
    let db = database().await;
    earlier.create(&db).await.unwrap();
    let plan = later.plan(&db).await.unwrap();
    let (drops, steps): (Vec<_>, Vec<_>) =
        plan.steps().iter().partition(|step| matches!(step.change, Change::DropIndex { .. }));
    let effects: Vec<Effect> = diff.changes().iter().flat_map(|change| change.effects.iter().copied()).collect();

    let needed: BTreeSet<&str> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::NeedsOption { allow } => Some(*allow),
            _ => None,
        })
        .collect();
    let of_plan: BTreeSet<&str> = steps
        .iter()
        .filter_map(|step| match step.needs() {
            Needs::Rebuild => Some("rebuild"),
            Needs::Shrink => Some("shrink"),
            Needs::Convert => Some("convert"),
            Needs::DropUndeclared => Some("drop-undeclared"),
            _ => None,
        })
        .collect();
    assert_eq!(needed, of_plan, "{diff}\n{plan}");
    let decides = steps.iter().any(|step| step.needs() == Needs::Decision);
    assert_eq!(effects.contains(&Effect::Decision), decides, "{diff}\n{plan}");
    let is_build = |change: &Change| {
        matches!(change, Change::CreateIndex { .. } | Change::RebuildIndex { .. } | Change::IndexNameTaken { .. })
    };
    let builds = steps.iter().any(|step| is_build(&step.change));
    assert_eq!(effects.contains(&Effect::IndexBuild { documents: None }), builds, "{diff}\n{plan}");
    let is_removed =
        |kind: ChangeKind, place: &ChangePlace| kind == ChangeKind::Removed && matches!(place, ChangePlace::Index(_));
    let removed = diff.changes().iter().filter(|change| is_removed(change.change, &change.place)).count();
    assert_eq!(removed, drops.len(), "{diff}\n{plan}");
    diff
}

/// Returns the effects of all changes, without repetitions.
fn all_effects(diff: &SchemaDiff) -> BTreeSet<Effect> {
    diff.changes().iter().flat_map(|change| change.effects.iter().copied()).collect()
}

/// Makes a test of two versions of a model, and compares the effects of all changes with the effects after `=>`.
macro_rules! versions {
    ($name:ident, [$($old:tt)*], [$($new:tt)*] => [$($effect:expr),*]) => {
        #[tokio::test]
        async fn $name() {
            mod earlier {
                use super::*;
                $($old)*
            }
            mod later {
                use super::*;
                $($new)*
            }
            let diff = check(schema![earlier::Item], schema![later::Item]).await;
            assert_eq!(all_effects(&diff), BTreeSet::from([$($effect),*]), "{diff}");
        }
    };
}

/// Writes a version of the model with a text `name` and a date `seen`.
macro_rules! item {
    ($(#[$model:meta])* { $(#[$name:meta])* } { $(#[$seen:meta])* }) => {
        #[derive(Model, Serialize, Deserialize)]
        $(#[$model])*
        pub(super) struct Item {
            #[serde(rename = "_id")]
            pub(super) id: i64,
            $(#[$name])*
            pub(super) name: String,
            $(#[$seen])*
            pub(super) seen: DateTime,
        }
    };
}

const BUILD: Effect = Effect::IndexBuild { documents: None };
const REBUILD: Effect = Effect::NeedsOption { allow: "rebuild" };

versions!(a_new_index,
    [item!(#[model(collection = "items")] {} {});],
    [item!(#[model(collection = "items")] { #[index] } {});] => [BUILD]);
versions!(an_index_that_goes,
    [item!(#[model(collection = "items")] { #[index] } {});],
    [item!(#[model(collection = "items")] {} {});] => [Effect::OldQueriesLoseIndex]);
versions!(another_name_of_an_index,
    [item!(#[model(collection = "items")] { #[index(unique, name = "one")] } {});],
    [item!(#[model(collection = "items")] { #[index(unique, name = "other")] } {});] => []);
versions!(an_index_that_becomes_unique,
    [item!(#[model(collection = "items")] { #[index] } {});],
    [item!(#[model(collection = "items")] { #[index(unique)] } {});]
    => [Effect::InPlace, Effect::Backfill, Effect::OldWritersRefused]);
versions!(an_index_that_is_unique_no_more,
    [item!(#[model(collection = "items")] { #[index(unique)] } {});],
    [item!(#[model(collection = "items")] { #[index] } {});] => [REBUILD, BUILD, Effect::OldQueriesLoseIndex]);
versions!(a_shorter_time_to_live,
    [item!(#[model(collection = "items")] {} { #[index(ttl = "2h")] });],
    [item!(#[model(collection = "items")] {} { #[index(ttl = "1h")] });] => [Effect::InPlace, Effect::DeletesDocuments]);
versions!(a_time_to_live_that_goes,
    [item!(#[model(collection = "items")] {} { #[index(ttl = "2h")] });],
    [item!(#[model(collection = "items")] {} { #[index] });] => [REBUILD, BUILD, Effect::OldQueriesLoseIndex]);
versions!(another_index_of_the_name,
    [item!(#[model(collection = "items")] { #[index(name = "w")] } {});],
    [item!(#[model(collection = "items")] {} { #[index(name = "w")] });]
    => [Effect::NeedsOption { allow: "drop-undeclared" }, BUILD, Effect::OldQueriesLoseIndex]);
versions!(a_collection_that_becomes_capped,
    [item!(#[model(collection = "items")] {} {});],
    [item!(#[model(collection = "items", capped(size = "1MiB"))] {} {});]
    => [Effect::NeedsOption { allow: "convert" }, Effect::DeletesDocuments]);
versions!(a_smaller_capped_collection,
    [item!(#[model(collection = "items", capped(size = "2MiB"))] {} {});],
    [item!(#[model(collection = "items", capped(size = "1MiB"))] {} {});]
    => [Effect::NeedsOption { allow: "shrink" }, Effect::DeletesDocuments]);
versions!(a_capped_collection_that_becomes_plain,
    [item!(#[model(collection = "items", capped(size = "2MiB"))] {} {});],
    [item!(#[model(collection = "items")] {} {});] => [Effect::Decision]);
versions!(a_clustered_collection_that_becomes_plain,
    [item!(#[model(collection = "items", clustered)] {} {});],
    [item!(#[model(collection = "items")] {} {});] => []);
versions!(images_that_go,
    [item!(#[model(collection = "items", pre_and_post_images)] {} {});],
    [item!(#[model(collection = "items")] {} {});]
    => [Effect::NeedsOption { allow: "shrink" }, Effect::DeletesDocuments]);
versions!(a_compression_that_is_no_longer_declared,
    [item!(#[model(collection = "items", compression = zlib)] {} {});],
    [item!(#[model(collection = "items")] {} {});] => []);
versions!(another_compression,
    [item!(#[model(collection = "items", compression = zlib)] {} {});],
    [item!(#[model(collection = "items", compression = zstd)] {} {});] => [Effect::Decision]);
versions!(a_validator_that_begins_to_refuse,
    [item!(#[model(collection = "items", validation(level = strict, action = warn))] {} {});],
    [item!(#[model(collection = "items")] {} {});] => [Effect::InPlace, Effect::Backfill]);
versions!(one_more_allowed_value,
    [item!(#[model(collection = "items")] { #[check(one_of("a", "b"))] } {});],
    [item!(#[model(collection = "items")] { #[check(one_of("b", "a", "c"))] } {});] => []);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    level: i32,
}

#[tokio::test]
async fn a_view_that_becomes_a_collection() {
    mod earlier {
        use super::*;
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = "items", view(of = Event))]
        pub(super) struct Item {
            #[serde(rename = "_id")]
            id: i64,
            level: i32,
        }
    }
    mod later {
        use super::*;
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = "items")]
        pub(super) struct Item {
            #[serde(rename = "_id")]
            id: i64,
            level: i32,
        }
    }
    for (one, other) in [
        (schema![Event, earlier::Item], schema![Event, later::Item]),
        (schema![Event, later::Item], schema![Event, earlier::Item]),
    ] {
        let diff = check(one, other).await;
        assert!(all_effects(&diff).contains(&Effect::Decision), "{diff}");
    }
}
