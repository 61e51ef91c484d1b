//! Ctrl-C: the first Ctrl-C asks a command to stop after the running step, the second Ctrl-C ends the command at once.

use std::{future::pending, io, time::Duration};

use futures_util::future::{BoxFuture, Either, select};
use mongodb::Database;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::{failure::Failure, output::say};
use crate::{
    error::Result as LibraryResult,
    executor::{finish_writes, until_halted},
};

/// The longest wait for the commands to the server that are under way at the first Ctrl-C.
const LONGEST: Duration = Duration::from_secs(600);

/// The longest wait for the transactions of dropped work to be aborted.
const FINISH: Duration = Duration::from_secs(10);

/// The wish of the user that a command stops.
#[derive(Clone)]
pub(super) struct Stop {
    wished: watch::Receiver<bool>,
}

impl Stop {
    /// Returns whether the user pressed Ctrl-C.
    pub(super) fn is_wished(&self) -> bool {
        *self.wished.borrow()
    }

    /// Ends when the user presses Ctrl-C.
    pub(super) async fn wished(mut self) {
        if self.wished.wait_for(|wished| *wished).await.is_err() {
            pending().await
        }
    }

    /// Runs work of many commands to the server. After the first Ctrl-C the commands under way end, and the rest of the
    /// work stays undone; `next` says how to go on.
    pub(super) async fn halting<T>(
        &self,
        db: &Database,
        work: impl Future<Output = LibraryResult<T>>,
        next: &str,
    ) -> Result<T, Failure> {
        match until_halted(work, self.clone().wished(), LONGEST).await {
            Some(done) => Ok(done?),
            None => {
                finish(db).await;
                Err(Failure::Halted(format!("stopped by Ctrl-C: {next}")))
            }
        }
    }
}

/// Waits until the transactions of dropped work are aborted: an open transaction keeps other writes waiting.
pub(super) async fn finish(db: &Database) {
    let _ = tokio::time::timeout(FINISH, finish_writes(db)).await;
}

/// The effect of the first Ctrl-C on a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstStop {
    /// The command ends at once. For commands that change nothing.
    Ends,
    /// The command ends after the running step, and states the end.
    AfterStep,
}

/// Runs a command until the end, or until the user stops the command.
pub(super) async fn until_stopped<'a, T>(
    first: FirstStop,
    command: impl FnOnce(Stop) -> BoxFuture<'a, Result<T, Failure>>,
) -> Result<T, Failure> {
    let (wish, wished) = watch::channel(false);
    // One listener, before the command begins: no press is lost.
    let presses = presses();
    let pressed_twice = async {
        let Ok(mut presses) = presses else { return pending().await };
        presses.recv().await;
        let _ = wish.send(true);
        if first == FirstStop::AfterStep {
            say("stopping after the running step; press Ctrl-C again to end at once");
            presses.recv().await;
        }
    };
    match select(command(Stop { wished }), Box::pin(pressed_twice)).await {
        Either::Left((result, _)) => result,
        Either::Right(..) => Err(Failure::Stopped),
    }
}

/// Begins to listen for the end signal of the system, as a manager of services sends the signal. The future ends at the
/// signal; never where the system has no such signal.
#[cfg(unix)]
pub(super) fn terminated() -> impl Future<Output = ()> {
    let signal = signal(SignalKind::terminate());
    async {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => pending().await,
        }
    }
}

/// Returns a future that never ends: this system has no end signal.
#[cfg(not(unix))]
pub(super) fn terminated() -> impl Future<Output = ()> {
    pending()
}

/// Begins to listen for Ctrl-C.
#[cfg(unix)]
fn presses() -> io::Result<Signal> {
    signal(SignalKind::interrupt())
}

/// Begins to listen for Ctrl-C.
#[cfg(windows)]
fn presses() -> io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}
