//! Values and uses at the edges: nulls, the first and the last of their type, many at once.

mod bounds_together;
mod connections;
mod encoders;
mod histories_at_once;
mod kinds_of_errors;
mod logs_without_values;
mod null_updates;
mod nulls_asked_for;
mod one_of_an_array;
mod pending_work;
mod reads_in_a_loop;
mod snapshots;
mod upsert_filters;
mod validators_and_documents;
