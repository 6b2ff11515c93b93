//! Descriptions and settings of backends.

use std::collections::BTreeSet;

use bezzel_experiment::backend::{Backend, THREADS};
use bezzel_experiment::{BackendKind, Permission};
use bezzel_queens::Board;
use bezzel_solve::{BackendInfo, OptionError, OptionValue, Options};

use crate::experiment::expected::{ExpectedResults, examine};
use crate::experiment::running::RunConditions;
use crate::experiment::subjects::{encodings, engines, readable};

#[test]
fn settings_reproduce_themselves_and_unknown_options_are_refused_by_name() {
    let board = Board::new(5).unwrap();
    let expected = ExpectedResults::of(&board);
    for engine in engines() {
        let id = engine.info().id;
        let options = engine.settings(&Options::new()).unwrap();
        assert_eq!(engine.settings(&options).unwrap(), options, "{id}");
        let encoding = readable(engine.as_ref(), &board, &encodings()).swap_remove(0);
        let given = RunConditions { options, ..RunConditions::default() };
        examine(engine.as_ref(), &board, encoding.as_ref(), &given, &expected);

        let nonsense = Options::from([("utter nonsense".to_owned(), OptionValue::Integer(1))]);
        let error = engine.settings(&nonsense).unwrap_err();
        assert!(matches!(error, OptionError::Unknown { .. }), "{id}: {error}");
        assert!(error.to_string().contains("utter nonsense"), "{id}: {error}");
        if takes_threads(engine.as_ref()) {
            let near = Options::from([("thread".to_owned(), OptionValue::Integer(2))]);
            let error = engine.settings(&near).unwrap_err().to_string();
            assert!(error.ends_with("did you mean `threads`?"), "{id}: {error}");
        }
    }
}

/// Returns true if it takes a number of threads.
fn takes_threads(engine: &dyn Backend) -> bool {
    let two = Options::from([(THREADS.to_owned(), OptionValue::Integer(2))]);
    engine.settings(&two).is_ok()
}

#[test]
fn every_backend_is_described_and_has_a_permanent_id_of_its_own() {
    let all = bezzel_queens::experiment::catalog().backends;
    let mut ids = BTreeSet::new();
    for kind in [BackendKind::Solver, BackendKind::Engine] {
        for backend in all.of(kind) {
            let info = backend.info();
            let BackendInfo { id, title, version, citation } = &info;
            let is_of_id =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:+".contains(c);
            assert!(id.chars().all(is_of_id) && id.starts_with(char::is_alphabetic), "{id}");
            for text in [title, version, citation] {
                assert!(!text.trim().is_empty() && !text.contains('\n'), "{info:?}");
            }
            let found = all.find(kind, id).unwrap();
            assert_eq!((found.info(), found.kind()), (info.clone(), kind));
            let other = [BackendKind::Engine, BackendKind::Solver]
                .into_iter()
                .find(|other| *other != kind)
                .unwrap();
            assert!(all.find(other, id).is_err(), "{id} is of one kind");
            if backend.program().is_none() {
                assert_eq!(backend.version(&Permission::none()), *version);
            }
            assert!(ids.insert(id.clone()), "{id} is there twice");
        }
    }
}
