//! The `two_way` relations of a model, as they are stored.

use mongodb::bson::{Bson, Document};

use crate::{
    definition::{DeleteRule, FieldDefinition, Kind, ModelDefinition, RelationDefinition},
    document::{leads_to, value_at},
};

/// A `two_way` relation with its mirror.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The model that holds the truth.
    pub(crate) truth: &'static ModelDefinition,
    pub(crate) relation: &'static RelationDefinition,
    /// The model that mirrors the truth.
    pub(crate) mirror: &'static ModelDefinition,
    /// The stored field of the mirror.
    pub(crate) mirror_name: &'static str,
    /// The most elements of the mirror.
    pub(crate) max: u64,
}

impl Link {
    /// Returns the stored field of the truth.
    pub(crate) fn name(&self) -> &'static str {
        self.relation.name
    }

    /// Returns the largest number of references of a document of the truth.
    pub(super) fn truth_max(&self) -> u64 {
        self.truth.field(self.relation.field).and_then(most_in).unwrap_or(1)
    }

    /// Returns whether a document of the truth may refer to several documents.
    pub(crate) fn is_array(&self) -> bool {
        self.relation.is_array()
    }

    /// Returns the relation for people: `Task.owner`.
    pub(crate) fn text(&self) -> String {
        format!("{}.{}", self.truth.model, self.relation.field)
    }

    /// Returns whether one of the given paths leads to the truth.
    pub(super) fn is_touched(&self, touched: &[String]) -> bool {
        touched.iter().any(|path| leads_to(path, self.name()))
    }

    /// Returns the `_id`s that a document of the truth refers to.
    pub(crate) fn targets(&self, document: &Document) -> Vec<Bson> {
        ids_in(&value_at(document, self.name()))
    }

    /// Returns the action of a delete of a mirror document on the referring documents: the declared rule, or the
    /// default rule that leaves no reference behind.
    pub(crate) fn on_delete(&self) -> DeleteRule {
        self.relation.on_delete.or_else(|| default_rule(self.relation)).unwrap_or(DeleteRule::NoAction)
    }
}

/// Returns the action of a delete on documents that refer by a `two_way` relation, when no rule is declared: the rule
/// that leaves no reference behind.
pub(crate) fn default_rule(relation: &RelationDefinition) -> Option<DeleteRule> {
    let rule = if relation.is_array() { DeleteRule::Pull } else { DeleteRule::Nullify };
    relation.is_mirrored().then_some(rule)
}

/// Returns the ids in an array, or the single id.
pub(super) fn ids_in(value: &Bson) -> Vec<Bson> {
    match value {
        Bson::Array(ids) => ids.iter().filter(|id| **id != Bson::Null).cloned().collect(),
        Bson::Null => Vec::new(),
        id => vec![id.clone()],
    }
}

/// Returns the links whose truth is in the documents of the model.
pub(crate) fn links_from(truth: &'static ModelDefinition) -> Vec<Link> {
    truth
        .relations
        .iter()
        .filter(|relation| relation.is_mirrored())
        .filter_map(|relation| link(truth, relation))
        .collect()
}

/// Returns the links whose mirror is in the documents of the model.
pub(crate) fn links_into(mirror: &'static ModelDefinition) -> Vec<Link> {
    let links = mirror.mirrors.iter().filter_map(|mirrored| {
        let truth = mirrored.child();
        link(truth, truth.relation(mirrored.child_field)?)
    });
    links.collect()
}

fn link(truth: &'static ModelDefinition, relation: &'static RelationDefinition) -> Option<Link> {
    let mirror = (relation.target?.definition)();
    let field = mirror.field(relation.inverse?)?;
    Some(Link { truth, relation, mirror, mirror_name: field.name, max: most_in(field)? })
}

/// Returns the largest number of elements of an array.
fn most_in(field: &FieldDefinition) -> Option<u64> {
    match field.shape.kind {
        Kind::Array { max, .. } => Some(max.unwrap_or(u64::MAX)),
        _ => None,
    }
}
