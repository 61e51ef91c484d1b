//! The relations of a model in both directions, and the derived data in both directions. Pure.

use super::{FactTable, grouped};
use crate::manage::schema_file::{FieldEntry, ModelEntry, SchemaFile};

pub(super) fn relations(model: &ModelEntry) -> FactTable {
    let rows = model.fields.iter().filter_map(|field| {
        let relation = field.relation.as_ref()?;
        let far = relation.inverse.clone().or_else(|| relation.mirror_of.clone()).unwrap_or_default();
        let storage = if relation.mirror { format!("{}, mirror", relation.storage) } else { relation.storage.clone() };
        Some(vec![
            field.path.clone(),
            relation.to.clone().unwrap_or_else(|| "embedded".to_owned()),
            relation.cardinality.clone(),
            storage,
            far,
            relation.on_delete.clone().unwrap_or_default(),
        ])
    });
    let header = vec!["field", "to", "cardinality", "stored as", "at the far side", "on delete"];
    FactTable { title: "Relations", header, rows: rows.collect() }
}

/// Returns the relations of all models to this model.
pub(super) fn referring(model: &ModelEntry, file: &SchemaFile) -> FactTable {
    let rows = all_fields(file).filter_map(|(other, field)| {
        let relation = field.relation.as_ref().filter(|relation| relation.to.as_ref() == Some(&model.collection))?;
        Some(vec![
            format!("{}.{}", other.collection, field.path),
            relation.cardinality.clone(),
            relation.storage.clone(),
            relation.inverse.clone().unwrap_or_default(),
            relation.at_most.map(grouped).unwrap_or_default(),
        ])
    });
    let header = vec!["field", "cardinality", "stored as", "read here as", "at most"];
    FactTable { title: "Referring documents", header, rows: rows.collect() }
}

/// Returns the copies and the kept values, that the model holds and that are made of the model.
pub(super) fn derived(model: &ModelEntry, file: &SchemaFile) -> FactTable {
    let mut rows = Vec::new();
    for field in &model.fields {
        if let Some(copy) = &field.copy {
            let text = format!("{} copy of {}.{}, by {}", copy.mode, copy.of, copy.field, copy.by);
            rows.push(vec![field.path.clone(), text]);
        }
        if let Some(rollup) = &field.rollup {
            let of = rollup.field.as_ref().map(|field| format!(" of {field}")).unwrap_or_default();
            rows.push(vec![field.path.clone(), format!("{}{of} in {}, by {}", rollup.kind, rollup.of, rollup.by)]);
        }
    }
    for (other, field) in all_fields(file) {
        let place = format!("{}.{}", other.collection, field.path);
        if let Some(copy) = field.copy.as_ref().filter(|copy| copy.of == model.collection) {
            rows.push(vec![copy.field.clone(), format!("is copied to {place}")]);
        }
        if let Some(rollup) = field.rollup.as_ref().filter(|rollup| rollup.of == model.collection) {
            let of = rollup.field.as_ref().unwrap_or(&rollup.by);
            rows.push(vec![of.clone(), format!("is kept in {place}: {}", rollup.kind)]);
        }
    }
    FactTable { title: "Derived data", header: vec!["field", "data"], rows }
}

fn all_fields(file: &SchemaFile) -> impl Iterator<Item = (&ModelEntry, &FieldEntry)> {
    file.models.iter().flat_map(|model| model.fields.iter().map(move |field| (model, field)))
}
