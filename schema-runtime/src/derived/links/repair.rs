//! Repairs one-sided links: the mirror follows the truth, or on request the truth follows the mirror. May run beside all writers. Reaches
//! the server.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use super::{
    link::{Link, links_from},
    mirror::Changes,
    survey::{OneSided, Survey},
};
use crate::{
    changes::{ChangeSet, Operator, Reach, UpdateSpec},
    definition::{Kind, ModelDefinition},
    derived::effect::Others,
    error::Result,
    executor::Context,
    report::{but_for_refused, counted, named},
    transaction::transaction,
};

/// The result of the repair of one `two_way` relation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedLinks {
    /// The relation, `Task.owner`.
    pub relation: String,
    /// The number of links that were added to mirrors.
    pub added: u64,
    /// The number of links that were removed from mirrors.
    pub removed: u64,
    /// The number of links without a place in the mirror. The links stay one-sided.
    pub refused: u64,
    /// The `_id`s of some mirrors without a place.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RepairedLinks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepairedLinks { relation, removed, .. } = self;
        let added = counted(self.added, "link", "links");
        let refused = but_for_refused(self.refused, &self.examples);
        write!(formatter, "{relation}: {added} added to mirrors, {removed} removed{refused}")
    }
}

/// Changes the mirrors to agree with the truth.
pub(crate) async fn repair(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RepairedLinks>> {
    let mut all = Vec::new();
    for link in models.iter().flat_map(|model| links_from(model)) {
        let relation = link.text();
        let mut repaired = RepairedLinks { relation, added: 0, removed: 0, refused: 0, examples: Vec::new() };
        let mut survey = Survey::new(context, link);
        while let Some(found) = survey.next().await? {
            for one in found {
                match follow_truth(context, link, &one).await {
                    Ok(false) => {}
                    Ok(true) if one.in_truth => repaired.added += 1,
                    Ok(true) => repaired.removed += 1,
                    Err(error) if error.writes_nothing() => {
                        repaired.refused += 1;
                        named(&mut repaired.examples, [one.mirror.clone()]);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        if repaired.added + repaired.removed + repaired.refused > 0 {
            all.push(repaired);
        }
    }
    Ok(all)
}

/// Changes the mirror where the link is still one-sided. Returns whether the link was one-sided.
async fn follow_truth(context: &Context, link: Link, one: &OneSided) -> Result<bool> {
    transaction(context.database(), |transaction| async move {
        let context = transaction.context;
        if link.still_one_sided(&context, std::slice::from_ref(one)).await?.is_empty() {
            return Ok(false);
        }
        let mut changes = Changes::new(link);
        let mirror = std::slice::from_ref(&one.mirror);
        let (before, after) = if one.in_truth { (&[][..], mirror) } else { (mirror, &[][..]) };
        changes.add(&one.truth, before, after);
        changes.write(&context).await.map(|()| true)
    })
    .await
}

/// Changes the truth to agree with the mirrors, and returns the number of changed documents.
pub(crate) async fn repair_from_mirrors(
    models: &[&'static ModelDefinition],
    context: &Context,
    others: Others,
) -> Result<u64> {
    let mut changed = 0;
    for link in models.iter().flat_map(|model| links_from(model)) {
        let mut survey = Survey::new(context, link);
        while let Some(found) = survey.next().await? {
            for one in found {
                changed += follow_mirror(context, link, &one, others).await?;
            }
        }
    }
    Ok(changed)
}

/// Changes the truth where the link is still one-sided, and returns the number of changed documents.
async fn follow_mirror(context: &Context, link: Link, one: &OneSided, others: Others) -> Result<u64> {
    let Some(spec) = link.as_mirror_says(one) else { return Ok(0) };
    transaction(context.database(), |transaction| {
        let spec = spec.clone();
        async move {
            let context = transaction.context;
            if link.still_one_sided(&context, std::slice::from_ref(one)).await?.is_empty() {
                return Ok(0);
            }
            (others.update_many)(&context, link.truth, spec).await
        }
    })
    .await
}

impl Link {
    /// Returns the update that makes the truth agree with the mirror; `None` where the truth cannot agree.
    fn as_mirror_says(&self, one: &OneSided) -> Option<UpdateSpec> {
        let (name, mirror) = (self.name(), &one.mirror);
        let is_optional = self.truth.field(self.relation.field).is_some_and(|field| field.shape.nullable);
        let (changes, guard) = match (self.is_array(), one.in_truth) {
            (true, true) => (ChangeSet::one(Operator::Pull, name, doc! { "$eq": mirror }), Document::new()),
            (true, false) => (ChangeSet::one(Operator::AddToSet, name, vec![mirror.clone()]), self.has_place()),
            (false, true) if !is_optional => return None,
            (false, true) => (ChangeSet::one(Operator::Set, name, Bson::Null), doc! { name: { "$eq": mirror } }),
            (false, false) => (ChangeSet::one(Operator::Set, name, mirror.clone()), Document::new()),
        };
        let mut filter = doc! { "_id": &one.truth };
        filter.extend(guard);
        let touched = vec![name.to_owned()];
        Some(UpdateSpec { filter, changes, touched, reach: Reach::All, ..UpdateSpec::default() })
    }

    /// Returns the condition of a free place in the array of a document of the truth.
    fn has_place(&self) -> Document {
        let kind = self.truth.field(self.relation.field).map(|field| field.shape.kind);
        let max = match kind {
            Some(Kind::Array { max, .. }) => max,
            _ => None,
        };
        match max.and_then(|max| max.checked_sub(1)) {
            Some(last) => doc! { format!("{}.{last}", self.name()): { "$exists": false } },
            None => Document::new(),
        }
    }
}
