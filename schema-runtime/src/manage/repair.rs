//! Repairs all derived data that writes outside of this crate have made wrong.

use std::fmt;

use crate::{
    bucket::stored::{self as bucket, RepairedBuckets},
    definition::ModelDefinition,
    derived::{
        copies::{self, RepairedPath},
        delete_rules::{self, RepairedOrphans},
        effect::Others,
        links::{self, RepairedLinks},
        slug::{self, RepairedSlugs},
        throttle::Throttle,
        tree::{self, RepairedTree},
    },
    error::Result,
    executor::Context,
    report::lines,
};

/// The result of [`Schema::repair`](crate::schema::Schema::repair).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The places that hold copies, in the order of the schema.
    pub paths: Vec<RepairedPath>,
    /// The `two_way` relations with one-sided links.
    pub links: Vec<RepairedLinks>,
    /// The relations with a delete rule that had references to missing documents.
    pub orphans: Vec<RepairedOrphans>,
    /// The slugs with `keep_old` that some documents did not keep.
    pub slugs: Vec<RepairedSlugs>,
    /// The trees with values that contradicted the parents.
    pub trees: Vec<RepairedTree>,
    /// The models in buckets with buckets that contradicted their children.
    pub buckets: Vec<RepairedBuckets>,
}

impl Repaired {
    /// Returns the number of repaired copies in all places.
    pub fn copies(&self) -> u64 {
        self.paths.iter().map(|path| path.copies).sum()
    }
}

impl fmt::Display for Repaired {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.paths.iter().filter(|path| path.copies > 0).map(|path| path as &dyn fmt::Display);
        let links = self.links.iter().map(|links| links as &dyn fmt::Display);
        let orphans = self.orphans.iter().map(|orphans| orphans as &dyn fmt::Display);
        let slugs = self.slugs.iter().map(|slugs| slugs as &dyn fmt::Display);
        let trees = self.trees.iter().map(|tree| tree as &dyn fmt::Display);
        let buckets = self.buckets.iter().map(|buckets| buckets as &dyn fmt::Display);
        let mut all = paths.chain(links).chain(orphans).chain(trees).chain(slugs).chain(buckets).peekable();
        match all.peek() {
            None => formatter.write_str("nothing to repair"),
            Some(_) => lines(formatter, all),
        }
    }
}

pub(crate) async fn repair(
    models: &[&'static ModelDefinition],
    context: &Context,
    throttle: &Throttle,
    others: Others,
) -> Result<Repaired> {
    // Orphans are repaired first: a deleted orphan needs no further repair.
    let orphans = delete_rules::repair(models, context, others).await?;
    let trees = tree::repair(models, context, others).await?;
    let links = links::repair(models, context).await?;
    let paths = copies::repair(models, context, throttle).await?;
    let slugs = slug::repair(models, context).await?;
    let buckets = bucket::repair(models, context).await?;
    Ok(Repaired { paths, links, orphans, slugs, trees, buckets })
}
