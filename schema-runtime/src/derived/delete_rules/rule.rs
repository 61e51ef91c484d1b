//! The relations that have a delete rule, as they are stored.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    definition::{DeleteRule, ModelDefinition, RelationDefinition},
    derived::effect::Taking,
    document::{get_at, leads_to, value_at},
};

/// Of a child that is inserted, until its parents were read: the id of the insert.
pub(super) const UNCHECKED: &str = "_unchecked";

/// Of a parent that is being deleted: the id of the delete, and whether nothing keeps the parent any more.
pub(super) const DELETING: &str = "_deleting";
pub(super) const DELETING_MARK: &str = "_deleting.mark";
pub(super) const DELETING_PASSED: &str = "_deleting.passed";

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

    /// The field that holds the references.
    pub(super) fn name(&self) -> &'static str {
        self.relation.name
    }

    /// Whether one of these paths leads to it.
    pub(super) fn is_touched(&self, touched: &[String]) -> bool {
        touched.iter().any(|path| leads_to(path, self.name()))
    }

    /// The relation for people: `LogMsg.host`.
    pub(super) fn text(&self) -> String {
        format!("{}.{}", self.child.model, self.relation.field)
    }

    /// What a child refers to.
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

    /// What a delete of these parents does to a child.
    pub(super) fn taking(&self, parents: &[Bson]) -> Taking {
        let pulled = match self.path.split_once('.') {
            None => doc! { "$in": parents },
            Some((_, inside)) => doc! { inside: { "$in": parents } },
        };
        Taking { child: self.child, name: self.name(), rule: self.rule, pulled }
    }

    /// The children of these parents, but for those that are on their way out.
    pub(super) fn children_of(&self, parents: &[Bson]) -> Document {
        doc! { &self.path: { "$in": parents } }
    }
}

/// The relations with a rule that the documents of a model hold.
pub(super) fn rules_of_child(child: &'static ModelDefinition) -> Vec<Ruled> {
    child.relations.iter().filter_map(|relation| Ruled::new(child, relation)).collect()
}

/// Those by which others refer to the documents of a model, those that keep a parent first.
pub(super) fn rules_of_parent(parent: &'static ModelDefinition) -> Vec<Ruled> {
    let ruled = parent.inverses.iter().filter(|inverse| inverse.on_delete.is_some());
    let rules = ruled.filter_map(|inverse| Ruled::new(inverse.child(), inverse.child().relation(inverse.field)?));
    let mut rules: Vec<Ruled> = rules.collect();
    rules.sort_by_key(|ruled| ruled.rule != DeleteRule::Restrict);
    rules
}

/// Those of them that keep a parent.
pub(super) fn restricting(rules: &[Ruled]) -> &[Ruled] {
    let count = rules.iter().take_while(|ruled| ruled.rule == DeleteRule::Restrict).count();
    &rules[..count]
}
