//! Repairs the stored ancestors of a document by the reference to the parent. Reaches the server.

use mongodb::bson::{Bson, doc};

use super::{broken_tree::look_again, layout::Layout, node::read};
use crate::{
    changes::Origin,
    derived::{
        effect::Writer,
        touch::{Touch, touch, touch_with},
    },
    error::Result,
    executor::Context,
    transaction::transaction,
};

/// Writes the ancestors of a document by the parent. Returns whether the ancestors were wrong.
pub(super) async fn write(context: &Context, layout: Layout, id: &Bson, writer: Writer) -> Result<bool> {
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
                    touch(context, layout.definition, Touch::Nodes(doc! { "_id": { "$eq": &parent.id } })).await?;
                    layout.below(&parent.chain, &parent.id)?
                }
            };
            let mut spec = layout.storing(doc! { "_id": { "$eq": id } }, &chain);
            spec.origin = Origin::Tree;
            touch_with(&mut spec.changes);
            Ok((writer.update_many)(context, layout.definition, spec).await? > 0)
        }
    })
    .await
}
