//! A set of changes of one document. Pure.

use std::fmt;

use mongodb::bson::{Bson, Document};

use super::Operator;

/// The changes that one update makes, in the order of the caller. An operator has each path at most once.
#[derive(Clone, Default)]
pub(crate) struct ChangeSet {
    changes: Vec<FieldChange>,
}

/// The change of one path.
#[derive(Clone)]
pub(crate) struct FieldChange {
    pub(crate) operator: Operator,
    /// The stored path; an element of an array is `$[]` or `$[identifier]`.
    pub(crate) path: String,
    /// The operand. The operand of an operator that adds elements is the array of the elements.
    pub(crate) value: Bson,
    /// The modifiers of added elements: `$slice`, `$sort`, `$position`.
    pub(crate) modifiers: Document,
}

impl ChangeSet {
    /// Returns a set of one change.
    pub(crate) fn one(operator: Operator, path: impl Into<String>, value: impl Into<Bson>) -> Self {
        let mut set = ChangeSet::default();
        set.put(operator, path, value);
        set
    }

    /// Returns a set that sets each field to its value.
    pub(crate) fn setting(values: Document) -> Self {
        let mut set = ChangeSet::default();
        values.into_iter().for_each(|(path, value)| set.put(Operator::Set, path, value));
        set
    }

    pub(super) fn push(&mut self, change: FieldChange) {
        self.changes.push(change);
    }

    /// Adds a change without modifiers. The change replaces a change of the same operator and path.
    pub(crate) fn put(&mut self, operator: Operator, path: impl Into<String>, value: impl Into<Bson>) {
        self.add(FieldChange { operator, path: path.into(), value: value.into(), modifiers: Document::new() });
    }

    /// Adds a change. The change replaces a change of the same operator and path.
    pub(crate) fn add(&mut self, change: FieldChange) {
        let is_same = |earlier: &&mut FieldChange| earlier.operator == change.operator && earlier.path == change.path;
        match self.changes.iter_mut().find(is_same) {
            Some(earlier) => *earlier = change,
            None => self.changes.push(change),
        }
    }

    /// Removes the change of an operator at a path, and returns the operand.
    pub(crate) fn remove(&mut self, operator: Operator, path: &str) -> Option<Bson> {
        let is_it = |change: &FieldChange| change.operator == operator && change.path == path;
        let at = self.changes.iter().position(is_it)?;
        Some(self.changes.remove(at).value)
    }

    /// Returns the operand of an operator at a path.
    pub(crate) fn get(&self, operator: Operator, path: &str) -> Option<&Bson> {
        let is_it = |change: &&FieldChange| change.operator == operator && change.path == path;
        self.changes.iter().find(is_it).map(|change| &change.value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FieldChange> {
        self.changes.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut FieldChange> {
        self.changes.iter_mut()
    }

    /// Returns the fields that the set sets, with the values.
    pub(crate) fn set_values(&self) -> Document {
        let sets = self.changes.iter().filter(|change| change.operator == Operator::Set);
        sets.map(|change| (change.path.clone(), change.value.clone())).collect()
    }

    /// Returns the paths that the set changes, with the new paths of renamed fields.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().flat_map(FieldChange::paths)
    }

    /// Returns the paths that the set changes in a stored document. Values that only an insert sets change no stored
    /// document.
    pub(crate) fn paths_of_stored(&self) -> impl Iterator<Item = &str> {
        let changes = self.changes.iter().filter(|change| change.operator != Operator::SetOnInsert);
        changes.flat_map(FieldChange::paths)
    }

    /// Moves all changes below a path.
    pub(crate) fn inside(mut self, path: &str) -> Self {
        self.changes.iter_mut().for_each(|change| change.path = format!("{path}.{}", change.path));
        self
    }

    /// Returns the changes as they are sent: operators, or the stages of a pipeline.
    pub(super) fn into_sent(self) -> (Document, Vec<Document>) {
        match self.pipeline() {
            Ok(Some(stages)) => (Document::new(), stages),
            // The server refuses the name of an expression among operators.
            Ok(None) | Err(_) => (self.into_document(), Vec::new()),
        }
    }

    /// Returns the changes in the server's words.
    pub(crate) fn into_document(self) -> Document {
        let mut update = Document::new();
        for change in self.changes {
            let name = change.operator.name();
            let (path, operand) = change.into_operand();
            match update.get_mut(name) {
                Some(Bson::Document(fields)) => drop(fields.insert(path, operand)),
                _ => drop(update.insert(name, Document::from_iter([(path, operand)]))),
            }
        }
        if update.is_empty() {
            // The server takes an update without an operator for a whole document.
            update.insert(Operator::Set.name(), Document::new());
        }
        update
    }
}

impl FieldChange {
    /// Returns the path, and the new path of a renamed field.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let renamed = if self.operator == Operator::Rename { self.value.as_str() } else { None };
        std::iter::once(self.path.as_str()).chain(renamed)
    }

    /// Returns the path and the operand in the server's words.
    fn into_operand(self) -> (String, Bson) {
        let FieldChange { operator, path, value, modifiers } = self;
        if !operator.grows() {
            return (path, value);
        }
        // An added value could itself look like an operator.
        let mut operand = Document::from_iter([("$each".to_owned(), value)]);
        operand.extend(modifiers);
        (path, operand.into())
    }
}

impl From<FieldChange> for ChangeSet {
    fn from(change: FieldChange) -> Self {
        ChangeSet { changes: vec![change] }
    }
}

/// Shows the operators and the paths, without the values.
impl fmt::Debug for ChangeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = self.changes.iter().map(|change| (change.operator.name(), &change.path));
        formatter.debug_list().entries(changes).finish()
    }
}
