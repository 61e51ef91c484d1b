//! Rows of parents: the fields of each parent, with values of the children of the parent. The parents are read first;
//! the values of the children follow for many parents at a time, unless a condition or the sort names the values. The
//! pipelines are pure; `fill` reads.

mod fill;
mod part;

pub(super) use fill::Fill;
use mongodb::bson::{Bson, Document, doc};
use part::{Part, parts};

use super::asked::{Asked, stage};
use crate::definition::Groups;

/// Returns the stages that read the parents, with the values of the children that a condition or the sort names.
pub(super) fn stages(groups: &Groups, asked: Asked) -> Vec<Document> {
    let decided: Vec<Part> = parts(groups).into_iter().filter(|part| part.decides(&asked)).collect();
    let mut stages = Vec::new();
    stages.extend(stage("$match", asked.filter));
    let of_parents: Option<Document> =
        asked.sort.iter().map(|(name, way)| Some((stored(groups, name)?, way.clone()))).collect();
    let is_sorted = of_parents.is_some();
    // An index may give an order by fields of the parent alone.
    stages.extend(of_parents.and_then(|sort| stage("$sort", sort)));
    stages.push(doc! { "$project": own(groups) });
    stages.extend(decided.iter().flat_map(|part| part.looked_up(groups)));
    stages.extend(stage("$match", asked.having));
    if !is_sorted {
        stages.extend(stage("$sort", asked.sort));
    }
    stages.extend((asked.skip > 0).then(|| doc! { "$skip": asked.skip as i64 }));
    stages.extend((asked.limit > 0).then(|| doc! { "$limit": asked.limit as i64 }));
    stages
}

/// Returns the stages that make whole rows of the documents of a pipeline, for an aggregation of the rows.
pub(super) fn all_in_one(groups: &Groups) -> Vec<Document> {
    let mut stages = vec![doc! { "$project": own(groups) }];
    stages.extend(parts(groups).iter().flat_map(|part| part.looked_up(groups)));
    stages
}

/// Returns the operand of the `$project` that gives the fields of the parent their names in the row. The `_id` names
/// the parent of a row.
fn own(groups: &Groups) -> Document {
    let parent = (groups.documents)();
    let mut row = doc! { "_id": 1 };
    for at in groups.definition.own {
        let field = &groups.fields[*at];
        let path = parent.stored_path(&[field.rust_name]);
        let value = if path == field.name { Bson::Int32(1) } else { Bson::String(format!("${path}")) };
        row.insert(field.name, value);
    }
    row
}

/// Returns the stored path in the parent of a path in the row; `None` for a value of the children.
fn stored(groups: &Groups, path: &str) -> Option<String> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let mut own = groups.definition.own.iter().map(|at| &groups.fields[*at]);
    let field = own.find(|field| field.name == name)?;
    let stored = (groups.documents)().stored_path(&[field.rust_name]);
    Some(rest.map_or(stored.clone(), |rest| format!("{stored}.{rest}")))
}
