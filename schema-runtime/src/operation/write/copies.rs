//! Inserts of models that hold copies or are copied. The copies are filled before the insert, and checked after the
//! insert.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocument, RawDocumentBuf};

use super::{check, checked, fitting, insert_batches, insert_filled};
use crate::{
    bounds::Reference,
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{SourceDocument, WriteKind, WriteView},
        effects,
    },
    error::{Error, Result, server},
    executor::{Attempts, Context, Executor, Outcome, PerClient},
    field::Field,
    key::Key,
    limits::{TRANSACTION_BYTES, TRANSACTION_DOCUMENTS},
    model::Model,
    operation::{
        atomic::{atomically, is_atomic},
        effects::Effects,
        lane::{LaneWrite, Lanes},
        managed,
    },
    read::{self, Query},
};

/// A function that runs with a document just before the insert, at each attempt. An error of the function is the error
/// of the insert.
pub(super) type BeforeInsert = dyn Fn(&RawDocument) -> Result<()> + Send + Sync;

/// A function that runs with each of several documents just before the insert, and with the position of the document.
type BeforeEach<'a> = dyn Fn(usize, &RawDocument) -> Result<()> + Send + Sync + 'a;

/// An insert in a lane.
#[derive(Clone)]
pub(super) struct Insert {
    pub(super) document: RawDocumentBuf,
    pub(super) before: Option<Arc<BeforeInsert>>,
}

impl LaneWrite for Insert {
    fn size(&self) -> usize {
        self.document.as_bytes().len()
    }

    fn document(&self) -> Option<Key> {
        None
    }

    fn lanes() -> &'static PerClient<Lanes<Self>> {
        static LANES: PerClient<Lanes<Insert>> = PerClient::new();
        &LANES
    }

    fn run_alone(self, context: Context, definition: &'static ModelDefinition) -> BoxFuture<'static, Result<Outcome>> {
        Box::pin(async move {
            let Insert { document, before } = self;
            insert(&context, definition, document, None, before.as_deref()).await.map(|()| Outcome::default())
        })
    }

    fn run_together(
        inserts: Vec<Self>,
        context: Context,
        definition: &'static ModelDefinition,
    ) -> BoxFuture<'static, Result<Vec<Outcome>>> {
        Box::pin(async move {
            let before = |at: usize, document: &RawDocument| match &inserts[at].before {
                Some(before) => before(document),
                None => Ok(()),
            };
            let documents: Vec<RawDocumentBuf> = inserts.iter().map(|insert| insert.document.clone()).collect();
            let write = |context: Context| -> BoxFuture<'_, Result<()>> {
                let (documents, before) = (documents.clone(), &before);
                Box::pin(async move { insert_all(&context, definition, documents, before).await })
            };
            atomically(&context, true, write).await?;
            Ok(vec![Outcome::default(); inserts.len()])
        })
    }
}

pub(super) fn insert<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    known: Option<&'a SourceDocument>,
    before: Option<&'a BeforeInsert>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let write = |context: Context| -> BoxFuture<'_, Result<()>> {
            let document = document.clone();
            Box::pin(async move {
                let mut effects = Effects::of_inserts(definition, WriteKind::InsertOne);
                for document in effects.fill_inserts(&context, vec![document], known).await? {
                    check(definition, &document)?;
                    before.map_or(Ok(()), |before| before(&document))?;
                    let inserted = context.majority().insert_one(definition.collection, document).await;
                    inserted.map_err(|error| server::write(definition, error))?;
                }
                effects.finish(&context).await
            })
        };
        let (must_be, mut attempts) = (is_atomic(definition, &WriteView::Insert), Attempts::default());
        loop {
            match atomically(context, must_be, write).await {
                Err(error) if again(context, definition, &document, &error)? => attempts.again().await?,
                inserted => return inserted,
            };
        }
    })
}

/// Inserts an encoded value, and returns the stored value. A document that does not fit the struct is not inserted.
pub(super) async fn insert_and_give<M: Model>(
    db: &dyn Executor,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<SourceDocument>,
) -> Result<M> {
    let stored = Arc::new(Mutex::new(None));
    let kept = stored.clone();
    let decode = move |document: &RawDocument| {
        let decoded = read::decode::<M>(M::DEFINITION.collection, document)?;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(decoded);
        Ok(())
    };
    let inserted = insert_with_known(db, M::DEFINITION, document, now, known, Arc::new(decode)).await;
    let stored = stored.lock().unwrap_or_else(PoisonError::into_inner).take();
    match inserted {
        Ok(()) => stored.ok_or_else(|| Error::not_found(M::DEFINITION)),
        Err(error) if error.is_done() => {
            let stored = stored.and_then(|stored| codec::encode::<M>(&stored).ok());
            Err(error.with_document(stored.as_deref()))
        }
        Err(error) => Err(error),
    }
}

fn insert_with_known<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<SourceDocument>,
    before: Arc<BeforeInsert>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let document = managed::timed(definition, document?, now)?;
        insert_filled(context, definition, document, known, Some(before)).await
    })
}

/// Inserts documents; in transactions of at most 1,000 documents where an effect requires a transaction.
pub(super) async fn insert_many(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
) -> Result<()> {
    let is_whole = context.in_transaction() || !is_atomic(definition, &WriteView::Insert);
    let (most, most_bytes) =
        if is_whole { (usize::MAX, usize::MAX) } else { (TRANSACTION_DOCUMENTS, TRANSACTION_BYTES) };
    let (mut done, mut attempts) = (0, Attempts::default());
    while done < documents.len() {
        let part = &documents[done..done + fitting(&documents[done..], most, most_bytes)];
        let write = |context: Context| -> BoxFuture<'_, Result<()>> {
            Box::pin(async move { insert_all(&context, definition, part.to_vec(), &|_, _| Ok(())).await })
        };
        let inserted = if is_whole { write(context.clone()).await } else { atomically(context, true, write).await };
        match inserted {
            Ok(()) => done += part.len(),
            Err(error) => {
                let refused = match &error {
                    Error::InsertMany { index: Some(index), .. } => part.get(*index),
                    _ => None,
                };
                // The documents before the refused document are stored, unless a transaction has undone the inserts.
                let there = match &error {
                    Error::InsertMany { inserted, .. } if is_whole => *inserted,
                    _ => 0,
                };
                if refused.is_none_or(|refused| !again(context, definition, refused, &error).is_ok_and(|again| again)) {
                    return Err(behind(definition, done, there, error));
                }
                done += there;
                if there > 0 {
                    attempts = Attempts::default();
                }
                if let Err(error) = attempts.again().await {
                    return Err(behind(definition, done, 0, error));
                }
            }
        }
    }
    Ok(())
}

/// Returns whether a refused insert is worth another attempt; false in a transaction, since the refusal has ended the
/// transaction.
fn again(
    context: &Context,
    definition: &'static ModelDefinition,
    document: &RawDocument,
    error: &Error,
) -> Result<bool> {
    if context.in_transaction() || !error.is_refusal() && !matches!(error, Error::InsertMany { .. }) {
        return Ok(false);
    }
    let document = Document::try_from(document).map_err(Error::encode)?;
    Ok(effects::concerning(definition).any(|effect| effect.inserts_again(definition, &document, error)))
}

/// Returns the error of a part of the documents, with the positions and numbers of all documents. `done` documents
/// before the part, and `there` documents of the part, are stored.
fn behind(definition: &'static ModelDefinition, done: usize, there: usize, error: Error) -> Error {
    let collection = definition.collection;
    match error {
        Error::InsertMany { index, source, .. } => {
            let index = index.map(|index| index + done);
            Error::InsertMany { collection, inserted: done + there, index, source }
        }
        error if done > 0 => Error::InsertMany { collection, inserted: done, index: None, source: Box::new(error) },
        error => error,
    }
}

async fn insert_all(
    context: &Context,
    definition: &'static ModelDefinition,
    documents: Vec<RawDocumentBuf>,
    before: &BeforeEach<'_>,
) -> Result<()> {
    let mut effects = Effects::of_inserts(
        definition,
        if documents.len() == 1 { WriteKind::InsertOne } else { WriteKind::InsertMany },
    );
    let documents = effects.fill_inserts(context, documents, None).await?;
    documents.iter().try_for_each(|document| check(definition, document))?;
    documents.iter().enumerate().try_for_each(|(at, document)| before(at, document))?;
    effects.before_inserts(context).await?;
    let inserted = insert_batches(&context.majority(), definition, documents).await;
    match inserted {
        Ok(()) => effects.finish(context).await,
        // The documents before the refused document are stored.
        Err(error @ Error::InsertMany { index: Some(_), .. }) if !context.in_transaction() => {
            // The remaining work is marked; the caller learns the refused document.
            let _ = effects.finish_some(context).await;
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// Inserts the value that `build` makes of the source.
pub(crate) async fn insert_with<M: Model, R: Reference>(
    db: &dyn Executor,
    source: &R,
    build: impl FnOnce(&R::Target) -> M + Send,
) -> Result<M> {
    let definition = R::Target::DEFINITION;
    let document = read_source(db, definition, source.reference().map(Field::to_bson)).await?;
    let value = build(&read::decode(definition.collection, &document)?);
    insert_and_give(db, checked(&value), DateTime::now(), Some(SourceDocument { definition, document })).await
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
