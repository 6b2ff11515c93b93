//! The choice of the next decision.

use super::assignment::{Assignment, SATISFIED, Value};
use super::code::Code;
use super::network::Network;

/// Returns the next decision literal, of a projected variable; `None` if all have a value.
pub(super) fn choose(network: &Network, assignment: &Assignment) -> Option<Code> {
    let loads = &assignment.loads()[..network.choices];
    let least = loads.iter().copied().fold(SATISFIED, u64::min);
    if least < SATISFIED {
        let clause = loads.iter().position(|&load| load == least).expect("it is among them");
        let open = |code: &&Code| assignment.value(**code) == Value::Open;
        return network.clause(clause).iter().find(open).copied();
    }
    (0..network.projected).map(Code::positive).find(|&code| assignment.value(code) == Value::Open)
}
