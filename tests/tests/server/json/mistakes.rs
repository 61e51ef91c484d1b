//! Each mistake of a JSON text is a typed error with the path, and without values of the text.

use schema_runtime::{
    ErrorKind, JsonError, JsonErrorKind,
    json::{self, FromJson, JsonOptions},
    prelude::*,
};
use serde_json::{Value, json};

use super::*;

const SECRET: &str = "hunter2";

fn mistake<T: FromJson>(text: &str) -> JsonError {
    let Err(error) = json::from_json::<T>(text) else { panic!("{text} is read") };
    let texts = format!("{error} {error:?}");
    assert!(!texts.contains(SECRET), "{texts}");
    error
}

/// Returns the text of the error of a value of this field.
fn of_field(name: &str, value: Value) -> String {
    let mut whole = json::to_json(&values()).unwrap();
    whole[name] = value;
    mistake::<Values>(&whole.to_string()).to_string()
}

#[test]
fn a_value_of_another_type_or_form_is_refused() {
    let oid = "an ObjectId of 24 hexadecimal digits";
    let date = "a date of RFC 3339, as 2024-02-29T12:30:00.000Z";
    let int = "a whole number from -2147483648 to 2147483647";
    for (name, value, reason) in [
        ("objectId", json!(SECRET), format!("has another form, expected {oid}")),
        ("objectId", json!({ "$oid": SECRET }), format!("has another form, expected {oid}")),
        ("objectId", json!({ "$gt": "" }), format!("is an object, expected {oid}")),
        ("objectId", json!({ "$date": "2024-02-29T12:30:00Z" }), format!("is an object, expected {oid}")),
        ("objectId", json!(null), format!("is null, expected {oid}")),
        ("text", json!({ "$ne": null }), "is an object, expected text".to_owned()),
        ("text", json!({ "$oid": "abababababababababababab" }), "is an object, expected text".to_owned()),
        ("text", json!(5), "is a number, expected text".to_owned()),
        ("int", json!("7"), format!("is text, expected {int}")),
        ("int", json!(7.5), format!("has another form, expected {int}")),
        ("int", json!(2_147_483_648_i64), format!("is out of range, expected {int}")),
        ("int", json!({ "$numberLong": "2147483648" }), format!("is out of range, expected {int}")),
        ("int", json!({ "$numberLong": SECRET }), format!("has another form, expected {int}")),
        ("byte", json!(128), "is out of range, expected a whole number from -128 to 127".to_owned()),
        ("unsigned", json!(-1), "is out of range, expected a whole number from 0 to 4294967295".to_owned()),
        ("large", json!(u64::MAX), "is out of range, expected a whole number from 0 to 9223372036854775807".to_owned()),
        ("flag", json!("true"), "is text, expected true or false".to_owned()),
        ("flag", json!(1), "is a number, expected true or false".to_owned()),
        ("date", json!("2024-02-29"), format!("has another form, expected {date}")),
        ("date", json!("29.2.2024 12:30"), format!("has another form, expected {date}")),
        ("date", json!(1_709_209_800), format!("is a number, expected {date}")),
        ("date", json!({ "$date": SECRET }), format!("has another form, expected {date}")),
        ("price", json!(12.5), "is a number, expected a decimal number of at most 34 digits".to_owned()),
        ("price", json!(SECRET), "has another form, expected a decimal number of at most 34 digits".to_owned()),
        ("uuid", json!(SECRET), "has another form, expected a UUID of 32 hexadecimal digits with hyphens".to_owned()),
        ("bytes", json!("***"), "has another form, expected text in base64".to_owned()),
        ("bytes", json!([1, 2]), "is an array, expected text in base64".to_owned()),
        ("language", json!(SECRET), "has another form, expected one of `old_norse`, `latin`".to_owned()),
        ("single", json!(1e39), "is out of range, expected a number from -3.4028235e38 to 3.4028235e38".to_owned()),
        (
            "double",
            json!("1.5"),
            "has another form, expected a number, or the text `NaN`, `Infinity` or `-Infinity`".to_owned(),
        ),
    ] {
        assert_eq!(of_field(name, value), format!("`{name}` of the JSON text {reason}"));
    }
    let letters = of_field("letter", json!(SECRET));
    assert!(letters.starts_with("`letter` of the JSON text does not fit: found a string"), "{letters}");
}

fn whole() -> Value {
    json::to_json(&super::property::sample()).unwrap()
}

/// Changes one value of a whole document, and returns the path and the mistake.
fn changed(pointer: &str, value: Value) -> (String, JsonErrorKind) {
    let mut text = whole();
    *text.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not in {}", whole())) = value;
    let error = mistake::<Whole>(&text.to_string());
    (error.path().to_owned(), error.kind().clone())
}

#[test]
fn the_path_leads_to_the_mistake() {
    for (pointer, path) in [
        ("/several/1/date", "several.1.date"),
        ("/lists/date/0", "lists.date.0"),
        ("/maybes/objectId", "maybes.objectId"),
        ("/alone/objectId", "alone.objectId"),
        ("/bodies/0/kind", "bodies.0.kind"),
        ("/beside/c/maker", "beside.c.maker"),
        ("/maps/date/k", "maps.date.*"),
        ("/byName/k/date", "by_name.*.date"),
        ("/id", "id"),
    ] {
        // The names of `Maybes`, `Lists` and `Maps` are the names of the fields in Rust.
        let pointer = pointer.replace("/maybes/objectId", "/maybes/object_id").replace("/byName", "/by_name");
        let path = path.replace("maybes.objectId", "maybes.object_id");
        assert_eq!(changed(&pointer, json!(SECRET)).0, path);
    }
    assert_eq!(changed("/foreign/number", json!(SECRET)).0, "foreign");
    assert_eq!(changed("/foreign/id", json!({ "$where": SECRET })).0, "foreign.*");
    let error = mistake::<Vec<Owner>>(r#"[{ "id": "ada" }, { "id": 5 }]"#);
    assert_eq!(error.path(), "1.id");
}

#[test]
fn names_are_known_given_once_and_complete() {
    let kind = |text: &str| {
        let error = mistake::<Maker>(text);
        (error.path().to_owned(), error.kind().clone())
    };
    let id = "abababababababababababab";
    let unknown = format!(r#"{{ "id": "{id}", "name": "Ada", "isAdmin": "{SECRET}" }}"#);
    assert_eq!(kind(&unknown), ("isAdmin".to_owned(), JsonErrorKind::UnknownField));
    assert_eq!(kind(r#"{ "$where": "1" }"#), ("$where".to_owned(), JsonErrorKind::UnknownField));
    let twice = format!(r#"{{ "name": "Ada", "id": "{id}", "name": "{SECRET}" }}"#);
    assert_eq!(kind(&twice), ("name".to_owned(), JsonErrorKind::DuplicateField));
    let both = format!(r#"{{ "name": "Ada", "id": "{id}", "_id": "{id}" }}"#);
    assert_eq!(kind(&both), ("_id".to_owned(), JsonErrorKind::DuplicateField));
    assert_eq!(kind(r#"{ "name": "Ada" }"#), ("id".to_owned(), JsonErrorKind::MissingField));
    let long = format!(r#"{{ "{}\n": 1 }}"#, "x".repeat(1_000));
    assert_eq!(kind(&long).0, format!("{}..", "x".repeat(40)));
    let ignored: Maker = JsonOptions::new().ignore_unknown_fields().from_json(&unknown).unwrap();
    assert_eq!(ignored.name, "Ada");
    assert!(JsonOptions::new().ignore_unknown_fields().from_json::<Maker>(&twice).is_err());
    let tag = mistake::<Body>(r#"{ "text": "x" }"#);
    assert_eq!((tag.path(), tag.kind()), ("kind", &JsonErrorKind::MissingField));
    let other = mistake::<Body>(r#"{ "kind": "number", "text": 1, "date": null }"#);
    assert_eq!((other.path(), other.kind()), ("date", &JsonErrorKind::UnknownField), "a field of another variant");
    let doubled = whole().to_string().replacen(r#""hashed":{"#, r#""hashed":{"a":1,"a":2,"#, 1);
    let doubled = mistake::<Whole>(&doubled);
    assert_eq!((doubled.path(), doubled.kind()), ("hashed.*", &JsonErrorKind::DuplicateField));
}

#[test]
fn what_is_no_json_has_a_line_and_a_column() {
    let syntax = |text: &[u8]| match json::from_json::<Maker>(text).unwrap_err().kind() {
        JsonErrorKind::Syntax { line, column } => (*line, *column),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(syntax(b""), (1, 0));
    assert_eq!(syntax(b"{\n  \"name\": hunter2 }"), (2, 11));
    assert_eq!(syntax(b"{} {}"), (1, 4));
    syntax(b"{ \"name\": \"\xff\" }");
    syntax(b"{ \"name\": 1e999 }");
    syntax(b"{ \"name\": \"");
    syntax(b"[1,]");
    assert_eq!(mistake::<Maker>("[]").to_string(), "the JSON text is an array, expected an object");
    assert_eq!(mistake::<Maker>("null").to_string(), "the JSON text is null, expected an object");
    let error = Error::from(mistake::<Maker>("5"));
    assert_eq!(
        (error.kind(), error.to_string()),
        (ErrorKind::Invalid, "the JSON text is a number, expected an object".into())
    );
}

#[test]
fn deep_and_large_texts_are_refused() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let with = |levels: usize| {
        let (text, value) = (whole().to_string(), deep(levels));
        let before = text.replacen(r#""foreign":{"#, &format!(r#""foreign":{{"more":{value},"#), 1);
        json::from_json::<Whole>(before)
    };
    assert!(with(98).is_ok(), "serde ignores the unknown name of a value of unknown form");
    for levels in [99, 120, 1_000, 100_000] {
        let error = with(levels).unwrap_err();
        assert!(error.path().starts_with("foreign.*.0"), "{error}");
        assert_eq!(error.kind(), &JsonErrorKind::TooDeep { most: 100 }, "{levels}");
        let error = mistake::<Maker>(&deep(levels));
        assert!(matches!(error.kind(), JsonErrorKind::WrongType { .. }), "{error}");
    }
    let large = |bytes: usize| format!(r#"{{ "id": "abababababababababababab", "name": "{}" }}"#, "x".repeat(bytes));
    let most = 16 * 1024 * 1024;
    assert!(json::from_json::<Maker>(large(most - 100)).is_ok());
    let error = mistake::<Maker>(&large(17_000_000));
    assert!(
        matches!(error.kind(), JsonErrorKind::TooLarge { bytes, most: 16_777_216 } if *bytes > 17_000_000),
        "{error}"
    );
}

/// Any part of a right text, and any text, gives a value or an error.
#[test]
fn no_text_panics() {
    let text = whole().to_string();
    let cuts = (0..text.len()).step_by(7).filter(|at| text.is_char_boundary(*at));
    for at in cuts {
        assert!(json::from_json::<Whole>(&text[..at]).is_err());
        for letter in ["0", "\"", "{", "}", "[", ",", "$", "null", "-1", "\\u0000"] {
            let _ = json::from_json::<Whole>(format!("{}{letter}{}", &text[..at], &text[at..]));
        }
    }
}
