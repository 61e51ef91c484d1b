//! The models of one database together. Uses `definition`, `plan` and `error`.

use mongodb::Database;

use crate::{
    definition::ModelDefinition,
    error::Result,
    plan::{self, Plan},
};

/// The models of one database, as [`schema!`](crate::prelude::schema) lists them.
///
/// The same schema can be planned on any number of databases.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    models: &'static [&'static ModelDefinition],
}

impl Schema {
    /// A schema of these models. `schema![A, B]` writes this and checks that no model is missing.
    pub const fn new(models: &'static [&'static ModelDefinition]) -> Self {
        Schema { models }
    }

    /// The models, in the order in which they were listed.
    pub fn models(&self) -> &'static [&'static ModelDefinition] {
        self.models
    }

    /// What would have to change in the database for it to be as the models say. Changes nothing.
    ///
    /// Where a new validator or a new unique index meets documents, it counts those that do not fit, which reads the
    /// whole collection.
    ///
    /// # Errors
    /// [`ServerTooOld`](crate::Error::ServerTooOld) before MongoDB 6.0;
    /// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two models have one collection, or two indexes of a
    /// model one name; [`NotAuthorized`](crate::Error::NotAuthorized) when the user may not list collections or indexes;
    /// and what the driver says when no server answers.
    pub async fn plan(&self, database: &Database) -> Result<Plan> {
        plan::plan(self.models, database).await
    }
}
