//! Schemas for `schemars`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::HasJsonSchema;
use crate::json::Json;

/// Implements `JsonSchema` for wrappers of a type with a schema. `$of` is the name of the wrapped type.
macro_rules! wrappers {
    ($([$($parameter:tt)*] $type:ty;)*) => {$(
        /// The schema of the JSON of this crate.
        impl<$($parameter)*> JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                T::schema_name()
            }

            fn schema_id() -> Cow<'static, str> {
                format!("{}::{}", std::any::type_name::<T>(), T::schema_name()).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                Schema::try_from(T::json_schema()).unwrap_or_default()
            }
        }
    )*};
}

wrappers! {
    [T: HasJsonSchema + ?Sized] Json<'_, T>;
}
#[cfg(feature = "axum")]
wrappers! {
    [T: HasJsonSchema] crate::web::JsonBody<T>;
}
