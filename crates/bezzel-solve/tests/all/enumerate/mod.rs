//! Requirements on every enumerator, tested on all enumerators.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{Constraints, Encoding, FormulaStats, Registry, VarMap};
use bezzel_queens::Board;
use bezzel_solve::{Enumeration, EnumerationEnd, Enumerator, Options, Projection, SessionOptions};

mod auxiliaries;
mod formulas;
mod interrupts;
mod options;

fn enumerators() -> Vec<(String, Arc<dyn Enumerator>)> {
    let all = bezzel_solve::enumerators().into_iter();
    all.map(|enumerator| (enumerator.info().id, enumerator)).collect()
}

fn open(enumerator: &dyn Enumerator) -> Box<dyn Enumeration> {
    enumerator.open(&Options::new(), &SessionOptions::default()).unwrap()
}

/// Returns all models that are shown, in their order.
fn shown(enumeration: &mut dyn Enumeration) -> (Vec<Vec<bool>>, EnumerationEnd) {
    let mut models = Vec::new();
    let reach = enumeration.each(&mut |model| {
        models.push(model.to_vec());
        ControlFlow::Continue(())
    });
    (models, reach)
}

/// Returns the set of all models that are shown.
///
/// # Panics
///
/// A model is shown twice, or not all are shown.
fn set(enumeration: &mut dyn Enumeration, what: &str) -> BTreeSet<Vec<bool>> {
    let (models, reach) = shown(enumeration);
    assert_eq!(reach, EnumerationEnd::All, "{what}");
    let number = models.len();
    let set: BTreeSet<_> = models.into_iter().collect();
    assert_eq!(set.len(), number, "{what}: each is shown once");
    set
}

/// Returns the projection of a map. With one literal for each square the true literals identify a placement, since
/// every placement has equally many queens.
fn projection(map: &VarMap) -> Projection {
    let lits = map.variables().iter().map(|var| var.pos_lit()).collect();
    let trues_identify = map.width() == 1 && queens_are_positive(map);
    Projection { lits, trues_identify, ..<_>::default() }
}

fn queens_are_positive(map: &VarMap) -> bool {
    map.cubes().all(|cube| cube.len() == 1 && cube[0].is_pos())
}

fn encoding(id: &str) -> Arc<dyn Encoding> {
    bezzel_queens::register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full)
}

/// Opens the enumeration of the pairwise board with these session options.
fn queens(
    enumerator: &dyn Enumerator,
    board: &Board,
    session_options: &SessionOptions,
) -> Box<dyn Enumeration> {
    let pairwise = encoding("pairwise");
    let map = pairwise.encode(&board.problem(), &mut FormulaStats::new());
    let mut enumeration = enumerator.open(&Options::new(), session_options).unwrap();
    enumeration.set_projection(projection(&map));
    pairwise.encode(&board.problem(), &mut *enumeration);
    enumeration
}
