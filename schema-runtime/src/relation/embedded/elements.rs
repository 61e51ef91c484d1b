//! Elements of arrays as separate documents: the stages that make the documents, and the decoding of a document. Pure.

use std::fmt;

use derive_where::derive_where;
use mongodb::bson::{Bson, Document, RawDocument, doc};
use serde::Deserialize;

use crate::{
    definition::{FieldDefinition, Shape},
    error::{Error, Result},
    field::{self, Field, Record},
    join::ElementItem,
    model::Model,
    read,
};

/// An element of an embedded array, and the place of the element.
#[derive_where(Clone; E)]
#[derive_where(PartialEq; E, P::Id)]
pub struct FoundElement<P: Model, E> {
    /// The `_id` of the document.
    pub document: P::Id,
    /// The position in the array at the time of the read.
    pub index: u32,
    /// The element.
    pub element: E,
}

/// The name of the element in a row; the `_id` of the row has the `_id` of the document and the position.
pub(super) const ELEMENT: &str = "element";

/// Returns the stages that make a document for each element of `array` for which the condition holds, in the documents
/// that `filter` finds. The first stage selects the documents with such an element and can use an index. A later stage
/// applies the same condition to each element, as an array with a single element.
pub(super) fn rows(array: &str, condition: Document, filter: Document) -> Result<Vec<Document>> {
    if field::asks_place(&filter) || field::asks_place(&condition) || field::asks(&condition, "$text") {
        return Err(Error::Query {
            message: "the server has no `near` in an aggregation and no `text` of an element: find the documents by \
                      `near` or `text`",
        });
    }
    let has_one = field::elem_match_at(array, condition.clone())?;
    let is_one = field::elem_match_at(ELEMENT, condition)?;
    Ok(vec![
        doc! { "$match": field::and(filter, has_one) },
        // From here on, no name is a name of the user: a field of the user could be named `index`.
        doc! { "$project": { ELEMENT: format!("${array}") } },
        doc! { "$unwind": { "path": format!("${ELEMENT}"), "includeArrayIndex": "index" } },
        doc! { "$project": {
            "_id": { "document": "$_id", "index": "$index" },
            ELEMENT: [format!("${ELEMENT}")],
        } },
        doc! { "$match": is_one },
        doc! { "$project": { ELEMENT: { "$first": format!("${ELEMENT}") } } },
    ])
}

/// Returns the path of a field of the element; the element itself for an empty path.
pub(super) fn path_in_row(path: &str) -> String {
    match path {
        "" => ELEMENT.to_owned(),
        path => format!("{ELEMENT}.{path}"),
    }
}

#[derive(Deserialize)]
struct Row<I, E> {
    #[serde(rename = "_id")]
    place: Place<I>,
    element: E,
}

#[derive(Deserialize)]
struct Place<I> {
    document: I,
    index: i64,
}

impl<I: Field> Place<I> {
    const FIELDS: &'static [FieldDefinition] = &[FieldDefinition::new("document", "document", I::SHAPE)];
}

impl<I: Field, E: Field> Record for Row<I, E> {
    const STRUCT: &'static str = "Row";
    const FIELDS: &'static [FieldDefinition] = &[
        FieldDefinition::new("place", "_id", Shape::document("Place", Place::<I>::FIELDS, true)),
        FieldDefinition::new(ELEMENT, ELEMENT, E::SHAPE),
    ];
}

/// Decodes an element from the row; an error has the names of the document and the array.
pub(super) fn decode<P: Model, E: ElementItem>(array: &str, row: &RawDocument) -> Result<FoundElement<P, E>> {
    match read::decode::<Row<P::Id, E>>(P::DEFINITION.collection, row) {
        Ok(Row { place, element }) => Ok(FoundElement {
            document: place.document,
            index: u32::try_from(place.index).unwrap_or(u32::MAX),
            element,
        }),
        Err(error) => Err(in_users_names::<P>(array, error)),
    }
}

fn in_users_names<P: Model>(array: &str, error: Error) -> Error {
    match error {
        Error::Decode { collection, id, path, message, .. } => {
            let (document, index) = match &*id {
                Bson::Document(place) => (place.get("document").cloned(), place.get("index").cloned()),
                _ => (None, None),
            };
            let path = match (path.strip_prefix("_id.document"), index) {
                (Some(rest), _) => format!("_id{rest}"),
                (None, Some(index)) => format!("{array}.{index}{}", path.strip_prefix(ELEMENT).unwrap_or_default()),
                (None, None) => array.to_owned(),
            };
            let id = Box::new(document.unwrap_or(Bson::Null));
            Error::Decode { collection, model: P::DEFINITION.model, id, path, message }
        }
        other => other,
    }
}

impl<P: Model, E: fmt::Debug> fmt::Debug for FoundElement<P, E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("FoundElement");
        fields.field("document", &self.document.to_bson()).field("index", &self.index);
        fields.field("element", &self.element).finish()
    }
}
