//! Delete rules as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    delete::delete,
    rule::{DELETING, DELETING_MARK, Ruled, UNCHECKED, rules_of_child, rules_of_parent},
    writing::ChildWriting,
};
use crate::{
    changes::UpdateSpec,
    codec,
    definition::ModelDefinition,
    derived::{
        effect::{
            Delete, Demand, Demands, Effect, EffectRun, Event, NeededIndex, SourceDocument, WriteStart, WriteView,
            Writer,
        },
        marks::index_of_marks,
    },
    document::value_at,
    error::{Error, Result},
    executor::Context,
};

/// The name of the effect of delete rules.
pub(crate) const NAME: &str = "delete rules";

/// The effect of delete rules.
pub(crate) struct DeleteRules;

impl Effect for DeleteRules {
    fn name(&self) -> &'static str {
        NAME
    }

    fn concerns(&self, definition: &ModelDefinition) -> bool {
        definition.has_delete_rules()
    }

    fn begin(&self, definition: &'static ModelDefinition, start: &WriteStart, writer: Writer) -> Box<dyn EffectRun> {
        Box::new(ChildWriting::new(definition, start.kind, writer))
    }

    /// Demands a transaction for updates that may make a document refer to another document. An insert needs no
    /// transaction. The delete of a parent runs by itself.
    fn demands(&self, definition: &'static ModelDefinition) -> Demands {
        let (rules, is_parent) = (rules_of_child(definition), !rules_of_parent(definition).is_empty());
        Box::new(move |write| match write {
            WriteView::Update { touched, upsert } if rules.iter().any(|ruled| *upsert || ruled.is_touched(touched)) => {
                Demand::Transaction
            }
            WriteView::Delete if is_parent => Demand::Alone,
            _ => Demand::None,
        })
    }

    fn shares(&self, _: &'static ModelDefinition, write: &WriteView<'_>) -> Option<u64> {
        (!matches!(write, WriteView::Delete)).then_some(0)
    }

    fn delete(&self, definition: &'static ModelDefinition) -> Option<Delete> {
        let is_parent = !rules_of_parent(definition).is_empty();
        is_parent.then_some(|context, definition, filter, reach, writer| {
            Box::pin(delete(context, definition, filter, reach, writer))
        })
    }

    fn undeleted(&self, definition: &'static ModelDefinition) -> Option<Document> {
        let is_parent = !rules_of_parent(definition).is_empty();
        is_parent.then(|| doc! { DELETING: { "$exists": false } })
    }

    fn unchanged(&self, definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
        let same = |ruled: &Ruled| doc! { ruled.name(): { "$eq": value_at(own, ruled.name()) } };
        rules_of_child(definition).iter().map(same).collect()
    }

    fn indexes(&self, definition: &'static ModelDefinition) -> Vec<NeededIndex> {
        let of_child = (!rules_of_child(definition).is_empty()).then_some(UNCHECKED);
        let of_parent = (!rules_of_parent(definition).is_empty()).then_some(DELETING_MARK);
        of_child.into_iter().chain(of_parent).map(index_of_marks).collect()
    }
}

impl EffectRun for ChildWriting {
    fn fill_inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a SourceDocument>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn fill_update<'a>(&'a mut self, _: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.fill_update(spec)) })
    }

    fn before_updates<'a>(&'a mut self, _: &'a Context, _: &'a mut [UpdateSpec]) -> BoxFuture<'a, Result<()>> {
        self.note_documents();
        Box::pin(async { Ok(()) })
    }

    fn before_update<'a>(&'a mut self, context: &'a Context, spec: &'a mut UpdateSpec) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_before(context, spec))
    }

    fn note(&mut self, event: Event<'_>) -> Result<()> {
        match event {
            Event::Updated(outcome) => self.ask_of(outcome.upserted_id.clone()),
            Event::Found(found, _) => {
                let id = found.map(|found| codec::decode::<WithId>(found)).transpose().map_err(Error::encode)?;
                self.note_found(id.map(|found| found.id));
            }
            Event::BulkDone(upserted) => self.ask_of(upserted.iter().cloned()),
            Event::InsertedSome => self.note_some_only(),
            Event::Failed => {}
        }
        Ok(())
    }

    fn finish<'a>(self: Box<Self>, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(ChildWriting::finish(*self, context))
    }
}

#[derive(serde::Deserialize)]
struct WithId {
    #[serde(rename = "_id")]
    id: Bson,
}
