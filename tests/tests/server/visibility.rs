//! Commands that a person sees: lines for `mongosh`.

mod lines;
