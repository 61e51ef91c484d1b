//! The methods that set options, for operations and for options by themselves.

use std::time::{Duration, Instant};

use mongodb::{
    bson::Bson,
    options::{Collation, ReadConcern, ReadPreference, WriteConcern},
};

use super::{OperationOptions, Rules};
use crate::definition::CollationDefinition;

/// An operation that takes options, before the operation is sent. The options of an operation win over the options of
/// the executor ([`Executor::with`](crate::Executor::with)). [The page `options`](crate::guide) has the rules of each
/// option.
///
/// ```
/// # use std::time::Duration;
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)]
/// # #[model(collection = "parts")]
/// # struct Part { #[serde(rename = "_id")] id: ObjectId, #[index(name = "by_name")] name: String }
/// # async fn example(db: &Database) -> Result<()> {
/// let bolts = Part::find(Part::F.name.eq("bolt"))
///     .hint("by_name")
///     .max_time(Duration::from_secs(2))
///     .comment("page of bolts")
///     .fetch_all(db)
///     .await?;
/// # Ok(())
/// # }
/// ```
pub trait Configurable: Sized {
    /// Changes the options of the operation.
    #[doc(hidden)]
    fn configure(self, change: impl FnOnce(&mut OperationOptions)) -> Self;

    /// Sets all options that are set in `options`.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// let (plain, named) = (OperationOptions::new(), OperationOptions::new().comment("report"));
    /// assert_eq!(plain.options(&named), named);
    /// ```
    fn options(self, options: &OperationOptions) -> Self {
        self.configure(|own| *own = own.under(options))
    }

    /// Names the index that the server has to use. The name is compared with the indexes of the model before the
    /// operation is sent.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_ne!(OperationOptions::new().hint("_id_"), OperationOptions::new());
    /// ```
    fn hint(self, index: impl Into<String>) -> Self {
        self.configure(|options| options.hint = Some(index.into()))
    }

    /// Sets the rules by which the server compares texts in the filter and in the order. A
    /// [`CollationDefinition`](crate::definition::CollationDefinition) is a collation too.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    /// use mongodb::options::{Collation, CollationStrength};
    ///
    /// let collation = Collation::builder().locale("en").strength(CollationStrength::Secondary).build();
    /// assert_ne!(OperationOptions::new().collation(collation), OperationOptions::new());
    /// ```
    fn collation(self, collation: impl Into<Collation>) -> Self {
        let collation = collation.into();
        self.configure(|options| options.collation = Some(Rules(collation)))
    }

    /// Compares texts without upper and lower case: letters and accents count, by the rules of English. An index that
    /// is declared `case_insensitive` serves the operation.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, definition::CollationDefinition, prelude::*};
    ///
    /// let insensitive = OperationOptions::new().case_insensitive();
    /// assert_eq!(insensitive, OperationOptions::new().collation(CollationDefinition::CASE_INSENSITIVE));
    /// ```
    fn case_insensitive(self) -> Self {
        self.collation(CollationDefinition::CASE_INSENSITIVE)
    }

    /// Sets a comment, which the server shows in the log, in the profiler and in `$currentOp`. All commands of the
    /// operation have the comment. No span and no error of this crate has the comment.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_ne!(OperationOptions::new().comment("report"), OperationOptions::new());
    /// ```
    fn comment(self, comment: impl Into<Bson>) -> Self {
        self.configure(|options| options.comment = Some(comment.into()))
    }

    /// Limits the time of each command of the operation on the server, in whole milliseconds, at least one. The work
    /// after a write has no such limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_ne!(OperationOptions::new().max_time(Duration::from_secs(1)), OperationOptions::new());
    /// ```
    fn max_time(self, time: Duration) -> Self {
        self.configure(|options| options.max_time = Some(time))
    }

    /// Limits the time of the whole operation, with all commands, waits and retries. The time begins with the
    /// operation, and takes the place of the [default](crate::set_default_timeout).
    ///
    /// ```
    /// use std::time::Duration;
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_eq!(OperationOptions::new().timeout(Duration::from_secs(1)).time(), Some(Duration::from_secs(1)));
    /// ```
    fn timeout(self, time: Duration) -> Self {
        self.configure(|options| options.timeout = Some(time))
    }

    /// Sets the moment at which the operation has to be over. Of a deadline and a [`timeout`](Configurable::timeout),
    /// the earlier moment counts.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// // All operations of a request share the deadline.
    /// let request = OperationOptions::new().deadline(Instant::now() + Duration::from_secs(5));
    /// assert_ne!(request, OperationOptions::new());
    /// ```
    fn deadline(self, at: Instant) -> Self {
        self.configure(|options| options.deadline = Some(at))
    }

    /// Allows or forbids the server to write temporary files for a large sort or a large aggregation.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_ne!(OperationOptions::new().allow_disk_use(true), OperationOptions::new());
    /// ```
    fn allow_disk_use(self, allowed: bool) -> Self {
        self.configure(|options| options.allow_disk_use = Some(allowed))
    }

    /// Sets the number of documents in one reply of a read.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    ///
    /// assert_ne!(OperationOptions::new().batch_size(100), OperationOptions::new());
    /// ```
    fn batch_size(self, documents: u32) -> Self {
        self.configure(|options| options.batch_size = Some(documents))
    }

    /// Sets the guarantee of the data that a read returns.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    /// use mongodb::options::ReadConcern;
    ///
    /// assert_ne!(OperationOptions::new().read_concern(ReadConcern::majority()), OperationOptions::new());
    /// ```
    fn read_concern(self, concern: ReadConcern) -> Self {
        self.configure(|options| options.read_concern = Some(concern))
    }

    /// Sets the members of the replica set that may answer a read.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    /// use mongodb::options::ReadPreference;
    ///
    /// let options = OperationOptions::new().read_preference(ReadPreference::Primary);
    /// assert_ne!(options, OperationOptions::new());
    /// ```
    fn read_preference(self, preference: ReadPreference) -> Self {
        self.configure(|options| options.read_preference = Some(preference))
    }

    /// Sets the members that have to acknowledge a write. A write of a model with derived data waits for a majority in
    /// any case.
    ///
    /// ```
    /// use schema_runtime::{OperationOptions, prelude::*};
    /// use mongodb::options::WriteConcern;
    ///
    /// assert_ne!(OperationOptions::new().write_concern(WriteConcern::majority()), OperationOptions::new());
    /// ```
    fn write_concern(self, concern: WriteConcern) -> Self {
        self.configure(|options| options.write_concern = Some(concern))
    }
}

impl Configurable for OperationOptions {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(&mut self);
        self
    }
}
