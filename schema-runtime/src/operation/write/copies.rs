//! Inserts of models that hold copies or are copied: the copies are filled before, and looked after behind.

use mongodb::bson::{DateTime, RawDocumentBuf};

use super::{check, checked, insert_batches};
use crate::{
    bounds::Reference,
    definition::ModelDefinition,
    derived::copies::{SourceRead, source_of},
    error::{Error, Result, server},
    executor::Context,
    model::Model,
    operation::{effects::Effects, managed},
    read::{self, Query},
};

/// What is stored.
pub(super) async fn insert<M: Model>(
    context: &Context,
    value: &M,
    now: DateTime,
    known: Option<&SourceRead>,
) -> Result<M> {
    let definition = M::DEFINITION;
    let document = managed::timed::<M>(checked(value)?, now)?;
    let mut effects = Effects::new(definition, true);
    let documents = effects.fill_inserts(context, vec![document], known).await?;
    let mut stored = None;
    for document in documents {
        check(definition, &document)?;
        let value = read::decode(definition.collection, &document)?;
        let inserted = context.majority().insert_one(definition.collection, document).await;
        inserted.map_err(|error| server::write(definition, error))?;
        stored = Some(value);
    }
    effects.finish(context).await?;
    stored.ok_or_else(|| Error::not_found(definition))
}

pub(super) async fn insert_many(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let mut effects = Effects::new(definition, documents.len() == 1);
    let documents = effects.fill_inserts(context, documents, None).await?;
    documents.iter().try_for_each(|document| check(definition, document))?;
    let inserted = insert_batches(&context.majority(), definition, documents).await;
    match inserted {
        Ok(()) => effects.finish(context).await,
        // Those before the one that was refused are there.
        Err(error @ Error::InsertMany { index: Some(_), .. }) if !context.in_transaction() => {
            // What is left of them is marked; the caller learns which was refused.
            let _ = effects.finish_some(context).await;
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// Inserts what `build` makes of the source.
pub(crate) async fn insert_with<M: Model, R: Reference>(
    context: &Context,
    source: &R,
    build: impl FnOnce(&R::Target) -> M + Send,
) -> Result<M> {
    let definition = R::Target::DEFINITION;
    let id = match source.reference() {
        Some(id) => crate::field::Field::to_bson(id)?,
        None => return Err(Error::not_found(definition)),
    };
    let query = Query::by_id(definition.collection, id);
    let document = query.first(&context.majority()).await?.ok_or_else(|| Error::not_found(definition))?;
    let value = build(&read::decode(definition.collection, &document)?);
    let known = source_of(definition, &document)?;
    insert(context, &value, DateTime::now(), known.as_ref()).await
}
