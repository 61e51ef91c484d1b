//! The callbacks of a transaction: work outside of the database, after the outcome.

use std::{
    mem,
    panic::AssertUnwindSafe,
    sync::{Mutex, PoisonError},
};

use futures_util::{FutureExt, future::BoxFuture};

/// The callbacks that one attempt has registered. An attempt that runs again registers anew.
#[derive(Default)]
pub(super) struct Callbacks(Mutex<Registered>);

#[derive(Default)]
struct Registered {
    after_commit: Vec<BoxFuture<'static, ()>>,
    after_rollback: Vec<BoxFuture<'static, ()>>,
}

/// The outcome that a callback waits for.
#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Commit,
    Rollback,
}

impl Registered {
    fn list(&mut self, outcome: Outcome) -> &mut Vec<BoxFuture<'static, ()>> {
        match outcome {
            Outcome::Commit => &mut self.after_commit,
            Outcome::Rollback => &mut self.after_rollback,
        }
    }
}

impl Callbacks {
    pub(super) fn add(&self, outcome: Outcome, callback: BoxFuture<'static, ()>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).list(outcome).push(callback);
    }

    /// Runs the callbacks of this outcome, one after another. A panic of a callback ends only this callback.
    pub(super) async fn run(&self, outcome: Outcome) {
        let all = mem::take(self.0.lock().unwrap_or_else(PoisonError::into_inner).list(outcome));
        for callback in all {
            if AssertUnwindSafe(callback).catch_unwind().await.is_err() {
                tracing::error!(target: "schema_runtime", "a callback after a transaction has panicked");
            }
        }
    }
}
