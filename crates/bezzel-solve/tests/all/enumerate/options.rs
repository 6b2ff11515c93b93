//! Options of all enumerators and of single ones.

use bezzel_encode::FormulaStats;
use bezzel_queens::Board;
use bezzel_solve::{GivenCandidates, OptionError, OptionValue, Options, SessionOptions};

use crate::enumerate::{encoding, enumerators, projection, set};

#[test]
fn settings_reproduce_themselves_and_the_effort() {
    let board = Board::new(6).unwrap();
    let pairwise = encoding("pairwise");
    for (id, enumerator) in enumerators() {
        let effort = |options: &Options| {
            let map = pairwise.encode(&board.problem(), &mut FormulaStats::new());
            let mut enumeration = enumerator.open(options, &SessionOptions::default()).unwrap();
            enumeration.set_projection(projection(&map));
            pairwise.encode(&board.problem(), &mut *enumeration);
            assert_eq!(set(&mut *enumeration, &id).len(), 4, "{id}");
            enumeration.effort()
        };
        let settings = enumerator.settings(&Options::new()).unwrap();
        assert_eq!(enumerator.settings(&settings).unwrap(), settings, "{id}");
        assert_eq!(effort(&Options::new()), effort(&settings), "{id}");

        let nonsense = Options::from([("utter nonsense".to_owned(), OptionValue::Integer(1))]);
        let error = enumerator.settings(&nonsense).unwrap_err();
        assert!(matches!(error, OptionError::Unknown { .. }), "{id}: {error}");
        assert_eq!(
            enumerator.open(&nonsense, &SessionOptions::default()).err(),
            Some(error),
            "{id}"
        );
    }
}

/// Options that make CaDiCaL run its inprocessing as soon and as often as possible.
const BUSY: [&[(&str, i64)]; 5] = [
    &[("inprobeint", 1), ("elimint", 1), ("factor", 1), ("restart", 1), ("rephaseint", 1)],
    &[("reduceinit", 1), ("reduceint", 2), ("reducetarget", 100), ("chronoalways", 1)],
    &[("compactint", 1), ("compactmin", 1), ("compactlim", 0), ("inprobeint", 1), ("chrono", 0)],
    &[("condition", 1), ("conditionint", 1), ("cover", 1), ("block", 1), ("elimint", 1)],
    &[("ilb", 2), ("walknonstable", 1), ("lucky", 0), ("phase", 0), ("bump", 1)],
];

fn check_options(side: u32, solutions: usize) {
    let board = Board::new(side).unwrap();
    for id in ["blocking", "propagator"] {
        let enumerator = crate::enumerator(id);
        for name in ["pairwise", "sequential-counter", "binary", "bryant-circuit"] {
            let encoding = encoding(name);
            let run = |given: &[(&str, i64)]| {
                let options = given.iter();
                let options: Options = options
                    .map(|&(name, value)| (name.to_owned(), OptionValue::Integer(value)))
                    .collect();
                let mut enumeration =
                    enumerator.open(&options, &SessionOptions::default()).unwrap();
                let map = encoding.encode(&board.problem(), &mut FormulaStats::new());
                enumeration.set_projection(projection(&map));
                encoding.encode(&board.problem(), &mut *enumeration);
                (set(&mut *enumeration, id), enumeration.effort())
            };
            let (models, effort) = run(&[]);
            assert_eq!(models.len(), solutions, "{id}: {name}");
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
fn options_of_cadical_change_the_way_and_not_the_models() {
    check_options(6, 4);
}

#[test]
#[ignore = "second tier: side 7"]
fn options_of_cadical_on_side_7_change_the_way_and_not_the_models() {
    check_options(7, 40);
}

#[test]
fn a_clause_may_name_all_squares_or_the_queens_alone() {
    let board = Board::new(7).unwrap();
    for id in ["blocking", "blocking:batsat"] {
        let enumerator = crate::enumerator(id);
        let run = |block_all| {
            let options = Options::from([("block_all".to_owned(), OptionValue::Flag(block_all))]);
            let settings = enumerator.settings(&options).unwrap();
            assert_eq!(settings["block_all"], OptionValue::Flag(block_all), "{id}");
            let pairwise = encoding("pairwise");
            let map = pairwise.encode(&board.problem(), &mut FormulaStats::new());
            let mut enumeration = enumerator.open(&options, &SessionOptions::default()).unwrap();
            enumeration.set_projection(projection(&map));
            pairwise.encode(&board.problem(), &mut *enumeration);
            (set(&mut *enumeration, id), enumeration.effort())
        };
        let ((queens, effort), (squares, other)) = (run(false), run(true));
        assert_eq!(queens.len(), 40, "{id}");
        assert_eq!(queens, squares, "{id}");
        assert_ne!(effort, other, "{id}");
        let options = Options::from([("block_all".to_owned(), OptionValue::Integer(2))]);
        let error = enumerator.settings(&options).unwrap_err();
        let message = format!("{id}: option `block_all` cannot be 2: it is true or false");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn given_candidates_are_stated_assumed_or_filtered_and_the_default_goes_without_a_word() {
    for id in ["blocking", "blocking:cadical:plain", "blocking:batsat"] {
        let enumerator = crate::enumerator(id);
        let option = |name: &str, on| (name.to_owned(), OptionValue::Flag(on));
        let settings = |options: &[(String, OptionValue)]| {
            enumerator.settings(&options.iter().cloned().collect::<Options>())
        };
        let default = settings(&[]).unwrap();
        assert_eq!(settings(&[option("assume", false), option("filter", false)]).unwrap(), default);
        for (name, given) in
            [("assume", GivenCandidates::Assumed), ("filter", GivenCandidates::Filtered)]
        {
            let mut expected = default.clone();
            expected.extend([option(name, true)]);
            assert_eq!(settings(&[option(name, true)]).unwrap(), expected, "{id}");
            assert_eq!(GivenCandidates::of(id, &expected), given, "{id}");
        }
        assert_eq!(GivenCandidates::of(id, &default), GivenCandidates::Stated, "{id}");
        let error = settings(&[option("assume", true), option("filter", true)]).unwrap_err();
        let message = format!(
            "{id}: option `filter` cannot be true: given candidates are assumed or filtered, not both"
        );
        assert_eq!(error.to_string(), message);
    }
    let propagator = crate::enumerator("propagator");
    let assume = Options::from([("assume".to_owned(), OptionValue::Flag(true))]);
    assert!(propagator.settings(&assume).is_err());
}

#[test]
fn models_that_may_be_none_are_refused() {
    let enumerator = crate::enumerator("blocking:batsat");
    let options = Options::from([("decide_auxiliary".to_owned(), OptionValue::Flag(false))]);
    let error = enumerator.settings(&options).unwrap_err();
    let message = "blocking:batsat: option `decide_auxiliary` cannot be false: \
                   what is shown must be a model, so every variable is decided";
    assert_eq!(error.to_string(), message);
    assert_eq!(enumerator.open(&options, &SessionOptions::default()).err(), Some(error));
}
