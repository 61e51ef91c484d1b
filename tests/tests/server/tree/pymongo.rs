//! Reads of the crate's trees by another client: pymongo, with the queries of the articles. The queries search by the
//! parent's `_id`, by an ancestor's `_id`, and by a regular expression for the beginning of the path.

use std::{fs, path::Path, process::Command};

use schema_runtime::{prelude::*, schema};
use schema_tests::{database, server};

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/tree/pymongo");

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Category::ancestors)]
    name: String,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Category>>,
    #[tree(ancestors, by = id)]
    ancestors: Vec<Ancestor>,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Ancestor {
    id: Ref<Category>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Comment>>,
    #[tree(path)]
    path: TreePath<Comment>,
    #[tree(depth)]
    depth: i32,
}

/// Writes two trees of 31 documents each: 0 is the parent of 1 and 2, 1 of 3 and 4, and so on. Then some documents are
/// moved, renamed, promoted and deleted.
async fn write(db: &Database) {
    schema![Category, Comment].plan(db).await.unwrap().apply(db).await.unwrap();
    let ids: Vec<ObjectId> = (0..31).map(|_| ObjectId::new()).collect();
    let parent = |at: usize| (at > 0).then(|| ids[(at - 1) / 2]);
    let categories = (0..31).map(|at| {
        let parent = parent(at).map(Ref::new);
        Category { id: ids[at], name: format!("c{at}"), parent, ancestors: Vec::new() }
    });
    Category::insert_many(db, categories).await.unwrap();
    let comments = (0..31).map(|at| {
        let parent = parent(at).map(Ref::new);
        Comment { id: ids[at], parent, path: TreePath::default(), depth: 0 }
    });
    Comment::insert_many(db, comments).await.unwrap();
    for (id, under) in [(3, 2), (5, 3), (2, 4), (20, 30)] {
        Category::move_under(db, ids[id], ids[under]).await.unwrap();
        Comment::move_under(db, ids[id], ids[under]).await.unwrap();
    }
    Category::move_to_root(db, ids[2]).await.unwrap();
    Comment::move_to_root(db, ids[2]).await.unwrap();
    Category::update_by_id(ids[3]).set(Category::F.name, "renamed").execute(db).await.unwrap();
    Category::promote_children(db, ids[6]).await.unwrap();
    Comment::promote_children(db, ids[6]).await.unwrap();
    assert!(Category::delete_by_id(db, ids[6]).await.unwrap());
    assert!(Comment::delete_by_id(db, ids[6]).await.unwrap());
}

/// Returns the same lines by the reads of the crate.
async fn read(db: &Database) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |id: ObjectId, question: &str, answer: Vec<String>| {
        lines.push([vec![id.to_hex(), question.to_owned()], answer].concat().join(" "));
    };
    let categories = Category::find(Filter::all()).sort(Category::F.id.asc()).fetch_all(db).await.unwrap();
    for category in categories {
        let children = category.children().fetch_all(db).await.unwrap();
        let below = category.descendants().fetch_all(db).await.unwrap();
        say(category.id, "children", hex(children.iter().map(|child| child.id)));
        say(category.id, "below", hex(below.iter().map(|below| below.id)));
        let above = category.ancestors().fetch_all(db).await.unwrap();
        say(category.id, "breadcrumb", above.into_iter().map(|above| above.name).collect());
    }
    let comments = Comment::find(Filter::all()).sort(Comment::F.id.asc()).fetch_all(db).await.unwrap();
    for comment in comments {
        let children = comment.children().fetch_all(db).await.unwrap();
        let below = comment.descendants().fetch_all(db).await.unwrap();
        let above = comment.ancestors().fetch_all(db).await.unwrap();
        say(comment.id, "children", hex(children.iter().map(|child| child.id)));
        say(comment.id, "below", hex(below.iter().map(|below| below.id)));
        say(comment.id, "depth", vec![above.len().to_string()]);
        say(comment.id, "breadcrumb", above.iter().map(|above| above.id.to_hex()).collect());
    }
    lines
}

fn hex(ids: impl Iterator<Item = ObjectId>) -> Vec<String> {
    let mut ids: Vec<String> = ids.map(|id| id.to_hex()).collect();
    ids.sort();
    ids
}

/// Returns a python3 with pymongo: the installed pymongo, or a pymongo that pip installs into cargo's target folder.
fn python() -> Command {
    let packages = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pymongo-4.15.5");
    let python = || {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", &packages);
        command
    };
    let runs = |command: &mut Command| command.output().expect("python3 is on the PATH").status.success();
    if !runs(python().args(["-c", "import pymongo"])) {
        let partial = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"];
        let hashed = ["--only-binary=:all:", "--require-hashes"];
        let requirements = format!("{HERE}/requirements.txt");
        let mut install = python();
        install.args(pip).args(hashed).args(["-r", &requirements]).arg("--target").arg(partial.path());
        assert!(install.status().unwrap().success(), "pip has not installed pymongo: install one that python3 finds");
        // Another process may have installed the package first.
        if fs::rename(partial.path(), &packages).is_ok() {
            let _ = partial.keep();
        }
    }
    python()
}

#[tokio::test]
async fn finds_what_the_articles_ask_for() {
    let db = database().await;
    write(&db).await;
    let uri = server().await.uri();
    let read_there = python().arg(format!("{HERE}/read.py")).args([uri, db.name()]).output().unwrap();
    assert!(read_there.status.success(), "{}", String::from_utf8_lossy(&read_there.stderr));
    let there = String::from_utf8(read_there.stdout).unwrap();
    let here = read(&db).await;
    assert_eq!(here.len(), 30 * 3 + 30 * 4);
    assert_eq!(there.lines().collect::<Vec<_>>(), here);
}
