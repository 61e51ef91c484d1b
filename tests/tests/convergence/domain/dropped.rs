//! The future of each write of the domain is dropped at each of its polls. The write is whole or absent, and all
//! derived data are right without a `recover`.

use std::{
    pin::{Pin, pin},
    task::{Context, Poll},
};

use schema_runtime::finish_writes;
use schema_tests::domain::{Ledger, Work, begin, prepare, wrong};

use super::each::works;
use crate::steps::runtime;

/// A future that ends without a value at the given poll.
struct DroppedAt<'a> {
    write: Pin<&'a mut (dyn Future<Output = ()> + Send)>,
    polls: usize,
}

impl Future for DroppedAt<'_> {
    type Output = bool;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<bool> {
        if self.polls == 0 {
            return Poll::Ready(false);
        }
        self.polls -= 1;
        let ended = self.write.as_mut().poll(context).map(|()| true);
        if ended.is_pending() && self.polls == 0 { Poll::Ready(false) } else { ended }
    }
}

/// Returns whether the write has ended before the poll, and the errors after the drop.
async fn dropped(db: &mongodb::Database, work: &Work, polls: usize) -> (bool, Vec<String>) {
    let (mut ledger, mut answered) = (begin(db).await.expect("the beginning"), Ledger::default());
    let has_ended = {
        let write = pin!(async {
            let _ = Box::pin(work.run(db, &mut answered)).await;
        });
        DroppedAt { write, polls }.await
    };
    finish_writes(db).await;
    schema_tests::end_transactions(db).await;
    ledger.join(if has_ended { answered } else { work.unknown() });
    (has_ended, wrong(db, &ledger).await)
}

#[test]
fn each_write_is_dropped_at_each_of_its_polls() {
    let runtime = runtime();
    let ran = runtime.block_on(runtime.spawn(async {
        let db = schema_tests::database().await;
        prepare(&db).await;
        let (mut found, mut drops) = (Vec::new(), 0);
        for work in works() {
            if matches!(work, Work::Whole(..)) {
                continue;
            }
            for polls in 1.. {
                let (has_ended, wrong) = dropped(&db, &work, polls).await;
                found.extend(wrong.into_iter().map(|wrong| format!("{work:?} at poll {polls}: {wrong}")));
                if has_ended {
                    break;
                }
                drops += 1;
            }
        }
        println!("{drops} drops");
        assert!(found.is_empty(), "{}", found.join("\n"));
    }));
    ran.expect("see above");
}
