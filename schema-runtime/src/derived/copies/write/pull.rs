//! Pulls elements with copies by the elements' own fields. The copies may have changed since the read, and the versions
//! beside the copies are no fields of the struct. Pure.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    changes::{ChangeSet, Operator},
    definition::{FieldDefinition, Kind},
    derived::copies::stored::path::{CopyPath, Step},
    error::{Error, Result},
};

/// Rewrites every `$pullAll` of elements with copies as a `$pull` by the elements' own fields.
pub(in crate::derived::copies) fn by_own_fields(paths: &[CopyPath], changes: &mut ChangeSet) -> Result<()> {
    for path in paths.iter().filter(|path| path.steps.last().is_some_and(|step| step.is_array)) {
        let array = path.steps.iter().map(|step| step.name).collect::<Vec<_>>().join(".");
        let Some(Bson::Array(elements)) = changes.remove(Operator::PullAll, &array) else { continue };
        if changes.get(Operator::Pull, &array).is_some() {
            let message = format!("`$pull` of `{array}` is there twice: write two updates");
            return Err(Error::Update { message });
        }
        let fields = fields_of(path.holder.fields, &path.steps);
        let is_copy = |name: &str| {
            let beside = paths.iter().filter(|other| other.steps == path.steps);
            beside.flat_map(|path| &path.fields).any(|field| field.name == name)
        };
        let own = elements.iter().filter_map(Bson::as_document).map(|element| {
            let own = fields.iter().filter(|field| !is_copy(field.name));
            own.map(|field| {
                let condition = match element.get(field.name) {
                    Some(value) => doc! { "$eq": value },
                    None => doc! { "$exists": false },
                };
                (field.name.to_owned(), Bson::Document(condition))
            })
            .collect::<Document>()
        });
        let own: Vec<Document> = own.collect();
        if !own.is_empty() {
            changes.put(Operator::Pull, array, doc! { "$or": own });
        }
    }
    Ok(())
}

/// Returns the fields of the struct at the end of the steps.
fn fields_of(fields: &'static [FieldDefinition], steps: &[Step]) -> &'static [FieldDefinition] {
    let Some((step, rest)) = steps.split_first() else { return fields };
    let Some(field) = fields.iter().find(|field| field.name == step.name) else { return &[] };
    let mut shape = &field.shape;
    while let Kind::Array { items, .. } = &shape.kind {
        shape = items;
    }
    match &shape.kind {
        Kind::Document { fields, .. } => fields_of(fields, rest),
        _ => &[],
    }
}
