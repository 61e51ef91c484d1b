//! Inserts of models that hold copies or are copied: the copies are filled before, and looked after behind.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, RawDocument, RawDocumentBuf};

use super::{check, checked, insert_batches};
use crate::{
    bounds::Reference,
    definition::ModelDefinition,
    derived::effect::Known,
    error::{Error, Result, server},
    executor::{Context, Executor},
    field::Field,
    model::Model,
    operation::{effects::Effects, managed},
    read::{self, Query},
};

/// What is done with a document just before it is inserted.
type BeforeInsert<'a> = dyn FnMut(&RawDocument) -> Result<()> + Send + 'a;

pub(super) async fn insert(
    context: &Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    known: Option<&Known>,
    before: &mut BeforeInsert<'_>,
) -> Result<()> {
    let mut effects = Effects::of_inserts(definition, true);
    for document in effects.fill_inserts(context, vec![document], known).await? {
        check(definition, &document)?;
        before(&document)?;
        let inserted = context.majority().insert_one(definition.collection, document).await;
        inserted.map_err(|error| server::write(definition, error))?;
    }
    effects.finish(context).await
}

/// Inserts a value that was encoded, and gives what is stored. What does not fit the struct is not inserted.
pub(super) async fn insert_and_give<M: Model>(
    db: &dyn Executor,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<Known>,
) -> Result<M> {
    let mut stored = None;
    let mut decode = |document: &RawDocument| {
        stored = Some(read::decode(M::DEFINITION.collection, document)?);
        Ok(())
    };
    insert_with_known(db, M::DEFINITION, document, now, known, &mut decode).await?;
    stored.ok_or_else(|| Error::not_found(M::DEFINITION))
}

fn insert_with_known<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<Known>,
    before: &'a mut BeforeInsert<'a>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let document = managed::timed(definition, document?, now)?;
        insert(&context, definition, document, known.as_ref(), before).await
    })
}

pub(super) async fn insert_many(
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
