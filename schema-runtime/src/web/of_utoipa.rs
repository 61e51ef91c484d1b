//! The types of this module in descriptions by `utoipa`.

use std::borrow::Cow;

use serde_json::{Value, json};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        RefOr, Required, Schema,
        path::{Parameter, ParameterBuilder, ParameterIn},
    },
};

use super::{PageQuery, Problem};
use crate::{
    json::{json_schema, openapi_schema},
    page::PageToken,
};

impl PartialSchema for Problem {
    fn schema() -> RefOr<Schema> {
        let text = json!({ "type": "string" });
        let field = json!({
            "type": "object",
            "properties": { "field": text, "detail": text },
            "required": ["field", "detail"],
        });
        openapi_schema(json!({
            "type": "object",
            "properties": {
                "title": text,
                "status": { "type": "integer", "format": "int32" },
                "code": text,
                "detail": text,
                "errors": { "type": "array", "items": field },
            },
            "required": ["title", "status", "code"],
        }))
    }
}

impl ToSchema for Problem {
    fn name() -> Cow<'static, str> {
        "Problem".into()
    }
}

impl<const SIZE: u32, const MOST: u32> IntoParams for PageQuery<SIZE, MOST> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let token = json_schema::<PageToken>();
        let limit = json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": MOST, "default": SIZE });
        vec![
            parameter("after", "The `next` of a page.", token.clone()),
            parameter("before", "The `previous` of a page.", token),
            parameter("limit", "The number of items.", limit),
        ]
    }
}

fn parameter(name: &str, description: &str, schema: Value) -> Parameter {
    let of_query = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(Required::False);
    of_query.description(Some(description)).schema(Some(openapi_schema(schema))).build()
}
