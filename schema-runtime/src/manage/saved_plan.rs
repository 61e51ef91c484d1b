//! A plan as a file: what a person has reviewed is what an apply does. `SavedPlan` holds no statement to run. An apply
//! plans anew, and compares the new plan with the file.

use mongodb::Database;
use serde::{Deserialize, Serialize};

use super::{
    plan::{Plan, Step},
    schema::Schema,
};
use crate::error::{Error, Result};

/// The version of the format that this crate writes.
const FORMAT: u32 = 1;

/// A plan as a file, to apply exactly the reviewed steps: save the plan, review the file, make the plan again, and
/// compare both with [`check`](SavedPlan::check).
///
/// ```no_run
/// use schema_runtime::{prelude::*, saved_plan::SavedPlan};
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: ObjectId,
/// }
///
/// async fn apply_saved(db: &Database, file: &str) -> std::result::Result<(), Box<dyn std::error::Error>> {
///     let schema = schema![User];
///     let plan = schema.plan(db).await?;
///     SavedPlan::from_json(file)?.check(&SavedPlan::new(&schema, &plan, db)?)?;
///     plan.apply(db).await?.complete()?;
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPlan {
    format: u32,
    /// The version of this crate.
    version: String,
    database: String,
    /// The check sum of the schema file.
    schema: String,
    steps: Vec<SavedStep>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedStep {
    collection: String,
    change: String,
    /// The check sum of the whole change, without figures of stored documents.
    check: String,
}

/// The reason why a text is no saved plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedPlanError {
    /// The text is no JSON, or the JSON has another form.
    #[error("the text is no saved plan: {0}")]
    NotAPlan(#[from] serde_json::Error),
    /// The plan has a format that this version of the crate does not know.
    #[error("the saved plan has format {found}, and this version reads format {FORMAT}: save the plan again")]
    OtherFormat {
        /// The format of the file.
        found: u32,
    },
}

impl SavedPlan {
    /// Saves a plan of a database.
    ///
    /// # Errors
    /// [`DefinitionConflict`](crate::Error::DefinitionConflict) when two indexes of a model have the same name.
    pub fn new(schema: &Schema, plan: &Plan, db: &Database) -> Result<Self> {
        Ok(SavedPlan {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            database: db.name().to_owned(),
            schema: sum(&schema.snapshot()?.to_json()),
            steps: plan.steps().iter().map(saved).collect(),
        })
    }

    /// Compares the saved plan with the plan of now.
    ///
    /// # Errors
    /// [`PlanOutdated`](crate::Error::PlanOutdated) when the plan of now belongs to another schema, another database or
    /// another version of this crate, or has other steps.
    pub fn check(&self, now: &SavedPlan) -> Result<()> {
        let outdated = |collection: &str, what: &str| {
            Err(Error::PlanOutdated { collection: collection.to_owned(), what: what.to_owned() })
        };
        if self.database != now.database {
            return outdated(&now.database, "the saved plan is of another database");
        }
        if self.version != now.version {
            return outdated(&now.database, "another version of the crate saved the plan");
        }
        if self.schema != now.schema {
            return outdated(&now.database, "the saved plan is of another schema");
        }
        let pairs = self.steps.iter().map(Some).chain([None]).zip(now.steps.iter().map(Some).chain([None]));
        let mut unlike = pairs.filter(|(saved, now)| saved != now);
        match unlike.next() {
            None => Ok(()),
            Some((_, Some(step))) => outdated(&step.collection, "the plan of now has another step"),
            Some((Some(step), None)) => outdated(&step.collection, "a step of the saved plan is done already"),
            Some((None, None)) => Ok(()),
        }
    }

    /// Returns the plan as JSON, with a newline at the end.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"
    }

    /// Reads a plan that [`to_json`](SavedPlan::to_json) wrote.
    ///
    /// # Errors
    /// [`SavedPlanError`] with the line and the column when the text has another form, and for another format.
    pub fn from_json(text: &str) -> Result<Self, SavedPlanError> {
        /// The first field decides whether the remaining fields can be read.
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        match serde_json::from_str::<Versioned>(text)?.format {
            FORMAT => Ok(serde_json::from_str(text)?),
            found => Err(SavedPlanError::OtherFormat { found }),
        }
    }
}

fn saved(step: &Step) -> SavedStep {
    let step = step.without_figures();
    SavedStep {
        collection: step.collection.clone(),
        change: step.lines().into_iter().next().unwrap_or_default(),
        check: sum(&format!("{:?}", step.change)),
    }
}

/// Returns a check sum that tells texts apart by accident of a change. No secret depends on the sum.
fn sum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}
