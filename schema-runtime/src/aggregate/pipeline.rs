//! The pipeline of an aggregation, made from the definition of the result. Pure.

use std::ops::Range;

use mongodb::bson::{DateTime, Document, doc};

use super::{
    asked::{Asked, stage},
    children,
    expression::field,
    fill::filling,
    first_of_each,
    lookup::lookups,
};
use crate::definition::Groups;

/// Returns the stages of the aggregation.
pub(super) fn stages(groups: &Groups, asked: Asked) -> Vec<Document> {
    if groups.definition.is_of_parents() {
        return children::stages(groups, asked);
    }
    let mut stages = Vec::new();
    let by_index = !asked.is_chosen && groups.of.is_none();
    let sort = by_index.then(|| first_of_each::sort((groups.documents)(), &groups.definition, &asked.filter)).flatten();
    let is_sorted = sort.is_some();
    stages.extend(stage("$match", asked.filter));
    stages.extend(sort.map(|sort| doc! { "$sort": sort }));
    let zone = asked.zone.as_deref().unwrap_or("UTC");
    let inner = (asked.inner_having, asked.fill);
    stages.extend(grouped(groups, inner, zone, is_sorted));
    stages.extend(stage("$match", asked.having));
    stages.extend(stage("$sort", asked.sort));
    stages.extend((asked.skip > 0).then(|| doc! { "$skip": asked.skip as i64 }));
    stages.extend((asked.limit > 0).then(|| doc! { "$limit": asked.limit as i64 }));
    stages.extend(lookups(groups, |_| true));
    stages
}

/// Returns the stages of a plain aggregation, for tests of definitions that no struct has.
pub fn stages_of(groups: &Groups, filter: Document, zone: &str) -> Vec<Document> {
    stages(groups, Asked { filter, zone: Some(zone.to_owned()), ..Asked::default() })
}

/// Returns the stages that make the groups. The groups of the other aggregation are made first.
fn grouped(
    groups: &Groups,
    (inner_having, fill): (Document, Option<Range<DateTime>>),
    zone: &str,
    is_sorted: bool,
) -> Vec<Document> {
    let mut stages = Vec::new();
    if groups.definition.is_of_parents() {
        return children::all_in_one(groups);
    }
    if let Some(of) = groups.of {
        stages.extend(grouped(of, (Document::new(), None), zone, false));
        stages.extend(stage("$match", inner_having));
        stages.extend(lookups(of, |field| groups.definition.reads(field.rust_name, field.name)));
    }
    for path in groups.definition.unwind {
        stages.push(doc! { "$unwind": field((groups.documents)(), path) });
    }
    stages.push(doc! { "$group": groups.group(zone, is_sorted) });
    stages.extend(fill.into_iter().flat_map(|dates| filling(groups, &dates, zone)));
    if groups.definition.keys.is_empty() {
        // Of no documents the server makes no group. A `$facet` always gives a document, also in a transaction.
        stages.push(doc! { "$facet": { "groups": [{ "$limit": 1 }] } });
        let empty = doc! { "$literal": groups.empty_group() };
        stages.push(doc! { "$replaceWith": { "$ifNull": [{ "$first": "$groups" }, empty] } });
    }
    stages.push(doc! { "$project": groups.result(is_sorted) });
    stages
}
