//! The models of one database together.

use futures_util::{FutureExt, future::BoxFuture};
use mongodb::Database;

use crate::{
    definition::ModelDefinition,
    derived::{
        self, Recovered, Repaired,
        copies::{self, Backfilled, Watched, Watcher},
        links,
        throttle::Throttle,
    },
    error::Result,
    executor::Executor,
    manage::{
        plan::{self, Plan},
        review::{self, Review},
        sharding::{self, ShardKeyJudgement},
        verify::{self, VerifyReport},
    },
    operation::OTHERS,
};

#[doc = include_str!("../../docs/schema.md")]
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ($($models:tt)*) => { $crate::__private::schema!($crate; $($models)*) };
}

/// The models of one database, as [`schema!`](crate::schema!) lists them.
///
/// The same schema can be planned on any number of databases.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    models: &'static [&'static ModelDefinition],
}

impl Schema {
    /// A schema of these models. `schema![A, B]` writes this and checks that no model is missing.
    pub const fn new(models: &'static [&'static ModelDefinition]) -> Self {
        Schema { models }
    }

    /// The models, in the order in which they were listed.
    pub fn models(&self) -> &'static [&'static ModelDefinition] {
        self.models
    }

    /// What would have to change in the database for it to be as the models say. Changes nothing.
    ///
    /// Where a new validator or a new unique index meets documents, it counts those that do not fit, which reads the
    /// whole collection.
    ///
    /// # Errors
    /// [`ServerTooOld`](crate::Error::ServerTooOld) before MongoDB 6.0;
    /// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two models have one collection, or two indexes of a
    /// model one name; [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not list collections or indexes;
    /// and what the driver says when no server answers.
    pub fn plan<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<Plan>> {
        plan::plan(self.models, database).boxed()
    }

    /// Completes the work that writes have left behind: copies, deletes and moves of a client that stopped on its way, differences that
    /// [parents](crate::manual::rollups) do not count yet, and copies of
    /// [`defer_copies`](crate::operation::Update::defer_copies). May run at any time, beside all writers and beside itself, and
    /// as often as one likes: it reads marked documents and left differences, by an index, and nothing else.
    ///
    /// # Errors
    /// Those of the driver. Marks and differences stay where the work was not done.
    pub fn recover<'a>(&'a self, database: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<Recovered>> {
        async move { derived::recover(self.models, &database.context()?, throttle, OTHERS).await }.boxed()
    }

    /// Fills copies that were declared after the data, and those that another version of the application has written
    /// ([`deploying`](crate::manual::deploying)): those that have no version, or are of other fields than the models say, get the values
    /// and the version of their source. May run beside all writers and beside itself; where it was stopped it is run again. Run it before
    /// [`apply`](Plan::apply) where the copies are not `Option`s: a validator that asks for them refuses a holder of which another copy is
    /// still to be filled.
    ///
    /// # Errors
    /// Those of the driver. [`NotReplicaSet`](crate::Error::NotReplicaSet) where a `streamed` copy is to be filled and the server
    /// is a standalone.
    pub fn backfill<'a>(&'a self, database: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<Backfilled>> {
        async move { copies::backfill(self.models, &database.context()?, throttle).await }.boxed()
    }

    /// Writes what is not as it should be, and nothing else: it finds it as [`verify`](Schema::verify) does, which reads every document.
    /// Copies that are not what their sources have; mirrors that are not what the other end of their `two_way` says; documents that refer to
    /// what is not there by a relation with a delete rule, of which it does what the rule says. For what was written bypassing this crate;
    /// what has a pending marker is left to [`recover`](Schema::recover). May run beside all writers and beside itself, and as often as one likes; where it was
    /// stopped it is run again.
    ///
    /// # Errors
    /// Those of the driver. [`NotReplicaSet`](crate::Error::NotReplicaSet) where a `streamed` copy is stale and the server is a
    /// standalone.
    pub fn repair<'a>(&'a self, database: &'a Database, throttle: &'a Throttle) -> BoxFuture<'a, Result<Repaired>> {
        async move { derived::repair(self.models, &database.context()?, throttle, OTHERS).await }.boxed()
    }

    /// Writes the truth of each `two_way` as its mirror says, the other way round than [`repair`](Schema::repair): for data in which the
    /// mirrors were kept and the other end was not. Where two mirrors hold what can refer to one of them only, it refers to the last that
    /// was read, and the other mirror is without it. How many documents of the truth were changed.
    ///
    /// # Errors
    /// Those of the driver; [`BoundExceeded`](crate::Error::BoundExceeded) where the truth has no place for what mirrors say.
    pub fn repair_from_mirrors<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<u64>> {
        async move { links::repair_from_mirrors(self.models, &database.context()?, OTHERS).await }.boxed()
    }

    /// Carries the copies of what others write, until [`Watcher::stop`] or until the future is dropped: what a shell or a program
    /// in another language changes in a source, `streamed` copies of sources that another program writes, and what marks say
    /// that a stopped client has left behind. Holders that others insert or give a reference get their copies, too: those of other programs, and
    /// those of another version of the application. It reads a change stream over sources and holders, and stores how far it is in the
    /// collection `schema_watch`, after the effect. At its first start, and where the stream cannot go on since the oplog
    /// has forgotten its place, it repairs everything. Any number of processes may watch at once. Errors that pass are waited
    /// out.
    ///
    /// # Errors
    /// [`NotReplicaSet`](crate::Error::NotReplicaSet) on a standalone, which has no change streams. Those of the driver that do not
    /// pass by themselves, as [`NotAuthorized`](crate::Error::NotAuthorized).
    pub fn watch<'a>(&'a self, database: &'a Database, watcher: &'a Watcher) -> BoxFuture<'a, Result<Watched>> {
        async move { copies::watch(self.models, &database.context()?, watcher).await }.boxed()
    }

    /// How the application reads and writes its models, by what their attributes say: reads, writes, commands and documents a day, indexes
    /// and who asks for them, copies with both sides of their ratio, what needs a transaction, what a delete does to others. Needs no
    /// database.
    pub fn review(&self) -> Review {
        review::review(self.models)
    }

    /// The same beside a database: what each collection has, how often each index was used, what is missing and what no model declares, and
    /// how much of it a day's reads go through. Changes nothing; reads statistics and a thousand documents of each collection.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read statistics (the privileges `collStats` and
    /// `indexStats`); those of the driver.
    pub fn review_on<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<Review>> {
        review::review_on(self.models, database).boxed()
    }

    /// How good the declared shard keys are for the documents that are there, by a sample of 10,000 documents of each collection and the
    /// 1,000 that were stored last: how many values the key has, how many documents the most frequent one, whether new documents are at
    /// its end. On any server, so that a key is judged before a collection is sharded by it. Collections without documents are left out.
    ///
    /// # Errors
    /// [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not read statistics (the privilege `collStats`); those of the driver.
    pub fn judge_shard_keys<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<Vec<ShardKeyJudgement>>> {
        sharding::judge(self.models, database).boxed()
    }

    /// What is wrong with the documents of the database: references that lead to nothing, arrays over their bound or near
    /// it, copies that are not what their sources have. Changes nothing. Reads every document of the models, in bounded memory.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn verify<'a>(&'a self, database: &'a Database) -> BoxFuture<'a, Result<VerifyReport>> {
        async move { verify::verify(self.models, &database.context()?).await }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use mongodb::Database;

    use super::*;

    /// A server spawns what it runs.
    #[test]
    fn what_is_done_to_a_whole_database_may_go_to_another_thread() {
        fn goes<T: Send>(_: impl FnOnce(&'static Schema, &'static Database) -> T) {}
        static THROTTLE: std::sync::LazyLock<Throttle> = std::sync::LazyLock::new(Throttle::new);
        static WATCHER: std::sync::LazyLock<Watcher> = std::sync::LazyLock::new(Watcher::new);
        goes(|schema, db| schema.plan(db));
        goes(|schema, db| schema.verify(db));
        goes(|schema, db| schema.recover(db, &THROTTLE));
        goes(|schema, db| schema.repair(db, &THROTTLE));
        goes(|schema, db| schema.repair_from_mirrors(db));
        goes(|schema, db| schema.backfill(db, &THROTTLE));
        goes(|schema, db| schema.watch(db, &WATCHER));
    }
}
