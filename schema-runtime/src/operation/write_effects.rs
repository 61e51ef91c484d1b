//! The effects of a write. Each effect runs to the end even when another effect fails.

use mongodb::bson::{Document, RawDocumentBuf};

use crate::{
    changes::UpdateSpec,
    definition::ModelDefinition,
    derived::{
        effect::{
            Demand, Effect, EffectRun, Event, LeavesOut, Reply, Returns, SourceDocument, WriteKind, WriteStart,
            WriteView,
        },
        effect_list,
        throttle::{Propagation, Throttle},
    },
    document::{encode_all, parse_all},
    error::{Error, Result, code, server},
    executor::{Context, Outcome},
    operation::{asked::asked_of, delete::WRITER},
};

/// The effects that act on updates that share a transaction.
#[derive(Clone, Copy)]
pub(super) enum Acting {
    All,
    /// The effects that demand something of an update. The remaining effects have prepared the updates of the bulk.
    Demanding,
}

/// The effects that act on a write. The list is empty for a model without effects, and for a write that touches no data
/// of an effect.
#[derive(Default)]
pub(super) struct Effects {
    running: Vec<Box<dyn EffectRun>>,
}

impl Effects {
    /// Begins the effects of inserts.
    pub(super) fn of_inserts(definition: &'static ModelDefinition, kind: WriteKind) -> Self {
        Effects::begun(definition, &WriteStart { kind, propagation: Propagation::default() }, |_| true)
    }

    /// Begins the effects of the writes of a bulk that are prepared before the bulk is sent.
    pub(super) fn of_bulk(definition: &'static ModelDefinition, throttle: Option<&Throttle>) -> Self {
        // The bulk reports the progress of the writes to the progress callback.
        let propagation = Propagation { throttle: throttle.cloned().map(Throttle::quiet), later: false };
        Effects::begun(definition, &WriteStart { kind: WriteKind::Bulk, propagation }, |_| true)
    }

    /// Begins the effects of an update, and adds the derived data to the update.
    pub(super) async fn of_update(
        context: &Context,
        definition: &'static ModelDefinition,
        spec: &mut UpdateSpec,
        propagation: &Propagation,
    ) -> Result<Self> {
        let start = WriteStart { kind: WriteKind::Update(spec.reach), propagation: propagation.clone() };
        Effects::begun(definition, &start, |_| true).concerned(context, spec).await
    }

    /// Begins the effects that `demands` selects, for a write of a bulk that is sent by itself.
    pub(super) async fn of_alone(
        context: &Context,
        definition: &'static ModelDefinition,
        spec: &mut UpdateSpec,
        demands: impl Fn(&dyn Effect) -> bool,
    ) -> Result<Self> {
        let start = WriteStart { kind: WriteKind::Update(spec.reach), propagation: Propagation::default() };
        Effects::begun(definition, &start, demands).concerned(context, spec).await
    }

    /// Begins the effects of updates that share a transaction. Each update concerns a different document.
    pub(super) async fn of_shared(
        context: &Context,
        definition: &'static ModelDefinition,
        updates: &mut [UpdateSpec],
        acting: Acting,
    ) -> Result<Self> {
        let acts = |effect: &dyn Effect| match acting {
            Acting::All => true,
            Acting::Demanding => {
                let demands = effect.demands(definition);
                updates.iter().any(|spec| demands(&WriteView::of_update(spec)) > Demand::None)
            }
        };
        let start = WriteStart { kind: WriteKind::SharedUpdates, propagation: Propagation::default() };
        let mut effects = Effects::default();
        for mut running in Effects::begun(definition, &start, acts).running {
            let mut is_concerned = false;
            for spec in &mut *updates {
                is_concerned |= running.fill_update(context, spec).await?;
            }
            running.before_updates(context, updates).await?;
            if is_concerned {
                effects.running.push(running);
            }
        }
        Ok(effects)
    }

    fn begun(definition: &'static ModelDefinition, start: &WriteStart, acts: impl Fn(&dyn Effect) -> bool) -> Self {
        let effects = effect_list::concerning(definition).filter(|effect| acts(*effect));
        Effects { running: effects.map(|effect| effect.begin(definition, start, WRITER)).collect() }
    }

    /// Adds the derived data to the update, and keeps the effects that the update concerns.
    async fn concerned(self, context: &Context, spec: &mut UpdateSpec) -> Result<Self> {
        let mut running = Vec::new();
        for mut begun in self.running {
            if begun.fill_update(context, spec).await? {
                running.push(begun);
            }
        }
        Ok(Effects { running })
    }

    /// Returns whether the updates of a bulk are prepared before the bulk is sent.
    pub(super) fn prepare_updates(definition: &ModelDefinition) -> bool {
        effect_list::concerning(definition).any(|effect| effect.prepares())
    }

    /// Adds the derived data to documents that are to be inserted. `known` is a document that was read already.
    pub(super) async fn fill_inserts(
        &mut self,
        context: &Context,
        documents: Vec<RawDocumentBuf>,
        known: Option<&SourceDocument>,
    ) -> Result<Vec<RawDocumentBuf>> {
        let mut documents = parse_all(documents)?;
        for running in &mut self.running {
            running.fill_inserts(context, &mut documents, known).await?;
        }
        encode_all(documents)
    }

    /// Runs directly before the documents are inserted.
    pub(super) async fn before_inserts(&mut self, context: &Context) -> Result<()> {
        for running in &mut self.running {
            running.before_inserts(context).await?;
        }
        Ok(())
    }

    /// Runs before the updates of a bulk get their derived data.
    pub(super) async fn before_updates(&mut self, context: &Context, updates: &mut [UpdateSpec]) -> Result<()> {
        for running in &mut self.running {
            running.before_updates(context, updates).await?;
        }
        Ok(())
    }

    /// Adds the derived data to an update of a bulk.
    pub(super) async fn fill_update(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        for running in &mut self.running {
            running.fill_update(context, spec).await?;
        }
        Ok(())
    }

    /// Sends an update of one document that matches.
    pub(super) async fn update_one(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut spec: UpdateSpec,
    ) -> Result<Outcome> {
        if let [only] = &mut self.running[..]
            && let Some(reply) = only.send(context, &mut spec, Returns::Outcome)
        {
            return reply.await.map(Reply::into_outcome);
        }
        self.before_update(context, &mut spec).await?;
        let mut answered = None;
        for (at, running) in self.running.iter_mut().enumerate() {
            if let Some(reply) = running.send(context, &mut spec, Returns::Outcome) {
                answered = Some((at, reply.await?.into_outcome()));
                break;
            }
        }
        if let Some((by, outcome)) = answered {
            for (_, running) in self.running.iter_mut().enumerate().filter(|(at, _)| *at != by) {
                running.note(Event::Updated(&outcome))?;
            }
            return Ok(outcome);
        }
        let updated = self.context(context, definition)?.update_one(definition.collection, spec.into_request()).await;
        self.noted(updated.map(Outcome::from).map_err(|error| server::write(definition, error)))
    }

    /// Runs before an update that does not return a document in the state before the update.
    pub(super) async fn before_update(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        for running in &mut self.running {
            running.before_update(context, spec).await?;
        }
        Ok(())
    }

    /// Sends an update of all documents that match.
    pub(super) async fn update_many(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut spec: UpdateSpec,
    ) -> Result<Outcome> {
        self.before_update(context, &mut spec).await?;
        let updated = self.context(context, definition)?.update_many(definition.collection, spec.into_request()).await;
        self.noted(updated.map(Outcome::from).map_err(|error| server::write(definition, error)))
    }

    /// Sends an update of one document that matches, and returns the document.
    pub(super) async fn find_one_and_update(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut spec: UpdateSpec,
        returns: Returns,
    ) -> Result<Option<RawDocumentBuf>> {
        let after = returns == Returns::After;
        if after || spec.upsert {
            self.before_update(context, &mut spec).await?;
        }
        let mut found = None;
        for running in &mut self.running {
            if let Some(reply) = running.send(context, &mut spec, returns) {
                found = Some(reply.await?.into_document());
                break;
            }
        }
        let found = match found {
            Some(found) => found,
            None => {
                let context = self.context(context, definition)?;
                let found = context
                    .find_one_and_update(definition.collection, spec.into_request(), after, Document::new())
                    .await;
                found.map_err(|error| server::write(definition, error))?
            }
        };
        self.note(Event::Found(found.as_ref(), returns))?;
        Ok(found)
    }

    /// Returns the context of the write. A write with effects reaches a majority: the work after the write finds the
    /// changes by the marks that the write left.
    fn context(&self, context: &Context, definition: &'static ModelDefinition) -> Result<Context> {
        let own = context.own(&asked_of(definition))?;
        Ok(if self.running.is_empty() { own } else { own.majority() })
    }

    /// Passes the outcome of an update to the effects.
    fn noted(&mut self, outcome: Result<Outcome>) -> Result<Outcome> {
        self.note(outcome.as_ref().map_or(Event::Failed, Event::Updated))?;
        outcome
    }

    /// Passes an event of the write to the effects.
    pub(super) fn note(&mut self, event: Event<'_>) -> Result<()> {
        self.running.iter_mut().try_for_each(|running| running.note(event))
    }

    /// Returns the kind of requested documents that the update leaves out.
    pub(super) fn leaves_out(&self) -> LeavesOut {
        self.running.iter().map(|running| running.leaves_out()).max().unwrap_or(LeavesOut::Nothing)
    }

    /// Returns whether another attempt of an update that found nothing may find a document. Every effect is asked,
    /// since each effect may have to take back its preparation.
    pub(super) async fn try_again(&self, context: &Context) -> Result<bool> {
        let mut again = Ok(false);
        for running in &self.running {
            let more = running.try_again(context).await;
            again = again.and_then(|again| Ok(again | more?));
        }
        again
    }

    /// Takes back the preparation of a failed update when the server has refused the update, as far as the server can
    /// be reached. When the update may be done, as after a write concern that was not met, the preparation stays and
    /// tells `recover`.
    pub(super) async fn take_back(&self, context: &Context, error: &Error) {
        let is_refused = match error {
            Error::Driver(error) => code::is_refusal(error) || code::command_code(error).is_some(),
            error => error.is_refusal(),
        };
        if is_refused && !context.in_transaction() {
            let _ = self.try_again(context).await;
        }
    }

    /// Returns whether an update with this error is worth another attempt; false in a transaction, since the error has
    /// ended the transaction.
    pub(super) fn are_overtaken(&self, context: &Context, error: &Error) -> bool {
        !context.in_transaction() && self.running.iter().any(|running| running.is_overtaken(error))
    }

    /// Does all work after the write.
    pub(super) async fn finish(self, context: &Context) -> Result<()> {
        let mut finished = Ok(());
        for running in self.running {
            finished = finished.and(running.finish(context).await);
        }
        if let Err(error) = &finished {
            context.refuse_commit(error).await;
        }
        finished
    }
}

#[cfg(test)]
mod tests {
    use mongodb::{
        Client,
        bson::{doc, rawdoc},
    };

    use super::*;
    use crate::{
        definition::{FieldDefinition, Scalar, Shape},
        derived::sample::{COLLECTION, STAMP},
    };

    const fn model(collection: &'static str) -> ModelDefinition {
        const FIELDS: &[FieldDefinition] = &[FieldDefinition::new("id", "_id", Shape::scalar(Scalar::ObjectId))];
        ModelDefinition { collection, fields: FIELDS, whole: true, ..ModelDefinition::broken("Sample") }
    }

    static SAMPLE: ModelDefinition = model(COLLECTION);
    static ANOTHER: ModelDefinition = model("others");

    /// The test effect has three hooks, and all steps of a write know the effect.
    #[tokio::test]
    async fn an_effect_of_three_hooks_acts_on_its_models() {
        let client = Client::with_uri_str("mongodb://127.0.0.1:1").await.unwrap();
        let context = Context::new(&client.database("test"));
        for (definition, expected) in [(&SAMPLE, doc! { "_id": 1, STAMP: true }), (&ANOTHER, doc! { "_id": 1 })] {
            let mut effects = Effects::of_inserts(definition, WriteKind::InsertOne);
            let filled = effects.fill_inserts(&context, vec![rawdoc! { "_id": 1 }], None).await.unwrap();
            assert_eq!(Document::try_from(&*filled[0]).unwrap(), expected);
            let mut update = UpdateSpec::default();
            let updates = Effects::of_update(&context, definition, &mut update, &Propagation::default()).await;
            assert!(updates.unwrap().running.is_empty(), "the effect has no hook for updates");
            effects.finish(&context).await.unwrap();
        }
    }
}
