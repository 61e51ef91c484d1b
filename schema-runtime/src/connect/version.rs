//! The check that a server is new enough. Pure.

use crate::error::{Error, Result};

/// The oldest supported version, as major and minor number.
const OLDEST: (u32, u32) = (6, 0);

/// Refuses a server that is older than 6.0, and a text that is no version.
pub(super) fn check(version: &str) -> Result<()> {
    match parse(version) {
        Some(numbers) if numbers >= OLDEST => Ok(()),
        _ => Err(Error::ServerTooOld { found: version.to_owned() }),
    }
}

/// Parses the major and the minor number of `6.0.5`, `8.1.0-rc2`, `7.0`.
fn parse(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_and_newer_are_supported() {
        for version in ["6.0.0", "6.0.5", "6.0", "6.2.1", "7.0.0-rc1", "8.1.0", "10.0.0", "10.0-alpha"] {
            assert!(check(version).is_ok(), "{version}");
        }
    }

    #[test]
    fn older_ones_are_refused_by_their_version() {
        for version in ["5.0.31", "5.9", "4.4.29", "0.0.0", "2.6.12"] {
            match check(version) {
                Err(Error::ServerTooOld { found }) => assert_eq!(found, version),
                other => panic!("{version}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for version in ["", "6", "six.zero", "6.x", "-6.0", "99999999999.0"] {
            assert!(check(version).is_err(), "{version}");
        }
    }
}
