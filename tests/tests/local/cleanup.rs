//! The server and its data are removed at the end of their owner, in every way of ending.

use std::path::Path;

use schema_runtime::local::{Server, Topology};

use crate::owner::{Owner, becomes_true, command, is_alive, output};

#[tokio::test]
async fn after_a_drop() {
    let server = Server::builder().own(true).topology(Topology::ReplicaSet { members: 3 }).start().await.unwrap();
    let (pids, directories) = (server.pids().await, server.directories().await);
    assert_eq!((pids.len(), directories.len()), (3, 3));
    assert!(pids.iter().all(|pid| is_alive(*pid)));
    drop(server);
    assert!(becomes_true(|| !pids.iter().any(|pid| is_alive(*pid))));
    assert!(becomes_true(|| !directories.iter().any(|directory| directory.exists())));
}

#[tokio::test]
async fn after_a_drop_with_a_member_that_was_killed() {
    let server = Server::builder().own(true).start().await.unwrap();
    let directories = server.directories().await;
    server.kill(0).await.unwrap();
    assert!(directories[0].exists());
    drop(server);
    assert!(becomes_true(|| !directories[0].exists()));
}

#[test]
fn after_the_end_of_the_process() {
    let mut owner = Owner::start("end");
    assert!(owner.wait().success());
    owner.assert_all_gone();
}

#[test]
fn after_an_exit_that_drops_nothing() {
    let mut owner = Owner::start("exit");
    assert!(owner.wait().success());
    owner.assert_all_gone();
}

#[test]
fn after_a_panic() {
    let mut owner = Owner::start("panic");
    assert!(!owner.wait().success());
    owner.assert_all_gone();
}

#[test]
fn after_sigkill_of_the_owner() {
    let mut owner = Owner::start("hold");
    owner.assert_all_there();
    owner.process.kill().unwrap();
    owner.wait();
    owner.assert_all_gone();
}

#[test]
fn what_lies_beside_the_data_stays() {
    let base = tempfile::tempdir().unwrap();
    let neighbours = [base.path().join("file"), base.path().join("schema-mongod-other")];
    for neighbour in &neighbours {
        std::fs::write(neighbour, "").unwrap();
    }
    for temporary in [base.path(), Path::new(".")] {
        let mut command = command("end");
        let (ended_well, said) = output(command.current_dir(base.path()).env("TMPDIR", temporary));
        assert!(ended_well, "{said}");
        assert!(said.contains(base.path().to_str().unwrap()), "{said}");
    }
    assert!(neighbours.iter().all(|neighbour| neighbour.exists()));
    assert_eq!(base.path().read_dir().unwrap().count(), neighbours.len());
}
