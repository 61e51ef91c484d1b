//! Repairs the stored ancestors of documents by the references to parents. May run beside all writers. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, doc};

use super::{
    complete::complete_all,
    layout::Layout,
    node::read,
    survey::{Survey, Wrong, look_again},
    writing::{TOUCHED, touch},
};
use crate::{
    changes::{Operator, Origin},
    definition::ModelDefinition,
    derived::effect::Others,
    error::Result,
    executor::Context,
    report::{counted, named},
    transaction::transaction,
};

/// The result of the repair of the tree of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedTree {
    /// The model.
    pub model: &'static str,
    /// The number of documents whose stored ancestors were written again.
    pub documents: u64,
    /// The number of documents in cycles. The documents stay in the cycle: `move_to_root` takes a document out of a cycle. In a tree with
    /// stored ancestors, the number excludes documents of a cycle whose ancestors agree with the parent.
    pub cycles: u64,
    /// The `_id`s of some documents in cycles.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RepairedTree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = counted(self.documents, "document", "documents");
        write!(formatter, "{}: the ancestors of {documents} written again", self.model)?;
        match self.cycles {
            0 => Ok(()),
            cycles => write!(formatter, "; {} their own ancestors", counted(cycles, "document is", "documents are")),
        }
    }
}

pub(crate) async fn repair(
    models: &[&'static ModelDefinition],
    context: &Context,
    others: Others,
) -> Result<Vec<RepairedTree>> {
    let mut all = Vec::new();
    for layout in models.iter().filter_map(|model| Layout::of(model)) {
        if layout.keeps_chain() {
            complete_all(context, &layout, others).await?;
        }
        let mut repaired =
            RepairedTree { model: layout.definition.model, documents: 0, cycles: 0, examples: Vec::new() };
        // A written document makes the documents below wrong. The next pass finds the wrong documents: a pass for each level at most.
        for _ in 0..=layout.max_depth * 2 {
            let before = repaired.documents;
            (repaired.cycles, repaired.examples) = (0, Vec::new());
            let mut survey = Survey::new(context, layout);
            while let Some(found) = survey.next().await? {
                for (id, wrong) in found {
                    match wrong {
                        Wrong::Ancestors => repaired.documents += u64::from(write(context, layout, id, others).await?),
                        Wrong::Cycle => {
                            repaired.cycles += 1;
                            named(&mut repaired.examples, [id]);
                        }
                    }
                }
            }
            if repaired.documents == before {
                break;
            }
        }
        if repaired.documents + repaired.cycles > 0 {
            all.push(repaired);
        }
    }
    Ok(all)
}

/// Writes the ancestors of a document by the parent. Returns whether the ancestors were wrong.
async fn write(context: &Context, layout: Layout, id: Bson, others: Others) -> Result<bool> {
    transaction(context.database(), |transaction| {
        let id = id.clone();
        async move {
            let context = &transaction.context;
            if look_again(context, &layout, std::slice::from_ref(&id)).await?.is_empty() {
                return Ok(false);
            }
            let Some(node) = read(context, &layout, &id).await? else { return Ok(false) };
            let chain = match &node.parent {
                Bson::Null => layout.root(),
                parent => {
                    let Some(parent) = read(context, &layout, parent).await? else { return Ok(false) };
                    touch(context, &layout, doc! { "_id": { "$eq": &parent.id } }).await?;
                    layout.below(&parent.chain, &parent.id)?
                }
            };
            let mut spec = layout.storing(doc! { "_id": { "$eq": id } }, &chain);
            spec.origin = Origin::Tree;
            spec.changes.put(Operator::Inc, TOUCHED, 1_i64);
            Ok((others.update_many)(context, layout.definition, spec).await? > 0)
        }
    })
    .await
}
