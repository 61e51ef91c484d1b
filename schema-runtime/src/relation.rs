//! One handle for each kind of relation, made by derived code. Uses `definition`, `bounds`, `model` and `read`.

mod stand_in;
pub use stand_in::*;
