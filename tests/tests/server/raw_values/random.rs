//! Random documents through `#[extra]` and through raw fields: the stored document is the document of the test, byte by
//! byte, after a read and a write of the whole value.

use mongodb::bson::{Binary, RawDocumentBuf, Timestamp, spec::BinarySubtype};
use proptest::{collection::vec, option, prelude::*};
use schema_tests::{database, scale::PROPERTY_CASES};

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "loose")]
struct Loose {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[bound(max_bytes = 100_000)]
    any: Bson,
    #[bound(max_bytes = 100_000)]
    meta: Document,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

/// The same fields beside a version, the times and an unversioned field: a replacement is an update by pipeline.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "loose")]
struct Managed {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    name: String,
    #[version]
    #[serde(default)]
    version: i32,
    #[created_at]
    #[serde(default = "DateTime::now")]
    created: DateTime,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

fn scalar() -> impl Strategy<Value = Bson> {
    prop_oneof![
        any::<i32>().prop_map(Bson::Int32),
        any::<i64>().prop_map(Bson::Int64),
        (-1e9..1e9).prop_map(Bson::Double),
        any::<bool>().prop_map(Bson::Boolean),
        "[a-c$.é]{0,6}".prop_map(Bson::String),
        any::<[u8; 12]>().prop_map(|bytes| ObjectId::from_bytes(bytes).into()),
        any::<i32>().prop_map(|millis| DateTime::from_millis(millis.into()).into()),
        (0..200_u8, vec(any::<u8>(), 0..5)).prop_map(|(subtype, bytes)| {
            let subtype = BinarySubtype::from(if subtype < 10 { 0 } else { subtype.max(128) });
            Bson::Binary(Binary { subtype, bytes })
        }),
        (any::<u32>(), any::<u32>()).prop_map(|(time, increment)| Bson::Timestamp(Timestamp { time, increment })),
        Just(Bson::Null),
        Just(Bson::MinKey),
        Just(Bson::Decimal128("12.50".parse().unwrap())),
    ]
}

/// Returns values of any form; the names may be names of extended JSON where `dollars` says so.
fn value(dollars: bool) -> impl Strategy<Value = Bson> {
    let name = move || if dollars { "[a-c.]{0,3}|[$]oid|[$]date|[$]ref|_v" } else { "[a-c.]{0,3}|_v" };
    scalar().prop_recursive(4, 24, 4, move |inner| {
        let fields = vec((name(), inner.clone()), 0..4);
        prop_oneof![
            vec(inner, 0..4).prop_map(Bson::Array),
            fields.prop_map(|fields| Bson::Document(fields.into_iter().collect())),
        ]
    })
}

fn document(names: &'static str, dollars: bool) -> impl Strategy<Value = Document> {
    vec((names, value(dollars)), 0..6).prop_map(|fields| fields.into_iter().collect())
}

/// Returns the stored document as bytes.
async fn bytes(db: &Database) -> Vec<u8> {
    let found = db.collection::<RawDocumentBuf>("loose").find_one(doc! {}).await.unwrap();
    found.expect("the document").into_bytes()
}

fn encoded(document: &Document) -> RawDocumentBuf {
    RawDocumentBuf::try_from(document).unwrap()
}

#[test]
fn a_read_and_a_write_lose_nothing() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let db = runtime.block_on(database());
    runtime.block_on(applied(schema![Loose], &db));
    let rest = document("[b-f]{1,3}|_[a-f]{1,3}|__v|[$é]{0}é", true);
    let cases = (rest, value(false), document("[a-c.]{0,3}", false), option::of(0..5_usize));
    proptest!(ProptestConfig::with_cases(PROPERTY_CASES.of(100)), |((rest, any, meta, at) in cases)| {
        runtime.block_on(async {
            let collection = db.collection::<RawDocumentBuf>("loose");
            collection.delete_many(doc! {}).await.unwrap();
            let mut document = doc! { "_id": 1_i64, "name": "x", "any": any.clone(), "meta": meta.clone() };
            document.extend(rest.clone());
            collection.insert_one(encoded(&document)).await.unwrap();
            let before = bytes(&db).await;

            let mut found = Loose::get_by_id(&db, 1).await.unwrap();
            prop_assert_eq!((&found.any, &found.meta, &found.rest), (&any, &meta, &rest));
            Loose::replace(&db, &found).await.unwrap();
            prop_assert_eq!(bytes(&db).await, &before[..]);
            Loose::save(&db, &mut found).await.unwrap();
            prop_assert_eq!(bytes(&db).await, &before[..]);
            Loose::bulk().replace(&found).execute(&db).await.unwrap().complete().unwrap();
            prop_assert_eq!(bytes(&db).await, &before[..]);

            // A changed field stays changed, and the rest stays.
            let name = at.and_then(|at| found.rest.keys().nth(at).cloned());
            let mut expected = rest.clone();
            if let Some(name) = name {
                expected.insert(name.clone(), "changed");
                found.rest.insert(name, "changed");
            }
            Loose::upsert(&db, &found).await.unwrap();
            prop_assert_eq!(&Loose::get_by_id(&db, 1).await.unwrap().rest, &expected);

            let mut managed = Managed::get_by_id(&db, 1).await.unwrap();
            let mut unknown = doc! { "any": any.clone(), "meta": meta.clone() };
            unknown.extend(expected.clone());
            prop_assert_eq!(&managed.rest, &unknown);
            Managed::save(&db, &mut managed).await.unwrap();
            Managed::save(&db, &mut managed).await.unwrap();
            prop_assert_eq!(managed.version, 2);
            prop_assert_eq!(&managed.rest, &unknown);
            Managed::replace(&db, &managed).await.unwrap();
            let loose = Loose::get_by_id(&db, 1).await.unwrap();
            prop_assert_eq!((&loose.any, &loose.meta, &loose.name), (&any, &meta, &"x".to_owned()));
            for (name, value) in &expected {
                prop_assert_eq!(loose.rest.get(name), Some(value));
            }
            Ok(())
        })?;
    });
}
