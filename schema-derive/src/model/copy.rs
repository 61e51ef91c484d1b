//! The attributes of copies, for both ends.

use syn::{Expr, Ident, Path};

use super::{Allow, Number};

/// `#[denormalize(from = host.ipaddr)]`
pub(crate) struct Copy {
    /// The field of the same struct that refers to the source, in Rust, without `r#`.
    pub(crate) reference: String,
    /// The path in the source, in the names of Rust.
    pub(crate) from: Vec<String>,
    pub(crate) mode: CopyMode,
    /// True for a snapshot with a value from the program.
    pub(crate) given: bool,
    /// `host.ipaddr`, as written.
    pub(crate) tokens: Expr,
    pub(crate) allows: Vec<Allow>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CopyMode {
    Synced,
    Snapshot,
    External,
}

/// `#[copied_to(Product::parts, fan_out = 500)]`
pub(crate) struct CopiedTo {
    pub(crate) holder: Path,
    pub(crate) field: Ident,
    pub(crate) fan_out: Option<Number>,
    /// `Product::parts`, as written.
    pub(crate) tokens: Expr,
    pub(crate) allows: Vec<Allow>,
}

impl Copy {
    /// Returns whether the copy has the value of the source, now or soon: not a snapshot.
    pub(crate) fn tracks_source(&self) -> bool {
        self.mode != CopyMode::Snapshot
    }
}
