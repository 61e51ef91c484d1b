//! The guide: the doc tests of each page and of README.md, and the parts of the program that builds the book.

pub mod api;
pub mod links;
pub mod warnings;

#[cfg(doctest)]
mod pages {
    include!(concat!(env!("OUT_DIR"), "/pages.rs"));
}
