//! Changes of a document, as data: the content of an update before the update is written in the server's words.

mod computed;
mod each;
mod full;
mod position;
mod present;

use std::{fmt, marker::PhantomData};

use derive_where::derive_where;
use mongodb::bson::{Bson, Document};

use self::full::full_when;
pub(crate) use self::present::{MIN_BESIDE_NULL, of_null, refuse_upsert};
use super::{
    Element, PathNode,
    canonical::{Misfit, canonical, canonical_items},
    condition,
};
use crate::{
    changes::{ChangeSet, FieldChange, Operator},
    definition::{Direction, FieldDefinition, HistoryDefinition, Kind, ModelDefinition, Shape, of_entry},
    error::{Error, Result},
};

/// One change of one field.
#[derive(Clone)]
pub(crate) struct Change {
    pub(crate) operator: Operator,
    /// The stored path; an element of an array is `$[]` or `$[identifier]`.
    pub(crate) path: String,
    pub(crate) value: Bson,
    /// The shape of the stored value at the path, with the bounds.
    pub(crate) shape: Option<&'static Shape>,
    /// The elements of the array that stay after a push.
    pub(crate) cap: Option<Cap>,
    /// The position of the pushed elements; `None` for the end.
    pub(crate) position: Option<u32>,
    /// True when serde leaves the field out where the value is `None`.
    pub(crate) leaves_none_out: bool,
}

impl Change {
    /// Returns the change as a part of a change set.
    pub(crate) fn into_field_change(self) -> FieldChange {
        let Change { operator, path, value, cap, position, leaves_none_out, .. } = self;
        if operator == Operator::Set && leaves_none_out && value == Bson::Null {
            // serde leaves out a null of this field, and so does the update.
            return FieldChange { operator: Operator::Unset, path, value: Bson::from(""), modifiers: Document::new() };
        }
        let mut modifiers = cap.map(Cap::into_modifiers).unwrap_or_default();
        modifiers.extend(position.map(|position| ("$position".to_owned(), Bson::from(i64::from(position)))));
        FieldChange { operator, path, value, modifiers }
    }

    /// Returns whether the change may add elements to an array.
    pub(crate) fn grows(&self) -> bool {
        self.operator.grows() && self.cap.is_none()
    }

    /// Returns whether the change has no effect: null is no value that could be less or more, and no value that an
    /// insert needs.
    fn is_nothing(&self) -> bool {
        self.value == Bson::Null
            && match self.operator {
                Operator::Min | Operator::Max => true,
                Operator::SetOnInsert => self.leaves_none_out,
                _ => false,
            }
    }

    /// Returns whether the change is a `min` of a field of one document that may hold null. The server takes null for
    /// less than any value.
    pub(crate) fn loses_to_null(&self) -> bool {
        self.operator == Operator::Min && self.shape.is_some_and(|shape| shape.nullable) && !self.path.contains("$[")
    }
}

/// Shows the operator and the path, without the value.
impl fmt::Debug for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.operator.name(), self.path)
    }
}

/// The modifiers of a `$push` that keeps an array short.
#[derive(Clone, Debug)]
pub(crate) struct Cap {
    pub(crate) sort: Option<Bson>,
    /// The number of the first elements to keep, or, below zero, of the last elements.
    pub(crate) slice: i64,
}

impl Cap {
    /// Returns the cap of a history.
    pub(crate) fn of(field: &FieldDefinition, history: &HistoryDefinition) -> Self {
        let mut sort = Document::new();
        for key in history.order {
            let direction = if key.direction == Direction::Ascending { 1 } else { -1 };
            sort.insert(of_entry(field, key.field), direction);
        }
        let keep = i64::try_from(history.keep).unwrap_or(i64::MAX);
        let slice = if history.is_newest_first() { keep } else { -keep };
        Cap { sort: (!sort.is_empty()).then(|| sort.into()), slice }
    }

    /// Returns the modifiers of a `$push`.
    fn into_modifiers(self) -> Document {
        let mut modifiers = Document::new();
        if let Some(sort) = self.sort {
            modifiers.insert("$sort", sort);
        }
        modifiers.insert("$slice", self.slice);
        modifiers
    }
}

/// The changes of a document of `M`, or of an [`Element`] of an array inside of [`each`](super::UpdateOperators::each).
#[derive_where(Clone)]
pub struct Changes<M> {
    pub(crate) list: ChangeList,
    model: PhantomData<fn() -> M>,
}

/// The changes of a document or an element, without the type.
#[derive(Clone)]
pub(crate) struct ChangeList {
    changes: Result<Vec<Change>>,
    /// The condition of each identifier of a path.
    array_filters: Vec<Document>,
    /// The conditions for a full array. The document must match none of the conditions, or an array would exceed the
    /// bound.
    full: Vec<Document>,
    /// The variants that the document must be of, so that the document has the changed fields.
    variants: Document,
    /// The structs and arrays that the document must have: the paths with the types.
    present: Document,
    /// The paths of requested changes without effect.
    nothing: Vec<String>,
    /// Operators in the server's own words.
    raw: Document,
    /// The beginning of every identifier.
    prefix: String,
    /// The shape of the stored value at the empty path.
    root: Option<&'static Shape>,
    if_empty: IfEmpty,
}

/// The meaning of a list without changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfEmpty {
    /// The caller has forgotten the changes.
    Refuse,
    /// The caller gives changes that may all be absent, as the fields of a patch.
    Ignore,
}

/// The parts of a [`ChangeList`].
pub(crate) struct Parts {
    pub(crate) raw: ChangeSet,
    pub(crate) changes: Vec<Change>,
    pub(crate) array_filters: Vec<Document>,
    pub(crate) full: Vec<Document>,
    pub(crate) variants: Document,
    pub(crate) present: Document,
    pub(crate) nothing: Vec<String>,
    pub(crate) if_empty: IfEmpty,
}

impl Parts {
    /// Returns an error where the caller has forgotten the changes.
    pub(crate) fn refuse_empty(&self, definition: &ModelDefinition) -> Result<()> {
        let is_empty = self.changes.is_empty() && self.raw.is_empty() && self.nothing.is_empty();
        match self.if_empty {
            IfEmpty::Refuse if is_empty => {
                Err(Error::Update { message: format!("the update changes nothing of `{}`", definition.model) })
            }
            IfEmpty::Refuse | IfEmpty::Ignore => Ok(()),
        }
    }

    /// Returns whether all optional changes are absent, so that each stored document stays as before, with the version
    /// and the times. Values that only an insert sets change no stored document.
    pub(crate) fn leaves_stored(&self) -> bool {
        self.if_empty == IfEmpty::Ignore
            && self.nothing.is_empty()
            && self.raw.paths_of_stored().next().is_none()
            && self.changes.iter().all(|change| change.operator == Operator::SetOnInsert)
    }
}

impl<M> Changes<M> {
    pub(crate) fn new() -> Self {
        Changes::of(ChangeList::within(String::new(), None))
    }

    fn of(list: ChangeList) -> Self {
        Changes { list, model: PhantomData }
    }

    /// Adds the changes of the elements of an array for which the condition holds.
    pub(super) fn add_each<E>(
        &mut self,
        array: &PathNode<'_>,
        condition: Result<Document>,
        change: impl FnOnce(Changes<Element<E>>) -> Changes<Element<E>>,
    ) {
        let of_element = change(Changes::of(self.list.of_element(array)));
        self.list.require(array);
        self.list.require_array(array);
        self.list.add_each(array.join(), condition, of_element.list);
    }
}

impl ChangeList {
    fn within(prefix: String, root: Option<&'static Shape>) -> Self {
        let (array_filters, full, raw) = (Vec::new(), Vec::new(), Document::new());
        let (variants, present, nothing) = (Document::new(), Document::new(), Vec::new());
        let (changes, if_empty) = (Ok(Vec::new()), IfEmpty::Refuse);
        ChangeList { changes, array_filters, full, variants, present, nothing, raw, prefix, root, if_empty }
    }

    /// Returns a list without changes.
    pub(crate) fn none() -> Self {
        ChangeList::within(String::new(), None)
    }

    /// Returns a list of one change.
    pub(crate) fn one(change: Change) -> Self {
        ChangeList { changes: Ok(vec![change]), ..ChangeList::none() }
    }

    /// Returns an empty list of changes of an element of the array.
    fn of_element(&self, array: &PathNode<'_>) -> Self {
        let shape = if array.join().is_empty() { self.root } else { array.shape() };
        let items = shape.and_then(|shape| match shape.kind {
            Kind::Array { items, .. } => Some(items),
            _ => None,
        });
        ChangeList::within(format!("{}e{}", self.prefix, self.array_filters.len()), items)
    }

    /// Returns the condition that the document has the changed fields.
    pub(crate) fn needed(&self) -> Document {
        condition::and(self.variants.clone(), self.present.clone())
    }

    pub(crate) fn into_parts(self) -> Result<Parts> {
        let mut changes = self.changes?;
        let raw = ChangeSet::parse(self.raw)?;
        let mut nothing = self.nothing;
        nothing.extend(changes.iter().filter(|change| change.is_nothing()).map(|change| change.path.clone()));
        changes.retain(|change| !change.is_nothing());
        for (position, change) in changes.iter().enumerate() {
            let Change { operator, path, .. } = change;
            let is_same = |earlier: &Change| earlier.operator == *operator && earlier.path == *path;
            let in_raw = raw.get(*operator, path).is_some();
            if in_raw || (*operator != Operator::Set && changes[..position].iter().any(is_same)) {
                return Err(twice(operator.name(), path));
            }
        }
        let mut full = self.full;
        for change in changes.iter().filter(|change| change.grows() && !change.path.contains("$[")) {
            full.extend(full_when(change)?);
        }
        let ChangeList { array_filters, variants, present, if_empty, .. } = self;
        Ok(Parts { raw, changes, array_filters, full, variants, present, nothing, if_empty })
    }

    /// Accepts that the list stays empty.
    pub(crate) fn ignore_empty(&mut self) {
        self.if_empty = IfEmpty::Ignore;
    }

    /// Refuses the update when a change names no place.
    pub(crate) fn refuse_failed(&mut self, added: Result<()>) {
        if let (Ok(_), Err(error)) = (&self.changes, added) {
            self.changes = Err(error);
        }
    }

    /// Refuses the update: the operator of the path may be given once, and is given twice.
    pub(crate) fn refuse_twice(&mut self, operator: &str, path: &str) {
        self.changes = Err(twice(operator, path));
    }

    /// Adds an element to an array; the cap limits the elements that stay.
    pub(crate) fn add_capped(&mut self, node: &PathNode<'_>, element: Result<Bson>, cap: Result<Cap>) {
        let cap = match (&self.changes, cap) {
            (Err(_), _) => return,
            (_, Err(error)) => return self.changes = Err(error),
            (_, Ok(cap)) => cap,
        };
        let path = node.join();
        self.add(Operator::Push, node, element.map(|element| Bson::Array(vec![element])));
        let Ok(changes) = &mut self.changes else { return };
        let is_it = |change: &&mut Change| change.operator == Operator::Push && change.path == path;
        if let Some(change) = changes.iter_mut().find(is_it) {
            let is_alone = matches!(&change.value, Bson::Array(elements) if elements.len() == 1);
            if !is_alone {
                return self.changes = Err(twice("$push", &path));
            }
            let Some(Shape { kind: Kind::Array { max: Some(max), .. }, .. }) = change.shape else {
                return change.cap = Some(cap);
            };
            if cap.slice.unsigned_abs() > *max {
                let message =
                    format!("`{path}` is to keep {} elements, and the bound is {max}", cap.slice.unsigned_abs());
                return self.changes = Err(Error::Update { message });
            }
            change.cap = Some(cap);
        }
    }

    /// Adds a change. Elements for the same array and operator are joined in one change.
    pub(crate) fn add(&mut self, operator: Operator, node: &PathNode<'_>, value: Result<Bson>) {
        self.require(node);
        if !matches!(operator, Operator::Unset | Operator::SetOnInsert) {
            self.require_structs(node);
        }
        let Ok(changes) = &mut self.changes else { return };
        let path = node.join();
        let shape = if path.is_empty() { self.root } else { node.shape() };
        let value = match value.and_then(|value| operand(operator, shape, value).map_err(|misfit| misfit.at(&path))) {
            Ok(value) => value,
            Err(error) => return self.changes = Err(error),
        };
        if operator == Operator::Min && node.is_position() && shape.is_some_and(|shape| shape.nullable) {
            let message = format!("`min` of `{path}` would lose to a null, and an array keeps a null: write `each`");
            return self.changes = Err(Error::Update { message });
        }
        let earlier = changes.iter_mut().find(|change| change.operator == operator && change.path == path);
        match (earlier, value) {
            (None, value) => {
                let leaves_none_out = node.leaves_none_out();
                changes.push(Change { operator, path, value, shape, cap: None, position: None, leaves_none_out });
            }
            (Some(Change { value: Bson::Array(list), cap: None, position: None, .. }), Bson::Array(more))
                if operator.takes_elements() =>
            {
                list.extend(more);
            }
            (Some(change), value) if operator == Operator::Set => change.value = value,
            (Some(_), _) => self.changes = Err(twice(operator.name(), &path)),
        }
    }

    /// Adds operators in the server's own words.
    pub(crate) fn add_raw(&mut self, update: Document) {
        for (operator, fields) in update {
            match (self.raw.get_mut(&operator), fields) {
                (Some(Bson::Document(earlier)), Bson::Document(more)) => {
                    for (path, value) in more {
                        if earlier.contains_key(&path) {
                            return self.changes = Err(twice(&operator, &path));
                        }
                        earlier.insert(path, value);
                    }
                }
                (_, fields) => drop(self.raw.insert(operator, fields)),
            }
        }
    }
}

impl<M> fmt::Debug for Changes<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Changes").field(&self.list.changes).finish()
    }
}

/// Converts the operand of an operator to the stored form: a value of the field, or elements of the array.
fn operand(operator: Operator, shape: Option<&Shape>, value: Bson) -> Result<Bson, Misfit> {
    match value {
        Bson::Array(elements) if operator.takes_elements() => canonical_items(shape, elements).map(Bson::Array),
        value if operator.takes_value() => canonical(shape, value),
        value => Ok(value),
    }
}

/// Returns changes as a change set, after the changes in the server's own words.
pub(crate) fn change_set(raw: ChangeSet, changes: Vec<Change>) -> ChangeSet {
    changes.into_iter().map(Change::into_field_change).fold(raw, |mut set, change| {
        set.add(change);
        set
    })
}

fn twice(operator: &str, path: &str) -> Error {
    let path = path.to_owned();
    Error::Update { message: format!("`{operator}` of `{path}` is there twice") }
}
