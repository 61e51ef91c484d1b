//! Inserts of models that hold copies or are copied: the copies are filled before, and looked after behind.

use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, RawDocument, RawDocumentBuf};

use super::{check, checked, insert_batches};
use crate::{
    bounds::Reference,
    definition::ModelDefinition,
    derived::effect::{Known, OneWrite},
    error::{Error, Result, server},
    executor::{Context, Executor},
    field::Field,
    model::Model,
    operation::{
        atomic::{atomically, is_atomic},
        effects::Effects,
        managed,
    },
    read::{self, Query},
    transaction::MOST_IN_TRANSACTION,
};

/// What is done with a document just before it is inserted, each time that is tried.
type BeforeInsert<'a> = dyn Fn(&RawDocument) -> Result<()> + Send + Sync + 'a;

pub(super) fn insert<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    known: Option<&'a Known>,
    before: &'a BeforeInsert<'a>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let write = |context: Context| -> BoxFuture<'_, Result<()>> {
            let document = document.clone();
            Box::pin(async move {
                let mut effects = Effects::of_inserts(definition, true);
                for document in effects.fill_inserts(&context, vec![document], known).await? {
                    check(definition, &document)?;
                    before(&document)?;
                    let inserted = context.majority().insert_one(definition.collection, document).await;
                    inserted.map_err(|error| server::write(definition, error))?;
                }
                effects.finish(&context).await
            })
        };
        atomically(context, is_atomic(definition, &OneWrite::Insert), write).await
    })
}

/// Inserts a value that was encoded, and gives what is stored. What does not fit the struct is not inserted.
pub(super) async fn insert_and_give<M: Model>(
    db: &dyn Executor,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<Known>,
) -> Result<M> {
    let stored = Mutex::new(None);
    let decode = |document: &RawDocument| {
        let decoded = read::decode(M::DEFINITION.collection, document)?;
        *stored.lock().unwrap_or_else(PoisonError::into_inner) = Some(decoded);
        Ok(())
    };
    insert_with_known(db, M::DEFINITION, document, now, known, &decode).await?;
    let stored = stored.into_inner().unwrap_or_else(PoisonError::into_inner);
    stored.ok_or_else(|| Error::not_found(M::DEFINITION))
}

fn insert_with_known<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<Known>,
    before: &'a BeforeInsert<'a>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let document = managed::timed(definition, document?, now)?;
        insert(&context, definition, document, known.as_ref(), before).await
    })
}

/// Inserts documents; in transactions of at most 1,000 where an effect wants them in one.
pub(super) async fn insert_many(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    if context.in_transaction() || !is_atomic(definition, &OneWrite::Insert) {
        return insert_all(context, definition, documents).await;
    }
    let mut done = 0;
    for part in documents.chunks(MOST_IN_TRANSACTION) {
        let write = |context: Context| -> BoxFuture<'_, Result<()>> {
            Box::pin(async move { insert_all(&context, definition, part.to_vec()).await })
        };
        atomically(context, true, write).await.map_err(|error| behind(definition, done, error))?;
        done += part.len();
    }
    Ok(())
}

/// An error of documents of which so many before are there, and none of their own transaction.
fn behind(definition: &ModelDefinition, done: usize, error: Error) -> Error {
    let collection = definition.collection;
    match error {
        Error::InsertMany { index, source, .. } => {
            Error::InsertMany { collection, inserted: done, index: index.map(|index| index + done), source }
        }
        error if done > 0 => Error::InsertMany { collection, inserted: done, index: None, source: Box::new(error) },
        error => error,
    }
}

async fn insert_all(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let mut effects = Effects::of_inserts(definition, documents.len() == 1);
    let documents = effects.fill_inserts(context, documents, None).await?;
    documents.iter().try_for_each(|document| check(definition, document))?;
    effects.before_inserts(context).await?;
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
    db: &dyn Executor,
    source: &R,
    build: impl FnOnce(&R::Target) -> M + Send,
) -> Result<M> {
    let definition = R::Target::DEFINITION;
    let document = read_source(db, definition, source.reference().map(Field::to_bson)).await?;
    let value = build(&read::decode(definition.collection, &document)?);
    insert_and_give(db, checked(&value), DateTime::now(), Some(Known { definition, document })).await
}

fn read_source<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    id: Option<Result<Bson>>,
) -> BoxFuture<'a, Result<RawDocumentBuf>> {
    Box::pin(async move {
        let context = db.context()?;
        let Some(id) = id.transpose()? else { return Err(Error::not_found(definition)) };
        let query = Query::by_id(definition.collection, id);
        query.first(&context.majority()).await?.ok_or_else(|| Error::not_found(definition))
    })
}
