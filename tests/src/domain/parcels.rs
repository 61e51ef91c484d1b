//! The writes of parcels, by every operation.

use schema_runtime::{
    Error, Executor, Result,
    operation::{BulkOutcome, BulkReport, Updated},
    prelude::*,
};

use super::{
    Answer, Carrier, Customer, Fact, Ledger, Parcel, Route, SEVERAL, SINGLE, STAYING, name, parcel, route_id, stop,
    text_id,
};

/// A write of parcels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParcelWrite {
    /// An insert of a single parcel.
    Insert,
    /// An insert that returns the stored parcel.
    Create,
    /// An insert that is built from the carrier.
    InsertWith,
    /// An insert of all parcels in `SEVERAL`, up to the first existing parcel.
    InsertMany,
    /// More weight.
    Weigh,
    /// More weight by a filter.
    WeighOne,
    /// More weight for all parcels in `STAYING`.
    WeighMany,
    /// More weight and another route for all parcels.
    MoveMany,
    /// More weight, by `find_one_and_update`.
    WeighFound,
    /// More weight by an upsert of an existing parcel.
    WeighUpsert,
    /// More hits; no parent keeps the hits.
    Hit,
    /// More hits for all parcels that stay.
    HitMany,
    /// Another route.
    Move,
    /// Another route, another customer or none, and more weight.
    MoveBoth,
    /// Another cost for all parcels of a route.
    PriceMany,
    /// Another cost.
    Price,
    /// Another carrier, or none.
    Carry,
    /// An added stop, and another cost.
    Push,
    /// An added stop for all parcels of a route.
    PushMany,
    /// All stops are replaced, with another route.
    SetStops,
    /// Another label.
    Rename,
    /// Another label and another cost for all parcels of a route.
    RenameMany,
    /// A parcel is read, changed and saved.
    Save,
    /// A parcel is read, and replaced by another value.
    Replace,
    /// An upsert by `_id`.
    Upsert,
    /// Deleted.
    Delete,
    /// Deleted by a filter.
    DeleteOne,
    /// A delete of some parcels in `SEVERAL`.
    DeleteMany,
    /// More weight, an insert, a move with more weight, and a delete, in sequence.
    Bulk,
    /// The writes of `Bulk` in any order.
    BulkUnordered,
}

impl ParcelWrite {
    /// All writes of parcels.
    pub const ALL: [ParcelWrite; 30] = {
        use ParcelWrite as W;
        [
            W::Insert,
            W::Create,
            W::InsertWith,
            W::InsertMany,
            W::Weigh,
            W::WeighOne,
            W::WeighMany,
            W::MoveMany,
            W::WeighFound,
            W::WeighUpsert,
            W::Hit,
            W::HitMany,
            W::Move,
            W::MoveBoth,
            W::PriceMany,
            W::Price,
            W::Carry,
            W::Push,
            W::PushMany,
            W::SetStops,
            W::Rename,
            W::RenameMany,
            W::Save,
            W::Replace,
            W::Upsert,
            W::Delete,
            W::DeleteOne,
            W::DeleteMany,
            W::Bulk,
            W::BulkUnordered,
        ]
    };
}

/// Returns the number of a range that `number` selects.
fn of(range: std::ops::Range<i64>, number: i64) -> i64 {
    range.start + number.rem_euclid(range.end - range.start)
}

/// Records the answer to a write that finds its document, or changes nothing.
fn answered<T>(ledger: &mut Ledger, result: Result<T>, facts: impl IntoIterator<Item = (Fact, i64)>) -> Result<T> {
    ledger.add(result.as_ref().map_or_else(Answer::by, |_| Answer::Done), facts);
    result
}

/// Records the answer to a write of a single parcel that stays.
fn of_one(ledger: &mut Ledger, result: Result<bool>, fact: Fact, by: i64) -> Result<()> {
    match result {
        Ok(false) | Err(Error::NotFound { .. }) => {
            ledger.wrong.push(format!("nothing was found for {fact:?}"));
            Ok(())
        }
        result => answered(ledger, result, [(fact, by)]).map(drop),
    }
}

fn is_one<I>(result: Result<Updated<I>>) -> Result<bool> {
    result.map(|updated| updated.matched == 1 && updated.upserted_id.is_none())
}

impl ParcelWrite {
    /// Runs the write on the parcels that the numbers select.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(self, [at, to, by]: [i64; 3], db: &impl Executor, ledger: &mut Ledger) -> Result<()> {
        let f = Parcel::F;
        let (stays, single, by) = (of(STAYING, at), of(SINGLE, at), 1 + by.rem_euclid(9));
        let any = of(STAYING.start..SEVERAL.end, at);
        let (route, customer) =
            (Ref::<Route>::new(route_id(to)), (to % 3 != 0).then(|| Ref::<Customer>::new(text_id(to))));
        let carrier = (to % 3 != 0).then(|| Ref::<Carrier>::new(text_id(to)));
        let cost = by as f64 / 4.0;
        let staying = || f.id.between(STAYING);
        let weights = || STAYING.map(|id| (Fact::Weight(id), by));
        match self {
            ParcelWrite::Insert => {
                answered(ledger, Parcel::insert(db, &parcel(single, to, by)).await, [(Fact::Parcel(single), 1)])
            }
            ParcelWrite::Create => {
                let created = Parcel::create(db, &mut parcel(single, to, by)).await;
                answered(ledger, created, [(Fact::Parcel(single), 1)])
            }
            ParcelWrite::InsertWith => {
                let from = Ref::<Carrier>::new(text_id(to));
                let build = |carrier: &Carrier| Parcel {
                    carrier: Some(Ref::new(carrier.id.clone())),
                    carrier_name: Some(carrier.name.clone()),
                    ..parcel(single, to, by)
                };
                answered(ledger, Parcel::insert_with(db, &from, build).await, [(Fact::Parcel(single), 1)]).map(drop)
            }
            ParcelWrite::InsertMany => {
                let first = of(SEVERAL, at);
                let many: Vec<Parcel> = (first..SEVERAL.end).map(|id| parcel(id, to + id, by)).collect();
                insert_many(ledger, Parcel::insert_many(db, &many).await, many.len() as i64)
            }
            ParcelWrite::Weigh => {
                let weighed = Parcel::update_by_id(stays).inc(f.weight, by).execute(db).await;
                of_one(ledger, is_one(weighed), Fact::Weight(stays), by)
            }
            ParcelWrite::WeighOne => {
                let weighed = Parcel::update_one(f.id.eq(stays)).inc(f.weight, by).set(f.cost, cost).execute(db).await;
                of_one(ledger, is_one(weighed), Fact::Weight(stays), by)
            }
            ParcelWrite::WeighMany => {
                let weighed = Parcel::update_many(staying()).inc(f.weight, by).execute(db).await;
                of_many(ledger, weighed, weights())
            }
            ParcelWrite::MoveMany => {
                let moved = Parcel::update_many(Filter::all()).inc(f.weight, by).set(f.route, route).execute(db).await;
                of_many(ledger, moved, weights())
            }
            ParcelWrite::WeighFound => {
                let found = Parcel::find_one_and_update(f.id.eq(stays)).inc(f.weight, by).set(f.cost, cost);
                let found = if by % 2 == 0 { found.fetch_after(db).await } else { found.fetch_before(db).await };
                of_one(ledger, found.map(|found| found.is_some()), Fact::Weight(stays), by)
            }
            ParcelWrite::WeighUpsert => {
                let weighed =
                    Parcel::update_by_id(stays).inc(f.weight, by).set(f.route, route).upsert().execute(db).await;
                of_one(ledger, is_one(weighed), Fact::Weight(stays), by)
            }
            ParcelWrite::Hit => {
                let hit = Parcel::update_by_id(stays).inc(f.hits, by).execute(db).await;
                of_one(ledger, is_one(hit), Fact::Hits(stays), by)
            }
            ParcelWrite::HitMany => {
                let hit = Parcel::update_many(staying()).inc(f.hits, by).execute(db).await;
                of_many(ledger, hit, STAYING.map(|id| (Fact::Hits(id), by)))
            }
            ParcelWrite::Move => Parcel::update_by_id(any).set(f.route, route).execute(db).await.map(drop),
            ParcelWrite::MoveBoth => {
                let moved = Parcel::update_by_id(stays).set(f.route, route).set(f.customer, customer).inc(f.weight, by);
                of_one(ledger, is_one(moved.execute(db).await), Fact::Weight(stays), by)
            }
            ParcelWrite::PriceMany => {
                Parcel::update_many(f.route.eq(route)).set(f.cost, cost).execute(db).await.map(drop)
            }
            ParcelWrite::Price => Parcel::update_by_id(any).set(f.cost, cost).execute(db).await.map(drop),
            ParcelWrite::Carry => Parcel::update_by_id(any).set(f.carrier, carrier).execute(db).await.map(drop),
            ParcelWrite::Push => {
                Parcel::update_by_id(any).push(f.stops, stop(to)).set(f.cost, cost).execute(db).await.map(drop)
            }
            ParcelWrite::PushMany => {
                Parcel::update_many(f.route.eq(route)).push(f.stops, stop(by)).execute(db).await.map(drop)
            }
            ParcelWrite::SetStops => {
                let set = Parcel::update_by_id(any).set(f.stops, vec![stop(to), stop(by)]).set(f.route, route);
                set.set(f.carrier, carrier).execute(db).await.map(drop)
            }
            ParcelWrite::Rename => Parcel::update_by_id(any).set(f.label, name()).execute(db).await.map(drop),
            ParcelWrite::RenameMany => Parcel::update_many(f.route.eq(route))
                .set(f.label, name())
                .set(f.cost, cost)
                .execute(db)
                .await
                .map(drop),
            ParcelWrite::Save => {
                let mut there = Parcel::get_by_id(db, &any).await?;
                (there.route, there.customer, there.carrier, there.cost) = (route, customer, carrier, cost);
                there.label = name();
                there.stops.truncate(10);
                let was_unchanged = there.version == 0;
                let saved = Parcel::save(db, &mut there).await;
                // A save of a value of version 0 inserts the parcel again when another client has deleted the parcel.
                let fact = if SEVERAL.contains(&any) { Fact::Several } else { Fact::Parcel(any) };
                match &saved {
                    Ok(()) if there.version == 0 => ledger.add(Answer::Done, [(fact, 1)]),
                    Err(error) if was_unchanged && Answer::by(error) != Answer::NotDone => {
                        ledger.add(Answer::Unknown, [(fact, 1)]);
                    }
                    _ => {}
                }
                saved
            }
            ParcelWrite::Replace => {
                let there = Parcel::get_by_id(db, &any).await?;
                let Parcel { weight, hits, version, .. } = there;
                Parcel::replace(db, &Parcel { weight, hits, version, ..parcel(any, to, by) }).await
            }
            ParcelWrite::Upsert => {
                let upsert =
                    Parcel::update_by_id(single).set(f.route, route).set(f.customer, customer).set(f.weight, by);
                let upsert = upsert.set(f.stops, vec![stop(to)]).set(f.carrier, carrier).set(f.cost, cost);
                let upserted = upsert.set(f.label, name()).set_on_insert(f.hits, 0).upsert().execute(db).await;
                upsert_of(ledger, upserted, Fact::Parcel(single))
            }
            ParcelWrite::Delete => delete(ledger, Parcel::delete_by_id(db, &single).await, Fact::Parcel(single)),
            ParcelWrite::DeleteOne => {
                delete(ledger, Parcel::delete_one(db, f.id.eq(single)).await, Fact::Parcel(single))
            }
            ParcelWrite::DeleteMany => {
                let first = of(SEVERAL, at);
                let deleted = Parcel::delete_many(db, f.id.between(first..SEVERAL.end)).await;
                match &deleted {
                    Ok(count) => ledger.add(Answer::Done, [(Fact::Several, -(*count as i64))]),
                    Err(_) => ledger.add(Answer::Unknown, [(Fact::Several, first - SEVERAL.end)]),
                }
                deleted.map(drop)
            }
            ParcelWrite::Bulk | ParcelWrite::BulkUnordered => {
                let other = of(STAYING, at + 1);
                let deleted = of(SEVERAL, to);
                let bulk = Parcel::bulk().update(Parcel::update_by_id(stays).inc(f.weight, by));
                let bulk = bulk.insert(&parcel(single, to, by));
                let moved = Parcel::update_by_id(other).set(f.route, route).inc(f.weight, by).set(f.label, name());
                let bulk = bulk.update(moved).delete_by_id(&deleted);
                let bulk = if self == ParcelWrite::Bulk { bulk } else { bulk.unordered() };
                let facts = [(Fact::Weight(stays), by), (Fact::Parcel(single), 1), (Fact::Weight(other), by)];
                of_bulk(ledger, bulk.execute(db).await, facts)
            }
        }
    }
}

/// Records the answer to an insert of parcels in `SEVERAL`.
fn insert_many(ledger: &mut Ledger, result: Result<()>, count: i64) -> Result<()> {
    match &result {
        Ok(()) => ledger.add(Answer::Done, [(Fact::Several, count)]),
        Err(Error::InsertMany { inserted, index, .. }) => {
            let known = *inserted as i64;
            ledger.add(Answer::Done, [(Fact::Several, known)]);
            if index.is_none() {
                ledger.add(Answer::Unknown, [(Fact::Several, count - known)]);
            }
        }
        Err(error) => ledger.add(Answer::by(error), [(Fact::Several, count)]),
    }
    result
}

/// Records the answer to a write of all parcels that stay, perhaps with more parcels.
fn of_many<I>(
    ledger: &mut Ledger,
    result: Result<Updated<I>>,
    facts: impl IntoIterator<Item = (Fact, i64)>,
) -> Result<()> {
    let is_short = |updated: &Updated<I>| (updated.matched as i64) < STAYING.end - STAYING.start;
    match result {
        Ok(updated) if is_short(&updated) => {
            ledger.wrong.push(format!("an update of many found {}", updated.matched));
            ledger.add(Answer::Unknown, facts);
            Ok(())
        }
        result => answered(ledger, result, facts).map(drop),
    }
}

/// Records the answer to an upsert. An error leaves open if the upsert inserted a document.
pub(super) fn upsert_of<I>(ledger: &mut Ledger, result: Result<Updated<I>>, fact: Fact) -> Result<()> {
    match &result {
        Ok(updated) if updated.upserted_id.is_none() => {}
        Ok(_) => ledger.add(Answer::Done, [(fact, 1)]),
        Err(error) if Answer::by(error) == Answer::NotDone => {}
        Err(_) => ledger.add(Answer::Unknown, [(fact, 1)]),
    }
    result.map(drop)
}

/// Records the answer to a delete of a single document.
pub(super) fn delete(ledger: &mut Ledger, result: Result<bool>, fact: Fact) -> Result<()> {
    match result {
        Ok(false) => Ok(()),
        result => answered(ledger, result, [(fact, -1)]).map(drop),
    }
}

/// Records the answer to each write of a bulk; the last write is the delete.
fn of_bulk<I>(ledger: &mut Ledger, result: Result<BulkReport<I>>, facts: [(Fact, i64); 3]) -> Result<()> {
    let report = match result {
        Ok(report) => report,
        Err(error) => {
            let answered = if Answer::by(&error) == Answer::NotDone { Answer::NotDone } else { Answer::Unknown };
            ledger.add(answered, facts.into_iter().chain([(Fact::Several, -1)]));
            return Err(error);
        }
    };
    for (outcome, fact) in report.outcomes().iter().zip(facts) {
        let answered = match outcome {
            BulkOutcome::Done => Answer::Done,
            BulkOutcome::Failed(_) | BulkOutcome::NotTried => Answer::NotDone,
            _ => Answer::Unknown,
        };
        ledger.add(answered, [fact]);
    }
    match report.outcomes().last() {
        Some(BulkOutcome::Unknown) => ledger.add(Answer::Unknown, [(Fact::Several, -1)]),
        _ => ledger.add(Answer::Done, [(Fact::Several, -(report.counts.deleted as i64))]),
    }
    if report.counts.unmatched.is_some_and(|unmatched| unmatched > 0) {
        ledger.wrong.push("a bulk of parcels that stay found one of them not".to_owned());
    }
    report.complete().map(drop)
}
