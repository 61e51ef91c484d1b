//! The changes of an update, typed from the caller to the command. A caller or an effect adds changes to a
//! [`ChangeSet`]; the executor gets the changes in the server's words. Pure.

mod field_effect;
mod operator;
mod parse;
mod pipeline;
mod set;
mod spec;

pub(crate) use field_effect::FieldEffect;
pub(crate) use operator::Operator;
pub(crate) use set::{ChangeSet, FieldChange};
pub(crate) use spec::{IfAbsent, Origin, Reach, UpdateSpec};
