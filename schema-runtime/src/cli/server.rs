//! The server and the database of a command, from the arguments, the environment or a file. No type but [`Secret`]
//! holds a connection string, and no text repeats a value that may be a connection string.

use std::{
    convert::Infallible,
    env, fmt, fs,
    path::{Path, PathBuf},
};

use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{failure::Failure, output};
use crate::connect;

/// A connection string. `Debug` shows nothing of the string.
#[derive(Clone)]
struct Secret(String);

impl Secret {
    fn parse(text: &str) -> Result<Secret, Infallible> {
        Ok(Secret(text.trim().to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

/// The arguments that name a server and a database.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Server")]
pub(super) struct ServerArguments {
    /// The environment variable with the connection string [default: MONGODB_URI]
    #[arg(long, value_name = "NAME", global = true)]
    uri_env: Option<String>,
    /// A file with the connection string; no other user of the machine may read the file
    #[arg(long, value_name = "FILE", global = true)]
    uri_file: Option<PathBuf>,
    /// The connection string; other users of the machine see the string in the list of processes
    #[arg(long, value_name = "STRING", global = true, value_parser = Secret::parse)]
    uri: Option<Secret>,
    /// The database, in the place of the database of the connection string
    #[arg(long, value_name = "NAME", global = true)]
    database: Option<String>,
}

/// The variable that holds the connection string where no argument names another.
const VARIABLE: &str = "MONGODB_URI";

impl ServerArguments {
    /// Connects to the server. Returns the database, and the hosts as text.
    pub(super) async fn connect(&self) -> Result<(Database, String), Failure> {
        let Secret(uri) = self.uri()?;
        let options = connect::options(&uri).await?;
        let name = match (&self.database, &options.default_database) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => name.clone(),
            (None, None) => {
                return Err(Failure::Usage(
                    "the connection string names no database: add `--database NAME`".to_owned(),
                ));
            }
        };
        if name.is_empty() || name.len() > 63 || name.contains(['/', '\\', '.', ' ', '"', '$', '\0']) {
            return Err(Failure::Usage(
                "the name of the database is not valid: `--database` takes 1 to 63 bytes without / \\ . \" $ and spaces"
                    .to_owned(),
            ));
        }
        let hosts = options.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Ok((connect::connect_with(options, &name).await?, hosts))
    }

    /// Returns the connection string from the one given source.
    fn uri(&self) -> Result<Secret, Failure> {
        match (&self.uri_env, &self.uri_file, &self.uri) {
            (None, None, Some(uri)) => {
                output::say(
                    "warning: other users of this machine see `--uri` in the list of processes: `--uri-env` and \
                     `--uri-file` keep the string secret",
                );
                Ok(uri.clone())
            }
            (None, Some(file), None) => of_file(file),
            (Some(name), None, None) => of_variable(name),
            (None, None, None) => of_variable(VARIABLE),
            _ => Err(Failure::Usage("give one of `--uri-env`, `--uri-file` and `--uri`".to_owned())),
        }
    }
}

fn of_variable(name: &str) -> Result<Secret, Failure> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(Failure::Usage("`--uri-env` takes the name of an environment variable".to_owned()));
    }
    match env::var(name) {
        Ok(uri) if !uri.trim().is_empty() => Ok(Secret(uri.trim().to_owned())),
        Ok(_) => Err(Failure::Usage(format!("the environment variable {name} is empty: {SOURCES}"))),
        Err(env::VarError::NotPresent) => {
            Err(Failure::Usage(format!("the environment variable {name} is not set: {SOURCES}")))
        }
        Err(env::VarError::NotUnicode(_)) => {
            Err(Failure::Usage(format!("the environment variable {name} is not UTF-8")))
        }
    }
}

const SOURCES: &str = "set the variable to the connection string, or name another variable with `--uri-env`, or a file \
     with `--uri-file`";

fn of_file(file: &Path) -> Result<Secret, Failure> {
    let shown = file.to_string_lossy();
    if shown.contains(":/") {
        return Err(Failure::Usage("`--uri-file` takes the path of a file with the connection string".to_owned()));
    }
    let fails = |error: std::io::Error| Failure::File(format!("{shown}: {error}"));
    refuse_readable_by_others(file, &shown)?;
    let uri = fs::read_to_string(file).map_err(fails)?;
    if uri.trim().is_empty() {
        return Err(Failure::Usage(format!("{shown} is empty: write the connection string into the file")));
    }
    Ok(Secret(uri.trim().to_owned()))
}

#[cfg(unix)]
fn refuse_readable_by_others(file: &Path, shown: &str) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;

    let facts = fs::metadata(file).map_err(|error| Failure::File(format!("{shown}: {error}")))?;
    if facts.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(Failure::Usage(format!("other users may use {shown}: run `chmod 600 {shown}` first")))
}

#[cfg(not(unix))]
fn refuse_readable_by_others(_: &Path, _: &str) -> Result<(), Failure> {
    Ok(())
}

/// Returns the line that names the server, the version, the database and the user, for people.
pub(super) async fn described(db: &Database, hosts: &str) -> Result<String, Failure> {
    let build = db.run_command(doc! { "buildInfo": 1 }).await.map_err(crate::Error::from)?;
    let status = db.run_command(doc! { "connectionStatus": 1 }).await.map_err(crate::Error::from)?;
    let version = build.get_str("version").unwrap_or("of an unknown version");
    let user = user(&status).map_or_else(|| "no user".to_owned(), |user| format!("user {user}"));
    Ok(format!("server {hosts}, MongoDB {version}, database {}, {user}", db.name()))
}

fn user(status: &Document) -> Option<&str> {
    let users = status.get_document("authInfo").ok()?.get_array("authenticatedUsers").ok()?;
    users.first().and_then(Bson::as_document)?.get_str("user").ok()
}
