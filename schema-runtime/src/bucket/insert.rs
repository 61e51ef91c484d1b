//! Inserts into buckets: finds the last page of a chain that has children, by a read or from memory, and pushes the new
//! children to the last page or to the next page. The protocol is `docs/buckets-protocol.md`.

use std::collections::VecDeque;

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::{
    layout::{Child, ITEM_ID, Layout},
    open,
    push::{push, push_open, together},
    target::{follow, is_before, target},
};
use crate::{
    derived::copies::fill_snapshots,
    document::{encode_all, parse_all},
    error::{Error, Result},
    executor::{Attempts, Context, Executor},
    read::Query,
};

/// Inserts one child.
pub(super) fn insert<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    document: Result<RawDocumentBuf>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?.newest();
        let documents = filled(&context, &layout, vec![document?]).await?;
        let child = layout.child(&documents[0])?;
        push_all(&context, &layout, &mut VecDeque::from([child]), &mut |_| {}).await
    })
}

/// Inserts children; the children of each chain in their order.
pub(super) fn insert_many<'a>(
    db: &'a dyn Executor,
    layout: Layout,
    documents: Result<Vec<RawDocumentBuf>>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let context = db.context()?.newest();
        let mut chains: Vec<(Document, VecDeque<Child>, VecDeque<usize>)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        let documents = filled(&context, &layout, documents?).await?;
        for (at, document) in documents.into_iter().enumerate() {
            let child = layout.child(&document)?;
            let place = *places.entry(layout.chain_key(&child.chain)).or_insert(chains.len());
            if place == chains.len() {
                chains.push((child.chain.clone(), VecDeque::new(), VecDeque::new()));
            }
            chains[place].1.push_back(child);
            chains[place].2.push_back(at);
        }
        let mut inserted = 0;
        for (_, mut children, mut positions) in chains {
            let mut pushed = |count: usize| {
                inserted += count;
                positions.drain(..count);
            };
            let result = push_all(&context, &layout, &mut children, &mut pushed).await;
            result.map_err(|error| {
                let refused = position_of(&children, &error);
                let index = refused.and_then(|refused| positions.get(refused).copied());
                Error::InsertMany { collection: layout.collection(), inserted, index, source: Box::new(error) }
            })?;
        }
        Ok(())
    })
}

/// Fills in the snapshots of the children.
async fn filled(context: &Context, layout: &Layout, children: Vec<RawDocumentBuf>) -> Result<Vec<RawDocumentBuf>> {
    if !layout.model.has_snapshots() {
        return Ok(children);
    }
    let mut children = parse_all(children)?;
    fill_snapshots(context, layout.model, &mut children).await?;
    encode_all(children)
}

/// Returns the position of the child that caused the error, if one child did: for a duplicate key, the first child with
/// the key.
fn position_of(children: &VecDeque<Child>, error: &Error) -> Option<usize> {
    match error {
        Error::DuplicateKey { key, .. } => children.iter().position(|child| key_of(&child.id) == *key),
        _ if children.len() == 1 => Some(0),
        _ => None,
    }
}

/// Pushes the children of one chain in their order, as many at once as the bucket has capacity for; reports the number
/// after each push.
async fn push_all(
    context: &Context,
    layout: &Layout,
    children: &mut VecDeque<Child>,
    pushed: &mut (dyn FnMut(usize) + Send),
) -> Result<()> {
    let mut attempts = Attempts::default();
    if let ([child], _) = children.as_slices() {
        match push_unread(context, layout, child).await {
            Ok(false) => {}
            Ok(true) => {
                children.clear();
                pushed(1);
                return Ok(());
            }
            Err(error) => begins_again(context, layout, std::slice::from_ref(child), error, &mut attempts).await?,
        }
    }
    while let Some(first) = children.front() {
        let target = target(context, layout, &first.chain).await?;
        if let Some(full) = target.full {
            follow(context, layout, &first.chain, full).await?;
        }
        let left = &*children.make_contiguous();
        let many = together(left).min(target.capacity);
        let chunk = &left[..many];
        match push(context, layout, chunk, target.page, target.place(chunk), many == target.capacity).await {
            Ok(()) => {
                open::remember(context, layout, &chunk[0].chain, target.with(chunk));
                children.drain(..many);
                pushed(many);
                attempts = Attempts::default();
            }
            Err(error) => begins_again(context, layout, chunk, error, &mut attempts).await?,
        }
    }
    Ok(())
}

/// Pushes a child to the page that was open at the last insert of this process. Returns whether the child was stored.
async fn push_unread(context: &Context, layout: &Layout, child: &Child) -> Result<bool> {
    let Some(mut known) = open::remembered(context, layout, child) else { return Ok(false) };
    if known.last.is_some() && !is_before(known.last.as_ref(), std::slice::from_ref(child)) {
        return Ok(false);
    }
    let is_there = push_open(context, layout, child, known.page).await?;
    known.capacity = known.capacity.saturating_sub(1);
    known.last = child.order.clone();
    open::remember(context, layout, &child.chain, Some(known).filter(|_| is_there));
    Ok(is_there)
}

/// Decides after a refused push whether to begin again: the page is now full, another client has made the page, or the
/// children no longer come after the stored children.
///
/// # Errors
/// Any other error; [`Error::DuplicateKey`] when a child is in some bucket.
async fn begins_again(
    context: &Context,
    layout: &Layout,
    chunk: &[Child],
    error: Error,
    attempts: &mut Attempts,
) -> Result<()> {
    let Error::DuplicateKey { .. } = &error else { return Err(error) };
    // The server has ended the transaction, and a read in the transaction would see the same snapshot again.
    if context.in_transaction() {
        return Err(duplicate(layout, chunk.first().filter(|_| chunk.len() == 1)).unwrap_or(error));
    }
    if let Some(child) = one_that_is_there(context, layout, chunk).await? {
        return Err(duplicate(layout, Some(child)).unwrap_or(error));
    }
    attempts.again().await.map(drop)
}

/// Returns the first of the children that is in some bucket.
async fn one_that_is_there<'c>(context: &Context, layout: &Layout, children: &'c [Child]) -> Result<Option<&'c Child>> {
    for child in children {
        if is_there(context, layout, &child.id).await? {
            return Ok(Some(child));
        }
    }
    Ok(None)
}

/// Returns whether a child is in some bucket.
pub(super) async fn is_there(context: &Context, layout: &Layout, id: &Bson) -> Result<bool> {
    let query = Query::new(layout.collection(), crate::field::equal(ITEM_ID.to_owned(), id.clone()));
    query.exists(context).await
}

fn duplicate(layout: &Layout, child: Option<&Child>) -> Option<Error> {
    let key = key_of(&child?.id);
    let (collection, index) = (layout.collection().to_owned(), format!("{ITEM_ID}_1"));
    Some(Error::DuplicateKey { collection, index, fields: vec![ITEM_ID.to_owned()], key })
}

/// Writes a key as the server writes the key.
fn key_of(id: &Bson) -> String {
    match id {
        Bson::ObjectId(id) => format!("{{ {ITEM_ID}: ObjectId('{id}') }}"),
        id => format!("{{ {ITEM_ID}: {id} }}"),
    }
}
