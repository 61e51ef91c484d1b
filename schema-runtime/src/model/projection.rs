//! A checked partial view of a model.

use mongodb::bson::{Bson, Document};
use serde::de::DeserializeOwned;

use super::Model;
use crate::{definition::FieldDefinition, field::Record};

/// A partial view of `Of`: the server sends the fields of the view and nothing else. The derive implements the trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection",
    label = "this has no `#[derive(Projection)]`",
    note = "help: write `#[derive(Projection, Deserialize)] #[projection(of = ..)]` on a struct with the fields to read"
)]
pub trait Projection: Record + DeserializeOwned + Send + Sync + 'static {
    /// The model of the view.
    type Of: Model;
}

/// Returns the projection document for the fields of `P`. The projection always contains `_id`: joins need the `_id`.
pub(crate) fn all_fields<P: Record>() -> Document {
    all(P::FIELDS)
}

fn all(fields: &[FieldDefinition]) -> Document {
    let mut projection = Document::new();
    projection.insert("_id", 1);
    for field in fields {
        projection.insert(field.name, 1);
    }
    projection
}

/// Returns the projection document of a read of whole documents: all fields without the hidden fields. The projection
/// is empty for a struct without hidden fields.
pub(crate) fn shown_fields<R: Record>() -> Document {
    without_hidden(R::FIELDS)
}

/// Returns the projection document that leaves out the hidden fields among these fields.
pub(crate) fn without_hidden(fields: &[FieldDefinition]) -> Document {
    fields.iter().filter(|field| field.hidden).map(|field| (field.name.to_owned(), Bson::Int32(0))).collect()
}
