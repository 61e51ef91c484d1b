//! Buckets on a server.

mod models;
