//! Makes the validator of a model from the shapes of the fields: a `$jsonSchema`, and conditions beside the schema for
//! rules that a schema cannot express. Pure.
//!
//! The validator uses only words that MongoDB knows. Without `unknown_fields = refuse` the validator refuses no field
//! that the model lacks: a collection may hold more fields than a single program reads. Source: MongoDB, "$jsonSchema:
//! available keywords", and "validation level and action".

mod raw;
mod rules;
mod uuid;

use mongodb::bson::{Bson, Document, doc};

use super::Validator;
use crate::definition::{
    DocumentRule, FieldDefinition, Integer, Kind, ModelDefinition, OWN_NAMES, Raw, Scalar, Shape, Variants,
};

/// The description in each validator of this crate. The description tells a validator of this crate from a validator
/// of another program.
const DESCRIPTION: &str =
    "Written by schema-runtime from the Rust struct in the title: change that, then plan and apply.";

/// Lower-case letters and digits, with hyphens between them.
const SLUG: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

/// Returns the validator of a model.
pub(crate) fn validator(model: &ModelDefinition) -> Validator {
    let mut schema = doc! { "bsonType": "object", "title": model.model, "description": DESCRIPTION };
    schema.extend(match model.variants {
        Some(variants) => of_variants(variants, Others::of(model)),
        None => members(model.fields, Others::of(model)),
    });
    let mut rule = doc! { "$jsonSchema": schema };
    let mut expressions = raw::sizes(model);
    expressions.extend(model.bucket.is_some().then(counted));
    match (expressions.pop(), expressions.is_empty()) {
        (Some(only), true) => drop(rule.insert("$expr", only)),
        (Some(last), false) => {
            expressions.push(last);
            rule.insert("$expr", doc! { "$and": expressions });
        }
        (None, _) => {}
    }
    if !model.document_rules.is_empty() {
        // The server names each failed clause of `$and`.
        let clauses: Vec<Document> =
            model.document_rules.iter().map(|rule| doc! { "$expr": rule.expression() }).collect();
        rule.insert("$and", clauses);
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

/// Returns whether this crate wrote the rule.
pub(crate) fn is_own(rule: &Document) -> bool {
    let schema = rule.get("$jsonSchema").and_then(Bson::as_document);
    let description = schema.and_then(|schema| schema.get("description")).and_then(Bson::as_str);
    let is_ours = |(word, condition): (&String, &Bson)| match word.as_str() {
        "$jsonSchema" => true,
        "$expr" => match condition.as_document().map(|condition| condition.get_array("$and")) {
            Some(Ok(all)) => all.iter().all(is_expression),
            _ => is_expression(condition),
        },
        "$nor" => uuid::are_strays(condition),
        "$and" => condition.as_array().is_some_and(|clauses| clauses.iter().all(is_document_rule)),
        _ => false,
    };
    description == Some(DESCRIPTION) && rule.iter().all(is_ours)
}

/// Returns whether this crate wrote the clause.
fn is_document_rule(clause: &Bson) -> bool {
    let Some(clause) = clause.as_document() else { return false };
    clause.len() == 1 && clause.get("$expr").is_some_and(DocumentRule::is_expression)
}

/// Returns whether this crate wrote the expression.
fn is_expression(expression: &Bson) -> bool {
    *expression == Bson::Document(counted()) || raw::is_size(expression)
}

/// The fields that no struct has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    Pass,
    /// Only the names of this crate pass.
    Refused,
}

impl Others {
    fn of(model: &ModelDefinition) -> Self {
        if model.extra.are_refused() { Others::Refused } else { Others::Pass }
    }
}

/// Returns the condition that the `count` of a bucket is the number of children. The condition guards a push. When
/// `items` is no array, the schema reports the fault, and the expression raises no error.
fn counted() -> Document {
    doc! { "$eq": ["$count", { "$size": { "$cond": [{ "$isArray": "$items" }, "$items", []] } }] }
}

/// Returns the rule for a document with the given fields.
fn members(fields: &[FieldDefinition], others: Others) -> Document {
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut properties: Document =
        fields.iter().map(|field| (field.name.to_owned(), Bson::Document(of_field(field, others)))).collect();
    for field in fields {
        if let Some(kept) = field.slug.and_then(|slug| slug.kept) {
            let mut rule = doc! { "bsonType": "array" };
            limit(&mut rule, "maxItems", Some(kept.most.saturating_add(1)));
            // Earlier slugs may have another pattern, or be longer.
            rule.insert("items", doc! { "bsonType": "string" });
            properties.insert(kept.name, rule);
        }
    }
    let mut members = Document::new();
    if !required.is_empty() {
        members.insert("required", required);
    }
    members.insert("properties", properties);
    if others == Others::Refused {
        members.insert("patternProperties", doc! { OWN_NAMES: {} });
        members.insert("additionalProperties", false);
    }
    members
}

/// Returns the rule for a document of any of the variants: the tag, and the fields beside the tag. Each branch begins
/// with the tag; a document therefore fits at most one branch.
fn of_variants(variants: &Variants, others: Others) -> Document {
    let tag = variants.tag;
    let names: Vec<&str> = variants.list.iter().map(|variant| variant.name).collect();
    let branches: Vec<Document> = variants
        .list
        .iter()
        .map(|variant| {
            let mut branch = members(variant.fields, others);
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

/// Returns the rule for the value of a field.
fn of_field(field: &FieldDefinition, others: Others) -> Document {
    let mut rule = value(&field.shape, others);
    if field.slug.is_some() {
        rule.insert("pattern", SLUG);
    }
    rule
}

/// Returns the rule for a value of a shape; empty for an opaque value.
fn value(shape: &Shape, others: Others) -> Document {
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
            inner(&mut rule, "items", items, others);
        }
        Kind::Map { values, max } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
            limit(&mut rule, "maxProperties", max);
            inner(&mut rule, "additionalProperties", values, others);
        }
        Kind::Document { fields, .. } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
            rule.extend(match shape.variants {
                Some(variants) => of_variants(variants, others),
                None => members(fields, others),
            });
        }
        Kind::Model { .. } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
        }
        Kind::Opaque { raw: Some(Raw::Document), .. } => {
            rule.insert("bsonType", types(&["object"], shape.nullable));
        }
        Kind::Opaque { .. } => {}
    }
    rules::add(&mut rule, shape);
    rule
}

/// Returns the BSON types of a scalar. An integer may have either width: serde writes the width that fits, and another
/// client may write either.
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

/// Adds a limit to a rule. A limit above the greatest BSON integer is left out.
fn limit(rule: &mut Document, word: &str, limit: Option<u64>) {
    if let Some(limit) = limit.and_then(|limit| i64::try_from(limit).ok()) {
        rule.insert(word, limit);
    }
}

/// Adds the range of the Rust type when the range is smaller than that of BSON. A larger number would be stored, and
/// would then fail every read of the document. Null passes if the field may be null.
fn range(rule: &mut Document, Integer { least, greatest, .. }: Integer) {
    if least > i64::MIN {
        rule.insert("minimum", least);
    }
    if greatest < i64::MAX {
        rule.insert("maximum", greatest);
    }
}

/// Returns the rule for an `f32`. A larger number would be read as infinite, and a later write would store infinity.
/// The second branch accepts values outside every range: infinite values and NaN.
fn single() -> Vec<Document> {
    let within = |greatest: f64| doc! { "minimum": -greatest, "maximum": greatest };
    vec![within(f32::MAX.into()), doc! { "not": within(f64::MAX) }]
}

fn inner(rule: &mut Document, word: &str, shape: &Shape, others: Others) {
    let inner = value(shape, others);
    if !inner.is_empty() {
        rule.insert(word, inner);
    }
}
