//! The rows of the files in `examples/data`.

use schema_runtime::bson::DateTime;

type Failure = Box<dyn std::error::Error>;

/// A row of `airports.csv`.
pub struct AirportRow {
    /// The code of three letters.
    pub iata: String,
    /// The name.
    pub name: String,
    /// The city.
    pub city: String,
    /// The state, by two letters.
    pub state: String,
    /// The country.
    pub country: String,
    /// Longitude and latitude.
    pub location: [f64; 2],
}

/// A row of `flights.csv`.
pub struct FlightRow {
    /// The departure.
    pub date: DateTime,
    /// The delay in minutes.
    pub delay: i32,
    /// The distance in miles.
    pub distance: i32,
    /// The code of the airport of the departure.
    pub origin: String,
    /// The code of the airport of the arrival.
    pub destination: String,
}

/// Reads the airports.
pub fn airports() -> Result<Vec<AirportRow>, Failure> {
    let mut rows = Vec::new();
    for row in csv::Reader::from_reader(include_bytes!("../data/airports.csv").as_slice()).records() {
        let row = row?;
        rows.push(AirportRow {
            iata: row[0].to_owned(),
            name: row[1].to_owned(),
            city: row[2].to_owned(),
            state: row[3].to_owned(),
            country: row[4].to_owned(),
            location: [row[6].parse()?, row[5].parse()?],
        });
    }
    Ok(rows)
}

/// Reads the flights.
pub fn flights() -> Result<Vec<FlightRow>, Failure> {
    let mut rows = Vec::new();
    for row in csv::Reader::from_reader(include_bytes!("../data/flights.csv").as_slice()).records() {
        let row = row?;
        rows.push(FlightRow {
            date: DateTime::parse_rfc3339_str(row[0].replace(' ', "T") + "Z")?,
            delay: row[1].parse()?,
            distance: row[2].parse()?,
            origin: row[3].to_owned(),
            destination: row[4].to_owned(),
        });
    }
    Ok(rows)
}
