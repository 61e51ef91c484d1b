//! Repairs one-sided links: the mirror follows the truth, or on request the truth follows the mirror. May run beside
//! all writers. Reaches the server.

use mongodb::bson::{Bson, Document, doc};

use super::{
    link::{Link, links_from},
    mirror::Changes,
    one_sided_link::{OneSided, ends},
};
use crate::{
    changes::{ChangeSet, Operator, Reach, UpdateSpec},
    definition::{Kind, ModelDefinition},
    derived::effect::Writer,
    error::Result,
    executor::Context,
    transaction::transaction,
};

/// Changes the mirror where the link is still one-sided. Returns whether the link was one-sided.
pub(super) async fn follow_truth(context: &Context, link: Link, one: &OneSided) -> Result<bool> {
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
    writer: Writer,
) -> Result<u64> {
    let mut changed = 0;
    for link in models.iter().flat_map(|model| links_from(model)) {
        for end in ends(link) {
            let mut walk = end.documents(context);
            while let Some(chunk) = walk.next().await? {
                for one in end.one_sided(context, &chunk).await? {
                    changed += follow_mirror(context, link, &one, writer).await?;
                }
            }
        }
    }
    Ok(changed)
}

/// Changes the truth where the link is still one-sided, and returns the number of changed documents.
async fn follow_mirror(context: &Context, link: Link, one: &OneSided, writer: Writer) -> Result<u64> {
    let Some(spec) = link.as_mirror_says(one) else { return Ok(0) };
    transaction(context.database(), |transaction| {
        let spec = spec.clone();
        async move {
            let context = transaction.context;
            if link.still_one_sided(&context, std::slice::from_ref(one)).await?.is_empty() {
                return Ok(0);
            }
            (writer.update_many)(&context, link.truth, spec).await
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
