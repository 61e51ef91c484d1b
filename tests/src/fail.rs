//! Commands that fail on request, by MongoDB's own fail point `failCommand`.

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};
use tokio::sync::{Mutex, MutexGuard};

/// The server has one `failCommand`: tests that use it take turns.
static TURN: Mutex<()> = Mutex::const_new(());

/// A failure that is switched on. [`FailPoint::clear`] switches it off; it touches the commands of one test's client only.
#[must_use = "it lasts until it is cleared"]
pub struct FailPoint {
    admin: Database,
    _turn: MutexGuard<'static, ()>,
}

/// Makes commands of this database's client fail, as `data` says (`failCommands`, `errorCode`, `closeConnection`,
/// `blockConnection` and so on), as often as `mode` says: `"alwaysOn"`, `doc! { "times": 2 }` or `doc! { "skip": 1 }`.
/// Made for databases of this harness: the clients of other tests are not touched.
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
