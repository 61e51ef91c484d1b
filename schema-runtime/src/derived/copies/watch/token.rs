//! The position of a watch, stored in the watched database: a document for each set of paths in the collection
//! `schema_watch`. The document is written after the work that the position covers.

use mongodb::bson::{DateTime, Document, Timestamp, doc, oid::ObjectId};

use super::event::{COLLECTION, REACHED};
use crate::{
    derived::copies::stored::path::CopyPath,
    error::{Error, Result},
    executor::{Context, UpdateRequest},
    read::Query,
};

/// The position at which a change stream begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Since {
    /// Begins with the changes at or after the time.
    Time(Timestamp),
    /// Begins after the changes that the token of the server covers.
    Token(Document),
}

pub(super) struct Token {
    /// The watched paths. A different set of paths needs a resync.
    id: String,
}

impl Token {
    pub(super) fn of(paths: &[CopyPath]) -> Self {
        // A different version of the application may copy different fields, so the work of that version does not cover
        // the work of this version.
        let name = |path: &CopyPath| format!("{}:{:08x}", path.name, path.field_set_checksum());
        let mut names: Vec<String> = paths.iter().map(name).collect();
        names.sort_unstable();
        Token { id: names.join(",") }
    }

    /// Returns a time that a majority has reached. The following reads see every earlier change.
    pub(super) async fn now(&self, context: &Context) -> Result<Timestamp> {
        let filter = doc! { "_id": &self.id };
        // Only a read with a document returns a time.
        let update = doc! { "$set": { "resync_at": DateTime::now() }, "$unset": { "token": "", "time": "" } };
        let sent = UpdateRequest { filter: filter.clone(), update, upsert: true, ..UpdateRequest::default() };
        context.update_one(COLLECTION, sent).await?;
        match context.find_at_one_time(COLLECTION, filter, doc! { "_id": 1 }, 1).await? {
            Some((documents, time)) if !documents.is_empty() => Ok(time),
            _ => Err(Error::Query { message: "the document of `schema_watch` was deleted during the read" }),
        }
    }

    pub(super) async fn load(&self, context: &Context) -> Result<Option<Since>> {
        let stored = Query::new(COLLECTION, doc! { "_id": &self.id }).first(context).await?;
        let stored = stored.map(|stored| Document::try_from(&*stored).map_err(Error::encode)).transpose()?;
        Ok(stored.as_ref().and_then(Since::of))
    }

    /// Writes the `end`: the event of this write is behind all changes before the call.
    pub(super) async fn write_end(&self, context: &Context, end: ObjectId) -> Result<()> {
        let (filter, update) = (doc! { "_id": &self.id }, doc! { "$set": { REACHED: end } });
        context
            .update_one(COLLECTION, UpdateRequest { filter, update, upsert: true, ..UpdateRequest::default() })
            .await?;
        Ok(())
    }

    pub(super) async fn save(&self, context: &Context, since: &Since) -> Result<()> {
        let mut set = since.to_document();
        set.insert("saved_at", DateTime::now());
        let unset = if matches!(since, Since::Time(_)) { "token" } else { "time" };
        let update = doc! { "$set": set, "$unset": { unset: "" } };
        let sent = UpdateRequest { filter: doc! { "_id": &self.id }, update, upsert: true, ..UpdateRequest::default() };
        context.update_one(COLLECTION, sent).await?;
        Ok(())
    }
}
