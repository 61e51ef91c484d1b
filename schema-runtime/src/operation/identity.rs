//! Filters by the `_id` of a document.

use mongodb::bson::Document;

use super::{sharded, write};
use crate::{
    definition::ModelDefinition,
    error::Result,
    executor::{Read, note_read},
    field::{Field, Filter},
    model::Model,
};

/// Notes a read of one document by `_id`.
pub(super) fn note_by_id(model: &'static ModelDefinition) {
    note_read(Read { model: model.model, by: "_id", is_far_side: false }, || {
        let id = model.fields.iter().find(|field| field.name == "_id").map_or("id", |field| field.rust_name);
        format!("{0}::find({0}::F.{id}.is_in(ids)).fetch_all(&db)", model.model)
    });
}

/// Returns the filter of a value's document: the `_id`, with the shard key where the model has a shard key.
pub(super) fn filter_of_value<M: Model>(value: &M) -> Result<Document> {
    if const { M::SHARD_KEY.is_none() } {
        return has_id::<M>(value.id()).into_document();
    }
    let document = write::encoded(value)?;
    sharded::filter_of(M::DEFINITION, value.id().to_bson()?, &document)
}

pub(super) fn has_id<M: Model>(id: &M::Id) -> Filter<M> {
    Filter::equal("_id".to_owned(), id.to_bson())
}
