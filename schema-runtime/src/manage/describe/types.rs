//! The types of fields as short texts: `string <= 50`, `objectId[] <= 2,000`.

use serde_json::Value;

use crate::manage::schema_file::{FieldEntry, FieldType};

/// Returns the type of a field, with the bound; a question mark stands for a value that may be absent or null.
pub(crate) fn type_text(field: &FieldEntry, fields: &[FieldEntry]) -> String {
    let text = match field.stored_type {
        FieldType::Array => bounded(format!("{}[]", item(field, fields, "[]")), field, "max_items"),
        FieldType::Map => bounded(format!("map of {}", item(field, fields, "{}")), field, "max_items"),
        FieldType::String if !field.values.is_empty() => "enum".to_owned(),
        FieldType::String => bounded("string".to_owned(), field, "max_len"),
        other => bounded(word(other).to_owned(), field, "max_bytes"),
    };
    if field.nullable || field.optional { format!("{text}?") } else { text }
}

fn item(field: &FieldEntry, fields: &[FieldEntry], end: &str) -> String {
    let path = format!("{}{end}", field.path);
    let found = fields.iter().find(|field| field.path == path);
    found.map_or_else(|| "any".to_owned(), |field| type_text(field, fields))
}

fn bounded(text: String, field: &FieldEntry, rule: &str) -> String {
    match field.rules.get(rule).and_then(Value::as_u64).filter(|bound| *bound > 0) {
        Some(bound) => format!("{text} <= {}", grouped(bound)),
        None => text,
    }
}

fn word(stored_type: FieldType) -> &'static str {
    match stored_type {
        FieldType::ObjectId => "objectId",
        FieldType::Date => "date",
        FieldType::Decimal => "decimal",
        FieldType::BinData => "binData",
        FieldType::Uuid => "uuid",
        FieldType::Timestamp => "timestamp",
        FieldType::Int => "int",
        FieldType::Double => "double",
        FieldType::Float => "float",
        FieldType::Bool => "bool",
        FieldType::String => "string",
        FieldType::Array => "array",
        FieldType::Map => "map",
        FieldType::Object => "object",
        FieldType::Any => "any",
    }
}

/// Returns the path of a field as an index names the path.
pub(crate) fn plain(path: &str) -> String {
    path.replace("[]", "").replace("{}", "")
}

/// Returns a number with commas: `2,000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
