//! Two versions of a model beside each other: a judgement about readers and writers is the behaviour on a server.

use std::fmt::Debug;

use schema_runtime::{
    BoundedVec, Schema,
    prelude::*,
    schema_diff::{Effect, SchemaDiff},
};
use schema_tests::database;

use super::effects_of;
use crate::relations::insert;

/// Compares the judgement of a change with a server.
pub(super) async fn check<E, L>(path: &str, earlier: (Schema, E), later: (Schema, L))
where
    E: Model + OwnDocument + Insertable + Debug,
    L: Model + OwnDocument + Insertable + Debug,
{
    let diff = SchemaDiff::between(&earlier.0.snapshot().unwrap(), &later.0.snapshot().unwrap());
    let effects = effects_of(&diff, path);
    let is = |effect: Effect| effects.contains(&effect);
    let (db, of_later) = (database().await, database().await);

    insert(&db, std::slice::from_ref(&earlier.1)).await;
    let read = L::find(Filter::all()).fetch_all(&db).await;
    assert_eq!(read.is_err(), is(Effect::NewReadersFail), "{path}: {read:?}\n{diff}");

    insert(&of_later, std::slice::from_ref(&later.1)).await;
    let read = E::find(Filter::all()).fetch_all(&of_later).await;
    assert_eq!(read.is_err(), is(Effect::OldReadersFail), "{path}: {read:?}\n{diff}");

    let db = database().await;
    later.0.create(&db).await.unwrap();
    let written = E::insert(&db, &earlier.1).await;
    assert_eq!(written.is_err(), is(Effect::OldWritersRefused), "{path}: {written:?}\n{diff}");
}

/// Makes a test of a change of one field: two versions of a model, each with a value that the other version may not
/// read.
macro_rules! versions {
    ($name:ident, $path:literal, $old:tt = $old_value:tt, $new:tt = $new_value:tt) => {
        versions!($name, $path, $old = $old_value, $new = $new_value, validation(level = strict, action = error));
    };
    ($name:ident, $path:literal, { $($earlier:tt)* } = { $($old:tt)* }, { $($later:tt)* } = { $($new:tt)* }, $($validation:tt)*) => {
        #[tokio::test]
        async fn $name() {
            mod earlier {
                #[allow(unused_imports, reason = "some versions need no further type")]
                use super::*;
                #[derive(Model, Serialize, Deserialize, Debug)]
                #[model(collection = "items")]
                pub(super) struct Item {
                    #[serde(rename = "_id")]
                    pub(super) id: i64,
                    $($earlier)*
                }
            }
            mod later {
                #[allow(unused_imports, reason = "some versions need no further type")]
                use super::*;
                #[derive(Model, Serialize, Deserialize, Debug)]
                #[model(collection = "items", $($validation)*)]
                pub(super) struct Item {
                    #[serde(rename = "_id")]
                    pub(super) id: i64,
                    $($later)*
                }
            }
            let old = earlier::Item { id: 1, $($old)* };
            let new = later::Item { id: 2, $($new)* };
            check($path, (schema![earlier::Item], old), (schema![later::Item], new)).await;
        }
    };
}

versions!(a_new_required_field, "age", {} = {}, { pub(super) age: i32 } = { age: 3 });
versions!(a_new_optional_field, "age", {} = {}, { pub(super) age: Option<i32> } = { age: Some(3) });
versions!(a_new_field_with_a_default, "age", {} = {}, { #[serde(default)] pub(super) age: i32 } = { age: 3 });
versions!(a_removed_required_field, "age", { pub(super) age: i32 } = { age: 3 }, {} = {});
versions!(a_removed_optional_field, "age", { pub(super) age: Option<i32> } = { age: Some(3) }, {} = {});
versions!(a_field_that_becomes_required, "age",
    { pub(super) age: Option<i32> } = { age: None }, { pub(super) age: i32 } = { age: 3 });
versions!(a_field_that_becomes_optional, "age",
    { pub(super) age: i32 } = { age: 3 }, { pub(super) age: Option<i32> } = { age: None });
versions!(another_type, "age", { pub(super) age: i32 } = { age: 3 }, { pub(super) age: String } = { age: "3".into() });
versions!(a_wider_integer, "age", { pub(super) age: i32 } = { age: 3 }, { pub(super) age: i64 } = { age: 1 << 40 });
versions!(a_narrower_integer, "age", { pub(super) age: i64 } = { age: 1 << 40 }, { pub(super) age: i32 } = { age: 3 });
versions!(an_integer_that_becomes_a_float, "age",
    { pub(super) age: i32 } = { age: 3 }, { pub(super) age: f64 } = { age: 0.5 });
versions!(a_longer_text, "text",
    { #[bound(max_len = 2)] pub(super) text: String } = { text: "ab".into() },
    { #[bound(max_len = 4)] pub(super) text: String } = { text: "abcd".into() });
versions!(a_shorter_text, "text",
    { #[bound(max_len = 4)] pub(super) text: String } = { text: "abcd".into() },
    { #[bound(max_len = 2)] pub(super) text: String } = { text: "ab".into() });
versions!(a_longer_list, "list",
    { pub(super) list: BoundedVec<i32, 2> } = { list: [1, 2].into_iter().collect::<Vec<_>>().try_into().unwrap() },
    { pub(super) list: BoundedVec<i32, 3> } = { list: vec![1, 2, 3].try_into().unwrap() });
versions!(a_shorter_list, "list",
    { pub(super) list: BoundedVec<i32, 3> } = { list: vec![1, 2, 3].try_into().unwrap() },
    { pub(super) list: BoundedVec<i32, 2> } = { list: vec![1, 2].try_into().unwrap() });
versions!(a_new_rule, "age",
    { pub(super) age: i32 } = { age: -3 }, { #[check(min = 0)] pub(super) age: i32 } = { age: 3 });
versions!(a_rule_that_goes, "age",
    { #[check(min = 0)] pub(super) age: i32 } = { age: 3 }, { pub(super) age: i32 } = { age: -3 });
versions!(a_new_value, "state",
    { pub(super) state: Two } = { state: Two::Open }, { pub(super) state: Three } = { state: Three::Lost });
versions!(a_value_that_goes, "state",
    { pub(super) state: Three } = { state: Three::Lost }, { pub(super) state: Two } = { state: Two::Open });
versions!(an_enum_that_becomes_a_text, "state",
    { pub(super) state: Two } = { state: Two::Open }, { pub(super) state: String } = { state: "lost".into() });
versions!(a_text_that_becomes_an_enum, "state",
    { pub(super) state: String } = { state: "lost".into() }, { pub(super) state: Two } = { state: Two::Open });
versions!(a_required_field_that_gets_a_default, "age",
    { pub(super) age: i32 } = { age: 3 }, { #[serde(default)] pub(super) age: i32 } = { age: 4 });
versions!(a_default_that_goes, "age",
    { #[serde(default)] pub(super) age: i32 } = { age: 3 }, { pub(super) age: i32 } = { age: 4 });
versions!(another_order_of_values, "state",
    { pub(super) state: Two } = { state: Two::Open }, { pub(super) state: Reversed } = { state: Reversed::Open });
versions!(a_new_variant, "shape",
    { pub(super) shape: Round } = { shape: Round::Circle { radius: 1 } },
    { pub(super) shape: Any } = { shape: Any::Square { side: 2 } });
versions!(a_field_inside, "inner",
    { pub(super) inner: Inner } = { inner: Inner { one: 1 } },
    { pub(super) inner: Inner } = { inner: Inner { one: 2 } });
versions!(a_new_field_inside, "inner.two",
    { pub(super) inner: Inner } = { inner: Inner { one: 1 } },
    { pub(super) inner: Wider } = { inner: Wider { one: 1, two: 2 } });
versions!(a_new_field_inside_of_a_strict_struct, "inner.two",
    { pub(super) inner: Strict } = { inner: Strict { one: 1 } },
    { pub(super) inner: StrictWider } = { inner: StrictWider { one: 1, two: Some(2) } });
versions!(a_field_that_goes_from_a_strict_struct, "inner.two",
    { pub(super) inner: StrictWider } = { inner: StrictWider { one: 1, two: Some(2) } },
    { pub(super) inner: Strict } = { inner: Strict { one: 1 } });
versions!(a_new_field_inside_of_elements, "list[].two",
    { #[relation(one_to_few, embed, max = 3)] pub(super) list: Vec<Inner> } = { list: vec![Inner { one: 1 }] },
    { #[relation(one_to_few, embed, max = 3)] pub(super) list: Vec<Wider> } = { list: vec![Wider { one: 1, two: 2 }] });
versions!(elements_of_another_type, "list[]",
    { #[bound(max_items = 3)] pub(super) list: Vec<i32> } = { list: vec![1] },
    { #[bound(max_items = 3)] pub(super) list: Vec<String> } = { list: vec!["a".into()] });

versions!(a_new_required_field_that_the_server_only_reports, "age",
    {} = {}, { pub(super) age: i32 } = { age: 3 }, validation(level = strict, action = warn));
versions!(a_new_rule_that_no_server_checks, "age",
    { pub(super) age: i32 } = { age: -3 }, { #[check(min = 0)] pub(super) age: i32 } = { age: 3 },
    validation(level = off, action = error));

#[derive(Serialize, Deserialize, Debug, Clone, Copy, Embed)]
enum Two {
    Open,
    Closed,
}

#[derive(Serialize, Deserialize, Debug, Clone, Copy, Embed)]
enum Reversed {
    Closed,
    Open,
}

#[derive(Serialize, Deserialize, Debug, Clone, Copy, Embed)]
enum Three {
    Open,
    Closed,
    Lost,
}

#[derive(Serialize, Deserialize, Debug, Embed)]
#[serde(tag = "kind")]
enum Round {
    Circle { radius: i32 },
}

#[derive(Serialize, Deserialize, Debug, Embed)]
#[serde(tag = "kind")]
enum Any {
    Circle { radius: i32 },
    Square { side: i32 },
}

#[derive(Serialize, Deserialize, Debug, Embed)]
struct Inner {
    one: i32,
}

#[derive(Serialize, Deserialize, Debug, Embed)]
struct Wider {
    one: i32,
    two: i32,
}

#[derive(Serialize, Deserialize, Debug, Embed)]
#[serde(deny_unknown_fields)]
struct Strict {
    one: i32,
}

#[derive(Serialize, Deserialize, Debug, Embed)]
#[serde(deny_unknown_fields)]
struct StrictWider {
    one: i32,
    two: Option<i32>,
}
