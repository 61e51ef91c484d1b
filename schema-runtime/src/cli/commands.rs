//! The list of commands: a new command is a file of this folder and a line here.

mod apply;
mod check;
mod completions;
mod describe;
mod diagram;
mod diff;
mod explain;
mod plan;
mod recompute;
mod recover;
mod repair;
mod review;
mod snapshot;
mod stats;
mod verify;
mod worker;

use super::session::Job;

macro_rules! commands {
    ($($name:ident($arguments:ty),)*) => {
        /// The commands.
        #[derive(Clone, Debug, clap::Subcommand)]
        pub(super) enum Command {
            $($name($arguments),)*
        }

        impl Command {
            pub(super) fn job(&self) -> &dyn Job {
                match self {
                    $(Command::$name(arguments) => arguments,)*
                }
            }
        }
    };
}

commands! {
    Plan(plan::PlanArguments),
    Apply(apply::ApplyArguments),
    Check(check::CheckArguments),
    Verify(verify::VerifyArguments),
    Recover(recover::RecoverArguments),
    Repair(repair::RepairArguments),
    Recompute(recompute::RecomputeArguments),
    Stats(stats::StatsArguments),
    Worker(worker::WorkerArguments),
    Review(review::ReviewArguments),
    Explain(explain::ExplainArguments),
    Snapshot(snapshot::SnapshotArguments),
    Diff(diff::DiffArguments),
    Diagram(diagram::DiagramArguments),
    Describe(describe::DescribeArguments),
    Completions(completions::CompletionsArguments),
    Man(completions::ManArguments),
}
