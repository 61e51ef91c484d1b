//! The first command of a read. A dropped read leaves no cursor on the server.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::BoxFuture;
use mongodb::error::Error as DriverError;
use tokio::{runtime::Handle, time::timeout};

/// The wait for the reply to a read whose caller is gone: longer than a reply travels. A reply that the server has sent
/// may have an open cursor, and only the reply has the number of the cursor. A read that takes longer ends with the
/// connection: the server ends a read whose client has gone.
const REPLY: Duration = Duration::from_millis(500);

/// A command that may open a cursor. After a drop, the command goes on until the reply, for a short time, and the drop
/// of the reply closes the cursor. Without a reply in time the driver closes the connection.
pub(super) struct Opening<T: Send + 'static> {
    /// `None` after the end.
    command: Option<BoxFuture<'static, Result<T, DriverError>>>,
    is_begun: bool,
}

impl<T: Send + 'static> Opening<T> {
    pub(super) fn new(command: impl Future<Output = Result<T, DriverError>> + Send + 'static) -> Self {
        Opening { command: Some(Box::pin(command)), is_begun: false }
    }
}

impl<T: Send + 'static> Future for Opening<T> {
    type Output = Result<T, DriverError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.is_begun = true;
        let Some(command) = &mut self.command else { return Poll::Pending };
        let polled = command.as_mut().poll(context);
        if polled.is_ready() {
            self.command = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Opening<T> {
    fn drop(&mut self) {
        let Some(command) = self.command.take().filter(|_| self.is_begun) else { return };
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async { drop(timeout(REPLY, command).await) });
        }
    }
}
