//! Reads of related documents: relations, joins on the server and trees leave hidden fields out.

use futures_util::TryStreamExt;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "teams")]
#[inverse(players = Player::team)]
struct Team {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[hidden]
    key: Hidden<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "players")]
struct Player {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(number))]
    team: Ref<Team>,
    number: i32,
    #[relation(many_to_many, one_way, max = 5, inverse = players)]
    badges: Vec<Ref<Badge>>,
    #[hidden]
    note: Hidden<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "badges")]
#[inverse(players = Player::badges)]
struct Badge {
    #[serde(rename = "_id")]
    id: i64,
    #[hidden]
    code: Hidden<String>,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Player)]
struct Note {
    #[hidden]
    note: Hidden<String>,
}

#[derive(Projection, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Team)]
struct Key {
    #[hidden]
    key: Hidden<String>,
}

fn team(id: i64) -> Team {
    Team { id, name: "Red".into(), key: Hidden::not_loaded() }
}

fn player(id: i64) -> Player {
    Player { id, team: Ref::new(1), number: id as i32, badges: vec![Ref::new(1), Ref::new(2)], note: Hidden::default() }
}

fn badge(id: i64) -> Badge {
    Badge { id, code: Hidden::not_loaded() }
}

async fn start() -> (Database, CommandLog) {
    let (db, log) = database_with_replies().await;
    schema![Team, Player, Badge].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Team::insert(&db, &Team { key: SECRET.to_owned().into(), ..team(1) }).await.unwrap();
    let badges = [1, 2].map(|id| Badge { code: SECRET.to_owned().into(), ..badge(id) });
    Badge::insert_many(&db, badges).await.unwrap();
    let players = [1, 2, 3].map(|id| Player { note: SECRET.to_owned().into(), ..player(id) });
    Player::insert_many(&db, players).await.unwrap();
    log.clear();
    (db, log)
}

#[tokio::test]
async fn parents_leave_hidden_fields_out() {
    let (db, log) = start().await;
    let players = [player(1), player(2)];
    assert_eq!(Player::TEAM.of(&players[0]).fetch_one(&db).await.unwrap(), team(1));
    let loaded = Player::TEAM.load(&db, &players).await.unwrap();
    assert_eq!(loaded.of(&players[1]).first(), Some(&team(1)));
    let rows = Player::TEAM.lookup(Player::F.id.eq(2)).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!((&rows[0].0, rows[0].1.first()), (&player(2), Some(&team(1))));
    assert_silent(&log);
    let key = Player::TEAM.select::<Key>().of(&players[0]).fetch_one(&db).await.unwrap();
    assert_eq!(key.key.get().map(String::as_str), Some(SECRET));
}

#[tokio::test]
async fn children_leave_hidden_fields_out() {
    let (db, log) = start().await;
    let red = team(1);
    let expected = [player(1), player(2), player(3)];
    let children = Team::PLAYERS.of(&red).fetch_all(&db).await.unwrap();
    assert_eq!(children.iter().cloned().collect::<Vec<_>>(), expected);
    let streamed: Vec<Player> = Team::PLAYERS.of(&red).stream(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(streamed, expected);
    assert_eq!(Team::PLAYERS.of(&red).fetch_optional(&db).await.unwrap(), Some(player(1)));
    let first = Team::PLAYERS.first(2).load(&db, [&red]).await.unwrap();
    assert_eq!(first.of(&red).iter().cloned().collect::<Vec<_>>(), expected[..2]);
    let page = Team::PLAYERS.of(&red).paginate(2).fetch(&db).await.unwrap();
    assert_eq!(page.items.iter().cloned().collect::<Vec<_>>(), expected[..2]);
    let loaded = Team::PLAYERS.load(&db, [&red]).await.unwrap();
    assert_eq!(loaded.of(&red).iter().cloned().collect::<Vec<_>>(), expected);
    let rows = Team::PLAYERS.lookup(Filter::all()).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!((&rows[0].0, rows[0].1.iter().count()), (&red, 3));
    assert_eq!(rows[0].1.iter().cloned().collect::<Vec<_>>(), expected);
    assert_silent(&log);

    let notes = Team::PLAYERS.of(&red).select::<Note>().fetch_all(&db).await.unwrap();
    assert!(notes.iter().all(|player| player.note.is_loaded()));
    // A read of the outer documents may name a field of the outer documents.
    let outer = Team::find(Filter::all()).reveal(Team::F.key);
    let rows = Team::PLAYERS.lookup(outer).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows[0].0.key.get().map(String::as_str), Some(SECRET));
    assert!(rows[0].1.iter().all(|player| !player.note.is_loaded()));
}

#[tokio::test]
async fn references_in_arrays_leave_hidden_fields_out() {
    let (db, log) = start().await;
    let players = [player(1), player(2)];
    let badges = Player::BADGES.of(&players[0]).fetch_all(&db).await.unwrap();
    assert_eq!(badges.iter().cloned().collect::<Vec<_>>(), [badge(1), badge(2)]);
    let loaded = Player::BADGES.load(&db, &players).await.unwrap();
    assert_eq!(loaded.of(&players[1]).iter().cloned().collect::<Vec<_>>(), [badge(1), badge(2)]);
    let rows = Player::BADGES.lookup(Player::F.id.eq(1)).fetch_all(&db).await.unwrap().into_vec().unwrap();
    assert_eq!(rows[0].1.iter().cloned().collect::<Vec<_>>(), [badge(1), badge(2)]);
    let far = Badge::PLAYERS.of(&badge(1)).fetch_all(&db).await.unwrap();
    assert_eq!(far.iter().count(), 3);
    assert!(far.iter().all(|player| !player.note.is_loaded()));
    Badge::delete_by_id(&db, 2).await.unwrap();
    Team::delete_by_id(&db, 1).await.unwrap();
    let orphans: Vec<Player> = Player::BADGES.orphans(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(orphans.len(), 3);
    let orphans: Vec<Player> = Player::TEAM.orphans(&db).await.unwrap().try_collect().await.unwrap();
    assert_eq!(orphans, [player(1), player(2), player(3)]);
    assert_silent(&log);
}

#[tokio::test]
async fn a_value_is_made_of_a_source_without_the_hidden_fields() {
    let (db, log) = start().await;
    let build = |team: &Team| {
        assert!(!team.key.is_loaded());
        Player { note: format!("of {}", team.name).into(), ..player(4) }
    };
    let inserted = Player::insert_with(&db, &Ref::<Team>::new(1), build).await.unwrap();
    assert_eq!(inserted.note.get().map(String::as_str), Some("of Red"), "the value of the caller");
    assert_silent(&log);
}

macro_rules! trees {
    ($($module:ident [$($field:ident: $type:ty, $attribute:meta)?])*) => {$(
        mod $module {
            use super::*;

            #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
            #[model(collection = "folders")]
            struct Folder {
                #[serde(rename = "_id")]
                id: i64,
                #[tree(parent, max_depth = 8)]
                parent: Option<Ref<Folder>>,
                $(#[$attribute] $field: $type,)?
                #[hidden]
                key: Hidden<String>,
            }

            pub(super) async fn check() {
                let (db, log) = database_with_replies().await;
                schema![Folder].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
                let folder = |id: i64, parent: Option<i64>| Folder {
                    id,
                    parent: parent.map(Ref::new),
                    $($field: Default::default(),)?
                    key: SECRET.to_owned().into(),
                };
                for folder in [folder(1, None), folder(2, Some(1)), folder(3, Some(2)), folder(4, None)] {
                    Folder::insert(&db, &folder).await.unwrap();
                }
                log.clear();
                let ids = |folders: Vec<Folder>| {
                    assert!(folders.iter().all(|folder| !folder.key.is_loaded()));
                    let mut ids: Vec<i64> = folders.iter().map(|folder| folder.id).collect();
                    ids.sort_unstable();
                    ids
                };
                assert_eq!(ids(Folder::roots().fetch_all(&db).await.unwrap()), [1, 4]);
                let (root, leaf) = (Folder::get_by_id(&db, 1).await.unwrap(), Folder::get_by_id(&db, 3).await.unwrap());
                assert_eq!(ids(root.descendants().fetch_all(&db).await.unwrap()), [2, 3]);
                assert_eq!(ids(root.descendants_to(1).fetch_all(&db).await.unwrap()), [2]);
                assert_eq!(ids(leaf.ancestors().fetch_all(&db).await.unwrap().iter().cloned().collect()), [1, 2]);
                Folder::move_under(&db, 2, 4).await.unwrap();
                let mut moved = Folder::get_by_id(&db, 2).await.unwrap();
                Folder::save(&db, &mut moved).await.unwrap();
                Folder::replace(&db, &moved).await.unwrap();
                assert_silent(&log);
                let all = Folder::find(Filter::all()).reveal(Folder::F.key).fetch_all(&db).await.unwrap();
                assert!(all.iter().all(|folder| folder.key.get().map(String::as_str) == Some(SECRET)));
                assert!(schema![Folder].verify(&db).await.unwrap().is_clean());
            }
        }
    )*};
}

trees! {
    parents []
    ancestors [ancestors: Vec<Ref<Folder>>, tree(ancestors)]
    paths [path: TreePath<Folder>, tree(path)]
}

#[tokio::test]
async fn trees_leave_hidden_fields_out() {
    parents::check().await;
    ancestors::check().await;
    paths::check().await;
}
