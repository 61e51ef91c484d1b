//! Completes deletes, and inserts under a rule, that stopped clients have left behind. Recovery may run at any time, beside all writers and
//! beside a second recovery. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use super::{
    act::complete,
    deleting::marked_by_mark,
    presence::{Presence, presence},
    rule::{DELETING_MARK, Ruled, UNCHECKED, rules_of_child, rules_of_parent},
};
use crate::{
    definition::ModelDefinition,
    derived::{effect::Others, statements::change_all},
    error::{Error, Result},
    executor::Context,
    limits::MARKED_PARENTS,
    read::Query,
    report::counted,
};

/// The recovered deletes and inserts of the documents of one model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredDeletes {
    /// The collection.
    pub collection: &'static str,
    /// The number of documents whose delete was completed.
    pub deleted: u64,
    /// The number of documents that were being deleted and are kept by referring documents (`on_delete = restrict`).
    pub kept: u64,
    /// The number of new documents with existing parents.
    pub checked: u64,
    /// The number of new documents that referred to missing documents and are deleted. The client that should have got the error was
    /// stopped.
    pub taken_back: u64,
}

impl fmt::Display for RecoveredDeletes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredDeletes { collection, deleted, kept, checked, taken_back } = self;
        let deletes = counted(deleted + kept, "delete", "deletes");
        let inserts = counted(checked + taken_back, "insert", "inserts");
        write!(
            formatter,
            "{collection}: {deletes} gone on with, {kept} of them restricted, {inserts} checked, {taken_back} of them taken back"
        )
    }
}

pub(crate) async fn recover(
    models: &[&'static ModelDefinition],
    context: &Context,
    others: Others,
) -> Result<Vec<RecoveredDeletes>> {
    let context = &context.majority();
    let mut all = Vec::new();
    for model in models.iter().filter(|model| model.has_delete_rules()) {
        let mut recovered =
            RecoveredDeletes { collection: model.collection, deleted: 0, kept: 0, checked: 0, taken_back: 0 };
        if !rules_of_parent(model).is_empty() {
            recover_deletes(context, model, others, &mut recovered).await?;
        }
        all.push((*model, recovered));
    }
    for (model, recovered) in &mut all {
        let rules = rules_of_child(model);
        if !rules.is_empty() {
            recover_inserts(context, model, &rules, others, recovered).await?;
        }
    }
    let something = |recovered: &RecoveredDeletes| {
        recovered.deleted + recovered.kept + recovered.checked + recovered.taken_back > 0
    };
    Ok(all.into_iter().map(|(_, recovered)| recovered).filter(something).collect())
}

/// Completes the deletes.
async fn recover_deletes(
    context: &Context,
    model: &'static ModelDefinition,
    others: Others,
    recovered: &mut RecoveredDeletes,
) -> Result<()> {
    loop {
        let marked = doc! { DELETING_MARK: { "$exists": true } };
        let parents = marked_by_mark(context, model, marked, others).await?;
        let count: usize = parents.iter().map(|parents| parents.ids.len()).sum();
        for parents in parents {
            let ids = parents.ids.len() as u64;
            match complete(parents, context).await {
                Ok(deleted) => recovered.deleted += deleted,
                Err(Error::DeleteRestricted { .. }) => recovered.kept += ids,
                Err(error) => return Err(error),
            }
        }
        if count < MARKED_PARENTS {
            return Ok(());
        }
    }
}

/// Looks at the parents of new children in place of the stopped clients that have inserted the children.
async fn recover_inserts(
    context: &Context,
    model: &'static ModelDefinition,
    rules: &[Ruled],
    others: Others,
    recovered: &mut RecoveredDeletes,
) -> Result<()> {
    let mut query = Query::new(model.collection, doc! { UNCHECKED: { "$exists": true } });
    query.projection = rules.iter().map(|ruled| (ruled.name().to_owned(), Bson::Int32(1))).collect();
    query.projection.insert(UNCHECKED, 1);
    query.batch_size = MARKED_PARENTS as u32;
    let mut batches = query.batches(&context.newest()).await?;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        for document in crate::read::documents_in(&batch)? {
            let child = Document::try_from(document?).map_err(Error::encode)?;
            let (Some(id), Ok(mark)) = (child.get("_id").cloned(), child.get_object_id(UNCHECKED)) else { continue };
            let own = doc! { "_id": { "$eq": id }, UNCHECKED: mark };
            let mut parents = Vec::new();
            for ruled in rules {
                parents.extend(presence(context, ruled, &ruled.parents_of(&child)).await?.into_values());
            }
            if parents.contains(&Presence::Gone) {
                match (others.delete_all)(context, model, own).await {
                    Ok(deleted) => recovered.taken_back += deleted,
                    // A document already refers to the child: the child stays, and is an orphan.
                    Err(Error::DeleteRestricted { .. }) => {}
                    Err(error) => return Err(error),
                }
            } else if !parents.contains(&Presence::Deleting) {
                let update = doc! { "$unset": { UNCHECKED: "" } };
                recovered.checked += change_all(context, model, own, update).await?;
            }
        }
    }
    Ok(())
}
