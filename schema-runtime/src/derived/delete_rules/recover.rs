//! Completes deletes, and inserts under a rule, that stopped clients have left behind. Recovery may run at any time,
//! beside all writers and beside a second recovery. Reaches the server.

use mongodb::bson::{Bson, doc};

use super::{
    act::complete,
    deleting::marked_by_mark,
    rule::{DELETING_MARK, Ruled, UNCHECKED},
};
use crate::{
    definition::ModelDefinition,
    derived::{
        effect::Writer,
        maintenance::{MaintenanceKind, Tally},
        marks::{Marks, PendingMarker},
        presence::{Presence, presence_of},
        statements::change_all,
    },
    error::{Error, Result},
    executor::Context,
    limits::MARKED_PARENTS,
    read::{Query, Walk},
};

/// Completes the deletes.
pub(super) async fn recover_deletes(
    context: &Context,
    model: &'static ModelDefinition,
    writer: Writer,
    tally: &mut Tally,
) -> Result<()> {
    loop {
        let marked = Marks::All.filter(DELETING_MARK);
        let parents = marked_by_mark(context, model, marked, writer).await?;
        let count: usize = parents.iter().map(|parents| parents.ids.len()).sum();
        for parents in parents {
            let ids = parents.ids.len() as u64;
            match complete(parents, context).await {
                Ok(deleted) => tally.entry(MaintenanceKind::PendingDelete).add(deleted, deleted),
                Err(Error::DeleteRestricted { .. }) => tally.entry(MaintenanceKind::RestrictedDelete).add(ids, 0),
                Err(error) => return Err(error),
            }
        }
        if count < MARKED_PARENTS {
            return Ok(());
        }
    }
}

/// Looks at the parents of new children in place of the stopped clients that have inserted the children.
pub(super) async fn recover_inserts(
    context: &Context,
    model: &'static ModelDefinition,
    rules: &[Ruled],
    writer: Writer,
    tally: &mut Tally,
) -> Result<()> {
    let mut query = Query::new(model.collection, Marks::All.filter(UNCHECKED));
    query.projection = rules.iter().map(|ruled| (ruled.name().to_owned(), Bson::Int32(1))).collect();
    query.projection.insert(UNCHECKED, 1);
    query.batch_size = MARKED_PARENTS as u32;
    let mut walk = Walk::by_cursor(&context.newest(), query);
    while let Some(children) = walk.next().await? {
        for child in children {
            let mark = PendingMarker::in_document(&child, UNCHECKED);
            let (Some(id), Some(mark)) = (child.get("_id").cloned(), mark) else { continue };
            let own = doc! { "_id": { "$eq": id }, UNCHECKED: mark };
            let mut parents = Vec::new();
            for ruled in rules {
                parents.extend(presence_of(context, ruled.parent, &ruled.parents_of(&child)).await?.into_values());
            }
            if parents.contains(&Presence::Gone) {
                match (writer.delete_all)(context, model, own).await {
                    Ok(deleted) => tally.entry(MaintenanceKind::OrphanedInsert).add(deleted, deleted),
                    // A document already refers to the child: the child stays, and is an orphan.
                    Err(Error::DeleteRestricted { .. }) => {}
                    Err(error) => return Err(error),
                }
            } else if !parents.contains(&Presence::Deleting) {
                let update = doc! { "$unset": { UNCHECKED: "" } };
                let checked = change_all(context, model, own, update).await?;
                tally.entry(MaintenanceKind::PendingInsert).add(checked, checked);
            }
        }
    }
    Ok(())
}
