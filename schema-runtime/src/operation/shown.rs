//! The command of an update as a line for `mongosh`.

use mongodb::bson::{Bson, Document};

use super::{
    bulk::InBulk,
    update::{FindOneAnd, Update},
};
use crate::{changes::Reach, error::Result, model::Model, mongosh::ToMongosh};

/// The `update` command of the update itself. Further commands, as of copies and rollups, depend on stored documents.
impl<M: Model, K: InBulk> ToMongosh for Update<M, K> {
    fn command(&self) -> Result<Document> {
        let mut command = self.request(K::REACH)?.into_command(M::DEFINITION.collection, K::REACH.is_many());
        if let Ok([Bson::Document(statement), ..]) = command.get_array_mut("updates").map(Vec::as_mut_slice) {
            statement.extend(self.plan());
        }
        Ok(command)
    }
}

/// The `findAndModify` command that returns the document in the state before the update.
impl<M: Model> ToMongosh for Update<M, FindOneAnd> {
    fn command(&self) -> Result<Document> {
        let request = self.request(Reach::Returned)?;
        let mut command = request.into_find_and_modify(M::DEFINITION.collection);
        command.extend(self.plan());
        Ok(command)
    }
}
