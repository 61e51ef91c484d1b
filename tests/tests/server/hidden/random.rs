//! Random values with random loaded fields, written by each write of a whole value: the stored document equals a model
//! that knows nothing of this crate.

use mongodb::bson::Bson;
use proptest::{collection::vec, option, prelude::*};
use schema_runtime::transaction;
use schema_tests::{database, scale::PROPERTY_CASES};

use super::*;

macro_rules! models {
    ($($module:ident $collection:literal [$($attribute:ident $field:ident: $type:ty = $value:expr),*])*) => {$(
        mod $module {
            use super::*;

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = $collection)]
            pub(super) struct Vault {
                #[serde(rename = "_id")]
                id: i64,
                name: String,
                #[hidden]
                #[serde(rename = "w")]
                word: Hidden<String>,
                #[hidden]
                pin: Hidden<Option<i32>>,
                #[hidden]
                #[bound(max_items = 4, max_len = 8)]
                codes: Hidden<Vec<String>>,
                $(#[$attribute] $field: $type,)*
            }

            /// The fields that this crate sets.
            const FIELDS: &[&str] = &[$(stringify!($field)),*];

            /// Writes the values in turn, and compares the stored document after each write.
            pub(super) async fn check(db: &Database, steps: Vec<Step>) {
                schema![Vault].plan(db).await.unwrap().apply(db).await.unwrap();
                Vault::delete_many(db, Filter::all()).await.unwrap();
                let first = Vault {
                    id: 1,
                    name: "first".into(),
                    word: "first".to_owned().into(),
                    pin: Some(1).into(),
                    codes: Vec::new().into(),
                    $($field: $value,)*
                };
                Vault::insert(db, &first).await.unwrap();
                let mut model = doc! { "name": "first", "w": "first", "pin": 1, "codes": [] };
                for step in steps {
                    let mut value = Vault::get_by_id(db, 1).await.unwrap();
                    assert!(!value.word.is_loaded() && !value.pin.is_loaded() && !value.codes.is_loaded());
                    value.name.clone_from(&step.name);
                    model.insert("name", &step.name);
                    if let Some(word) = &step.word {
                        value.word.set(word.clone());
                        model.insert("w", word);
                    }
                    if let Some(pin) = step.pin {
                        value.pin.set(pin);
                        model.insert("pin", pin);
                    }
                    if let Some(codes) = &step.codes {
                        value.codes.set(codes.clone());
                        model.insert("codes", codes);
                    }
                    match step.write {
                        0 => Vault::replace(db, &value).await.unwrap(),
                        1 => {
                            let written = value.clone();
                            Vault::save(db, &mut value).await.unwrap();
                            let hidden = |vault: &Vault| (vault.word.clone(), vault.pin.clone(), vault.codes.clone());
                            assert_eq!(hidden(&value), hidden(&written), "a save changes no hidden field of the value");
                        }
                        2 => drop(Vault::upsert(db, &value).await.unwrap()),
                        3 => drop(Vault::upsert_many(db, [&value]).await.unwrap()),
                        4 => drop(Vault::bulk().replace(&value).execute(db).await.unwrap().complete().unwrap()),
                        _ => {
                            let value = &value;
                            transaction(db, |tx| async move { Vault::replace(&tx, value).await }).await.unwrap();
                        }
                    }
                    let stored: Document = db.collection($collection).find_one(doc! { "_id": 1 }).await.unwrap().unwrap();
                    for (name, value) in &model {
                        assert_eq!(stored.get(name), Some(value), "{name} after {step:?}");
                    }
                    assert_eq!(stored.len(), model.len() + 1 + FIELDS.len(), "{stored}");
                }
                let all = Vault::find(Filter::all()).reveal(Vault::F.word).reveal(Vault::F.pin).reveal(Vault::F.codes);
                let read = all.fetch_one(db).await.unwrap();
                assert_eq!(read.word.get().map(String::as_str), model.get_str("w").ok());
                assert_eq!(read.pin.get().map(|pin| Bson::from(*pin)).as_ref(), model.get("pin"));
                assert_eq!(read.codes.get().map(|codes| Bson::from(codes.clone())).as_ref(), model.get("codes"));
            }
        }
    )*};
}

models! {
    plain "vaults" []
    managed "managed_vaults" [version number: i64 = 0, created_at created: DateTime = DateTime::from_millis(0)]
}

/// A value, with the hidden fields that are loaded, and the number of a write.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    word: Option<String>,
    pin: Option<Option<i32>>,
    codes: Option<Vec<String>>,
    write: u8,
}

fn step() -> impl Strategy<Value = Step> {
    let text = "[a$.é]{0,8}";
    let parts =
        (text, option::of(text), option::of(option::of(any::<i32>())), option::of(vec("[a-c$]{0,8}", 0..=4)), 0..6_u8);
    parts.prop_map(|(name, word, pin, codes, write)| Step { name, word, pin, codes, write })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPERTY_CASES.of(40), max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn no_random_write_loses_a_hidden_value(steps in vec(step(), 1..8)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = database().await;
            plain::check(&db, steps.clone()).await;
            managed::check(&db, steps).await;
        });
    }
}
