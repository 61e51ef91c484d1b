//! One write of documents at an end of a `two_way` relation. Reaches the server.

use mongodb::bson::{Bson, Document};

use super::{
    change,
    link::{Link, links_from, links_into},
    mirror::Changes,
};
use crate::{
    changes::{Operator, UpdateSpec},
    definition::ModelDefinition,
    derived::{
        effect::WriteKind,
        updated::{Updated, read_by_ids},
    },
    document::value_at,
    error::{Error, Result},
    executor::Context,
};

/// A write, and the links that the write changes.
#[derive(Debug)]
pub(crate) struct LinkWriting {
    definition: &'static ModelDefinition,
    /// True when the updates of a bulk are prepared together. The effect then prepares no updates.
    together: bool,
    /// The links that the write may change, with the changes so far.
    changes: Vec<(Link, Changes)>,
    pub(super) updated: Updated,
}

impl LinkWriting {
    pub(super) fn new(definition: &'static ModelDefinition, kind: WriteKind) -> Self {
        LinkWriting { definition, together: kind == WriteKind::Bulk, changes: Vec::new(), updated: Updated::default() }
    }

    /// Prepares documents for the insert: the mirrors of the documents are empty, and the referenced documents get a
    /// mirror entry.
    pub(super) fn fill_inserts(&mut self, documents: &mut [Document]) -> Result<()> {
        for link in links_into(self.definition) {
            for document in &mut *documents {
                if value_at(document, link.mirror_name).as_array().is_some_and(|held| !held.is_empty()) {
                    let (model, field) = (self.definition.model, link.mirror_name);
                    return Err(Error::MirrorWritten { model, field, of: link.text() });
                }
                document.insert(link.mirror_name, Bson::Array(Vec::new()));
            }
        }
        for link in links_from(self.definition) {
            let mut changes = Changes::new(link);
            for document in &*documents {
                changes.add(document.get("_id").unwrap_or(&Bson::Null), &[], &link.targets(document));
            }
            self.changes.push((link, changes));
        }
        Ok(())
    }

    /// Prepares an update. Returns whether the update changes links, or may insert a document at an end of a link.
    pub(super) fn fill_update(&mut self, spec: &mut UpdateSpec) -> bool {
        if self.together {
            return false;
        }
        if spec.upsert {
            for link in links_into(self.definition) {
                spec.changes.put(Operator::SetOnInsert, link.mirror_name, Bson::Array(Vec::new()));
            }
        }
        let touched = |link: &Link| spec.upsert || link.is_touched(&spec.touched);
        for link in links_from(self.definition).into_iter().filter(touched) {
            if !self.changes.iter().any(|(known, _)| known.name() == link.name()) {
                self.changes.push((link, Changes::new(link)));
            }
        }
        self.updated.add_update(spec);
        !self.changes.is_empty()
    }

    /// Reads the documents of an update, in the state before the update.
    pub(super) async fn read_before(&mut self, context: &Context, spec: &mut UpdateSpec) -> Result<()> {
        let projection = self.projection();
        self.updated.read_before(context, self.definition.collection, projection, spec).await
    }

    /// Reads the documents of several updates. Each filter names a different document by `_id`.
    pub(super) async fn read_all_before(&mut self, context: &Context, updates: &[UpdateSpec]) -> Result<()> {
        if self.together || self.changes.is_empty() {
            return Ok(());
        }
        let projection = self.projection();
        self.updated.read_each_before(context, self.definition.collection, &projection, updates).await
    }

    fn projection(&self) -> Document {
        self.changes.iter().map(|(link, _)| (link.name().to_owned(), Bson::Int32(1))).collect()
    }

    /// Writes the opposite ends.
    pub(super) async fn finish(mut self, context: &Context) -> Result<()> {
        self.compare(context).await?;
        for (_, changes) in &self.changes {
            changes.write(context).await?;
        }
        Ok(())
    }

    /// Compares the documents before and after the update.
    async fn compare(&mut self, context: &Context) -> Result<()> {
        let mut unknown = self.updated.upserted.clone();
        for (document, update) in self.updated.update_of_each() {
            let Some(id) = document.get("_id") else { continue };
            let mut known = Vec::new();
            for (link, _) in &self.changes {
                let before = link.targets(document);
                let after = update.and_then(|update| change::after(&before, update, link.name()));
                known.push(after.map(|after| (before, after)));
            }
            match known.into_iter().collect::<Option<Vec<_>>>() {
                Some(known) => {
                    let links = self.changes.iter_mut().zip(known);
                    links.for_each(|((_, changes), (before, after))| changes.add(id, &before, &after));
                }
                None => unknown.push(id.clone()),
            }
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let read = read_by_ids(&context.newest(), self.definition.collection, &unknown, &self.projection()).await?;
        for after in read {
            let Some(id) = after.get("_id") else { continue };
            let before = self.updated.before.iter().find(|before| before.get("_id") == Some(id));
            for (link, changes) in &mut self.changes {
                let before = before.map(|before| link.targets(before)).unwrap_or_default();
                changes.add(id, &before, &link.targets(&after));
            }
        }
        Ok(())
    }
}
