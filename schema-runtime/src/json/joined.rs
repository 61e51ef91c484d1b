//! Results of joins: each document with the joined documents under the name of the relation.

use serde::Serialize;

use super::{
    name::name_of,
    prepared::{Content, PreparedJson, ToJson},
};
use crate::{
    error::{Error, Result},
    field::Record,
    join::{Joined, JoinedName, Rows, View},
    model::Model,
};

/// Writes the children as a list.
impl<T: Record + Serialize, C: Model> ToJson for View<'_, T, C> {
    fn prepare(&self) -> Result<PreparedJson> {
        let children: Result<Vec<PreparedJson>> = self.complete()?.iter().map(T::prepare).collect();
        Ok(PreparedJson(Content::List(children?)))
    }
}

/// Writes the children as a list.
impl<T: Record + Serialize, C: Model> ToJson for Joined<T, C> {
    fn prepare(&self) -> Result<PreparedJson> {
        self.view().prepare()
    }
}

/// Writes a list of the documents. The joined documents of a document stand under the name of the relation: a document
/// in the place of a single reference, and a list in the place of references or of an inverse.
impl<P: Model, C: Model, T: Record + Serialize> ToJson for Rows<P, C, T> {
    fn prepare(&self) -> Result<PreparedJson> {
        let JoinedName { field, is_list } = self.name();
        if !self.failed().is_empty() {
            return Err(Error::Incomplete {
                field: format!("{}.{field}", P::STRUCT),
                missing: 0,
                failed: self.failed().len(),
            });
        }
        let name = name_in_json::<P>(field);
        let rows = self.iter().map(|(parent, joined)| {
            let children = joined.view().complete()?;
            let joined = match is_list {
                true => children.prepare()?,
                false => children.first().map_or(Ok(PreparedJson(Content::Null)), T::prepare)?,
            };
            Ok(PreparedJson(Content::Joined { row: Box::new(parent.prepare()?), name, joined: Box::new(joined) }))
        });
        Ok(PreparedJson(Content::List(rows.collect::<Result<_>>()?)))
    }
}

/// Returns the name of a relation in JSON: the name of the field with the references, or the name of the inverse.
fn name_in_json<P: Model>(field: &'static str) -> &'static str {
    P::DEFINITION.field(field).and_then(|stored| name_of(P::FIELDS, stored)).unwrap_or(field)
}
