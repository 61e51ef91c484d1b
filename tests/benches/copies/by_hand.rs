//! The code of a user of the driver: a single `updateMany` for all copies, without a protection of the copies.

use schema_runtime::{
    bson::{Document, doc},
    mongodb::options::WriteConcern,
};

use crate::data::{Data, Message, PART};

pub(crate) async fn fan_out(data: &Data, host: i64) -> u64 {
    let ipaddr = data.another();
    let set = doc! { "$set": { "ipaddr": &ipaddr } };
    let hosts = data.db.collection::<Document>("hosts");
    let written = hosts.update_one(doc! { "_id": host }, set.clone()).await.expect("an update");
    let messages = data.db.collection::<Document>("messages");
    messages.update_many(doc! { "host": host }, set).await.expect("the copies");
    written.matched_count
}

pub(crate) async fn rename(data: &Data) -> u64 {
    let name = data.another();
    let mut session = data.db.client().start_session().await.expect("a session");
    session.start_transaction().write_concern(WriteConcern::majority()).await.expect("a transaction");
    let parts = data.db.collection::<Document>("parts");
    let set = doc! { "$set": { "name": &name } };
    let written = parts.update_one(doc! { "_id": PART }, set).session(&mut session).await.expect("an update");
    let set = doc! { "$set": { "parts.$[c].name": &name } };
    let products = data.db.collection::<Document>("products");
    let copies = products.update_many(doc! { "parts.id": PART }, set).array_filters([doc! { "c.id": PART }]);
    copies.session(&mut session).await.expect("the copies");
    session.commit_transaction().await.expect("a commit");
    written.matched_count
}

pub(crate) async fn insert_many(data: &Data) -> u64 {
    let messages = data.db.collection::<Message>("messages");
    messages.insert_many(&data.messages).await.expect("an insert").inserted_ids.len() as u64
}

pub(crate) async fn uncopied(data: &Data) -> u64 {
    let parts = data.db.collection::<Document>("parts");
    let written = parts.update_one(doc! { "_id": PART }, doc! { "$inc": { "qty": 1 } }).await;
    written.expect("an update").matched_count
}
