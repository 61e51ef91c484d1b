//! The stored values: the paths of copies, the structs on the paths, the sources with versions, the marks and the
//! indexes.

pub(super) mod index;
pub(super) mod marker;
pub(super) mod path;
pub(super) mod paths;
pub(super) mod source;
pub(super) mod structs;
