//! What an operation runs on: a database now.

use mongodb::Database;

/// What every operation takes: a `&Database`. Sealed: only this crate implements it.
pub trait Executor: sealed::Sealed + Send + Sync {
    #[doc(hidden)]
    fn database(&self) -> &Database;
}

impl Executor for Database {
    fn database(&self) -> &Database {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for mongodb::Database {}
}
#[cfg(feature = "embedded")]
pub(crate) use sealed::Sealed;
