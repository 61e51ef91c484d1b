//! Inserts of models with derived data, as writes of the engine.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, DateTime, Document, RawDocument, RawDocumentBuf};

use super::{check, checked, encoded, fitting, insert_batches, insert_filled};
use crate::{
    bounds::Reference,
    definition::ModelDefinition,
    derived::{
        effect::{Event, SourceDocument, WriteKind, WriteView},
        effect_list,
    },
    error::{Error, FailedRule, Fault, Result, server},
    executor::{Context, Executor, Outcome, PerClient},
    field::Field,
    key::Key,
    limits::{TRANSACTION_BYTES, TRANSACTION_DOCUMENTS},
    model::{Model, without_hidden},
    operation::{
        atomic::is_atomic,
        engine::{self, EngineWrite, Progress, Settled},
        lane::{LaneWrite, Lanes},
        managed,
        write_effects::Effects,
    },
    read::{self, Query},
    refusal,
};

/// A function that runs with a document just before the insert, at each attempt. An error of the function is the error
/// of the insert.
pub(super) type BeforeInsert = dyn Fn(&RawDocument) -> Result<()> + Send + Sync;

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
            insert(&context, definition, document, None, before).await.map(|()| Outcome::default())
        })
    }

    fn run_together(
        inserts: Vec<Self>,
        context: Context,
        definition: &'static ModelDefinition,
    ) -> BoxFuture<'static, Result<Vec<Outcome>>> {
        Box::pin(async move {
            let count = inserts.len();
            let (documents, before) = inserts.into_iter().map(|insert| (insert.document, insert.before)).unzip();
            let insert = InsertWrite { before, ..InsertWrite::new(definition, documents, InsertForm::Many) };
            engine::run(&context, insert).await?;
            Ok(vec![Outcome::default(); count])
        })
    }
}

pub(super) fn insert<'a>(
    context: &'a Context,
    definition: &'static ModelDefinition,
    document: RawDocumentBuf,
    known: Option<Arc<SourceDocument>>,
    before: Option<Arc<BeforeInsert>>,
) -> BoxFuture<'a, Result<()>> {
    let insert = InsertWrite::new(definition, vec![document], InsertForm::One);
    Box::pin(engine::run(context, InsertWrite { known, before: vec![before], ..insert }))
}

/// An insert of documents.
#[derive(Clone)]
struct InsertWrite {
    definition: &'static ModelDefinition,
    /// Shared by the attempts.
    documents: Arc<Vec<RawDocumentBuf>>,
    form: InsertForm,
    /// A document that was read already.
    known: Option<Arc<SourceDocument>>,
    /// The function of each document; empty without functions.
    before: Vec<Option<Arc<BeforeInsert>>>,
    /// The number of documents of the caller that are stored already.
    done: usize,
    /// True when a failed insert stores the documents before the refused document.
    keeps_part: bool,
}

/// The command of an insert, and the error of a refused document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InsertForm {
    /// One document, with the error of the server.
    One,
    /// Several documents, with the position of the refused document ([`Error::InsertMany`]).
    Many,
}

impl InsertWrite {
    fn new(definition: &'static ModelDefinition, documents: Vec<RawDocumentBuf>, form: InsertForm) -> Self {
        let documents = Arc::new(documents);
        InsertWrite { definition, documents, form, known: None, before: Vec::new(), done: 0, keeps_part: false }
    }

    /// Returns the refused document, and the number of documents before the refused document that are stored.
    fn refused(&self, error: &Error) -> Option<(&RawDocumentBuf, usize)> {
        match error {
            Error::InsertMany { index: Some(index), inserted, .. } => {
                Some((self.documents.get(*index)?, if self.keeps_part { *inserted } else { 0 }))
            }
            error if self.form == InsertForm::One && error.is_refusal() => Some((self.documents.first()?, 0)),
            _ => None,
        }
    }
}

impl EngineWrite for InsertWrite {
    type Prepared = Vec<RawDocumentBuf>;
    type Answer = ();
    type Written = ();

    fn is_atomic(&self) -> bool {
        is_atomic(self.definition, &WriteView::Insert)
    }

    async fn prepare(&mut self, context: &Context, _: u32) -> Result<(Vec<RawDocumentBuf>, Effects)> {
        let kind = if self.documents.len() == 1 { WriteKind::InsertOne } else { WriteKind::InsertMany };
        let mut effects = Effects::of_inserts(self.definition, kind);
        let documents = effects.fill_inserts(context, self.documents.to_vec(), self.known.as_deref()).await?;
        documents.iter().try_for_each(|document| check(self.definition, document))?;
        for (before, document) in self.before.iter().zip(&documents) {
            before.as_ref().map_or(Ok(()), |before| before(document))?;
        }
        effects.before_inserts(context).await?;
        Ok((documents, effects))
    }

    async fn send(&mut self, context: &Context, mut documents: Vec<RawDocumentBuf>, _: &mut Effects) -> Result<()> {
        let (context, definition) = (context.majority(), self.definition);
        if self.form == InsertForm::One
            && let Some(document) = documents.pop()
        {
            let inserted = context.insert_one(definition.collection, document).await;
            return inserted.map_err(|error| server::write(definition, error));
        }
        insert_batches(&context, definition, documents).await
    }

    async fn settle(&mut self, context: &Context, effects: &mut Effects, answer: Result<()>) -> Result<Settled<()>> {
        match answer {
            Ok(()) => Ok(Settled::Done(())),
            // The documents before the refused document are stored.
            Err(error @ Error::InsertMany { index: Some(_), .. }) if !context.in_transaction() => {
                effects.note(Event::InsertedSome)?;
                Ok(Settled::PartlyDone(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Goes on with the refused document where an effect can give the document other derived data.
    fn resume(&mut self, error: Error) -> Result<Progress> {
        let Some((refused, stored)) = self.refused(&error) else { return Err(self.locate(error)) };
        let document = Document::try_from(&**refused).map_err(Error::encode)?;
        let mut concerned = effect_list::concerning(self.definition);
        if !concerned.any(|effect| effect.inserts_again(self.definition, &document, &error)) {
            return Err(self.locate(error));
        }
        Arc::make_mut(&mut self.documents).drain(..stored);
        self.before.drain(..stored.min(self.before.len()));
        self.done += stored;
        Ok(if stored > 0 { Progress::Some } else { Progress::None })
    }

    /// Returns the error with the positions and the numbers of all documents of the caller.
    fn locate(&self, error: Error) -> Error {
        let (collection, done) = (self.definition.collection, self.done);
        match error {
            Error::InsertMany { index, inserted, source, .. } => {
                let inserted = done + if self.keeps_part { inserted } else { 0 };
                Error::InsertMany { collection, inserted, index: index.map(|index| index + done), source }
            }
            error if done > 0 => Error::InsertMany { collection, inserted: done, index: None, source: Box::new(error) },
            error => error,
        }
    }
}

/// Inserts an encoded value, and returns the stored value. A document that does not fit the struct, and a stored value
/// in which `judge` finds failures, is not inserted.
pub(super) async fn insert_and_give<M: Model>(
    db: &dyn Executor,
    document: Result<RawDocumentBuf>,
    now: DateTime,
    known: Option<Arc<SourceDocument>>,
    judge: fn(&M) -> Vec<FailedRule>,
) -> Result<M> {
    let stored = Arc::new(Mutex::new(None));
    let kept = stored.clone();
    let decode = move |document: &RawDocument| {
        let decoded = read::decode::<M>(M::DEFINITION.collection, document)?;
        refusal::refuse(M::DEFINITION, judge(&decoded).into_iter().map(Fault::Rule).collect())?;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(decoded);
        Ok(())
    };
    let inserted = insert_with_known(db, M::DEFINITION, document, now, known, Arc::new(decode)).await;
    let stored = stored.lock().unwrap_or_else(PoisonError::into_inner).take();
    match inserted {
        Ok(()) => stored.ok_or_else(|| Error::not_found(M::DEFINITION)),
        Err(error) if error.is_done() => {
            let stored = stored.and_then(|stored| encoded(&stored).ok());
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
    known: Option<Arc<SourceDocument>>,
    before: Arc<BeforeInsert>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?;
        let document = managed::insertable(definition, document?, now)?;
        insert_filled(context, definition, document, known, Some(before)).await
    })
}

/// Inserts documents; in transactions of at most 1,000 documents where an effect requires a transaction. `before` has
/// the function of each document, or is empty.
pub(super) async fn insert_many(
    context: &Context,
    definition: &'static ModelDefinition,
    mut documents: Vec<RawDocumentBuf>,
    mut before: Vec<Option<Arc<BeforeInsert>>>,
) -> Result<()> {
    let keeps_part = context.in_transaction() || !is_atomic(definition, &WriteView::Insert);
    let mut done = 0;
    while !documents.is_empty() {
        let count = match keeps_part {
            true => documents.len(),
            false => fitting(&documents, TRANSACTION_DOCUMENTS, TRANSACTION_BYTES),
        };
        let rest = documents.split_off(count);
        let later = before.split_off(count.min(before.len()));
        let insert = InsertWrite::new(definition, documents, InsertForm::Many);
        let insert = InsertWrite { done, keeps_part, before, ..insert };
        engine::run(context, insert).await?;
        done += count;
        documents = rest;
        before = later;
    }
    Ok(())
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
    let known = Some(Arc::new(SourceDocument { definition, document }));
    insert_and_give(db, checked(&value), DateTime::now(), known, |_| Vec::new()).await
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
        let query = Query { projection: without_hidden(definition.fields), ..query };
        query.first(&context.majority()).await?.ok_or_else(|| Error::not_found(definition))
    })
}
