//! Groups for periods without documents. Pure.
//!
//! `$densify` steps in UTC: the months of a zone with a change of its clocks would begin an hour too early or too late.
//! So each group adds the periods up to the next group, by `$dateAdd` in the zone.

use std::ops::Range;

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::{expression::inner, period::Period};
use crate::{
    definition::{Groups, KeyForm},
    error::{Error, Result},
};

/// The most periods of one call.
const MOST: i64 = 100_000;

/// The name of the period that a document adds; null for the group of the document.
const ADDED: &str = "added";

/// Refuses more periods than the server makes in one array.
pub(super) fn checked(groups: &Groups, dates: Range<DateTime>) -> Result<Range<DateTime>> {
    let shortest = time_key(groups, "UTC").map_or(1, |(_, period)| period.shortest_millis());
    let span = dates.end.timestamp_millis().saturating_sub(dates.start.timestamp_millis());
    if span / shortest > MOST {
        return Err(Error::Query {
            message: "`fill` adds at most 100,000 periods: give nearer dates, or a longer unit",
        });
    }
    Ok(dates)
}

/// Returns the stages after the `$group` that add a group for each period without documents.
pub(super) fn filling(groups: &Groups, dates: &Range<DateTime>, zone: &str) -> Vec<Document> {
    let Some((at, period)) = time_key(groups, zone) else { return Vec::new() };
    let name = inner('k', at);
    let date = format!("$_id.{name}");
    let others: Document = (0..groups.definition.keys.len())
        .filter(|other| *other != at)
        .map(|other| (inner('k', other), Bson::from(format!("$_id.{}", inner('k', other)))))
        .collect();
    let mut stages = Vec::new();
    if others.is_empty() {
        // Of no documents the server makes no group, and a `$unionWith` is not allowed in a transaction.
        stages.push(doc! { "$facet": { "groups": [{ "$match": {} }] } });
        stages.push(doc! { "$unwind": { "path": "$groups", "preserveNullAndEmptyArrays": true } });
        let none = doc! { "$literal": { "_id": { &name: Bson::MinKey } } };
        stages.push(doc! { "$replaceWith": { "$ifNull": ["$groups", none] } });
    }
    let mut window = doc! {
        "sortBy": { format!("_id.{name}"): 1 },
        "output": {
            "next": { "$shift": { "output": &date, "by": 1, "default": dates.end } },
            "number": { "$documentNumber": {} },
        },
    };
    if !others.is_empty() {
        window.insert("partitionBy", others);
    }
    stages.push(doc! { "$setWindowFields": window });
    stages.push(doc! { "$set": { ADDED: added(&period, &date, dates) } });
    stages.push(doc! { "$unwind": format!("${ADDED}") });
    let key = doc! { "$mergeObjects": ["$_id", { &name: format!("${ADDED}") }] };
    let empty = doc! { "$mergeObjects": [{ "$literal": groups.empty_group() }, { "_id": key }] };
    let is_group = doc! { "$eq": [format!("${ADDED}"), null] };
    stages.push(doc! { "$replaceWith": { "$cond": [is_group, "$$ROOT", empty] } });
    stages
}

/// Returns null for the group itself, and the periods without documents around the group: before the first group of the
/// partition, and between each group and the next group.
fn added(period: &Period<'_>, date: &str, dates: &Range<DateTime>) -> Document {
    let is_date = |of: &str| doc! { "$eq": [{ "$type": of }, "date"] };
    let first = period.begin(dates.start);
    let is_none = doc! { "$eq": [{ "$type": date }, "minKey"] };
    let is_first = doc! { "$and": [{ "$eq": ["$number", 1] }, is_date(date)] };
    let before = periods(period, first.clone(), doc! { "$min": [date, dates.end] });
    let is_inside = doc! { "$and": [is_date(date), { "$gte": [date, first.clone()] }] };
    let following = doc! { "$cond": [is_inside, period.after(date, 1), first] };
    let after = periods(period, following.into(), doc! { "$min": ["$next", dates.end] });
    doc! { "$concatArrays": [
        { "$cond": [is_none, [], [null]] },
        { "$cond": [is_first, before, []] },
        { "$cond": [is_date("$next"), after, []] },
    ] }
}

/// Returns the periods from the begin of a period up to a date, without the date. Two local days may begin at one
/// instant, where a zone leaves out a day.
fn periods(period: &Period<'_>, from: Bson, to: Document) -> Document {
    let count = doc! { "$toInt": { "$add": [period.crossed("$$from", "$$to"), 1] } };
    let begins =
        doc! { "$map": { "input": { "$range": [0, count] }, "as": "at", "in": period.after("$$from", "$$at") } };
    let begins = doc! { "$filter": { "input": begins, "as": "begin", "cond": { "$lt": ["$$begin", "$$to"] } } };
    let all = doc! { "$cond": [{ "$gte": ["$$from", "$$to"] }, [], { "$setUnion": [begins] }] };
    doc! { "$let": { "vars": { "from": from, "to": to }, "in": all } }
}

/// Returns the number of the key that is a period, and the period.
fn time_key<'a>(groups: &Groups, of_call: &'a str) -> Option<(usize, Period<'a>)> {
    groups.definition.keys.iter().enumerate().find_map(|(at, key)| match key.form {
        KeyForm::Period { unit, zone, start_of_week } => {
            Some((at, Period { unit, zone: zone.unwrap_or(of_call), start_of_week }))
        }
        _ => None,
    })
}
