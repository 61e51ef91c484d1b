//! Questions to a person at a terminal. A flag answers each question.

use std::io::{self, IsTerminal, Write};

use futures_util::future::{Either, select};
use tokio::sync::oneshot;

use super::{failure::Failure, stop::Stop};
use crate::report::printable;

/// Asks for a yes.
pub(super) async fn agree(question: &str, stop: &Stop) -> Result<(), Failure> {
    let answer = ask(&format!("{question} [y/N]"), "--yes", stop.clone()).await?;
    match answer.to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Failure::Unanswered("not confirmed: nothing is changed".to_owned())),
    }
}

/// Asks a question and returns the line of the answer. Where the standard input is no terminal, or ends, the command
/// ends with the flag that answers.
pub(super) async fn ask(question: &str, flag: &str, stop: Stop) -> Result<String, Failure> {
    let unanswered = || Failure::Unanswered(format!("nobody can answer `{question}`: add `{flag}`"));
    if !io::stdin().is_terminal() {
        return Err(unanswered());
    }
    let _ = write!(io::stderr(), "{} ", printable(question)).and_then(|()| io::stderr().flush());
    // A thread of its own: the end of the program does not wait for the thread.
    let (answer, answered) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let _ = answer.send(read.ok().filter(|bytes| *bytes > 0).map(|_| line));
    });
    match select(answered, Box::pin(stop.wished())).await {
        Either::Left((Ok(Some(line)), _)) => Ok(line.trim().to_owned()),
        Either::Left(_) => Err(unanswered()),
        Either::Right(_) => Err(Failure::Stopped),
    }
}
