//! The children of one parent, read in the order of the buckets.

mod accessor;
mod asked;
mod handle;
mod latest;
mod page;
mod statistics;
mod walk;

pub use accessor::ChildrenInBuckets;
pub use handle::InBuckets;
pub use latest::LatestInBuckets;
pub use page::PageInBuckets;
pub use statistics::BucketStatistics;
