//! Parents that are being deleted, with their marks, and the search for restricting children. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::rule::{DELETING, DELETING_MARK, DELETING_PASSED, Ruled, restricting, rules_of_parent};
use crate::{
    definition::ModelDefinition,
    derived::{effect::Writer, marks::PendingMarker, statements::change_all},
    error::{Error, Result},
    executor::Context,
    limits::MARKED_PARENTS,
    read::Query,
};

/// Parents that are being deleted under one mark.
pub(super) struct Deleting {
    pub(super) definition: &'static ModelDefinition,
    pub(super) rules: Vec<Ruled>,
    pub(super) mark: PendingMarker,
    pub(super) ids: Vec<Bson>,
    /// True when no child restricts the delete any more.
    pub(super) passed: bool,
    pub(super) writer: Writer,
}

/// Returns the matching parents that are being deleted, grouped by mark.
pub(super) async fn marked_by_mark(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    writer: Writer,
) -> Result<Vec<Deleting>> {
    let mut query = Query::new(definition.collection, filter);
    query.projection = doc! { "_id": 1, DELETING: 1 };
    query.limit = MARKED_PARENTS as u64;
    let mut all: Vec<Deleting> = Vec::new();
    for document in query.all(&context.newest()).await? {
        let Ok(deleting) = document.get_document(DELETING) else { continue };
        let mark = PendingMarker::in_document(deleting, "mark");
        let (Some(mark), Some(id)) = (mark, document.get("_id").cloned()) else { continue };
        let passed = deleting.get_bool("passed").unwrap_or_default();
        match all.iter_mut().find(|parents| parents.mark == mark && parents.passed == passed) {
            Some(parents) => parents.ids.push(id),
            None => {
                let rules = rules_of_parent(definition);
                all.push(Deleting { definition, rules, mark, ids: vec![id], passed, writer });
            }
        }
    }
    Ok(all)
}

/// Returns an error where children keep one of the parents.
pub(super) async fn refuse_kept(context: &Context, restricting: &[Ruled], parents: &[Bson]) -> Result<()> {
    for ruled in restricting {
        let query = Query::new(ruled.child.collection, ruled.children_of(parents));
        if let Some(by) = query.first_id(&context.newest()).await? {
            return Err(Error::DeleteRestricted { relation: ruled.text(), by: Box::new(by) });
        }
    }
    Ok(())
}

impl Deleting {
    /// Looks for children that restrict the delete. From now on a new child can refer to the parents only for a moment.
    pub(super) async fn pass(&mut self, context: &Context) -> Result<()> {
        let own = doc! { "_id": { "$in": &self.ids }, DELETING_MARK: self.mark, DELETING_PASSED: false };
        let kept = refuse_kept(context, restricting(&self.rules), &self.ids).await;
        let update = match &kept {
            Ok(()) => doc! { "$set": { DELETING_PASSED: true } },
            Err(_) => doc! { "$unset": { DELETING: "" } },
        };
        let changed = change_all(context, self.definition, own, update).await?;
        kept?;
        if changed < self.ids.len() as u64 {
            // Another client has decided first, for or against the delete.
            self.ids = self.still_marked(&context.newest()).await?;
        }
        Ok(())
    }

    /// Removes the marks of the parents, for a delete that has done nothing to the children.
    pub(super) async fn unmark(&self, context: &Context) -> Result<()> {
        let update = doc! { "$unset": { DELETING: "" } };
        change_all(context, self.definition, self.marked(), update).await.map(drop)
    }

    /// Returns the existing parents with the mark. A parent that another client has deleted may have been inserted
    /// again, with different children.
    pub(super) async fn still_marked(&self, context: &Context) -> Result<Vec<Bson>> {
        Query::new(self.definition.collection, self.marked()).all_ids(context).await
    }

    /// Returns the filter of the parents whose delete is not restricted.
    pub(super) fn marked(&self) -> Document {
        doc! { "_id": { "$in": &self.ids }, DELETING_MARK: self.mark, DELETING_PASSED: true }
    }
}
