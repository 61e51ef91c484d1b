//! What is written again of all that is derived: what was written bypassing this crate.

use std::fmt;

use super::{
    bucket::{self, RepairedBuckets},
    copies::{self, RepairedPath},
    delete_rules::{self, RepairedOrphans},
    effect::Others,
    links::{self, RepairedLinks},
    slug::{self, RepairedSlugs},
    throttle::Throttle,
    tree::{self, RepairedTree},
};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::lines};

/// What [`Schema::repair`](crate::schema::Schema::repair) has done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// One for each place that holds copies, in the order of the schema.
    pub paths: Vec<RepairedPath>,
    /// One for each `two_way` relation of which something was one-sided.
    pub links: Vec<RepairedLinks>,
    /// One for each relation with a delete rule by which something referred to what is not there.
    pub orphans: Vec<RepairedOrphans>,
    /// One for each slug with `keep_old` that some documents did not keep.
    pub slugs: Vec<RepairedSlugs>,
    /// One for each tree of which something was not as the parents say.
    pub trees: Vec<RepairedTree>,
    /// One for each model in buckets of which some said something else of their children than they are.
    pub buckets: Vec<RepairedBuckets>,
}

impl Repaired {
    /// How many copies were written again, in all places.
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
    // What refers to nothing first: the rest of it has nothing to repair.
    let orphans = delete_rules::repair(models, context, others).await?;
    let trees = tree::repair(models, context, others).await?;
    let links = links::repair(models, context).await?;
    let paths = copies::repair(models, context, throttle).await?;
    let slugs = slug::repair(models, context).await?;
    let buckets = bucket::repair(models, context).await?;
    Ok(Repaired { paths, links, orphans, slugs, trees, buckets })
}
