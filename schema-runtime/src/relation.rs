//! One handle for each kind of relation, made by derived code. Uses `definition`, `bounds`, `model` and `read`.
