//! Values, conditions and uses at the edges: nulls, the first and the last value of a type, many operations at once.

mod applies;
mod beginnings;
mod bounds_together;
mod bulk_leftovers;
mod causes;
mod connections;
mod elements;
mod encoders;
mod hashed;
mod histories_at_once;
mod kinds_of_errors;
mod logs_without_values;
mod narrow_values;
mod nesting;
mod null_updates;
mod nulls_asked_for;
mod numbers;
mod one_of_an_array;
mod pending_work;
mod reads_in_a_loop;
mod relations_by_id;
mod replaced;
mod snapshots;
mod unversioned;
mod upsert_filters;
mod validators_and_documents;
