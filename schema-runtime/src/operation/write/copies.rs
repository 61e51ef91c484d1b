//! Inserts of models that hold copies or are copied: the copies are filled before, and looked after behind.

use mongodb::bson::{DateTime, RawDocumentBuf};

use super::{check, checked, insert_batches};
use crate::{
    bounds::Reference,
    copies::{SourceRead, Writing, source_of},
    definition::ModelDefinition,
    error::{Error, Result, server},
    executor::Context,
    field,
    model::Model,
    operation::{follow_up::FollowUp, managed},
    read::{self, Query},
    rollup::Keeping,
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
    let (documents, follow_up) = fill(context, definition, vec![document], known).await?;
    let mut stored = None;
    for document in documents {
        check(definition, &document)?;
        let value = read::decode(definition.collection, &document)?;
        let inserted = context.majority().insert_one(definition.collection, document).await;
        inserted.map_err(|error| server::write(definition, error))?;
        stored = Some(value);
    }
    follow_up.finish(context).await?;
    stored.ok_or_else(|| Error::not_found(definition))
}

/// The documents as they are to be stored.
async fn fill(
    context: &Context,
    definition: &'static ModelDefinition,
    mut documents: Vec<RawDocumentBuf>,
    known: Option<&SourceRead>,
) -> Result<(Vec<RawDocumentBuf>, FollowUp)> {
    let mut follow_up = FollowUp::default();
    if definition.has_copies() {
        let (filled, writing) = Box::pin(Writing::of_insert(context, definition, documents, known)).await?;
        (documents, follow_up.writing) = (filled, Some(writing));
    }
    if definition.has_rollups() {
        let mut keeping = Keeping::new(definition);
        documents = Box::pin(keeping.fill_inserts(context, documents)).await?;
        follow_up.keeping = Some(keeping);
    }
    Ok((documents, follow_up))
}

pub(super) async fn insert_many(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let (documents, follow_up) = fill(context, definition, documents, None).await?;
    documents.iter().try_for_each(|document| check(definition, document))?;
    let inserted = insert_batches(&context.majority(), definition, documents).await;
    match inserted {
        Ok(()) => follow_up.finish(context).await,
        // Those before the one that was refused are there.
        Err(error @ Error::InsertMany { index: Some(_), .. }) if !context.in_transaction() => {
            // What is left of them is marked; the caller learns which was refused.
            let _ = follow_up.finish_some(context).await;
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
        Some(id) => crate::bounds::Field::to_bson(id)?,
        None => return Err(Error::not_found(definition)),
    };
    let query = Query::new(definition.collection, field::equal("_id".to_owned(), id));
    let document = query.first(&context.majority()).await?.ok_or_else(|| Error::not_found(definition))?;
    let value = build(&read::decode(definition.collection, &document)?);
    let known = source_of(definition, &document)?;
    insert(context, &value, DateTime::now(), known.as_ref()).await
}
