//! A check that computes the right values from the stored values. The check uses nothing of the crate except the
//! additional report of `verify`.

use std::cmp::Reverse;

use mongodb::Database;
use schema_runtime::prelude::*;

use super::models::{Maintainer, Package, PackageLine, Recipe, Review, Section, schema};

async fn all<M: Model + OwnDocument>(db: &Database) -> Vec<M> {
    M::find(Filter::all()).fetch_all(db).await.unwrap()
}

/// Checks that each copy equals the value of its source, and that each parent has the values of its children.
pub(super) async fn assert_right(db: &Database) {
    let (sections, maintainers) = (all::<Section>(db).await, all::<Maintainer>(db).await);
    let (packages, reviews) = (all::<Package>(db).await, all::<Review>(db).await);
    for package in &packages {
        let section = sections.iter().find(|section| Ref::to(*section) == package.section).unwrap();
        assert_eq!(package.section_name, section.name, "{package:?}");
        let maintainer = package.maintainer.as_ref();
        let maintainer =
            maintainer.map(|of| maintainers.iter().find(|maintainer| Ref::to(*maintainer) == *of).unwrap());
        assert_eq!(package.maintainer_name, maintainer.map(|maintainer| maintainer.name.clone()), "{package:?}");
        let stars: Vec<i32> = reviews.iter().filter(|of| of.package == Ref::to(package)).map(|of| of.stars).collect();
        assert_eq!((package.reviews, package.worst), (stars.len() as i64, stars.iter().min().copied()), "{package:?}");
    }
    for recipe in all::<Recipe>(db).await {
        let package = packages.iter().find(|package| Ref::to(*package) == recipe.package).unwrap();
        assert_eq!((&recipe.package_name, recipe.package_since), (&package.name, package.created), "{recipe:?}");
    }
    for section in sections {
        let mut of: Vec<&Package> = packages.iter().filter(|package| package.section == Ref::to(&section)).collect();
        of.sort_by_key(|package| Reverse((package.bytes, package.id)));
        let line = |package: &&Package| PackageLine {
            id: package.id,
            bytes: package.bytes,
            section_then: package.section_then.clone(),
            version: package.version,
        };
        let expected = Section {
            packages: of.len() as i64,
            bytes: of.iter().map(|package| i64::from(package.bytes)).sum(),
            latest: of.iter().map(|package| package.updated).max(),
            first: of.iter().map(|package| package.created).min(),
            last_name: of.iter().map(|package| package.section_then.clone()).max(),
            largest: of.iter().take(3).map(line).collect(),
            ..section.clone()
        };
        assert_eq!(section, expected);
    }
    for maintainer in maintainers {
        let of = packages.iter().filter(|package| package.maintainer == Some(Ref::to(&maintainer)));
        let bytes: Vec<f64> = of.map(|package| f64::from(package.bytes)).collect();
        let average = (!bytes.is_empty()).then(|| bytes.iter().sum::<f64>() / bytes.len() as f64);
        assert_eq!(maintainer.packages, bytes.len() as i64, "{maintainer:?}");
        let differs = match (maintainer.average, average) {
            (Some(one), Some(other)) => (one - other).abs() > 1e-9,
            (one, other) => one.is_some() || other.is_some(),
        };
        assert!(!differs, "{maintainer:?} should have {average:?}");
    }
    let report = schema().verify(db).await.unwrap();
    assert!(report.is_clean(), "{report}");
}
