//! Any value of each type, in a flat struct, in a struct inside a flat struct, in a list and in a map, is written as
//! the raw document that the test builds by hand, and is read from that document.

use std::collections::BTreeMap;

use mongodb::bson::{Binary, Timestamp, spec::BinarySubtype};
use proptest::{collection::vec, option, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use schema_tests::database;

use super::*;

const CASES: usize = 150;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "holders")]
struct Holder {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    values: Values,
    #[embed(flat)]
    #[serde(flatten)]
    outer: Outer,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Outer {
    inner: Box<Values>,
    maybe: Option<Values>,
    #[relation(one_to_few, embed, max = 3)]
    list: Vec<Values>,
    #[relation(one_to_few, embed, max = 3)]
    map: BTreeMap<String, Values>,
    shape: Shape,
    #[embed(flat)]
    #[serde(flatten)]
    deep: Deep,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Deep {
    when: Option<DateTime>,
    ids: [ObjectId; 2],
    bytes_by_name: Named,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Named(#[bound(max_items = 3)] BTreeMap<String, Binary>);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: f64, at: DateTime },
    Owned { by: ObjectId },
    None,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Values {
    object_id: ObjectId,
    text: String,
    letter: char,
    is_on: bool,
    byte: i8,
    int: i32,
    long: i64,
    unsigned: u32,
    large: u64,
    double: f64,
    single: f32,
    date: DateTime,
    price: Decimal128,
    uuid: Uuid,
    bytes: Binary,
    clock: Timestamp,
    holder: Ref<Holder>,
    kind: Kind,
    nothing: Option<Decimal128>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    absent: Option<ObjectId>,
}

fn document_of(values: &Values) -> Document {
    let mut document = doc! {
        "objectId": values.object_id,
        "text": &values.text,
        "letter": values.letter.to_string(),
        "isOn": values.is_on,
        "byte": i32::from(values.byte),
        "int": values.int,
        "long": values.long,
        "unsigned": number(values.unsigned.into()),
        "large": values.large as i64,
        "double": values.double,
        "single": f64::from(values.single),
        "date": values.date,
        "price": values.price,
        "uuid": values.uuid,
        "bytes": values.bytes.clone(),
        "clock": values.clock,
        "holder": *values.holder.id(),
        "kind": if values.kind == Kind::Flat { "flat" } else { "villa" },
        "nothing": values.nothing,
    };
    if let Some(id) = values.absent {
        document.insert("absent", id);
    }
    document
}

/// serde writes a `u32` as the smaller BSON type that holds the number, or as a long.
fn number(number: i64) -> Bson {
    Bson::from(number)
}

fn stored(holder: &Holder) -> Document {
    let mut document = doc! { "_id": holder.id };
    document.extend(document_of(&holder.values));
    let outer = &holder.outer;
    let map: Document = outer.map.iter().map(|(key, values)| (key.clone(), document_of(values).into())).collect();
    document.insert("inner", document_of(&outer.inner));
    document.insert("maybe", outer.maybe.as_ref().map(document_of));
    document.insert("list", outer.list.iter().map(document_of).collect::<Vec<_>>());
    document.insert("map", map);
    document.insert(
        "shape",
        match &outer.shape {
            Shape::Circle { radius, at } => doc! { "kind": "Circle", "radius": *radius, "at": *at },
            Shape::Owned { by } => doc! { "kind": "Owned", "by": *by },
            Shape::None => doc! { "kind": "None" },
        },
    );
    document.insert("when", outer.deep.when);
    document.insert("ids", outer.deep.ids.to_vec());
    let bytes: Document =
        outer.deep.bytes_by_name.0.iter().map(|(key, bytes)| (key.clone(), bytes.clone().into())).collect();
    document.insert("bytes_by_name", bytes);
    document
}

fn object_id() -> impl Strategy<Value = ObjectId> {
    any::<[u8; 12]>().prop_map(ObjectId::from_bytes)
}

fn date() -> impl Strategy<Value = DateTime> {
    prop_oneof![any::<i64>(), -70_000_000_000_000_i64..300_000_000_000_000].prop_map(DateTime::from_millis)
}

fn price() -> impl Strategy<Value = Decimal128> {
    let special = prop_oneof![Just("NaN"), Just("Infinity"), Just("-0E+3")].prop_map(|text| text.parse().unwrap());
    let number =
        (any::<i64>(), -60..60_i32).prop_map(|(digits, exponent)| format!("{digits}E{exponent}").parse().unwrap());
    prop_oneof![1 => special, 9 => number]
}

fn bytes() -> impl Strategy<Value = Binary> {
    let subtype = prop_oneof![
        3 => Just(BinarySubtype::Generic),
        1 => Just(BinarySubtype::Function),
        1 => Just(BinarySubtype::Md5),
        2 => (0x80..=0xff_u8).prop_map(BinarySubtype::UserDefined),
    ];
    (subtype, vec(any::<u8>(), 0..20)).prop_map(|(subtype, bytes)| Binary { subtype, bytes })
}

fn double() -> impl Strategy<Value = f64> {
    let (normal, subnormal) = (proptest::num::f64::NORMAL, proptest::num::f64::SUBNORMAL);
    prop_oneof![9 => normal, 3 => subnormal, 1 => Just(f64::INFINITY), 1 => Just(-0.0), 3 => (-9..9_i32).prop_map(f64::from)]
}

fn single() -> impl Strategy<Value = f32> {
    prop_oneof![9 => proptest::num::f32::NORMAL, 1 => Just(f32::NEG_INFINITY), 1 => Just(0.5)]
}

/// Texts that look like the forms that serde's formats give other types.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "(?s).{0,8}",
        Just("$oid".to_owned()),
        Just("0123456789abcdef01234567".to_owned()),
        Just("2024-02-29T12:30:00Z".to_owned()),
    ]
}

prop_compose! {
    fn values()(
        (object_id, text, letter, is_on, byte, int) in (object_id(), text(), any::<char>(), any::<bool>(), any::<i8>(), any::<i32>()),
        (long, unsigned, large, double, single) in (any::<i64>(), any::<u32>(), 0..=i64::MAX as u64, double(), single()),
        (date, price, uuid, bytes, clock) in (date(), price(), any::<[u8; 16]>(), bytes(), any::<(u32, u32)>()),
        (holder, is_flat, nothing, absent) in (any::<i64>(), any::<bool>(), option::of(price()), option::of(object_id())),
    ) -> Values {
        Values {
            object_id, text, letter, is_on, byte, int, long, unsigned, large, double, single, date, price, bytes, nothing, absent,
            uuid: Uuid::from_bytes(uuid),
            clock: Timestamp { time: clock.0, increment: clock.1 },
            holder: Ref::new(holder),
            kind: if is_flat { Kind::Flat } else { Kind::Villa },
        }
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let circle = (double(), date()).prop_map(|(radius, at)| Shape::Circle { radius, at });
    prop_oneof![circle, object_id().prop_map(|by| Shape::Owned { by }), Just(Shape::None)]
}

prop_compose! {
    fn holder()(
        (own, inner, maybe, list) in (values(), values(), option::of(values()), vec(values(), 0..3)),
        map in proptest::collection::btree_map("[a-z$]{1,3}[.]?", values(), 0..3),
        (shape, when, ids) in (shape(), option::of(date()), (object_id(), object_id())),
        named in proptest::collection::btree_map("[a-z]{1,3}", bytes(), 0..3),
    ) -> Holder {
        let deep = Deep { when, ids: [ids.0, ids.1], bytes_by_name: Named(named) };
        Holder { id: 0, values: own, outer: Outer { inner: Box::new(inner), maybe, list, map, shape, deep } }
    }
}

#[tokio::test]
async fn every_type_is_written_and_read_as_by_hand() {
    let db = database().await;
    schema![Holder].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let mut runner = TestRunner::deterministic();
    let mut any = || holder().new_tree(&mut runner).expect("a value").current();
    let holders: Vec<Holder> = (0..CASES as i64).map(|id| Holder { id, ..any() }).collect();
    let raw = db.collection::<Document>("holders");

    // Documents that another program writes.
    raw.insert_many(holders.iter().map(stored)).await.unwrap();
    let found = Holder::find(Filter::all()).sort(Holder::F.id.asc()).fetch_all(&db).await.unwrap();
    for (holder, found) in holders.iter().zip(&found) {
        assert_eq!(format!("{holder:?}"), format!("{found:?}"));
    }
    assert_eq!(found.len(), CASES);
    raw.delete_many(doc! {}).await.unwrap();

    // Documents that the models write.
    Holder::insert_many(&db, &holders).await.unwrap();
    for holder in &holders {
        let document = super::raw(&db, "holders", holder.id).await;
        assert_eq!(format!("{document:?}"), format!("{:?}", stored(holder)));
    }
}
