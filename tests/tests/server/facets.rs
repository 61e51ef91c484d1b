//! Facets: a page of documents with the numbers beside the page.

mod commands;
mod kinds;
mod limits;
mod models;
mod numbers;
