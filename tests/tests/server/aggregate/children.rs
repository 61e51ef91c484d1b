//! Values of the children of many parents.

mod commands;
mod kept;
mod kinds;
mod models;
mod numbers;
mod together;
mod whole;
