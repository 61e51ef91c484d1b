//! The values that updates write.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, schema};

use super::{
    assert_failed,
    models::{
        checked::{Age, Cents, Good, Part, Rank, State, good},
        unchecked,
    },
};

#[derive(Patch, Default)]
#[patch(Good)]
struct EditGood {
    percent: Option<i32>,
    code: Option<String>,
    #[patch(field = part.count)]
    count: Option<i32>,
}

#[tokio::test]
async fn a_wrong_value_of_an_update_is_never_sent() {
    let (db, log) = schema_tests::database_with_log().await;
    Good::insert(&db, &good(1)).await.unwrap();
    log.clear();
    let f = Good::F;
    let update = || Good::update_by_id(1);
    let edit = EditGood { percent: Some(50), code: Some("abc".to_owned()), count: None };
    let inner = EditGood { count: Some(0), ..EditGood::default() };
    let many = || vec!["ab".to_owned(), "ab".to_owned()];
    let cases = [
        (update().set(f.percent, 101), "percent", "maximum"),
        (update().set_opt(f.level, Some(-6)), "level", "minimum"),
        (update().set_on_insert(f.percent, 101).upsert(), "percent", "maximum"),
        (update().min(f.percent, -1), "percent", "minimum"),
        (update().max(f.percent, 101), "percent", "maximum"),
        (update().set(f.name, "a"), "label", "minLength"),
        (update().set(f.weight, -0.0), "weight", "exclusiveMinimum"),
        (update().set(f.price, 0.35), "price", "multipleOf"),
        (update().set(f.code, "abc"), "code", "pattern"),
        (update().set(f.email, Some("a b@c".to_owned())), "email", "pattern"),
        (update().set(f.link, Some("ftp://a".to_owned())), "link", "pattern"),
        (update().set(f.phase, Some("old".to_owned())), "phase", "enum"),
        (update().set(f.size, 3), "size", "enum"),
        (update().set(f.rank, Rank::High), "rank", "enum"),
        (update().set(f.tags, Vec::<String>::new()), "tags", "minItems"),
        (update().set(f.tags, many()), "tags", "uniqueItems"),
        (update().push(f.tags, "a"), "tags.*", "minLength"),
        (update().push_each(f.tags, ["ab", "a"]), "tags.*", "minLength"),
        (update().add_to_set(f.tags, "a"), "tags.*", "minLength"),
        (update().push(f.parts, Part { count: 0 }), "parts.*.count", "minimum"),
        (update().push(f.ages, Age(-1)), "ages.*", "minimum"),
        (update().set(f.part, Part { count: 0 }), "part.count", "minimum"),
        (update().set(f.part.count, 0), "part.count", "minimum"),
        (update().set(f.state, State::Paid { amount: 0 }), "state.amount", "exclusiveMinimum"),
        (update().set(f.age, Age(151)), "age", "maximum"),
        (update().set(f.cents, Cents(-1)), "cents", "minimum"),
        (update().set(f.area.width, 0), "width", "exclusiveMinimum"),
        (update().apply(&edit), "code", "pattern"),
        (update().apply(&inner), "part.count", "minimum"),
    ];
    for (update, field, rule) in cases {
        assert_failed(&update.execute(&db).await.unwrap_err(), field, rule);
    }
    let update_many = Good::update_many(Filter::all()).set(f.percent, 101);
    assert_failed(&update_many.execute(&db).await.unwrap_err(), "percent", "maximum");
    let inserting = Good::update_one(f.percent.eq(101)).set(f.name, "ab").upsert();
    assert_failed(&inserting.execute(&db).await.unwrap_err(), "percent", "maximum");
    let bulk = Good::bulk().update(Good::update_by_id(1).set(f.percent, 101));
    assert_failed(&bulk.execute(&db).await.unwrap_err(), "percent", "maximum");
    assert_eq!(log.commands().into_iter().map(|(name, _)| name).collect::<Vec<_>>(), [] as [String; 0]);

    // The greatest allowed values, and null.
    let update = Good::update_by_id(1).set(f.percent, 0).set(f.level, None).set(f.area.width, 1);
    let edit = EditGood { percent: None, code: Some("XYZ".to_owned()), count: Some(7) };
    update.push(f.tags, "abc").apply(&edit).execute(&db).await.unwrap();
    let changed = Good::get_by_id(&db, &1).await.unwrap();
    assert_eq!((changed.percent, changed.code.as_str(), changed.part.count), (0, "XYZ", 7));
    assert_eq!(changed.tags, ["ab", "abc"]);
}

/// The validator refuses changes whose result only the server knows.
#[tokio::test]
async fn the_validator_refuses_the_results_of_changes() {
    let db = schema_tests::database().await;
    schema![Good].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Good::insert(&db, &good(1)).await.unwrap();
    let f = Good::F;
    let refused = Good::update_by_id(1).push(f.tags, "ab").execute(&db).await.unwrap_err();
    assert_failed(&refused, "tags", "uniqueItems");
    let refused = Good::update_by_id(1).pull(f.tags, "ab").execute(&db).await.unwrap_err();
    assert_failed(&refused, "tags", "minItems");
    let refused = Good::update_many(Filter::all()).inc(f.percent, 1).execute(&db).await.unwrap_err();
    assert_failed(&refused, "percent", "maximum");
    let raw = doc! { "$set": { "code": "abc" } };
    db.collection::<Document>("goods").update_one(doc! { "_id": 1 }, raw).await.unwrap_err();
    assert_eq!(Good::get_by_id(&db, &1).await.unwrap(), good(1));
    assert_eq!(unchecked::Good::get_by_id(&db, &1).await.unwrap(), unchecked::good(1));
}
