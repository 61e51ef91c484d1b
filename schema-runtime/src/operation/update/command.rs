//! An update in MongoDB's own syntax, with the bounds of the written values.

use std::sync::Arc;

use mongodb::bson::{DateTime, Document};

use crate::{
    changes::{ChangeSet, IfAbsent, Operator, Reach, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::{LeavesOut, Returns, WriteView},
        throttle::Propagation,
    },
    error::{Error, Result},
    executor::{Context, Executor, OperationOptions, UpdateRequest},
    field::{self, Change, ChangeList, Parts, refuse_upsert},
    operation::{
        atomic::is_atomic,
        managed::{self, Version},
        sharded, together,
        write_effects::Effects,
    },
};

use super::{
    bounds,
    capacity::Capacity,
    condition::Condition,
    guard::{self, Computed, Guard},
    inserted,
    nulls::Nulls,
};

/// An update that is ready to be sent.
#[derive(Clone)]
pub(super) struct Command {
    definition: &'static ModelDefinition,
    spec: UpdateSpec,
    following: Propagation,
    /// `None` when no array with a bound grows, and no number needs a guard.
    capacity: Option<Capacity>,
    /// `None` when no change loses to a null.
    nulls: Option<Nulls>,
    /// The condition on the document; `None` without a condition beside the filter.
    condition: Option<Condition>,
    /// The options of the update.
    options: Option<Arc<OperationOptions>>,
}

impl Command {
    pub(super) fn new(
        definition: &'static ModelDefinition,
        filter: Result<Document>,
        changes: ChangeList,
        if_absent: IfAbsent,
        reach: Reach,
        following: Propagation,
    ) -> Result<Self> {
        let parts = changes.into_parts()?;
        parts.refuse_empty(definition)?;
        let leaves_stored = parts.leaves_stored();
        let Parts { raw, mut changes, array_filters, full, variants, present, nothing, .. } = parts;
        let (mut filter, upsert) = (filter?, if_absent == IfAbsent::Insert);
        if upsert {
            refuse_upsert(&variants, &present)?;
            filter = inserted::checked(definition, filter, &changes)?;
        }
        let filter = field::and(field::and(filter, variants), present);
        let growths = bounds::checked(definition, &changes)?;
        if upsert && reach != Reach::ById && !full.is_empty() {
            let message =
                "an upsert that adds to a bounded array must name a single document: write `update_by_id(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        let (guards, computed) = match reach {
            Reach::All => (Vec::new(), Vec::new()),
            _ => (Guard::all(definition, &changes)?, Computed::all(&changes)),
        };
        let guards = if upsert { guard::of_upsert(definition, guards, &filter, reach)? } else { guards };
        let nulls = Nulls::of(&changes);
        let (version, now) = (version_of(definition, &raw, &changes, &nothing), DateTime::now());
        match leaves_stored {
            true => changes.extend(managed::changes_of_insert(definition, if_absent, now)),
            false => changes.extend(managed::changes(definition, version, if_absent, now)),
        }
        let changes = field::change_set(raw, changes);
        let touched = match definition.fills() {
            true => definition.with_slugs(changes.paths().map(str::to_owned).collect()),
            false => Vec::new(),
        };
        let mut spec = UpdateSpec { filter, changes, array_filters, reach, upsert, touched, ..UpdateSpec::default() };
        refuse_beside_expression(&spec)?;
        let mut capacity = None;
        if !growths.is_empty() || !guards.is_empty() || !computed.is_empty() {
            let conditions = computed.iter().map(|computed| computed.condition.clone());
            let in_range = conditions.fold(guard::all_hold(&guards), field::and);
            capacity = Some(Capacity { filter: spec.filter.clone(), full: full.clone(), growths, guards, computed });
            spec.filter = field::and(field::and(spec.filter, field::nor(full)), in_range);
        }
        Ok(Command { definition, spec, following, capacity, nulls, condition: None, options: None })
    }

    /// Creates the command of an update that is a part of another write.
    pub(super) fn of_spec(definition: &'static ModelDefinition, spec: UpdateSpec) -> Self {
        let following = Propagation::default();
        Command { definition, spec, following, capacity: None, nulls: None, condition: None, options: None }
    }

    /// Returns the command with the projection document of a returned document.
    pub(super) fn returning(mut self, returned: Document) -> Self {
        self.spec.returned = returned;
        self
    }

    /// Returns the command that looks for the document in this order.
    pub(super) fn sorted(mut self, sort: Document) -> Self {
        self.spec.sort = sort;
        self
    }

    /// Returns the command with the options of the update.
    pub(super) fn with(self, options: Option<Arc<OperationOptions>>) -> Self {
        Command { options, ..self }
    }

    /// Returns the context of the update, with the options of the update.
    ///
    /// # Errors
    /// [`Error::Update`] for an option that the update does not take.
    pub(super) fn context(&self, db: &dyn Executor) -> Result<Context> {
        let texts = self.definition.texts_of_writes();
        let context = db.context()?.with(self.options.as_deref())?.comparing(texts);
        if self.definition.fills() {
            context.refuse_selection("a write of a model with derived data")?;
        } else if !self.is_plain() {
            context.refuse_collation("an update that also reads by the filter (`only_if`, a bounded array, a null)")?;
        }
        Ok(context)
    }

    /// Returns the command with a condition on the one document that the filter names.
    pub(super) fn only_if(mut self, condition: Document) -> Self {
        let capacity = self.capacity.as_mut().map(|capacity| &mut capacity.filter);
        let asked = capacity.as_deref().unwrap_or(&self.spec.filter).clone();
        if let Some(filter) = capacity {
            *filter = field::and(asked.clone(), condition.clone());
        }
        self.spec.filter = field::and(self.spec.filter, condition.clone());
        self.condition = Some(Condition::new(asked, condition));
        self
    }

    /// Returns the command, where a router can send the command and the shard key stays unchanged.
    pub(super) fn sharded(self, returns: Returns) -> Result<Self> {
        sharded::refuse_change(self.definition, &self.spec.changes)?;
        let wants_key = self.spec.upsert || returns != Returns::Outcome;
        let reach = if wants_key { Reach::Returned } else { self.spec.reach };
        sharded::require(self.definition, &self.spec.filter, reach)?;
        Ok(self)
    }

    /// Returns the update, and the updates of all documents that match that go before the update.
    pub(super) fn into_parts(self) -> (UpdateSpec, Vec<UpdateRequest>) {
        let nulls = self.nulls.as_ref().map_or(Vec::new(), |nulls| nulls.removing(&self.spec.filter));
        (self.spec, nulls)
    }

    pub(super) fn into_spec(self) -> UpdateSpec {
        self.spec
    }

    pub(super) fn definition(&self) -> &'static ModelDefinition {
        self.definition
    }

    pub(super) fn spec(&self) -> &UpdateSpec {
        &self.spec
    }

    /// Returns whether an effect sends the update in a transaction, and the context has none.
    pub(super) fn is_gathered(&self, context: &Context) -> bool {
        !context.in_transaction() && together::is_gathered(context, self.definition, &WriteView::of_update(&self.spec))
    }

    /// Returns the most documents that the update writes; `None` where the update may not share a transaction with
    /// updates of more documents.
    pub(super) fn shared_documents(&self) -> Option<usize> {
        let is_plain = !self.has_expression()
            && self.is_by_id()
            && !self.spec.upsert
            && self.nulls.is_none()
            && !self.following.is_asked_for();
        let write = WriteView::of_update(&self.spec);
        is_plain.then(|| together::shared_documents(self.definition, &write))?
    }

    /// Returns whether a field gets the value of an expression.
    pub(super) fn has_expression(&self) -> bool {
        self.spec.changes.has_expression()
    }

    pub(super) fn is_by_id(&self) -> bool {
        self.spec.reach == Reach::ById
    }

    /// Returns an error when an array has no capacity in a document that matches.
    pub(super) async fn refuse_full(&self, context: &Context) -> Result<()> {
        let Some(capacity) = &self.capacity else { return Ok(()) };
        let full = capacity.full.iter().cloned().reduce(field::or).unwrap_or_else(field::nothing);
        capacity.find(self.definition, context, field::and(capacity.filter.clone(), full)).await.map(drop)
    }

    /// Returns the update of a part of the documents.
    pub(super) fn of_part(&self, filter: Document) -> Self {
        let mut command = self.clone();
        command.spec.filter = filter;
        command
    }

    /// Returns whether one command does the whole update: no effect acts, and the filter leaves out no document.
    pub(super) fn is_plain(&self) -> bool {
        !self.definition.fills() && self.capacity.is_none() && self.nulls.is_none() && self.condition.is_none()
    }

    /// Begins the effects of the update. New references in the update get copies, and changed values get marks.
    pub(super) async fn prepare(&self, context: &Context) -> Result<(UpdateSpec, Effects)> {
        let mut spec = self.spec.clone();
        self.mind_nulls(context, &mut spec).await?;
        let effects = Effects::of_update(context, self.definition, &mut spec, &self.following);
        let effects = Box::pin(effects).await?;
        // The effects may have added a change without an equal stage of a pipeline.
        if let Err(error) = spec.changes.pipeline() {
            effects.try_again(context).await?;
            return Err(error);
        }
        if spec.upsert && !self.is_by_id() && effects.leaves_out() == LeavesOut::Newer {
            let message = "an upsert that sets a reference with copies beside the reference must name a single \
                           document: write `update_by_id(id)`";
            return Err(Error::Update { message: message.to_owned() });
        }
        Ok((spec, effects))
    }

    /// Keeps the update from losing to a null: the filter leaves the documents with a null out. An update of many
    /// documents, or an upsert, removes the nulls first.
    async fn mind_nulls(&self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        let Some(nulls) = &self.nulls else { return Ok(()) };
        if self.removes_nulls() {
            let reach = if self.is_by_id() { Reach::ById } else { Reach::All };
            return nulls.remove(context, self.definition, &spec.filter, reach).await.map(drop);
        }
        nulls.leave_out(&mut spec.filter);
        Ok(())
    }

    /// Returns whether the nulls are removed before the update.
    fn removes_nulls(&self) -> bool {
        self.spec.is_many() || self.spec.upsert
    }

    /// Returns whether the filter may leave out a requested document.
    pub(super) fn may_leave_out(&self, effects: &Effects) -> bool {
        self.capacity.is_some() || effects.leaves_out() > LeavesOut::Nothing
    }

    /// Returns whether an update that found nothing may find a document now; an error when a document has no capacity
    /// for the added elements.
    pub(super) async fn may_match_now(&self, context: &Context, effects: &Effects) -> Result<bool> {
        if let Some(nulls) = &self.nulls
            && !self.removes_nulls()
            && nulls.remove(context, self.definition, &self.spec.filter, Reach::One).await?
        {
            effects.try_again(context).await?;
            return Ok(true);
        }
        let upsert = self.spec.upsert;
        if let Some(capacity) = &self.capacity {
            let made = capacity.was_made(self.definition, context).await;
            if made.is_err() {
                effects.try_again(context).await?;
            }
            if made? || upsert {
                effects.try_again(context).await?;
                return Ok(true);
            }
        }
        let again = effects.try_again(context).await?;
        Ok(again || upsert && effects.leaves_out() > LeavesOut::Nothing)
    }

    /// Returns the condition on the document; `None` without a condition beside the filter.
    pub(super) fn condition(&self) -> Option<&Condition> {
        self.condition.as_ref()
    }

    /// Returns whether the update must be in a transaction, and the context has none.
    pub(super) fn needs_transaction(&self, context: &Context) -> bool {
        !context.in_transaction() && self.is_atomic()
    }

    pub(super) fn is_atomic(&self) -> bool {
        is_atomic(self.definition, &WriteView::of_update(&self.spec))
    }
}

/// Returns the version that the update gives the document. Values that only an insert sets change no stored document.
fn version_of(definition: &ModelDefinition, raw: &ChangeSet, changes: &[Change], nothing: &[String]) -> Version {
    let changes = changes.iter().filter(|change| change.operator != Operator::SetOnInsert);
    let paths = changes.map(|change| change.path.as_str()).chain(raw.paths_of_stored());
    managed::version_of_update(definition, paths.chain(nothing.iter().map(String::as_str)))
}

/// Refuses an update that no pipeline is equal to.
fn refuse_beside_expression(spec: &UpdateSpec) -> Result<()> {
    if spec.changes.pipeline()?.is_none() {
        return Ok(());
    }
    let message = match (spec.upsert, spec.array_filters.is_empty()) {
        (true, _) => "an upsert may insert a document, and `set_expr` reads a stored document",
        (false, false) => "`each` is no part of a pipeline, and `set_expr` is a pipeline: write a separate update",
        (false, true) => return Ok(()),
    };
    Err(Error::Update { message: message.to_owned() })
}
