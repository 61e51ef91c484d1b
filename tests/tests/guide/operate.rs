//! The commands that the pages on operation show, compared with the commands of a run.

mod changing;
mod deploying;
mod jobs;
mod schema;

use super::{blocks::Block, design::database_with_log};
