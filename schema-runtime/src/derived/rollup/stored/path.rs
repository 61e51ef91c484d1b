//! The paths of rollups: the values that the parents of one model keep of the children of one relation. Pure.

use mongodb::bson::{Bson, Decimal128, Document};

use crate::definition::{
    Direction, FieldDefinition, Kind, ModelDefinition, OrderKey, RelationDefinition, RollupDefinition, RollupKind,
    Scalar, stored_names::ROLLUP_STATE,
};

/// The values that one parent keeps of the children of one relation. All values are written together.
#[derive(Clone, Debug)]
pub(crate) struct RollupPath {
    pub(crate) parent: &'static ModelDefinition,
    pub(crate) child: &'static ModelDefinition,
    /// The child's collection and the reference: `logmsg_host`.
    pub(in crate::derived::rollup) name: String,
    /// The reference in the child, as stored.
    pub(in crate::derived::rollup) reference: &'static str,
    /// True when the reference may name a missing parent. The insert of the parent then counts the child.
    pub(in crate::derived::rollup) may_dangle: bool,
    pub(in crate::derived::rollup) fields: Vec<RollupField>,
}

/// A field of the parent.
#[derive(Clone, Debug)]
pub(in crate::derived::rollup) struct RollupField {
    /// The stored name.
    pub(in crate::derived::rollup) name: &'static str,
    pub(in crate::derived::rollup) value: RollupValue,
}

/// The value that a field keeps of the children, in stored names.
#[derive(Clone, Debug)]
pub(in crate::derived::rollup) enum RollupValue {
    Subset { keep: i64, sort: Document, elements: Vec<&'static str> },
    Count,
    Sum { from: &'static str, zero: Bson },
    Avg { from: &'static str, zero: Bson },
    Min { from: &'static str },
    Max { from: &'static str },
}

impl RollupValue {
    /// Returns whether the value is read again when a contained child goes.
    pub(in crate::derived::rollup) fn is_extreme(&self) -> bool {
        matches!(self, RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. })
    }

    /// Returns whether the value is a sum, or is made of a sum.
    pub(in crate::derived::rollup) fn is_total(&self) -> bool {
        matches!(self, RollupValue::Sum { .. } | RollupValue::Avg { .. })
    }

    /// Returns whether the value is made of the field at the given path.
    pub(in crate::derived::rollup) fn is_of(&self, path: &str) -> bool {
        match self {
            RollupValue::Subset { sort, elements, .. } => {
                elements.contains(&top(path)) || sort.keys().any(|name| name == top(path))
            }
            RollupValue::Count => false,
            RollupValue::Sum { from, .. }
            | RollupValue::Avg { from, .. }
            | RollupValue::Min { from }
            | RollupValue::Max { from } => *from == top(path),
        }
    }

    /// Returns whether the value is a sum that may be infinite or NaN.
    pub(in crate::derived::rollup) fn is_fraction(&self) -> bool {
        match self {
            RollupValue::Sum { zero, .. } | RollupValue::Avg { zero, .. } => !matches!(zero, Bson::Int64(_)),
            _ => false,
        }
    }
}

impl RollupPath {
    fn new(
        parent: &'static ModelDefinition,
        child: &'static ModelDefinition,
        relation: &'static RelationDefinition,
    ) -> Self {
        let name = format!("{}_{}", child.collection, relation.name).replace('.', "_");
        let of_relation =
            |rollup: &&RollupDefinition| rollup.child.name == child.name && rollup.reference == relation.field;
        let fields = parent.rollups.iter().filter(of_relation).map(|rollup| field(parent, child, relation, rollup));
        let may_dangle = child.field(relation.field).is_some_and(|field| field.may_dangle);
        RollupPath { parent, child, reference: relation.name, may_dangle, fields: fields.collect(), name }
    }

    pub(in crate::derived::rollup) fn is(&self, other: &RollupPath) -> bool {
        self.name == other.name
    }

    /// Returns the path of a field in the path's own state in a parent.
    pub(in crate::derived::rollup) fn state(&self, field: &str) -> String {
        format!("{ROLLUP_STATE}{}.{field}", self.name)
    }

    /// Returns the field of the path's own state in a parent: the parts of averages, and the last correction.
    pub(in crate::derived::rollup) fn states(&self) -> String {
        format!("{ROLLUP_STATE}{}", self.name)
    }

    /// Returns the paths of the number and the sum of an average.
    pub(in crate::derived::rollup) fn parts(&self, field: &str) -> (String, String) {
        (self.state(&format!("avg.{field}.count")), self.state(&format!("avg.{field}.sum")))
    }

    /// Returns the stored fields of the children that feed the parent's fields, without the reference.
    pub(in crate::derived::rollup) fn watched(&self) -> impl Iterator<Item = &str> {
        let all = self.fields.iter().flat_map(|field| match &field.value {
            RollupValue::Subset { sort, elements, .. } => {
                elements.iter().copied().chain(sort.keys().map(String::as_str)).collect::<Vec<_>>()
            }
            RollupValue::Count => Vec::new(),
            RollupValue::Sum { from, .. }
            | RollupValue::Avg { from, .. }
            | RollupValue::Min { from }
            | RollupValue::Max { from } => vec![*from],
        });
        let mut names: Vec<&str> = all.filter(|name| *name != "_id").collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter()
    }

    /// Returns whether a change at the given path changes a value of the parent.
    pub(in crate::derived::rollup) fn watches(&self, path: &str) -> bool {
        self.watched().any(|name| top(path) == name)
    }

    /// Returns whether a change at the given path changes the reference.
    pub(in crate::derived::rollup) fn moves(&self, path: &str) -> bool {
        top(path) == self.reference
    }

    /// Returns whether a change at one of the given paths changes a value of the parent, or the reference.
    pub(in crate::derived::rollup) fn concerns(&self, touched: &[String]) -> bool {
        touched.iter().any(|touched| self.moves(touched) || self.watches(touched))
    }

    /// Returns the values of a parent without children; the field of a `None` is absent.
    pub(in crate::derived::rollup) fn empty(&self) -> Vec<(&'static str, Option<Bson>)> {
        let empty = |field: &RollupField| match &field.value {
            RollupValue::Subset { .. } => Some(Bson::Array(Vec::new())),
            RollupValue::Count => Some(Bson::Int64(0)),
            RollupValue::Sum { zero, .. } => Some(zero.clone()),
            RollupValue::Avg { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => None,
        };
        self.fields.iter().map(|field| (field.name, empty(field))).collect()
    }
}

/// Returns the paths of the parents of a model's documents.
pub(crate) fn paths_of_child(child: &'static ModelDefinition) -> Vec<RollupPath> {
    let rolled_up = child.relations.iter().filter(|relation| relation.rolled_up);
    rolled_up.filter_map(|relation| Some(RollupPath::new((relation.target?.definition)(), child, relation))).collect()
}

/// Returns the stored fields of a child that the given paths keep values of, and the references to the parents.
pub(in crate::derived::rollup) fn names(paths: &[RollupPath]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in paths.iter().flat_map(|path| [path.reference].into_iter().chain(path.watched())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the projection of the names of the paths, and of the `_id`.
pub(in crate::derived::rollup) fn projection(paths: &[RollupPath]) -> Document {
    names(paths).into_iter().chain(["_id"]).map(|name| (name.to_owned(), Bson::Int32(1))).collect()
}

/// Returns whether parents keep values of the documents.
pub(crate) fn has_parents(definition: &ModelDefinition) -> bool {
    definition.relations.iter().any(|relation| relation.rolled_up)
}

/// Returns the paths of the values that the parents of a model keep.
pub(crate) fn paths_of_parent(parent: &'static ModelDefinition) -> Vec<RollupPath> {
    let mut paths: Vec<RollupPath> = Vec::new();
    for rollup in parent.rollups {
        let child = rollup.child();
        let Some(relation) = child.relation(rollup.reference) else { continue };
        if !paths.iter().any(|path| path.child.name == child.name && path.reference == relation.name) {
            paths.push(RollupPath::new(parent, child, relation));
        }
    }
    paths
}

fn field(
    parent: &'static ModelDefinition,
    child: &'static ModelDefinition,
    relation: &'static RelationDefinition,
    rollup: &'static RollupDefinition,
) -> RollupField {
    let stored = |field: &str| child.field(field).map_or("", |field| field.name);
    let zero = |of: &str| child.field(of).map_or(Bson::Int64(0), zero_of);
    let value = match rollup.kind {
        RollupKind::Subset { keep, order } => {
            let fields = parent.field(rollup.field).map_or(&[][..], |field| elements(field));
            let order = if order.is_empty() { relation.order } else { order };
            let elements = fields.iter().map(|field| field.name).collect();
            RollupValue::Subset { keep: keep as i64, sort: sort(child, order), elements }
        }
        RollupKind::Count => RollupValue::Count,
        RollupKind::Sum(of) => RollupValue::Sum { from: stored(of), zero: zero(of) },
        RollupKind::Avg(of) => RollupValue::Avg { from: stored(of), zero: zero(of) },
        RollupKind::Min(of) => RollupValue::Min { from: stored(of) },
        RollupKind::Max(of) => RollupValue::Max { from: stored(of) },
    };
    RollupField { name: rollup.name, value }
}

/// Returns the order of a subset. Children with equal keys are ordered by `_id`, in the direction of the last key.
/// Without an order, the newest `_id` comes first, as in reads of the relation.
fn sort(child: &ModelDefinition, order: &[OrderKey]) -> Document {
    let number = |direction: Direction| if direction == Direction::Ascending { 1 } else { -1 };
    let keys = order.iter().filter_map(|key| Some((child.field(key.field)?.name, number(key.direction))));
    let mut sort: Document = keys.map(|(name, direction)| (name.to_owned(), Bson::Int32(direction))).collect();
    if !sort.contains_key("_id") {
        sort.insert("_id", order.last().map_or(-1, |key| number(key.direction)));
    }
    sort
}

fn elements(field: &'static FieldDefinition) -> &'static [FieldDefinition] {
    match field.shape.kind {
        Kind::Array { items, .. } => match items.kind {
            Kind::Document { fields, .. } => fields,
            _ => &[],
        },
        _ => &[],
    }
}

fn zero_of(field: &FieldDefinition) -> Bson {
    match field.shape.kind {
        Kind::Scalar(Scalar::Double | Scalar::Single) => Bson::Double(0.0),
        // The encoding of `Decimal128` zero: no coefficient, and the exponent 0.
        Kind::Scalar(Scalar::Decimal128) => {
            Bson::Decimal128(Decimal128::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]))
        }
        _ => Bson::Int64(0),
    }
}

fn top(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}
