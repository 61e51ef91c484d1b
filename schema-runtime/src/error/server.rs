//! From the server's errors to ours. The texts made here hold names and numbers, never a document's values.

use mongodb::{
    bson::Document,
    error::{Error as DriverError, ErrorKind, WriteFailure},
};

use super::{Error, code, validation};
use crate::definition::ModelDefinition;

/// Why a write of one document failed.
pub(crate) fn write(model: &ModelDefinition, error: DriverError) -> Error {
    let refused = match &*error.kind {
        ErrorKind::Write(WriteFailure::WriteError(refused)) => {
            self::refused(model, refused.code, &refused.message, refused.details.as_ref())
        }
        ErrorKind::Command(refused) => self::refused(model, refused.code, &refused.message, None),
        _ => None,
    };
    refused.unwrap_or(Error::Driver(error))
}

/// Whether a write would have stored a second document with an `_id`.
pub(crate) fn is_duplicate_id(error: &DriverError) -> bool {
    let (number, message) = match &*error.kind {
        ErrorKind::Write(WriteFailure::WriteError(refused)) => (refused.code, &refused.message),
        ErrorKind::Command(refused) => (refused.code, &refused.message),
        _ => return false,
    };
    number == code::DUPLICATE_KEY && duplicate_index(message) == "_id_"
}

/// Why a batch of an insert failed, before which `inserted` documents were stored. Batches are ordered: the server stops at
/// the first document that it refuses.
pub(crate) fn write_many(model: &'static ModelDefinition, inserted: usize, error: DriverError) -> Error {
    let refused = match &*error.kind {
        ErrorKind::InsertMany(failure) => failure.write_errors.as_ref().and_then(|errors| errors.first()),
        _ => None,
    };
    let position = refused.map(|refused| refused.index);
    let source = refused
        .and_then(|refused| self::refused(model, refused.code, &refused.message, refused.details.as_ref()))
        .unwrap_or(Error::Driver(error));
    Error::InsertMany {
        collection: model.collection,
        inserted: inserted + position.unwrap_or(0),
        index: position.map(|position| inserted + position),
        source: Box::new(source),
    }
}

/// Why the server refused a document, where that has a type of ours.
fn refused(model: &ModelDefinition, number: i32, message: &str, details: Option<&Document>) -> Option<Error> {
    match number {
        code::DOCUMENT_VALIDATION_FAILURE => Some(validation::refused(model, details)),
        code::DUPLICATE_KEY => Some(Error::DuplicateKey {
            collection: model.collection.to_owned(),
            index: duplicate_index(message).to_owned(),
        }),
        _ => None,
    }
}

/// The name of the index, which the driver keeps only in the message:
/// `E11000 duplicate key error collection: shop.parts index: by_number dup key: { .. }`.
fn duplicate_index(message: &str) -> &str {
    let Some((_, after)) = message.split_once(" index: ") else { return "" };
    let end = [" collation: {", " dup key: "].iter().filter_map(|word| after.find(word)).min();
    &after[..end.unwrap_or(after.len())]
}

#[cfg(test)]
mod tests {
    use super::duplicate_index;

    #[test]
    fn the_index_is_read_without_the_keys() {
        let message = "E11000 duplicate key error collection: t.y index: by_a dup key: { a: \" index: x dup key: \" }";
        assert_eq!(duplicate_index(message), "by_a");
        let message =
            "E11000 duplicate key error collection: t.y index: a_1 collation: { locale: \"en\" } dup key: { a: 1 }";
        assert_eq!(duplicate_index(message), "a_1");
        assert_eq!(duplicate_index("E11000"), "");
    }
}
