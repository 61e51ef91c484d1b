//! `completions` and `man`: the command line as data for a shell and as pages for `man`.

use clap_complete::Shell;
use clap_mangen::Man;
use futures_util::{FutureExt, future::BoxFuture};

use crate::cli::{
    failure::Failure,
    session::{Job, Reported, Session},
    stop::Stop,
    written::Written,
};

/// Print the completions of this command line for a shell
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Print a page for `man`
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct ManArguments {
    /// The command of the page; by default, the page of the program
    command: Option<String>,
}

impl Job for CompletionsArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let mut program = program(session)?;
            let name = program.get_name().to_owned();
            let mut text = Vec::new();
            clap_complete::generate(self.shell, &mut program, name, &mut text);
            page(text)
        };
        run.boxed()
    }
}

impl Job for ManArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let mut program = program(session)?;
            program.build();
            if let Some(name) = &self.command {
                let Some(command) = program.find_subcommand(name) else {
                    return Err(Failure::Usage("`man` knows no such command: `--help` lists the commands".to_owned()));
                };
                // A page has the name of the program in front: `db-plan`.
                program = command.clone().name(format!("{}-{}", program.get_name(), command.get_name()));
            }
            let mut text = Vec::new();
            let rendered = Man::new(program).render(&mut text);
            rendered.map_err(|error| Failure::File(format!("the page cannot be written: {error}")))?;
            page(text)
        };
        run.boxed()
    }
}

/// Returns the command line of the program.
fn program(session: &Session) -> Result<clap::Command, Failure> {
    session.program.clone().ok_or_else(|| {
        Failure::Usage(
            "these commands are a part of the command line of another program: call `clap_complete` and `clap_mangen` \
             with the whole command line of that program"
                .to_owned(),
        )
    })
}

fn page(text: Vec<u8>) -> Reported {
    Ok(Box::new(Written::to(None, "the page", String::from_utf8_lossy(&text).into_owned())?))
}
