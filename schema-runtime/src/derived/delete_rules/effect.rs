//! Delete rules as an effect of writes.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::{
    delete::delete,
    rule::{DELETING_MARK, Ruled, UNCHECKED, rules_of_child, rules_of_parent},
    writing::ChildWriting,
};
use crate::{
    codec,
    definition::ModelDefinition,
    derived::effect::{Effect, Known, OneWrite, Running, Which},
    document::value_at,
    error::{Error, Result},
    executor::{Context, Outcome, Sent},
};

pub(crate) const EFFECT: Effect = Effect {
    concerns: ModelDefinition::has_delete_rules,
    begin: |definition, begin, others| Box::new(ChildWriting::new(definition, begin.together, begin.of_one, others)),
    alone: |definition| {
        let is_parent = !rules_of_parent(definition).is_empty();
        Box::new(move |write| matches!(write, OneWrite::Delete) && is_parent)
    },
    atomic,
    shares: |_, write| (!matches!(write, OneWrite::Delete)).then_some(0),
    gathers: |_, _, _| false,
    prepares: false,
    delete: |definition| {
        let is_parent = !rules_of_parent(definition).is_empty();
        is_parent.then_some(|context, definition, filter, many, others| {
            Box::pin(delete(context, definition, filter, many, others))
        })
    },
    owns: |_, _, _| false,
    unchanged: |definition, own| {
        let same = |ruled: &Ruled| doc! { ruled.name(): { "$eq": value_at(own, ruled.name()) } };
        rules_of_child(definition).iter().map(same).collect()
    },
    nested: |_| Vec::new(),
    is_same: |_, _, _, _| true,
    compares: |_| false,
    inserts_again: |_, _, _| false,
    indexes: |definition| {
        let of_child = (!rules_of_child(definition).is_empty()).then_some(UNCHECKED);
        let of_parent = (!rules_of_parent(definition).is_empty()).then_some(DELETING_MARK);
        let partial = |mark: &str| (doc! { mark: 1 }, Some(doc! { mark: { "$exists": true } })).into();
        of_child.into_iter().chain(of_parent).map(partial).collect()
    },
};

/// Selects the updates that may make a document refer to another document. An insert needs no transaction.
fn atomic(definition: &'static ModelDefinition) -> Which {
    let rules = rules_of_child(definition);
    Box::new(move |write| match write {
        OneWrite::Insert | OneWrite::Delete => false,
        OneWrite::Update { touched, upsert } => rules.iter().any(|ruled| *upsert || ruled.is_touched(touched)),
    })
}

impl Running for ChildWriting {
    fn inserts<'a>(
        &'a mut self,
        context: &'a Context,
        documents: &'a mut [Document],
        _: Option<&'a Known>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.fill_inserts(context, documents))
    }

    fn update<'a>(&'a mut self, _: &'a Context, sent: &'a mut Sent, _: bool) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(self.fill_update(sent)) })
    }

    fn before_updates<'a>(&'a mut self, _: &'a Context, _: &'a mut [Sent]) -> BoxFuture<'a, Result<()>> {
        self.note_documents();
        Box::pin(async { Ok(()) })
    }

    fn before_update<'a>(
        &'a mut self,
        context: &'a Context,
        sent: &'a mut Sent,
        many: bool,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(self.read_before(context, sent, many))
    }

    fn hears(&mut self, outcome: Option<&Outcome>) {
        self.hear(outcome);
    }

    fn hears_found(&mut self, found: Option<&RawDocumentBuf>, _: bool) -> Result<()> {
        let id = found.map(|found| codec::decode::<WithId>(found)).transpose().map_err(Error::encode)?;
        self.hear_found(id.map(|found| found.id));
        Ok(())
    }

    fn hears_of_bulk(&mut self, upserted: &[Bson]) {
        self.hear_upserted(upserted);
    }

    fn some_only(&mut self) {
        self.note_some_only();
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
