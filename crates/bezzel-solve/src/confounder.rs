//! What a solver does to a formula before it searches, as far as it can outweigh an encoding.

use std::fmt;

/// Preprocessing that can make up for an encoding, or spoil it, so that experiments have it as an
/// axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confounder {
    /// New variables stand for what clauses have in common: bounded variable addition. Manthey,
    /// Heule, Biere: Automated Reencoding of Boolean Formulas. HVC 2012, LNCS 7857, 102-117.
    Reencode,
    /// Variables are resolved away. Eén, Biere: Effective Preprocessing in SAT Through Variable and
    /// Clause Elimination. SAT 2005, LNCS 3569, 61-75.
    Eliminate,
}

impl Confounder {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Reencode, Self::Eliminate];

    /// The name, as configs have it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Reencode => "reencode",
            Self::Eliminate => "eliminate",
        }
    }
}

impl fmt::Display for Confounder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// What switches a confounder in some solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What it switches.
    pub confounder: Confounder,
    /// The solver's option: 0 is off and 1 is on.
    pub option: &'static str,
    /// Whether it is on as the solver comes.
    pub default: bool,
}
