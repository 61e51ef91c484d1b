//! The command line of a whole program: the arguments of the process, without a connection string in any message.

use std::{ffi::OsString, path::Path};

use clap::{CommandFactory, FromArgMatches};

use super::{Db, exit::Exit, failure::Failure, output};

/// Plan, apply and check the MongoDB database of this application
#[derive(clap::Parser)]
#[command(name = "db", subcommand_required = true, arg_required_else_help = true)]
struct Program {
    #[command(flatten)]
    db: Db,
}

/// Parses the arguments. Prints help and wrong usage, and returns the exit code then.
pub(super) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<(Db, clap::Command), Exit> {
    let arguments: Vec<OsString> = arguments.collect();
    let program = command(arguments.first());
    let parsed = program.clone().try_get_matches_from(&arguments);
    let parsed = parsed.and_then(|matches| Program::from_arg_matches(&matches));
    parsed.map(|parsed| (parsed.db, program)).map_err(|error| {
        if !error.use_stderr() {
            let _ = error.print();
            return Exit::Done;
        }
        let message = without_secrets(&error.to_string(), &arguments);
        if arguments.iter().any(|argument| argument == "--json") {
            let _ = output::write_json(Failure::Usage(message).json());
        } else {
            message.lines().for_each(output::say);
        }
        Exit::Usage
    })
}

/// Returns the command line under the name of the program's file.
fn command(file: Option<&OsString>) -> clap::Command {
    let name = file.and_then(|file| Path::new(file).file_stem()).map(|name| name.to_string_lossy().into_owned());
    let command = Program::command();
    match name {
        Some(name) if !name.is_empty() => command.name(name.clone()).bin_name(name),
        _ => command,
    }
}

/// Replaces each argument that may be a connection string.
fn without_secrets(message: &str, arguments: &[OsString]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let may_be_secret = |text: &&str| text.contains(['@', ':', '/']) && text.len() > 3;
    let mut texts: Vec<&str> = arguments
        .iter()
        .filter(|argument| may_be_secret(&argument.as_str()))
        .flat_map(|argument| {
            let value = argument.split_once('=').map_or(argument.as_str(), |(_, value)| value);
            // clap splits the value of a list at commas, as between the hosts of a connection string.
            [argument.as_str(), value].into_iter().chain(value.split(','))
        })
        .filter(may_be_secret)
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.iter().fold(message.to_owned(), |message, text| message.replace(text, "(hidden)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_repeats_no_connection_string() {
        let arguments = ["db", "plan", "mongodb://ann:p@ss/w@host"].map(OsString::from);
        let message = command(None).try_get_matches_from(&arguments).expect_err("one argument too many").to_string();
        assert!(message.contains("p@ss/w"), "clap repeats the argument: {message}");
        let message = without_secrets(&message, &arguments);
        assert!(!message.contains("p@ss") && message.contains("(hidden)"), "{message}");
    }

    #[test]
    fn a_message_repeats_no_part_of_a_connection_string() {
        let uri = "mongodb://ann:p%40ss@one,two,three/shop";
        let arguments = ["db", "apply", "--allow", uri].map(OsString::from);
        let message = command(None).try_get_matches_from(&arguments).expect_err("no word of `--allow`").to_string();
        assert!(message.contains("p%40ss"), "clap repeats a part of the argument: {message}");
        let message = without_secrets(&message, &arguments);
        assert!(!message.contains("p%40ss") && message.contains("(hidden)"), "{message}");
    }

    #[test]
    fn the_command_line_is_whole() {
        command(None).debug_assert();
    }
}
