//! Every write of a value that a function refuses is refused before anything is sent.

use mongodb::bson::{Document, doc};
use schema_runtime::{check_stored, prelude::*, schema};

use super::{
    assert_refused,
    models::{Area, Part, Shade, State, Tag, Thing, thing, wrong},
    refusals,
};
use crate::sent::sent;

#[tokio::test]
async fn each_write_of_a_whole_value_asks_the_functions() {
    let (db, log) = schema_tests::database_with_log().await;
    Thing::insert(&db, &thing(2)).await.unwrap();
    for (value, field, function) in wrong(4) {
        assert_refused(&Thing::check(&value).unwrap_err(), field, function);
        assert_refused(&check_stored(&value).unwrap_err(), field, function);
        let stored = Thing { id: 2, ..value.clone() };
        let (mut created, mut saved) = (value.clone(), stored.clone());
        let (result, names) = sent(&log, async {
            let bulk = Thing::bulk().insert(&value).replace(&stored).execute(&db).await.map(drop);
            let many = Thing::insert_many(&db, &[thing(6), value.clone()]).await;
            assert!(matches!(many, Err(Error::InsertMany { inserted: 0, index: Some(1), .. })), "{many:?}");
            [
                Thing::insert(&db, &value).await,
                Thing::create(&db, &mut created).await,
                many,
                Thing::replace(&db, &stored).await,
                Thing::save(&db, &mut saved).await,
                Thing::upsert(&db, &value).await.map(drop),
                Thing::upsert_many(&db, std::slice::from_ref(&value)).await.map(drop),
                bulk,
            ]
        })
        .await;
        result.into_iter().for_each(|result| assert_refused(&result.unwrap_err(), field, function));
        // `upsert_many` looks for the stored documents first.
        assert_eq!(names, ["find"]);
    }
    let error = Thing::insert(&db, &thing(1)).await.unwrap_err();
    assert_refused(&error, "_id", "judges::is_even");
    assert_eq!(error.to_string().matches("`_id` is refused by `judges::is_even`: the number is odd").count(), 1);
    assert_eq!(Thing::find(Filter::all()).fetch_all(&db).await.unwrap(), [thing(2)]);
}

/// One error has the refusals of functions and all other failures. A null is never judged.
#[tokio::test]
async fn all_failures_are_one_error() {
    let part = Part { length: 5, width: 1 };
    let value = Thing { code: "x".to_owned(), codes: vec![], part, some: None, maybe: None, ..thing(3) };
    let error = Thing::check(&value).unwrap_err();
    let found: Vec<_> =
        super::super::failures(&error).iter().map(|failed| (failed.field.as_str(), failed.rule.as_str())).collect();
    let expected = [
        ("_id", "with"),
        ("c", "minLength"),
        ("c", "with"),
        ("codes", "minItems"),
        ("part", "with"),
        ("part.length", "with"),
    ];
    assert_eq!(found, expected);
    let texts = refusals(&Thing::check(&Thing { code: "xy".to_owned(), ..thing(3) }).unwrap_err())
        .into_iter()
        .map(|(_, function, text)| format!("{function}: {text}"))
        .collect::<Vec<_>>();
    assert_eq!(texts, ["judges::is_even: the number is odd", "is_code: a code does not begin with x"]);
}

#[derive(Patch, Default)]
#[patch(Thing)]
struct EditThing {
    code: Option<String>,
    #[patch(field = part.length)]
    length: Option<i64>,
}

#[tokio::test]
async fn each_written_value_of_an_update_is_judged() {
    let (db, log) = schema_tests::database_with_log().await;
    Thing::insert(&db, &thing(2)).await.unwrap();
    let (f, update) = (Thing::F, || Thing::update_by_id(2));
    let (even, fits) = ("judges::is_even", "judges::fits");
    let long = || Part { length: 4, width: 1 };
    let edit = EditThing { code: Some("xy".to_owned()), length: None };
    let inner = EditThing { length: Some(1), ..EditThing::default() };
    let cases = [
        (update().set(f.code, "xy"), "c", "is_code"),
        (update().set_opt(f.maybe, Some("xy".to_owned())), "maybe", "is_code"),
        (update().set(f.maybe, Some("xy".to_owned())), "maybe", "is_code"),
        (update().set_on_insert(f.code, "xy").upsert(), "c", "is_code"),
        (update().set(f.part, long()), "part", fits),
        (update().set(f.part.length, 1), "part.length", even),
        (update().min(f.part.length, 1), "part.length", even),
        (update().max(f.part.length, 9), "part.length", even),
        (update().push(f.codes, "xy"), "codes.*", "is_code"),
        (update().push_each(f.codes, ["ab", "xy"]), "codes.*", "is_code"),
        (update().add_to_set(f.few, 3), "few.*", even),
        (update().push(f.parts, long()), "parts.*", fits),
        (update().set(f.shade, Shade::Dark), "shade", "judges::is_shade"),
        (update().set(f.state, State::Paid { amount: 1 }), "state.amount", even),
        (update().set(f.tag, Tag("xy".to_owned())), "tag", "is_code"),
        (update().set(f.area.size, 1), "size", even),
        (update().set(f.day, chrono::NaiveDate::from_ymd_opt(2024, 1, 7).unwrap()), "day", "is_weekday"),
        (update().apply(&edit), "c", "is_code"),
        (update().apply(&inner), "part.length", even),
    ];
    log.clear();
    for (update, field, function) in cases {
        assert_refused(&update.execute(&db).await.unwrap_err(), field, function);
    }
    let many = Thing::update_many(Filter::all()).set(f.code, "xy").execute(&db).await;
    assert_refused(&many.unwrap_err(), "c", "is_code");
    let inserting = Thing::update_one(f.code.eq("xy")).set(f.shade, Shade::Bright).upsert().execute(&db).await;
    assert_refused(&inserting.unwrap_err(), "c", "is_code");
    let bulk = Thing::bulk().update(update().set(f.code, "xy")).execute(&db).await;
    assert_refused(&bulk.unwrap_err(), "c", "is_code");
    let found = Thing::find_one_and_update(f.id.eq(2)).set(f.code, "xy").fetch_after(&db).await;
    assert_refused(&found.unwrap_err(), "c", "is_code");
    assert!(log.commands().is_empty());

    let edit = EditThing { code: Some("new".to_owned()), length: Some(-2) };
    update().apply(&edit).set(f.maybe, None).push(f.codes, "cd").execute(&db).await.unwrap();
    let stored = Thing::get_by_id(&db, &2).await.unwrap();
    let expected = Thing {
        code: "new".to_owned(),
        part: Part { length: -2, width: 3 },
        codes: vec!["ab".to_owned(), "cd".to_owned()],
        ..thing(2)
    };
    assert_eq!(stored, expected);
}

/// The writes that the manual lists: the server does not know the functions, and the crate does not know the result.
#[tokio::test]
async fn results_that_only_the_server_knows_are_not_judged() {
    let db = schema_tests::database().await;
    schema![Thing].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Thing::insert(&db, &thing(2)).await.unwrap();
    let f = Thing::F;
    Thing::update_by_id(2).inc(f.part.length, 1).execute(&db).await.unwrap();
    Thing::update_many(Filter::all())
        .set_expr(f.area.size, f.area.size.plus(f.part.length))
        .execute(&db)
        .await
        .unwrap();
    // A part of a struct is written without the rest of the struct.
    Thing::update_by_id(2).set(f.part.width, -9).execute(&db).await.unwrap();
    let raw = db.collection::<Document>("things");
    raw.update_one(doc! { "_id": 2 }, doc! { "$set": { "c": "xy" } }).await.unwrap();
    let stored = Thing::get_by_id(&db, &2).await.unwrap();
    let part = Part { length: 3, width: -9 };
    assert_eq!(stored, Thing { part, area: Area { size: 3 }, code: "xy".to_owned(), ..thing(2) });
    // The validator has the other rules.
    raw.update_one(doc! { "_id": 2 }, doc! { "$set": { "c": "x" } }).await.unwrap_err();
    let plan = schema![Thing].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
    // The next write of the whole value is judged.
    let found: Vec<_> = match Thing::replace(&db, &stored).await.unwrap_err() {
        Error::DocumentInvalid { failures, .. } => failures.into_iter().map(|failed| failed.field).collect(),
        error => panic!("{error:?}"),
    };
    assert_eq!(found, ["c", "part", "part.length", "size"]);
}
