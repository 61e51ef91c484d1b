//! Any value of each type in each position goes to JSON and comes back as the same value.

use std::collections::BTreeMap;

use proptest::{
    collection::{btree_map, btree_set, hash_map, vec},
    option,
    prelude::*,
    strategy::ValueTree,
    test_runner::TestRunner,
};
use schema_runtime::{
    bson::{Binary, Document, Timestamp, spec::BinarySubtype},
    json::{self, Json, JsonOptions},
    prelude::*,
};
use schema_tests::database;

use super::*;

const CASES: usize = 150;

type Any<T> = BoxedStrategy<T>;

fn object_id() -> Any<ObjectId> {
    any::<[u8; 12]>().prop_map(ObjectId::from_bytes).boxed()
}

fn text() -> Any<String> {
    "(?s).{0,8}".boxed()
}

fn letter() -> Any<char> {
    any::<char>().boxed()
}

fn double() -> Any<f64> {
    let (normal, subnormal) = (proptest::num::f64::NORMAL, proptest::num::f64::SUBNORMAL);
    prop_oneof![20 => normal, 4 => subnormal, 1 => Just(f64::INFINITY), 2 => Just(-0.0)].boxed()
}

fn single() -> Any<f32> {
    let (normal, subnormal) = (proptest::num::f32::NORMAL, proptest::num::f32::SUBNORMAL);
    prop_oneof![20 => normal, 4 => subnormal, 1 => Just(f32::NEG_INFINITY)].boxed()
}

fn date() -> Any<DateTime> {
    prop_oneof![any::<i64>(), -70_000_000_000_000_i64..300_000_000_000_000].prop_map(DateTime::from_millis).boxed()
}

fn price() -> Any<Decimal128> {
    (any::<i64>(), -60..60_i32).prop_map(|(digits, exponent)| format!("{digits}E{exponent}").parse().unwrap()).boxed()
}

fn uuid() -> Any<Uuid> {
    any::<[u8; 16]>().prop_map(Uuid::from_bytes).boxed()
}

fn bytes() -> Any<Binary> {
    let subtype = prop_oneof![Just(BinarySubtype::Generic), (0x80..=0xff_u8).prop_map(BinarySubtype::UserDefined)];
    (subtype, vec(any::<u8>(), 0..6)).prop_map(|(subtype, bytes)| Binary { subtype, bytes }).boxed()
}

fn clock() -> Any<Timestamp> {
    any::<(u32, u32)>().prop_map(|(time, increment)| Timestamp { time, increment }).boxed()
}

fn maker() -> Any<Ref<Maker>> {
    object_id().prop_map(Ref::new).boxed()
}

fn owner() -> Any<Ref<Owner>> {
    text().prop_map(Ref::new).boxed()
}

fn sku() -> Any<Sku> {
    text().prop_map(Sku).boxed()
}

fn language() -> Any<Language> {
    prop_oneof![Just(Language::OldNorse), Just(Language::Latin)].boxed()
}

fn large() -> Any<u64> {
    (0..=i64::MAX as u64).boxed()
}

/// A key of a map.
fn key() -> Any<String> {
    "[^\u{0}]{0,6}".boxed()
}

fn mapped<T: std::fmt::Debug + 'static>(value: Any<T>) -> Any<BTreeMap<String, T>> {
    btree_map(key(), value, 0..=3).boxed()
}

/// Makes a struct of [`values!`](super::values) with each value made by `$position`.
macro_rules! each {
    ($name:ident, $position:expr) => {
        (
            (
                $position(object_id()),
                $position(text()),
                $position(letter()),
                $position(any::<bool>().boxed()),
                $position(any::<i8>().boxed()),
                $position(any::<i32>().boxed()),
                $position(any::<i64>().boxed()),
                $position(any::<u32>().boxed()),
                $position(large()),
                $position(double()),
            ),
            (
                $position(single()),
                $position(date()),
                $position(price()),
                $position(uuid()),
                $position(bytes()),
                $position(clock()),
                $position(maker()),
                $position(owner()),
                $position(sku()),
                $position(language()),
            ),
        )
            .prop_map(
                |(
                    (object_id, text, letter, flag, byte, int, long, unsigned, large, double),
                    (single, date, price, uuid, bytes, clock, maker, owner, sku, language),
                )| $name {
                    object_id,
                    text,
                    letter,
                    flag,
                    byte,
                    int,
                    long,
                    unsigned,
                    large,
                    double,
                    single,
                    date,
                    price,
                    uuid,
                    bytes,
                    clock,
                    maker,
                    owner,
                    sku,
                    language,
                },
            )
            .boxed()
    };
}

fn any_values() -> Any<Values> {
    fn alone<T>(value: Any<T>) -> Any<T> {
        value
    }
    each!(Values, alone)
}

fn any_maybes() -> Any<Maybes> {
    each!(Maybes, option::of)
}

fn any_lists() -> Any<Lists> {
    fn listed<T: std::fmt::Debug + 'static>(value: Any<T>) -> Any<Vec<T>> {
        vec(value, 0..=3).boxed()
    }
    each!(Lists, listed)
}

fn any_maps() -> Any<Maps> {
    each!(Maps, mapped)
}

fn any_body() -> Any<Body> {
    prop_oneof![
        (text(), option::of(date())).prop_map(|(text, date)| Body::Text { text, date }),
        any::<i64>().prop_map(|text| Body::Number { text }),
        any_values().prop_map(Body::Whole),
        Just(Body::Nothing),
    ]
    .boxed()
}

fn any_beside() -> Any<Beside> {
    prop_oneof![maker().prop_map(|maker| Beside::Reference { maker }), Just(Beside::Nothing)].boxed()
}

fn any_foreign() -> Any<Foreign> {
    let inner = vec(btree_map("[a-z]{0,4}", uuid(), 0..=2), 0..=2);
    (object_id(), date(), any::<i64>(), any::<i64>(), double(), bytes(), inner)
        .prop_map(|(id, date, number, large, double, bytes, inner)| Foreign {
            id,
            date,
            number,
            large,
            double,
            bytes,
            inner,
        })
        .boxed()
}

fn any_whole() -> Any<Whole> {
    (
        (object_id(), any_values(), any_maybes(), any_lists(), any_maps(), option::of(any_values())),
        (vec(any_values(), 0..=2), btree_map(key(), any_values(), 0..=2), any_body(), vec(any_body(), 0..=3)),
        (any_beside(), btree_set(any::<i32>(), 0..=4), hash_map(key(), any::<i64>(), 0..=4)),
        (any::<[i32; 2]>(), any_foreign()),
    )
        .prop_map(
            |(
                (id, alone, maybes, lists, maps, maybe),
                (several, by_name, body, bodies),
                (beside, set, hashed),
                (pair, foreign),
            )| Whole {
                id,
                alone,
                maybes,
                lists,
                maps,
                maybe,
                several,
                by_name,
                body,
                bodies,
                beside,
                set,
                hashed,
                pair,
                foreign,
            },
        )
        .boxed()
}

/// Returns a document with a value in each position.
pub(super) fn sample() -> Whole {
    let mut runner = TestRunner::deterministic();
    let mut whole = any_whole().new_tree(&mut runner).unwrap().current();
    let value = values();
    whole.maybes.object_id = Some(value.object_id);
    whole.lists.date = vec![value.date];
    whole.maps.date = BTreeMap::from([("k".to_owned(), value.date)]);
    whole.several = vec![value.clone(), value.clone()];
    whole.by_name = BTreeMap::from([("k".to_owned(), value.clone())]);
    whole.alone = value;
    whole.body = Body::Nothing;
    whole.bodies = vec![Body::Number { text: 5 }];
    whole.beside = Beside::Reference { maker: super::maker() };
    whole.hashed = [("k".to_owned(), 1)].into();
    whole
}

#[test]
fn any_value_comes_back_as_it_was() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..CASES {
        let whole = any_whole().new_tree(&mut runner).unwrap().current();
        let text = serde_json::to_string(&Json(&whole)).unwrap();
        assert_eq!(json::from_json::<Whole>(&text).unwrap(), whole, "{text}");
        let options = JsonOptions::new().large_integers_as_text();
        let value = options.to_json(&whole).unwrap();
        assert_eq!(options.from_value::<Whole>(&value).unwrap(), whole, "{value}");
    }
}

/// The driver writes a document as extended JSON, and this crate reads the text. The driver's bson 3 has the functions
/// behind a feature.
#[cfg(not(feature = "bson-3"))]
#[test]
fn extended_json_of_the_driver_is_read() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..CASES {
        let whole = any_whole().new_tree(&mut runner).unwrap().current();
        let document = || schema_runtime::bson::Bson::from(mongodb::bson::to_document(&whole).unwrap());
        for extended in [document().into_canonical_extjson(), document().into_relaxed_extjson()] {
            assert_eq!(json::from_json::<Whole>(extended.to_string()).unwrap(), whole, "{extended}");
        }
    }
}

#[tokio::test]
async fn a_stored_value_has_the_same_json() {
    let db = database().await;
    let mut runner = TestRunner::deterministic();
    let wholes: Vec<Whole> = (0..20).map(|_| any_whole().new_tree(&mut runner).unwrap().current()).collect();
    for whole in &wholes {
        let read: Whole = json::from_value(&json::to_json(whole).unwrap()).unwrap();
        Whole::insert(&db, &read).await.unwrap();
        let stored = db.collection::<Document>("wholes").find_one(doc! { "_id": whole.id }).await.unwrap().unwrap();
        assert_eq!(stored.keys().count(), 15);
        let back = Whole::get_by_id(&db, whole.id).await.unwrap();
        assert_eq!(json::to_json(&back).unwrap(), json::to_json(whole).unwrap());
    }
}
