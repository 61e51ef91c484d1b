//! The error types that a transaction may return.

use crate::error::Error;

/// An error type that the callback of a [`transaction`](crate::transaction()) may return: every type with
/// `From<Error>`.
///
/// ```
/// use schema_runtime::{Error, TransactionError};
///
/// enum Shop {
///     NotEnough,
///     Database(Error),
/// }
///
/// impl From<Error> for Shop {
///     fn from(error: Error) -> Self {
///         Shop::Database(error)
///     }
/// }
///
/// fn may_be_returned<E: TransactionError>() {}
/// may_be_returned::<Shop>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a transaction: a transaction turns errors of the server into `{Self}`",
    label = "`From<schema_runtime::Error>` is missing",
    note = "help: write `impl From<schema_runtime::Error> for {Self}`"
)]
pub trait TransactionError: From<Error> {}

#[diagnostic::do_not_recommend]
impl<E: From<Error>> TransactionError for E {}
