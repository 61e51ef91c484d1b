//! Schemas for `utoipa`.

use std::borrow::Cow;

use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::HasJsonSchema;
use crate::{bounds::Ref, json::Json, model::Model};

/// Returns a schema as the type of `utoipa`, which holds each word that this crate writes.
pub(crate) fn openapi_schema(schema: Value) -> RefOr<Schema> {
    serde_json::from_value(schema).unwrap_or_else(|_| RefOr::T(Schema::default()))
}

/// Implements the traits of `utoipa` for types with a schema; `$of` is the type with the schema.
macro_rules! wrappers {
    ($([$($parameter:tt)*] $type:ty, $of:ty;)*) => {$(
        /// The schema of the JSON of this crate.
        impl<$($parameter)*> PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                openapi_schema(<$of as HasJsonSchema>::json_schema())
            }
        }

        /// The name is the name of the struct.
        impl<$($parameter)*> ToSchema for $type {
            fn name() -> Cow<'static, str> {
                <$of as HasJsonSchema>::schema_name()
            }
        }
    )*};
}

wrappers! {
    [T: HasJsonSchema + ?Sized] Json<'_, T>, T;
    [M: Model] Ref<M>, Ref<M>;
}
#[cfg(feature = "axum")]
wrappers! {
    [T: HasJsonSchema] crate::web::JsonBody<T>, T;
}
