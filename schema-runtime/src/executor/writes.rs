//! Every command that writes, with or without the session of a transaction. `bulk` has the commands of many writes.

use std::{mem, pin::pin};

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, RawDocumentBuf},
    error::Error as DriverError,
    options::{DeleteOptions, InsertManyOptions, InsertOneOptions, ReplaceOptions, UpdateModifications, UpdateOptions},
    results::UpdateResult,
};

use super::{
    Context, UpdateRequest,
    options::command::add_options,
    plainly,
    session::{lock, on_a_task},
    shown, texts,
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
            add_options!(given, options, [hint, comment]);
            options.collation = given.collation(|| texts::compares(&filter));
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
            let updated = self.update(collection, filter, pipeline.into(), many, UpdateOptions::default()).await;
            updated.map(|updated| updated.matched_count)
        })
    }

    pub(crate) fn update_one<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        let (options, update) = (sent.options(), sent.take_modifications());
        self.update(collection, sent.filter, update, false, options)
    }

    pub(crate) fn update_many<'a>(
        &'a self,
        collection: &'static str,
        mut sent: UpdateRequest,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        let (options, update) = (sent.options(), sent.take_modifications());
        self.update(collection, sent.filter, update, true, options)
    }

    fn update<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        update: UpdateModifications,
        many: bool,
        mut options: UpdateOptions,
    ) -> BoxFuture<'a, Result<UpdateResult, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            add_options!(given, options, [hint, comment]);
            options.collation = given.collation(|| texts::updates(&filter, &update, options.array_filters.as_ref()));
            let shown = || shown::update(collection, &filter, update.clone(), many, &options);
            let span = self.span("update", collection, Some(&filter), shown);
            match many {
                false => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .update_one(filter, update)
                    .with_options(options)),
                true => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .update_many(filter, update)
                    .with_options(options)),
            }
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
            let (mut given, mut options) = (self.given().await?, sent.options_of_returned(after, projection));
            let (filter, update) = (mem::take(&mut sent.filter), sent.take_modifications());
            add_options!(given, options, [hint, comment, max_time]);
            options.collation = given.collation(|| {
                texts::updates(&filter, &update, options.array_filters.as_ref())
                    || texts::orders(options.sort.as_ref(), options.projection.as_ref())
            });
            let shown = || shown::find_one_and_update(collection, &filter, update.clone(), &options);
            let span = self.span("findAndModify", collection, Some(&filter), shown);
            send_write!(self, collection, given.overdue, span, |database| database
                .collection::<RawDocumentBuf>(collection)
                .find_one_and_update(filter, update)
                .with_options(options))
        })
    }

    /// Deletes all documents that match; returns the number of deleted documents.
    pub(crate) fn delete_many<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        self.delete(collection, filter, true)
    }

    /// Deletes one document that matches; returns the number of deleted documents.
    pub(crate) fn delete_one<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        self.delete(collection, filter, false)
    }

    fn delete<'a>(
        &'a self,
        collection: &'static str,
        filter: Document,
        many: bool,
    ) -> BoxFuture<'a, Result<u64, DriverError>> {
        Box::pin(async move {
            let mut given = self.given().await?;
            let mut options = DeleteOptions::default();
            add_options!(given, options, [hint, comment]);
            options.collation = given.collation(|| texts::compares(&filter));
            let shown = || shown::delete(collection, &filter, many, &options);
            let span = self.span("delete", collection, Some(&filter), shown);
            let deleted = match many {
                false => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .delete_one(filter)
                    .with_options(options)),
                true => send_write!(self, collection, given.overdue, span, |database| database
                    .collection::<Document>(collection)
                    .delete_many(filter)
                    .with_options(options)),
            };
            deleted.map(|deleted| deleted.deleted_count)
        })
    }
}
