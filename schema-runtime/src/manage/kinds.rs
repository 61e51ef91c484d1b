//! The list of the kinds of derived data. A new kind is a folder beside the existing folders and a line here.

use crate::{
    bucket::stored::Buckets,
    derived::{
        copies::Copies, delete_rules::DeleteRules, links::Links, maintenance::Maintenance, rollup::Rollups,
        slug::Slugs, tree::Trees,
    },
};

/// All kinds in the order of a repair and of a recovery. Delete rules come first: a deleted document needs no further
/// work.
pub(crate) const KINDS: &[&dyn Maintenance] = &[&DeleteRules, &Trees, &Links, &Copies, &Rollups, &Slugs, &Buckets];
