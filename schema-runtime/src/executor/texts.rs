//! The comparison of texts in commands. A command of this crate's own that compares texts compares by bytes, whatever
//! the collation of the collection is.

use mongodb::{
    bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc},
    error::Error as DriverError,
    options::UpdateModifications,
};

use crate::{codec, definition::CollationDefinition};

/// The operators that compare a stored value with the operand of an update.
const COMPARING: [&str; 5] = ["$pull", "$pullAll", "$addToSet", "$min", "$max"];

/// Returns whether a condition compares texts, or fields of which nobody knows the type. The `_id` of a collection with
/// a collation holds no text.
pub(super) fn compares(condition: &Document) -> bool {
    condition.iter().any(|(name, operand)| name != "$type" && holds(operand))
}

fn holds(operand: &Bson) -> bool {
    match operand {
        Bson::String(text) => text != "$_id",
        Bson::RegularExpression(_) | Bson::Symbol(_) => true,
        Bson::Document(inner) => compares(inner),
        Bson::Array(list) => list.iter().any(holds),
        _ => false,
    }
}

/// Returns whether an order, or the expressions of a projection, compare values that may be texts.
pub(super) fn orders(sort: Option<&Document>, projection: Option<&Document>) -> bool {
    sort.is_some_and(|sort| sort.keys().any(|path| path != "_id")) || projection.is_some_and(compares)
}

/// Returns whether an update compares texts: in the condition, or in the change of the documents.
pub(super) fn updates(filter: &Document, update: &UpdateModifications, array_filters: Option<&Vec<Document>>) -> bool {
    let by_change = match update {
        UpdateModifications::Document(operators) => {
            operators.iter().any(|(operator, change)| COMPARING.contains(&operator.as_str()) && holds(change))
        }
        _ => true,
    };
    by_change || compares(filter) || array_filters.into_iter().flatten().any(compares)
}

/// Adds the comparison by bytes to the statements that compare texts: elements of `updates` or of `deletes`.
pub(super) fn by_bytes(statements: &mut [RawDocumentBuf]) -> Result<(), DriverError> {
    let added = codec::encode(&doc! { "collation": CollationDefinition::SIMPLE.to_document() })?;
    let added = codec::bytes_of(&added, "collation").unwrap_or_default();
    for statement in statements.iter_mut().filter(|statement| statement_compares(statement)) {
        if let Some(with_bytes) = codec::with_bytes(statement, added) {
            *statement = with_bytes;
        }
    }
    Ok(())
}

fn statement_compares(statement: &RawDocument) -> bool {
    codec::elements(statement).any(|part| match (part.name(), part.value()) {
        ("q" | "arrayFilters", Some(condition)) => raw_holds(condition),
        ("u", Some(RawBsonRef::Document(operators))) => codec::elements(operators)
            .any(|operator| COMPARING.contains(&operator.name()) && operator.value().is_some_and(raw_holds)),
        ("u", Some(_)) => true,
        _ => false,
    })
}

fn raw_holds(operand: RawBsonRef<'_>) -> bool {
    let inside = |document: &RawDocument| {
        codec::elements(document).any(|part| part.name() != "$type" && part.value().is_some_and(raw_holds))
    };
    match operand {
        RawBsonRef::String(text) => text != "$_id",
        RawBsonRef::RegularExpression(_) | RawBsonRef::Symbol(_) => true,
        RawBsonRef::Document(document) => inside(document),
        RawBsonRef::Array(list) => codec::as_document(list).is_some_and(inside),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::oid::ObjectId;

    use super::*;

    fn statement(q: Document, u: impl Into<Bson>) -> Document {
        doc! { "q": q, "u": u, "multi": false }
    }

    #[test]
    fn a_condition_compares_texts() {
        let id = ObjectId::from_bytes([1; 12]);
        let by_id = doc! { "$and": [{ "a": { "$in": [id] } }, { "$expr": { "$gt": ["$_id", { "$literal": id }] } }] };
        let compared = [
            doc! { "a": "x" },
            doc! { "a": { "$in": [1, "x"] } },
            doc! { "$expr": { "$eq": ["$a", "$b"] } },
            doc! { "a": codec::pattern("^x", "") },
        ];
        for condition in [doc! {}, doc! { "a": { "$exists": true, "$type": "objectId" } }, by_id] {
            assert!(!compares(&condition), "{condition}");
        }
        for condition in compared {
            assert!(compares(&condition), "{condition}");
        }
        let (by_name, by_id) = (doc! { "name": 1, "_id": 1 }, doc! { "_id": 1 });
        assert!(orders(Some(&by_name), None) && !orders(Some(&by_id), Some(&by_name)) && !orders(None, None));
        let held = doc! { "held": { "$setIntersection": ["$names", { "$literal": ["x"] }] } };
        assert!(orders(None, Some(&held)));
    }

    /// Both walks over a statement find the same texts.
    #[test]
    fn a_statement_that_compares_texts_says_the_comparison() {
        let set = doc! { "$set": { "a": "x" }, "$inc": { "n": 1 } };
        let cases = [
            (statement(doc! { "_id": 1 }, set.clone()), false),
            (statement(doc! { "_id": 1, "a": { "$ne": "x" } }, set), true),
            (statement(doc! { "_id": 1 }, doc! { "$pull": { "a": "x" } }), true),
            (statement(doc! { "_id": 1 }, doc! { "$pull": { "a": 1 } }), false),
            (statement(doc! { "_id": 1 }, vec![doc! { "$set": { "a": 1 } }]), true),
        ];
        for (given, expected) in cases {
            let mut statements = [codec::encode(&given).expect("a document")];
            by_bytes(&mut statements).expect("a document");
            let sent: Document = codec::decode(&statements[0]).expect("a document");
            assert_eq!(sent.contains_key("collation"), expected, "{given}");
            let (q, u) = (given.get_document("q").expect("q"), given.get("u").expect("u"));
            let u = match u {
                Bson::Document(operators) => UpdateModifications::Document(operators.clone()),
                _ => UpdateModifications::Pipeline(Vec::new()),
            };
            assert_eq!(updates(q, &u, None), expected, "{given}");
        }
    }
}
