//! The schema: the models of a database together.

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

use crate::{
    definition::ModelDefinition,
    derived::{links, maintenance::MaintenanceReport, throttle::Throttle},
    error::Result,
    executor::Executor,
    manage::{
        plan::{self, Plan},
        recover, repair,
        review::{self, Review},
        sharding::{self, ShardKeyJudgement},
        verify::{self, VerifyReport},
        worker::Worker,
    },
    operation::WRITER,
};

/// Lists the models of an application, as a [`Schema`](crate::Schema) that can be planned, applied and verified:
///
/// ```no_run
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "users")]
/// # struct User {
/// #     #[serde(rename = "_id")]
/// #     id: ObjectId,
/// # }
/// # async fn start(db: &Database) -> Result<()> {
/// let schema = schema![User];
/// schema.plan(db).await?.apply(db).await?.complete()?;
/// # Ok(())
/// # }
/// ```
///
/// The page [Plan and apply](../guide/operate/schema.html) of the guide has the steps of a plan.
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ($($models:tt)*) => { $crate::__private::schema!($crate; $($models)*) };
}

/// The models of a database, as [`schema!`](crate::schema!) lists the models.
///
/// A schema can be planned on any number of databases.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    models: &'static [&'static ModelDefinition],
}

impl Schema {
    /// Makes a schema of the given models. `schema![A, B]` writes the call and checks that no model is missing.
    pub const fn new(models: &'static [&'static ModelDefinition]) -> Self {
        Schema { models }
    }

    /// Returns the models, in the order of the list.
    pub fn models(&self) -> &'static [&'static ModelDefinition] {
        self.models
    }

    /// Plans the changes that make the database match the models. Changes nothing.
    ///
    /// For a new validator or a new unique index on stored documents, the plan counts the documents that do not fit.
    /// The count reads the whole collection.
    ///
    /// # Errors
    /// [`ServerTooOld`](crate::Error::ServerTooOld) before MongoDB 6.0;
    /// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two models have the same collection, or two
    /// indexes of a model have the same name; [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not list
    /// collections or indexes; and the error of the driver when no server answers.
    pub fn plan<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Plan>> {
        plan::plan(self.models, db).boxed()
    }

    /// Makes the collections that do not exist, with the kind, the options, the validator and the indexes of the
    /// models. Collections that exist stay as found, and [`plan`](Schema::plan) lists the differences. For applications
    /// and tests that do not apply plans: the first insert into a missing collection makes a plain collection, also
    /// where the model declares a capped collection or a time series. May run at any time, beside other clients.
    ///
    /// # Errors
    /// As [`plan`](Schema::plan); [`ApplyIncomplete`](crate::Error::ApplyIncomplete) with the reason of the first step
    /// that failed. The collections before the failure stay.
    ///
    /// # Examples
    /// ```
    /// use schema_runtime::prelude::*;
    ///
    /// #[derive(Model, Serialize, Deserialize)]
    /// #[model(collection = "events", capped(size = "1MiB", max = 1_000))]
    /// struct Event {
    ///     #[serde(rename = "_id")]
    ///     id: ObjectId,
    ///     #[bound(max_len = 200)]
    ///     text: String,
    /// }
    ///
    /// async fn start(db: &Database) -> Result<()> {
    ///     schema![Event].create(db).await?;
    ///     Event::insert(db, &Event { id: ObjectId::new(), text: "started".to_owned() }).await
    /// }
    /// ```
    pub fn create<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<()>> {
        async move { plan::plan(self.models, db).await?.create(db).await }.boxed()
    }

    /// Completes the work that writes have left behind: copies, deletes and moves of a client that stopped midway,
    /// differences that parents do not count yet, and copies of
    /// [`defer_copies`](crate::operation::Update::defer_copies). May run at any time and any number of times, beside
    /// all writers and beside another `recover`. Reads only marked documents and left differences, by an index.
    ///
    /// # Errors
    /// Errors of the driver. Marks and differences stay until the work is done.
    pub fn recover<'a>(&'a self, db: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<MaintenanceReport>> {
        async move { recover::recover(self.models, &db.plain_context()?, throttle, Duration::ZERO, WRITER).await }
            .boxed()
    }

    /// Counts the work that is on the way, or that a stopped client has left behind, by model: the work of
    /// [`recover`](Schema::recover). Changes nothing. Reads marks and left differences, by an index.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn pending<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<MaintenanceReport>> {
        async move { recover::pending(self.models, &db.plain_context()?).await }.boxed()
    }

    /// Fills copies that were declared after the data, and copies that another version of the application has written
    /// (the page `deploying` of [the guide](crate::guide)). A copy without a version, or with other fields than the
    /// models declare, gets the values and the version of the source. May run beside all writers and beside another
    /// `backfill`; after a stop, run `backfill` again. When the copies are not `Option`s, run `backfill` before
    /// [`apply`](Plan::apply): a validator that requires the copies refuses a holder while another copy of the holder
    /// is still to be filled.
    ///
    /// # Errors
    /// Errors of the driver. [`NotReplicaSet`](crate::Error::NotReplicaSet) when an `external` copy is to be filled and
    /// the server is a standalone.
    pub fn backfill<'a>(
        &'a self,
        db: &'a Database,
        throttle: &'a Throttle,
    ) -> BoxFuture<'a, Result<MaintenanceReport>> {
        async move { repair::backfill(self.models, &db.plain_context()?, throttle).await }.boxed()
    }

    /// Repairs wrong derived data, and writes nothing else. Finds wrong data in the same way as
    /// [`verify`](Schema::verify), by a read of every document. Rewrites copies that differ from the source, and
    /// mirrors that differ from the truth of the `two_way`. For a document that refers to a missing document by a
    /// relation with a delete rule, does what the rule says. Corrects data that was written bypassing this crate;
    /// leaves documents with a pending marker to [`recover`](Schema::recover). May run any number of times, beside all
    /// writers and beside another `repair`; after a stop, run `repair` again.
    ///
    /// # Errors
    /// Errors of the driver. [`NotReplicaSet`](crate::Error::NotReplicaSet) when an `external` copy is stale and the
    /// server is a standalone.
    pub fn repair<'a>(&'a self, db: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<MaintenanceReport>> {
        self.repair_some(db, throttle, |_| true)
    }

    /// Repairs as [`repair`](Schema::repair), for the models that `is_wanted` returns true for. The work of delete
    /// rules may change documents of further models.
    ///
    /// # Errors
    /// As [`repair`](Schema::repair).
    pub fn repair_some<'a>(
        &'a self,
        db: &'a Database,
        throttle: &'a Throttle,
        is_wanted: impl Fn(&ModelDefinition) -> bool,
    ) -> BoxFuture<'a, Result<MaintenanceReport>> {
        let models = self.some(is_wanted);
        async move { repair::repair(&models, &db.plain_context()?, throttle, WRITER).await }.boxed()
    }

    /// Finds the faults that [`repair_some`](Schema::repair_some) would treat, and changes nothing. Reads every
    /// document of the models.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn preview_repair<'a>(
        &'a self,
        db: &'a Database,
        is_wanted: impl Fn(&ModelDefinition) -> bool,
    ) -> BoxFuture<'a, Result<MaintenanceReport>> {
        let models = self.some(is_wanted);
        async move { repair::preview(&models, &db.plain_context()?, WRITER).await }.boxed()
    }

    /// Returns the models that `is_wanted` returns true for.
    pub(super) fn some(&self, is_wanted: impl Fn(&ModelDefinition) -> bool) -> Vec<&'static ModelDefinition> {
        self.models.iter().copied().filter(|model| is_wanted(model)).collect()
    }

    /// Writes the truth of each `two_way` from the mirror, the reverse of [`repair`](Schema::repair): for data in which
    /// the mirrors were kept and the truth was not. Two mirrors may hold a document that can refer to only a single
    /// mirror. The document then refers to the mirror that was read last, and the first mirror loses the document.
    /// Returns the number of changed documents of the truth.
    ///
    /// # Errors
    /// Errors of the driver; [`BoundExceeded`](crate::Error::BoundExceeded) when the truth has no capacity for the
    /// links of the mirrors.
    pub fn repair_from_mirrors<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<u64>> {
        async move { links::repair_from_mirrors(self.models, &db.plain_context()?, WRITER).await }.boxed()
    }

    /// Makes the worker of a database: the one background process that production needs. The worker completes at
    /// intervals the work that stopped clients have left behind, and lets `external` copies follow the writes of other
    /// programs. The page `worker` of [the guide](crate::guide) explains the deployment. Sends nothing until
    /// [`run_until`](Worker::run_until).
    pub fn worker(&self, db: &Database) -> Worker {
        Worker::new(self.models, db)
    }

    /// Reviews the reads and writes that the attributes of the models declare: reads, writes, commands and documents a
    /// day, indexes with the askers, copies with both sides of the ratio, writes that need a transaction, and the
    /// effects of deletes. Needs no database.
    pub fn review(&self) -> Review {
        review::review(self.models)
    }

    /// Reviews the schema beside a database: the contents of each collection, the use of each index, missing and
    /// undeclared objects, and the share of the data that a day's reads go through. Changes nothing; reads statistics
    /// and a thousand documents of each collection.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read statistics (the privileges `collStats`
    /// and `indexStats`); errors of the driver.
    pub fn review_on<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Review>> {
        review::review_on(self.models, db).boxed()
    }

    /// Judges the declared shard keys by the stored documents, from a sample of 10,000 documents of each collection and
    /// the 1,000 documents that were stored last: the number of values of the key, the number of documents with the
    /// most frequent value, and whether new documents are at the end of the key. Runs on any server, so a key can be
    /// judged before the collection is sharded. Collections without documents are left out.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read statistics (the privilege
    /// `collStats`); errors of the driver.
    pub fn judge_shard_keys<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Vec<ShardKeyJudgement>>> {
        sharding::judge(self.models, db).boxed()
    }

    /// Returns the schema as a value for a file in the repository of the application: each collection, field, index and
    /// relation. [`SchemaDiff`](crate::schema_diff::SchemaDiff) judges the changes between two files. Needs no
    /// database.
    ///
    /// # Errors
    /// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two indexes of a model have the same name.
    #[cfg(feature = "schema-file")]
    pub fn snapshot(&self) -> Result<crate::schema_file::SchemaFile> {
        crate::schema_file::describe(self.models)
    }

    /// Finds faults in the documents of the database: references that lead to nothing, arrays over the bound or near
    /// the bound, copies that differ from the source. Changes nothing. Reads every document of the models, in bounded
    /// memory.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn verify<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<VerifyReport>> {
        self.verify_some(db, |_| true)
    }

    /// Verifies as [`verify`](Schema::verify), for the models that `is_wanted` returns true for. Copies belong to the
    /// model of the holder and to the model of the source.
    ///
    /// # Errors
    /// Errors of the driver.
    ///
    /// # Examples
    /// ```
    /// use schema_runtime::{Schema, prelude::*, verify::VerifyReport};
    ///
    /// async fn verify_users(schema: Schema, db: &Database) -> Result<VerifyReport> {
    ///     schema.verify_some(db, |model| model.collection == "users").await
    /// }
    /// ```
    pub fn verify_some<'a>(
        &'a self,
        db: &'a Database,
        is_wanted: impl Fn(&ModelDefinition) -> bool,
    ) -> BoxFuture<'a, Result<VerifyReport>> {
        let models = self.some(is_wanted);
        async move { verify::verify(&models, &db.plain_context()?).await }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use mongodb::Database;

    use super::*;

    /// A server spawns the futures, which must be `Send`.
    #[test]
    fn what_is_done_to_a_whole_database_may_go_to_another_thread() {
        fn goes<T: Send>(_: impl FnOnce(&'static Schema, &'static Database) -> T) {}
        static THROTTLE: std::sync::LazyLock<Throttle> = std::sync::LazyLock::new(Throttle::new);
        goes(|schema, db| schema.plan(db));
        goes(|schema, db| schema.create(db));
        goes(|schema, db| schema.verify(db));
        goes(|schema, db| schema.recover(db, &THROTTLE));
        goes(|schema, db| schema.repair(db, &THROTTLE));
        goes(|schema, db| schema.repair_from_mirrors(db));
        goes(|schema, db| schema.backfill(db, &THROTTLE));
        goes(|schema, db| schema.worker(db).run_until(std::future::pending()));
    }
}
