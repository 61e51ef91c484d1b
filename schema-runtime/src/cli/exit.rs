//! The exit codes of all commands. Pure.

use std::process::ExitCode;

/// The end of a command, as the exit code states the end. A higher code wins where a command has two reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The command did its work, and found nothing to do or to correct.
    Done = 0,
    /// An error ended the command, or a step failed.
    Failed = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// Changes are pending.
    Pending = 3,
    /// The command found faults.
    Findings = 4,
    /// The command left work, because a flag is missing.
    NotAllowed = 5,
    /// Ctrl-C stopped the command.
    Stopped = 130,
}

impl Exit {
    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    const ALL: [Exit; 7] =
        [Exit::Done, Exit::Failed, Exit::Usage, Exit::Pending, Exit::Findings, Exit::NotAllowed, Exit::Stopped];

    /// Returns the name of each code. The compiler asks for a name of each new code.
    fn name(exit: Exit) -> &'static str {
        match exit {
            Exit::Done => "done",
            Exit::Failed => "error",
            Exit::Usage => "wrong usage",
            Exit::Pending => "changes are pending",
            Exit::Findings => "findings",
            Exit::NotAllowed => "a flag is missing",
            Exit::Stopped => "stopped by Ctrl-C",
        }
    }

    #[test]
    fn the_table_of_the_manual_lists_each_code() {
        let manual = include_str!("../../../guide/pages/operate/cli.md");
        let table = manual.lines().skip_while(|line| !line.starts_with("| exit code |")).skip(2);
        let rows: Vec<(&str, &str)> = table
            .map_while(|row| {
                let mut columns = row.strip_prefix('|')?.split('|').map(str::trim);
                Some((columns.next()?, columns.next()?))
            })
            .collect();
        let codes: Vec<String> = ALL.iter().map(|exit| (*exit as u8).to_string()).collect();
        let expected: Vec<(&str, &str)> =
            codes.iter().zip(ALL).map(|(code, exit)| (code.as_str(), name(exit))).collect();
        assert_eq!(rows, expected);
    }
}
