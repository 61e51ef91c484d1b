//! JSON of clients: all failed rules at once, with the names of JSON, and the rules in a JSON Schema.

use schema_runtime::{JsonErrorKind, json, prelude::*};
use serde_json::json;

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "orders")]
#[serde(rename_all = "camelCase")]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 10)]
    #[check(not_empty, pattern = r"^\w+$")]
    state_text: String,
    #[check(email)]
    #[json(rename = "mail")]
    email: Option<String>,
    #[relation(one_to_few, embed, max = 5)]
    #[check(min_items = 1, unique_items)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[check(min = 1, less_than = 100)]
    #[json(rename = "n")]
    line_count: i32,
    #[check(more_than = 0.0, multiple_of = 0.01)]
    price: f64,
    #[check(one_of("a", "b"))]
    kind: String,
}

fn line(count: i32) -> serde_json::Value {
    json!({ "n": count, "price": 1.0, "kind": "a" })
}

#[test]
fn a_text_with_wrong_values_has_all_failures() {
    let text = json!({ "id": 1, "stateText": "a b", "mail": "x", "lines": [line(1), line(0), line(100)] }).to_string();
    let error = json::from_json::<Order>(&text).unwrap_err();
    let Error::Json(error) = error.into() else { panic!("an error of JSON") };
    let JsonErrorKind::Failed { failures } = error.kind() else { panic!("{error}") };
    let fields: Vec<_> = failures.iter().map(|failed| (failed.field.as_str(), failed.rule.as_str())).collect();
    let expected =
        [("stateText", "pattern"), ("mail", "pattern"), ("lines.1.n", "minimum"), ("lines.2.n", "exclusiveMaximum")];
    assert_eq!(fields, expected);
    assert!(error.to_string().contains("`lines.1.n` is less than 1"), "{error}");
    assert!(!error.to_string().contains("a b"), "{error}");

    let error = json::from_json::<Vec<Order>>(&format!("[{text}]")).unwrap_err().to_string();
    assert!(error.contains("`0.lines.1.n`"), "{error}");

    // A value over a bound alone is read, and a write refuses the value.
    let long = json!({ "id": 1, "stateText": "abcdefghijkl", "lines": [line(1)] }).to_string();
    assert!(json::from_json::<Order>(&long).is_ok());
}

#[test]
fn a_json_schema_has_the_rules() {
    let schema = json::json_schema::<Order>();
    let properties = &schema["properties"];
    assert_eq!(
        properties["stateText"],
        json!({ "type": "string", "maxLength": 10, "minLength": 1, "pattern": "^[0-9A-Za-z_]+$" })
    );
    assert_eq!(properties["mail"]["format"], "email");
    assert_eq!(properties["lines"]["minItems"], 1);
    assert_eq!(properties["lines"]["uniqueItems"], true);
    let line = &properties["lines"]["items"]["properties"];
    assert_eq!(line["n"]["minimum"], 1);
    assert_eq!(line["n"]["exclusiveMaximum"], 100);
    assert_eq!(line["price"]["exclusiveMinimum"], 0.0);
    assert_eq!(line["price"]["multipleOf"], 0.01);
    assert_eq!(line["kind"]["enum"], json!(["a", "b"]));
}
