//! The effects beside one write. One follows whatever becomes of another.

use mongodb::bson::{Bson, Document, RawDocumentBuf};

use crate::{
    definition::ModelDefinition,
    derived::{
        effect::{Begin, Effect, Known, LeavesOut, Running},
        effects::EFFECTS,
        throttle::{Propagation, Throttle},
    },
    document::{encode_all, parse_all},
    error::{Error, Result, code, server},
    executor::{Context, Outcome, Sent},
    operation::delete::OTHERS,
};

/// Nothing follows a write of a model that no effect concerns, nor one that touches nothing of theirs.
#[derive(Default)]
pub(super) struct Effects {
    running: Vec<Box<dyn Running>>,
}

impl Effects {
    /// Of inserts.
    pub(super) fn of_inserts(definition: &'static ModelDefinition, of_one: bool) -> Self {
        Effects::begun(definition, &Begin { of_one, ..Begin::default() }, |_| true)
    }

    /// Of the writes of a bulk that are prepared before it is sent.
    pub(super) fn of_bulk(definition: &'static ModelDefinition, throttle: Option<&Throttle>) -> Self {
        // Who asks for the progress hears of the writes.
        let following = Propagation { throttle: throttle.cloned().map(Throttle::quiet), later: false };
        Effects::begun(definition, &Begin { together: true, following, ..Begin::default() }, |_| true)
    }

    /// Of an update, which gets what belongs to it.
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

    /// The same of a write of a bulk that is sent by itself, for those effects that ask for it.
    pub(super) async fn of_alone(
        context: &Context,
        definition: &'static ModelDefinition,
        sent: &mut Sent,
        many: bool,
        asks: impl Fn(&Effect) -> bool,
    ) -> Result<Self> {
        Effects::begun(definition, &Begin::default(), asks).concerned(context, sent, many).await
    }

    /// The same of updates of a bulk, each of another document, that share a transaction.
    pub(super) async fn of_shared(
        context: &Context,
        definition: &'static ModelDefinition,
        updates: &mut [Sent],
        asks: impl Fn(&Effect) -> bool,
    ) -> Result<Self> {
        let mut effects = Effects::begun(definition, &Begin::default(), asks);
        for running in &mut effects.running {
            for sent in &mut *updates {
                running.update(context, sent, false).await?;
            }
            running.before_updates(context, updates).await?;
        }
        Ok(effects)
    }

    fn begun(definition: &'static ModelDefinition, begin: &Begin, asks: impl Fn(&Effect) -> bool) -> Self {
        let effects = EFFECTS.iter().filter(|effect| (effect.concerns)(definition) && asks(effect));
        Effects { running: effects.map(|effect| (effect.begin)(definition, begin, OTHERS)).collect() }
    }

    /// Those that an update concerns, which gets what belongs to it.
    async fn concerned(self, context: &Context, sent: &mut Sent, many: bool) -> Result<Self> {
        let mut running = Vec::new();
        for mut begun in self.running {
            if begun.update(context, sent, many).await? {
                running.push(begun);
            }
        }
        Ok(Effects { running })
    }

    /// Whether the updates of a bulk are prepared before it is sent.
    pub(super) fn prepare_updates(&self) -> bool {
        self.running.iter().any(|running| running.prepares_updates())
    }

    /// Documents that are to be inserted, as they are to be stored. `known` is a document that was read already.
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

    /// The documents are about to be inserted.
    pub(super) async fn before_inserts(&mut self, context: &Context) -> Result<()> {
        for running in &mut self.running {
            running.before_inserts(context).await?;
        }
        Ok(())
    }

    /// The updates of a bulk are about to get what belongs to each.
    pub(super) async fn before_updates(&mut self, context: &Context, updates: &mut [Sent]) -> Result<()> {
        for running in &mut self.running {
            running.before_updates(context, updates).await?;
        }
        Ok(())
    }

    /// An update of a bulk gets what belongs to it.
    pub(super) async fn fill_update(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<()> {
        for running in &mut self.running {
            running.update(context, sent, many).await?;
        }
        Ok(())
    }

    /// One update of one document that matches.
    pub(super) async fn update_one(
        &mut self,
        context: &Context,
        definition: &'static ModelDefinition,
        mut sent: Sent,
    ) -> Result<Outcome> {
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

    /// An update is about to be sent, of which no document comes back as it was before.
    pub(super) async fn before_update(&mut self, context: &Context, sent: &mut Sent, many: bool) -> Result<()> {
        for running in &mut self.running {
            running.before_update(context, sent, many).await?;
        }
        Ok(())
    }

    /// One update of all documents that match.
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

    /// One update of one document that matches, which comes back.
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

    /// What follows finds what was written by what it left, which is on a majority.
    fn context(&self, context: &Context) -> Context {
        if self.running.is_empty() { context.clone() } else { context.majority() }
    }

    /// Takes in the outcome of an update, or of several that share a transaction.
    pub(super) fn heard(&mut self, outcome: Result<Outcome>) -> Result<Outcome> {
        self.running.iter_mut().for_each(|running| running.hears(outcome.as_ref().ok()));
        outcome
    }

    /// What the updates of a bulk did.
    pub(super) fn note_bulk(&mut self, upserted: &[Bson]) {
        self.running.iter_mut().for_each(|running| running.hears_of_bulk(upserted));
    }

    /// What of the documents that were asked for is left out.
    pub(super) fn leaves_out(&self) -> LeavesOut {
        self.running.iter().map(|running| running.leaves_out()).max().unwrap_or(LeavesOut::Nothing)
    }

    /// The update found nothing: whether another attempt may find something. Each is asked, since it may have to take back something.
    pub(super) async fn try_again(&self, context: &Context) -> Result<bool> {
        let mut again = Ok(false);
        for running in &self.running {
            let more = running.try_again(context).await;
            again = again.and_then(|again| Ok(again | more?));
        }
        again
    }

    /// The update failed: where the server has refused it, what was prepared for it is taken back, as far as the server can be reached. Where
    /// it may be done, as after a write concern that was not met, what was prepared tells.
    pub(super) async fn take_back(&self, context: &Context, error: &Error) {
        let is_refused = match error {
            Error::Driver(error) => code::is_refusal(error) || code::command_code(error).is_some(),
            error => error.is_refusal(),
        };
        if is_refused && !context.in_transaction() {
            let _ = self.try_again(context).await;
        }
    }

    /// Whether an update that ended so is worth another attempt. In a transaction, which has ended then, it is not.
    pub(super) fn are_overtaken(&self, context: &Context, error: &Error) -> bool {
        !context.in_transaction() && self.running.iter().any(|running| running.is_overtaken(error))
    }

    /// Does all that follows.
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

    /// The same where perhaps not all inserts were done.
    pub(super) async fn finish_some(mut self, context: &Context) -> Result<()> {
        self.running.iter_mut().for_each(|running| running.some_only());
        self.finish(context).await
    }
}
