//! `stats`: the sizes of the collections and of the indexes.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    cli::{
        exit::Exit,
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    measure::{CollectionStatistics, SchemaStatistics},
};

/// Print the sizes of the collections, the longest arrays beside the bounds, and the use of the indexes
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct StatsArguments {}

impl Job for StatsArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let db = session.connect().await?;
            let statistics = session.schema.measure(&db).await?;
            Ok(Box::new(Measured { database: db.name().to_owned(), statistics }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Measured {
    database: String,
    statistics: SchemaStatistics,
}

impl Report for Measured {
    fn exit(&self) -> Exit {
        Exit::Done
    }

    fn text(&self) -> String {
        self.statistics.to_string()
    }

    fn json(&self) -> Value {
        let collections = self.statistics.collections.iter().map(json_of);
        json!({ "database": self.database, "collections": collections.collect::<Vec<_>>() })
    }
}

fn json_of(collection: &CollectionStatistics) -> Value {
    let arrays = collection.arrays.iter().map(|array| {
        json!({ "field": array.field, "longest": array.longest, "bound": array.bound, "unit": array.unit.to_string() })
    });
    let indexes = collection.indexes.iter().map(|index| {
        json!({ "name": index.name, "bytes": index.bytes, "used": index.used, "since": index.since.to_string() })
    });
    json!({
        "model": collection.model,
        "collection": collection.collection,
        "documents": collection.documents,
        "bytes": collection.bytes,
        "largest_sampled": collection.largest_sampled,
        "arrays": arrays.collect::<Vec<_>>(),
        "indexes": indexes.collect::<Vec<_>>(),
    })
}
