//! Soft delete: a date marks a deleted document.

use schema_runtime::{assert_indexed, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
#[index(owner, deleted, desc(id))]
struct Note {
    #[serde(rename = "_id")]
    id: i32,
    owner: i32,
    text: String,
    #[index(ttl = "30d")]
    deleted: Option<DateTime>,
}

impl Note {
    /// The notes of an owner that are not deleted.
    fn of_owner(owner: i32) -> Filter<Self> {
        Self::F.owner.eq(owner) & Self::F.deleted.is_null()
    }

    /// False if the note is missing or deleted already.
    async fn soft_delete(db: &impl Executor, id: i32) -> Result<bool> {
        let alive = Self::F.id.eq(id) & Self::F.deleted.is_null();
        Ok(Self::update_one(alive).set(Self::F.deleted, DateTime::now()).execute(db).await?.matched == 1)
    }

    async fn restore(db: &impl Executor, id: i32) -> Result<()> {
        Self::update_by_id(id).unset(Self::F.deleted).execute(db).await.map(drop)
    }
}
// ANCHOR_END: model

// ANCHOR: unique
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "teams")]
#[index(name, unique, partial(eq(is_alive, true)))]
struct Team {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 40)]
    name: String,
    is_alive: bool,
}
// ANCHOR_END: unique

#[tokio::test]
async fn a_name_is_unique_among_the_living() -> Result<()> {
    let db = database(&schema![Team]).await;
    let team = |id, is_alive| Team { id, name: "red".to_owned(), is_alive };
    Team::insert_many(&db, &[team(1, false), team(2, false), team(3, true)]).await?;
    assert!(matches!(Team::insert(&db, &team(4, true)).await, Err(Error::DuplicateKey { .. })));
    Ok(())
}

// ANCHOR: use
async fn delete_and_restore(db: &Database) -> Result<()> {
    assert!(Note::soft_delete(db, 1).await?);
    assert!(!Note::soft_delete(db, 1).await?);
    assert_eq!(Note::find(Note::of_owner(7)).count(db).await?, 1);

    Note::restore(db, 1).await?;
    assert_eq!(Note::find(Note::of_owner(7)).count(db).await?, 2);
    Ok(())
}
// ANCHOR_END: use

#[tokio::test]
async fn a_deleted_note_comes_back() -> Result<()> {
    let db = database(&schema![Note]).await;
    let notes = [1, 2].map(|id| Note { id, owner: 7, text: format!("note {id}"), deleted: None });
    Note::insert_many(&db, &notes).await?;
    delete_and_restore(&db).await?;
    let alive = Note::find(Note::of_owner(7)).sort(Note::F.id.desc());
    assert_indexed(&alive, &db).await;
    assert_shown("guides/soft_delete.md", &alive.to_mongosh()?);
    assert_shown("guides/soft_delete.md", &Note::update_by_id(1).unset(Note::F.deleted).to_mongosh()?);
    Ok(())
}
