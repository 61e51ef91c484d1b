//! Tests with examples, and a comparison of random documents of random shapes with a plain recursive check of the
//! parsed document.

use mongodb::bson::{
    Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, RawDocument, Timestamp, doc, oid::ObjectId,
    spec::BinarySubtype,
};
use proptest::{collection::vec, prelude::*};

use super::{check, walk};
use crate::{
    codec,
    definition::{CollectionOptions, FieldDefinition, Kind, ModelDefinition, Scalar, Shape},
    error::{BoundUnit, Error},
};

const TEXT: Shape = Shape::new(Kind::String { max_len: None });
const SHORT: Shape = TEXT.max_len(3);
const SHORTS: Shape = Shape::new(Kind::Array { items: &SHORT, min: 0, max: Some(2) });
const GRID: Shape = Shape::new(Kind::Array { items: &SHORTS, min: 0, max: Some(2) });
const NOTES: Shape = Shape::new(Kind::Map { values: &SHORT, max: Some(2) });
const INNER: Shape = Shape::new(Kind::Document {
    name: "Inner",
    judged: true,
    copies: &[],
    fields: &[FieldDefinition::new("plain", "plain", TEXT), FieldDefinition::new("tags", "tags", SHORTS)],
});
const LIST: Shape = Shape::new(Kind::Array { items: &INNER, min: 0, max: Some(3) });
const FIELDS: &[FieldDefinition] = &[
    FieldDefinition::new("id", "_id", Shape::scalar(Scalar::Integer)),
    FieldDefinition::new("text", "text", SHORT),
    FieldDefinition::new("maybe", "maybe", SHORTS.nullable()),
    FieldDefinition::new("grid", "grid", GRID),
    FieldDefinition::new("notes", "notes", NOTES),
    FieldDefinition::new("list", "list", LIST),
    FieldDefinition::new("foreign", "foreign", Shape::opaque(20)),
];

type Exceeded = (String, u64, u64, BoundUnit);

fn refused(fields: &'static [FieldDefinition], document: &Document) -> Option<Exceeded> {
    all_refused(fields, document).into_iter().next()
}

fn all_refused(fields: &'static [FieldDefinition], document: &Document) -> Vec<Exceeded> {
    let model =
        ModelDefinition { model: "M", fields, options: CollectionOptions::DEFAULT, ..ModelDefinition::broken("M") };
    let raw = codec::encode(document).unwrap();
    match check(&model, &raw) {
        Ok(()) => Vec::new(),
        Err(Error::BoundExceeded { model, field, bound, size, unit, others }) => {
            assert_eq!(model, "M");
            let others = others.into_iter().map(|other| (other.field, other.bound, other.size, other.unit));
            [(field, bound, size, unit)].into_iter().chain(others).collect()
        }
        Err(other) => panic!("{other}"),
    }
}

#[track_caller]
fn assert_refused(document: Document, field: &str, bound: u64, size: u64, unit: BoundUnit) {
    assert_eq!(refused(FIELDS, &document), Some((field.to_owned(), bound, size, unit)));
}

#[test]
fn each_kind_is_counted_in_its_own_unit() {
    assert_refused(doc! { "text": "äöüß" }, "text", 3, 4, BoundUnit::CodePoints);
    assert_eq!(refused(FIELDS, &doc! { "text": "äöü" }), None);
    assert_refused(doc! { "maybe": ["a", "b", "c"] }, "maybe", 2, 3, BoundUnit::Elements);
    assert_eq!(refused(FIELDS, &doc! { "maybe": null }), None);
    assert_refused(doc! { "notes": { "a": "", "b": "", "c": "" } }, "notes", 2, 3, BoundUnit::Entries);
    assert_refused(doc! { "notes": { "secret": "long" } }, "notes.*", 3, 4, BoundUnit::CodePoints);
    // The value of a string has a length, the bytes of the text and a zero.
    assert_refused(doc! { "foreign": "x".repeat(16) }, "foreign", 20, 21, BoundUnit::Bytes);
    assert_eq!(refused(FIELDS, &doc! { "foreign": "x".repeat(15) }), None);
}

#[test]
fn a_nested_value_is_named_by_its_position() {
    assert_refused(doc! { "grid": [["a"], ["a", "b", "c"]] }, "grid.1", 2, 3, BoundUnit::Elements);
    assert_refused(doc! { "grid": [["a"], ["a", "long"]] }, "grid.1.1", 3, 4, BoundUnit::CodePoints);
    let list = doc! { "list": [{ "tags": [] }, { "plain": "any length", "tags": ["a", "b", "c"] }] };
    assert_refused(list, "list.1.tags", 2, 3, BoundUnit::Elements);
}

#[test]
fn the_order_of_the_fields_and_unknown_ones_do_not_matter() {
    let document = doc! { "notes": {}, "unknown": ["a", "b", "c", "d"], "text": "long", "_id": 1 };
    assert_refused(document, "text", 3, 4, BoundUnit::CodePoints);
    assert_eq!(refused(FIELDS, &doc! { "maybe": "not an array", "notes": 3, "text": ["a", "b", "c", "d"] }), None);
}

#[test]
fn an_array_comes_before_its_elements() {
    assert_refused(doc! { "maybe": ["long", "b", "c"] }, "maybe", 2, 3, BoundUnit::Elements);
}

#[test]
fn every_bson_type_is_stepped_over() {
    let document = doc! {
        "double": 1.5, "string": "text", "document": { "a": 1 }, "array": [1, "b"], "undefined": Bson::Undefined,
        "binary": Binary { subtype: BinarySubtype::Generic, bytes: vec![0, 1, 2] }, "id": ObjectId::new(), "bool": true,
        "date": DateTime::now(), "null": null, "code": Bson::JavaScriptCode("x".to_owned()),
        "symbol": Bson::Symbol("s".to_owned()), "int": 1_i32, "timestamp": Timestamp { time: 1, increment: 2 },
        "long": 1_i64, "decimal": "1.5".parse::<Decimal128>().unwrap(), "min": Bson::MinKey, "max": Bson::MaxKey,
        "scoped": JavaScriptCodeWithScope { code: "x".to_owned(), scope: doc! { "y": 1 } },
        "": "an empty name", "last": "é",
    };
    let mut raw = codec::encode(&document).unwrap().into_bytes();
    // Both bson crates lack a plain constructor for two types: the regular expression and the DBPointer.
    raw.pop();
    raw.extend(b"\x0bregex\0^a\0i\0\x0cpointer\0\x02\0\0\0x\x00123456789abc\0");
    let length = raw.len() as i32;
    raw[..4].copy_from_slice(&length.to_le_bytes());

    let raw = RawDocument::from_bytes(&raw).unwrap();
    let walked: Vec<_> = walk::elements(raw.as_bytes()).map(|element| (element.name, element.value.len())).collect();
    let expected: Vec<_> = codec::elements(raw).map(|element| (element.name().as_bytes(), element.size())).collect();
    assert_eq!(walked.len(), document.len() + 2);
    assert_eq!(walked, expected);
}

/// Generates a shape that owns nothing: the referenced values live as long as the test binary.
fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::scalar(Scalar::Integer)),
        Just(TEXT),
        (0..5u64).prop_map(|max_len| TEXT.max_len(max_len)),
        (5..40u64).prop_map(Shape::opaque),
    ];
    let nested = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0..4u64).prop_map(|(items, max)| {
                Shape::new(Kind::Array { items: Box::leak(Box::new(items)), min: 0, max: Some(max) })
            }),
            (inner.clone(), 0..4u64).prop_map(|(values, max)| {
                Shape::new(Kind::Map { values: Box::leak(Box::new(values)), max: Some(max) })
            }),
            vec(inner, 0..4).prop_map(|shapes| Shape::document("Any", any_fields(shapes), true)),
        ]
    });
    (nested, any::<bool>()).prop_map(|(shape, nullable)| if nullable { shape.nullable() } else { shape })
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn any_fields(shapes: Vec<Shape>) -> &'static [FieldDefinition] {
    let fields: Vec<_> =
        NAMES.iter().zip(shapes).map(|(name, shape)| FieldDefinition::new(name, name, shape)).collect();
    Box::leak(fields.into_boxed_slice())
}

/// Generates a value that usually has the type of the shape. Null appears only where the shape allows null.
fn any_value(shape: Shape) -> BoxedStrategy<Bson> {
    let fitting = match shape.kind {
        Kind::String { .. } => "[aé𝄞]{0,6}".prop_map(Bson::String).boxed(),
        Kind::Array { items, .. } => vec(any_value(*items), 0..5).prop_map(Bson::Array).boxed(),
        Kind::Map { values, .. } => vec(any_value(*values), 0..5)
            .prop_map(|values| {
                let entries = values.into_iter().enumerate().map(|(at, value)| (format!("k{at}"), value));
                Bson::Document(entries.collect())
            })
            .boxed(),
        Kind::Document { fields, .. } => any_document(fields).prop_map(Bson::Document).boxed(),
        Kind::Opaque { .. } => prop_oneof![
            "[a-z]{0,40}".prop_map(Bson::String),
            vec(any::<i64>().prop_map(Bson::Int64), 0..4).prop_map(Bson::Array)
        ]
        .boxed(),
        _ => any::<i32>().prop_map(Bson::Int32).boxed(),
    };
    let other = Just(Bson::Array(vec![Bson::Int32(1), Bson::Int32(2)]));
    let null = if shape.nullable { Just(Bson::Null).boxed() } else { fitting.clone() };
    prop_oneof![8 => fitting, 1 => null, 1 => other].boxed()
}

/// Generates a document with some of the fields, in any order.
fn any_document(fields: &'static [FieldDefinition]) -> BoxedStrategy<Document> {
    let values: Vec<_> = fields.iter().map(|field| (Just(field.name), any_value(field.shape), any::<bool>())).collect();
    values
        .prop_map(|values| {
            values.into_iter().filter(|(_, _, keep)| *keep).map(|(name, value, _)| (name.to_owned(), value))
        })
        .prop_map(Iterator::collect::<Vec<(String, Bson)>>)
        .prop_shuffle()
        .prop_map(Document::from_iter)
        .boxed()
}

/// Collects every value over its bound, in the order of the document: the rule under test, applied to parsed values.
fn all_excesses(shape: Shape, value: &Bson, path: &str, found: &mut Vec<(String, u64, u64, BoundUnit)>) {
    let mut over = |bound: u64, size: u64, unit| {
        if size > bound {
            found.push((path.to_owned(), bound, size, unit));
        }
    };
    match (shape.kind, value) {
        (_, Bson::Null) => {}
        (Kind::String { max_len: Some(max_len) }, Bson::String(text)) => {
            over(max_len, text.chars().count() as u64, BoundUnit::CodePoints);
        }
        (Kind::Array { items, max: Some(max), .. }, Bson::Array(elements)) => {
            over(max, elements.len() as u64, BoundUnit::Elements);
            for (at, element) in elements.iter().enumerate() {
                all_excesses(*items, element, &format!("{path}.{at}"), found);
            }
        }
        (Kind::Map { values, max: Some(max) }, Bson::Document(entries)) => {
            over(max, entries.len() as u64, BoundUnit::Entries);
            for value in entries.values() {
                all_excesses(*values, value, &format!("{path}.*"), found);
            }
        }
        (Kind::Document { fields, .. }, Bson::Document(document)) => {
            for (name, value) in document {
                if let Some(field) = fields.iter().find(|field| field.name == name) {
                    all_excesses(field.shape, value, &format!("{path}.{name}"), found);
                }
            }
        }
        (Kind::Opaque { max_bytes, .. }, value) => {
            // The document around the value takes 5 bytes, the type 1 byte and the name "v" 2 bytes.
            let around = codec::encode(&doc! { "v": value.clone() }).unwrap();
            over(max_bytes, around.as_bytes().len() as u64 - 8, BoundUnit::Bytes);
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn bytes_that_are_not_bson_end_the_walk(bytes in vec(prop_oneof![0..20_u8, any::<u8>()], 0..60)) {
        let mut walked = 0;
        for element in walk::elements(&bytes) {
            walked += 2 + element.name.len() + element.value.len();
        }
        prop_assert!(walked <= bytes.len());
    }

    #[test]
    fn every_value_over_its_bound_is_found(
        (fields, document) in vec(any_shape(), 1..5).prop_map(any_fields)
            .prop_flat_map(|fields| (Just(fields), any_document(fields)))
    ) {
        let mut expected = Vec::new();
        let whole = Shape::new(Kind::Document { name: "M", judged: true, fields, copies: &[] });
        all_excesses(whole, &Bson::Document(document.clone()), "", &mut expected);
        let expected = expected.into_iter().map(|(path, bound, size, unit)| (path[1..].to_owned(), bound, size, unit));
        let expected: Vec<Exceeded> = expected.take(100).collect();
        prop_assert_eq!(all_refused(fields, &document), expected);
    }
}
