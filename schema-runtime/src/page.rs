//! Pages by key: the documents that come after or before a place in an order, and the place as a text. Building is
//! pure; `request` reads. For people: [the page `pages`](crate::guide).

mod answer;
mod keyset;
mod order;
mod pages;
mod request;
mod token;

pub use answer::Page;
pub(crate) use pages::Counted;
pub use pages::Pages;
pub use token::PageToken;

pub(crate) use order::{Order, sort_by};
pub(crate) use request::Request;
pub(crate) use token::query_id;
