//! What a join asks of the server, and where each answer belongs. Pure: reaches no server.

mod children;
mod chunk;
mod groups;
mod keyset;
mod latest;
mod lookup;
mod order;
mod wanted;

pub(crate) use children::{ChildrenQuery, children_of_many};
pub(crate) use chunk::chunks;
pub(crate) use groups::Groups;
pub(crate) use keyset::after;
pub(crate) use latest::latest_each;
pub(crate) use lookup::lookup;
pub(crate) use order::Order;
pub(crate) use wanted::{Places, Wanted};

use mongodb::bson::{Bson, Document, doc};

/// The condition that `path` equals `value`, which never becomes an operator or a pattern.
pub(crate) fn equals(path: &str, value: Bson) -> Document {
    match value {
        Bson::Document(_) | Bson::RegularExpression(_) => doc! { path: { "$eq": value } },
        value => doc! { path: value },
    }
}

/// `fields` with these names added; an empty projection asks for all fields already.
pub(crate) fn with_fields<'n>(mut fields: Document, names: impl IntoIterator<Item = &'n str>) -> Document {
    if !fields.is_empty() {
        for name in names {
            fields.insert(name, 1);
        }
    }
    fields
}
