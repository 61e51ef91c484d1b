//! The types with a JSON Schema: the types that are written as JSON or read from JSON.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
};

use mongodb::bson::{DateTime, Decimal128, Uuid, oid::ObjectId};
use serde_json::{Value, json};

use super::{nullable, of_fields, of_shape};
use crate::{
    bounds::Ref,
    field::{Field, Record},
    join::CompleteJoin,
    json::name::Fields,
    model::Model,
    page::{Page, PageToken},
};

/// A type with a JSON Schema: a model, an embedded struct, a projection, a patch, a [`Ref`], an id, and lists, maps,
/// options and pages of such values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON Schema of this crate",
    label = "this derives no `Model`, `Embed`, `Projection` or `Patch`",
    note = "help: derive `Model`, `Embed` or `Projection` on the struct"
)]
pub trait HasJsonSchema {
    /// Returns the name of the schema: the name of the struct, with a prefix for lists, maps, options and pages.
    fn schema_name() -> Cow<'static, str>;

    /// Makes the schema.
    #[doc(hidden)]
    fn json_schema() -> Value;
}

impl<T: Record> HasJsonSchema for T {
    fn schema_name() -> Cow<'static, str> {
        T::STRUCT.into()
    }

    fn json_schema() -> Value {
        of_fields(T::STRUCT, Fields { list: T::FIELDS, variants: T::TAGGED })
    }
}

macro_rules! scalars {
    ($($type:ty, $name:literal;)*) => {$(
        impl HasJsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema() -> Value {
                of_shape(&<Self as Field>::SHAPE)
            }
        }
    )*};
}

scalars! {
    ObjectId, "ObjectId";
    Uuid, "Uuid";
    DateTime, "DateTime";
    Decimal128, "Decimal128";
    String, "String";
    bool, "Boolean";
    i32, "Int32";
    i64, "Int64";
    u32, "UInt32";
    u64, "UInt64";
    f64, "Double";
}

impl<M: Model> HasJsonSchema for Ref<M> {
    fn schema_name() -> Cow<'static, str> {
        format!("RefOf{}", M::STRUCT).into()
    }

    fn json_schema() -> Value {
        of_shape(&<Self as Field>::SHAPE)
    }
}

impl HasJsonSchema for PageToken {
    fn schema_name() -> Cow<'static, str> {
        "PageToken".into()
    }

    fn json_schema() -> Value {
        json!({ "type": "string", "pattern": "^([0-9a-f]{2})+$" })
    }
}

impl<T: HasJsonSchema> HasJsonSchema for Option<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Optional{}", T::schema_name()).into()
    }

    fn json_schema() -> Value {
        nullable(T::json_schema())
    }
}

macro_rules! lists {
    ($($type:ty;)*) => {$(
        impl<T: HasJsonSchema> HasJsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                format!("ListOf{}", T::schema_name()).into()
            }

            fn json_schema() -> Value {
                json!({ "type": "array", "items": T::json_schema() })
            }
        }
    )*};
}

lists! {
    [T];
    Vec<T>;
    VecDeque<T>;
    CompleteJoin<T>;
}

macro_rules! maps {
    ($([$($parameter:ident)?] $type:ty;)*) => {$(
        impl<T: HasJsonSchema $(, $parameter)?> HasJsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                format!("MapOf{}", T::schema_name()).into()
            }

            fn json_schema() -> Value {
                json!({ "type": "object", "additionalProperties": T::json_schema() })
            }
        }
    )*};
}

maps! {
    [] BTreeMap<String, T>;
    [S] HashMap<String, T, S>;
}

impl<I: HasJsonSchema> HasJsonSchema for Page<I> {
    fn schema_name() -> Cow<'static, str> {
        format!("PageOf{}", I::schema_name()).into()
    }

    fn json_schema() -> Value {
        let place = nullable(PageToken::json_schema());
        json!({
            "type": "object",
            "properties": {
                "items": I::json_schema(),
                "next": place,
                "previous": place,
                "total": { "type": "integer", "minimum": 0 },
            },
            "required": ["items", "next", "previous"],
            "additionalProperties": false,
        })
    }
}
