//! Deletes documents at an end of a `two_way` relation, and removes the documents from the opposite ends. Reaches the
//! server.

use mongodb::bson::{Bson, Document, doc};

use super::{
    link::{Link, ids_in, links_from, links_into},
    mirror::Changes,
};
use crate::{
    changes::Reach,
    definition::{DeleteRule, ModelDefinition},
    derived::{
        effect::{ReferenceRemoval, Writer},
        statements::change_all,
    },
    document::value_at,
    error::{Error, Result},
    executor::Context,
    read::Query,
};

/// Deletes the documents that the filter and the reach select, in a transaction. Returns the number of deleted
/// documents.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    reach: Reach,
    writer: Writer,
) -> Result<u64> {
    let (from, into) = (links_from(definition), links_into(definition));
    let names = from.iter().map(Link::name).chain(into.iter().map(|link| link.mirror_name));
    let mut query = Query::new(definition.collection, filter.clone());
    query.projection = names.map(|name| (name.to_owned(), Bson::Int32(1))).collect();
    query.projection.insert("_id", 1);
    query.limit = u64::from(!reach.is_many());
    let documents = query.all(&context.newest()).await?;
    let ids: Vec<Bson> = documents.iter().filter_map(|document| document.get("_id").cloned()).collect();
    if ids.is_empty() {
        return Ok(0);
    }
    for link in &into {
        for document in &documents {
            leave(context, link, document, writer).await?;
        }
    }
    let deleted = writer.delete(context, definition, doc! { "_id": { "$in": &ids } }, Reach::All).await?;
    for link in from {
        let mut changes = Changes::new(link);
        for document in &documents {
            changes.add(document.get("_id").unwrap_or(&Bson::Null), &link.targets(document), &[]);
        }
        changes.write(context).await?;
    }
    Ok(deleted)
}

/// Applies the delete rule to the documents that refer to a deleted document: the documents lose the reference, are
/// deleted, or stop the delete.
async fn leave(context: &Context, link: &Link, document: &Document, writer: Writer) -> Result<()> {
    let id = document.get("_id").cloned().unwrap_or(Bson::Null);
    let referring = ids_in(&value_at(document, link.mirror_name));
    if referring.is_empty() {
        return Ok(());
    }
    let rule = link.on_delete();
    if rule == DeleteRule::Restrict {
        let by = Box::new(referring.into_iter().next().unwrap_or(Bson::Null));
        return Err(Error::DeleteRestricted { relation: link.text(), by });
    }
    if rule == DeleteRule::Cascade {
        // A referring document may lead back to the deleted document.
        let emptied = doc! { "$set": { link.mirror_name: [] } };
        change_all(context, link.mirror, doc! { "_id": { "$eq": &id } }, emptied).await?;
    }
    let filter = doc! { "_id": { "$in": referring }, link.name(): { "$eq": &id } };
    let removal = ReferenceRemoval { child: link.truth, name: link.name(), rule, pulled: doc! { "$eq": id } };
    writer.remove_references(context, removal, filter).await.map(drop)
}
