use mongodb::bson::{Binary, Bson, doc, spec::BinarySubtype};

use super::*;
use crate::{
    field::Field,
    manage::plan::{
        compare::{same_rule, same_validator},
        validator::{is_own, validator},
    },
};

const SHORT: Shape = STRING.max_len(10).nullable();

static EVERY_KIND: ModelDefinition = ModelDefinition {
    fields: &[
        FieldDefinition::new("id", "_id", Shape::scalar(Scalar::ObjectId)),
        FieldDefinition::new("at", "at", DATE.nullable()),
        FieldDefinition::new("price", "price", Shape::scalar(Scalar::Decimal128)),
        FieldDefinition::new("photo", "photo", Shape::scalar(Scalar::Binary)),
        FieldDefinition::new("key", "key", Shape::scalar(Scalar::Uuid)).defaulted(),
        FieldDefinition::new("stamp", "stamp", Shape::scalar(Scalar::Timestamp)),
        FieldDefinition::new("count", "count", INTEGER.nullable()),
        FieldDefinition::new("ratio", "ratio", Shape::scalar(Scalar::Double)),
        FieldDefinition::new("on", "on", Shape::scalar(Scalar::Bool)),
        FieldDefinition::new("text", "text", STRING.max_len(80)),
        FieldDefinition::new("kind", "kind", Shape::new(Kind::Enum(&["big", "tiny"])).nullable()),
        FieldDefinition::new("place", "place", Shape::new(Kind::Array { items: &INTEGER, min: 2, max: Some(2) })),
        FieldDefinition::new("notes", "notes", Shape::new(Kind::Map { values: &SHORT, max: Some(4) })),
        FieldDefinition::new("parts", "parts", Shape::new(Kind::Array { items: &PART, min: 0, max: Some(9) })),
        FieldDefinition::new("other", "other", Shape::opaque(100)),
    ],
    options: CollectionOptions {
        validation_level: ValidationLevel::Moderate,
        validation_action: ValidationAction::Warn,
        ..CollectionOptions::DEFAULT
    },
    ..model(&[])
};

fn uuid(byte: u8) -> Binary {
    Binary { subtype: BinarySubtype::Uuid, bytes: vec![byte; 16] }
}

fn schema_of(rule: &mut Document) -> &mut Document {
    rule.get_document_mut("$jsonSchema").expect("a schema")
}

#[test]
fn every_kind_has_its_words() {
    let made = validator(&EVERY_KIND);
    let expected = doc! { "$jsonSchema": {
        "bsonType": "object",
        "required": ["_id", "price", "photo", "stamp", "ratio", "on", "text", "place", "notes", "parts", "other"],
        "properties": {
            "_id": { "bsonType": "objectId" },
            "at": { "bsonType": ["date", "null"] },
            "price": { "bsonType": "decimal" },
            "photo": { "bsonType": "binData" },
            "key": { "bsonType": "binData" },
            "stamp": { "bsonType": "timestamp" },
            "count": { "bsonType": ["int", "long", "null"] },
            "ratio": { "bsonType": ["double", "int", "long"] },
            "on": { "bsonType": "bool" },
            "text": { "bsonType": "string", "maxLength": 80 },
            "kind": { "enum": ["big", "tiny", Bson::Null] },
            "place": { "bsonType": "array", "minItems": 2, "maxItems": 2, "items": { "bsonType": ["int", "long"] } },
            "notes": {
                "bsonType": "object",
                "maxProperties": 4,
                "additionalProperties": { "bsonType": ["string", "null"], "maxLength": 10 },
            },
            "parts": { "bsonType": "array", "maxItems": 9, "items": {
                "bsonType": "object",
                "required": ["partNo", "price"],
                "properties": { "partNo": { "bsonType": ["int", "long"] }, "price": { "bsonType": ["int", "long"] } },
            } },
            "other": {},
        },
    }, "$nor": [{ "key": { "$lt": uuid(0) } }, { "key": { "$gt": uuid(255) } }] };
    assert!(same_rule(&made.rule, &expected), "{:#?}", made.rule);
    assert_eq!((made.level.as_str(), made.action.as_str()), ("moderate", "warn"));
    assert!(is_own(&made.rule));
    assert!(!is_own(&expected));
}

#[test]
fn a_rule_is_compared_by_what_it_judges() {
    let made = validator(&EVERY_KIND);
    let mut other = made.clone();
    schema_of(&mut other.rule).insert("title", "Renamed");
    schema_of(&mut other.rule).get_array_mut("required").expect("a list").reverse();
    assert!(same_validator(&made, &other), "neither the title nor the order of names matters");

    let mut looser = made.clone();
    schema_of(&mut looser.rule).get_array_mut("required").expect("a list").pop();
    assert!(!same_validator(&made, &looser));
    let mut quiet = made.clone();
    quiet.level = "off".to_owned();
    assert!(!same_validator(&made, &quiet));
}

#[test]
fn a_number_has_the_range_of_its_type() {
    const LIST: Shape = <u32 as Field>::SHAPE.nullable();
    static INTEGERS: ModelDefinition = ModelDefinition {
        fields: &[
            FieldDefinition::new("a", "a", <i8 as Field>::SHAPE),
            FieldDefinition::new("b", "b", <i64 as Field>::SHAPE),
            FieldDefinition::new("c", "c", <u64 as Field>::SHAPE.nullable()),
            FieldDefinition::new("d", "d", Shape::new(Kind::Array { items: &LIST, min: 0, max: Some(1) })),
            FieldDefinition::new("e", "e", <f64 as Field>::SHAPE),
            FieldDefinition::new("f", "f", <f32 as Field>::SHAPE.nullable()),
        ],
        ..model(&[])
    };
    let expected = doc! {
        "a": { "bsonType": ["int", "long"], "minimum": -128_i64, "maximum": 127_i64 },
        "b": { "bsonType": ["int", "long"] },
        "c": { "bsonType": ["int", "long", "null"], "minimum": 0_i64 },
        "d": { "bsonType": "array", "maxItems": 1_i64, "items":
            { "bsonType": ["int", "long", "null"], "minimum": 0_i64, "maximum": i64::from(u32::MAX) } },
        "e": { "bsonType": ["double", "int", "long"] },
        "f": { "bsonType": ["double", "int", "long", "null"], "anyOf": [
            { "minimum": f64::from(f32::MIN), "maximum": f64::from(f32::MAX) },
            { "not": { "minimum": f64::MIN, "maximum": f64::MAX } },
        ] },
    };
    let mut rule = validator(&INTEGERS).rule;
    assert_eq!(schema_of(&mut rule).get_document("properties").expect("fields"), &expected);
}

const UUID: Shape = Shape::scalar(Scalar::Uuid);
const UUIDS: Shape = Shape::list(&UUID).max(3);
const KEYED: Shape =
    Shape::document("Keyed", &[FieldDefinition::new("key", "k", UUID), FieldDefinition::new("n", "n", INTEGER)], true);
static EITHER: Variants = Variants::new(
    "kind",
    &[
        VariantDefinition::new("Key", &[FieldDefinition::new("value", "value", UUID)]),
        VariantDefinition::new("Other", &[FieldDefinition::new("value", "value", STRING)]),
    ],
);
const TAGGED: Shape = Shape::document("Either", &[], true).variants(&EITHER);

static WITH_UUIDS: ModelDefinition = ModelDefinition {
    fields: &[
        FieldDefinition::new("id", "_id", KEYED),
        FieldDefinition::new("rows", "rows", Shape::list(&UUIDS).max(3)),
        FieldDefinition::new("list", "list", Shape::list(&KEYED).max(3)),
        FieldDefinition::new("either", "either", TAGGED.nullable()),
        FieldDefinition::new("each", "each", Shape::list(&TAGGED).max(3)),
        FieldDefinition::new("map", "map", Shape::new(Kind::Map { values: &UUID, max: Some(4) })),
    ],
    ..model(&[])
};

#[test]
fn a_uuid_is_between_two_ends_wherever_a_path_leads_to_it() {
    let mut made = validator(&WITH_UUIDS);
    let conditions = made.rule.get_array("$nor").expect("conditions").clone();
    let of_first: Vec<_> = conditions.iter().step_by(2).cloned().collect();
    let before = doc! { "$lt": uuid(0) };
    assert_eq!(
        of_first,
        [
            Bson::from(doc! { "_id.k": &before }),
            Bson::from(doc! { "rows": { "$elemMatch": { "$elemMatch": &before } } }),
            Bson::from(doc! { "list": { "$elemMatch": { "k": &before } } }),
            Bson::from(doc! { "either.kind": "Key", "either.value": &before }),
            Bson::from(doc! { "each": { "$elemMatch": { "kind": "Key", "value": &before } } }),
        ]
    );
    assert!(is_own(&made.rule));
    let other = made.clone();
    made.rule.get_array_mut("$nor").expect("conditions").reverse();
    assert!(same_validator(&made, &other), "the order of fields does not matter");
    for foreign in [doc! { "n": { "$lt": 1 } }, doc! { "k": { "$gt": uuid(0) } }, doc! { "$or": [{ "n": "x" }] }] {
        let mut foreign_too = other.rule.clone();
        foreign_too.get_array_mut("$nor").expect("conditions").push(foreign.into());
        assert!(!is_own(&foreign_too), "{foreign_too}");
    }
    assert!(!validator(&ModelDefinition { fields: &[], ..WITH_UUIDS }).rule.contains_key("$nor"));
}

#[test]
fn no_list_of_required_fields_is_empty() {
    static OPTIONAL: ModelDefinition =
        ModelDefinition { fields: &[FieldDefinition::new("a", "a", STRING.nullable())], ..model(&[]) };
    let mut rule = validator(&OPTIONAL).rule;
    assert!(!schema_of(&mut rule).contains_key("required"), "MongoDB refuses `[]`");
}
