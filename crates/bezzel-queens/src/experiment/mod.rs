//! Boards in experiments, as a plug-in: engines that read boards, the instance by which machines are measured, and the
//! exact totals of Bryant's circuits.

use crate::{Board, Geometry};
use bezzel_encode::Registry;
use bezzel_experiment::config::add_reader;
use bezzel_experiment::{Backends, Catalog};

mod config;
mod engines;
mod profile;
mod totals;

pub use config::board_file;
pub use profile::{find_for_profile, find_for_properties};

use engines::{BacktrackEngine, DiagramEngine, DirectEngine};

/// The engine before which those of this plug-in are listed.
const NEXT: &str = "components";

/// Adds the kind of boards to those that this process can read, and to the catalog the engines, the calibration instance
/// and the check of circuits.
///
/// The calibration instance is the toroidal board of side 10, which has no solution: with the binary encoding CaDiCaL has
/// 12,250 conflicts every time, which take about 70 ms of CPU time on a machine of 2020.
#[must_use]
pub fn with_boards(catalog: Catalog) -> Catalog {
    crate::add_kinds();
    add_reader(config::Queens);
    let mut size_checks = catalog.size_checks;
    size_checks.push(totals::compare);
    let torus = Board::new(10).expect("a small board").with_geometry(Geometry::Torus);
    Catalog {
        backends: with_engines(catalog.backends),
        size_checks,
        calibration: Some(torus.into()),
        ..catalog
    }
}

/// Adds the engines that read boards or circuits of them.
fn with_engines(mut backends: Backends) -> Backends {
    for engine in DiagramEngine::all() {
        backends = backends.with_before(NEXT, engine);
    }
    for engine in DirectEngine::ALL {
        backends = backends.with_before(NEXT, engine);
    }
    backends.with_before(NEXT, BacktrackEngine)
}

/// The encodings and backends of Bezzel and of this plug-in, without permission to start programs.
pub fn catalog() -> Catalog {
    with_boards(Catalog::new(crate::register(Registry::standard())))
}
