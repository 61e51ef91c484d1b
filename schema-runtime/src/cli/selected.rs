//! The models that a command is restricted to: `--only`.

use super::failure::Failure;
use crate::{Schema, definition::ModelDefinition, diagram::nearest};

/// The argument that selects models.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SelectedModels {
    /// Only these models, by the name of the struct or of the collection, separated by commas
    #[arg(long, value_name = "MODEL", value_delimiter = ',')]
    only: Vec<String>,
}

impl SelectedModels {
    /// Checks that each name is a name of a model. The message repeats no argument, since an argument in the wrong
    /// place may be a connection string.
    pub(super) fn check(&self, schema: Schema) -> Result<(), Failure> {
        for name in &self.only {
            if !schema.models().iter().any(|model| is_named(model, name)) {
                let names = schema.models().iter().flat_map(|model| [model.collection, model.model]);
                let nearest = nearest(names, name).map(|name| format!("; the nearest name is `{name}`"));
                let nearest = nearest.unwrap_or_default();
                return Err(Failure::Usage(format!("no model and no collection has a name of `--only`{nearest}")));
            }
        }
        Ok(())
    }

    /// Returns whether the command covers the model.
    pub(super) fn has(&self, model: &ModelDefinition) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| is_named(model, name))
    }
}

fn is_named(model: &ModelDefinition, name: &str) -> bool {
    model.model == name || model.collection == name
}
