//! Engines that read a board, or the circuit of an encoding of it.

use std::num::NonZeroUsize;

use crate::count::by_square;
use crate::count::direct::{Direct, RowCode};
use crate::count::{Bitmask, Counted, bitmask, direct};
use crate::{Board, Square};
use bezzel_count::Diagram;
use bezzel_count::apply::{Method, Order, OxiddKind, Rules, RulesError, Schedule};
use bezzel_count::diagram::{Decoder, DiagramKind};
use bezzel_encode::{Encoding, Unsupported, VarMap};
use bezzel_experiment::DiagramSize;
use bezzel_experiment::backend::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer, Query,
    QueryInput, THREADS, refuse_others, threads,
};
use bezzel_problem::{Candidate, Instance};
use bezzel_process::usage;
use bezzel_solve::{BackendInfo, Effort, OptionError, Options, Usage};
use num_bigint::BigUint;

/// The largest number of threads that is accepted. A larger one is probably a mistake.
const MAX_THREADS: i64 = 1024;

/// `backtrack`: search row by row, with the lines as bits of a word.
///
/// The option `threads` is the number of threads that count. A single thread lists solutions.
pub(crate) struct BacktrackEngine;

const BACKTRACK: &str = "backtrack";

impl Backend for BacktrackEngine {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: BACKTRACK.into(),
            title: "Exhaustive search with lines as bits".into(),
            version: "1".into(),
            citation: "Qiu 2002, Bit-vector encoding of n-queen problem; Richards 1997".into(),
        }
    }

    fn reads(&self) -> InputKind {
        InputKind::Instance
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: true, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        refuse_others(BACKTRACK, options, Some(THREADS), &(1..=MAX_THREADS))?;
        Ok(options.clone())
    }

    fn fits(
        &self,
        instance: &Instance,
        _encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        refuse_wide(BACKTRACK, instance, bitmask::MAX_COLUMNS)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        observer.loaded(None);
        let board = board_in(question);
        let search = Bitmask::new(board).expect("a job that is planned fits its engine");
        let (budget, threads) = (conditions.budget(), threads(conditions.options));
        let threads = NonZeroUsize::new(threads as usize).unwrap_or(NonZeroUsize::MIN);
        let counted = match question.query {
            Query::Count => search.count(threads, budget)?,
            Query::List => {
                let mut queens: Vec<Candidate> = Vec::new();
                let nodes = search.each(budget, |columns| {
                    queens.clear();
                    let squares = columns.iter().zip(0..);
                    queens.extend(
                        squares.map(|(&column, row)| board.candidate(Square::new(row, column))),
                    );
                    observer.found(&queens)
                })?;
                return Ok(BackendResult { effort: effort(nodes), ..BackendResult::default() });
            }
            Query::Models => unreachable!("it has no such power"),
        };
        let Counted { solutions, nodes } = counted;
        Ok(BackendResult {
            count: Some(BigUint::from(solutions)),
            effort: effort(nodes),
            ..BackendResult::default()
        })
    }
}

/// Returns the effort: the nodes of the search are its decisions.
fn effort(nodes: u64) -> Effort {
    Effort { decisions: Some(nodes), ..Effort::default() }
}

/// The board of an instance, for a backend that reads boards alone.
fn board_of<'a>(id: &str, instance: &'a Instance) -> Result<&'a Board, Unsupported> {
    Board::of(instance).ok_or_else(|| {
        let why = "it reads boards alone";
        let mend = "take an engine that reads clauses, such as `blocking`";
        Unsupported::new(format!("`{id}`"), &instance.problem(), why, mend)
    })
}

/// The board of a question. Called for a planned job.
fn board_in<'a>(question: &QueryInput<'a>) -> &'a Board {
    Board::of(question.instance).expect("a job that is planned fits its engine")
}

/// Refuses a board with more than `max` columns, and other instances.
fn refuse_wide(id: &str, instance: &Instance, max: u32) -> Result<(), Unsupported> {
    let board = board_of(id, instance)?;
    if board.columns() <= max {
        return Ok(());
    }
    let why = format!("a row is a machine word of {max} bits");
    Err(Unsupported::new(format!("`{id}`"), &board.problem(), why, "take a smaller board"))
}

/// `direct-zdd` and `direct-bdd`: the diagram built from the states of the board, row by row, without operations on
/// diagrams. `states`: the number counted over those states, without a diagram.
///
/// A `:binary` after the kind selects variables for the bits of a column's number, counted from 0, in place of one for
/// each square. [`crate::count::direct`] describes the method and the counted quantities.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DirectEngine {
    /// A diagram.
    Diagram(DiagramKind, RowCode),
    /// The number alone.
    States,
}

impl DirectEngine {
    /// Every engine of this module, for each kind the plain one first.
    pub(crate) const ALL: [Self; 5] = [
        Self::Diagram(DiagramKind::Zdd, RowCode::OneHot),
        Self::Diagram(DiagramKind::Zdd, RowCode::Binary),
        Self::Diagram(DiagramKind::Bdd, RowCode::OneHot),
        Self::Diagram(DiagramKind::Bdd, RowCode::Binary),
        Self::States,
    ];

    fn id(self) -> String {
        match self {
            Self::States => "states".into(),
            Self::Diagram(kind, code) => {
                let kind = if kind == DiagramKind::Zdd { "direct-zdd" } else { "direct-bdd" };
                format!("{kind}{}", if code == RowCode::OneHot { "" } else { ":binary" })
            }
        }
    }
}

impl Backend for DirectEngine {
    fn info(&self) -> BackendInfo {
        let title = match self {
            Self::States => "Count over the states of the board".to_owned(),
            Self::Diagram(kind, code) => {
                let kind = if *kind == DiagramKind::Zdd { "Zero-suppressed" } else { "Binary" };
                let code = if *code == RowCode::OneHot { "" } else { " over the bits of columns" };
                format!("{kind} decision diagram{code}, from the states of the board")
            }
        };
        BackendInfo {
            id: self.id(),
            title,
            version: "1".into(),
            citation: "Rivin, Zabih 1992, A dynamic programming solution to the n-queens problem; \
                       Knuth, TAOCP 4A, 7.1.4"
                .into(),
        }
    }

    fn reads(&self) -> InputKind {
        InputKind::Instance
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            solves: false,
            lists: !matches!(self, Self::States),
            counts: true,
            models: false,
        }
    }

    fn fits(
        &self,
        instance: &Instance,
        _encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        refuse_wide(&self.id(), instance, direct::MAX_COLUMNS)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        observer.loaded(None);
        let board = board_in(question);
        let direct = Direct::new(board).expect("a job that is planned fits its engine");
        let budget = conditions.budget();
        match *self {
            Self::States => {
                let (count, effort) = direct.count(budget)?;
                let size = DiagramSize { peak_states: Some(effort.peak), ..DiagramSize::default() };
                Ok(BackendResult {
                    count: Some(count),
                    diagram: Some(size),
                    ..BackendResult::default()
                })
            }
            Self::Diagram(kind, code) => {
                let (diagram, effort) = direct.diagram(kind, code, budget)?;
                let size = DiagramSize {
                    nodes: Some(effort.nodes),
                    // Every node that is made is in the finished diagram.
                    peak_nodes: Some(effort.nodes),
                    peak_states: Some(effort.states),
                };
                let map = code.map(board);
                answered(&diagram, &map, question.query, size, conditions, observer)
            }
        }
    }
}

/// Diagrams: `bdd`, `bcdd` and `zbdd`, built by OxiDD's operations from the circuit or the clauses of an encoding.
///
/// A `:rules` after the kind selects the formulas of Nielsen and Faartoft in place of an encoding. `+top-together` joins
/// the upper third of a circuit's rows before they are conjoined to the others. `+column`, `+inside-out` and
/// `+interleaved` are orders of variables other than row by row. [`bezzel_count::apply`] describes each of them, and
/// defines the count of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiagramEngine {
    method: Method,
    rules: bool,
}

impl DiagramEngine {
    /// Returns every way, for each kind the plain one first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [OxiddKind::Bdd, OxiddKind::Bcdd, OxiddKind::Zbdd].into_iter().flat_map(|kind| {
            let of = move |rules, schedule, order| Self {
                method: Method { kind, order, schedule },
                rules,
            };
            let orders = move |rules| Order::ALL.map(|order| of(rules, Schedule::Layers, order));
            let together = of(false, Schedule::TopTogether, Order::Row);
            orders(false).into_iter().chain([together]).chain(orders(true))
        })
    }

    fn id(self) -> String {
        let Method { kind, order, schedule } = self.method;
        let mut id = kind.id().to_owned();
        if self.rules {
            id.push_str(":rules");
        }
        if schedule != Schedule::default() {
            id.extend(["+", schedule.id()]);
        }
        if order != Order::default() {
            id.extend(["+", order.id()]);
        }
        id
    }

    fn reading(self, board: &Board, encoding: Option<&dyn Encoding>) -> Result<Rules, RulesError> {
        match encoding {
            Some(encoding) if !self.rules => Rules::encoding(encoding, &board.problem()),
            _ => by_square::rules(board),
        }
    }
}

impl Backend for DiagramEngine {
    fn info(&self) -> BackendInfo {
        let Method { kind, order, schedule } = self.method;
        let what = match kind {
            OxiddKind::Bdd => "Binary decision diagram",
            OxiddKind::Bcdd => "Binary decision diagram with complement edges",
            OxiddKind::Zbdd => "Zero-suppressed decision diagram",
        };
        let mut title = what.to_owned();
        if self.rules {
            title.push_str(", rules of Nielsen and Faartoft");
        }
        if schedule == Schedule::TopTogether {
            title.push_str(", upper rows joined first");
        }
        if order != Order::default() {
            title.push_str(match order {
                Order::Row => "",
                Order::Column => ", column by column",
                Order::InsideOut => ", from the middle outward",
                Order::Interleaved => ", rows in turns from the middle",
            });
        }
        BackendInfo {
            id: self.id(),
            title,
            version: format!("oxidd {}, revision 1", bezzel_count::apply::VERSION),
            citation:
                "Husung, Dubslaff, Hermanns, Köhl: OxiDD. TACAS 2024; Bryant 2019, supplement on \
                       N-queens"
                    .into(),
        }
    }

    fn reads(&self) -> InputKind {
        if self.rules { InputKind::Instance } else { InputKind::Circuit }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: true, models: false }
    }

    fn fits(
        &self,
        instance: &Instance,
        encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        let board = board_of(&self.id(), instance)?;
        self.reading(board, encoding).map(drop).map_err(|unreadable| {
            let what = format!("`{}`", self.id());
            match unreadable {
                RulesError::Auxiliary { id, auxiliary } => Unsupported::new(
                    what,
                    &board.problem(),
                    format!(
                        "`{id}` has {auxiliary} auxiliary variables without a circuit that defines them"
                    ),
                    "take an encoding without auxiliary variables, or `bryant-circuit`",
                ),
                other => Unsupported::new(what, &board.problem(), other.to_string(), "take a smaller board"),
            }
        })
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let encoding = question.formula.map(|formula| formula.encoding);
        let board = board_in(question);
        let reading = self.reading(board, encoding).expect("a job that is planned fits its engine");
        observer.loaded(None);
        // The diagram is built in another thread. Its time is not part of the time of this one.
        let (built, cpu_s) = self.method.build_around(&reading, conditions.budget(), |build| {
            let start = usage::thread_cpu_s();
            let built = build()?;
            Ok((built, usage::thread_cpu_s() - start))
        })?;
        let size = DiagramSize {
            nodes: Some(built.nodes),
            peak_nodes: Some(built.peak),
            peak_states: None,
        };
        let map = reading.map();
        let outcome = answered(&built.diagram, map, question.query, size, conditions, observer)?;
        Ok(BackendResult { usage: Some(Usage { cpu_s, memory_peak_bytes: None }), ..outcome })
    }
}

/// Answers a query with a finished diagram.
///
/// # Errors
///
/// When it is stopped between two solutions. A small diagram may have very many solutions.
fn answered(
    diagram: &Diagram,
    map: &VarMap,
    query: Query,
    size: DiagramSize,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> Result<BackendResult, BackendError> {
    let outcome = BackendResult { diagram: Some(size), ..BackendResult::default() };
    if query == Query::Count {
        return Ok(BackendResult { count: Some(diagram.count()), ..outcome });
    }
    let budget = conditions.budget();
    let mut decoder = Decoder::new(map);
    let mut models = diagram.models();
    while let Some(model) = models.next_model() {
        if observer.found(decoder.solution(model).chosen()).is_break() {
            break;
        }
        budget.go_on()?;
    }
    Ok(outcome)
}
