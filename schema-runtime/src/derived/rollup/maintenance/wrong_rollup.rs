//! Rule: `wrong_rollup`. The page is `guide/pages/rules/wrong_rollup.md`.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use crate::{
    derived::{
        maintenance::{Fault, MaintenanceKind, Place},
        rollup::stored::path::RollupPath,
    },
    error::Result,
    executor::Context,
    limits::CHUNK_DOCUMENTS,
    read::{Query, Walk},
};

impl Place for RollupPath {
    fn name(&self) -> (&'static str, String) {
        let fields: Vec<&str> = self.fields.iter().map(|field| field.name).collect();
        (self.parent.model, fields.join(", "))
    }

    fn walk(&self, context: &Context) -> Walk {
        let query = Query { projection: doc! { "_id": 1 }, ..Query::new(self.parent.collection, Document::new()) };
        Walk::by_id(context, query, CHUNK_DOCUMENTS)
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move {
            let ids: Vec<Bson> = chunk.iter().filter_map(|parent| parent.get("_id").cloned()).collect();
            let mut faults = Vec::new();
            for ids in ids.chunks(self.at_a_time()) {
                for compared in self.compare(context, ids).await? {
                    if self.differs(&compared).any() {
                        let id = compared.parent.get("_id").cloned().unwrap_or(Bson::Null);
                        faults.push(Fault::new(MaintenanceKind::WrongRollup, id));
                    }
                }
            }
            Ok(faults)
        })
    }
}
