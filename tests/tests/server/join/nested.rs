//! Several relations of the same documents in a single call, and relations of the related documents.

use mongodb::bson::{Document, doc};
use schema_runtime::{explain::problems, prelude::*, transaction};
use schema_tests::{CommandLog, database, database_with_log};

use crate::{relations::command, sent::sent};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "users")]
#[inverse(drafts = Draft::writer)]
struct User {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    name: String,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = User)]
struct Name {
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "drafts")]
struct Draft {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(id))]
    writer: Ref<User>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sections")]
struct Section {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    editor: Ref<User>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    maintainer: Option<Ref<User>>,
    #[relation(one_to_many, parent_ref)]
    section: Ref<Section>,
    #[relation(one_to_many, child_refs, max = 5)]
    needs: Vec<Ref<Page>>,
}

async fn stored(db: &Database) -> Vec<Page> {
    let schema = schema![User, Draft, Section, Page];
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let users: Vec<User> = (0..6).map(|id| User { id, name: format!("user {id}") }).collect();
    User::insert_many(db, &users).await.unwrap();
    let drafts: Vec<Draft> = (0..40).map(|id| Draft { id, writer: Ref::new(id % 5) }).collect();
    Draft::insert_many(db, &drafts).await.unwrap();
    let sections: Vec<Section> = (0..3).map(|id| Section { id, editor: Ref::new(id + 2) }).collect();
    Section::insert_many(db, &sections).await.unwrap();
    let page = |id: i64| Page {
        id,
        maintainer: (id % 4 != 3).then(|| Ref::new(id % 7)),
        section: Ref::new(id % 3),
        needs: (0..id % 4).map(|at| Ref::new((id * 3 + at) % 20)).collect(),
    };
    let pages: Vec<Page> = (0..20).map(page).collect();
    Page::insert_many(db, &pages).await.unwrap();
    pages
}

/// Checks that an index serves each `find` and `aggregate` of the log.
async fn assert_each_is_indexed(db: &Database, log: &CommandLog) {
    let commands = log.commands();
    assert!(!commands.is_empty());
    for (name, sent) in commands {
        let command = command(sent);
        let explained = db.run_command(doc! { "explain": &command, "verbosity": "executionStats" }).await.unwrap();
        assert_eq!(problems(&explained), [], "{name}: {command}");
    }
}

fn needed<'a>(pages: &'a [Page], page: &Page) -> Vec<&'a Page> {
    page.needs.iter().map(|id| pages.iter().find(|page| page.id == *id.id()).unwrap()).collect()
}

#[tokio::test]
async fn several_relations_in_one_call() {
    let (db, log) = database_with_log().await;
    let pages = stored(&db).await;
    let relations = (Page::MAINTAINER.select::<Name>(), Page::SECTION, Page::NEEDS);
    let (loaded, commands) = sent(&log, relations.load(&db, &pages)).await;
    assert_eq!(commands, ["find", "find", "find"]);
    assert_each_is_indexed(&db, &log).await;
    let (maintainers, sections, needs) = loaded.unwrap();
    for page in &pages {
        let id = page.maintainer.as_ref().map(|maintainer| *maintainer.id());
        let expected = id.filter(|id| *id < 6).map(|id| Name { name: format!("user {id}") });
        assert_eq!(maintainers.of(page).first(), expected.as_ref());
        assert_eq!(maintainers.of(page).missing().count(), usize::from(id == Some(6)));
        assert_eq!(sections.of(page).first().map(|section| section.id), Some(*page.section.id()));
        assert_eq!(needs.of(page).iter().collect::<Vec<_>>(), needed(&pages, page));
    }
    // A single document.
    let (section, needs) = (Page::SECTION, Page::NEEDS).load(&db, [&pages[7]]).await.unwrap();
    assert_eq!((section.distinct().count(), needs.of(&pages[7]).len()), (1, 3));
    assert!(!needs.of(&pages[3]).is_loaded());
    // No document.
    let (nothing, commands) = sent(&log, (Page::SECTION, Page::NEEDS).load(&db, [])).await;
    assert_eq!((nothing.unwrap().0.distinct().count(), commands.len()), (0, 0));
}

#[tokio::test]
async fn relations_of_what_a_relation_leads_to() {
    let (db, log) = database_with_log().await;
    let pages = stored(&db).await;
    let relations = (
        Page::SECTION.with(Section::EDITOR.with(User::DRAFTS.latest(2))),
        Page::NEEDS.with((Page::MAINTAINER, Page::NEEDS.with(Page::SECTION))),
    );
    let (loaded, commands) = sent(&log, relations.load(&db, &pages)).await;
    let (sections, needs) = loaded.unwrap();
    // Sections, editors, drafts; pages, the maintainers of the pages, the needed pages, the sections of the needed
    // pages.
    assert_eq!(commands.len(), 7, "{commands:?}");
    assert_eq!(commands.iter().filter(|name| *name == "aggregate").count(), 1);
    assert_each_is_indexed(&db, &log).await;
    for page in &pages {
        let section = sections.of(page).first().unwrap();
        let editors = sections.nested();
        let editor = editors.of(section).first().unwrap();
        assert_eq!(editor.id, section.id + 2);
        let drafts: Vec<i64> = editors.nested().of(editor).iter().map(|draft| draft.id).collect();
        assert_eq!(drafts, [35 + editor.id, 30 + editor.id]);
        let (maintainers, deeper) = needs.nested();
        let found: Vec<&Page> = needs.of(page).iter().collect();
        assert_eq!(found, needed(&pages, page));
        for found in found {
            let id = found.maintainer.as_ref().map(|maintainer| *maintainer.id()).filter(|id| *id < 6);
            assert_eq!(maintainers.of(found).first().map(|user| user.id), id);
            let deep: Vec<&Page> = deeper.of(found).iter().collect();
            assert_eq!(deep, needed(&pages, found));
            for page in deep {
                let section = deeper.nested().of(page).complete().unwrap();
                assert_eq!(section.first().map(|section| section.id), Some(*page.section.id()));
            }
        }
    }
    let (sections, editors) = sections.into_parts();
    assert_eq!((sections.distinct().count(), editors.loaded().distinct().count()), (3, 3));
}

/// In a transaction, the commands run in sequence: a transaction takes a single command at a time.
#[tokio::test]
async fn in_a_transaction() {
    let db = database().await;
    let pages = stored(&db).await;
    let found = transaction(&db, |tx| {
        let pages = pages.clone();
        async move {
            User::insert(&tx, &User { id: 6, name: "new".to_owned() }).await?;
            let relations = (Page::MAINTAINER, Page::SECTION.with(Section::EDITOR), Page::NEEDS);
            let (maintainers, sections, needs) = relations.load(&tx, &pages).await?;
            let new = maintainers.of(&pages[6]).first().map(|user| user.name.clone());
            Ok::<_, Error>((new, sections.nested().distinct().count(), needs.missing().count()))
        }
    });
    assert_eq!(found.await.unwrap(), (Some("new".to_owned()), 3, 0));
}

/// The failure of a relation is the error of the whole call.
#[tokio::test]
async fn a_failure_of_one_is_that_of_the_call() {
    let db = database().await;
    let pages = stored(&db).await;
    db.collection::<Document>("sections").drop().await.unwrap();
    db.create_collection("sections")
        .view_on("pages")
        .pipeline([doc! { "$set": { "x": { "$divide": [1, 0] } } }])
        .await
        .unwrap();
    let failed = (Page::MAINTAINER, Page::SECTION.with(Section::EDITOR)).load(&db, &pages).await;
    assert!(failed.is_err());
}
