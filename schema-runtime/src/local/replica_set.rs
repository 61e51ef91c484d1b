//! Makes a writable replica set of members that answer, and makes replica sets the shards of a config server.

use std::time::Instant;

use futures_util::future::try_join_all;
use mongodb::bson::{Bson, Document, doc};

use super::{
    member::{Member, PATIENCE, PAUSE},
    source::failure,
    topology::Role,
};
use crate::error::Result;

/// The state of a member that follows the primary, in `replSetGetStatus`.
const SECONDARY: i32 = 2;

/// Initiates the set, and waits until the first member is a writable primary that all other members follow.
pub(super) async fn initiate(members: &[Member]) -> Result<()> {
    let [first, others @ ..] = members else { return Ok(()) };
    let admin = first.admin().await?;
    admin.run_command(doc! { "replSetInitiate": config(first.role, members) }).await?;

    let deadline = Instant::now() + PATIENCE;
    loop {
        let status = admin.run_command(doc! { "replSetGetStatus": 1 }).await?;
        let writable = admin.run_command(doc! { "hello": 1 }).await?.get_bool("isWritablePrimary").unwrap_or(false);
        if writable && secondaries(&status) == others.len() {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(failure("the replica set did not get a primary".to_owned()));
        }
        if !others.is_empty() && !writable {
            // Saves the wait for the election timeout; the server refuses the command during another election.
            let _ = admin.run_command(doc! { "replSetStepUp": 1 }).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn config(role: Role, members: &[Member]) -> Document {
    let hosts = (0..).zip(members).map(|(id, member): (i32, _)| doc! { "_id": id, "host": member.address() });
    let hosts: Vec<Bson> = hosts.map(Bson::Document).collect();
    // The defaults, 10 s and 2 s, are for networks; on one machine less is plenty.
    let settings = doc! { "electionTimeoutMillis": 2000, "heartbeatIntervalMillis": 200 };
    let mut config = doc! { "_id": role.set(), "members": hosts, "settings": settings };
    if role == Role::ConfigServer {
        config.insert("configsvr", true);
    }
    config
}

/// Initiates a config server and shards, each as a separate replica set, and makes the shards known to the config
/// server.
pub(super) async fn join_shards(members: &[Member]) -> Result<()> {
    try_join_all(members.iter().map(|member| initiate(std::slice::from_ref(member)))).await?;
    let [config, shards @ ..] = members else { return Ok(()) };
    let admin = config.admin().await?;
    for shard in shards {
        let name = format!("{}/{}", shard.role.set().unwrap_or_default(), shard.address());
        let added = doc! { "_configsvrAddShard": name, "writeConcern": { "w": "majority" } };
        admin.run_command(added).await?;
    }
    Ok(())
}

fn secondaries(status: &Document) -> usize {
    let members = status.get_array("members").map(Vec::as_slice).unwrap_or_default();
    let states = members.iter().filter_map(|member| member.as_document()?.get_i32("state").ok());
    states.filter(|state| *state == SECONDARY).count()
}
