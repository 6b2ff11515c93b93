//! The input of a diagram: a statement of the rules of a board.

use bezzel_encode::circuit::Circuit;
use bezzel_encode::{ClauseSink, Encoding, Formula, FormulaStats, Lit, VarMap, VarRange};
use bezzel_queens::Board;
use thiserror::Error;

/// A statement of the rules of a board, with its given squares, ready to be built.
#[derive(Clone, Debug)]
pub struct BoardRules {
    pub(super) board: Board,
    pub(super) map: VarMap,
    pub(super) rules: Rules,
}

/// The form in which the rules are stated.
#[derive(Clone, Debug)]
pub(super) enum Rules {
    /// Gates over the primary variables.
    Gates(Circuit),
    /// Clauses over the primary variables.
    Clauses(Formula),
    /// The formulas of Nielsen and Faartoft.
    Squares,
}

/// The rules cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardRulesError {
    /// The clauses contain auxiliary variables.
    #[error(
        "`{id}` cannot be built as a diagram: it has {auxiliary} auxiliary variables without a \
         circuit that defines them; take an encoding without, or `bryant-circuit`"
    )]
    Auxiliary {
        /// The encoding.
        id: String,
        /// The number of its auxiliary variables on this board.
        auxiliary: u32,
    },
    /// There are more levels than a diagram can have.
    #[error("a diagram has at most {MAX_VARIABLES} variables, the board needs {0}")]
    Variables(usize),
}

/// The most variables of a diagram, whose levels are 16 bits.
const MAX_VARIABLES: usize = u16::MAX as usize;

impl BoardRules {
    /// Reads an encoding's circuit, or its clauses if it has no auxiliary variables.
    ///
    /// # Errors
    ///
    /// When it has neither, or too many variables.
    pub fn encoding(encoding: &dyn Encoding, board: &Board) -> Result<Self, BoardRulesError> {
        if let Some(circuit) = encoding.circuit(&board.problem()) {
            let map = encoding.rules(&board.problem(), &mut FormulaStats::new());
            return Self::new(board, map, Rules::Gates(circuit));
        }
        let mut recorder = Recorder::default();
        let map = encoding.rules(&board.problem(), &mut recorder);
        let auxiliary = recorder.formula.variables() - recorder.primary.unwrap_or(0);
        if auxiliary > 0 {
            return Err(BoardRulesError::Auxiliary { id: encoding.info().id, auxiliary });
        }
        Self::new(board, map, Rules::Clauses(recorder.formula))
    }

    /// The formulas of Nielsen and Faartoft, with a variable for each square.
    ///
    /// For every square, row by row: a queen there, and none on any square that it attacks. Then
    /// for every row: a queen on one of its squares.
    ///
    /// # Errors
    ///
    /// When the board has too many squares.
    pub fn rules(board: &Board) -> Result<Self, BoardRulesError> {
        let map = VarMap::one_per_candidate(VarRange::after(0, board.squares()));
        Self::new(board, map, Rules::Squares)
    }

    fn new(board: &Board, map: VarMap, rules: Rules) -> Result<Self, BoardRulesError> {
        let variables = map.variables().len();
        if variables > MAX_VARIABLES {
            return Err(BoardRulesError::Variables(variables));
        }
        Ok(Self { board: board.clone(), map, rules })
    }

    /// The meaning of the variables.
    pub fn map(&self) -> &VarMap {
        &self.map
    }
}

/// A formula, with the number of its primary variables.
#[derive(Default)]
struct Recorder {
    formula: Formula,
    primary: Option<u32>,
}

impl ClauseSink for Recorder {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.primary.get_or_insert(count);
        self.formula.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.formula.clause(lits);
    }
}
