//! Values of any form as fields: `Bson`, `Document` and, with the feature `json`, `serde_json::Value`.
//!
//! serde reads a document with a name of extended JSON, as `$oid`, as the value that the name means. A raw value with
//! such a name is therefore refused in both directions: a stored value comes back as the same value.

use mongodb::bson::{Bson, Document};

use crate::{
    definition::{Form, Holds, Raw, Reason, Shape},
    field::{Field, NoFields, Path, class},
};

/// The most levels of documents and arrays in a raw value. MongoDB takes 100 levels in a document; a raw value lies in
/// a document. Source: MongoDB, "MongoDB limits and thresholds", "nested depth for BSON documents".
const MAX_LEVELS: usize = 99;

/// The names with a `$` that a reference of the driver has, and that serde reads as names.
const OF_REFERENCES: [&str; 3] = ["$ref", "$id", "$db"];

macro_rules! raw {
    ($($(#[$attribute:meta])* $type:ty, $name:literal, $shape:expr;)*) => {$(
        $(#[$attribute])*
        #[diagnostic::do_not_recommend]
        impl Field for $type {
            const SHAPE: Shape =
                $shape.form(&Form { name: $name, holds: Holds::Values, store: checked, restore: checked, restore_buffered: checked });
            type Class = class::AnyForm;
            type Nested<M: 'static, P: Path, K: 'static> = NoFields;
        }
    )*};
}

// Null is one of the values of a `Bson` and of a `serde_json::Value`.
raw! {
    Bson, "Bson", Shape::raw(Raw::Value).nullable();
    Document, "Document", Shape::raw(Raw::Document);
    #[cfg(feature = "json")]
    serde_json::Value, "serde_json::Value", Shape::raw(Raw::Value).nullable();
}

/// Returns the value, where the value is stored and read as the same value.
fn checked(value: Bson) -> Result<Bson, Reason> {
    check(&value, MAX_LEVELS).map(|()| value)
}

/// Checks a value with at most `levels` levels.
fn check(value: &Bson, levels: usize) -> Result<(), Reason> {
    let inner = |levels: usize| levels.checked_sub(1).ok_or(Reason("the value has more than 99 levels"));
    match value {
        Bson::Document(document) => {
            let levels = inner(levels)?;
            document.iter().try_for_each(|(name, value)| {
                check_name(name)?;
                check(value, levels)
            })
        }
        Bson::Array(elements) => {
            let levels = inner(levels)?;
            elements.iter().try_for_each(|value| check(value, levels))
        }
        Bson::JavaScriptCodeWithScope(code) => check(&Bson::Document(code.scope.clone()), levels),
        _ => Ok(()),
    }
}

fn check_name(name: &str) -> Result<(), Reason> {
    if name.contains('\0') {
        return Err(Reason("a name in the value has a NUL"));
    }
    match name.starts_with('$') && !OF_REFERENCES.contains(&name) {
        true => Err(Reason("a name in the value begins with `$`, as the types of extended JSON do")),
        false => Ok(()),
    }
}
