//! The part of a router (`mongos`) that serves the commands that give a collection its shard key, before a config
//! server and two real shards. The crate sends the commands of a router, and the shards judge the commands. All
//! remaining commands go to the first shard: the tests do not show routing, targeting and migrations.

use std::{io, net::Ipv4Addr, sync::Arc};

use futures_util::TryStreamExt;
use mongodb::{
    Client, Database,
    bson::{Bson, Document, doc},
    error::ErrorKind,
    options::ClientOptions,
};
use schema_runtime::local::{Server, Topology};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::OnceCell,
};

use crate::wire::Message;

/// The shard of all data, until a collection is resharded.
const FIRST_SHARD: &str = "shard0";

/// The fields that a member of a replica set says of itself, and a router does not.
const OF_A_MEMBER: [&str; 12] = [
    "hosts",
    "setName",
    "setVersion",
    "primary",
    "me",
    "electionId",
    "lastWrite",
    "secondary",
    "tags",
    "passives",
    "arbiters",
    "topologyVersion",
];

/// A config server and two shards, behind a server of a router's commands.
pub struct Router {
    port: u16,
    shards: Vec<u16>,
    _server: Server,
}

struct Shared {
    config: u16,
    shard: u16,
    config_client: Client,
    shard_client: Client,
}

static ROUTER: OnceCell<Router> = OnceCell::const_new();

/// Returns the router that the tests of this binary share. A separate runtime serves the router, since the runtime of
/// each test ends with the test.
pub async fn router() -> &'static Router {
    ROUTER.get_or_init(Router::start).await
}

impl Router {
    /// Starts a router for a single test.
    ///
    /// # Panics
    /// If the servers do not start.
    pub async fn start() -> Router {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let _ = sender.send(serve().await);
                std::future::pending::<()>().await;
            });
        });
        receiver.await.expect("the router starts")
    }

    /// Returns the connection string.
    pub fn uri(&self) -> String {
        direct(self.port)
    }

    /// Returns a database with a new client.
    pub async fn database(&self, name: &str) -> Database {
        client(self.port).await.database(name)
    }

    /// Returns the same database of a single shard, past the router.
    pub async fn on_shard(&self, shard: usize, name: &str) -> Database {
        client(self.shards[shard]).await.database(name)
    }
}

async fn serve() -> Router {
    let server = Server::builder().topology(Topology::Shards { shards: 2 }).fail_points(true).own(true).start().await;
    let server = server.expect("a config server and two shards");
    let [config, shards @ ..] = server.ports() else { unreachable!("it has ports") };
    let (config, shards) = (*config, shards.to_vec());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (config_client, shard_client) = (client(config).await, client(shards[0]).await);
    let shared = Arc::new(Shared { config, shard: shards[0], config_client, shard_client });
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                // An error ends the connection.
                let _ = shared.serve(stream).await;
            });
        }
    });
    Router { port, shards, _server: server }
}

fn direct(port: u16) -> String {
    format!("mongodb://127.0.0.1:{port}/?directConnection=true")
}

async fn client(port: u16) -> Client {
    let options = ClientOptions::parse(direct(port)).await.expect("a valid connection string");
    Client::with_options(options).expect("a client")
}

impl Shared {
    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let mut shard = TcpStream::connect((Ipv4Addr::LOCALHOST, self.shard)).await?;
        let mut config = TcpStream::connect((Ipv4Addr::LOCALHOST, self.config)).await?;
        loop {
            let request = Message::read(&mut client).await?;
            let command = request.document().unwrap_or_default();
            if let Some(answer) = self.answer(&command).await {
                client.write_all(&request.answer(&answer).0).await?;
                continue;
            }
            let is_hello = command.is_empty()
                || matches!(command.keys().next().map(String::as_str), Some("hello" | "isMaster" | "ismaster"));
            let server =
                if command.get_str("$db").is_ok_and(|name| name == "config") { &mut config } else { &mut shard };
            server.write_all(&request.0).await?;
            loop {
                let mut reply = Message::read(server).await?;
                if is_hello {
                    reply = as_router(&reply);
                }
                client.write_all(&reply.0).await?;
                if !reply.more_follow() {
                    break;
                }
            }
        }
    }

    /// Returns the answer to a command that a router does not pass on.
    async fn answer(&self, command: &Document) -> Option<Document> {
        let (name, namespace) = command.iter().next()?;
        let done = match (name.as_str(), namespace.as_str()?.split_once('.')) {
            ("shardCollection", Some((database, collection))) => self.shard(command, database, collection).await,
            ("refineCollectionShardKey", Some((database, collection))) => {
                self.refine(command, database, collection).await
            }
            ("reshardCollection", Some((database, _))) => self.reshard(command, database).await,
            _ => return None,
        };
        Some(match done {
            Ok(_) => doc! { "ok": 1 },
            Err(error) => match *error.kind {
                ErrorKind::Command(error) => {
                    doc! { "ok": 0, "code": error.code, "codeName": error.code_name, "errmsg": error.message }
                }
                other => doc! { "ok": 0, "code": 8, "codeName": "UnknownError", "errmsg": other.to_string() },
            },
        })
    }

    async fn shard(&self, command: &Document, database: &str, collection: &str) -> mongodb::error::Result<Document> {
        let mut create = doc! {
            "_shardsvrCreateCollection": collection,
            "shardKey": command.get("key").cloned(),
            "unique": command.get_bool("unique").unwrap_or(false),
            "databaseVersion": self.version(database).await?,
            "writeConcern": { "w": "majority" },
        };
        if let Some(collation) = command.get("collation") {
            create.insert("collation", collation.clone());
        }
        self.shard_client.database(database).run_command(create).await
    }

    async fn refine(&self, command: &Document, database: &str, collection: &str) -> mongodb::error::Result<Document> {
        let refine = doc! {
            "_shardsvrRefineCollectionShardKey": collection,
            "newShardKey": command.get("key").cloned(),
            "databaseVersion": self.version(database).await?,
            "writeConcern": { "w": "majority" },
        };
        self.shard_client.database(database).run_command(refine).await
    }

    async fn reshard(&self, command: &Document, database: &str) -> mongodb::error::Result<Document> {
        let reshard = doc! {
            "_shardsvrReshardCollection": command.get_str("reshardCollection").unwrap_or_default(),
            "key": command.get("key").cloned(),
            "unique": false,
            "numInitialChunks": 2,
            "databaseVersion": self.version(database).await?,
            "writeConcern": { "w": "majority" },
        };
        self.shard_client.database("admin").run_command(reshard).await
    }

    /// Returns the version of a database. A missing database is created on the first shard.
    async fn version(&self, database: &str) -> mongodb::error::Result<Bson> {
        let create = doc! { "_configsvrCreateDatabase": database, "primaryShardId": FIRST_SHARD, "writeConcern": { "w": "majority" } };
        self.config_client.database("admin").run_command(create).await?;
        let databases = self.config_client.database("config").collection::<Document>("databases");
        let found: Vec<Document> = databases.find(doc! { "_id": database }).await?.try_collect().await?;
        Ok(found.first().and_then(|found| found.get("version").cloned()).unwrap_or(Bson::Null))
    }
}

/// Changes the answer of a shard about itself into the answer of a router.
fn as_router(reply: &Message) -> Message {
    let changed = |mut document: Document| {
        for name in OF_A_MEMBER {
            document.remove(name);
        }
        document.insert("msg", "isdbgrid");
        document
    };
    match (reply.document(), reply.first_document()) {
        (Some(document), _) => Message::of(&changed(document), reply.answers()),
        (None, Some(document)) => reply.with_first_document(&changed(document)),
        (None, None) => reply.clone(),
    }
}
