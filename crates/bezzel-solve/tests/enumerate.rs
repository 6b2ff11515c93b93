//! What every enumerator must do, run on all that can be named.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::{
    Auxiliaries, Board, Constraints, Encoding, Formula, Geometry, Layout, Lit, Numbering,
    Placement, Registry, Square, Tally, VarRange, models,
};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{
    Answer, Enumeration, Enumerator, Enumerators, Interrupt, OptionError, OptionValue, Options,
    Projection, Reach, Solver, Terms,
};

fn enumerators() -> Vec<(String, Arc<dyn Enumerator>)> {
    let enumerators = Enumerators::standard();
    let named = enumerators.all().iter();
    named.map(|enumerator| (enumerator.card().id, Arc::clone(enumerator))).collect()
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
fn projection(layout: &Layout, image: impl Fn(Lit) -> Lit) -> Projection {
    let lits = layout.variables().iter().map(|var| image(var.pos_lit())).collect();
    Projection { lits, trues_identify: layout.width() == 1 && queens_are_positive(layout) }
}

fn queens_are_positive(layout: &Layout) -> bool {
    let cubes = layout.each_square().map(|square| layout.cube(square));
    cubes.into_iter().all(|cube| cube.len() == 1 && cube[0].is_pos())
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

/// What the board's enumeration shows under this numbering.
fn board_models(
    enumerator: &dyn Enumerator,
    encoding: &dyn Encoding,
    board: &Board,
    numbering: Numbering,
    what: &str,
) -> BTreeSet<Vec<bool>> {
    let mut tally = Tally::new();
    let layout = encoding.encode(board, &mut tally);
    let images = numbering.images(tally.variables(), &layout);
    let mut enumeration = open(enumerator);
    enumeration.set_projection(projection(&layout, |lit| images.of(lit)));
    numbering.encode(encoding, board, &images, &mut *enumeration);
    set(&mut *enumeration, what)
}

/// Whether each primary variable holds, in every assignment of them that extends to a model, by the
/// search that comes with the encodings.
fn searched(formula: &Formula, layout: &Layout) -> BTreeSet<Vec<bool>> {
    let primary = layout.variables();
    let mut found = BTreeSet::new();
    let _: ControlFlow<()> = models::each(formula, &primary, 1, |model, _| {
        found.insert(primary.iter().map(|var| model.holds(var.pos_lit())).collect());
        ControlFlow::Continue(())
    });
    found
}

/// The placements of the models.
fn placements(models: &BTreeSet<Vec<bool>>, layout: &Layout) -> BTreeSet<Placement> {
    let primary = layout.variables();
    let holds = |model: &[bool], lit: Lit| {
        let index = primary.iter().position(|&var| var == lit.var()).unwrap();
        model[index] == lit.is_pos()
    };
    models.iter().map(|model| layout.decode(|lit| holds(model, lit))).collect()
}

/// All ways to place queens, by trying every column in every row.
fn tried(side: u32) -> BTreeSet<Placement> {
    fn extend(side: u32, columns: &mut Vec<u32>, found: &mut BTreeSet<Placement>) {
        if columns.len() as u32 == side {
            let squares = (0..).zip(columns.iter());
            found.insert(squares.map(|(row, &column)| Square::new(row, column)).collect());
            return;
        }
        for column in 0..side {
            let free = columns.iter().rev().zip(1..).all(|(&other, down)| {
                let across = other.abs_diff(column);
                across != 0 && across != down
            });
            if free {
                columns.push(column);
                extend(side, columns, found);
                columns.pop();
            }
        }
    }
    let mut found = BTreeSet::new();
    extend(side, &mut Vec::new(), &mut found);
    found
}

#[test]
fn every_encoding_has_the_solutions_that_there_are_each_shown_once() {
    for side in 4..=6 {
        let board = Board::new(side).unwrap();
        let solutions = tried(side);
        for (name, encoding) in encodings() {
            let mut formula = Formula::new();
            let layout = encoding.encode(&board, &mut formula);
            let searched = searched(&formula, &layout);
            assert_eq!(placements(&searched, &layout), solutions, "{name}");
            for (id, enumerator) in enumerators() {
                let what = format!("{id}: {name} on {board}");
                let models =
                    board_models(&*enumerator, &*encoding, &board, Numbering::AS_GENERATED, &what);
                assert_eq!(models, searched, "{what}");
            }
        }
    }
}

/// Polarity and all: what holds is told of the projection's literals, whatever their variables are.
#[test]
fn renaming_and_negating_variables_changes_no_set_of_models() {
    let negated = Numbering { polarity: Some(11), ..Numbering::random(11) };
    let board = Board::new(5).unwrap();
    for (name, encoding) in encodings() {
        let mut formula = Formula::new();
        let layout = encoding.encode(&board, &mut formula);
        let searched = searched(&formula, &layout);
        for (id, enumerator) in enumerators() {
            for numbering in [Numbering::random(3), negated] {
                let what = format!("{id}: {name} on {board}, {}", numbering.id());
                let models = board_models(&*enumerator, &*encoding, &board, numbering, &what);
                assert_eq!(models, searched, "{what}");
            }
        }
    }
}

/// The wrong way: what was found is excluded by a clause over all variables, up to so many times.
fn blocking_all_variables(encoding: &dyn Encoding, board: &Board, limit: usize) -> usize {
    let mut tally = Tally::new();
    encoding.encode(board, &mut tally);
    let mut session = Cadical::Default.open(&Options::new(), &Terms::default()).unwrap();
    encoding.encode(board, &mut *session);
    let mut found = 0;
    while found < limit && session.solve() == Answer::Sat {
        let variables = VarRange::after(0, tally.variables());
        let against = |lit| if session.holds(lit) { !lit } else { lit };
        let clause: Vec<Lit> = variables.lits().map(against).collect();
        session.clause(&clause);
        found += 1;
    }
    found
}

#[test]
fn auxiliary_variables_that_are_free_make_nobody_count_too_much() {
    let board = Board::new(6).unwrap();
    let free = encoding("sequential-counter");
    assert_eq!(free.card().auxiliaries, Auxiliaries::Free);
    for (id, enumerator) in enumerators() {
        let models = board_models(&*enumerator, &*free, &board, Numbering::AS_GENERATED, &id);
        assert_eq!(models.len(), 4, "{id}");
    }
    // So the trap is one: who blocks these variables as well finds far more than there are.
    assert_eq!(blocking_all_variables(&*free, &board, 100), 100);
    assert_eq!(blocking_all_variables(&*encoding("pairwise"), &board, 100), 4);
}

/// Random clauses of three different variables, the same on every machine.
fn random_clauses(variables: VarRange, count: u32, seed: u32) -> Vec<[Lit; 3]> {
    let mut state = seed;
    let mut next = move |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut clause = || {
        let first = next(variables.len() - 2);
        let second = first + 1 + next(variables.len() - first - 2);
        let third = second + 1 + next(variables.len() - second - 1);
        [first, second, third].map(|variable| {
            let lit = variables.lit(variable);
            if next(2) == 0 { lit } else { !lit }
        })
    };
    (0..count).map(|_| clause()).collect()
}

/// Whether a literal holds under the values of all variables, one bit each.
fn holds(values: u32, lit: Lit) -> bool {
    (values >> lit.vidx32()) & 1 == u32::from(lit.is_pos())
}

/// Nothing holds of these formulas that holds of boards: projections are any literals of any
/// variables, and a model may have all that holds in another and more.
#[test]
fn random_formulas_have_the_projected_models_that_trying_all_assignments_finds() {
    const VARIABLES: u32 = 8;
    for (id, enumerator) in enumerators() {
        let mut several = 0;
        for seed in 0..120 {
            let what = format!("{id}, seed {seed}");
            let mut enumeration = open(&*enumerator);
            let all = VarRange::after(0, VARIABLES);
            // Every other variable or so, some of them negated.
            let chosen = all.lits().filter(|lit| (seed * 37 + 11) >> lit.vidx32() & 1 == 1);
            let lits: Vec<Lit> =
                chosen.map(|lit| if (seed + lit.vidx32()) % 3 == 0 { !lit } else { lit }).collect();
            let projection = Projection { lits: lits.clone(), trues_identify: false };
            enumeration.set_projection(projection);
            assert_eq!(enumeration.fresh(VARIABLES), all, "{what}");
            let clauses = random_clauses(all, 14 + seed % 20, seed);
            for clause in &clauses {
                enumeration.clause(clause);
            }
            let model = |&values: &u32| {
                clauses.iter().all(|clause| clause.iter().any(|&lit| holds(values, lit)))
            };
            let project = |values| lits.iter().map(|&lit| holds(values, lit)).collect();
            let expected: BTreeSet<Vec<bool>> =
                (0..1_u32 << VARIABLES).filter(model).map(project).collect();
            assert_eq!(set(&mut *enumeration, &what), expected, "{what}");
            several += usize::from(expected.len() > 1);
        }
        assert!(several > 60, "{id}: {several} with more than one");
    }
}

/// Opens the enumeration of the pairwise board under these terms.
fn queens(enumerator: &dyn Enumerator, board: &Board, terms: &Terms) -> Box<dyn Enumeration> {
    let pairwise = encoding("pairwise");
    let layout = pairwise.encode(board, &mut Tally::new());
    let mut enumeration = enumerator.open(&Options::new(), terms).unwrap();
    enumeration.set_projection(projection(&layout, |lit| lit));
    pairwise.encode(board, &mut *enumeration);
    enumeration
}

#[test]
fn whoever_has_seen_enough_is_shown_no_more() {
    let board = Board::new(8).unwrap();
    for (id, enumerator) in enumerators() {
        for enough in [1, 2, 50, 92] {
            let mut enumeration = queens(&*enumerator, &board, &Terms::default());
            let mut seen = 0;
            let reach = enumeration.each(&mut |model| {
                assert_eq!(model.iter().filter(|&&queen| queen).count(), 8, "{id}");
                seen += 1;
                if seen == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!((seen, reach), (enough, Reach::Enough), "{id}");
        }
        let mut enumeration = queens(&*enumerator, &board, &Terms::default());
        assert_eq!(set(&mut *enumeration, &id).len(), 92, "{id}");
    }
}

#[test]
fn an_interrupt_stops_it_before_the_first_model_and_between_models() {
    let board = Board::new(8).unwrap();
    for (id, enumerator) in enumerators() {
        let interrupt = Interrupt::default();
        let mut enumeration = queens(&*enumerator, &board, &interrupt.clone().into());
        let mut seen = 0;
        let reach = enumeration.each(&mut |_| {
            seen += 1;
            interrupt.raise();
            ControlFlow::Continue(())
        });
        assert_eq!(reach, Reach::Interrupted, "{id}");
        assert!((1..92).contains(&seen), "{id}: {seen}");

        let mut enumeration = queens(&*enumerator, &board, &interrupt.into());
        assert_eq!(shown(&mut *enumeration), (Vec::new(), Reach::Interrupted), "{id}");
    }
}

#[test]
fn what_has_no_solution_has_none_to_show() {
    let torus = Board::new(8).unwrap().with_geometry(Geometry::Torus);
    for (id, enumerator) in enumerators() {
        for board in [Board::new(3).unwrap(), torus.clone()] {
            let mut enumeration = queens(&*enumerator, &board, &Terms::default());
            assert_eq!(shown(&mut *enumeration), (Vec::new(), Reach::All), "{id}: {board}");
        }
        let mut enumeration = open(&*enumerator);
        enumeration.set_projection(Projection::default());
        enumeration.clause(&[]);
        assert_eq!(shown(&mut *enumeration), (Vec::new(), Reach::All), "{id}: empty clause");
        let mut enumeration = open(&*enumerator);
        let range = VarRange::after(0, 2);
        enumeration.set_projection(Projection { lits: range.lits().collect(), ..<_>::default() });
        enumeration.fresh(2);
        enumeration.clause(&[range.lit(0)]);
        enumeration.clause(&[!range.lit(0)]);
        assert_eq!(shown(&mut *enumeration), (Vec::new(), Reach::All), "{id}: units");
    }
}

#[test]
fn without_anything_that_tells_models_apart_all_are_one() {
    for (id, enumerator) in enumerators() {
        for variables in [0, 4] {
            let mut enumeration = open(&*enumerator);
            enumeration.set_projection(Projection::default());
            enumeration.fresh(variables);
            let one = (vec![Vec::new()], Reach::All);
            assert_eq!(shown(&mut *enumeration), one, "{id}: {variables} variables");
        }
    }
}

#[test]
fn without_clauses_everything_is_a_model() {
    for (id, enumerator) in enumerators() {
        let mut enumeration = open(&*enumerator);
        // Two of four variables, the second one negated.
        let lits = vec![VarRange::after(0, 4).lit(1), !VarRange::after(0, 4).lit(3)];
        enumeration.set_projection(Projection { lits, trues_identify: false });
        enumeration.fresh(4);
        let all = [[false, false], [false, true], [true, false], [true, true]];
        let all = all.iter().map(|model| model.to_vec()).collect();
        assert_eq!(set(&mut *enumeration, &id), all, "{id}");
    }
}

#[test]
fn repeated_literals_tautologies_and_units_are_understood() {
    for (id, enumerator) in enumerators() {
        let mut enumeration = open(&*enumerator);
        let lits: Vec<Lit> = VarRange::after(0, 3).lits().collect();
        let [x, y, z] = [lits[0], lits[1], lits[2]];
        enumeration.set_projection(Projection { lits, trues_identify: false });
        enumeration.fresh(3);
        enumeration.clause(&[x, x, !y, !y]);
        enumeration.clause(&[z, !z]);
        enumeration.clause(&[z]);
        let all = [[false, false, true], [true, false, true], [true, true, true]];
        let all = all.iter().map(|model| model.to_vec()).collect();
        assert_eq!(set(&mut *enumeration, &id), all, "{id}");
    }
}

#[test]
fn the_same_formula_takes_the_same_way_and_effort_every_time() {
    let board = Board::new(7).unwrap();
    for (id, enumerator) in enumerators() {
        let run = || {
            let mut enumeration = queens(&*enumerator, &board, &Terms::default());
            (shown(&mut *enumeration), enumeration.effort())
        };
        let (first, effort) = run();
        assert_eq!(first.0.len(), 40, "{id}");
        assert!(effort.propagations.unwrap() > 0, "{id}");
        assert_eq!((first, effort), run(), "{id}");
    }
}

#[test]
fn settings_reproduce_themselves_and_the_effort() {
    let board = Board::new(6).unwrap();
    let pairwise = encoding("pairwise");
    for (id, enumerator) in enumerators() {
        let effort = |options: &Options| {
            let layout = pairwise.encode(&board, &mut Tally::new());
            let mut enumeration = enumerator.open(options, &Terms::default()).unwrap();
            enumeration.set_projection(projection(&layout, |lit| lit));
            pairwise.encode(&board, &mut *enumeration);
            assert_eq!(set(&mut *enumeration, &id).len(), 4, "{id}");
            enumeration.effort()
        };
        let settings = enumerator.settings(&Options::new()).unwrap();
        assert_eq!(enumerator.settings(&settings).unwrap(), settings, "{id}");
        assert_eq!(effort(&Options::new()), effort(&settings), "{id}");

        let nonsense = Options::from([("utter nonsense".to_owned(), OptionValue::Integer(1))]);
        let error = enumerator.settings(&nonsense).unwrap_err();
        assert!(matches!(error, OptionError::Unknown { .. }), "{id}: {error}");
        assert_eq!(enumerator.open(&nonsense, &Terms::default()).err(), Some(error), "{id}");
    }
}

/// What CaDiCaL does beside searching, as soon and as often as it can be made to.
const BUSY: [&[(&str, i64)]; 5] = [
    &[("inprobeint", 1), ("elimint", 1), ("factor", 1), ("restart", 1), ("rephaseint", 1)],
    &[("reduceinit", 1), ("reduceint", 2), ("reducetarget", 100), ("chronoalways", 1)],
    &[("compactint", 1), ("compactmin", 1), ("compactlim", 0), ("inprobeint", 1), ("chrono", 0)],
    &[("condition", 1), ("conditionint", 1), ("cover", 1), ("block", 1), ("elimint", 1)],
    &[("ilb", 2), ("walknonstable", 1), ("lucky", 0), ("phase", 0), ("bump", 1)],
];

#[test]
fn options_of_cadical_change_the_way_and_not_the_models() {
    let board = Board::new(7).unwrap();
    for id in ["blocking", "propagator"] {
        let enumerator = Enumerators::standard().find(id).unwrap();
        for name in ["pairwise", "sequential-counter", "binary", "bryant-circuit"] {
            let encoding = encoding(name);
            let run = |given: &[(&str, i64)]| {
                let options = given.iter();
                let options: Options = options
                    .map(|&(name, value)| (name.to_owned(), OptionValue::Integer(value)))
                    .collect();
                let mut enumeration = enumerator.open(&options, &Terms::default()).unwrap();
                let layout = encoding.encode(&board, &mut Tally::new());
                enumeration.set_projection(projection(&layout, |lit| lit));
                encoding.encode(&board, &mut *enumeration);
                (set(&mut *enumeration, id), enumeration.effort())
            };
            let (models, effort) = run(&[]);
            assert_eq!(models.len(), 40, "{id}: {name}");
            let mut efforts = vec![effort];
            for options in BUSY {
                let (same, effort) = run(options);
                assert_eq!(same, models, "{id}: {name}, {options:?}");
                efforts.push(effort);
            }
            assert!(efforts.iter().any(|&other| other != effort), "{id}: {name}");
        }
    }
}

#[test]
fn models_that_may_be_none_are_refused() {
    let enumerator = Enumerators::standard().find("blocking:batsat").unwrap();
    let options = Options::from([("decide_auxiliary".to_owned(), OptionValue::Flag(false))]);
    let error = enumerator.settings(&options).unwrap_err();
    let message = "blocking:batsat: option `decide_auxiliary` cannot be false: \
                   what is shown must be a model, so every variable is decided";
    assert_eq!(error.to_string(), message);
    assert_eq!(enumerator.open(&options, &Terms::default()).err(), Some(error));
}

#[test]
fn enumerators_are_found_by_their_ids_which_differ() {
    let all = Enumerators::standard();
    let ids: BTreeSet<String> = all.cards().into_iter().map(|card| card.id).collect();
    assert_eq!(ids.len(), all.all().len());
    for id in ["blocking", "blocking:cadical:plain", "blocking:batsat", "propagator"] {
        assert!(ids.contains(id), "{id}");
    }
    for id in &ids {
        assert_eq!(all.find(id).unwrap().card().id, *id);
    }
    let error = all.find("bloking").err().unwrap();
    assert_eq!(error.to_string(), "unknown enumerator `bloking`; did you mean `blocking`?");
}
