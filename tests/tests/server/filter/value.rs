//! A value is a value.
