//! Changes of the references of a document: `reassign`, `link`, `unlink`, `set`.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{command::Command, write::find_one_and_update};
use crate::operation::sharded;
use crate::{
    changes::{ChangeSet, IfAbsent, Operator, Reach},
    definition::{ModelDefinition, RelationDefinition},
    derived::effect::Returns,
    derived::throttle::Propagation,
    document::value_at,
    error::{Error, Result},
    executor::{Context, Executor},
    field::{self, Change, ChangeList},
    key::Key,
    model::without_hidden,
    operation::atomic::atomically,
    read::Query,
    transaction::Transaction,
};

/// A change of the references of one document.
#[derive(Clone, Debug)]
pub(crate) enum References {
    /// Adds the reference; in a field with a single reference, replaces the reference.
    Link(Bson),
    /// Removes the reference.
    Unlink(Bson),
    /// Replaces all references by the given references.
    Set(Vec<Bson>),
}

/// Changes the references of the document with this `_id` by the relation in the Rust field `field`, and returns
/// whether the references were different before. A change of the mirror of a `two_way` is made on the far side.
pub(crate) fn change_references<'a>(
    db: &'a dyn Executor,
    definition: &'static ModelDefinition,
    field: &'static str,
    id: Result<Bson>,
    change: Result<References>,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let (id, change) = (id?, change?);
        let Some(relation) = definition.relation(field) else { return Ok(false) };
        match relation.is_mirror {
            false => change_one(db, definition, relation, id, change).await,
            true => change_far_side(db, definition, relation, id, change).await,
        }
    })
}

async fn change_one(
    db: &dyn Executor,
    definition: &'static ModelDefinition,
    relation: &RelationDefinition,
    id: Bson,
    change: References,
) -> Result<bool> {
    if relation.reference.is_some() || relation.by.is_some() {
        let (model, field) = (definition.model, relation.field);
        let message = format!("`{model}.{field}` holds extended references: push and pull the elements by an update");
        return Err(Error::Update { message });
    }
    let Some(field) = definition.field(relation.field) else { return Ok(false) };
    let (name, mut filter) = (field.name, field::equal("_id".to_owned(), id));
    let (mut by_id, is_array) = (true, relation.is_array());
    let (operator, value) = match change {
        References::Link(target) if is_array => (Operator::AddToSet, Bson::Array(vec![target])),
        References::Link(target) => (Operator::Set, target),
        References::Unlink(target) if is_array => (Operator::PullAll, Bson::Array(vec![target])),
        References::Unlink(target) => {
            if !field.shape.nullable {
                let (model, field) = (definition.model, relation.field);
                let message = format!(
                    "`{model}.{field}` always refers to a document: reassign the reference, or make the field an \
                     `Option`"
                );
                return Err(Error::Update { message });
            }
            filter = field::and(filter, field::equal(name.to_owned(), target));
            by_id = false;
            (Operator::Set, Bson::Null)
        }
        References::Set(targets) => (Operator::Set, Bson::Array(targets)),
    };
    sharded::refuse_change(definition, &ChangeSet::one(Operator::Set, name, Bson::Null))?;
    filter = sharded::with_stored_key(db, definition, filter).await?;
    let (path, leaves_none_out) = (name.to_owned(), field.skippable);
    let change =
        Change { operator, path, value, shape: Some(&field.shape), cap: None, position: None, leaves_none_out };
    let after = change.value.clone();
    let (changes, propagation) = (ChangeList::one(change), Propagation::default());
    let command = Command::new(definition, Ok(filter), changes, IfAbsent::Ignore, Reach::Returned, propagation);
    let command =
        command.and_then(|command| command.returning(without_hidden(definition.fields)).sharded(Returns::Before));
    let Some(before) = find_one_and_update(db, command, Returns::Before).await? else {
        return if by_id { Err(Error::not_found(definition)) } else { Ok(false) };
    };
    let before = value_at(&Document::try_from(&*before).map_err(Error::encode)?, name);
    Ok(match (operator, before, after) {
        (Operator::Set, before, after) => before != after,
        (Operator::AddToSet, Bson::Array(before), Bson::Array(added)) => !has(&before, &added),
        (Operator::PullAll, Bson::Array(before), Bson::Array(gone)) => has(&before, &gone),
        (operator, ..) => operator == Operator::AddToSet,
    })
}

/// Returns whether an element of `these` is in `among`.
fn has(among: &[Bson], these: &[Bson]) -> bool {
    let among: Vec<Key> = among.iter().map(Key::of).collect();
    these.iter().any(|id| among.contains(&Key::of(id)))
}

/// Changes the references from the side of the mirror, whose document has this `_id`.
async fn change_far_side(
    db: &dyn Executor,
    definition: &'static ModelDefinition,
    relation: &'static RelationDefinition,
    id: Bson,
    change: References,
) -> Result<bool> {
    let Some(mirror) = definition.mirrors.iter().find(|mirror| mirror.field == relation.field) else {
        return Ok(false);
    };
    let (truth, field) = (mirror.child(), mirror.child_field);
    match change {
        References::Link(other) => change_references(db, truth, field, Ok(other), Ok(References::Link(id))).await,
        References::Unlink(other) => change_references(db, truth, field, Ok(other), Ok(References::Unlink(id))).await,
        References::Set(others) => {
            let context = db.context()?;
            let write = |context: Context| -> BoxFuture<'_, Result<bool>> {
                let (id, others) = (id.clone(), others.clone());
                Box::pin(async move { set_mirror(context, definition, relation, id, others).await })
            };
            atomically(&context, write).await
        }
    }
}

/// Links the documents of `others` that are missing in the mirror, and unlinks all documents of the mirror that are
/// missing in `others`.
async fn set_mirror(
    context: Context,
    definition: &'static ModelDefinition,
    relation: &'static RelationDefinition,
    id: Bson,
    others: Vec<Bson>,
) -> Result<bool> {
    let mut query = Query::by_id(definition.collection, id.clone());
    query.projection = doc! { relation.name: 1 };
    let Some(stored) = query.first(&context).await? else { return Err(Error::not_found(definition)) };
    let stored = Document::try_from(&*stored).map_err(Error::encode)?;
    let held = stored.get_array(relation.name).cloned().unwrap_or_default();
    let keys = |ids: &[Bson]| -> Vec<Key> { ids.iter().map(Key::of).collect() };
    let (held_keys, other_keys) = (keys(&held), keys(&others));
    let gone = held.iter().filter(|id| !other_keys.contains(&Key::of(id)));
    let new = others.iter().filter(|id| !held_keys.contains(&Key::of(id)));
    let changes = gone.map(|other| References::Unlink(other.clone()));
    let changes: Vec<_> = changes.chain(new.map(|other| References::Link(other.clone()))).collect();
    let (transaction, mut changed) = (Transaction::of(context), false);
    for change in changes {
        changed |= change_references(&transaction, definition, relation.field, Ok(id.clone()), Ok(change)).await?;
    }
    Ok(changed)
}
