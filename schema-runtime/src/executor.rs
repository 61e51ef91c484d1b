//! The target of an operation: a database, or a transaction on a database; the spans are on [a
//! page](crate::manual::tracing). Reaches the server.

#[macro_use]
mod send;

mod attempts;
mod background;
mod bulk;
mod client;
mod context;
mod counted;
mod found;
mod gate;
mod halt;
mod plainly;
mod pools;
mod repeated;
mod replies;
pub(crate) mod session;
mod snapshot;
mod span;
mod transaction;
mod update_request;

use std::fmt;

use mongodb::Database;

pub(crate) use attempts::Attempts;
pub use background::finish_writes;
pub(crate) use background::{go_on, run_to_end};
pub(crate) use bulk::{Written, in_commands};
pub(crate) use client::{OfClient, PerClient};
pub(crate) use context::Context;
pub(crate) use counted::counted_here;
#[doc(hidden)]
pub use counted::{Expected, assert_commands};
pub use counted::{SentCommand, commands_of};
pub(crate) use found::Selected;
pub(crate) use gate::Open;
pub(crate) use halt::until_halted;
pub(crate) use plainly::open;
pub(crate) use pools::client;
pub(crate) use repeated::{Read, note_read};
pub(crate) use replies::Replies;
pub(crate) use session::{InTransaction, Session};
pub(crate) use span::CommandSpan;
pub(crate) use update_request::{Outcome, Statement, UpdateRequest};

use crate::error::Result;

/// The target of every operation: a `&Database` or a [`&Transaction`](crate::Transaction). Sealed: only this crate
/// implements the trait.
pub trait Executor: sealed::Sealed + Send + Sync {
    #[doc(hidden)]
    fn context(&self) -> Result<Context>;
}

impl Executor for Database {
    fn context(&self) -> Result<Context> {
        session::refuse_inside()?;
        Ok(Context::new(self))
    }
}

pub(crate) use sealed::Sealed;

mod sealed {
    pub trait Sealed {}
    impl Sealed for mongodb::Database {}
}

impl fmt::Debug for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.session.is_some() { "transaction on" } else { "database" };
        write!(formatter, "{kind} `{}`", self.database.name())
    }
}
