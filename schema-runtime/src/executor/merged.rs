//! The `aggregate` that writes: the last stage stores the documents of the pipeline in a collection.

use std::pin::pin;

use futures_util::future::BoxFuture;
use mongodb::{bson::Document, error::Error as DriverError, options::AggregateOptions};

use super::{Context, options::command::add_options, plainly, shown, span::CommandSpan};
use crate::definition::CollationDefinition;

impl Context {
    /// Returns whether the caller gives the command a collation, other than the comparison by bytes.
    pub(crate) fn has_collation(&self) -> bool {
        let given = self.scope.options.as_deref().and_then(|options| options.collation_set());
        given.is_some_and(|collation| collation.locale != CollationDefinition::SIMPLE.locale)
    }

    /// Sends a pipeline that ends in a `$merge`, outside of a transaction. The server answers without a number.
    pub(crate) fn merge<'a>(
        &'a self,
        collection: &'static str,
        pipeline: Vec<Document>,
    ) -> BoxFuture<'a, Result<(), DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = AggregateOptions::default();
            add_options!(given, options, [hint, comment, max_time, allow_disk_use]);
            options.collation = given.collation(|| true);
            let span = CommandSpan::of_write(&self.database, "aggregate", collection);
            let span = match pipeline.first().and_then(|stage| stage.get_document("$match").ok()) {
                Some(filter) => span.of_filter(filter),
                None => span,
            };
            let span = span.shows(|| self.shown(shown::aggregate(Some(collection), &pipeline, &options)));
            let sent = pin!(async {
                let _turn = plainly::write(&self.database, collection, given.overdue).await?;
                let from = self.database.collection::<Document>(collection);
                from.aggregate(pipeline).with_options(options).await.map(drop)
            });
            span.run(sent).await
        })
    }
}
