//! What each operator sends.
