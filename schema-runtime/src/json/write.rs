//! Writes encoded values as JSON, in the order of the fields. The BSON type of a value decides the form; the shape
//! gives the names, and knows values of unknown form.

use base64::{Engine, engine::general_purpose::STANDARD};
use mongodb::bson::{Bson, Document, spec::BinarySubtype};
use serde::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeSeq},
};

use super::{
    date, double,
    extended::Extended,
    name::{Fields, name_of},
    options::{HiddenFields, JsonOptions, LARGEST_EXACT, LargeIntegers},
    prepared::{Content, PreparedJson},
};
use crate::{
    definition::{FieldDefinition, Kind, Scalar, Shape},
    text,
};

/// A value as JSON.
pub(super) struct Written<'a> {
    prepared: &'a PreparedJson,
    options: JsonOptions,
}

impl PreparedJson {
    /// Returns the value in the form of these choices.
    pub(super) fn written(&self, options: JsonOptions) -> Written<'_> {
        Written { prepared: self, options }
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.options;
        match &self.prepared.0 {
            Content::Null => serializer.serialize_none(),
            Content::Document(fields, document) => {
                OfFields { fields: *fields, document, joined: None, options }.serialize(serializer)
            }
            Content::Joined { row, name, joined } => {
                let joined = joined.written(options);
                match &row.0 {
                    Content::Document(fields, document) => {
                        OfFields { fields: *fields, document, joined: Some((name, &joined)), options }
                            .serialize(serializer)
                    }
                    _ => row.written(options).serialize(serializer),
                }
            }
            Content::Scalar(shape, value) => Value { shape, value, options }.serialize(serializer),
            Content::List(items) => serializer.collect_seq(items.iter().map(|item| item.written(options))),
            Content::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value.written(options))))
            }
            Content::Page { items, next, previous, total } => {
                let mut page = serializer.serialize_map(Some(3 + usize::from(total.is_some())))?;
                page.serialize_entry("items", &items.written(options))?;
                page.serialize_entry("next", next)?;
                page.serialize_entry("previous", previous)?;
                if let Some(total) = total {
                    page.serialize_entry("total", total)?;
                }
                page.end()
            }
        }
    }
}

/// A document of a struct with these fields.
struct OfFields<'a> {
    fields: Fields,
    document: &'a Document,
    /// The joined documents, under the name of the relation.
    joined: Option<(&'static str, &'a Written<'a>)>,
    options: JsonOptions,
}

impl OfFields<'_> {
    /// Returns the fields that the document may have, and the tag of an enum.
    fn known(&self) -> (&'static [FieldDefinition], Option<&'static str>) {
        let Some(variants) = self.fields.variants else { return (self.fields.list, None) };
        let name = self.document.get_str(variants.tag).unwrap_or_default();
        (variants.find(name).map_or(&[], |variant| variant.fields), Some(variants.tag))
    }
}

impl Serialize for OfFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (fields, tag) = self.known();
        let mut object = serializer.serialize_map(None)?;
        let mut joined = self.joined;
        for (stored, value) in self.document {
            if tag == Some(stored.as_str()) {
                object.serialize_entry(stored, &Extended(value))?;
            } else if let Some(field) = fields.iter().find(|field| field.name == stored)
                && let Some(name) = name_of(fields, field)
                && (!field.hidden || self.options.hidden_fields == HiddenFields::Written)
            {
                if let Some((_, documents)) = joined.take_if(|(relation, _)| *relation == name) {
                    object.serialize_entry(name, documents)?;
                    continue;
                }
                object.serialize_entry(name, &Value { shape: &field.shape, value, options: self.options })?;
            }
        }
        if let Some((relation, documents)) = joined {
            object.serialize_entry(relation, documents)?;
        }
        object.end()
    }
}

/// A value of this shape.
struct Value<'a> {
    shape: &'a Shape,
    value: &'a Bson,
    options: JsonOptions,
}

impl Value<'_> {
    /// Returns a value inside of this value.
    fn inner<'a>(&self, shape: &'a Shape, value: &'a Bson) -> Value<'a> {
        Value { shape, value, options: self.options }
    }

    fn serialize_integer<S: Serializer>(&self, number: i64, serializer: S) -> Result<S::Ok, S::Error> {
        match self.options.large_integers {
            LargeIntegers::AsText if number.unsigned_abs() > LARGEST_EXACT => serializer.collect_str(&number),
            _ => serializer.serialize_i64(number),
        }
    }

    fn serialize_double<S: Serializer>(&self, number: f64, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = double::text_of(number) {
            return serializer.serialize_str(text);
        }
        let is_single = matches!(self.shape.kind, Kind::Scalar(Scalar::Single));
        // The shortest digits of an `f32` are fewer than the digits of the same number as an `f64`.
        let shortest = is_single.then(|| (number as f32).to_string().parse().ok()).flatten();
        serializer.serialize_f64(shortest.unwrap_or(number))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.value, &self.shape.kind) {
            (value, Kind::Opaque { .. } | Kind::Model { .. }) => Extended(value).serialize(serializer),
            (Bson::Document(document), Kind::Document { .. }) => {
                OfFields { fields: Fields::of(self.shape), document, joined: None, options: self.options }
                    .serialize(serializer)
            }
            (Bson::Document(entries), Kind::Map { values, .. }) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, self.inner(values, value))))
            }
            (Bson::Array(elements), Kind::Array { items, .. }) => {
                let mut list = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    list.serialize_element(&self.inner(items, element))?;
                }
                list.end()
            }
            (Bson::Null, _) => serializer.serialize_none(),
            (Bson::Boolean(value), _) => serializer.serialize_bool(*value),
            (Bson::Int32(number), _) => self.serialize_integer((*number).into(), serializer),
            (Bson::Int64(number), _) => self.serialize_integer(*number, serializer),
            (Bson::Double(number), _) => self.serialize_double(*number, serializer),
            (Bson::DateTime(date), _) => match date::text_of(*date) {
                Some(text) => serializer.serialize_str(&text),
                None => Extended(self.value).serialize(serializer),
            },
            (Bson::Binary(binary), _) if binary.subtype == BinarySubtype::Generic => {
                serializer.serialize_str(&STANDARD.encode(&binary.bytes))
            }
            (value, _) => match text::text_of(value) {
                Some(text) => serializer.serialize_str(&text),
                None => Extended(value).serialize(serializer),
            },
        }
    }
}
