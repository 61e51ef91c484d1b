//! JSON Schemas and OpenAPI beside two validators that this project did not write: Python's `jsonschema` and
//! `openapi-spec-validator`.

use schema_runtime::{
    JsonErrorKind, Page,
    json::{self, HasJsonSchema, Json},
    prelude::*,
    web::{JsonBody, PageQuery, Problem},
};
use serde_json::{Value, json};
use utoipa::{IntoParams, OpenApi, PartialSchema, ToSchema};

use crate::{
    pymongo::{Sample, plain_texts},
    python::Program,
};

/// The program that validates.
const PROGRAM: &str = include_str!("schemas/validate.py");

/// The number of changed texts of each sample.
const CHANGES: usize = 12;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 10)]
    name: Option<String>,
    #[json(rename = "label")]
    text: String,
    #[bound(max_items = 2)]
    sizes: std::collections::BTreeSet<u8>,
    #[opaque(max_bytes = 100)]
    anything: Foreign,
    kind: Option<Kind>,
    #[json(skip)]
    #[serde(default)]
    hidden: String,
}

#[derive(Serialize, Deserialize)]
struct Foreign {
    number: i32,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Wide,
    High,
}

#[test]
fn a_schema_has_the_names_and_the_bounds() {
    let expected = json!({
        "title": "Shelf",
        "type": "object",
        "properties": {
            "id": { "type": "string", "pattern": "^[0-9a-fA-F]{24}$" },
            "name": { "type": ["string", "null"], "maxLength": 10 },
            "label": { "type": "string" },
            "sizes": {
                "type": "array",
                "items": { "type": "integer", "format": "int32", "minimum": 0, "maximum": 255 },
                "maxItems": 2,
                "uniqueItems": true,
            },
            "anything": { "type": ["null", "boolean", "number", "string", "array", "object"] },
            "kind": { "anyOf": [{ "type": "string", "enum": ["wide", "high"] }, { "type": "null" }] },
        },
        "required": ["id", "label", "sizes", "anything"],
        "additionalProperties": false,
    });
    assert_eq!(json::json_schema::<Shelf>(), expected);
    assert_eq!(
        json::json_schema::<Vec<Ref<Shelf>>>(),
        json!({ "type": "array", "items": expected["properties"]["id"] })
    );
    let names = [
        Shelf::schema_name(),
        Vec::<Shelf>::schema_name(),
        Page::<Vec<Shelf>>::schema_name(),
        Option::<Ref<Shelf>>::schema_name(),
    ];
    assert_eq!(names, ["Shelf", "ListOfShelf", "PageOfListOfShelf", "OptionalRefOfShelf"]);
}

#[test]
fn the_schemas_of_other_crates_are_the_same() {
    for (schema, of_schemars, of_utoipa) in [
        (
            json::json_schema::<Sample>(),
            schemars::schema_for!(JsonBody<Sample>),
            <JsonBody<Sample> as PartialSchema>::schema(),
        ),
        (
            json::json_schema::<Shelf>(),
            schemars::schema_for!(Json<'static, Shelf>),
            <Json<'static, Shelf> as PartialSchema>::schema(),
        ),
        (
            json::json_schema::<Page<Vec<Shelf>>>(),
            schemars::schema_for!(JsonBody<Page<Vec<Shelf>>>),
            <JsonBody<Page<Vec<Shelf>>> as PartialSchema>::schema(),
        ),
    ] {
        let mut of_schemars = of_schemars.to_value();
        let words = of_schemars.as_object_mut().unwrap();
        words.remove("$schema");
        if schema.get("title").is_none() {
            words.remove("title");
        }
        assert_eq!(of_schemars, schema);
        assert_eq!(serde_json::to_value(of_utoipa).unwrap(), schema);
    }
    assert_eq!(<JsonBody<Shelf> as ToSchema>::name(), "Shelf");
}

/// Makes a struct that holds bodies, as a user does.
#[test]
fn a_struct_of_schemars_holds_a_body() {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only the schema is made")]
    struct Answer {
        shelf: JsonBody<Shelf>,
        count: u32,
    }
    let schema = schemars::schema_for!(Answer).to_value();
    assert_eq!(schema["$defs"]["Shelf"], json::json_schema::<Shelf>());
}

/// Returns a changed copy of a value: a random part is replaced or removed, or an unknown name is added.
fn changed(value: &Value) -> Value {
    let goes_on = fastrand::u8(..4) > 0;
    match value {
        Value::Object(entries) if goes_on && !entries.is_empty() => {
            let mut entries = entries.clone();
            let name = entries.keys().nth(fastrand::usize(..entries.len())).cloned().expect("a name");
            let removed = entries.remove(&name).expect("an entry");
            if fastrand::u8(..8) > 0 {
                entries.insert(name, changed(&removed));
            }
            entries.into()
        }
        Value::Object(entries) if fastrand::bool() => {
            let mut entries = entries.clone();
            entries.insert("unknown".to_owned(), json!(1));
            entries.into()
        }
        Value::Array(items) if goes_on && !items.is_empty() => {
            let mut items = items.clone();
            let position = fastrand::usize(..items.len());
            items[position] = changed(&items[position]);
            items.into()
        }
        _ => {
            let others = [json!(null), json!(true), json!(7), json!(-1.5), json!("?"), json!([]), json!({})];
            others[fastrand::usize(..others.len())].clone()
        }
    }
}

#[tokio::test]
async fn each_written_value_fits_the_schema_and_each_fitting_value_is_read() {
    let seed = fastrand::u64(..);
    fastrand::seed(seed);
    let mut validator = Program::start(PROGRAM, &[]);
    validator.send(&json!({ "schema": json::json_schema::<Sample>() }).to_string());
    assert_eq!(validator.line(), "a schema");
    let mut is_valid = |value: &Value| {
        validator.send(&json!({ "value": value }).to_string());
        match validator.line().as_str() {
            "valid" => Ok(()),
            reason => Err(reason.to_owned()),
        }
    };
    let (mut fitting, mut refused) = (0, 0);
    for text in plain_texts().await {
        let sample: Sample = json::from_json(&text).unwrap();
        let written = json::to_json(&sample).unwrap();
        assert_eq!(is_valid(&written), Ok(()), "seed {seed}");
        for _ in 0..CHANGES {
            let value = changed(&written);
            match (is_valid(&value), json::from_value::<Sample>(&value)) {
                (Ok(()), Ok(_)) => fitting += 1,
                (Err(_), _) => refused += 1,
                // A text of the form of the schema, and no value of the type, as a URL.
                (Ok(()), Err(error)) => {
                    let kind = error.kind();
                    let is_form = matches!(kind, JsonErrorKind::Refused { .. } | JsonErrorKind::WrongForm { .. });
                    assert!(is_form, "seed {seed}: {error}");
                }
            }
        }
    }
    assert!(fitting > 10 && refused > 100, "{fitting} {refused}");
}

// The macros of `utoipa` look into the parameters of a type, so that each body has a name.
type ShelfBody = JsonBody<Shelf>;
type ShelfPage = JsonBody<Page<Vec<Shelf>>>;
type ShelfId = Ref<Shelf>;
type SampleBody = JsonBody<Sample>;

#[utoipa::path(get, path = "/shelves", params(PageQuery), responses(
    (status = 200, body = ShelfPage),
    (status = 400, body = Problem, content_type = "application/problem+json"),
))]
#[expect(dead_code, reason = "only the description is made")]
async fn list_shelves() {}

#[utoipa::path(put, path = "/shelves/{id}", params(("id" = inline(ShelfId), Path)), request_body = ShelfBody, responses(
    (status = 200, body = ShelfBody),
    (status = 422, body = Problem, content_type = "application/problem+json"),
))]
#[expect(dead_code, reason = "only the description is made")]
async fn put_shelf() {}

#[derive(OpenApi)]
#[openapi(paths(list_shelves, put_shelf), components(schemas(SampleBody)))]
struct Api;

#[tokio::test]
async fn a_description_of_an_api_is_valid() {
    let api = serde_json::to_value(Api::openapi()).unwrap();
    let limit = &api["paths"]["/shelves"]["get"]["parameters"][2];
    assert_eq!((&limit["name"], &limit["schema"]["maximum"]), (&json!("limit"), &json!(100)));
    assert_eq!(api["components"]["schemas"]["Shelf"], json::json_schema::<Shelf>());
    let mut validator = Program::start(PROGRAM, &[]);
    validator.send(&json!({ "api": api }).to_string());
    assert_eq!(validator.line(), "an api", "{api:#}");
    let few = PageQuery::<2, 3>::into_params(|| None);
    assert_eq!(few.len(), 3);
}
