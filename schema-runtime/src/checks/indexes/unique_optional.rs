//! Rule: `unique_optional`. The page is `guide/pages/rules/unique_optional.md`.

use crate::{
    definition::{IndexDefinition, Kind, PartialOperator, ResolvedPath, Shape, each, is_path, refuse},
    model::Model,
};

/// Judges index number `index` of `M`, which is unique.
#[track_caller]
pub const fn unique_optional<M: Model>(index: usize) {
    let definition = M::DEFINITION;
    let index: &IndexDefinition = &definition.all_indexes[index];
    each!(for key in index.keys {
        if let Some(path) = definition.resolve_of(index, key.path)
            && (path.optional || holds_null(&path.shape))
        {
            enforce(index, key.path, &path);
        }
    });
}

#[track_caller]
const fn enforce(index: &IndexDefinition, key: &[&str], path: &ResolvedPath) {
    let name = key[key.len() - 1];
    let (what, help) = if index.sparse {
        if path.skippable {
            return;
        }
        (
            "is written as null for `None`, and a second null is a duplicate even in a sparse index",
            "remove `sparse`: the crate then leaves nulls out; or add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
        )
    } else if index.written_clauses() > 0 {
        if leaves_null_out(index, key, path) {
            return;
        }
        (
            "may be null or absent, and this `partial(..)` lets nulls in: the second null is a duplicate",
            if path.array_at == 0 {
                "add a clause that null does not match: `exists` of this field"
            } else {
                "add a clause that null does not match, for example `gte(name, \"\")` for a string"
            },
        )
    } else if path.array_at > 0 {
        (
            "is in an array and may be null: a null beside a value cannot be left out of the index",
            "make the field required, or remove `unique`",
        )
    } else {
        match path.shape.kind {
            Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_) => return,
            _ => (
                "may be null or absent, and a second document without a value is a duplicate",
                "make the field required, or index a scalar inside the field",
            ),
        }
    };
    refuse! {
        "`{}` {}", name, what;
        help: "{}", help
    }
}

/// Returns whether an array holds nulls.
const fn holds_null(shape: &Shape) -> bool {
    match shape.kind {
        Kind::Array { items, .. } => items.nullable || holds_null(items),
        _ => false,
    }
}

const fn leaves_null_out(index: &IndexDefinition, key: &[&str], path: &ResolvedPath) -> bool {
    each!(for clause in index.partial {
        // `exists` on an `Option` means "not null"; in an array `exists` means "not null" for a single element only.
        let compares = !matches!(clause.operator, PartialOperator::Exists) || path.skippable || path.array_at == 0;
        if compares && is_path(clause.path, key) {
            return true;
        }
    });
    false
}
