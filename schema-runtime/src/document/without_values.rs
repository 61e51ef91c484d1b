//! Conditions for logs.

use mongodb::bson::{Bson, Document};

use super::is_operators;

/// Returns the conditions of a filter without the values, for logs.
pub(crate) fn without_values(filter: &Document) -> Document {
    let shown = |(name, value): (&String, &Bson)| {
        let shown = match value {
            Bson::Array(list) if matches!(name.as_str(), "$and" | "$or" | "$nor") => {
                let each =
                    list.iter().map(|part| part.as_document().map_or_else(hidden, |part| without_values(part).into()));
                Bson::Array(each.collect())
            }
            Bson::Document(inner) if matches!(name.as_str(), "$elemMatch" | "$not") => without_values(inner).into(),
            Bson::Document(inner) if !name.starts_with('$') && is_operators(inner) => without_values(inner).into(),
            _ => hidden(),
        };
        (name.clone(), shown)
    };
    filter.iter().map(shown).collect()
}

fn hidden() -> Bson {
    Bson::from("?")
}
