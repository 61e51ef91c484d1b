//! The validator of a model, from the shapes of its fields: a `$jsonSchema`, and beside it what that has no words for. Pure.
//!
//! It uses only words that MongoDB knows, and refuses no field that the model does not have: a collection may hold more
//! than one program reads. Source: MongoDB, "$jsonSchema: available keywords", and "validation level and action".

mod uuid;

use mongodb::bson::{Bson, Document, doc};

use super::Validator;
use crate::definition::{FieldDefinition, Integer, Kind, ModelDefinition, Scalar, Shape, Variants};

/// What a validator of this crate says of itself, so that it is known from one that somebody else wrote.
const DESCRIPTION: &str =
    "Written by schema-runtime from the Rust struct in the title: change that, then plan and apply.";

/// Lower-case letters and digits, with hyphens between them.
const SLUG: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

/// The validator of a model.
pub(crate) fn validator(model: &ModelDefinition) -> Validator {
    let mut schema = doc! { "bsonType": "object", "title": model.model, "description": DESCRIPTION };
    schema.extend(match model.variants {
        Some(variants) => of_variants(variants),
        None => members(model.fields),
    });
    let mut rule = doc! { "$jsonSchema": schema };
    if model.bucket.is_some() {
        rule.insert("$expr", counted());
    }
    let strays = uuid::strays(model);
    if !strays.is_empty() {
        rule.insert("$nor", strays);
    }
    Validator {
        rule,
        level: model.options.validation_level.word().to_owned(),
        action: model.options.validation_action.word().to_owned(),
    }
}

/// Whether this crate wrote it.
pub(crate) fn is_own(rule: &Document) -> bool {
    let schema = rule.get("$jsonSchema").and_then(Bson::as_document);
    let description = schema.and_then(|schema| schema.get("description")).and_then(Bson::as_str);
    let is_ours = |(word, condition): (&String, &Bson)| match word.as_str() {
        "$jsonSchema" => true,
        "$expr" => *condition == Bson::Document(counted()),
        "$nor" => uuid::are_strays(condition),
        _ => false,
    };
    description == Some(DESCRIPTION) && rule.iter().all(is_ours)
}

/// The `count` of a bucket is the number of its children: a push is guarded by it. Where `items` is no array the schema says so, and not
/// an error of the expression.
fn counted() -> Document {
    doc! { "$eq": ["$count", { "$size": { "$cond": [{ "$isArray": "$items" }, "$items", []] } }] }
}

/// What holds for a document with these fields.
fn members(fields: &[FieldDefinition]) -> Document {
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut properties: Document =
        fields.iter().map(|field| (field.name.to_owned(), Bson::Document(of_field(field)))).collect();
    for field in fields {
        if let Some(kept) = field.slug.and_then(|slug| slug.kept) {
            let mut rule = doc! { "bsonType": "array" };
            limit(&mut rule, "maxItems", Some(kept.most.saturating_add(1)));
            // Earlier ones may be of another pattern, or longer.
            rule.insert("items", doc! { "bsonType": "string" });
            properties.insert(kept.name, rule);
        }
    }
    let mut members = Document::new();
    if !required.is_empty() {
        members.insert("required", required);
    }
    members.insert("properties", properties);
    members
}

/// What holds for a document of one of these variants: the tag of one, and what is beside it there. Each branch begins with the tag, so that
/// a document fits one at most.
fn of_variants(variants: &Variants) -> Document {
    let tag = variants.tag;
    let names: Vec<&str> = variants.list.iter().map(|variant| variant.name).collect();
    let branches: Vec<Document> = variants
        .list
        .iter()
        .map(|variant| {
            let mut branch = members(variant.fields);
            let mut properties = doc! { tag: { "enum": [variant.name] } };
            properties.extend(branch.get_document("properties").cloned().unwrap_or_default());
            branch.insert("properties", properties);
            let mut required = vec![Bson::from(tag)];
            required.extend(branch.get_array("required").cloned().unwrap_or_default());
            branch.insert("required", required);
            branch
        })
        .collect();
    doc! { "required": [tag], "properties": { tag: { "enum": names } }, "anyOf": branches }
}

/// What holds for the value of a field.
fn of_field(field: &FieldDefinition) -> Document {
    let mut rule = value(&field.shape);
    if field.slug.is_some() {
        rule.insert("pattern", SLUG);
    }
    rule
}

/// What holds for a value of this shape; nothing for an opaque one.
fn value(shape: &Shape) -> Document {
    let mut rule = Document::new();
    match shape.kind {
        Kind::Scalar(scalar) => {
            rule.insert("bsonType", types(scalar_types(scalar), shape.nullable));
            if let Some(integer) = shape.integer {
                range(&mut rule, integer);
            }
            if scalar == Scalar::Single {
                rule.insert("anyOf", single());
            }
        }
        Kind::String { max_len } => {
            rule.insert("bsonType", types(&["string"], shape.nullable));
            limit(&mut rule, "maxLength", max_len);
        }
        Kind::Enum(variants) => {
            let mut names: Vec<Bson> = variants.iter().map(|name| Bson::from(*name)).collect();
            if shape.nullable {
                names.push(Bson::Null);
            }
            rule.insert("enum", names);
        }
        Kind::Array { items, min, max } => {
            rule.insert("bsonType", types(&["array"], shape.nullable));
            limit(&mut rule, "minItems", (min > 0).then_some(min));
            limit(&mut rule, "maxItems", max);
            inner(&mut rule, "items", items);
        }
        Kind::Map { values, max } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
            limit(&mut rule, "maxProperties", max);
            inner(&mut rule, "additionalProperties", values);
        }
        Kind::Document { fields, .. } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
            rule.extend(match shape.variants {
                Some(variants) => of_variants(variants),
                None => members(fields),
            });
        }
        Kind::Model { .. } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
        }
        Kind::Opaque { .. } => {}
    }
    rule
}

/// Either width of an integer is one: serde writes what fits, and other clients may write either.
fn scalar_types(scalar: Scalar) -> &'static [&'static str] {
    match scalar {
        Scalar::ObjectId => &["objectId"],
        Scalar::DateTime => &["date"],
        Scalar::Decimal128 => &["decimal"],
        Scalar::Binary | Scalar::Uuid => &["binData"],
        Scalar::Timestamp => &["timestamp"],
        Scalar::Integer => &["int", "long"],
        Scalar::Double | Scalar::Single => &["double", "int", "long"],
        Scalar::Bool => &["bool"],
    }
}

fn types(types: &[&str], nullable: bool) -> Bson {
    match types {
        [only] if !nullable => Bson::from(*only),
        several => {
            let null = nullable.then_some("null");
            Bson::Array(several.iter().copied().chain(null).map(Bson::from).collect())
        }
    }
}

/// A limit above what a BSON number holds is none.
fn limit(rule: &mut Document, word: &str, limit: Option<u64>) {
    if let Some(limit) = limit.and_then(|limit| i64::try_from(limit).ok()) {
        rule.insert(word, limit);
    }
}

/// What the Rust type holds, where that is less than all that BSON stores: a larger number would be stored and then fail
/// every read that meets it. Null, where it may be, passes.
fn range(rule: &mut Document, Integer { least, greatest, .. }: Integer) {
    if least > i64::MIN {
        rule.insert("minimum", least);
    }
    if greatest < i64::MAX {
        rule.insert("maximum", greatest);
    }
}

/// What an `f32` holds: a larger number would be read as infinite, and infinity stored in its place. The second branch is of what no range
/// holds: infinite, or no number at all.
fn single() -> Vec<Document> {
    let within = |greatest: f64| doc! { "minimum": -greatest, "maximum": greatest };
    vec![within(f32::MAX.into()), doc! { "not": within(f64::MAX) }]
}

fn inner(rule: &mut Document, word: &str, shape: &Shape) {
    let inner = value(shape);
    if !inner.is_empty() {
        rule.insert(word, inner);
    }
}
