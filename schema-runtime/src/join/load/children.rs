//! Reads children that refer to their parents.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, RawDocument};

use super::side_by_side::{Command, Sink, side_by_side};
use crate::{
    codec,
    definition::ModelDefinition,
    error::Result,
    executor::Executor,
    join::{
        Fields, Item, Joined, Loaded, Name, Slot,
        query::{ChildrenQuery, Groups, children_of_many, chunks},
        relation_of,
    },
    key::Key,
    model::Model,
    page::{Page, Request},
    read::{self, Query, run},
};

/// The number of parents per command of a load.
const PARENTS: usize = 100;

/// Reads all documents that a query finds.
pub(crate) async fn all<T: Item, C: Model>(
    db: &dyn Executor,
    name: Name,
    query: Result<Query>,
) -> Result<Joined<T, C>> {
    let mut children = Vec::new();
    let mut visit = |document: &RawDocument| {
        children.push(read::decode(C::DEFINITION.collection, document));
        Ok(ControlFlow::Continue(()))
    };
    run::each(db, query, &mut visit).await?;
    Ok(Joined::of_query(name, children))
}

/// Reads a page of the children.
pub(crate) async fn page<T: Item, C: Model>(
    db: &dyn Executor,
    name: Name,
    children: Result<ChildrenQuery>,
    request: Request<'_>,
) -> Result<Page<Joined<T, C>>> {
    let page = request.fetch(db, children.map(ChildrenQuery::into_paged)).await?;
    Ok(page.map(|items| Joined::of_query(name, items)))
}

/// Reads all children of many parents.
pub(crate) async fn load_all<P: Model, C: Model, T: Item>(
    db: &dyn Executor,
    field: &'static str,
    parents: Result<Vec<Bson>>,
    fields: Fields,
) -> Result<Loaded<P, C, T>> {
    let (mut groups, ids) = Groups::new(parents?);
    let (queries, path) = queries(C::DEFINITION, field, ids, fields)?;
    let sinks: Vec<Sink<(Vec<Key>, Result<T>)>> = queries.iter().map(|_| Sink::default()).collect();
    let commands = queries.into_iter().zip(&sinks).map(|(query, sink)| {
        let (sink, path) = (sink.clone(), path.clone());
        let visit = move |document: &RawDocument| {
            sink.add((parents_in(document, &path), read::decode(C::DEFINITION.collection, document)));
        };
        Command::query(query, visit)
    });
    side_by_side(db, commands.collect()).await?;
    let mut slots = Vec::new();
    for (parents, child) in sinks.into_iter().flat_map(Sink::take) {
        groups.add(&parents);
        slots.push(Slot::of_answer(child));
    }
    Ok(Loaded::new(Name::new(C::DEFINITION, field), slots, groups.into_spans()))
}

/// Returns the queries for the children of all parents, and the path of the references.
fn queries(
    child: &'static ModelDefinition,
    field: &str,
    parents: Vec<Bson>,
    fields: Fields,
) -> Result<(Vec<Query>, String)> {
    let relation = relation_of(child, field);
    let queries = chunks(parents, PARENTS)?.into_iter().map(|ids| children_of_many(child, relation, ids, fields));
    Ok((queries.collect(), relation.path(child)))
}

/// Returns the parents that a child refers to.
fn parents_in(child: &RawDocument, path: &str) -> Vec<Key> {
    let mut parents = Vec::new();
    codec::each_at(child, path, &mut |parent| parents.extend(Key::of_raw(parent)));
    parents
}
