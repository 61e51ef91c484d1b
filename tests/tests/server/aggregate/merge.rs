//! Groups that the server stores in the collection of a report.

mod combinations;
mod errors;

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, preview};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
pub(super) struct Sale {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) customer: String,
    pub(super) total: i64,
    pub(super) placed: DateTime,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Sale)]
struct SaleCard {
    total: i64,
    placed: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "monthly_reports")]
#[index(customer, month, unique)]
struct MonthlyReport {
    #[serde(rename = "_id")]
    id: ObjectId,
    customer: String,
    month: DateTime,
    sales: i64,
    #[serde(rename = "income")]
    revenue: i64,
    mean: f64,
    #[relation(one_to_few, embed, max = 2)]
    best: Vec<Best>,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Best {
    total: i64,
    placed: DateTime,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(month = month(placed), customer), into = MonthlyReport)]
struct CustomerMonth {
    customer: String,
    month: DateTime,
    #[count]
    sales: i64,
    #[sum(total)]
    income: i64,
    #[avg(total)]
    mean: f64,
    #[top(2, order = desc(total))]
    best: Vec<SaleCard>,
}

const DAY: i64 = 24 * 60 * 60 * 1_000;

pub(super) fn sale(id: i64, customer: &str, total: i64, day: i64) -> Sale {
    Sale { id, customer: customer.to_owned(), total, placed: DateTime::from_millis(day * DAY) }
}

async fn reports(db: &Database) -> Vec<MonthlyReport> {
    let f = MonthlyReport::F;
    MonthlyReport::find(Filter::all()).sort([f.customer.asc(), f.month.asc()]).fetch_all(db).await.unwrap()
}

/// The values of the reports are the values of the groups.
async fn assert_same(db: &Database, reports: &[MonthlyReport]) {
    let f = CustomerMonth::F;
    let groups =
        Sale::aggregate::<CustomerMonth>().sort([f.customer.asc(), f.month.asc()]).fetch_all(db).await.unwrap();
    let as_group = |report: &MonthlyReport| CustomerMonth {
        customer: report.customer.clone(),
        month: report.month,
        sales: report.sales,
        income: report.revenue,
        mean: report.mean,
        best: report.best.iter().map(|best| SaleCard { total: best.total, placed: best.placed }).collect(),
    };
    assert_eq!(reports.iter().map(as_group).collect::<Vec<_>>(), groups);
}

async fn stored(db: &Database) {
    schema![MonthlyReport, Sale].plan(db).await.unwrap().apply(db).await.unwrap();
    let sales = [sale(1, "ada", 5, 3), sale(2, "ada", 7, 4), sale(3, "ada", 1, 40), sale(4, "bo", 9, 5)];
    Sale::insert_many(db, sales).await.unwrap();
}

#[tokio::test]
async fn groups_are_stored_and_replace_the_groups_of_the_same_keys() {
    let (db, log) = database_with_log().await;
    stored(&db).await;
    log.clear();
    Sale::aggregate::<CustomerMonth>().merge(&db).await.unwrap();
    let sent = log.commands();
    assert_eq!(sent.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["aggregate"]);
    let last = sent[0].1.get_array("pipeline").unwrap().last().unwrap().as_document().unwrap();
    let merge = last.get_document("$merge").unwrap();
    assert_eq!(merge.get_str("into").unwrap(), "monthly_reports");
    let first = reports(&db).await;
    assert_eq!(first.len(), 3);
    assert_same(&db, &first).await;

    // Another sale of a group, and a group that is gone.
    Sale::insert(&db, &sale(5, "ada", 100, 6)).await.unwrap();
    Sale::delete_by_id(&db, 4).await.unwrap();
    Sale::insert(&db, &sale(6, "cy", 2, 5)).await.unwrap();
    let begun = DateTime::now();
    Sale::aggregate::<CustomerMonth>().merge(&db).await.unwrap();
    let second = reports(&db).await;
    let customers: Vec<&str> = second.iter().map(|report| report.customer.as_str()).collect();
    assert_eq!(customers, ["ada", "ada", "bo", "cy"]);
    assert_eq!(second[2], first[2], "the document of a group that is gone stays");
    for (before, after) in first.iter().zip(&second).take(2) {
        assert_eq!((after.id, after.created), (before.id, before.created));
        assert!(after.updated >= begun && after.updated >= before.updated);
    }
    assert_eq!((second[0].revenue, second[0].best[0].total), (112, 100));

    // The documents of the groups that are gone have the time of an earlier call.
    MonthlyReport::delete_many(&db, MonthlyReport::F.updated.lt(begun)).await.unwrap();
    assert_same(&db, &reports(&db).await).await;
}

#[tokio::test]
async fn the_same_call_writes_the_same_documents() {
    let db = database().await;
    stored(&db).await;
    let without_time = async || {
        let all = reports(&db).await.into_iter();
        all.map(|report| MonthlyReport { updated: report.created, ..report }).collect::<Vec<_>>()
    };
    Sale::aggregate::<CustomerMonth>().merge(&db).await.unwrap();
    let once = without_time().await;
    for _ in 0..3 {
        Sale::aggregate::<CustomerMonth>().merge(&db).await.unwrap();
        assert_eq!(without_time().await, once);
    }
}

#[tokio::test]
async fn filters_having_and_limits_choose_the_stored_groups() {
    let db = database().await;
    stored(&db).await;
    let f = CustomerMonth::F;
    let all = || Sale::aggregate::<CustomerMonth>();
    let first = all().filter(Sale::F.total.gte(5)).having(f.sales.gte(2)).sort([f.income.desc()]).limit(1);
    first.merge(&db).await.unwrap();
    let found = reports(&db).await;
    assert_eq!(
        found.iter().map(|report| (report.customer.as_str(), report.revenue)).collect::<Vec<_>>(),
        [("ada", 12)]
    );
    let rest = all().sort([f.income.asc()]).skip(1).comment("report").max_time(std::time::Duration::from_secs(30));
    rest.allow_disk_use(true).merge(&db).await.unwrap();
    let incomes: Vec<i64> = reports(&db).await.iter().map(|report| report.revenue).collect();
    assert_eq!(incomes, [12, 9], "the least group is skipped");
    all().filter(Sale::F.id.eq(77)).merge(&db).await.unwrap();
    assert_eq!(reports(&db).await.len(), 2);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "customer_reports")]
struct CustomerReport {
    #[serde(rename = "_id")]
    customer: String,
    revenue: i64,
    last: DateTime,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(id = customer), into = CustomerReport)]
struct OfCustomer {
    #[serde(rename = "_id")]
    id: String,
    #[sum(total)]
    revenue: i64,
    #[max(placed)]
    last: DateTime,
}

#[tokio::test]
async fn the_only_key_may_be_the_id() {
    let (db, log) = database_with_log().await;
    schema![CustomerReport].plan(&db).await.unwrap().apply(&db).await.unwrap();
    stored(&db).await;
    for expected in [13, 14] {
        log.clear();
        Sale::aggregate::<OfCustomer>().merge(&db).await.unwrap();
        assert!(log.named("aggregate")[0].to_string().contains("\"replace\""));
        let found =
            CustomerReport::find(Filter::all()).sort(CustomerReport::F.customer.asc()).fetch_all(&db).await.unwrap();
        let revenues: Vec<_> = found.iter().map(|report| (report.customer.as_str(), report.revenue)).collect();
        assert_eq!(revenues, [("ada", expected), ("bo", 9)]);
        assert_eq!(Sale::aggregate::<OfCustomer>().fetch_all(&db).await.unwrap().len(), 2);
        Sale::insert(&db, &sale(expected, "ada", 1, 1)).await.unwrap();
    }
}

#[tokio::test]
async fn a_preview_shows_the_command_and_writes_nothing() {
    let db = database().await;
    stored(&db).await;
    let (lines, sent) =
        schema_runtime::commands_of(db.name(), preview(Sale::aggregate::<CustomerMonth>().merge(&db))).await;
    let lines = lines.unwrap();
    assert!(lines.starts_with("db.getCollection(\"sales\").aggregate([") && lines.contains("$merge"), "{lines}");
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(db.collection::<Document>("monthly_reports").count_documents(doc! {}).await.unwrap(), 0);
    let ((), sent) = schema_runtime::commands_of(db.name(), async {
        Sale::aggregate::<CustomerMonth>().merge(&db).await.unwrap();
    })
    .await;
    assert_eq!(sent.iter().map(ToString::to_string).collect::<Vec<_>>(), ["aggregate sales"]);
}
