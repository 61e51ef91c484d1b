//! Explains the read of each far side of a relation: the documents that refer to a document.

use futures_util::future::BoxFuture;
use mongodb::{
    Database,
    bson::{Bson, Document},
};

use super::{
    SAMPLES,
    explained::ExplainedQuery,
    is_selected,
    sample::{Asked, sampled},
};
use crate::{
    definition::{InverseDefinition, ModelDefinition},
    error::Result,
    executor::{Context, Executor},
    explain::{Plan, problems},
    field::equal,
    join::{query::ChildrenQuery, relation_of},
    manage::schema::Schema,
    read::Query,
};

/// The number of referring documents that an explained read returns.
const READ: u64 = 100;

/// Explains the far sides of relations with these names, as `comments` or `Post::comments`; without names, each far
/// side. A far side reads the documents that refer to one document, in the order of the relation: the first 100
/// documents, or the first 100 buckets. Each read is explained with the references of up to three stored documents.
///
/// # Errors
/// Errors of the driver.
///
/// # Examples
/// ```no_run
/// use schema_runtime::{explain_relations, prelude::*};
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "posts")]
/// #[inverse(comments = Comment::post)]
/// struct Post {
///     #[serde(rename = "_id")]
///     id: ObjectId,
/// }
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "comments")]
/// struct Comment {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     #[relation(one_to_squillions, parent_ref)]
///     post: Ref<Post>,
/// }
///
/// async fn print_plans(db: &Database) -> Result<()> {
///     for explained in explain_relations(&schema![Post, Comment], &[], db).await? {
///         println!("{explained}");
///     }
///     Ok(())
/// }
/// ```
pub fn explain_relations<'a>(
    schema: &'a Schema,
    names: &'a [&'a str],
    db: &'a Database,
) -> BoxFuture<'a, Result<Vec<ExplainedQuery>>> {
    Box::pin(async move {
        let (context, mut all) = (db.plain_context()?, Vec::new());
        for model in schema.models() {
            for inverse in model.inverses {
                if is_selected(names, model, inverse.accessor) {
                    all.push(explain(model, inverse, &context).await?);
                }
            }
        }
        Ok(all)
    })
}

async fn explain(
    model: &'static ModelDefinition,
    inverse: &'static InverseDefinition,
    context: &Context,
) -> Result<ExplainedQuery> {
    let child = (inverse.child.definition)();
    let path = match child.bucket {
        Some(_) => child.stored().stored_path(&[inverse.field]),
        None => relation_of(child, inverse.field).path(child),
    };
    let asked = [Asked { path: path.clone(), or_null: false }];
    let mut worst = ExplainedQuery::without_document(model.model, inverse.accessor);
    for reference in sampled(context, child.stored().collection, &asked, SAMPLES).await?.into_iter().flatten() {
        let explained = context.explain(command(child, inverse, &path, reference)).await?;
        let (plan, problems) = (Plan::of(&explained), problems(&explained));
        worst = worst.or_worse(ExplainedQuery::new(model.model, inverse.accessor, &plan, problems));
        if worst.has_problems() {
            break;
        }
    }
    Ok(worst)
}

/// Returns the command that reads the documents with the reference.
fn command(child: &'static ModelDefinition, inverse: &InverseDefinition, path: &str, reference: Bson) -> Document {
    let read = match child.bucket {
        Some(_) => Query::new(child.stored().collection, equal(path.to_owned(), reference)),
        None => ChildrenQuery::new(child, inverse.field, reference, Document::new).all(),
    };
    Query { limit: READ, ..read }.into_command()
}
