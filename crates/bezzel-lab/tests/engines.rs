//! What every engine must do, run on all that can be named.
//!
//! What is right is found out by the exhaustive search that judges them in experiments too.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_count::{Backtrack, Halt};
use bezzel_encode::symmetry::stabilizer;
use bezzel_encode::{
    Board, Constraints, Digest, Encoding, Geometry, Numbering, Piece, Registry, Square, Tally, Tee,
    VarRange,
};
use bezzel_lab::engine::{
    Conditions, Engine, EngineCard, EngineError, Engines, Formula, Observer, Outcome, Powers,
    Question, Reads, Wish,
};
use bezzel_lab::judge::{Case, Judge};
use bezzel_lab::witness::{Seen, Witness};
use bezzel_lab::{AllSolutions, Task, Verdict};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{
    Answer, Budget, Effort, Interrupt, OptionError, OptionValue, Options, Solver, Terms,
};

type Named = (String, Arc<dyn Encoding>);

fn engines() -> Vec<Arc<dyn Engine>> {
    Engines::standard().all().to_vec()
}

/// Every encoding that takes clauses only.
fn encodings() -> Vec<Named> {
    let registry = Registry::standard();
    let cards = registry.cards().into_iter().filter(|card| !card.cardinality);
    cards.map(|card| (card.id.clone(), encoding(&card.id))).collect()
}

fn encoding(id: &str) -> Arc<dyn Encoding> {
    Registry::standard().find(id).unwrap().on_board(Constraints::Full)
}

/// What the engine reads of this board: nothing but the board, or each of these encodings that it can
/// read there.
fn readable(engine: &dyn Engine, board: &Board, all: &[Named]) -> Vec<Option<Named>> {
    if engine.reads() == Reads::Board {
        return engine.fits(board, None).map(|()| None).into_iter().collect();
    }
    let fits = |(_, encoding): &&Named| {
        encoding.fits(board).is_ok() && engine.fits(board, Some(encoding.as_ref())).is_ok()
    };
    all.iter().filter(fits).cloned().map(Some).collect()
}

/// So many of what the engine can read, others on each board.
fn some(engine: &dyn Engine, board: &Board, turn: usize, count: usize) -> Vec<Option<Named>> {
    let mut all = readable(engine, board, &encodings());
    if !all.is_empty() {
        let by = turn % all.len();
        all.rotate_left(by);
        all.truncate(count);
    }
    all
}

/// Who looks on: notes what is shown, and has seen enough after so many.
#[derive(Default)]
struct Notes {
    loaded: Vec<Option<String>>,
    shown: Vec<Vec<Square>>,
    enough: Option<usize>,
    raise: Option<Interrupt>,
    spent: Option<Effort>,
}

impl Observer for Notes {
    fn loaded(&mut self, clause_digest: Option<String>) {
        assert!(self.shown.is_empty(), "a solution came before everything was read");
        self.loaded.push(clause_digest);
    }

    fn halted(&mut self, effort: Effort) {
        assert_eq!(self.spent.replace(effort), None, "told once");
    }

    fn found(&mut self, squares: &[Square]) -> ControlFlow<()> {
        self.shown.push(squares.to_vec());
        if let Some(interrupt) = &self.raise {
            interrupt.raise();
        }
        if self.enough.is_some_and(|enough| self.shown.len() >= enough) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Notes {
    /// What the witness of a job sees.
    fn seen(&self, board: &Board, fundamental: bool) -> Seen {
        let mut witness = Witness::new(board, fundamental.then(|| stabilizer(board)));
        for squares in &self.shown {
            witness.add(squares);
        }
        witness.finish()
    }
}

/// Under what an engine runs here.
#[derive(Clone, Default)]
struct Given {
    numbering: Option<Numbering>,
    options: Options,
    nodes: Option<u64>,
    interrupt: Interrupt,
}

/// Asks an engine as a worker does.
fn ask(
    engine: &dyn Engine,
    board: &Board,
    encoding: Option<&Named>,
    wish: Wish,
    given: &Given,
    notes: &mut Notes,
) -> Result<Outcome, EngineError> {
    let budget = Budget { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 28 };
    let terms =
        Terms { budget: Some(budget), interrupt: given.interrupt.clone(), ..Terms::default() };
    let conditions = Conditions { options: &given.options, nodes: given.nodes, terms: &terms };
    let Some((_, encoding)) = encoding else {
        return engine.run(&Question { board, formula: None, wish }, &conditions, notes);
    };
    let numbering = given.numbering.unwrap_or(Numbering::AS_GENERATED);
    let mut tally = Tally::new();
    let layout = encoding.encode(board, &mut tally);
    let images = numbering.images(tally.variables(), &layout);
    let formula = Formula {
        encoding: encoding.as_ref(),
        board,
        layout: &layout,
        numbering: &numbering,
        images: &images,
        variables: tally.variables(),
        primary: tally.primary(),
        clauses: u64::try_from(tally.size().clauses).unwrap(),
    };
    let outcome = engine.run(&Question { board, formula: Some(formula), wish }, &conditions, notes);
    if let (Ok(_), Reads::Clauses) = (&outcome, engine.reads()) {
        let mut digest = Digest::new();
        formula.write(&mut digest);
        assert_eq!(notes.loaded, [Some(digest.finish())], "{}", engine.card().id);
    }
    outcome
}

/// What there is to find on a board.
struct Expected {
    count: u64,
    fundamental: u64,
    digest: String,
}

impl Expected {
    fn of(board: &Board) -> Self {
        let mut notes = Notes::default();
        let search = Backtrack::new(board).unwrap();
        search
            .each(u64::MAX, |placement| notes.found(&placement.squares().collect::<Vec<_>>()))
            .unwrap();
        let all = notes.seen(board, false);
        let fundamental = notes.seen(board, true).count;
        Self { count: all.count, fundamental, digest: all.digest }
    }
}

/// Asks everything that the engine can be asked, and holds it against what there is.
fn examine(
    engine: &dyn Engine,
    board: &Board,
    encoding: Option<&Named>,
    given: &Given,
    expected: &Expected,
) {
    let id = engine.card().id;
    let name = encoding.map_or("no encoding", |(name, _)| name);
    let what = format!("{id} with {name} on {board}");
    let Powers { lists, counts, classes } = engine.powers();
    assert!(lists || counts || classes, "{id} can do nothing");
    let told = |wish, notes: &mut Notes| {
        let outcome = ask(engine, board, encoding, wish, given, notes);
        let outcome = outcome.unwrap_or_else(|error| panic!("{what}: {wish:?}: {error}"));
        assert_eq!(notes.loaded.len(), 1, "{what}: {wish:?}: told once that all is read");
        outcome
    };
    if lists {
        let mut notes = Notes::default();
        told(Wish::List, &mut notes);
        let seen = notes.seen(board, false);
        assert_eq!(seen.violation, None, "{what}");
        let sorted = |squares: &Vec<Square>| squares.iter().copied().collect::<BTreeSet<_>>();
        let set: BTreeSet<_> = notes.shown.iter().map(sorted).collect();
        assert_eq!(set.len(), notes.shown.len(), "{what}: each is shown once");
        assert_eq!((seen.count, &seen.digest), (expected.count, &expected.digest), "{what}");
        assert_eq!(notes.seen(board, true).count, expected.fundamental, "{what}");
    }
    for (can, wish, count) in
        [(counts, Wish::Count, expected.count), (classes, Wish::Classes, expected.fundamental)]
    {
        if can {
            let mut notes = Notes::default();
            let found = told(wish, &mut notes).count;
            assert_eq!(found, Some(count.into()), "{what}: {wish:?}");
            assert!(notes.shown.is_empty(), "{what}: {wish:?}: nothing is shown");
        }
    }
}

/// Boards of every kind, with solutions and without.
fn boards() -> Vec<Board> {
    let plane = |side| Board::new(side).unwrap();
    let torus = |side| plane(side).with_geometry(Geometry::Torus);
    let at = |row, column| Square::new(row, column);
    let mut boards: Vec<Board> = (1..=7).map(plane).collect();
    boards.extend([
        torus(4),
        torus(5),
        torus(7),
        plane(3).with_piece(Piece::Rook),
        Board::rectangle(3, 5).unwrap(),
        Board::rectangle(5, 3).unwrap(),
        plane(6).with_placed([at(0, 1)]).unwrap(),
        plane(6).with_placed([at(0, 0)]).unwrap(),
        plane(5).with_placed([at(2, 2)]).unwrap(),
        plane(6).with_blocked([at(0, 1), at(3, 3)]).unwrap(),
        plane(4).with_blocked((0..4).map(|column| at(2, column))).unwrap(),
    ]);
    boards
}

#[test]
fn every_engine_finds_all_solutions_of_boards_of_every_kind() {
    let engines = engines();
    for (turn, board) in boards().iter().enumerate() {
        let expected = Expected::of(board);
        for (place, engine) in engines.iter().enumerate() {
            // Of large boards not every diagram is made: their engines, which are variants of a few, take
            // turns.
            let is_diagram = engine.reads() == Reads::Circuit;
            if is_diagram && board.squares() > 36 && (place + turn) % 4 != 0 {
                continue;
            }
            let count = if is_diagram { 1 } else { 2 };
            for encoding in some(engine.as_ref(), board, 5 * turn + 7 * place, count) {
                examine(engine.as_ref(), board, encoding.as_ref(), &Given::default(), &expected);
            }
        }
    }
}

#[test]
fn every_encoding_has_the_same_solutions_by_every_engine() {
    let board = Board::new(4).unwrap();
    let expected = Expected::of(&board);
    assert_eq!((expected.count, expected.fundamental), (2, 1));
    for engine in engines() {
        let all = readable(engine.as_ref(), &board, &encodings());
        assert!(!all.is_empty(), "{} reads no encoding", engine.card().id);
        for encoding in all {
            examine(engine.as_ref(), &board, encoding.as_ref(), &Given::default(), &expected);
        }
    }
}

#[test]
fn other_numbers_of_variables_change_no_set_of_solutions() {
    let board = Board::new(5).unwrap();
    let expected = Expected::of(&board);
    let negated = Numbering { polarity: Some(11), ..Numbering::random(11) };
    for (place, engine) in engines().iter().enumerate() {
        for numbering in [Numbering::random(3), negated] {
            let given = Given { numbering: Some(numbering), ..Given::default() };
            for encoding in some(engine.as_ref(), &board, 11 * place, 2) {
                examine(engine.as_ref(), &board, encoding.as_ref(), &given, &expected);
            }
        }
    }
}

/// Each engine with one thing that it reads, on a board of this side, and what it can be asked.
fn each_with_one(side: u32, look: impl FnMut(&dyn Engine, &Board, Option<&Named>, Wish)) {
    each_of(&engines(), side, look);
}

fn each_of(
    engines: &[Arc<dyn Engine>],
    side: u32,
    mut look: impl FnMut(&dyn Engine, &Board, Option<&Named>, Wish),
) {
    let board = Board::new(side).unwrap();
    for engine in engines {
        let Powers { lists, counts, classes } = engine.powers();
        let read = readable(engine.as_ref(), &board, &encodings()).swap_remove(0);
        let wishes = [(lists, Wish::List), (counts, Wish::Count), (classes, Wish::Classes)];
        for (_, wish) in wishes.into_iter().filter(|(can, _)| *can) {
            look(engine.as_ref(), &board, read.as_ref(), wish);
        }
    }
}

#[test]
fn whoever_is_stopped_beforehand_finds_nothing_and_says_so() {
    each_with_one(8, |engine, board, encoding, wish| {
        let given = Given::default();
        given.interrupt.raise();
        let mut notes = Notes::default();
        let outcome = ask(engine, board, encoding, wish, &given, &mut notes);
        let id = engine.card().id;
        assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}: {wish:?}");
        assert!(notes.shown.is_empty(), "{id}: {wish:?}");
    });
}

#[test]
fn whoever_is_stopped_between_solutions_says_that_there_may_be_more() {
    // A search of the bare board is so quick that it looks up now and then only; the diagram of a large
    // board takes its time.
    let small = Board::new(4).unwrap();
    let makes_diagram = |engine: &Arc<dyn Engine>| {
        let read = readable(engine.as_ref(), &small, &encodings()).swap_remove(0);
        let (wish, given, mut notes) = (Wish::List, Given::default(), Notes::default());
        let outcome = ask(engine.as_ref(), &small, read.as_ref(), wish, &given, &mut notes);
        outcome.unwrap().diagram.is_some()
    };
    let listing = engines().into_iter().filter(|engine| engine.powers().lists);
    let (solvers, others): (Vec<_>, Vec<_>) =
        listing.partition(|engine| engine.reads() == Reads::Clauses);
    let (diagrams, quick): (Vec<_>, Vec<_>) = others.into_iter().partition(makes_diagram);
    for (engines, side, solutions) in [(quick, 10, 724), (diagrams, 6, 4), (solvers, 8, 92)] {
        each_of(&engines, side, |engine, board, encoding, wish| {
            if wish != Wish::List {
                return;
            }
            let given = Given::default();
            let raise = Some(given.interrupt.clone());
            let mut notes = Notes { raise, ..Notes::default() };
            let outcome = ask(engine, board, encoding, wish, &given, &mut notes);
            let id = engine.card().id;
            assert_eq!(outcome, Err(Halt::Stopped.into()), "{id}");
            assert!((1..solutions).contains(&notes.shown.len()), "{id}: {}", notes.shown.len());
            // Who reads clauses is a solver, and has counted what it did until then.
            if engine.reads() == Reads::Clauses {
                let spent = notes.spent.and_then(|effort| effort.propagations);
                assert!(spent.is_some_and(|spent| spent > 0), "{id}: {spent:?}");
            }
        });
    }
}

#[test]
fn whoever_has_seen_enough_is_shown_no_more() {
    each_with_one(6, |engine, board, encoding, wish| {
        for enough in [1, 3, 4] {
            if wish == Wish::List {
                let mut notes = Notes { enough: Some(enough), ..Notes::default() };
                let outcome = ask(engine, board, encoding, wish, &Given::default(), &mut notes);
                assert!(outcome.is_ok(), "{}: {outcome:?}", engine.card().id);
                assert_eq!(notes.shown.len(), enough, "{}", engine.card().id);
            }
        }
    });
}

#[test]
fn whoever_keeps_nodes_ends_where_there_are_too_many() {
    let mut keepers = 0;
    each_with_one(6, |engine, board, encoding, wish| {
        let id = engine.card().id;
        let asked = |nodes| {
            let given = Given { nodes, ..Given::default() };
            ask(engine, board, encoding, wish, &given, &mut Notes::default())
        };
        let diagram = asked(None).unwrap().diagram;
        if let Some(size) = diagram {
            let most = [size.nodes, size.peak_nodes, size.peak_states].into_iter().flatten().max();
            // Of a small board few states are kept, since the last rows are gone through anew.
            let few = most.unwrap().min(3) - 1;
            assert_eq!(asked(Some(few)), Err(Halt::Nodes(few).into()), "{id}: {wish:?}");
            let enough = asked(Some(1 << 20)).map(|outcome| outcome.diagram);
            assert_eq!(enough, Ok(diagram), "{id}: a budget that is not spent changes nothing");
            keepers += 1;
        }
    });
    let diagrams = |engine: &Arc<dyn Engine>| engine.reads() == Reads::Circuit;
    assert!(keepers > 0 || !engines().iter().any(diagrams));
}

#[test]
fn the_same_question_takes_the_same_effort_and_nodes_every_time() {
    each_with_one(6, |engine, board, encoding, wish| {
        let run = || {
            let mut notes = Notes::default();
            let outcome = ask(engine, board, encoding, wish, &Given::default(), &mut notes);
            let Outcome { count, diagram, effort, .. } = outcome.unwrap();
            (count, diagram, effort, notes.shown)
        };
        assert_eq!(run(), run(), "{}: {wish:?}", engine.card().id);
    });
}

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
    }
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

/// The trap: what was found is excluded by a clause over all variables, auxiliary ones too.
struct BlocksEverything;

impl Engine for BlocksEverything {
    fn card(&self) -> EngineCard {
        let id = "blocks-everything".into();
        EngineCard { id, title: "T".into(), version: "1".into(), citation: "C".into() }
    }

    fn reads(&self) -> Reads {
        Reads::Clauses
    }

    fn powers(&self) -> Powers {
        Powers { lists: true, counts: false, classes: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(options.clone())
    }

    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, EngineError> {
        let formula = question.formula.unwrap();
        let mut session = Cadical::Default.open(conditions.options, conditions.terms)?;
        let mut sink = Tee(Digest::new(), session.as_mut());
        formula.write(&mut sink);
        observer.loaded(Some(sink.0.finish()));
        while session.solve() == Answer::Sat {
            let placement = formula.layout.decode(|lit| session.holds(formula.images.of(lit)));
            if observer.found(&placement.squares().collect::<Vec<_>>()).is_break() {
                break;
            }
            let all = VarRange::after(0, formula.variables);
            let against = |lit| if session.holds(lit) { !lit } else { lit };
            let against: Vec<_> = all.lits().map(against).collect();
            session.clause(&against);
        }
        Ok(Outcome::default())
    }
}

#[test]
fn an_engine_that_lets_auxiliary_variables_count_is_judged_wrong() {
    let board = Board::new(6).unwrap();
    let judged = |id: &str| {
        let named = (id.to_owned(), encoding(id));
        let mut notes = Notes { enough: Some(100), ..Notes::default() };
        let given = Given::default();
        ask(&BlocksEverything, &board, Some(&named), Wish::List, &given, &mut notes).unwrap();
        let Seen { count, digest, violation, .. } = notes.seen(&board, false);
        let whole = notes.shown.len() < 100;
        let digest = Some(digest);
        let all = AllSolutions { count: count.into(), whole, digest, diagram: None };
        let case =
            Case { task: Task::Count, all: Some(&all), ..Case::new(&board, Answer::Sat, None) };
        let by_number = Judge::new().judge(&case);
        let judged = Judge::new().judge(&Case { violation: violation.as_deref(), ..case });
        assert_eq!(judged.verdict, by_number.verdict, "{id}: {violation:?}");
        (count, violation, by_number)
    };
    let (count, violation, judgement) = judged("pairwise");
    assert_eq!((count, judgement.verdict), (4, Verdict::Verified), "without auxiliary variables");
    assert_eq!(violation, None);
    let (count, violation, judgement) = judged("sequential-counter");
    assert_eq!((count, judgement.verdict), (100, Verdict::Wrong));
    // Each of them is a solution, and soon one of those that came before.
    assert!(violation.unwrap().ends_with("they were shown before"));
    let note = judgement.note.unwrap();
    assert_eq!(
        note,
        "100 solutions were listed, some more than once, and the board has 4 solutions"
    );
}
