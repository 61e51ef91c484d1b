//! Sends the queries of `query` to the server, and puts the answers into their places.

mod by_id;
mod children;
mod first;
mod lookup;
mod side_by_side;

pub(crate) use by_id::{count, exists, fetch, load, query_of, query_of_all};
pub(crate) use children::{all, load_all, page};
pub(crate) use first::load_first;
pub(crate) use lookup::{Arrangement, load_rows};
