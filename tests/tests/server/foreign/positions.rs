//! Each type in each position: see [`positions`](crate::positions).

use crate::positions::positions;

positions! {
    chrono_time: chrono::DateTime<chrono::Utc>;
    chrono_day: chrono::NaiveDate;
    jiff_time: jiff::Timestamp;
    jiff_day: jiff::civil::Date;
    time_of_time: time::OffsetDateTime;
    system_time: std::time::SystemTime;
    uuid_of_uuid: uuid::Uuid;
    decimal: rust_decimal::Decimal;
    ip: std::net::IpAddr;
    ip_of_four: std::net::Ipv4Addr;
    ip_of_six: std::net::Ipv6Addr;
    web: url::Url;
}
