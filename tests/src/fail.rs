//! Commands that fail on request, by MongoDB's own fail point `failCommand`.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use tokio::sync::{Mutex, MutexGuard};

/// The server has a single `failCommand`: the tests with a fail point take turns.
static TURN: Mutex<()> = Mutex::const_new(());

/// A failure that is switched on. [`FailPoint::clear`] switches the failure off. The failure affects the commands of a
/// single test's client only.
#[must_use = "it lasts until it is cleared"]
pub struct FailPoint {
    admin: Database,
    _turn: MutexGuard<'static, ()>,
}

/// Makes commands of this database's client fail, as `data` says (`failCommands`, `errorCode`, `closeConnection`,
/// `blockConnection` and so on), as often as `mode` says: `"alwaysOn"`, `doc! { "times": 2 }` or `doc! { "skip": 1 }`.
/// The function is for databases of this harness: the clients of all remaining tests are not affected.
pub async fn fail_command(db: &Database, mode: impl Into<Bson>, mut data: Document) -> FailPoint {
    let turn = TURN.lock().await;
    data.insert("appName", db.name());
    let admin = db.client().database("admin");
    let command = doc! { "configureFailPoint": "failCommand", "mode": mode.into(), "data": data };
    admin.run_command(command).await.expect("the server must allow fail points");
    FailPoint { admin, _turn: turn }
}

impl FailPoint {
    /// Switches the failure off.
    pub async fn clear(self) {
        let command = doc! { "configureFailPoint": "failCommand", "mode": "off" };
        self.admin.run_command(command).await.expect("the server must allow fail points");
    }
}

/// Ends the transactions that this database's client has left open on the server, and returns the number of ended
/// transactions. Without this call, the server ends an open transaction after a minute
/// (`transactionLifetimeLimitSeconds`), and until then the remaining clients get write conflicts.
///
/// # Panics
/// If the server refuses the command.
pub async fn end_transactions(db: &Database) -> usize {
    end_transactions_of(&db.client().database("admin"), db.name()).await
}

/// Ends the open transactions of the clients with this application name, and returns the number of ended transactions.
pub(crate) async fn end_transactions_of(admin: &Database, application: &str) -> usize {
    let open = doc! { "appName": application, "transaction": { "$exists": true } };
    let pipeline = vec![doc! { "$currentOp": { "idleSessions": true } }, doc! { "$match": open }];
    let mut found = admin.aggregate(pipeline).await.expect("the open sessions");
    let mut sessions = Vec::new();
    while found.advance().await.expect("a session") {
        let session = Document::try_from(found.current()).expect("BSON");
        let id = session.get_document("lsid").ok().and_then(|lsid| lsid.get("id"));
        sessions.push(doc! { "id": id.expect("its number").clone() });
    }
    let count = sessions.len();
    if count > 0 {
        admin.run_command(doc! { "killSessions": sessions }).await.expect("the transactions end");
    }
    count
}
