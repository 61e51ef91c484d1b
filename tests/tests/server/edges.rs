//! What an application meets at the edges of its everyday work.

mod bounds_together;
mod connections;
mod histories_at_once;
mod kinds_of_errors;
mod nulls_asked_for;
mod one_of_an_array;
mod reads_in_a_loop;
