//! `partial(exists(..))` over an `Option`: the index holds the documents with a `Some`.

// Each index has its own attribute: clippy takes equal words in two attributes for a repeated attribute.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::doc;
use schema_runtime::{check_indexed, explain::ReadProblem, prelude::*};
use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Default)]
#[model(collection = "sites")]
#[index(name, homepage, partial(exists(homepage)), name = "of homepages")]
#[index(name, partial(exists(seen)), name = "seen")]
#[index(name, partial(exists(address)), name = "with an address")]
#[index(name, partial(exists(address.city)), name = "with a city")]
#[index(name, nick, partial(exists(nick)), name = "with a nick")]
#[index(tags, partial(exists(tags)), name = "tagged")]
#[index(name, partial(exists(other)), name = "other")]
#[index(email, unique, partial(exists(email)), name = "one account")]
struct Site {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    homepage: Option<String>,
    seen: Option<DateTime>,
    #[relation(one_to_one, embed)]
    address: Option<Address>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nick: Option<String>,
    #[bound(max_items = 3)]
    tags: Option<Vec<String>>,
    #[opaque(max_bytes = 100)]
    other: Option<mongodb::bson::Bson>,
    email: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Address {
    city: Option<String>,
}

fn full(id: i32, city: Option<&str>) -> Site {
    Site {
        id,
        name: "full".to_owned(),
        homepage: Some(String::new()),
        seen: Some(DateTime::from_millis(-5)),
        address: Some(Address { city: city.map(str::to_owned) }),
        nick: Some("nick".to_owned()),
        tags: Some(vec!["a".to_owned()]),
        other: Some(mongodb::bson::Bson::from(1)),
        email: Some(format!("{id}@example.org")),
    }
}

/// Returns the number of entries of each index.
async fn entries(db: &Database) -> Document {
    let report = db.run_command(doc! { "validate": "sites", "full": true }).await.expect("a report");
    report.get_document("keysPerIndex").expect("the counts").clone()
}

#[tokio::test]
async fn none_is_not_in_the_index() {
    let db = database().await;
    applied(schema![Site], &db).await;
    is_settled(schema![Site], &db).await;
    let empty = |id| Site { id, name: "empty".to_owned(), ..Site::default() };
    let sites: Vec<Site> = (0..20).map(empty).chain([full(20, None), full(21, Some("Oslo"))]).collect();
    Site::insert_many(&db, &sites).await.expect("nulls are no second value of a unique index");
    let entries = entries(&db).await;
    let of = |name: &str| entries.get(name).and_then(|count| count.as_i32().map(i64::from).or(count.as_i64()));
    for index in ["of homepages", "seen", "with an address", "with a nick", "tagged", "other", "one account"] {
        assert_eq!(of(index), Some(2), "{index}: {entries}");
    }
    assert_eq!(of("with a city"), Some(1), "{entries}");

    let f = Site::F;
    let by_homepage = Site::find(f.name.eq("full") & f.homepage.eq(""));
    assert_eq!(check_indexed(&by_homepage, &db).await.expect("explained"), []);
    let tagged = Site::find(f.tags.contains("a"));
    assert_eq!(check_indexed(&tagged, &db).await.expect("explained"), []);
    let any_homepage = Site::find(f.name.eq("full") & f.homepage.gte(""));
    assert_eq!(check_indexed(&any_homepage, &db).await.expect("explained"), []);
    // For the server, `$ne: null` is no comparison with a string. For a field that serde leaves out for `None`, the
    // partial filter asks for nothing more.
    let with_homepage = Site::find(f.name.eq("full") & f.homepage.is_not_null());
    assert_eq!(check_indexed(&with_homepage, &db).await.expect("explained"), [ReadProblem::CollectionScan]);
    let with_nick = Site::find(f.name.eq("full") & f.nick.is_not_null());
    assert_eq!(check_indexed(&with_nick, &db).await.expect("explained"), []);

    let again = Site { email: Some("20@example.org".to_owned()), ..empty(30) };
    let error = Site::insert(&db, &again).await.expect_err("a second account");
    assert!(matches!(&error, Error::DuplicateKey { index, .. } if index == "one account"), "{error}");
}
