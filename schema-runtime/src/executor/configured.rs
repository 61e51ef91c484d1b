//! An executor with options for all operations.

use std::{fmt, sync::Arc};

use super::{
    Context, Executor, Sealed,
    options::{Configurable, OperationOptions},
    session,
};
use crate::error::Result;

/// A database or a transaction with options for the operations that take this executor: see
/// [`Executor::with`](crate::Executor::with). Cheap to clone.
#[derive(Clone)]
pub struct ConfiguredExecutor {
    context: Result<Context>,
    options: Arc<OperationOptions>,
}

impl ConfiguredExecutor {
    pub(super) fn new(executor: &(impl Executor + ?Sized), options: OperationOptions) -> Self {
        ConfiguredExecutor { context: executor.plain_context(), options: Arc::new(options) }
    }
}

impl Sealed for ConfiguredExecutor {}

impl Executor for ConfiguredExecutor {
    fn context(&self) -> Result<Context> {
        self.plain_context()?.begun().with(Some(&self.options))
    }

    fn plain_context(&self) -> Result<Context> {
        let context = self.context.clone()?;
        if !context.in_transaction() {
            session::refuse_inside()?;
        }
        Ok(context)
    }

    fn with(&self, options: OperationOptions) -> ConfiguredExecutor {
        ConfiguredExecutor { context: self.context.clone(), options: Arc::new(self.options.under(&options)) }
    }
}

impl Configurable for ConfiguredExecutor {
    fn configure(mut self, change: impl FnOnce(&mut OperationOptions)) -> Self {
        change(Arc::make_mut(&mut self.options));
        self
    }
}

impl fmt::Debug for ConfiguredExecutor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ConfiguredExecutor").field("options", &self.options).finish_non_exhaustive()
    }
}
