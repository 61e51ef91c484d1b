//! Unknown fields of documents: kept by `#[extra]`, dropped, or refused.

use schema_runtime::BoundUnit;
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: i64,
    #[index]
    name: String,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[unversioned]
    visits: i32,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

/// The same collection for a program that drops unknown fields.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "guests", unknown_fields = drop)]
struct Dropping {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "strict", unknown_fields = refuse)]
struct Strict {
    #[serde(rename = "_id")]
    id: i64,
    home: Place,
    #[relation(one_to_few, embed, max = 3)]
    places: Vec<Place>,
    #[relation(one_to_few, embed, max = 3)]
    by_name: BTreeMap<String, Place>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    city: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "plain", unknown_fields = keep)]
struct Plain {
    #[serde(rename = "_id")]
    id: i64,
    #[extra(max_bytes = 100)]
    #[serde(skip)]
    rest: HashMap<String, Bson>,
}

fn unknown() -> Document {
    doc! {
        "badge": 7,
        "_class": "com.example.Guest",
        "__v": 3_i64,
        "nested": { "$ref": "x", "$id": 5, "a.b": [1, { "$oid": "abababababababababababab" }] },
        "bytes": mongodb::bson::Binary { subtype: mongodb::bson::spec::BinarySubtype::UserDefined(130), bytes: vec![1, 2] },
        "nothing": Bson::Null,
        "decimal": "1.50".parse::<Decimal128>().unwrap(),
    }
}

fn guest(id: i64) -> Guest {
    let rest = unknown();
    Guest { id, name: "Ann".to_owned(), version: 0, created: DateTime::now(), visits: 1, rest }
}

/// Returns the unknown fields of the stored document.
async fn others(db: &Database, id: i64) -> Document {
    let mut document = stored(db, "guests", id).await;
    for name in ["_id", "name", "version", "created", "visits"] {
        document.remove(name);
    }
    document
}

#[tokio::test]
async fn every_write_of_a_whole_value_stores_the_unknown_fields() {
    let db = database().await;
    applied(schema![Guest], &db).await;
    Guest::insert(&db, &guest(1)).await.unwrap();
    assert_eq!(others(&db, 1).await, unknown());
    let mut found = Guest::get_by_id(&db, 1).await.unwrap();
    assert_eq!(found.rest, unknown());

    found.name.push('a');
    Guest::save(&db, &mut found).await.unwrap();
    assert_eq!((others(&db, 1).await, &found.rest), (unknown(), &unknown()));
    Guest::replace(&db, &found).await.unwrap();
    assert_eq!(others(&db, 1).await, unknown());
    // An update by operators leaves the fields as stored.
    Guest::update_by_id(1).set(Guest::F.name, "Eve").execute(&db).await.unwrap();
    assert_eq!(others(&db, 1).await, unknown());

    let mut found = Guest::get_by_id(&db, 1).await.unwrap();
    found.rest.remove("badge");
    found.rest.insert("added", true);
    Guest::save(&db, &mut found).await.unwrap();
    let mut expected = unknown();
    expected.remove("badge");
    expected.insert("added", true);
    assert_eq!(others(&db, 1).await, expected);

    Guest::create(&db, &mut guest(2)).await.unwrap();
    Guest::save(&db, &mut guest(3)).await.unwrap();
    Guest::upsert(&db, &guest(4)).await.unwrap();
    Guest::insert_many(&db, [guest(5), guest(6)]).await.unwrap();
    Guest::upsert_many(&db, [guest(7), guest(8)]).await.unwrap();
    let mut bulk = Guest::bulk();
    bulk = bulk.insert(&guest(9));
    let six = Guest::get_by_id(&db, 6).await.unwrap();
    bulk.replace(&six).execute(&db).await.unwrap().complete().unwrap();
    for id in 2..=9 {
        assert_eq!(others(&db, id).await, unknown(), "{id}");
        assert_eq!(Guest::get_by_id(&db, id).await.unwrap().rest, unknown());
    }
    let returned =
        Guest::find_one_and_update(Guest::F.id.eq(9)).inc(Guest::F.visits, 1).fetch_after(&db).await.unwrap();
    assert_eq!(returned.unwrap().rest, unknown());
}

#[tokio::test]
async fn a_model_that_drops_removes_unknown_fields_with_a_replace_alone() {
    let db = database().await;
    raw(&db, "guests").insert_one(doc! { "_id": 1_i64, "name": "Ann", "badge": 7, "_class": "x" }).await.unwrap();
    let found = Dropping::get_by_id(&db, 1).await.unwrap();
    Dropping::update_by_id(1).set(Dropping::F.name, "Eve").execute(&db).await.unwrap();
    assert_eq!(stored(&db, "guests", 1).await, doc! { "_id": 1_i64, "name": "Eve", "badge": 7, "_class": "x" });
    Dropping::replace(&db, &found).await.unwrap();
    assert_eq!(stored(&db, "guests", 1).await, doc! { "_id": 1_i64, "name": "Ann" });
}

#[tokio::test]
async fn a_name_that_is_no_unknown_field_is_refused_before_a_command() {
    let (db, log) = database_with_log().await;
    for name in
        ["name", "_id", "version", "", "$set", "a.b", "_v", "_v_part", "_sync_x", "_slugs_slug", "_deleting", "a\0"]
    {
        log.clear();
        let mut value = Guest { rest: doc! { name: 1 }, ..guest(1) };
        let mut bulk = Guest::bulk();
        bulk = bulk.replace(&value);
        for error in [
            Guest::insert(&db, &value).await.unwrap_err(),
            Guest::replace(&db, &value).await.unwrap_err(),
            Guest::upsert(&db, &value).await.map(drop).unwrap_err(),
            bulk.execute(&db).await.map(drop).unwrap_err(),
            Guest::save(&db, &mut value).await.unwrap_err(),
        ] {
            let Error::Encode { field, .. } = error.cause() else { panic!("{name:?}: {error:?}") };
            assert_eq!(field, "rest");
        }
        assert_eq!(log.commands().len(), 0, "{name}");
    }
    let value = Plain { id: 1, rest: HashMap::from([("x".to_owned(), "a".repeat(100).into())]) };
    let error = Plain::insert(&db, &value).await.unwrap_err();
    let Error::BoundExceeded { field, bound: 100, unit: BoundUnit::Bytes, .. } = error else { panic!("{error:?}") };
    assert_eq!(field, "rest");
    let large = Guest { rest: doc! { "x": "a".repeat(17 << 20) }, ..guest(1) };
    assert!(matches!(Guest::insert(&db, &large).await, Err(Error::BoundExceeded { .. })));
    let nul = Guest { rest: doc! { "x": { "a\0": 1 } }, ..guest(1) };
    assert!(matches!(Guest::insert(&db, &nul).await, Err(Error::Encode { .. })));
    assert_eq!(log.commands().len(), 0);
}

#[tokio::test]
async fn a_map_keeps_unknown_fields() {
    let db = database().await;
    raw(&db, "plain").insert_one(doc! { "_id": 1_i64, "b": 1, "a": { "c": "x" } }).await.unwrap();
    let mut found = Plain::get_by_id(&db, 1).await.unwrap();
    assert_eq!(found.rest, HashMap::from([("a".to_owned(), doc! { "c": "x" }.into()), ("b".to_owned(), 1.into())]));
    Plain::save(&db, &mut found).await.unwrap();
    assert_eq!(stored(&db, "plain", 1).await, doc! { "_id": 1_i64, "a": { "c": "x" }, "b": 1 });
}

#[tokio::test]
async fn a_model_that_refuses_names_the_path_and_the_validator_refuses_too() {
    let db = database().await;
    let place = |city: &str| Place { city: city.to_owned() };
    let by_name = BTreeMap::from([("x".to_owned(), place("Oslo"))]);
    let value = Strict { id: 1, home: place("Oslo"), places: vec![place("a"), place("b")], by_name };
    Strict::insert(&db, &value).await.unwrap();
    let right = stored(&db, "strict", 1).await;
    let changes = [
        ("badge", "badge"),
        ("_class", "_class"),
        ("home.zip", "home.zip"),
        ("places.1.zip", "places.1.zip"),
        ("by_name.x.zip", "by_name.*.zip"),
    ];
    let names = raw(&db, "strict");
    for (path, expected) in changes {
        names.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { path: 1 } }).await.unwrap();
        let Err(Error::Decode { path, .. }) = Strict::get_by_id(&db, 1).await else { panic!("{path} is read") };
        assert_eq!(path, expected);
        names.replace_one(doc! { "_id": 1_i64 }, &right).await.unwrap();
    }
    // The names of this crate are no unknown fields.
    names.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "_v": 1, "home._v_part": 2 } }).await.unwrap();
    assert_eq!(Strict::get_by_id(&db, 1).await.unwrap(), value);

    applied(schema![Strict], &db).await;
    let mut again = value.clone();
    Strict::save(&db, &mut again).await.unwrap();
    for (path, _) in changes {
        let refused = names.update_one(doc! { "_id": 1_i64 }, doc! { "$set": { path: 1 } }).await;
        assert!(refused.unwrap_err().to_string().contains("validation"), "{path}");
    }
    names
        .update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "_v": 1, "_sync_x": 1, "home._f_part": 2 } })
        .await
        .unwrap();
    let plan = schema![Strict].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}
