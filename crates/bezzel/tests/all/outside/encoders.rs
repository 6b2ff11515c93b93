//! The encoders of PySAT and pindakaas, through the protocol for programs, by the examples in `examples/`.

use std::process::Command;

use crate::program::{ended, is_installed, is_missing};

fn has(module: &str) -> bool {
    let imported = || {
        let import = format!("import {module}");
        Command::new("python3").args(["-c", &import]).output().unwrap().status.success()
    };
    is_installed("python3") && (imported() || is_missing(module))
}

/// Checks `bezzel check` of an example's encoder for at most 3: the propagation of at most, at least and exactly.
fn check(module: &str, encoder: &str, propagation: [&str; 3]) {
    let name =
        format!("{{command: \"python3 examples/{module}_encoder.py {encoder}\", kind: at-most-k}}");
    let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["check", &name, "--k", "3"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    let printed = ended(&output, 0);
    for (limit, propagation) in ["at most", "at least", "exactly"].into_iter().zip(propagation) {
        let line = format!(
            "{name}: {limit} 3 of 4 to 8 literals: correct; propagation {propagation}; auxiliary variables "
        );
        assert!(printed.contains(&line), "{line}\n{printed}");
    }
}

/// PySAT's have the strengths that a comparison without Bezzel found on all partial assignments of 7 literals.
#[test]
#[ignore = "second tier: it runs programs of others"]
fn the_encoders_of_pysat_have_a_profile() {
    if has("pysat") {
        check("pysat", "seqcounter", ["complete"; 3]);
        check("pysat", "totalizer", ["complete"; 3]);
        check("pysat", "mtotalizer", ["weak"; 3]);
        check("pysat", "kmtotalizer", ["weak"; 3]);
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn the_encoders_of_pindakaas_have_a_profile() {
    if has("pindakaas") {
        check("pindakaas", "totalizer", ["complete"; 3]);
        check("pindakaas", "sorting_network", ["complete"; 3]);
        check("pindakaas", "adder", ["weak"; 3]);
        check("pindakaas", "mixed_radix", ["weak"; 3]);
    }
}
