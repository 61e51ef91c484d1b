//! Halts work between two commands: each command under way ends, and no further command begins.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use futures_util::future::{Either, select};

tokio::task_local! {
    static HALT: Arc<Halt>;
}

/// The state of work that may be halted.
#[derive(Default)]
struct Halt {
    is_halted: AtomicBool,
    /// The number of commands under way.
    under_way: AtomicUsize,
}

/// A command under way; the command ends with the drop of the value.
pub(super) struct UnderHalt(Arc<Halt>);

impl Drop for UnderHalt {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Waits for the permission of a command: once the work around the command is halted, the command waits until the work
/// is dropped. Returns `None` outside of such work.
pub(super) async fn permission() -> Option<UnderHalt> {
    let halt = HALT.try_with(Arc::clone).ok()?;
    if halt.is_halted.load(Ordering::Acquire) {
        return pending().await;
    }
    halt.under_way.fetch_add(1, Ordering::AcqRel);
    Some(UnderHalt(halt))
}

/// Runs the work until the work ends or `stop` completes. After `stop`, the commands under way end, for at most `most`,
/// and the work is dropped. Returns `None` for dropped work. Commands on a separate task, as in a lane or at the end of
/// a transaction, run to their end without the caller.
pub(crate) async fn until_halted<T>(
    work: impl Future<Output = T>,
    stop: impl Future<Output = ()>,
    most: Duration,
) -> Option<T> {
    let halt = Arc::<Halt>::default();
    let (mut work, stop) = (pin!(HALT.scope(Arc::clone(&halt), work)), pin!(stop));
    if let Either::Right((output, _)) = select(stop, work.as_mut()).await {
        return Some(output);
    }
    halt.is_halted.store(true, Ordering::Release);
    let ended = poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if halt.under_way.load(Ordering::Acquire) == 0 => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    });
    tokio::time::timeout(most, ended).await.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, time::Instant};

    use futures_util::future::join;
    use tokio::{sync::Notify, time::sleep};

    use super::*;

    const SOON: Duration = Duration::from_millis(20);
    const LATE: Duration = Duration::from_secs(600);

    async fn command(name: &'static str, time: Duration, ended: &Mutex<Vec<&'static str>>) {
        let _permission = permission().await;
        sleep(time).await;
        ended.lock().expect("no panic").push(name);
    }

    #[tokio::test]
    async fn commands_under_way_end_and_the_next_does_not_begin() {
        let ended = Mutex::default();
        let (stop, short) = (Notify::new(), Duration::from_millis(1));
        let one = async {
            command("a", short, &ended).await;
            stop.notify_one();
            command("b", SOON, &ended).await;
            command("never", short, &ended).await;
        };
        let other = async {
            command("c", SOON * 2, &ended).await;
            command("never", short, &ended).await;
        };
        assert!(until_halted(join(one, other), stop.notified(), LATE).await.is_none());
        assert_eq!(*ended.lock().unwrap(), ["a", "b", "c"]);
    }

    #[tokio::test]
    async fn work_that_sends_nothing_is_dropped_at_once_and_a_long_command_after_the_time() {
        let begun = Instant::now();
        assert!(until_halted(sleep(LATE), sleep(SOON), LATE).await.is_none());
        let ended = Mutex::default();
        assert!(until_halted(command("long", LATE, &ended), sleep(SOON), SOON).await.is_none());
        assert!(ended.lock().unwrap().is_empty() && begun.elapsed() < LATE / 2);
    }

    #[tokio::test]
    async fn work_that_ends_first_has_its_output() {
        assert_eq!(until_halted(async { 7 }, sleep(LATE), LATE).await, Some(7));
        assert!(permission().await.is_none(), "outside of the work a command needs no permission");
        // The last command ends while the work is halted.
        let stop = Notify::new();
        let work = async {
            let _permission = permission().await;
            stop.notify_one();
            sleep(SOON).await;
            7
        };
        assert_eq!(until_halted(work, stop.notified(), LATE).await, Some(7));
    }
}
