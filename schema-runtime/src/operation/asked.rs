//! The caller's own command on the documents of a model.

use crate::{definition::ModelDefinition, executor::Asked, indexes, model::Model};

/// Returns the model of a write, as [`asked`] does.
pub(super) const fn asked_of(model: &'static ModelDefinition) -> Asked {
    Asked { model, indexes: indexes::for_hints }
}

/// Returns the model of a command, with the model's indexes, which a hint may name.
pub(crate) const fn asked<M: Model>() -> Asked {
    asked_of(M::DEFINITION)
}
