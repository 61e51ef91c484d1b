//! The writes of holders, by every operation that adds or removes references. The copies that a caller gives differ
//! from the values of the sources.

use std::{
    ops::Range,
    sync::atomic::{AtomicI64, Ordering},
};

use schema_runtime::{Executor, Result, prelude::*};

use super::{Card, HOLDERS, Item, Owner, Place, Tag, TagRef};

/// The numbers of holders that are inserted in a batch.
const FIFTY: Range<i64> = 40..90;

/// A write of an [`Item`]; the numbers are the numbers of sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ItemWrite {
    /// An insert with two tags (a tag twice) and an owner.
    Insert(i64, i64),
    /// An insert of all missing items, up to the first existing item.
    InsertMany(i64, i64),
    /// An insert of fifty items. None of the items exists unless the same write ran before.
    InsertFifty(i64, i64),
    /// An insert that is built from the owner.
    InsertWith(i64, i64),
    /// An upsert by `_id`.
    Upsert(i64, i64),
    /// An upsert by a filter that gives the owner.
    UpsertByFilter(i64),
    /// Adds a tag.
    Push(i64),
    /// Adds a tag to all items.
    PushMany(i64),
    /// Replaces all tags.
    SetTags(i64, i64),
    /// Elements of a tag become elements of another tag.
    SetEach(i64, i64),
    /// Removes the elements of a tag.
    Pull(i64),
    /// Sets another owner.
    Owner(i64),
    /// Another owner for all items.
    OwnerMany(i64),
    /// Sets another owner by `find_one_and_update`.
    FindOwner(i64),
    /// Sets or removes the backup.
    Backup(Option<i64>),
    /// Another owner, a backup and a tag in a single update.
    Mixed(i64, i64),
    /// Another owner and an added tag for all items.
    MixedMany(i64, i64),
    /// A replacement.
    Replace(i64, i64),
    /// An item is read, changed and saved.
    Save(i64),
    /// Two inserts and an update of more items in a bulk.
    Bulk(i64, i64),
    /// An update without a copied field.
    Title,
    /// A delete.
    Delete,
}

/// A write of a [`Card`]; the number is the number of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CardWrite {
    /// An insert.
    Insert(i64),
    /// An insert that is built from the tag.
    InsertWith(i64),
    /// An insert of all missing cards, up to the first existing card.
    InsertMany(i64),
    /// An insert of fifty cards. None of the cards exists unless the same write ran before.
    InsertFifty(i64),
    /// Sets another tag.
    Tag(i64),
    /// Another tag for all cards.
    TagMany(i64),
    /// A replacement with another tag. The text counts the replacements: no document repeats.
    Replace(i64),
    /// A delete.
    Delete,
}

fn key() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn tag(place: Place, number: i64) -> TagRef {
    TagRef { id: Ref::new(place.id(number)), label: "?".to_owned(), count: -1, key: key() }
}

fn item(place: Place, id: i64, (first, owner): (i64, i64)) -> Item {
    Item {
        id,
        title: String::new(),
        tags: vec![tag(place, first), tag(place, owner), tag(place, first)],
        owner: Ref::new(place.id(owner)),
        label: "?".to_owned(),
        count: -1,
        backup: (first == owner).then(|| Ref::new(place.id(first))),
        backup_label: None,
    }
}

impl ItemWrite {
    /// Runs the write on the item with this number.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(self, place: Place, number: i64, db: &impl Executor) -> Result<()> {
        let (id, f) = (place.id(number), Item::F);
        let owner = |number| Ref::<Owner>::new(place.id(number));
        let all = || f.id.between(place.range());
        match self {
            ItemWrite::Insert(a, b) => Item::insert(db, &item(place, id, (a, b))).await,
            ItemWrite::InsertMany(a, b) => {
                let ids = (0..HOLDERS).map(|at| place.id((number + at) % HOLDERS));
                let items: Vec<Item> = ids.map(|id| item(place, id, (a, b))).collect();
                Item::insert_many(db, &items).await
            }
            ItemWrite::InsertFifty(a, b) => {
                let items: Vec<Item> = FIFTY.map(|number| item(place, place.id(number), (a, b))).collect();
                Item::insert_many(db, &items).await
            }
            ItemWrite::InsertWith(a, b) => {
                let build = |owner: &Owner| Item { label: owner.label.clone(), ..item(place, id, (a, b)) };
                Item::insert_with(db, &owner(b), build).await.map(drop)
            }
            ItemWrite::Upsert(a, b) => {
                let upsert = Item::update_by_id(id).set(f.tags, vec![tag(place, a)]).set(f.owner, owner(b));
                upsert.set_on_insert(f.title, "").set_on_insert(f.backup, None).upsert().execute(db).await.map(drop)
            }
            ItemWrite::UpsertByFilter(b) => {
                let upsert = Item::update_one(f.id.eq(id).and(f.owner.eq(owner(b)))).set(f.title, "by filter");
                upsert.set_on_insert(f.tags, Vec::new()).upsert().execute(db).await.map(drop)
            }
            ItemWrite::Push(a) => Item::update_by_id(id).push(f.tags, tag(place, a)).execute(db).await.map(drop),
            ItemWrite::PushMany(a) => Item::update_many(all()).push(f.tags, tag(place, a)).execute(db).await.map(drop),
            ItemWrite::SetTags(a, b) => {
                Item::update_by_id(id).set(f.tags, vec![tag(place, a), tag(place, b)]).execute(db).await.map(drop)
            }
            ItemWrite::SetEach(a, b) => {
                let (from, to) = (Ref::<Tag>::new(place.id(a)), Ref::<Tag>::new(place.id(b)));
                let each =
                    Item::update_by_id(id).each(f.tags, |tag| tag.id.eq(from), |change, tag| change.set(tag.id, to));
                each.execute(db).await.map(drop)
            }
            ItemWrite::Pull(a) => {
                let there = Item::get_by_id(db, &id).await?;
                let Some(of) = there.tags.into_iter().find(|tag| tag.id == Ref::new(place.id(a))) else {
                    return Ok(());
                };
                Item::update_by_id(id).pull(f.tags, of).execute(db).await.map(drop)
            }
            ItemWrite::Owner(b) => Item::update_by_id(id).set(f.owner, owner(b)).execute(db).await.map(drop),
            ItemWrite::OwnerMany(b) => Item::update_many(all()).set(f.owner, owner(b)).execute(db).await.map(drop),
            ItemWrite::FindOwner(b) => {
                Item::find_one_and_update(f.id.eq(id)).set(f.owner, owner(b)).fetch_before(db).await.map(drop)
            }
            ItemWrite::Backup(b) => Item::update_by_id(id).set(f.backup, b.map(owner)).execute(db).await.map(drop),
            ItemWrite::Mixed(a, b) => {
                let mixed = Item::update_by_id(id).set(f.owner, owner(a)).set(f.backup, Some(owner(b)));
                mixed.push(f.tags, tag(place, b)).execute(db).await.map(drop)
            }
            ItemWrite::MixedMany(a, b) => {
                let mixed = Item::update_many(all()).set(f.owner, owner(a)).push(f.tags, tag(place, b));
                mixed.execute(db).await.map(drop)
            }
            ItemWrite::Replace(a, b) => Item::replace(db, &item(place, id, (a, b))).await,
            ItemWrite::Save(b) => {
                let mut there = Item::get_by_id(db, &id).await?;
                there.owner = owner(b);
                there.tags.push(tag(place, b));
                there.tags.truncate(20);
                Item::save(db, &mut there).await
            }
            ItemWrite::Bulk(a, b) => {
                let [second, third] = [1, 2].map(|at| item(place, place.id((number + at) % HOLDERS), (a, b)));
                let bulk = Item::bulk().insert(&second).insert(&third);
                let bulk =
                    bulk.update(Item::update_by_id(id).push(f.tags, tag(place, a)).set(f.title, "bulk")).unordered();
                bulk.execute(db).await?.complete().map(drop)
            }
            ItemWrite::Title => Item::update_by_id(id).set(f.title, "new").execute(db).await.map(drop),
            ItemWrite::Delete => Item::delete_by_id(db, &id).await.map(drop),
        }
    }
}

impl CardWrite {
    /// Runs the write on the card with this number.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(self, place: Place, number: i64, db: &impl Executor) -> Result<()> {
        let (id, f) = (place.id(number), Card::F);
        let tag = |number| Ref::<Tag>::new(place.id(number));
        let card = |id, a| Card { id, tag: tag(a), label: "?".to_owned(), count: -1, text: String::new() };
        match self {
            CardWrite::Insert(a) => Card::insert(db, &card(id, a)).await,
            CardWrite::InsertWith(a) => {
                let build = |tag: &Tag| Card { label: tag.label.clone(), count: tag.count, ..card(id, a) };
                Card::insert_with(db, &tag(a), build).await.map(drop)
            }
            CardWrite::InsertMany(a) => {
                let ids = (0..HOLDERS).map(|at| place.id((number + at) % HOLDERS));
                let cards: Vec<Card> = ids.map(|id| card(id, a)).collect();
                Card::insert_many(db, &cards).await
            }
            CardWrite::InsertFifty(a) => {
                let cards: Vec<Card> = FIFTY.map(|number| card(place.id(number), a)).collect();
                Card::insert_many(db, &cards).await
            }
            CardWrite::Tag(a) => Card::update_by_id(id).set(f.tag, tag(a)).execute(db).await.map(drop),
            CardWrite::TagMany(a) => {
                let many = Card::update_many(f.id.between(place.range())).set(f.tag, tag(a));
                many.execute(db).await.map(drop)
            }
            CardWrite::Replace(a) => Card::replace(db, &card(id, a)).await,
            CardWrite::Delete => Card::delete_by_id(db, &id).await.map(drop),
        }
    }
}
