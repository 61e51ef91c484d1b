//! Rule: `aggregate_kept`. The page is `guide/pages/rules/aggregate_kept.md`.

use crate::{
    definition::{
        Allow, Direction, FieldDefinition, IndexKey, Kind, ModelDefinition, OrderKey, RollupDefinition, RollupKind,
        Shape, Term, ValueKind, each, find, find_relation, find_stored, refuse, str_eq,
    },
    model::{Aggregate, AggregateSource, Model, RelationOfRows},
};

const ID: &str = "aggregate_kept";

/// Judges value number `value` of relation number `AT`.
#[track_caller]
pub const fn aggregate_kept<R: RelationOfRows<AT>, const AT: usize>(value: usize) {
    let (rows, child) = (<R::Rows as Aggregate>::AGGREGATE, <R::Child as Model>::DEFINITION);
    let parent = <<R::Rows as AggregateSource>::Of as Model>::DEFINITION;
    let is_of_groups = <<R::Rows as Aggregate>::Source as AggregateSource>::GROUPS.is_some();
    if !parent.whole || !child.whole || is_of_groups || Allow::any(rows.allows, ID) {
        return;
    }
    let children = &rows.children[AT];
    let kind = &children.values.values[value].kind;
    each!(for rollup in parent.rollups {
        if str_eq(rollup.child.name, child.name)
            && str_eq(rollup.reference, children.reference)
            && keeps(parent, rollup, child, kind)
        {
            refuse! {
                "`{}.{}` keeps the `{}` of `{}::{}`, and this aggregation reads all these children for a value that is in the parent",
                    parent.model, rollup.field, rollup.kind.word(), child.model, rollup.reference;
                help: "write `{}` as a field of the parent, without an attribute, or read the field by `find`; or give a reason: `#[aggregate(.., allow(aggregate_kept, reason = \"..\"))]`",
                    rollup.field
            }
        }
    });
}

/// Returns whether the field of a rollup has the value.
const fn keeps(parent: &ModelDefinition, rollup: &RollupDefinition, child: &ModelDefinition, kind: &ValueKind) -> bool {
    match (rollup.kind, kind) {
        (RollupKind::Count, ValueKind::Count(None)) => true,
        (RollupKind::Sum(field), ValueKind::Sum(term))
        | (RollupKind::Avg(field), ValueKind::Avg(term))
        | (RollupKind::Min(field), ValueKind::Min(term))
        | (RollupKind::Max(field), ValueKind::Max(term)) => is_field(term, field),
        (RollupKind::Subset { keep, order }, ValueKind::Top { most, order: asked, fields }) => {
            *most <= keep
                && is_order(child, rollup, order, asked, false)
                && has_fields(elements(parent, rollup), fields)
        }
        (RollupKind::Subset { order, .. }, ValueKind::First { path, order: asked }) => {
            is_order(child, rollup, order, asked, false) && has_path(parent, rollup, child, path)
        }
        (RollupKind::Subset { order, .. }, ValueKind::Last { path, order: asked }) => {
            is_order(child, rollup, order, asked, true) && has_path(parent, rollup, child, path)
        }
        _ => false,
    }
}

const fn is_field(term: &Term, field: &str) -> bool {
    matches!(term, Term::Field([name]) if str_eq(name, field))
}

/// Returns whether the order of a subset, or of the relation of a subset, is the order of the value.
const fn is_order(
    child: &ModelDefinition,
    rollup: &RollupDefinition,
    own: &'static [OrderKey],
    asked: &[IndexKey],
    is_reversed: bool,
) -> bool {
    let kept = match find_relation(child.relations, rollup.reference) {
        Some(relation) if own.is_empty() => relation.order,
        _ => own,
    };
    if kept.is_empty() || kept.len() != asked.len() {
        return false;
    }
    let mut at = 0;
    while at < kept.len() {
        let is_descending = matches!(kept[at].direction, Direction::Descending);
        let [name] = asked[at].path else { return false };
        if !str_eq(name, kept[at].field)
            || (matches!(asked[at].direction, Direction::Descending) != is_reversed) != is_descending
        {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the fields of the elements of a subset.
const fn elements(parent: &ModelDefinition, rollup: &RollupDefinition) -> &'static [FieldDefinition] {
    match find_stored(parent.fields, rollup.name) {
        Some(FieldDefinition { shape: Shape { kind: Kind::Array { items, .. }, .. }, .. }) => items.fields(),
        _ => &[],
    }
}

/// Returns whether the elements of a subset have the field of the children.
const fn has_path(
    parent: &ModelDefinition,
    rollup: &RollupDefinition,
    child: &ModelDefinition,
    path: &[&'static str],
) -> bool {
    let [name] = path else { return false };
    match find(child.fields, name) {
        Some(field) => find_stored(elements(parent, rollup), field.name).is_some(),
        None => false,
    }
}

/// Returns whether kept documents have all these fields, also inside of fields.
const fn has_fields(kept: &'static [FieldDefinition], asked: &[FieldDefinition]) -> bool {
    each!(for field in asked {
        match find_stored(kept, field.name) {
            Some(kept) if has_shape(&kept.shape, &field.shape) => {}
            _ => return false,
        }
    });
    true
}

const fn has_shape(kept: &'static Shape, asked: &Shape) -> bool {
    match (kept.kind, asked.kind) {
        (Kind::Document { fields: kept, .. }, Kind::Document { fields: asked, .. }) => has_fields(kept, asked),
        (Kind::Array { items: kept, .. }, Kind::Array { items: asked, .. }) => has_shape(kept, asked),
        _ => true,
    }
}
