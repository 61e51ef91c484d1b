//! The code of a user of this crate.

use schema_runtime::prelude::*;

use crate::data::{Data, Host, Message, PART, Part};

pub(crate) async fn fan_out(data: &Data, host: i64) -> u64 {
    let written = Host::update_by_id(host).set(Host::F.ipaddr, data.another()).execute(&data.db).await;
    written.expect("an update").matched
}

pub(crate) async fn rename(data: &Data) -> u64 {
    let written = Part::update_by_id(PART).set(Part::F.name, data.another()).execute(&data.db).await;
    written.expect("an update").matched
}

pub(crate) async fn insert_many(data: &Data) -> u64 {
    Message::insert_many(&data.db, &data.messages).await.expect("an insert");
    data.messages.len() as u64
}

pub(crate) async fn uncopied(data: &Data) -> u64 {
    Part::update_by_id(PART).inc(Part::F.qty, 1).execute(&data.db).await.expect("an update").matched
}
