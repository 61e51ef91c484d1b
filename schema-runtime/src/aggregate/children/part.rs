//! The parts of a row that are computed from the children of one relation: the numbers of a `$group`, or the first
//! children in an order. Pure.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Decimal128, Document, RawBsonRef, RawDocumentBuf, doc};
use serde::Serialize;

use crate::{
    aggregate::{
        asked::Asked,
        expression::{inner, or_null},
        group::empty,
        order::whole,
    },
    definition::{DeleteRule, FieldDefinition, Groups, ModelDefinition, Texts, ValueDefinition, ValueKind},
    read::Aggregate,
};

/// A part of each row.
pub(super) struct Part {
    child: &'static ModelDefinition,
    /// The stored path of the references.
    path: String,
    /// The comparison of texts by a command of the children.
    texts: Texts,
    /// True when the references may be texts.
    pub(super) refers_by_text: bool,
    /// True when each child has a parent: the reference is no `Option`, and a delete rule keeps the reference valid.
    has_parent: bool,
    /// The values, with the children as documents.
    values: Groups,
    kind: Kind,
}

enum Kind {
    /// The values of one `$group`.
    Numbers,
    /// The value number `at`, of the first children in an order.
    First { at: usize },
}

/// Returns the parts of the rows, in the order of the relations.
pub(super) fn parts(groups: &Groups) -> Vec<Part> {
    let mut parts = Vec::new();
    for children in groups.definition.children {
        let child = (children.child.definition)();
        // A check of the derive has the message about a missing relation.
        let Some(relation) = child.relation(children.reference) else { continue };
        let path = relation.path(child);
        let values = Groups { documents: children.child.definition, of: None, definition: children.values, ..*groups };
        let reference = relation.by.map_or(vec![relation.field], |by| vec![relation.field, by]);
        let found = child.resolve(&reference);
        let part = |kind| Part {
            child,
            path: path.clone(),
            texts: child.texts_of(relation),
            refers_by_text: found.as_ref().is_some_and(|found| found.shape.may_hold_text()),
            has_parent: found.as_ref().is_some_and(|found| !found.optional)
                && relation.on_delete.is_some_and(|rule| rule != DeleteRule::NoAction),
            values,
            kind,
        };
        let all = children.values.values;
        if all.iter().any(|value| !is_first(&value.kind)) {
            parts.push(part(Kind::Numbers));
        }
        let first = all.iter().enumerate().filter(|(_, value)| is_first(&value.kind));
        parts.extend(first.map(|(at, _)| part(Kind::First { at })));
    }
    parts
}

/// Returns whether the value is of the first children in an order, which an index finds.
fn is_first(kind: &ValueKind) -> bool {
    matches!(kind, ValueKind::Top { .. } | ValueKind::First { .. } | ValueKind::Last { .. })
}

/// The name of a parent in a row of the first children.
pub(super) const PARENT: &str = "k";
/// The name of a child in a row of the first children.
pub(super) const CHILD: &str = "c";
/// The name of the only value that is read of a child.
const VALUE: &str = "v";

/// A value of the first children.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum FirstOf<'a> {
    Children(&'a [RawDocumentBuf]),
    /// The value of one child.
    Value(Option<RawBsonRef<'a>>),
}

impl Part {
    /// Returns the values, with the names inside of the pipeline.
    fn values(&self) -> impl Iterator<Item = (String, &'static ValueDefinition)> {
        let values = self.values.definition.values.iter().enumerate();
        let is_here = |at: usize, value: &ValueDefinition| match self.kind {
            Kind::Numbers => !is_first(&value.kind),
            Kind::First { at: only } => at == only,
        };
        values.filter(move |(at, value)| is_here(*at, value)).map(|(at, value)| (inner('v', at), value))
    }

    fn field(&self, value: &ValueDefinition) -> &'static FieldDefinition {
        &self.values.fields[value.field]
    }

    /// Returns whether a condition or the sort names a value.
    pub(super) fn decides(&self, asked: &Asked) -> bool {
        let mut values = self.values();
        values.any(|(_, value)| {
            let name = self.field(value).name;
            asked.sort.contains_key(name) || names(&Bson::Document(asked.having.clone()), name)
        })
    }

    /// Returns the values of a parent without children.
    pub(super) fn empty(&self) -> Document {
        let value = |(_, value): (String, &'static ValueDefinition)| {
            let none = match value.kind {
                ValueKind::CountDistinct { .. } => Bson::Int32(0),
                ValueKind::Sum(_) if self.values.is_decimal(value) => {
                    "0".parse::<Decimal128>().map_or(Bson::Int32(0), Bson::Decimal128)
                }
                _ => empty(&value.kind)?,
            };
            Some((self.field(value).name.to_owned(), none))
        };
        self.values().filter_map(value).collect()
    }

    /// Returns the stages after the children of one parent, or of many: a group for each key, under the names of the
    /// result.
    fn grouped(&self, key: Bson) -> [Document; 2] {
        let (mut group, mut result) = (doc! { "_id": key }, Document::new());
        for (name, value) in self.values() {
            if let Some(accumulator) = self.values.accumulator(&value.kind, false) {
                result.extend(
                    self.values.shown(&name, value, false).map(|shown| (self.field(value).name.to_owned(), shown)),
                );
                group.insert(name, accumulator);
            }
        }
        [doc! { "$group": group }, doc! { "$project": result }]
    }

    /// Returns the stages that find the first children of one parent; `None` for numbers.
    fn first(&self) -> Option<Vec<Document>> {
        let Kind::First { at } = self.kind else { return None };
        let (order, limit, fields) = match &self.values.definition.values[at].kind {
            ValueKind::Top { most, order, fields } => {
                let mut shown: Document = fields.iter().map(|field| (field.name.to_owned(), Bson::Int32(1))).collect();
                shown.entry("_id".to_owned()).or_insert(Bson::Int32(0));
                (whole(self.child, order), *most as i64, shown)
            }
            ValueKind::First { path, order } => {
                (whole(self.child, order), 1, doc! { "_id": 0, VALUE: or_null(self.child, path) })
            }
            ValueKind::Last { path, order } => {
                (whole(self.child, order).reversed(), 1, doc! { "_id": 0, VALUE: or_null(self.child, path) })
            }
            _ => return None,
        };
        Some(vec![doc! { "$sort": order.sort() }, doc! { "$limit": limit }, doc! { "$project": fields }])
    }

    /// Returns the value of the row, of the first children as the server answers the children.
    pub(super) fn value_of<'a>(&self, children: &'a [RawDocumentBuf]) -> BTreeMap<&'static str, FirstOf<'a>> {
        let value = |(_, value): (String, &'static ValueDefinition)| {
            let found = match value.kind {
                ValueKind::Top { .. } => FirstOf::Children(children),
                _ => FirstOf::Value(children.first().and_then(|child| child.get(VALUE).ok().flatten())),
            };
            (self.field(value).name, found)
        };
        self.values().map(value).collect()
    }

    /// Returns whether the part is of the first children.
    pub(super) fn is_first(&self) -> bool {
        matches!(self.kind, Kind::First { .. })
    }

    /// Returns the stages that add the part to the rows of a pipeline: a search of the children for each row.
    pub(super) fn looked_up(&self, groups: &Groups) -> Vec<Document> {
        let name = groups.free_name("children".to_owned());
        let search = self.first().unwrap_or_else(|| self.grouped(Bson::Null).into());
        let lookup = doc! {
            "from": self.child.collection,
            "localField": "_id",
            "foreignField": &self.path,
            "pipeline": search,
            "as": &name,
        };
        let empty = self.empty();
        let set = self.values().map(|(_, value)| {
            let field = self.field(value).name;
            let found: Bson = match value.kind {
                ValueKind::Top { .. } => format!("${name}").into(),
                _ => {
                    let stored = if self.is_first() { VALUE } else { field };
                    let none = doc! { "$literal": empty.get(field).cloned().unwrap_or(Bson::Null) };
                    doc! { "$ifNull": [{ "$first": format!("${name}.{stored}") }, none] }.into()
                }
            };
            (field.to_owned(), found)
        });
        let set: Document = set.collect();
        vec![doc! { "$lookup": lookup }, doc! { "$set": set }, doc! { "$unset": name }]
    }

    /// Returns the operand that names the parents in [`command`](Part::command).
    pub(super) fn operand(&self, parents: &[Bson]) -> Bson {
        let of = |id: &Bson| match self.kind {
            Kind::Numbers => id.clone(),
            Kind::First { .. } => doc! { PARENT: { "$literal": id.clone() } }.into(),
        };
        Bson::Array(parents.iter().map(of).collect())
    }

    /// Returns the command that computes the part for the parents of the operand: `are_all` is true when the operand
    /// names each parent of the collection. The numbers of a parent are a row with the `_id` of the parent. Each first
    /// child is a row of its own.
    pub(super) fn command(&self, parents: Bson, are_all: bool) -> Aggregate {
        let Some(first) = self.first() else {
            let [group, result] = self.grouped(format!("${}", self.path).into());
            // The children of all parents are the whole collection: the server reads documents in stored order 2 to 3
            // times as fast as by the keys of an index. The server would move a `$match` by the `_id` before the group.
            let pipeline = match are_all && self.has_parent {
                true => vec![group, result],
                false => vec![doc! { "$match": { &self.path: { "$in": parents } } }, group, result],
            };
            return Aggregate { collection: Some(self.child.collection), pipeline };
        };
        let search = doc! {
            "from": self.child.collection,
            "localField": PARENT,
            "foreignField": &self.path,
            "pipeline": first,
            "as": CHILD,
        };
        let unwind = doc! { "$unwind": format!("${CHILD}") };
        let pipeline = vec![doc! { "$documents": parents }, doc! { "$lookup": search }, unwind];
        Aggregate { collection: None, pipeline }
    }

    /// Returns the comparison of texts by the command. A pipeline of no collection inherits no collation.
    pub(super) fn texts(&self) -> Texts {
        match (self.texts, self.child.options.collation) {
            (Texts::Inherited, Some(collation)) if self.is_first() => Texts::By(collation),
            (texts, _) => texts,
        }
    }
}

/// Returns whether a condition or an expression names this field.
fn names(value: &Bson, field: &str) -> bool {
    let is_field = |path: &str| path.split('.').next() == Some(field);
    match value {
        Bson::Document(document) => document.iter().any(|(name, value)| is_field(name) || names(value, field)),
        Bson::Array(values) => values.iter().any(|value| names(value, field)),
        Bson::String(text) => text.strip_prefix('$').is_some_and(is_field),
        _ => false,
    }
}
