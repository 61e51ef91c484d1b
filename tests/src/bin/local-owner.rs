//! A process that owns a local server, for the tests of the end of an owner and of the environment of the server
//! search. The single argument selects the work; the results go to the standard output, a line each.

use std::{
    env,
    io::{self, Read, Write},
    process::{ExitCode, exit},
};

use schema_runtime::{Result, local::Server};

#[tokio::main]
async fn main() -> ExitCode {
    let what = env::args().nth(1).unwrap_or_default();
    match run(&what).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say("error", error);
            ExitCode::FAILURE
        }
    }
}

async fn run(what: &str) -> Result<()> {
    let server = Server::builder().download(what != "without-download").start().await?;
    say("own", server.is_own());
    say("uri", server.uri());
    for pid in server.pids().await {
        say("pid", pid);
    }
    for directory in server.directories().await {
        say("directory", directory.display());
    }
    say("ready", what);
    match what {
        // Holds the server until the process is killed or the standard input ends.
        "hold" => drop(io::stdin().read(&mut [0])),
        "panic" => panic!("on request"),
        "exit" => exit(0),
        _ => {}
    }
    Ok(())
}

fn say(key: &str, value: impl std::fmt::Display) {
    println!("{key} {value}");
    // A pipe is written at a full buffer or at a flush.
    let _ = io::stdout().flush();
}
