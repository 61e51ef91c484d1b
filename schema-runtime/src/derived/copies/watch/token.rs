//! How far a watcher has come, stored in the database that it follows: a document for each set of paths in the collection
//! `schema_watch`, written after the effect of what it stands for.

use mongodb::bson::{DateTime, Document, Timestamp, doc};

use super::changes::Since;
use crate::{
    derived::copies::path::CopyPath,
    error::{Error, Result},
    executor::{Context, Sent},
    read::Query,
};

/// The crate's own collection.
const COLLECTION: &str = "schema_watch";

pub(super) struct Token {
    /// The paths that are followed: others need a resync of their own.
    id: String,
}

impl Token {
    pub(super) fn of(paths: &[CopyPath]) -> Self {
        // Another version of the application may copy other fields: what it has handled is not all that this one has to.
        let name = |path: &CopyPath| format!("{}:{:08x}", path.name, path.field_set_checksum());
        let mut names: Vec<String> = paths.iter().map(name).collect();
        names.sort_unstable();
        Token { id: names.join(",") }
    }

    /// A time that a majority has reached: everything before it is seen by the reads that follow.
    pub(super) async fn now(&self, context: &Context) -> Result<Timestamp> {
        let filter = doc! { "_id": &self.id };
        // There is a time only with a document.
        let update = doc! { "$set": { "resync_at": DateTime::now() }, "$unset": { "token": "", "time": "" } };
        let sent = Sent { filter: filter.clone(), update, upsert: true, ..Sent::default() };
        context.update_one(COLLECTION, sent).await?;
        match context.find_at_one_time(COLLECTION, filter, doc! { "_id": 1 }, 1).await? {
            Some((documents, time)) if !documents.is_empty() => Ok(time),
            _ => Err(Error::Query { message: "the document of `schema_watch` was deleted while it was read" }),
        }
    }

    pub(super) async fn load(&self, context: &Context) -> Result<Option<Since>> {
        let stored = Query::new(COLLECTION, doc! { "_id": &self.id }).first(context).await?;
        let stored = stored.map(|stored| Document::try_from(&*stored).map_err(Error::encode)).transpose()?;
        Ok(stored.as_ref().and_then(Since::of))
    }

    pub(super) async fn save(&self, context: &Context, since: &Since) -> Result<()> {
        let mut set = since.to_document();
        set.insert("saved_at", DateTime::now());
        let unset = if matches!(since, Since::Time(_)) { "token" } else { "time" };
        let update = doc! { "$set": set, "$unset": { unset: "" } };
        let sent = Sent { filter: doc! { "_id": &self.id }, update, upsert: true, ..Sent::default() };
        context.update_one(COLLECTION, sent).await?;
        Ok(())
    }
}
