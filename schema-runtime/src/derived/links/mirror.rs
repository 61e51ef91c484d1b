//! Writes the opposite ends of links. Reaches the server.

use std::collections::HashMap;

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::link::{Link, ids_in};
use crate::{
    derived::statements::{of_one, send},
    document::value_at,
    error::{BoundUnit, Error, Result},
    executor::Context,
    key::Key,
    read::Query,
};

/// The changes that writes have made to the links of one relation.
#[derive(Debug)]
pub(super) struct Changes {
    link: Link,
    /// The targets in the order of arrival, each with the documents that now refer to the target, and the documents
    /// that no longer refer to the target.
    targets: Vec<Target>,
    positions: HashMap<Key, usize>,
}

#[derive(Debug)]
struct Target {
    id: Bson,
    added: Vec<Bson>,
    removed: Vec<Bson>,
}

impl Changes {
    pub(super) fn new(link: Link) -> Self {
        Changes { link, targets: Vec::new(), positions: HashMap::new() }
    }

    /// Adds the changes of the document with the given `_id`. The document has referred to `before`, and now refers to
    /// `after`.
    pub(super) fn add(&mut self, id: &Bson, before: &[Bson], after: &[Bson]) {
        let keys = |ids: &[Bson]| -> Vec<Key> { ids.iter().map(Key::of).collect() };
        let (was, is) = (keys(before), keys(after));
        for target in before.iter().filter(|target| !is.contains(&Key::of(target))) {
            let removed = &mut self.target(target).removed;
            if removed.last() != Some(id) {
                removed.push(id.clone());
            }
        }
        for target in after.iter().filter(|target| !was.contains(&Key::of(target))) {
            let added = &mut self.target(target).added;
            if added.last() != Some(id) {
                added.push(id.clone());
            }
        }
    }

    fn target(&mut self, id: &Bson) -> &mut Target {
        let at = *self.positions.entry(Key::of(id)).or_insert_with(|| {
            self.targets.push(Target { id: id.clone(), added: Vec::new(), removed: Vec::new() });
            self.targets.len() - 1
        });
        &mut self.targets[at]
    }

    /// Writes the changes into the mirrors.
    ///
    /// # Errors
    /// [`Error::DanglingReference`] where a target is missing, [`Error::BoundExceeded`] where a target has no place for
    /// another element.
    pub(super) async fn write(&self, context: &Context) -> Result<()> {
        let (mut statements, mut added) = (Vec::new(), 0);
        for target in &self.targets {
            if !target.removed.is_empty() {
                let pull = doc! { "$pull": { self.link.mirror_name: { "$in": &target.removed } } };
                statements.push(of_one(doc! { "_id": { "$eq": &target.id } }, pull));
            }
            if !target.added.is_empty() {
                statements.push(self.adds(target, Some(self.has_places(&target.added))));
                added += 1;
            }
        }
        let expected = statements.len() as u64;
        if send(context, self.link.mirror, statements).await? == expected || added == 0 {
            return Ok(());
        }
        self.write_slowly(context).await
    }

    /// Writes the targets one after another, where a target is missing or may have no place for another element.
    async fn write_slowly(&self, context: &Context) -> Result<()> {
        let with_more: Vec<&Target> = self.targets.iter().filter(|target| !target.added.is_empty()).collect();
        let ids: Vec<Bson> = with_more.iter().map(|target| target.id.clone()).collect();
        let mut query = Query::by_ids(self.link.mirror.collection, &ids);
        query.projection = doc! { self.link.mirror_name: 1 };
        let mut stored = HashMap::new();
        for document in query.all(&context.newest()).await? {
            let held = ids_in(&value_at(&document, self.link.mirror_name));
            stored.extend(document.get("_id").map(|id| (Key::of(id), held)));
        }
        for target in with_more {
            let Some(held) = stored.get(&Key::of(&target.id)) else { return Err(self.dangling(target)) };
            let held: Vec<Key> = held.iter().map(Key::of).collect();
            let new = target.added.iter().filter(|id| !held.contains(&Key::of(id))).count();
            let size = (held.len() + new) as u64;
            if new > 0 && size > self.link.max {
                return Err(Error::BoundExceeded {
                    model: self.link.mirror.model.to_owned(),
                    field: self.link.mirror_name.to_owned(),
                    bound: self.link.max,
                    size,
                    unit: BoundUnit::Elements,
                    others: Vec::new(),
                });
            }
            send(context, self.link.mirror, vec![self.adds(target, None)]).await?;
        }
        Ok(())
    }

    fn adds(&self, target: &Target, condition: Option<Document>) -> Result<RawDocumentBuf> {
        let mut filter = doc! { "_id": { "$eq": &target.id } };
        filter.extend(condition.unwrap_or_default());
        of_one(filter, doc! { "$addToSet": { self.link.mirror_name: { "$each": &target.added } } })
    }

    /// Returns the condition of a mirror with places for all added documents. A single document may also be in the
    /// mirror already.
    fn has_places(&self, added: &[Bson]) -> Document {
        let name = self.link.mirror_name;
        let Some(last) = self.link.max.checked_sub(added.len() as u64) else {
            return doc! { "_id": { "$in": [] } };
        };
        let is_free = doc! { format!("{name}.{last}"): { "$exists": false } };
        match added {
            [id] => doc! { "$or": [{ name: { "$eq": id } }, is_free] },
            _ => is_free,
        }
    }

    fn dangling(&self, target: &Target) -> Error {
        let place = (self.link.truth.model, self.link.relation.field);
        let holder = target.added.first().cloned().unwrap_or(Bson::Null);
        Error::dangling(place, self.link.mirror.collection, target.id.clone(), holder)
    }
}
