//! What every enumerator must do, run on all that can be named.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{Constraints, Encoding, Lit, Registry, Tally, VarMap};
use bezzel_problem::Board;
use bezzel_solve::{Enumeration, Enumerator, Options, Projection, Reach, Terms};

mod boards;
mod formulas;
mod options;
mod terms;

fn enumerators() -> Vec<(String, Arc<dyn Enumerator>)> {
    let all = bezzel_solve::enumerators().into_iter();
    all.map(|enumerator| (enumerator.info().id, enumerator)).collect()
}

fn open(enumerator: &dyn Enumerator) -> Box<dyn Enumeration> {
    enumerator.open(&Options::new(), &Terms::default()).unwrap()
}

/// All models that are shown, in the order in which they are.
fn shown(enumeration: &mut dyn Enumeration) -> (Vec<Vec<bool>>, Reach) {
    let mut models = Vec::new();
    let reach = enumeration.each(&mut |model| {
        models.push(model.to_vec());
        ControlFlow::Continue(())
    });
    (models, reach)
}

/// The set of all models that are shown.
///
/// # Panics
///
/// When one is shown twice, or not all are shown.
fn set(enumeration: &mut dyn Enumeration, what: &str) -> BTreeSet<Vec<bool>> {
    let (models, reach) = shown(enumeration);
    assert_eq!(reach, Reach::All, "{what}");
    let number = models.len();
    let set: BTreeSet<_> = models.into_iter().collect();
    assert_eq!(set.len(), number, "{what}: each is shown once");
    set
}

/// What tells placements apart. With one literal for each square the queens tell, being as many in
/// every placement.
fn projection(map: &VarMap, image: impl Fn(Lit) -> Lit) -> Projection {
    let lits = map.variables().iter().map(|var| image(var.pos_lit())).collect();
    let trues_identify = map.width() == 1 && queens_are_positive(map);
    Projection { lits, trues_identify, ..<_>::default() }
}

fn queens_are_positive(map: &VarMap) -> bool {
    map.cubes().all(|cube| cube.len() == 1 && cube[0].is_pos())
}

/// Every encoding that takes clauses only.
fn encodings() -> Vec<(String, Arc<dyn Encoding>)> {
    let registry = Registry::standard();
    let cards = registry.cards().into_iter().filter(|card| !card.cardinality);
    let found = cards.map(|card| {
        let encoding = registry.find(&card.id).unwrap().on_board(Constraints::Full);
        (card.id, encoding)
    });
    found.collect()
}

fn encoding(id: &str) -> Arc<dyn Encoding> {
    Registry::standard().find(id).unwrap().on_board(Constraints::Full)
}

/// Opens the enumeration of the pairwise board under these terms.
fn queens(enumerator: &dyn Enumerator, board: &Board, terms: &Terms) -> Box<dyn Enumeration> {
    let pairwise = encoding("pairwise");
    let map = pairwise.encode(&board.problem(), &mut Tally::new());
    let mut enumeration = enumerator.open(&Options::new(), terms).unwrap();
    enumeration.set_projection(projection(&map, |lit| lit));
    pairwise.encode(&board.problem(), &mut *enumeration);
    enumeration
}
