//! Every command that writes, with or without the session of a transaction. `bulk` has the commands of many writes.

use std::{mem, pin::pin};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, RawDocumentBuf},
    error::Error as DriverError,
    options::{
        DeleteOptions, FindOneAndUpdateOptions, InsertManyOptions, InsertOneOptions, ReplaceOptions, ReturnDocument,
        UpdateOptions,
    },
    results::UpdateResult,
};

use super::{
    Context, UpdateRequest,
    options::command::add_options,
    plainly,
    session::{lock, on_a_task},
    shown,
};

impl Context {
    pub(crate) fn insert_one<'a>(
        &'a self,
        collection: &'static str,
        document: RawDocumentBuf,
    ) -> BoxFuture<'a, Result<(), DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = InsertOneOptions::default();
            add_options!(given, options, [comment]);
            let shown = || shown::insert(collection, std::slice::from_ref(&document), true, options.comment.as_ref());
            let span = self.span("insert", collection, None, shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .insert_one(document)
                .with_options(options))
            .map(drop)
        })
    }

    pub(crate) fn insert_many<'a>(
        &'a self,
        collection: &'static str,
        documents: Vec<RawDocumentBuf>,
        ordered: bool,
    ) -> BoxFuture<'a, Result<(), DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = InsertManyOptions::default();
            options.ordered = Some(ordered);
            add_options!(given, options, [comment]);
            let shown = || shown::insert(collection, &documents, ordered, options.comment.as_ref());
            let span = self.span("insert", collection, None, shown).batch(documents.len());
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .insert_many(documents)
                .with_options(options))
            .map(drop)
        })
    }

    /// Replaces a document; returns the number of matched documents.
    pub(crate) fn replace_one<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        document: RawDocumentBuf,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = ReplaceOptions::default();
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::replace(collection, &filter, &document, &options);
            let span = self.span("update", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .replace_one(filter, document)
                .with_options(options))
            .map(|replaced| replaced.matched_count)
        })
    }

    /// Updates one document that matches, or all documents that match (`many`); returns the number of matched
    /// documents.
    pub(crate) fn update_with_pipeline<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        pipeline: Vec<Document>,
        many: bool,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = UpdateOptions::default();
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::update(collection, &filter, pipeline.clone(), many, &options);
            let span = self.span("update", collection, Some(&filter), shown);
            let updated = match many {
                false => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .update_one(filter, pipeline)
                    .with_options(options)),
                true => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .update_many(filter, pipeline)
                    .with_options(options)),
            };
            updated.map(|updated| updated.matched_count)
        })
    }

    /// Updates a document; returns the selected fields of the document after the update.
    pub(crate) fn find_one_and_update_with_pipeline<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        pipeline: Vec<Document>,
        fields: Document,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = FindOneAndUpdateOptions::default();
            options.return_document = Some(ReturnDocument::After);
            options.projection = Some(fields);
            add_options!(given, options, [hint, collation, comment, max_time]);
            let shown = || shown::find_one_and_update(collection, &filter, pipeline.clone(), &options);
            let span = self.span("findAndModify", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(filter, pipeline)
                .with_options(options))
        })
    }

    pub(crate) fn update_one<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        Box::pin(async move {
            let (mut given, mut options, update) = (self.given().await?, sent.options(), sent.take_modifications());
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::update(collection, &sent.filter, shown::modifications(&update), false, &options);
            let span = self.span("update", collection, Some(&sent.filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<Document>(collection)
                .update_one(sent.filter, update)
                .with_options(options))
        })
    }

    pub(crate) fn update_many<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        Box::pin(async move {
            let (mut given, mut options, update) = (self.given().await?, sent.options(), sent.take_modifications());
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::update(collection, &sent.filter, shown::modifications(&update), true, &options);
            let span = self.span("update", collection, Some(&sent.filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<Document>(collection)
                .update_many(sent.filter, update)
                .with_options(options))
        })
    }

    /// Updates a document; returns the document before or after the update, with the selected fields or with all
    /// fields.
    pub(crate) fn find_one_and_update<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
        after: bool,
        projection: Document,
    ) -> BoxFuture<'a, Result<Option<RawDocumentBuf>, DriverError>> {
        Box::pin(async move {
            let which = if after { ReturnDocument::After } else { ReturnDocument::Before };
            let projection = if projection.is_empty() { mem::take(&mut sent.returned) } else { projection };
            let mut given = self.given().await?;
            let mut options = FindOneAndUpdateOptions::builder()
                .upsert(sent.upsert.then_some(true))
                .array_filters(sent.array_filters())
                .return_document(which)
                .sort((!sent.sort.is_empty()).then(|| mem::take(&mut sent.sort)))
                .projection((!projection.is_empty()).then_some(projection))
                .build();
            add_options!(given, options, [hint, collation, comment, max_time]);
            let update = sent.take_modifications();
            let shown =
                || shown::find_one_and_update(collection, &sent.filter, shown::modifications(&update), &options);
            let span = self.span("findAndModify", collection, Some(&sent.filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(sent.filter, update)
                .with_options(options))
        })
    }

    /// Deletes all documents that match; returns the number of deleted documents.
    pub(crate) fn delete_many<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = DeleteOptions::default();
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::delete(collection, &filter, 0, &options);
            let span = self.span("delete", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<Document>(collection)
                .delete_many(filter)
                .with_options(options))
            .map(|deleted| deleted.deleted_count)
        })
    }

    /// Deletes one document that matches; returns the number of deleted documents.
    pub(crate) fn delete_one<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = DeleteOptions::default();
            add_options!(given, options, [hint, collation, comment]);
            let shown = || shown::delete(collection, &filter, 1, &options);
            let span = self.span("delete", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<Document>(collection)
                .delete_one(filter)
                .with_options(options))
            .map(|deleted| deleted.deleted_count)
        })
    }
}
