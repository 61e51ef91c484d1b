//! Parses an update in the server's own words. Pure.

use mongodb::bson::{Bson, Document};

use super::{ChangeSet, FieldChange, Operator};
use crate::error::{Error, Result};

impl ChangeSet {
    /// Parses an update in the server's own words.
    ///
    /// # Errors
    /// [`Error::Update`] for a name that is no update operator, and for an operand of a wrong type.
    pub(crate) fn parse(update: Document) -> Result<Self> {
        let mut set = ChangeSet::default();
        for (name, fields) in update {
            let Some(operator) = Operator::of_name(&name) else {
                return Err(refused(format!("`{name}` is no update operator of this crate")));
            };
            let Bson::Document(fields) = fields else {
                return Err(refused(format!("`{name}` takes a document of fields and values")));
            };
            for (path, value) in fields {
                set.push(change(operator, path, value)?);
            }
        }
        Ok(set)
    }
}

fn change(operator: Operator, path: String, value: Bson) -> Result<FieldChange> {
    if !operator.grows() {
        return Ok(FieldChange { operator, path, value, modifiers: Document::new() });
    }
    let (elements, modifiers) = match value {
        Bson::Document(mut operand) if operand.contains_key("$each") => match operand.remove("$each") {
            Some(Bson::Array(elements)) => (elements, operand),
            _ => return Err(refused(format!("`$each` of `{path}` takes an array"))),
        },
        element => (vec![element], Document::new()),
    };
    Ok(FieldChange { operator, path, value: Bson::Array(elements), modifiers })
}

fn refused(message: String) -> Error {
    Error::Update { message }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn a_parsed_update_renders_to_the_same_changes() {
        let update = doc! {
            "$set": { "a": 1, "b.c": null }, "$unset": { "d": "" }, "$inc": { "n": -2_i64 },
            "$push": { "list": { "$each": [1, 2], "$slice": -3, "$sort": { "at": -1 } } },
            "$pull": { "gone": { "$gt": 3 } }, "$rename": { "x": "y" }, "$pop": { "z": 1 },
        };
        assert_eq!(ChangeSet::parse(update.clone()).unwrap().into_document(), update);
        let one = doc! { "$push": { "list": 1 }, "$addToSet": { "other": { "a": 2 } } };
        let each = doc! { "$push": { "list": { "$each": [1] } }, "$addToSet": { "other": { "$each": [{ "a": 2 }] } } };
        assert_eq!(ChangeSet::parse(one).unwrap().into_document(), each);
    }

    #[test]
    fn a_wrong_update_is_refused() {
        for update in [doc! { "$where": { "a": 1 } }, doc! { "a": 1 }, doc! { "$set": 3 }] {
            assert!(ChangeSet::parse(update.clone()).is_err(), "{update}");
        }
        assert!(ChangeSet::parse(doc! { "$push": { "a": { "$each": 3 } } }).is_err());
    }
}
