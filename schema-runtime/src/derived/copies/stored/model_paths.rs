//! The paths of a model and of a schema, from the definitions. Pure.

use std::sync::OnceLock;

use super::path::{ANY_KEY, CopiedField, CopyPath, Step};
use crate::{
    definition::{Copies, CopyDefinition, CopyMode, FieldDefinition, Kind, ModelDefinition, Shape},
    limits::TRANSACTION_COPIES,
};

/// Returns the paths that the documents of a model hold.
pub(crate) fn paths_into(holder: &'static ModelDefinition) -> Vec<CopyPath> {
    held_by(holder, Copies::Following)
}

/// Returns the paths of snapshots, which a write of the reference fills and no later write changes.
pub(in crate::derived::copies) fn snapshots_into(holder: &'static ModelDefinition) -> Vec<CopyPath> {
    held_by(holder, Copies::FilledSnapshots)
}

fn held_by(holder: &'static ModelDefinition, asked: Copies) -> Vec<CopyPath> {
    let mut held = Held { holder, asked, paths: Vec::new() };
    held.add("", &[], holder.fields, holder.copies);
    for field in holder.fields {
        held.add_below(field.rust_name, &mut Vec::new(), field);
    }
    held.paths
}

/// Returns the paths that the writes of a model propagate.
pub(crate) fn paths_from(source: &'static ModelDefinition) -> Vec<CopyPath> {
    let mut holders: Vec<&'static ModelDefinition> = Vec::new();
    for copied in source.copied_to {
        if !holders.iter().any(|holder| holder.name == copied.holder.name) {
            holders.push((copied.holder.definition)());
        }
    }
    let all = holders.into_iter().flat_map(paths_into);
    all.filter(|path| path.synced && path.source.name == source.name).collect()
}

/// Returns the largest number of copies of one source in the paths; `None` unless all paths declare a number.
pub(crate) fn fan_out_of<'p>(paths: impl IntoIterator<Item = &'p CopyPath>) -> Option<u64> {
    paths.into_iter().try_fold(0_u64, |sum, path| Some(sum.saturating_add(path.fan_out?)))
}

/// Returns the most copies of a write that one transaction propagates with the write; `None` where a transaction cannot
/// hold the copies.
pub(in crate::derived::copies) fn in_transaction<'p>(paths: impl IntoIterator<Item = &'p CopyPath>) -> Option<u64> {
    fan_out_of(paths).filter(|copies| *copies <= TRANSACTION_COPIES)
}

/// Returns whether one of the changed paths is of a copy, a reference beside a copy, or a copied field. Reads the
/// definition only.
pub(in crate::derived::copies) fn concern_copies(definition: &ModelDefinition, changed: &[String]) -> bool {
    changed.iter().any(|path| definition.has_copies_at(path.split('.').next().unwrap_or(path)))
}

/// Returns the paths of a schema: the paths that the models hold, and the paths that the writes of the models
/// propagate.
pub(crate) fn of_schema(models: &[&'static ModelDefinition]) -> Vec<CopyPath> {
    let mut paths: Vec<CopyPath> = models.iter().copied().flat_map(paths_into).collect();
    for path in models.iter().copied().flat_map(paths_from) {
        if !paths.iter().any(|other| other.holder.name == path.holder.name && other.name == path.name) {
            paths.push(path);
        }
    }
    paths
}

/// The collected paths of a model.
struct Held {
    holder: &'static ModelDefinition,
    asked: Copies,
    paths: Vec<CopyPath>,
}

impl Held {
    /// Adds the copies of one struct, a path for each reference.
    fn add(
        &mut self,
        field: &str,
        steps: &[Step],
        fields: &'static [FieldDefinition],
        copies: &'static [CopyDefinition],
    ) {
        let (holder, first) = (self.holder, self.paths.len());
        let asked = self.asked;
        for copy in copies.iter().filter(|copy| asked.are(copy)) {
            let source = copy.source();
            let synced = copy.mode == CopyMode::Synced;
            let from = source.stored_path(copy.from);
            let top = if field.is_empty() { copy.field } else { field };
            let fan_out = copy.declared(holder.name, top).and_then(|copied| copied.fan_out);
            let copied = CopiedField { name: copy.name, from };
            let is_same = |path: &&mut CopyPath| path.reference == copy.reference_name && path.synced == synced;
            match self.paths[first..].iter_mut().find(is_same) {
                Some(path) => {
                    path.fields.push(copied);
                    path.fan_out = path.fan_out.zip(fan_out).map(|(one, other)| one.max(other));
                }
                None => self.paths.push(CopyPath {
                    holder,
                    source,
                    name: name_of(holder, steps, copy.reference_name),
                    steps: steps.to_vec(),
                    reference: copy.reference_name,
                    may_be_empty: fields.iter().any(|field| field.name == copy.reference_name && field.shape.nullable),
                    may_dangle: fields.iter().any(|field| field.name == copy.reference_name && field.may_dangle),
                    fields: vec![copied],
                    checksum: OnceLock::new(),
                    fan_out,
                    synced,
                }),
            }
        }
    }

    /// Adds the copies below a field. A rule refuses copies that no update can reach, except for snapshots, which may
    /// be anywhere.
    fn add_below(&mut self, top: &'static str, steps: &mut Vec<Step>, field: &'static FieldDefinition) {
        let (before, mut shape): (usize, &Shape) = (steps.len(), &field.shape);
        let anywhere = self.asked == Copies::FilledSnapshots;
        steps.push(Step { name: field.name, is_array: matches!(shape.kind, Kind::Array { .. }) });
        if let Kind::Array { items, .. } = &shape.kind {
            shape = items;
        }
        loop {
            match &shape.kind {
                Kind::Array { items, .. } if anywhere => shape = items,
                Kind::Map { values, .. } if anywhere => {
                    steps.push(Step { name: ANY_KEY, is_array: matches!(values.kind, Kind::Array { .. }) });
                    shape = values;
                }
                _ => break,
            }
        }
        if let Kind::Document { fields, copies, .. } = shape.kind {
            self.add(top, steps, fields, copies);
            for field in fields {
                self.add_below(top, steps, field);
            }
        }
        steps.truncate(before);
    }
}

/// Returns the name of a path without characters that a field name may not contain.
fn name_of(holder: &ModelDefinition, steps: &[Step], reference: &str) -> String {
    let mut name = holder.collection.to_owned();
    for part in steps.iter().map(|step| step.name).chain([reference]) {
        name.push('_');
        name.push_str(part);
    }
    name.replace(['.', '$'], "_")
}
