//! Fields that serde writes by a function: a value that stands alone is written like the value in its document.

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

/// A number that is stored as text.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// An optional number that is stored as text.
mod as_text_or_empty {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.map(|value| value.to_string()).unwrap_or_default())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        Ok(String::deserialize(deserializer)?.parse().ok())
    }
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Part {
    name: String,
    #[serde(with = "as_text")]
    #[opaque(max_bytes = 40)]
    code: u64,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Pair<T> {
    value: T,
    #[serde(with = "as_text")]
    #[opaque(max_bytes = 40)]
    code: u64,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "kind")]
enum Body {
    Text {
        text: String,
    },
    Code {
        #[serde(with = "as_text")]
        #[opaque(max_bytes = 40)]
        code: u64,
    },
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i32,
    #[index(unique)]
    #[serde(with = "as_text")]
    #[opaque(max_bytes = 40)]
    code: u64,
    #[serde(with = "as_text_or_empty")]
    #[opaque(max_bytes = 40)]
    other: Option<u64>,
    #[relation(one_to_few, embed, max = 5)]
    parts: Vec<Part>,
    #[relation(one_to_one, embed)]
    pair: Pair<i32>,
    #[relation(one_to_one, embed)]
    body: Body,
}

/// A number above the numbers of BSON.
const LARGE: u64 = u64::MAX;

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Thing)]
struct Card {
    #[serde(with = "as_text")]
    code: u64,
}

fn thing(id: i32, code: u64) -> Thing {
    Thing {
        id,
        code,
        other: None,
        parts: vec![Part { name: "p".to_owned(), code }],
        pair: Pair { value: 1, code },
        body: Body::Code { code },
    }
}

async fn raw(db: &Database, id: i32) -> Document {
    db.collection::<Document>("things").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_filter_asks_for_the_value_as_the_document_has_it() {
    let db = database().await;
    schema![Thing].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Thing::insert_many(&db, [thing(1, LARGE), thing(2, 7)]).await.unwrap();
    let f = Thing::F;
    let ids = async |filter: Filter<Thing>| -> Vec<i32> {
        let found = Thing::find(filter).sort(f.id.asc()).fetch_all(&db).await.unwrap();
        found.into_iter().map(|thing| thing.id).collect()
    };
    assert_eq!(ids(f.code.eq(LARGE)).await, [1]);
    assert_eq!(ids(f.code.ne(LARGE)).await, [2]);
    assert_eq!(ids(f.code.is_in([7, LARGE].iter())).await, [1, 2]);
    assert_eq!(ids(f.code.not_in([7])).await, [1]);
    assert_eq!(ids(f.other.eq(None)).await, [1, 2]);
    assert_eq!(ids(f.other.eq(7)).await, Vec::<i32>::new());
    assert_eq!(ids(f.parts.code.eq(7)).await, [2]);
    assert_eq!(ids(f.parts.elem_match(|part| part.code.eq(LARGE))).await, [1]);
    assert_eq!(ids(f.pair.code.eq(LARGE)).await, [1]);
    assert_eq!(ids(f.body.code().code.eq(7)).await, [2]);
    let cards = Thing::find(f.code.eq(7)).select::<Card>().fetch_all(&db).await.unwrap();
    assert_eq!(cards, [Card { code: 7 }]);
}

#[tokio::test]
async fn an_update_writes_the_value_as_the_document_has_it() {
    let db = database().await;
    schema![Thing].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Thing::insert(&db, &thing(1, 5)).await.unwrap();
    let f = Thing::F;
    let expected = thing(1, LARGE);
    Thing::update_by_id(1)
        .set(f.code, LARGE)
        .set(f.other, Some(9))
        .set(f.pair.code, LARGE)
        .set(f.body.code().code, LARGE)
        .each(f.parts, |part| part.code.eq(5), |change, part| change.set(part.code, LARGE))
        .execute(&db)
        .await
        .unwrap();
    let stored = raw(&db, 1).await;
    assert_eq!(stored.get_str("code").unwrap(), LARGE.to_string());
    assert_eq!(stored.get_str("other").unwrap(), "9");
    assert_eq!(Thing::get_by_id(&db, 1).await.unwrap(), Thing { other: Some(9), ..expected });
    Thing::update_many(f.code.eq(LARGE)).pull_if(f.parts, |part| part.code.eq(LARGE)).execute(&db).await.unwrap();
    assert_eq!(raw(&db, 1).await.get_array("parts").unwrap().len(), 0);
    let after = Thing::find_one_and_update(f.code.eq(LARGE)).set(f.code, 3).fetch_after(&db).await.unwrap();
    assert_eq!(after.unwrap().code, 3);
    let bulk = Thing::bulk().update(Thing::update_one(f.code.eq(3)).set(f.code, 4));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(raw(&db, 1).await.get("code"), Some(&Bson::from("4")));
}

#[tokio::test]
async fn an_upsert_inserts_the_value_of_its_filter_as_the_document_has_it() {
    let db = database().await;
    let f = Thing::F;
    let new = thing(3, LARGE);
    Thing::update_one(f.id.eq(3) & f.code.eq(LARGE))
        .set_on_insert(f.other, None)
        .set_on_insert(f.parts, &new.parts)
        .set_on_insert(f.pair, &new.pair)
        .set_on_insert(f.body, &new.body)
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(Thing::get_by_id(&db, 3).await.unwrap(), new);
    let index = schema![Thing].plan(&db).await.unwrap().apply(&db).await.unwrap();
    index.complete().unwrap();
    let twice = Thing::insert(&db, &thing(4, LARGE)).await;
    assert!(matches!(twice, Err(Error::DuplicateKey { .. })), "{twice:?}");
}
