//! From the server's errors to ours.
