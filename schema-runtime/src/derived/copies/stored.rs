//! The stored values: the paths of copies, the structs on the paths, the sources with versions, and the indexes.

pub(super) mod index;
pub(super) mod model_paths;
pub(super) mod path;
pub(super) mod source;
pub(super) mod structs;
