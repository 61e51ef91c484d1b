//! Values that the server computes from many documents: numbers of a read, and groups.

mod models;
mod numbers;
