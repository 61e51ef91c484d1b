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
    /// The model that mirrors it.
    pub(crate) mirror: &'static ModelDefinition,
    /// The stored field of the mirror.
    pub(crate) mirror_name: &'static str,
    /// The most elements of the mirror.
    pub(crate) max: u64,
}

impl Link {
    /// The stored field of the truth.
    pub(crate) fn name(&self) -> &'static str {
        self.relation.name
    }

    /// The most that a document of the truth refers to.
    pub(super) fn truth_max(&self) -> u64 {
        self.truth.field(self.relation.field).and_then(most_in).unwrap_or(1)
    }

    /// Whether a document of the truth refers to several.
    pub(crate) fn is_array(&self) -> bool {
        self.relation.is_array()
    }

    /// The relation for people: `Task.owner`.
    pub(crate) fn text(&self) -> String {
        format!("{}.{}", self.truth.model, self.relation.field)
    }

    /// Whether one of these paths leads to the truth.
    pub(super) fn is_touched(&self, touched: &[String]) -> bool {
        touched.iter().any(|path| leads_to(path, self.name()))
    }

    /// What a document of the truth refers to.
    pub(crate) fn targets(&self, document: &Document) -> Vec<Bson> {
        ids_in(&value_at(document, self.name()))
    }

    /// What a delete of a document of the mirror does to those that refer to it: what is said, or what leaves nothing behind.
    pub(crate) fn on_delete(&self) -> DeleteRule {
        self.relation.on_delete.or_else(|| default_rule(self.relation)).unwrap_or(DeleteRule::NoAction)
    }
}

/// What a delete does to those that refer by a `two_way` to what is deleted, where nothing is said: what leaves nothing behind.
pub(crate) fn default_rule(relation: &RelationDefinition) -> Option<DeleteRule> {
    let rule = if relation.is_array() { DeleteRule::Pull } else { DeleteRule::Nullify };
    relation.is_mirrored().then_some(rule)
}

/// The ids in an array, or the one that is there.
pub(super) fn ids_in(value: &Bson) -> Vec<Bson> {
    match value {
        Bson::Array(ids) => ids.iter().filter(|id| **id != Bson::Null).cloned().collect(),
        Bson::Null => Vec::new(),
        id => vec![id.clone()],
    }
}

/// Those of which the documents of a model hold the truth.
pub(crate) fn links_from(truth: &'static ModelDefinition) -> Vec<Link> {
    truth
        .relations
        .iter()
        .filter(|relation| relation.is_mirrored())
        .filter_map(|relation| link(truth, relation))
        .collect()
}

/// Those that the documents of a model mirror.
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

/// The most elements of an array.
fn most_in(field: &FieldDefinition) -> Option<u64> {
    match field.shape.kind {
        Kind::Array { max, .. } => Some(max.unwrap_or(u64::MAX)),
        _ => None,
    }
}
