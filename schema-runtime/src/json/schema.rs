//! JSON Schemas of the JSON of this crate, made of the definitions of the structs. The dialect is JSON Schema 2020-12,
//! which is also the dialect of OpenAPI 3.1.

mod of_rules;
#[cfg(feature = "schemars")]
mod of_schemars;
mod of_types;
#[cfg(feature = "utoipa")]
mod of_utoipa;

use serde_json::{Map, Value, json};

pub use of_types::HasJsonSchema;
#[cfg(all(feature = "axum", feature = "utoipa"))]
pub(crate) use of_utoipa::openapi_schema;

use super::name::{Fields, name_of};
use crate::definition::{FieldDefinition, Integer, Kind, Scalar, Shape, Variants};

/// Returns the JSON Schema of the JSON that [`to_json`](super::to_json) writes and [`from_json`](super::from_json)
/// reads. [The page `json`](crate::guide) says which values have another form than the schema.
///
/// ```
/// # use schema_runtime::{json, prelude::*};
/// #[derive(Embed, Serialize, Deserialize)]
/// struct Order {
///     id: ObjectId,
///     #[bound(max_items = 3)]
///     days: Vec<DateTime>,
/// }
///
/// let schema = json::json_schema::<Order>();
/// assert_eq!(schema["required"], serde_json::json!(["id", "days"]));
/// assert_eq!(schema["properties"]["days"]["maxItems"], 3);
/// assert_eq!(schema["properties"]["days"]["items"]["format"], "date-time");
/// ```
pub fn json_schema<T: HasJsonSchema + ?Sized>() -> Value {
    T::json_schema()
}

/// The types of JSON.
const EVERY_TYPE: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// The texts in base64.
const BASE64: &str = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

/// Returns the schema of a struct or an enum with these fields.
fn of_fields(name: &str, fields: Fields) -> Value {
    let Some(variants) = fields.variants else { return of_struct(name, fields.list, None) };
    let each =
        variants.list.iter().map(|variant| of_struct(variant.name, variant.fields, Some((variants, variant.name))));
    json!({ "title": name, "oneOf": each.collect::<Vec<_>>() })
}

fn of_struct(name: &str, fields: &[FieldDefinition], variant: Option<(&Variants, &str)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    if let Some((variants, name)) = variant {
        properties.insert(variants.tag.to_owned(), json!({ "type": "string", "enum": [name] }));
        required.push(variants.tag);
    }
    for field in fields {
        let Some(name) = name_of(fields, field) else { continue };
        let mut schema = of_shape(&field.shape);
        // JSON of a client may have a hidden field, and the JSON that this crate writes has none.
        set(&mut schema, "writeOnly", field.hidden.then_some(true));
        properties.insert(name.to_owned(), schema);
        if field.required && !field.hidden {
            required.push(name);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    set(&mut schema, "title", (!name.is_empty()).then_some(name));
    set(&mut schema, "required", (!required.is_empty()).then_some(required));
    schema
}

/// Returns the schema of a value of this shape.
fn of_shape(shape: &Shape) -> Value {
    let mut schema = match shape.kind {
        Kind::Scalar(scalar) => of_scalar(scalar, shape.integer),
        Kind::String { max_len } => {
            let mut schema = json!({ "type": "string" });
            set(&mut schema, "maxLength", max_len);
            schema
        }
        Kind::Enum(names) => json!({ "type": "string", "enum": names }),
        Kind::Array { items, min, max } => {
            let mut schema = json!({ "type": "array", "items": of_shape(items) });
            set(&mut schema, "minItems", (min > 0).then_some(min));
            set(&mut schema, "maxItems", max);
            set(&mut schema, "uniqueItems", shape.set.then_some(true));
            schema
        }
        Kind::Map { values, max } => {
            let mut schema = json!({ "type": "object", "additionalProperties": of_shape(values) });
            set(&mut schema, "maxProperties", max);
            schema
        }
        Kind::Document { name, .. } => of_fields(name, Fields::of(shape)),
        // The types of all values, for a value of unknown form: `utoipa` reads no schema without a type.
        Kind::Opaque { .. } | Kind::Model { .. } => return json!({ "type": EVERY_TYPE }),
    };
    of_rules::add(&mut schema, shape);
    if shape.nullable { nullable(schema) } else { schema }
}

fn of_scalar(scalar: Scalar, integer: Option<Integer>) -> Value {
    match scalar {
        Scalar::ObjectId => json!({ "type": "string", "pattern": "^[0-9a-fA-F]{24}$" }),
        Scalar::DateTime => json!({ "type": "string", "format": "date-time" }),
        Scalar::Decimal128 => json!({
            "type": "string",
            "pattern": "^(NaN|-?Infinity|-?[0-9]+(\\.[0-9]+)?(E[+-]?[0-9]+)?)$",
        }),
        Scalar::Binary => json!({ "type": "string", "contentEncoding": "base64", "pattern": BASE64 }),
        Scalar::Uuid => json!({ "type": "string", "format": "uuid" }),
        Scalar::Timestamp => of_timestamp(),
        Scalar::Integer => of_integer(integer),
        Scalar::Double => json!({ "type": "number", "format": "double" }),
        Scalar::Single => json!({ "type": "number", "format": "float" }),
        Scalar::Bool => json!({ "type": "boolean" }),
    }
}

/// Returns the schema of `{"$timestamp": {"t": 1, "i": 2}}`.
fn of_timestamp() -> Value {
    let part = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let parts = json!({
        "type": "object",
        "properties": { "t": part, "i": part },
        "required": ["t", "i"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": { "$timestamp": parts },
        "required": ["$timestamp"],
        "additionalProperties": false,
    })
}

fn of_integer(integer: Option<Integer>) -> Value {
    let (least, greatest) = integer.map_or((i64::MIN, i64::MAX), |of| (of.least, of.greatest));
    let format = if i32::try_from(least).is_ok() && i32::try_from(greatest).is_ok() { "int32" } else { "int64" };
    let mut schema = json!({ "type": "integer", "format": format });
    set(&mut schema, "minimum", (least > i64::MIN).then_some(least));
    set(&mut schema, "maximum", (greatest < i64::MAX).then_some(greatest));
    schema
}

/// Allows null.
fn nullable(mut schema: Value) -> Value {
    match &schema["type"] {
        Value::String(name) if schema.get("enum").is_none() => {
            schema["type"] = json!([name, "null"]);
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

fn set(schema: &mut Value, word: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        schema[word] = value.into();
    }
}
