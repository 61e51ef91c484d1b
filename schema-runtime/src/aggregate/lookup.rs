//! Fields of the documents that the keys of groups refer to. Pure.

use mongodb::bson::{Bson, Document, doc};

use super::expression::{field, inner};
use crate::definition::{FieldDefinition, Groups, ModelDefinition, Texts, ValueDefinition, ValueKind};

/// Returns the stages that read the fields of the documents that keys refer to: a `$lookup` for each key with a value
/// in a `wanted` field.
pub(super) fn lookups(groups: &Groups, wanted: impl Fn(&FieldDefinition) -> bool) -> Vec<Document> {
    let mut stages = Vec::new();
    for (at, key) in groups.definition.keys.iter().enumerate() {
        let name = |number: usize| groups.fields[number].name;
        let of_key = |value: &ValueDefinition| match value.kind {
            ValueKind::Lookup { key: name, path, target }
                if name == groups.fields[key.field].rust_name && wanted(&groups.fields[value.field]) =>
            {
                Some((value.field, path, (target.definition)()))
            }
            _ => None,
        };
        let values: Vec<_> = groups.definition.values.iter().filter_map(of_key).collect();
        let Some((_, _, target)) = values.first() else { continue };
        let found = groups.free_name(inner('l', at));
        let reference = format!("${}", name(key.field));
        let read = values.iter().enumerate().map(|(number, (_, path, _))| (inner('v', number), field(target, path)));
        let read: Document = [("_id".to_owned(), Bson::Int32(0))].into_iter().chain(read).collect();
        stages.push(doc! { "$lookup": {
            "from": target.collection,
            "localField": name(key.field),
            "foreignField": "_id",
            "pipeline": [{ "$project": read }],
            "as": &found,
        } });
        let is_null = doc! { "$eq": [reference, null] };
        let set = values.iter().enumerate().map(|(number, (field, _, _))| {
            let first = doc! { "$ifNull": [{ "$first": format!("${found}.{}", inner('v', number)) }, null] };
            let value = doc! { "$cond": [is_null.clone(), null, first] };
            (name(*field).to_owned(), Bson::from(value))
        });
        stages.push(doc! { "$set": set.collect::<Document>() });
        stages.push(doc! { "$unset": found });
    }
    stages
}

/// Returns the comparison of texts by an aggregation of the documents of a model that finds documents by texts.
pub(super) fn texts(model: &ModelDefinition, looks_up_texts: bool) -> Texts {
    if looks_up_texts && model.options.collation.is_some() { Texts::Bytes } else { Texts::Inherited }
}

/// Returns whether an aggregation finds documents by references to texts, which are equal by bytes alone.
pub(super) fn looks_up_texts(groups: &Groups) -> bool {
    let mut all = std::iter::successors(Some(groups), |groups| groups.of);
    let holds_text = |groups: &Groups, key: &str| {
        groups.fields.iter().any(|field| field.rust_name == key && field.shape.may_hold_text())
    };
    let looks_up = |groups: &Groups| {
        let mut values = groups.definition.values.iter();
        values.any(|value| matches!(value.kind, ValueKind::Lookup { key, .. } if holds_text(groups, key)))
    };
    all.any(looks_up)
}
