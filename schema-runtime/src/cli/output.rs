//! Writes the result of a command to the standard output, and messages to the standard error. A closed pipe is no
//! error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::report::printable;

/// The version of the JSON of all commands.
const FORMAT: u32 = 1;

/// The use of colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// Colors on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`
    #[default]
    Auto,
    /// Colors everywhere
    Always,
    /// No colors
    Never,
}

impl Color {
    pub(super) fn choice(self) -> ColorChoice {
        match self {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// Writes a text to the standard output, with a newline at the end.
pub(super) fn write_text(text: &str, color: Color) -> Result<(), Failure> {
    let mut output = AutoStream::new(io::stdout().lock(), color.choice());
    let written = text.lines().try_for_each(|line| writeln!(output, "{}", painted(line)));
    ended(written.and_then(|()| output.flush()))
}

/// Writes bytes to the standard output.
pub(super) fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    ended(output.write_all(bytes).and_then(|()| output.flush()))
}

/// Writes one JSON document to the standard output, with the version of the format.
pub(super) fn write_json(json: Value) -> Result<(), Failure> {
    let mut all = Map::from_iter([("format".to_owned(), FORMAT.into())]);
    match json {
        Value::Object(members) => all.extend(members),
        other => all.extend([("result".to_owned(), other)]),
    }
    write_bytes(format!("{:#}\n", Value::Object(all)).as_bytes())
}

/// Writes an error to the standard error.
pub(super) fn write_failure(failure: &Failure, color: Color) {
    let mut output = AutoStream::new(io::stderr().lock(), color.choice());
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    // Nobody reads the message when the standard error is closed.
    let _ = writeln!(output, "{style}error{style:#}: {}", printable(&failure.message()));
}

/// Writes lines for people to the standard error.
pub(super) fn say(text: &str) {
    let mut output = io::stderr().lock();
    // Nobody reads the message when the standard error is closed.
    let _ = text.lines().try_for_each(|line| writeln!(output, "{}", printable(line)));
}

/// Returns whether the standard error is a terminal that moves the cursor.
pub(super) fn is_live() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    io::stderr().is_terminal() && !is_dumb && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Maps the end of a write: a closed pipe ends a command quietly.
fn ended(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::File(format!("the standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Colors a line by the sign at the begin of the line: `+`, `~`, `-` or `!`.
fn painted(line: &str) -> String {
    let line = printable(line);
    let color = match line.trim_start().split_once(' ') {
        Some(("+", _)) => AnsiColor::Green,
        Some(("~", _)) => AnsiColor::Yellow,
        Some(("-" | "!", _)) => AnsiColor::Red,
        _ => return line,
    };
    let style = Style::new().fg_color(Some(color.into()));
    format!("{style}{line}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_colored_by_the_sign() {
        assert_eq!(painted("  + index a"), "\u{1b}[32m  + index a\u{1b}[0m");
        assert_eq!(painted("products (Product)"), "products (Product)");
        assert_eq!(painted("-"), "-");
    }

    #[test]
    fn a_text_of_the_server_controls_no_terminal() {
        assert_eq!(painted("name \u{1b}[2J\u{7}"), "name \\u{1b}[2J\\u{7}");
    }
}
