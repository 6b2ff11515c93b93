//! Proofs that CaDiCaL writes.

use cadical_sys::{CaDiCal, Status};

use crate::formulas::{self, Formula};

/// The way in which CaDiCaL gets a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// As a DIMACS file, whose header reserves the numbers of its clauses.
    File,
    /// Clause by clause: clauses that CaDiCaL derives meanwhile get numbers in between.
    Clauses,
}

/// The notation of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Binary,
}

/// CaDiCaL's proof in LRAT of a formula that has no model.
pub(crate) fn proof(
    formula: &Formula,
    route: Route,
    form: Form,
    options: &[(&str, i32)],
) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let mut solver = CaDiCal::new();
    assert!(solver.set("lrat", 1));
    assert!(solver.set("factor", 0));
    assert!(solver.set("binary", i32::from(form == Form::Binary)));
    for (name, value) in options {
        assert!(solver.set(name, *value), "{name}={value}");
    }
    assert!(solver.trace_proof2(path.to_str().unwrap()));
    match route {
        Route::File => {
            let cnf = folder.path().join("formula.cnf");
            std::fs::write(&cnf, formulas::dimacs(formula)).unwrap();
            let mut variables = 0;
            solver.read_dimacs2(cnf.to_str().unwrap(), &mut variables, 1).unwrap();
        }
        Route::Clauses => {
            solver.declare_more_variables(formulas::variables(formula));
            for clause in formula {
                solver.clause6(clause);
            }
        }
    }
    assert_eq!(solver.solve(), Status::UNSATISFIABLE);
    solver.conclude();
    solver.flush_proof_trace(false);
    solver.close_proof_trace(false);
    std::fs::read(&path).unwrap()
}
