//! Sequences: counters in a collection of this crate. A number is taken outside of every transaction, so that no write
//! waits for the transaction of another write. A number is used once or never: a write that fails leaves a gap.

use futures_util::future::BoxFuture;
use mongodb::bson::doc;

use crate::{
    codec,
    definition::{LAST_NUMBER, stored_names::SEQUENCES},
    error::{Error, Result},
    executor::{Context, Executor, UpdateRequest},
};

/// Takes `count` numbers of each sequence; returns the first numbers. Without sequences no command is sent.
pub(super) fn take_all<'a>(
    db: &'a dyn Executor,
    sequences: &'static [&'static str],
    count: usize,
) -> BoxFuture<'a, Result<Vec<i64>>> {
    Box::pin(async move {
        let mut first = Vec::with_capacity(sequences.len());
        if sequences.is_empty() || count == 0 {
            return Ok(first);
        }
        let outside = Context::new(db.context()?.database()).majority();
        for sequence in sequences {
            first.push(take(&outside, sequence, count).await?);
        }
        Ok(first)
    })
}

/// Takes `count` numbers of a sequence by one command; returns the first number.
async fn take(context: &Context, sequence: &'static str, count: usize) -> Result<i64> {
    let count = i64::try_from(count).map_err(Error::encode)?;
    let request = UpdateRequest {
        filter: doc! { "_id": sequence },
        update: doc! { "$inc": { LAST_NUMBER: count } },
        upsert: true,
        ..UpdateRequest::default()
    };
    let counter = context.find_one_and_update(SEQUENCES, request, true, doc! { LAST_NUMBER: 1 }).await?;
    let last = counter.as_deref().and_then(|counter| codec::integer(counter, LAST_NUMBER));
    last.and_then(|last| last.checked_sub(count - 1)).ok_or_else(|| Error::Decode {
        collection: SEQUENCES.to_owned(),
        model: "sequence",
        id: Box::new(sequence.into()),
        path: LAST_NUMBER.to_owned(),
        message: "the last number of the sequence is no integer".to_owned(),
    })
}
