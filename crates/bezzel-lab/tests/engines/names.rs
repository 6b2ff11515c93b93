//! Cards and settings.

use std::collections::BTreeSet;

use bezzel_encode::Board;
use bezzel_lab::engine::{Engine, EngineCard, Engines, THREADS};
use bezzel_solve::{OptionError, OptionValue, Options};

use crate::asking::Given;
use crate::expected::{Expected, examine};
use crate::subjects::{encodings, engines, readable};

#[test]
fn settings_reproduce_themselves_and_unknown_options_are_refused_by_name() {
    let board = Board::new(5).unwrap();
    let expected = Expected::of(&board);
    for engine in engines() {
        let id = engine.card().id;
        let options = engine.settings(&Options::new()).unwrap();
        assert_eq!(engine.settings(&options).unwrap(), options, "{id}");
        let encoding = readable(engine.as_ref(), &board, &encodings()).swap_remove(0);
        let given = Given { options, ..Given::default() };
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

/// Whether it takes a number of threads.
fn takes_threads(engine: &dyn Engine) -> bool {
    let two = Options::from([(THREADS.to_owned(), OptionValue::Integer(2))]);
    engine.settings(&two).is_ok()
}

#[test]
fn cards_are_complete_and_ids_permanent_words() {
    let all = Engines::standard();
    let ids: BTreeSet<String> = all.cards().into_iter().map(|card| card.id).collect();
    assert_eq!(ids.len(), all.all().len(), "ids differ");
    for card in all.cards() {
        let EngineCard { id, title, version, citation } = &card;
        let is_of_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:+".contains(c);
        assert!(id.chars().all(is_of_id) && id.starts_with(char::is_alphabetic), "{id}");
        for text in [title, version, citation] {
            assert!(!text.trim().is_empty() && !text.contains('\n'), "{card:?}");
        }
        assert_eq!(all.find(id).unwrap().card(), card);
    }
    let error = all.find("bloking").err().unwrap();
    assert_eq!(error.to_string(), "unknown engine `bloking`; did you mean `blocking`?");
}
