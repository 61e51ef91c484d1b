//! Pagination: pages by tokens, totals, page numbers.

use schema_runtime::{PageToken, assert_indexed, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "players")]
#[index(team, desc(score), desc(id))]
struct Player {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 20)]
    team: String,
    score: i64,
}
// ANCHOR_END: model

// ANCHOR: page
/// A page of a team, and the token of the next page.
async fn page(db: &Database, team: &str, after: Option<String>) -> Result<(Vec<i32>, Option<String>)> {
    let after: Option<PageToken> = after.map(|text| text.parse()).transpose()?;
    let players = Player::find(Player::F.team.eq(team)).sort(Player::F.score.desc());
    let page = players.paginate(2).after(&after).fetch(db).await?;
    let next = if page.has_next() { page.next.as_ref().map(ToString::to_string) } else { None };
    Ok((page.iter().map(|player| player.id).collect(), next))
}
// ANCHOR_END: page

// ANCHOR: number
async fn numbered(db: &Database, number: u64) -> Result<(Vec<i32>, Option<u64>)> {
    let reds = Player::find(Player::F.team.eq("red")).sort(Player::F.score.desc());
    let page = reds.paginate(2).page_number(number).with_total().fetch(db).await?;
    Ok((page.iter().map(|player| player.id).collect(), page.total))
}
// ANCHOR_END: number

#[tokio::test]
async fn pages_follow_one_another() -> Result<()> {
    let db = database(&schema![Player]).await;
    let players = (1..=5).map(|id| Player { id, team: "red".into(), score: i64::from(id) }).collect::<Vec<_>>();
    Player::insert_many(&db, &players).await?;

    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let (ids, next) = page(&db, "red", after).await?;
        all.push(ids);
        after = next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(all, [vec![5, 4], vec![3, 2], vec![1]]);
    assert_eq!(numbered(&db, 2).await?, (vec![3, 2], Some(5)));

    let reds = Player::find(Player::F.team.eq("red")).sort(Player::F.score.desc()).paginate(2);
    assert_indexed(&reds, &db).await;
    let first = reds.clone().fetch(&db).await?;
    assert_shown("guides/pages.md", &reds.to_mongosh()?);
    assert_shown("guides/pages.md", &reds.after(&first.next).to_mongosh()?);
    Ok(())
}

#[tokio::test]
async fn a_wrong_token_is_refused() {
    let db = database(&schema![Player]).await;
    assert!(matches!(page(&db, "red", Some("?".to_owned())).await, Err(Error::PageToken { .. })));
}
