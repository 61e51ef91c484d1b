//! The paths of rollups: what the parents of one model keep of the children of one relation. Pure.

use mongodb::bson::{Bson, Decimal128, Document};

use crate::definition::{
    Direction, FieldDefinition, Kind, ModelDefinition, OrderKey, RelationDefinition, RollupDefinition, RollupKind,
    Scalar,
};

/// What one parent keeps of the children of one relation; all of it is written together.
#[derive(Clone, Debug)]
pub(crate) struct RollupPath {
    pub(crate) parent: &'static ModelDefinition,
    pub(crate) child: &'static ModelDefinition,
    /// The child's collection and the reference: `logmsg_host`.
    pub(super) name: String,
    /// The reference in the child, as stored.
    pub(super) reference: &'static str,
    /// Whether the reference may be of a parent that is not there: the insert of the parent counts the child.
    pub(super) may_dangle: bool,
    pub(super) fields: Vec<RollupField>,
}

/// A field of the parent.
#[derive(Clone, Debug)]
pub(super) struct RollupField {
    /// As stored.
    pub(super) name: &'static str,
    pub(super) value: RollupValue,
}

/// What of the children a field keeps, in stored names.
#[derive(Clone, Debug)]
pub(super) enum RollupValue {
    Subset { keep: i64, sort: Document, elements: Vec<&'static str> },
    Count,
    Sum { from: &'static str, zero: Bson },
    Avg { from: &'static str, zero: Bson },
    Min { from: &'static str },
    Max { from: &'static str },
}

impl RollupValue {
    /// Whether it is read again when a child that is in it goes.
    pub(super) fn is_extreme(&self) -> bool {
        matches!(self, RollupValue::Subset { .. } | RollupValue::Min { .. } | RollupValue::Max { .. })
    }

    /// Whether it is a sum, or made of one.
    pub(super) fn is_total(&self) -> bool {
        matches!(self, RollupValue::Sum { .. } | RollupValue::Avg { .. })
    }

    /// Whether it is made of the field at this path.
    pub(super) fn is_of(&self, path: &str) -> bool {
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

    /// Whether it is a sum that may be infinite or no number.
    pub(super) fn is_fraction(&self) -> bool {
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

    pub(super) fn is(&self, other: &RollupPath) -> bool {
        self.name == other.name
    }

    /// Where a parent has this of the path's own state.
    pub(super) fn state(&self, field: &str) -> String {
        format!("_rollup_{}.{field}", self.name)
    }

    /// Where a parent has the path's own state: the parts of averages, and the last correction.
    pub(super) fn states(&self) -> String {
        format!("_rollup_{}", self.name)
    }

    /// The number and the sum that an average is made of.
    pub(super) fn parts(&self, field: &str) -> (String, String) {
        (self.state(&format!("avg.{field}.count")), self.state(&format!("avg.{field}.sum")))
    }

    /// `LogMsg.host`, for messages.
    pub(crate) fn relation(&self) -> String {
        format!("{}.{}", self.child.model, self.reference)
    }

    /// The stored fields of the children that the parent's fields are made of, beside the reference.
    pub(super) fn watched(&self) -> impl Iterator<Item = &str> {
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

    /// Whether a change at this path changes what the parent has.
    pub(super) fn watches(&self, path: &str) -> bool {
        self.watched().any(|name| top(path) == name)
    }

    /// Whether a change at this path changes the reference.
    pub(super) fn moves(&self, path: &str) -> bool {
        top(path) == self.reference
    }

    /// Whether a change at one of these paths changes what the parent has, or the reference.
    pub(super) fn concerns(&self, touched: &[String]) -> bool {
        touched.iter().any(|touched| self.moves(touched) || self.watches(touched))
    }

    /// What a parent without children has; what is `None` is not there.
    pub(super) fn empty(&self) -> Vec<(&'static str, Option<Bson>)> {
        let empty = |field: &RollupField| match &field.value {
            RollupValue::Subset { .. } => Some(Bson::Array(Vec::new())),
            RollupValue::Count => Some(Bson::Int64(0)),
            RollupValue::Sum { zero, .. } => Some(zero.clone()),
            RollupValue::Avg { .. } | RollupValue::Min { .. } | RollupValue::Max { .. } => None,
        };
        self.fields.iter().map(|field| (field.name, empty(field))).collect()
    }
}

/// The paths of the parents that the children of this model have.
pub(crate) fn paths_of_child(child: &'static ModelDefinition) -> Vec<RollupPath> {
    let rolled_up = child.relations.iter().filter(|relation| relation.rolled_up);
    rolled_up.filter_map(|relation| Some(RollupPath::new((relation.target?.definition)(), child, relation))).collect()
}

/// The stored fields of a child that these paths keep something of, and the references to the parents.
pub(super) fn names(paths: &[RollupPath]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in paths.iter().flat_map(|path| [path.reference].into_iter().chain(path.watched())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Projects the same fields, and the `_id`.
pub(super) fn projection(paths: &[RollupPath]) -> Document {
    names(paths).into_iter().chain(["_id"]).map(|name| (name.to_owned(), Bson::Int32(1))).collect()
}

/// Whether parents keep something of the documents.
pub(crate) fn has_parents(definition: &ModelDefinition) -> bool {
    definition.relations.iter().any(|relation| relation.rolled_up)
}

/// The paths of what the parents of this model keep.
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

/// The order of a subset: equal ones are distinguished by their `_id`, in the direction of the last key. Without an order, the
/// newest `_id` first, as the relation reads them.
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
        // As `Decimal128` is stored: no coefficient, and the exponent 0.
        Kind::Scalar(Scalar::Decimal128) => {
            Bson::Decimal128(Decimal128::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]))
        }
        _ => Bson::Int64(0),
    }
}

fn top(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}
