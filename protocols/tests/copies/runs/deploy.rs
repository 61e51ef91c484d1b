//! A copied field was added, and clients of both versions write: the runs show the work that is needed after the old
//! clients have ended.

use super::*;
use crate::deploy::{Actor, Change, Deploy, Fields, Finds, RIGHT, Step};

const OLD: Fields = Fields::Name;
const NEW: Fields = Fields::NameAndCity;

fn writes(fields: Fields, change: Change) -> Actor {
    Actor { fields, step: Step::Write(change) }
}

fn inserts(fields: Fields) -> Actor {
    Actor { fields, step: Step::Read }
}

fn recovers(fields: Fields) -> Actor {
    Actor { fields, step: Step::Touch }
}

/// Two writers, an inserter and a recover of the old version beside writers and an inserter of the new version.
fn beside() -> [Vec<Actor>; 4] {
    [
        vec![writes(OLD, Change::Name), writes(NEW, Change::City), writes(NEW, Change::Name), recovers(OLD)],
        vec![writes(OLD, Change::Name), writes(NEW, Change::City), inserts(OLD)],
        vec![writes(OLD, Change::Name), writes(NEW, Change::City), inserts(NEW)],
        vec![writes(NEW, Change::City), inserts(OLD), inserts(NEW), recovers(OLD)],
    ]
}

fn deploy(finds: Finds, actors: Vec<Actor>) -> Deploy {
    Deploy { finds, renews: true, actors, crashes: 2 }
}

#[test]
fn a_backfill_when_the_old_clients_have_ended() {
    let states = [10_958, 1_479, 1_509, 17_036];
    for (actors, states) in beside().into_iter().zip(states) {
        deploy(Finds::FieldSet, actors).holds(states);
    }
}

/// An old client writes a field that only the new version copies: nothing but the values tells.
#[test]
fn a_repair_where_old_clients_write_what_is_copied_now() {
    let actors = || vec![writes(OLD, Change::City), writes(NEW, Change::City), inserts(OLD), inserts(NEW)];
    deploy(Finds::FieldSet, actors()).breaks(RIGHT);
    deploy(Finds::Values, actors()).holds(4_845);
}

#[test]
fn versions_alone_do_not_tell() {
    for actors in beside() {
        deploy(Finds::Unversioned, actors).breaks(RIGHT);
    }
}

/// The guard would refuse the writes of a backfill.
#[test]
fn a_backfill_without_a_new_version() {
    let actors = vec![writes(OLD, Change::Name), writes(NEW, Change::City)];
    Deploy { renews: false, ..deploy(Finds::FieldSet, actors) }.breaks(RIGHT);
}
