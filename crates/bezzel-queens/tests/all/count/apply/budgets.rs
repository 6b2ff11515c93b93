//! Limits of memory are kept, and a set stop flag ends the building.

use std::sync::atomic::AtomicBool;

use bezzel_count::apply::{Method, NODE_BYTES, OxiddKind};
use bezzel_count::{Budget, Halt};
use bezzel_queens::Board;

use super::{build, limited, reading};

fn check_nodes(side: u32, solutions: u32) {
    let board = Board::new(side).unwrap();
    let readings = [
        reading("bryant-circuit", &board),
        reading("bryant-circuit:binary", &board),
        reading("pairwise", &board),
        bezzel_queens::count::by_square::rules(&board).unwrap(),
    ];
    for reading in readings {
        for kind in OxiddKind::ALL {
            let method = Method::new(kind);
            let ample = build(method, &reading);
            let mut enough = 0;
            for nodes in (0..10).map(|step| ample.peak * step / 8) {
                match limited(method, &reading, nodes, u64::MAX) {
                    Ok(built) => {
                        enough += 1;
                        assert!(built.nodes <= nodes);
                        assert_eq!(built.nodes, ample.nodes, "{kind}, {nodes}");
                        assert_eq!(built.diagram.count(), solutions.into(), "{kind}, {nodes}");
                    }
                    Err(halt) => {
                        assert_eq!(halt, Halt::Nodes(nodes), "{kind}");
                        assert!(nodes <= ample.peak, "{kind}: {nodes} are enough");
                    }
                }
            }
            // Collecting dead nodes saves some memory, but not all.
            assert!((2..10).contains(&enough), "{kind}: {enough}");
        }
    }
}

#[test]
fn too_few_nodes_are_reported_and_enough_nodes_suffice() {
    check_nodes(5, 10);
}

#[test]
fn too_few_bytes_are_reported() {
    let reading = reading("bryant-circuit", &Board::new(8).unwrap());
    for kind in OxiddKind::ALL {
        let ample = build(Method::new(kind), &reading);
        for bytes in [0, 1, 1000, ample.nodes * NODE_BYTES] {
            let halted = limited(Method::new(kind), &reading, u64::MAX, bytes).unwrap_err();
            assert_eq!(halted, Halt::Bytes(bytes), "{kind}");
        }
        let built = limited(Method::new(kind), &reading, u64::MAX, 8 << 20).unwrap();
        assert_eq!(built.nodes, ample.nodes, "{kind}");
    }
}

#[test]
fn a_raised_flag_stops_the_compilation() {
    let stop = AtomicBool::new(true);
    for reading in [
        reading("bryant-circuit", &Board::new(20).unwrap()),
        bezzel_queens::count::by_square::rules(&Board::new(20).unwrap()).unwrap(),
    ] {
        for kind in OxiddKind::ALL {
            let halted = Method::new(kind).build(&reading, Budget::unlimited(&stop)).unwrap_err();
            assert_eq!(halted, Halt::Stopped, "{kind}");
        }
    }
}
