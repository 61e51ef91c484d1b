//! The days of solar panels, in buckets by day: a measurement every ten minutes, and the energy of each day as a number
//! of a single document.
//!
//! The measurements are made up: half a year of four panels, with some measurements that arrive late.
//! `cargo run --example solar` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_solar`, and first empties the collections of the example.

use std::f64::consts::PI;

use schema_examples::{access, is_index_scan, table};
use schema_runtime::{
    bson::{Document, doc},
    explain::Explain,
    local,
    prelude::*,
};

const DAYS: i64 = 180;
const PANELS: [&str; 4] = ["roof east", "roof west", "garage", "garden"];
/// Ten minutes, and a day, in milliseconds.
const STEP: i64 = 10 * 60 * 1_000;
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// The first of March 2026.
const BEGIN: i64 = 1_772_323_200_000;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "panels")]
#[inverse(readings = Reading::panel)]
struct Panel {
    #[serde(rename = "_id")]
    #[bound(max_len = 40)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", bucket(by = day(time), size = 150))]
struct Reading {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    panel: Ref<Panel>,
    time: DateTime,
    /// The energy of the ten minutes before `time`.
    watt_hours: f64,
    celsius: f32,
}

/// Returns the measurement of a panel after ten minutes: with the sun from six to six, and clouds by day and panel.
fn reading(panel: usize, time: i64) -> Reading {
    let (day, of_day) = ((time - BEGIN) / DAY, (time - BEGIN) % DAY);
    let sun = ((of_day as f64 / DAY as f64 - 0.25) * 2.0 * PI).sin().max(0.0);
    let clouds = 0.4 + ((day * 7 + panel as i64 * 3) % 13) as f64 / 20.0;
    Reading {
        id: ObjectId::new(),
        panel: Ref::new(PANELS[panel].to_owned()),
        time: DateTime::from_millis(time),
        watt_hours: (60.0 * sun * clouds).round() / 10.0,
        celsius: (12.0 + 20.0 * sun * clouds) as f32,
    }
}

fn noon(day: i64) -> DateTime {
    DateTime::from_millis(BEGIN + day * DAY + DAY / 2)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_solar").await?;
    for collection in ["panels", "readings"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let schema = schema![Panel, Reading];
    println!("{}", schema.plan(&db).await?.apply(&db).await?);

    let panels: Vec<Panel> = PANELS.iter().map(|name| Panel { name: (*name).to_owned() }).collect();
    Panel::insert_many(&db, &panels).await?;
    let mut late = Vec::new();
    for day in 0..DAYS {
        let times = (0..DAY / STEP).map(|at| BEGIN + day * DAY + at * STEP);
        let of_day = times.flat_map(|time| (0..PANELS.len()).map(move |panel| reading(panel, time)));
        // Every hundredth measurement has no connection, and arrives after all the rest.
        let (now, later): (Vec<(usize, Reading)>, Vec<_>) = of_day.enumerate().partition(|(at, _)| at % 100 != 0);
        Reading::insert_many(&db, now.into_iter().map(|(_, reading)| reading)).await?;
        late.extend(later.into_iter().map(|(_, reading)| reading));
    }
    println!("{} arrive late, each into the bucket of its day", late.len());
    Reading::insert_many(&db, &late).await?;

    let readings = db.collection::<Document>("readings");
    let count = readings.count_documents(doc! {}).await?;
    assert_eq!(count, PANELS.len() as u64 * DAYS as u64, "one for each day of each panel");

    let roof = &panels[0];
    let day = roof.readings().at(noon(100));
    let explained = day.explain(&db).await?;
    assert!(is_index_scan(&explained), "{explained}");
    let of_day = day.clone().fetch_all(&db).await?;
    assert!(of_day.iter().is_sorted_by_key(|reading| reading.time));
    assert_eq!(of_day.len() as i64, DAY / STEP);
    println!("a day of `{}`: {} measurements in one document, {}", roof.name, of_day.len(), access(&explained));

    // The server computes the energy of a day, and sends one number.
    let mut rows = Vec::new();
    for panel in &panels {
        let energy = panel.readings().at(noon(100)).statistics(&db, Reading::F.watt_hours).await?;
        let warmest = panel.readings().at(noon(100)).statistics(&db, Reading::F.celsius).await?;
        let (sum, greatest) = (energy.iter().map(|bucket| bucket.sum).sum::<f64>(), warmest[0].greatest);
        rows.push([
            panel.name.clone(),
            format!("{sum:.1}"),
            greatest.map_or_else(String::new, |value| format!("{value:.1}")),
        ]);
    }
    println!("{}", table(["panel", "Wh of the day", "greatest °C"], rows));
    let by_hand: f64 = of_day.iter().map(|reading| reading.watt_hours).sum();
    let made = roof.readings().at(noon(100)).statistics(&db, Reading::F.watt_hours).await?;
    assert!((made[0].sum - by_hand).abs() < 1e-6);
    assert_eq!(made[0].count, 144);

    // All days of one panel: one command.
    let days = roof.readings().statistics(&db, Reading::F.watt_hours).await?;
    assert_eq!(days.len() as i64, DAYS);
    let best = days.iter().max_by(|one, other| one.sum.total_cmp(&other.sum)).ok_or("no day")?;
    println!(
        "the best of {} days: {:.1} Wh on {}",
        days.len(),
        best.sum,
        best.time.ok_or("of no day")?.try_to_rfc3339_string()?
    );

    let strong = Reading::find(
        Reading::F.time.gte(noon(10)).and(Reading::F.time.lt(noon(11))).and(Reading::F.watt_hours.gt(5.0)),
    );
    println!("more than 5 Wh in ten minutes, within a day: {} times", strong.count(&db).await?);
    assert!(schema.verify(&db).await?.is_clean());
    Ok(())
}
