//! Updates of children: what the parents read is marked as changed, and a reference that is set names the parent that is left,
//! by a command before the update. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    path::{RollupPath, paths_of_child, paths_of_parent},
    writing::RollupWriting,
};
use crate::{
    codec,
    definition::ModelDefinition,
    document::{put, value_at},
    error::{Error, Result, server},
    executor::{Context, Sent, Statement},
    read::Query,
};

impl RollupWriting {
    /// An update in the server's words gets its marks. `None` where it touches no rolled-up field.
    pub(crate) fn of_update<'a>(
        context: &'a Context,
        definition: &'static ModelDefinition,
        sent: &'a mut Sent,
        many: bool,
    ) -> BoxFuture<'a, Result<Option<Self>>> {
        Box::pin(async move {
            let mut writing = RollupWriting::new(definition);
            writing.fill_update(context, sent, many).await?;
            let touches = !writing.changed.is_empty() || !writing.inserted.is_empty();
            Ok(touches.then_some(writing))
        })
    }

    /// A replacement of a document whose references stay as they are. `None` where no parent keeps something of it.
    pub(crate) fn of_replace(
        definition: &'static ModelDefinition,
        mut filter: Document,
        update: &Document,
    ) -> Option<(Sent, Self)> {
        let own = update.get_document("$set").ok()?;
        let (mut writing, mut update, mut same) = (RollupWriting::new(definition), update.clone(), Vec::new());
        for path in paths_of_child(definition) {
            same.push(doc! { path.reference: { "$eq": value_at(own, path.reference) } });
            put(&mut update, "$set", path.mark(), writing.mark);
            writing.changed.push((path, false));
        }
        if same.is_empty() {
            return None;
        }
        filter.insert("$and", same);
        Some((Sent { filter, update, ..Sent::default() }, writing))
    }

    /// The same, as one of many updates.
    pub(crate) fn fill_update<'a>(
        &'a mut self,
        context: &'a Context,
        sent: &'a mut Sent,
        many: bool,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let upsert = sent.upsert;
            for path in paths_of_child(self.definition) {
                let moves = sent.touched.iter().any(|touched| path.moves(touched));
                let changes = moves || sent.touched.iter().any(|touched| path.watches(touched));
                if moves {
                    self.leave(context, &path, sent, many).await?;
                }
                match (changes, upsert) {
                    (true, _) => put(&mut sent.update, "$set", path.mark(), self.mark),
                    (false, true) => put(&mut sent.update, "$setOnInsert", path.mark(), self.mark),
                    (false, false) => continue,
                }
                match self.changed.iter_mut().find(|(other, _)| other.name == path.name) {
                    Some((_, moved)) => *moved |= moves,
                    None => self.changed.push((path, moves)),
                }
            }
            if upsert {
                self.inserted = paths_of_parent(self.definition);
                for path in &self.inserted {
                    put(&mut sent.update, "$setOnInsert", path.epoch(), self.mark);
                    put(&mut sent.update, "$setOnInsert", path.closed(), self.mark);
                    for (name, empty) in path.empty() {
                        if let Some(empty) = empty {
                            put(&mut sent.update, "$setOnInsert", name, empty);
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// The documents that the update is of name the parent that they are to leave, and it is of those alone that still have it.
    async fn leave(&mut self, context: &Context, path: &RollupPath, sent: &mut Sent, many: bool) -> Result<()> {
        let (left, entry) = (path.left(), doc! { "parent": format!("${}", path.reference), "mark": self.mark });
        let entries = doc! { "$ifNull": [format!("${left}"), []] };
        let push = doc! { "$set": { &left: { "$concatArrays": [&entries, [&entry]] } } };
        let (q, u) = (sent.filter.clone(), vec![push]);
        let statement = codec::encode(&Statement::new(q, u, many)).map_err(Error::encode)?;
        let failed = |error| server::write(self.definition, error);
        let written = context.majority().update_all(self.definition.collection, vec![statement], true).await;
        let written = written.map_err(failed)?;
        let found = written.count > 0;
        self.leaves |= found;
        written.complete().map_err(failed)?;
        // One that is there is not inserted: if it is gone by then, that is for the next attempt. And where none is there, one
        // that comes by then is not to be moved without a mark.
        sent.upsert &= !found;
        let pin = match sent.upsert {
            true => doc! { "$nor": [{ path.reference: { "$exists": true } }] },
            false => doc! { "$expr": { "$in": [entry, entries] } },
        };
        sent.filter = doc! { "$and": [sent.filter.clone(), pin] };
        Ok(())
    }

    /// Whether the update, which found nothing, was of a document that named the parent that it is to leave: since then another
    /// has changed it, or a recover has refreshed up that parent. Then it is worth another attempt.
    pub(crate) fn has_missed<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            for (path, _) in self.changed.iter().filter(|(_, moved)| *moved) {
                path.pull(&context.majority(), self.mark).await?;
            }
            Ok(self.leaves)
        })
    }

    /// Whether it is an update that sets a reference.
    pub(crate) fn is_move(&self) -> bool {
        self.changed.iter().any(|(_, moved)| *moved)
    }

    /// An upsert may have inserted a document, and its answer does not say: it has the mark of this write.
    pub(crate) fn find_upserted<'a>(&'a mut self, context: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let Some(path) = self.inserted.first() else { return Ok(()) };
            let query = Query::new(self.definition.collection, doc! { path.closed(): self.mark });
            let id = query.first_id(&context.majority()).await?;
            self.note_upserted(id);
            Ok(())
        })
    }

    /// An upsert has inserted these.
    pub(crate) fn note_upserted(&mut self, ids: impl IntoIterator<Item = Bson>) {
        if !self.inserted.is_empty() {
            self.inserted_ids.extend(ids);
        }
    }
}

/// What a document must have for a replacement by this to change nothing that its parents keep.
pub(crate) fn is_unchanged(definition: &'static ModelDefinition, own: &Document) -> Vec<Document> {
    let paths = paths_of_child(definition);
    let names = paths.iter().flat_map(|path| path.watched().chain([path.reference]));
    names.filter(|name| *name != "_id").map(|name| doc! { name: { "$eq": value_at(own, name) } }).collect()
}
