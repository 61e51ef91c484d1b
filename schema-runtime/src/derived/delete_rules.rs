//! `on_delete`: what a delete does to those that refer to the deleted document by a relation that is stored at one end. A parent that is
//! being deleted is marked before its children are looked at, and a child that is inserted is marked until its parent was read behind it:
//! so no child comes in between. The order of the steps is the protocol's (`docs/delete-rules-protocol.md`).

mod act;
mod delete;
mod deleting;
mod effect;
mod pending;
mod presence;
mod recover;
mod repair;
mod rule;
mod writing;

pub(crate) use effect::EFFECT;
pub use pending::PendingDeletes;
pub(crate) use pending::pending;
pub use recover::RecoveredDeletes;
pub(crate) use recover::recover;
pub use repair::RepairedOrphans;
pub(crate) use repair::repair;
