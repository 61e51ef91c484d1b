//! The blocks of a page that show commands, compared with the commands that a program sent. `..` stands for any text.

use std::fs;

use schema_tests::CommandLog;

use crate::{page, shell};

/// The commands of one block of a page, in order.
pub(crate) struct Block {
    name: String,
    commands: Vec<String>,
}

impl Block {
    /// Reads a block of JavaScript: 0 is the first block of the page.
    pub(crate) fn read(name: &str, at: usize) -> Block {
        let text = fs::read_to_string(page(name)).expect("a page");
        let mut blocks = text.split("```js\n").skip(1).filter_map(|rest| rest.split("\n```").next());
        let block = blocks.nth(at).unwrap_or_else(|| panic!("{name} has no block {at}"));
        let mut commands: Vec<String> = Vec::new();
        for line in block.lines().map(without_comment).filter(|line| !line.trim().is_empty()) {
            match commands.last_mut() {
                Some(command) if line.starts_with(' ') => {
                    command.push(' ');
                    command.push_str(line.trim());
                }
                _ => commands.push(line.trim().to_owned()),
            }
        }
        Block { name: name.to_owned(), commands }
    }

    /// Takes the commands that the program sent since the last call. Panics unless the block shows the commands next.
    /// Returns the lines that the block does not show.
    #[track_caller]
    pub(crate) fn take(&mut self, log: &CommandLog) -> Vec<String> {
        let sent = log.commands();
        log.clear();
        let sent = sent.iter().filter(|(name, _)| name != "killCursors");
        let sent: Vec<String> = sent.flat_map(|(name, command)| shell::lines(name, command)).collect();
        let mut left = Vec::new();
        let mut shown = 0;
        for line in &sent {
            match self.commands.get(shown) {
                Some(command) if fits(command, line) => shown += 1,
                _ => left.push(line.clone()),
            }
        }
        assert!(shown > 0, "{} shows next\n{:?}\nand the program sent\n{sent:#?}", self.name, self.commands.first());
        self.commands.drain(..shown);
        left
    }

    /// Panics unless the block shows each command, and no further command of the program.
    #[track_caller]
    pub(crate) fn take_all(&mut self, log: &CommandLog) {
        let left = self.take(log);
        assert!(left.is_empty(), "{} does not show\n{left:#?}\nnext: {:?}", self.name, self.commands.first());
    }

    /// Panics if the block has further commands.
    #[track_caller]
    pub(crate) fn end(self) {
        assert!(self.commands.is_empty(), "{} also shows\n{:#?}", self.name, self.commands);
    }
}

/// Returns a line without the comment at the end. A line that names the end of a transaction stays.
fn without_comment(line: &str) -> &str {
    if line.starts_with("// commitTransaction") {
        return "// commitTransaction";
    }
    if line.starts_with("//") { "" } else { line.split("   //").next().unwrap_or(line) }
}

/// Returns whether a shown command stands for a command that was sent.
fn fits(shown: &str, sent: &str) -> bool {
    let mut parts = shown.split("..").map(str::trim);
    let Some(mut rest) = parts.next().and_then(|first| sent.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_shown_command_stands_for_a_sent_command() {
    assert!(fits("db.a.find({ _id: 1 })", "db.a.find({ _id: 1 })"));
    assert!(fits("db.a.find({ _id: .. }).limit(1)", "db.a.find({ _id: 7 }).limit(1)"));
    assert!(fits(
        "db.a.updateOne({ _id: 1, .. }, { $set: { b: .. } })",
        "db.a.updateOne({ _id: 1, c: 2 }, { $set: { b: 3 } })"
    ));
    assert!(!fits("db.a.find({ _id: 1 })", "db.a.find({ _id: 1 }).limit(1)"));
    assert!(!fits("db.a.find({ _id: .. }, { b: 1 })", "db.a.find({ _id: 7 })"));
}

/// Panics unless each line is a read: a line with one of the words of reads.
pub(crate) fn assert_reads(lines: &[String], reads: &[&str]) {
    let is_read = |line: &String| reads.iter().any(|read| line.contains(read));
    assert!(lines.iter().all(is_read), "{lines:#?}");
}
