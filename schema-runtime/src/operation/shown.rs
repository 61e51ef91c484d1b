//! The command of an update as a line for `mongosh`.

use mongodb::bson::Document;

use super::{
    bulk::InBulk,
    update::{FindOneAnd, Update},
};
use crate::{changes::Reach, error::Result, model::Model, mongosh::ToMongosh};

/// The `update` command of the update itself. Further commands, as of copies and rollups, depend on stored documents.
impl<M: Model, K: InBulk> ToMongosh for Update<M, K> {
    fn command(&self) -> Result<Document> {
        Ok(self.request(K::REACH)?.into_command(M::DEFINITION.collection, K::REACH.is_many()))
    }
}

/// The `findAndModify` command that returns the document in the state before the update.
impl<M: Model> ToMongosh for Update<M, FindOneAnd> {
    fn command(&self) -> Result<Document> {
        Ok(self.request(Reach::Returned)?.into_find_and_modify(M::DEFINITION.collection, false, Document::new()))
    }
}
