//! What a bucket says of its children: how many they are, their order, and the bounds of what they are ordered by. Writes of this crate keep it in
//! the command that changes the children; what is wrong was written bypassing it, and is found and written again here.

mod repair;
mod survey;
mod wrong;

pub use repair::RepairedBuckets;
pub(crate) use repair::repair;
pub(crate) use survey::{Broken, Survey};
