//! A proxy between a client and the server. The proxy counts the client's commands and applies a fault to some of the
//! commands. A test can stop, refuse or overtake a client at each of its steps.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Notify, task::JoinHandle};

use crate::{
    listener::{database_at, host_of, listen},
    wire::Message,
};

/// The fault that the proxy applies to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The answer is an error, and the server never gets the command.
    Refuse,
    /// The connection closes, and the server never gets the command.
    Close,
    /// The server runs the command, and the answer says that the write concern was not met.
    Unmet,
    /// The server runs the command, and the connection closes in the place of the answer.
    Lose,
    /// The client stops before the command: nothing comes through any more.
    StopBefore,
    /// The client stops after the command: the server has run the command.
    StopAfter,
    /// The command waits until [`Proxy::release`].
    Hold,
    /// The connection closes, and the server gets the command at [`Proxy::release`].
    Late,
}

impl Fault {
    fn is_stop(self) -> bool {
        matches!(self, Fault::StopBefore | Fault::StopAfter)
    }
}

/// How long [`Proxy::reached_within`] waits before the next look at the task.
const PAUSE: Duration = Duration::from_millis(1);

/// The commands that are not counted: the driver sends these commands by itself.
const UNCOUNTED: [&str; 8] =
    ["hello", "isMaster", "ismaster", "ping", "endSessions", "killCursors", "abortTransaction", "buildInfo"];

/// The commands that have a write concern, outside of a transaction.
const WRITES: [&str; 5] = ["insert", "update", "delete", "findAndModify", "commitTransaction"];

/// The proxy: see the head of the file.
#[derive(Clone)]
pub struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    server: String,
    state: Mutex<State>,
    /// Notifies when a command waits, or the client is stopped.
    reached: Notify,
    released: Notify,
    /// Notifies when the server has run a late command.
    landed: Notify,
}

#[derive(Default)]
struct State {
    names: Vec<String>,
    faults: Vec<(usize, Fault)>,
    stopped: bool,
    /// The last transaction of each session, with the command that ends the transaction.
    open: Vec<(Bson, Document)>,
}

impl Proxy {
    /// Starts a proxy before the server that the tests share. Each fault is for the command at a place, from 0 on.
    pub async fn start(faults: impl IntoIterator<Item = (usize, Fault)>) -> Self {
        Proxy::before(crate::server().await.uri(), faults).await
    }

    /// Starts a proxy before the server with this connection string.
    pub async fn before(uri: &str, faults: impl IntoIterator<Item = (usize, Fault)>) -> Self {
        let server = host_of(uri).await;
        let state = Mutex::new(State { faults: faults.into_iter().collect(), ..State::default() });
        let shared =
            Arc::new(Shared { server, state, reached: Notify::new(), released: Notify::new(), landed: Notify::new() });
        let serving = Arc::clone(&shared);
        let port = listen(move |client| {
            let shared = Arc::clone(&serving);
            async move { shared.serve(client).await }
        })
        .await;
        Proxy { port, shared }
    }

    /// Returns a database with a client of this proxy.
    pub async fn database(&self, name: &str) -> Database {
        database_at(self.port, name).await
    }

    /// Returns the names of the commands up to now.
    pub fn names(&self) -> Vec<String> {
        self.shared.state().names.clone()
    }

    /// Returns the place of the first commit among the commands up to now.
    ///
    /// # Panics
    /// If no commit was sent.
    pub fn first_commit(&self) -> usize {
        self.names().iter().position(|name| name == "commitTransaction").expect("a commit")
    }

    /// Returns when a command waits or the client is stopped.
    pub async fn reached(&self) {
        self.shared.reached.notified().await;
    }

    /// Returns true when a command waits, or the client is stopped, before the task ends.
    pub async fn reached_within<T>(&self, task: &JoinHandle<T>) -> bool {
        let ends = async {
            while !task.is_finished() {
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::select! {
            () = self.reached() => true,
            () = ends => false,
        }
    }

    /// Ends the transactions that the client has left open, as the server would do after a minute.
    ///
    /// # Panics
    /// If the server is not reachable.
    pub async fn end_transactions(&self) {
        let mut server = TcpStream::connect(&self.shared.server).await.expect("the server");
        self.shared.end_transactions(&mut server).await.expect("answers");
    }

    /// Releases the first command that waits.
    pub fn release(&self) {
        self.shared.released.notify_one();
    }

    /// Returns when the server has run the late command.
    pub async fn landed(&self) {
        self.shared.landed.notified().await;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let mut server = TcpStream::connect(&self.server).await?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        loop {
            let request = Message::read(&mut client).await?;
            let command = request.document();
            let abort = command.as_ref().and_then(abort_of);
            let fault = self.fault_of(command.as_ref());
            match fault {
                Some(Fault::Refuse) => {
                    let refused = doc! { "ok": 0, "code": 13, "codeName": "Unauthorized", "errmsg": "refused" };
                    client.write_all(&request.answer(&refused).0).await?;
                    continue;
                }
                Some(Fault::Close) => return Ok(()),
                Some(Fault::StopBefore) => return self.stop(&mut server).await,
                Some(Fault::Late) => {
                    client.shutdown().await?;
                    drop(client);
                    self.reached.notify_one();
                    self.released.notified().await;
                    server.write_all(&request.0).await?;
                    Message::read(&mut server).await?;
                    self.landed.notify_one();
                    return Ok(());
                }
                Some(Fault::Hold) => {
                    self.reached.notify_one();
                    self.released.notified().await;
                }
                None if self.state().stopped => return Ok(()),
                _ => {}
            }
            server.write_all(&request.0).await?;
            loop {
                let mut reply = Message::read(&mut server).await?;
                match fault {
                    Some(Fault::Lose) => return Ok(()),
                    Some(Fault::StopAfter) => return self.stop(&mut server).await,
                    Some(Fault::Unmet) => reply = unmet(&reply),
                    _ => {}
                }
                if let Some((_, abort)) = abort.as_ref().filter(|_| self.state().stopped) {
                    // The client was stopped by another connection while the server ran the command.
                    end_transaction(&mut server, abort).await?;
                    return std::future::pending().await;
                }
                client.write_all(&reply.0).await?;
                if !reply.more_follow() {
                    break;
                }
            }
        }
    }

    fn fault_of(&self, command: Option<&Document>) -> Option<Fault> {
        let command = command?;
        let name = command.keys().next()?;
        let mut state = self.state();
        if UNCOUNTED.contains(&name.as_str()) || state.stopped {
            return None;
        }
        let at = state.names.len();
        state.names.push(name.clone());
        let in_transaction = command.contains_key("autocommit");
        if let Some((session, abort)) = abort_of(command) {
            state.open.retain(|(of, _)| *of != session);
            state.open.push((session, abort));
        }
        let fault = state.faults.iter().find(|(place, _)| *place == at).map(|(_, fault)| *fault)?;
        let writes = WRITES.contains(&name.as_str()) && (!in_transaction || name == "commitTransaction");
        if fault == Fault::Unmet && !writes {
            return None;
        }
        state.stopped = fault.is_stop();
        Some(fault)
    }

    async fn end_transactions(&self, server: &mut TcpStream) -> io::Result<()> {
        let open = std::mem::take(&mut self.state().open);
        for (_, abort) in open {
            end_transaction(server, &abort).await?;
        }
        Ok(())
    }

    /// Stops the client, and ends the client's transactions, as the server would do after a minute.
    async fn stop(&self, server: &mut TcpStream) -> io::Result<()> {
        self.end_transactions(server).await?;
        self.reached.notify_one();
        // The client gets no answer, not even the end of the connection.
        std::future::pending().await
    }
}

/// Returns the session of a command in a transaction, and the command that ends the transaction.
fn abort_of(command: &Document) -> Option<(Bson, Document)> {
    command.get("autocommit")?;
    let [session, number] = ["lsid", "txnNumber"].map(|key| command.get(key).cloned().unwrap_or(Bson::Null));
    let abort =
        doc! { "abortTransaction": 1, "lsid": &session, "txnNumber": number, "autocommit": false, "$db": "admin" };
    Some((session, abort))
}

/// Ends a transaction. The server may answer that the transaction has ended.
async fn end_transaction(server: &mut TcpStream, abort: &Document) -> io::Result<()> {
    server.write_all(&Message::of(abort, 0).0).await?;
    Message::read(server).await?;
    Ok(())
}

/// Returns the same answer, with an unmet write concern.
fn unmet(reply: &Message) -> Message {
    let Some(mut answer) = reply.document() else { return reply.clone() };
    let unmet =
        doc! { "code": 64, "codeName": "WriteConcernTimeout", "errmsg": "waiting", "errInfo": { "wtimeout": true } };
    answer.insert("writeConcernError", unmet);
    Message::of(&answer, reply.answers())
}
