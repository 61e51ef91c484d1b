//! The target of an operation: a database, or a transaction on a database; the spans are on
//! [the page `tracing`](crate::guide). Reaches the server.

#[macro_use]
mod send;

mod attempts;
mod background;
mod bulk;
mod client;
mod client_settings;
mod configured;
mod context;
mod counted;
mod default_timeout;
mod estimate;
mod found;
mod gate;
mod halt;
mod lines;
mod merged;
mod observed;
mod opening;
mod optioned;
mod options;
mod plainly;
mod pools;
mod raw;
mod repeated;
mod replies;
pub(crate) mod session;
mod settings;
mod shown;
mod slow;
mod snapshot;
mod span;
mod texts;
mod threshold;
mod transaction;
mod unsent;
mod update_request;
mod writes;

use std::fmt;

use mongodb::Database;

pub(crate) use attempts::Attempts;
pub use background::finish_writes;
pub(crate) use background::{go_on, run_to_end};
pub(crate) use bulk::{Written, in_commands};
pub(crate) use client::{OfClient, PerClient};
pub use configured::ConfiguredExecutor;
pub(crate) use context::Context;
pub(crate) use counted::counted_here;
#[doc(hidden)]
pub use counted::{Expected, assert_commands};
pub use counted::{SentCommand, commands_of};
pub use default_timeout::set_default_timeout;
pub(crate) use found::Selected;
pub(crate) use gate::Open;
pub(crate) use halt::until_halted;
#[cfg(feature = "log-values")]
pub(crate) use observed::observed;
pub(crate) use options::{Asked, driver_collation};
pub use options::{Configurable, OperationOptions};
pub(crate) use plainly::open;
pub(crate) use pools::client;
pub(crate) use repeated::{Read, note_read};
pub(crate) use replies::Replies;
pub(crate) use session::{InTransaction, Session};
pub use slow::set_slow_threshold;
pub(crate) use span::CommandSpan;
pub use unsent::preview;
pub(crate) use unsent::{is_preview, refuse_preview};
pub(crate) use update_request::{Outcome, Statement, UpdateRequest};

use crate::error::Result;

/// The target of every operation: a `&Database` or a [`&Transaction`](crate::Transaction). Sealed: only this crate
/// implements the trait.
pub trait Executor: sealed::Sealed + Send + Sync {
    /// Returns the context of an operation that does not begin yet.
    #[doc(hidden)]
    fn plain_context(&self) -> Result<Context>;

    /// Begins an operation.
    #[doc(hidden)]
    fn context(&self) -> Result<Context> {
        Ok(self.plain_context()?.begun())
    }

    /// Returns an executor that applies the options to each operation. [The page `options`](crate::guide) has the
    /// operations that each option is for; a further operation is without the option.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use schema_runtime::{OperationOptions, prelude::*};
    /// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "parts")]
    /// # struct Part { #[serde(rename = "_id")] id: ObjectId, name: String }
    /// # async fn example(db: &Database, part: &Part) -> Result<()> {
    /// let db = db.with(OperationOptions::new().timeout(Duration::from_secs(2)).comment("import"));
    /// Part::insert(&db, part).await?;
    /// let count = Part::find(Part::F.name.eq("bolt")).count(&db).await?;
    /// # Ok(())
    /// # }
    /// ```
    fn with(&self, options: OperationOptions) -> ConfiguredExecutor {
        ConfiguredExecutor::new(self, options)
    }
}

impl Executor for Database {
    fn plain_context(&self) -> Result<Context> {
        session::refuse_inside()?;
        Ok(Context::new(self))
    }
}

/// The context of an operation that has begun: the steps of the operation share the deadline.
impl Executor for Context {
    fn plain_context(&self) -> Result<Context> {
        Ok(self.clone())
    }
}

pub(crate) use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
    impl Sealed for mongodb::Database {}
    impl Sealed for super::Context {}
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.session.is_some() { "transaction on" } else { "database" };
        write!(formatter, "{kind} `{}`", self.database.name())
    }
}
