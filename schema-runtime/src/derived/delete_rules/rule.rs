//! The relations that have a delete rule, as they are stored.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    definition::{DeleteRule, ModelDefinition, RelationDefinition},
    derived::effect::ReferenceRemoval,
    document::{get_at, leads_to, value_at},
};

pub(super) use crate::definition::stored_names::{DELETING, DELETING_MARK, DELETING_PASSED, UNCHECKED};

/// A relation with a delete rule.
#[derive(Clone, Debug)]
pub(super) struct Ruled {
    pub(super) child: &'static ModelDefinition,
    pub(super) relation: &'static RelationDefinition,
    pub(super) parent: &'static ModelDefinition,
    pub(super) rule: DeleteRule,
    /// The stored path of the references.
    pub(super) path: String,
}

impl Ruled {
    fn new(child: &'static ModelDefinition, relation: &'static RelationDefinition) -> Option<Self> {
        let rule = relation.on_delete.filter(|rule| *rule != DeleteRule::NoAction)?;
        let parent = (relation.target?.definition)();
        let is_one_sided = !relation.is_mirror && !relation.is_mirrored();
        is_one_sided.then(|| Ruled { child, relation, parent, rule, path: relation.path(child) })
    }

    /// Returns the field that holds the references.
    pub(super) fn name(&self) -> &'static str {
        self.relation.name
    }

    /// Returns whether one of the given paths leads to the field of the references.
    pub(super) fn is_touched(&self, touched: &[String]) -> bool {
        touched.iter().any(|path| leads_to(path, self.name()))
    }

    /// Returns the relation for people: `LogMsg.host`.
    pub(super) fn text(&self) -> String {
        format!("{}.{}", self.child.model, self.relation.field)
    }

    /// Returns the parents that a child refers to.
    pub(super) fn parents_of(&self, child: &Document) -> Vec<Bson> {
        let inside = self.path.strip_prefix(self.name()).and_then(|rest| rest.strip_prefix('.'));
        let id_of = |value: &Bson| match (inside, value) {
            (None, id) => Some(id.clone()),
            (Some(inside), Bson::Document(extended)) => get_at(extended, inside).cloned(),
            (Some(_), _) => None,
        };
        let value = value_at(child, self.name());
        let ids: Vec<Bson> = match &value {
            Bson::Array(elements) => elements.iter().filter_map(id_of).collect(),
            value => id_of(value).into_iter().collect(),
        };
        ids.into_iter().filter(|id| *id != Bson::Null).collect()
    }

    /// Returns the action of a delete of the given parents on a child.
    pub(super) fn removal(&self, parents: &[Bson]) -> ReferenceRemoval {
        let pulled = match self.path.split_once('.') {
            None => doc! { "$in": parents },
            Some((_, inside)) => doc! { inside: { "$in": parents } },
        };
        ReferenceRemoval { child: self.child, name: self.name(), rule: self.rule, pulled }
    }

    /// Returns the filter of the children of the given parents, except for children that are about to go.
    pub(super) fn children_of(&self, parents: &[Bson]) -> Document {
        doc! { &self.path: { "$in": parents } }
    }
}

/// Returns the relations with a rule that the documents of a model hold.
pub(super) fn rules_of_child(child: &'static ModelDefinition) -> Vec<Ruled> {
    child.relations.iter().filter_map(|relation| Ruled::new(child, relation)).collect()
}

/// Returns the relations with a rule that lead to the documents of a model. Relations that keep a parent come first.
pub(super) fn rules_of_parent(parent: &'static ModelDefinition) -> Vec<Ruled> {
    let ruled = parent.inverses.iter().filter(|inverse| inverse.on_delete.is_some());
    let rules = ruled.filter_map(|inverse| Ruled::new(inverse.child(), inverse.child().relation(inverse.field)?));
    let mut rules: Vec<Ruled> = rules.collect();
    rules.sort_by_key(|ruled| ruled.rule != DeleteRule::Restrict);
    rules
}

/// Returns the leading relations that keep a parent.
pub(super) fn restricting(rules: &[Ruled]) -> &[Ruled] {
    let count = rules.iter().take_while(|ruled| ruled.rule == DeleteRule::Restrict).count();
    &rules[..count]
}
