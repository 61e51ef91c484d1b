//! The effects of a write. Each effect runs to the end even when another effect fails.

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use crate::{
    definition::ModelDefinition,
    derived::{
        effect::{Begin, Effect, Known, LeavesOut, OneWrite, Running},
        effects::EFFECTS,
        throttle::{Propagation, Throttle},
    },
    document::{encode_all, parse_all},
    error::{Error, Result, code, server},
    executor::{Context, Outcome, Sent},
    operation::delete::OTHERS,
};

/// The effects that act on updates that share a transaction.
#[derive(Clone, Copy)]
pub(super) enum Acting {
    All,
    /// The effects that ask for an update. The remaining effects have prepared the updates of the bulk.
    Asking,
}

/// The effects that act on a write. The list is empty for a model without effects, and for a write that touches no data of an effect.
#[derive(Default)]
pub(super) struct Effects {
    running: Vec<Box<dyn Running>>,
}

impl Effects {
    /// Begins the effects of inserts.
    pub(super) fn of_inserts(definition: &'static ModelDefinition, of_one: bool) -> Self {
        Effects::begun(definition, &Begin { of_one, ..Begin::default() }, |_| true)
    }

    /// Begins the effects of the writes of a bulk that are prepared before the bulk is sent.
    pub(super) fn of_bulk(definition: &'static ModelDefinition, throttle: Option<&Throttle>) -> Self {
        // The bulk reports the progress of the writes to the progress callback.
        let following = Propagation { throttle: throttle.cloned().map(Throttle::quiet), later: false };
        Effects::begun(definition, &Begin { together: true, following, ..Begin::default() }, |_| true)
    }

    /// Begins the effects of an update, and adds the derived data to the update.
    pub(super) async fn of_update(
        context: &Context,
        definition: &'static ModelDefinition,
        sent: &mut Sent,
        following: &Propagation,
        many: bool,
    ) -> Result<Self> {
        let begin = Begin { following: following.clone(), many, ..Begin::default() };
        Effects::begun(definition, &begin, |_| true).concerned(context, sent, many).await
    }

    /// Begins the effects that `asks` selects, for a write of a bulk that is sent by itself.
    pub(super) async fn of_alone(
        context: &Context,
        definition: &'static ModelDefinition,
        sent: &mut Sent,
        many: bool,
        asks: impl Fn(&Effect) -> bool,
    ) -> Result<Self> {
        Effects::begun(definition, &Begin::default(), asks).concerned(context, sent, many).await
    }

    /// Begins the effects of updates that share a transaction. Each update concerns a different document.
    pub(super) async fn of_shared(
        context: &Context,
        definition: &'static ModelDefinition,
        updates: &mut [Sent],
        acting: Acting,
    ) -> Result<Self> {
        let acts = |effect: &Effect| match acting {
            Acting::All => true,
            Acting::Asking => updates.iter().any(|sent| effect.asks(definition, &OneWrite::of_update(sent))),
        };
        let begin = Begin { shared: true, ..Begin::default() };
        let mut effects = Effects::default();
        for mut running in Effects::begun(definition, &begin, acts).running {
            let mut is_concerned = false;
            for sent in &mut *updates {
                is_concerned |= running.update(context, sent, false).await?;
            }
            running.before_updates(context, updates).await?;
            if is_concerned {
                effects.running.push(running);
            }
        }
        Ok(effects)
    }

    fn begun(definition: &'static ModelDefinition, begin: &Begin, asks: impl Fn(&Effect) -> bool) -> Self {
        let effects = EFFECTS.iter().filter(|effect| (effect.concerns)(definition) && asks(effect));
        Effects { running: effects.map(|effect| (effect.begin)(definition, begin, OTHERS)).collect() }
    }

    /// Adds the derived data to the update, and keeps the effects that the update concerns.
    async fn concerned(self, context: &Context, sent: &mut Sent, many: bool) -> Result<Self> {
        let mut running = Vec::new();
        for mut begun in self.running {
            if begun.update(context, sent, many).await? {
                running.push(begun);
            }
        }
        Ok(Effects { running })
    }

    /// Returns whether the updates of a bulk are prepared before the bulk is sent.
    pub(super) fn prepare_updates(definition: &ModelDefinition) -> bool {
        EFFECTS.iter().any(|effect| effect.prepares && (effect.concerns)(definition))
    }

    /// Adds the derived data to documents that are to be inserted. `known` is a document that was read already.
    pub(super) async fn fill_inserts(
        &mut self,
        context: &Context,
        documents: Vec<RawDocumentBuf>,
        known: Option<&Known>,
    ) -> Result<Vec<RawDocumentBuf>> {
        let mut documents = parse_all(documents)?;
        for running in &mut self.running {
            running.inserts(context, &mut documents, known).await?;
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
    pub(super) async fn before_updates(&mut self, context: &Context, updates: &mut [Sent]) -> Result<()> {
        for running in &mut self.running {
            running.before_updates(context, updates).await?;
        }
        Ok(())
    }

    /// Adds the derived data to an update of a bulk.
    pub(super) async fn fill_update(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<()> {
        for running in &mut self.running {
            running.update(context, sent, many).await?;
        }
        Ok(())
    }

    /// Sends an update of one document that matches.
    pub(super) async fn update_one(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut sent: Sent,
    ) -> Result<Outcome> {
        if let [only] = &mut self.running[..]
            && let Some(outcome) = only.send_one(context, &mut sent)
        {
            return outcome.await;
        }
        self.before_update(context, &mut sent, false).await?;
        let mut answered = None;
        for (at, running) in self.running.iter_mut().enumerate() {
            if let Some(outcome) = running.send_one(context, &mut sent) {
                answered = Some((at, outcome.await?));
                break;
            }
        }
        if let Some((by, outcome)) = answered {
            let others = self.running.iter_mut().enumerate().filter(|(at, _)| *at != by);
            others.for_each(|(_, running)| running.hears(Some(&outcome)));
            return Ok(outcome);
        }
        let updated = self.context(context).update_one(definition.collection, sent).await;
        self.heard(updated.map(Outcome::from).map_err(|error| server::write(definition, error)))
    }

    /// Runs before an update that does not return a document in the state before the update.
    pub(super) async fn before_update(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<()> {
        for running in &mut self.running {
            running.before_update(context, sent, many).await?;
        }
        Ok(())
    }

    /// Sends an update of all documents that match.
    pub(super) async fn update_many(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut sent: Sent,
    ) -> Result<Outcome> {
        self.before_update(context, &mut sent, true).await?;
        let updated = self.context(context).update_many(definition.collection, sent).await;
        self.heard(updated.map(Outcome::from).map_err(|error| server::write(definition, error)))
    }

    /// Sends an update of one document that matches, and returns the document.
    pub(super) async fn find_one_and_update(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut sent: Sent,
        after: bool,
    ) -> Result<Option<RawDocumentBuf>> {
        if after || sent.upsert {
            self.before_update(context, &mut sent, false).await?;
        }
        let mut found = None;
        for running in &mut self.running {
            if let Some(sent) = running.send_found(context, &mut sent, after) {
                found = Some(sent.await?);
                break;
            }
        }
        let found = match found {
            Some(found) => found,
            None => {
                let context = self.context(context);
                let found = context.find_one_and_update(definition.collection, sent, after, Document::new()).await;
                found.map_err(|error| server::write(definition, error))?
            }
        };
        for running in &mut self.running {
            running.hears_found(found.as_ref(), after)?;
        }
        Ok(found)
    }

    /// Returns the context of the write. A write with effects reaches a majority: the work after the write finds the changes by the marks
    /// that the write left.
    fn context(&self, context: &Context) -> Context {
        if self.running.is_empty() { context.clone() } else { context.majority() }
    }

    /// Passes the outcome of an update, or of several updates that share a transaction, to the effects.
    pub(super) fn heard(&mut self, outcome: Result<Outcome>) -> Result<Outcome> {
        self.running.iter_mut().for_each(|running| running.hears(outcome.as_ref().ok()));
        outcome
    }

    /// Passes the outcome of the updates of a bulk to the effects.
    pub(super) fn note_bulk(&mut self, upserted: &[Bson]) {
        self.running.iter_mut().for_each(|running| running.hears_of_bulk(upserted));
    }

    /// Returns the kind of requested documents that the update leaves out.
    pub(super) fn leaves_out(&self) -> LeavesOut {
        self.running.iter().map(|running| running.leaves_out()).max().unwrap_or(LeavesOut::Nothing)
    }

    /// Returns whether another attempt of an update that found nothing may find a document. Every effect is asked, since each effect may
    /// have to take back its preparation.
    pub(super) async fn try_again(&self, context: &Context) -> Result<bool> {
        let mut again = Ok(false);
        for running in &self.running {
            let more = running.try_again(context).await;
            again = again.and_then(|again| Ok(again | more?));
        }
        again
    }

    /// Takes back the preparation of a failed update when the server has refused the update, as far as the server can be reached. When the
    /// update may be done, as after a write concern that was not met, the preparation stays and tells `recover`.
    pub(super) async fn take_back(&self, context: &Context, error: &Error) {
        let is_refused = match error {
            Error::Driver(error) => code::is_refusal(error) || code::command_code(error).is_some(),
            error => error.is_refusal(),
        };
        if is_refused && !context.in_transaction() {
            let _ = self.try_again(context).await;
        }
    }

    /// Returns whether an update with this error is worth another attempt; false in a transaction, since the error has ended the
    /// transaction.
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

    /// Does all work after inserts that perhaps were not all done.
    pub(super) async fn finish_some(mut self, context: &Context) -> Result<()> {
        self.running.iter_mut().for_each(|running| running.some_only());
        self.finish(context).await
    }
}
