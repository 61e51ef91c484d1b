//! A validator limits each integer to the range of its Rust type.

use mongodb::bson::{Bson, doc};
use schema_runtime::{RuleLimit, apply::ApplyOptions, plan::Change, prelude::*};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "meters")]
struct Meter {
    #[serde(rename = "_id")]
    id: u32,
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: u8,
    f: u16,
    g: u32,
    h: u64,
    optional: Option<i32>,
    #[bound(max_items = 3)]
    list: Vec<i16>,
    #[version]
    version: i32,
}

fn meter(id: u32) -> Document {
    doc! {
        "_id": i64::from(id), "a": 0, "b": 0, "c": 0, "d": 0, "e": 0, "f": 0, "g": 0, "h": 0, "optional": null,
        "list": [0, 1], "version": 1,
    }
}

fn with(mut meter: Document, field: &str, number: i64) -> Document {
    meter.insert(field, number);
    meter
}

/// The least and the greatest number of each type, as any client may store the number.
const RANGES: [(&str, i64, i64); 9] = [
    ("a", i8::MIN as i64, i8::MAX as i64),
    ("b", i16::MIN as i64, i16::MAX as i64),
    ("c", i32::MIN as i64, i32::MAX as i64),
    ("e", 0, u8::MAX as i64),
    ("f", 0, u16::MAX as i64),
    ("g", 0, u32::MAX as i64),
    ("optional", i32::MIN as i64, i32::MAX as i64),
    ("list.1", i16::MIN as i64, i16::MAX as i64),
    ("version", i32::MIN as i64, i32::MAX as i64),
];

#[tokio::test]
async fn another_client_stores_no_number_that_the_struct_cannot_read() {
    let db = database().await;
    applied(schema![Meter], &db).await;
    let meters = raw(&db, "meters");
    meters.insert_one(meter(1)).await.expect("it is valid");
    let set = |field: &str, value: Bson| meters.update_one(doc! { "_id": 1 }, doc! { "$set": { field: value } });

    // All values of the types are accepted, in either width, and are readable.
    let ends = RANGES.into_iter().chain([("d", i64::MIN, i64::MAX), ("h", 0, i64::MAX)]);
    for (field, least, greatest) in ends {
        for number in [least, greatest] {
            set(field, Bson::Int64(number)).await.unwrap_or_else(|error| panic!("{field}: {number}: {error}"));
            Meter::get_by_id(&db, &1).await.unwrap_or_else(|error| panic!("{field}: {number}: {error}"));
        }
        set(field, Bson::Int32(1)).await.expect(field);
    }
    // A number beyond an end is refused.
    let over = RANGES.into_iter().flat_map(|(field, least, greatest)| [(field, least - 1), (field, greatest + 1)]);
    for (field, number) in over.chain([("h", -1), ("_id", -1)]) {
        let refused = match field {
            "_id" => meters.insert_one(with(meter(1), field, number)).await.map(drop),
            field => set(field, Bson::Int64(number)).await.map(drop),
        };
        let error = refused.expect_err(&format!("{field}: {number}"));
        assert!(error.to_string().contains("Document failed validation"), "{field}: {error}");
    }
    // A double is no integer, also with a whole value; a shell writes a number over 32 bits as a double.
    set("c", Bson::Double(2_f64.powi(40))).await.expect_err("a double");
    set("d", Bson::Double(2_f64.powi(40))).await.expect_err("a double");
    Meter::get_by_id(&db, &1).await.expect("what is stored can be read");
}

/// The validator also checks the updates of this crate: the server counts in 64 bits.
#[tokio::test]
async fn the_error_names_the_field_and_its_limit() {
    let db = database().await;
    applied(schema![Meter], &db).await;
    raw(&db, "meters").insert_one(meter(1)).await.expect("it is valid");
    Meter::update_by_id(1).set(Meter::F.c, i32::MAX).execute(&db).await.expect("it is the greatest");
    let error = Meter::update_by_id(1).inc(Meter::F.c, 1).execute(&db).await.expect_err("it is one more");
    let Error::DocumentInvalid { failures, .. } = &error else { panic!("{error:?}") };
    let [failed] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!((failed.field.as_str(), failed.rule.as_str()), ("c", "maximum"));
    assert_eq!((failed.limit.clone(), failed.found_type.as_deref()), (Some(RuleLimit::Integer(i32::MAX.into())), None));
    assert_eq!(
        error.to_string(),
        "a document of `meters` does not pass the collection's validator: `c` is greater than 2147483647, the greatest \
         allowed value"
    );
    let error = Meter::update_by_id(1).inc(Meter::F.h, u64::MAX).execute(&db).await;
    assert!(matches!(error, Err(Error::Encode { .. })), "{error:?}");
    let below = Meter::update_by_id(1).raw(doc! { "$set": { "list.1": -40_000, "e": -1 } });
    let error = below.execute(&db).await.expect_err("two are out of their range");
    let text = error.to_string();
    assert!(text.contains("`e` is less than 0, the least allowed value"), "{text}");
    assert!(text.contains("`list.1` is less than -32768, the least allowed value"), "{text}");
    assert!(!text.contains("40000"), "no value of the document: {text}");
}

/// A validator from the time before the ranges.
#[tokio::test]
async fn a_validator_without_ranges_is_changed_by_one_coll_mod() {
    let (db, log) = database_with_log().await;
    applied(schema![Meter], &db).await;
    let mut old = options(&db, "meters").await.get_document("validator").expect("a validator").clone();
    forget_ranges(&mut old);
    db.run_command(doc! { "collMod": "meters", "validator": old }).await.expect("it is changed");
    raw(&db, "meters").insert_one(with(meter(7), "c", 1 << 40)).await.expect("the old one lets it in");
    raw(&db, "meters").insert_one(meter(8)).await.expect("it is valid");

    let plan = planned(schema![Meter], &db).await;
    let [Change::SetValidator { old: Some(_), foreign: false, refused: Some(1), .. }] = changes(&plan)[..] else {
        panic!("{plan}")
    };
    let text = plan.to_string();
    assert!(text.contains("+ c.maximum: 2147483647\n"), "{text}");
    assert!(text.contains("+ h.minimum: 0\n") && !text.contains("h.maximum") && !text.contains(" d.m"), "{text}");
    log.clear();
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&db, allow).await.and_then(|report| report.complete()).expect("every step is done");
    assert_eq!(changing(&log), ["collMod"]);
    is_settled(schema![Meter], &db).await;
}

fn forget_ranges(schema: &mut Document) {
    schema.remove("minimum");
    schema.remove("maximum");
    for (_, inner) in schema.iter_mut() {
        if let Bson::Document(inner) = inner {
            forget_ranges(inner);
        }
    }
}
