//! Children that refer to their parents.

use std::ops::ControlFlow;

use super::side_by_side::side_by_side;
use crate::{
    codec,
    error::Result,
    executor::Context,
    join::{
        Fields, Item, Joined, Loaded, Name,
        query::{ChildrenQuery, Groups, children_of_many, chunks},
        relation_of,
    },
    key::Key,
    model::Model,
    page::{Page, Request},
    read::{self, Query},
};

/// Of how many parents one command of a load reads the children.
const PARENTS: usize = 100;

/// Everything that a query finds.
pub(crate) async fn all<T: Item, C: Model>(context: &Context, name: Name, query: Query) -> Result<Joined<T, C>> {
    let collection = query.collection;
    let mut children = Vec::new();
    let visit = |document: &_| {
        children.push(read::decode(collection, document));
        Ok(ControlFlow::Continue(()))
    };
    query.for_each(context, visit).await?;
    Ok(Joined::of_query(name, children))
}

/// A page of the children.
pub(crate) async fn page<T: Item, C: Model>(
    context: &Context,
    children: &ChildrenQuery,
    request: Request<'_>,
) -> Result<Page<Joined<T, C>>> {
    let page = request.fetch(context, children.paged(), &children.order).await?;
    Ok(page.map(|items| Joined::of_query(children.name, items)))
}

/// All children of many parents.
pub(crate) async fn load_all<'p, P: Model, C: Model, T: Item>(
    context: &Context,
    field: &'static str,
    parents: impl IntoIterator<Item = &'p P>,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let relation = relation_of::<C>(field);
    let (mut groups, ids) = Groups::new(parents)?;
    let commands = chunks(ids, PARENTS)?.into_iter().map(|ids| {
        let query = children_of_many::<C>(relation, ids, fields);
        read_with_parents(context.clone(), query, relation.path(C::DEFINITION))
    });
    for (parents, child) in side_by_side(commands.collect()).await?.into_iter().flatten() {
        groups.add(parents, child);
    }
    Ok(groups.into_loaded(Name::new(C::DEFINITION, field)))
}

async fn read_with_parents<T: Item>(
    context: Context,
    query: Query,
    path: String,
) -> Result<Vec<(Vec<Key>, Result<T>)>> {
    let collection = query.collection;
    let mut children = Vec::new();
    let visit = |document: &mongodb::bson::RawDocument| {
        let mut parents = Vec::new();
        codec::each_at(document, &path, &mut |parent| parents.extend(Key::of_raw(parent)));
        children.push((parents, read::decode(collection, document)));
        Ok(ControlFlow::Continue(()))
    };
    query.for_each(&context, visit).await?;
    Ok(children)
}
